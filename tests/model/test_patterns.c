#include <check.h>
#include <stdio.h>
#include <string.h>

#include "model/patterns.h"

Suite *suite_patterns(void);

#define ZEROS7 ",0,0,0,0,0,0,0"
#define ZEROS31 ZEROS7 ZEROS7 ZEROS7 ZEROS7 ",0,0,0"

#define L(n) ",lane" #n
#define HEADER                                                                                                         \
    "label,op,active_mask,wavefronts" L(0) L(1) L(2) L(3) L(4) L(5) L(6) L(7) L(8) L(9) L(10) L(11) L(12) L(13) L(14)  \
        L(15) L(16) L(17) L(18) L(19) L(20) L(21) L(22) L(23) L(24) L(25) L(26) L(27) L(28) L(29) L(30) L(31) "\n"

static const struct {
    const char *text;
    int line, column;
    const char *said; // part of the message
} malformed[] = {
    {"# comment\n\na,ld32,ffffffff,0\n", 3, 0, "4 fields, not 35"},
    {"a,ld33,ffffffff,0" ZEROS31 "\n", 1, 3, "no operation is called 'ld33'"},
    {"a,ld32,fffffffff,0" ZEROS31 "\n", 1, 8, "'fffffffff' is not an active mask"},
    {"a,ld32,,0" ZEROS31 "\n", 1, 8, "is not an active mask"},
    {"a,ld32,ffffffff,-4" ZEROS31 "\n", 1, 17, "'-4' is not a byte offset for lane 0"},
    {"a,ld32,ffffffff,999999999999999999999" ZEROS31 "\n", 1, 17, "is not a byte offset for lane 0"},
    {"a,ld64,ffffffff,4" ZEROS31 "\n", 1, 0, "lane 0's offset 4 is not a multiple of ld64's 8 bytes"},
    {"\"a,ld32,ffffffff,0" ZEROS31 "\n", 1, 1, "never closed"},
    {"\"a\"b,ld32,ffffffff,0" ZEROS31 "\n", 1, 4, "a comma is missing"},
    {"label,op,active_mask,lane0,lane1\n", 1, 0, "the header has no column lane2"},
    {"a,\x1b[2J,ffffffff,0" ZEROS31 "\n", 1, 3, "'\\x1b[2J'"},
    {"op,op,lane0\n", 1, 4, "appears twice"},
    {"op,offset0,lane0\n", 1, 12, "appears twice"},
    {HEADER "a,ld32,1,abc,0" ZEROS31 "\n", 2, 10, "'abc' is not a number of wavefronts"},
};

START_TEST(malformed_line_is_told_with_its_place)
{
    struct pattern_list list = {0};
    struct diagnostic diagnostic;
    enum status status = patterns_parse("p.csv", malformed[_i].text, strlen(malformed[_i].text), &list, &diagnostic);
    ck_assert_int_eq(status, STATUS_PARSE);
    ck_assert_str_eq(diagnostic.file, "p.csv");
    ck_assert_int_eq(diagnostic.line, malformed[_i].line);
    ck_assert_int_eq(diagnostic.column, malformed[_i].column);
    ck_assert_msg(strstr(diagnostic.message, malformed[_i].said) != NULL, "%s", diagnostic.message);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(plain_lines_need_no_header)
{
    static const char text[] = "\"a, b\",st16,0x3,2" ZEROS31 "\r\n# end";
    struct pattern_list list = {0};
    struct diagnostic diagnostic;
    ck_assert_int_eq(patterns_parse("p", text, sizeof text - 1, &list, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_str_eq(list.items[0].label, "a, b");
    ck_assert_uint_eq(list.items[0].mask, 3);
    ck_assert_uint_eq(list.items[0].offsets[0], 2);
    ck_assert_uint_eq(list.items[0].measured.wavefronts, PATTERN_NONE);
    struct pattern_cost cost = patterns_evaluate(&list.items[0]);
    ck_assert_uint_eq(cost.wavefronts, 1);
    ck_assert_uint_eq(cost.requests, PATTERN_NONE);
    pattern_list_free(&list);
}
END_TEST

START_TEST(a_header_may_call_lanes_offsets)
{
    char text[1024] = "op,active_mask,wavefronts,label";
    struct pattern_list list = {0};
    struct diagnostic diagnostic = {0};
    size_t used = strlen(text);
    for (int i = 31; i >= 0; i--)
        used += (size_t)snprintf(text + used, sizeof text - used, ",offset%d", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "\nld32,1,,a" ZEROS31 ",8\n");
    ck_assert_msg(patterns_parse("p", text, used, &list, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_uint_eq(list.items[0].offsets[0], 8);
    ck_assert_uint_eq(list.items[0].measured.wavefronts, PATTERN_NONE);
    pattern_list_free(&list);
}
END_TEST

START_TEST(inactive_lanes_may_hold_any_offset)
{
    static const char text[] = "a,ld64,fffffffe,3" ZEROS31;
    struct pattern_list list = {0};
    struct diagnostic diagnostic;
    ck_assert_int_eq(patterns_parse("p", text, sizeof text - 1, &list, &diagnostic), STATUS_OK);
    pattern_list_free(&list);
}
END_TEST

START_TEST(missing_file_is_an_io_error)
{
    struct pattern_list list = {0};
    struct diagnostic diagnostic;
    ck_assert_int_eq(patterns_read("tests/golden/no-such.csv", &list, &diagnostic), STATUS_IO);
    ck_assert(strstr(diagnostic.message, "no-such.csv") != NULL);
}
END_TEST

Suite *suite_patterns(void)
{
    Suite *suite = suite_create("patterns");
    TCase *tests = tcase_create("patterns");
    tcase_add_loop_test(tests, malformed_line_is_told_with_its_place, 0, sizeof malformed / sizeof *malformed);
    tcase_add_test(tests, plain_lines_need_no_header);
    tcase_add_test(tests, a_header_may_call_lanes_offsets);
    tcase_add_test(tests, inactive_lanes_may_hold_any_offset);
    tcase_add_test(tests, missing_file_is_an_io_error);
    suite_add_tcase(suite, tests);
    return suite;
}
