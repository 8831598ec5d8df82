#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"

Suite *suite_map(void);

enum { MANY = 5000 };

START_TEST(finds_what_was_added_and_nothing_else)
{
    struct map map = map_of(uint64_t);
    bool fresh = false;
    ck_assert_ptr_null(map_find(&map, 0));
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t *value = map_add(&map, i * i * 4096, &fresh);
        ck_assert(fresh && *value == 0);
        *value = i;
    }
    ck_assert_uint_eq(map.count, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        ck_assert_uint_eq(*(uint64_t *)map_find(&map, i * i * 4096), i);
        ck_assert_uint_eq(*(uint64_t *)map_add(&map, i * i * 4096, &fresh), i);
        ck_assert(!fresh);
    }
    ck_assert_uint_eq(map.count, MANY);
    ck_assert_ptr_null(map_find(&map, 1));
    map_free(&map);
}
END_TEST

START_TEST(walks_in_the_order_of_adding)
{
    struct map map = map_of(char);
    for (uint64_t i = 0; i < MANY; i++)
        *(char *)map_add(&map, (MANY - i) << 40, NULL) = (char)(i % 100);
    for (size_t i = 0; i < map.count; i++) {
        ck_assert_uint_eq(map_key(&map, i), (uint64_t)(MANY - i) << 40);
        ck_assert_int_eq(*(char *)map_value(&map, i), (char)(i % 100));
    }
    map_free(&map);
}
END_TEST

START_TEST(keys_of_bytes_may_hold_anything)
{
    struct map map = map_of(int);
    *(int *)map_add_bytes(&map, "", 0, NULL) = 1;
    *(int *)map_add_bytes(&map, "a", 1, NULL) = 2;
    *(int *)map_add_bytes(&map, "a\0b", 3, NULL) = 3;
    *(int *)map_add_bytes(&map, "a\0c", 3, NULL) = 4;
    for (int i = 0; i < MANY; i++) {
        char name[32];
        size_t length = (size_t)snprintf(name, sizeof name, "name%d", i);
        *(int *)map_add_bytes(&map, name, length, NULL) = i;
    }
    ck_assert_uint_eq(map.count, MANY + 4);
    ck_assert_int_eq(*(int *)map_find_bytes(&map, "", 0), 1);
    ck_assert_int_eq(*(int *)map_find_bytes(&map, "a", 1), 2);
    ck_assert_int_eq(*(int *)map_find_bytes(&map, "a\0b", 3), 3);
    ck_assert_int_eq(*(int *)map_find_bytes(&map, "a\0c", 3), 4);
    ck_assert_int_eq(*(int *)map_find_bytes(&map, "name4321", 8), 4321);
    ck_assert_ptr_null(map_find_bytes(&map, "name4321", 7 + 2));
    size_t length;
    ck_assert_str_eq(map_key_bytes(&map, 4 + 17, &length), "name17");
    ck_assert_uint_eq(length, 6);
    map_free(&map);
}
END_TEST

START_TEST(is_empty_after_clear_and_free)
{
    struct map map = map_of(int);
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 100; i++)
            ck_assert_int_eq((*(int *)map_add(&map, i, NULL))++, 0);
        map_clear(&map);
        ck_assert_uint_eq(map.count, 0);
        ck_assert_ptr_null(map_find(&map, 7));
    }
    map_free(&map);
    ck_assert_ptr_null(map_find(&map, 7));
    *(int *)map_add(&map, 7, NULL) = 1;
    ck_assert_uint_eq(map.count, 1);
    map_free(&map);
}
END_TEST

Suite *suite_map(void)
{
    Suite *suite = suite_create("map");
    TCase *tcase = tcase_create("map");
    tcase_add_test(tcase, finds_what_was_added_and_nothing_else);
    tcase_add_test(tcase, walks_in_the_order_of_adding);
    tcase_add_test(tcase, keys_of_bytes_may_hold_anything);
    tcase_add_test(tcase, is_empty_after_clear_and_free);
    suite_add_tcase(suite, tcase);
    return suite;
}
