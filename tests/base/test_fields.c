// Records as JSON and back, and what hostile JSON reads as.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"

Suite *suite_fields(void);

struct part {
    int number;
};

struct sample {
    bool flag;
    int number, count, level, colour;
    uint32_t u32, triple[3];
    uint64_t u64;
    double real, amount;
    const char *name, *option;
    char text[8];
    struct part part, *list, *kept;
    size_t list_count, kept_count;
};

static const char *colour_word(int value)
{
    static const char *const words[] = {"red", NULL, "blue"};
    return words[value];
}

static const struct field_words colours = {colour_word, 3, 2}, levels = {NULL, 4, 1};
static const struct field part_rows[] = {FIELD(part, INT, "number", number)};
static const struct fields part_fields = FIELDS(part, part_rows);
#define F(kind, member) FIELD(sample, kind, #member, member)
static const struct field sample_rows[] = {
    F(FLAG, flag),
    F(INT, number),
    F(COUNT, count),
    FIELD_NAMED(sample, ENUM, "level", level, levels),
    FIELD_NAMED(sample, WORD, "colour", colour, colours),
    F(U32, u32),
    F(TRIPLE, triple),
    F(U64, u64),
    F(NUMBER, real),
    F(AMOUNT, amount),
    F(STRING, name),
    F(OPTION, option),
    F(TEXT, text),
    {FIELD_AT(sample, "part", part), .kind = FIELD_RECORD, .inner = &part_fields, FIELD_WHEN(sample, flag)},
    FIELD_ITEMS(sample, LIST, "list", list, list_count, part_fields),
    FIELD_ITEMS(sample, ARENA_LIST, "kept", kept, kept_count, part_fields)};
#undef F
static const struct fields sample_fields = FIELDS(sample, sample_rows);

static struct arena *arena;

static void open_arena(void)
{
    arena = arena_new();
}

static void close_arena(void)
{
    arena_free(arena);
}

START_TEST(what_is_written_is_read)
{
    struct part parts[] = {{3}, {4}};
    struct sample from = {.flag = true,
                          .number = -5,
                          .count = 6,
                          .level = 3,
                          .colour = 2,
                          .u32 = UINT32_MAX,
                          .triple = {1, 2, UINT32_MAX},
                          .u64 = INT64_MAX,
                          .real = 0.25,
                          .amount = 1e300,
                          .name = "n",
                          .option = "o",
                          .text = "seven..",
                          .part = {9},
                          .list = parts,
                          .list_count = 2,
                          .kept = parts,
                          .kept_count = 1};
    struct sample to = {0};
    json_t *json = fields_write(&sample_fields, &from);
    fields_read(&sample_fields, json, arena, &to);
    ck_assert(to.flag && to.number == -5 && to.count == 6 && to.level == 3 && to.colour == 2);
    ck_assert(to.u32 == UINT32_MAX && to.triple[2] == UINT32_MAX && to.u64 == INT64_MAX);
    ck_assert(to.real == 0.25 && to.amount == 1e300);
    ck_assert_str_eq(to.name, "n");
    ck_assert_str_eq(to.option, "o");
    ck_assert_str_eq(to.text, "seven..");
    ck_assert(to.part.number == 9 && to.list_count == 2 && to.list[1].number == 4 && to.kept_count == 1 &&
              to.kept[0].number == 3);
    free(to.list);
    json_decref(json);
}
END_TEST

START_TEST(what_is_not_there_is_not_written)
{
    struct sample from = {.real = INFINITY, .name = "\xff", .colour = 1};
    json_t *json = fields_write(&sample_fields, &from);
    ck_assert(!json_object_get(json, "option") && !json_object_get(json, "part"));
    ck_assert(json_is_null(json_object_get(json, "real")));
    ck_assert_str_eq(json_string_value(json_object_get(json, "name")), "\\xff");
    ck_assert_str_eq(json_string_value(json_object_get(json, "colour")), "");
    ck_assert_uint_eq(json_array_size(json_object_get(json, "list")), 0);
    json_decref(json);
}
END_TEST

static const char *const hostile[] = {
    "{}",
    "[]",
    "7",
    ("{\"flag\":1,\"number\":\"5\",\"count\":-1,\"level\":4,\"colour\":\"green\",\"u32\":[],\"triple\":7,\"real\":"
     "\"x\","
     "\"amount\":null,\"name\":5,\"option\":{},\"text\":[],\"part\":3,\"list\":{\"number\":1},\"kept\":\"no\"}"),
    "{\"count\":99999999999,\"level\":-1,\"colour\":7,\"list\":null,\"more\":1}",
};

START_TEST(nothing_that_is_read_is_trusted)
{
    json_t *json = json_loads(hostile[_i], JSON_DECODE_ANY, NULL);
    struct sample to = {.count = 3, .list_count = 9};
    ck_assert_ptr_nonnull(json);
    fields_read(&sample_fields, json, arena, &to);
    ck_assert(!to.flag && to.number == 0 && to.count == 0 && to.level == (_i < 3 ? 0 : 1) && to.colour == 2);
    ck_assert(to.u32 == 0 && to.triple[0] == 0 && isnan(to.real) && to.amount == 0);
    ck_assert(to.name && !*to.name && !to.option && !*to.text && to.part.number == 0);
    ck_assert(!to.list && to.list_count == 0 && to.kept_count == 0);
    json_decref(json);
}
END_TEST

START_TEST(long_text_is_cut_and_long_lists_end)
{
    struct sample to = {0};
    json_t *json = json_pack("{s:s}", "text", "longer than seven"), *list = json_array();
    for (int i = 0; i < FIELDS_MAX_ITEMS + 5; i++)
        json_array_append_new(list, json_object());
    fields_put(json, "list", list);
    fields_read(&sample_fields, json, arena, &to);
    ck_assert_str_eq(to.text, "longer ");
    ck_assert_uint_eq(to.list_count, FIELDS_MAX_ITEMS);
    free(to.list);
    json_decref(json);
}
END_TEST

Suite *suite_fields(void)
{
    Suite *suite = suite_create("fields");
    TCase *tests = tcase_create("fields");
    tcase_add_checked_fixture(tests, open_arena, close_arena);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, what_is_not_there_is_not_written);
    tcase_add_loop_test(tests, nothing_that_is_read_is_trusted, 0, sizeof hostile / sizeof *hostile);
    tcase_add_test(tests, long_text_is_cut_and_long_lists_end);
    suite_add_tcase(suite, tests);
    return suite;
}
