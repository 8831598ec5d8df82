#include <check.h>
#include <string.h>

#include "ui/action.h"

Suite *suite_actions(void);

START_TEST(no_key_means_two_things_in_one_view)
{
    for (int a = 1; a < ACTION_COUNT; a++)
        for (int b = a + 1; b < ACTION_COUNT; b++) {
            const struct action_info *first = action_info((enum action)a), *second = action_info((enum action)b);
            if (!(first->views & second->views))
                continue;
            const char *keys = first->keys;
            for (uint32_t key; (key = key_parse(&keys, false)) != 0;) {
                const char *others = second->keys;
                for (uint32_t other; (other = key_parse(&others, false)) != 0;)
                    ck_assert_msg(key != other, "%s and %s share a key", first->name, second->name);
            }
        }
}
END_TEST

START_TEST(names_are_unique_and_found)
{
    for (int a = 1; a < ACTION_COUNT; a++)
        ck_assert_int_eq(action_find(action_info((enum action)a)->name), a);
    ck_assert_int_eq(action_find("thm"), ACTION_NONE);
    ck_assert_int_eq(action_find("them"), ACTION_NONE);
    ck_assert_int_eq(action_find("export"), ACTION_NONE);
}
END_TEST

START_TEST(every_view_can_be_left_and_explained)
{
    for (int view = 0; view < VIEW_COUNT; view++) {
        ck_assert_int_eq(action_for_key((enum view)view, 'q'), ACTION_BACK);
        ck_assert_int_eq(action_for_key((enum view)view, '?'), ACTION_HELP);
        ck_assert_int_eq(action_for_key((enum view)view, KEY_NAME_ESC), ACTION_CANCEL);
        ck_assert_int_eq(action_for_key((enum view)view, ':'), ACTION_PALETTE);
    }
}
END_TEST

START_TEST(keys_are_read_as_they_are_written)
{
    const char *script = "j<Down><lt><^D>\xc3\xa9 <C";
    static const uint32_t wanted[] = {'j', KEY_NAME_DOWN, '<', 4, 0xe9, ' ', '<', 'C'};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_uint_eq(key_parse(&script, true), wanted[i]);
    ck_assert_uint_eq(key_parse(&script, true), 0);
    struct text text = {0};
    key_format(&text, 4);
    key_format(&text, KEY_NAME_PAGE_UP);
    key_format(&text, 'x');
    ck_assert_str_eq(text_get(&text), "^DPageUpx");
    text_free(&text);
}
END_TEST

Suite *suite_actions(void)
{
    Suite *suite = suite_create("actions");
    TCase *tests = tcase_create("actions");
    tcase_add_test(tests, no_key_means_two_things_in_one_view);
    tcase_add_test(tests, names_are_unique_and_found);
    tcase_add_test(tests, every_view_can_be_left_and_explained);
    tcase_add_test(tests, keys_are_read_as_they_are_written);
    suite_add_tcase(suite, tests);
    return suite;
}
