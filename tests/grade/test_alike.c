// What wrong results have in common, in words.
#include <check.h>
#include <string.h>

#include "grade/alike.h"

Suite *suite_alike(void);

enum { ROWS = 16, COLUMNS = 64 };
static bool wrong[ROWS * COLUMNS];

static const char *places(size_t rows, size_t columns)
{
    static char text[96];
    alike_places(wrong, rows, columns, text, sizeof text);
    return text;
}

#define WRONG_WHERE(condition)                                                                                         \
    for (size_t row = 0; row < ROWS; row++)                                                                            \
        for (size_t column = 0; column < COLUMNS; column++)                                                            \
    wrong[row * COLUMNS + column] = condition

START_TEST(places_are_named_by_their_rows_and_columns)
{
    WRONG_WHERE(column >= 32);
    ck_assert_str_eq(places(ROWS, COLUMNS), "whole columns: from 32 on");
    WRONG_WHERE(row == 7);
    ck_assert_str_eq(places(ROWS, COLUMNS), "whole rows: 7");
    WRONG_WHERE(row % 4 == 1 || row % 4 == 3);
    ck_assert_str_eq(places(ROWS, COLUMNS), "whole rows: 1 of every 2");
    WRONG_WHERE(row % 8 > 1 && column < 4);
    ck_assert_str_eq(places(ROWS, COLUMNS), "rows: all but 0, 1 of every 8; columns: 0 to 3");
    WRONG_WHERE(row != column);
    ck_assert_str_eq(places(ROWS, ROWS), "");
    memset(wrong, 1, sizeof wrong);
    for (size_t i = 0; i < ROWS; i++)
        wrong[i * ROWS + i] = false;
    ck_assert_str_eq(places(ROWS, ROWS), "off the diagonal");
}
END_TEST

START_TEST(what_is_not_simple_has_no_name)
{
    WRONG_WHERE((row * 7 + column * 13) % 5 == 0);
    ck_assert_str_eq(places(ROWS, COLUMNS), "");
    WRONG_WHERE(true);
    ck_assert_str_eq(places(ROWS, COLUMNS), "");
    WRONG_WHERE(false && row && column);
    ck_assert_str_eq(places(ROWS, COLUMNS), "");
}
END_TEST

START_TEST(a_single_row_has_places)
{
    WRONG_WHERE(row == 0 && column >= 60);
    ck_assert_str_eq(places(1, COLUMNS), "places: from 60 on");
    WRONG_WHERE(row == 0 && column % 16 == 3 && column != 35); // one of many came out right by chance
    ck_assert_str_eq(places(1, COLUMNS), "");
}
END_TEST

static const char *sizes(const int64_t values[][2], const char *right)
{
    static char text[128];
    struct lesson_variable variables[8][2];
    struct lesson_size all[8];
    struct alike_size tried[8];
    size_t count = strlen(right);
    for (size_t i = 0; i < count; i++) {
        variables[i][0] = (struct lesson_variable){"rows", values[i][0]};
        variables[i][1] = (struct lesson_variable){"cols", values[i][1]};
        all[i] = (struct lesson_size){.variables = variables[i], .variable_count = 2};
        tried[i] = (struct alike_size){&all[i], right[i] == '+'};
    }
    alike_sizes(tried, count, text, sizeof text);
    return text;
}

START_TEST(sizes_are_told_by_a_divisor_an_equality_or_a_bound)
{
    static const int64_t shapes[][2] = {{1, 33}, {5, 64}, {9, 96}, {7, 70}, {2, 32}, {33, 33}, {70, 70}, {64, 64}};
    ck_assert_str_eq(sizes(shapes, "-++-+--+"), "cols is a multiple of a power of two, from 4 to 32");
    ck_assert_str_eq(sizes(shapes, "-----+++"), "rows is equal to cols");
    static const int64_t squares_first[][2] = {{1, 1}, {16, 16}, {80, 80}, {3, 5000}, {90, 91}, {100, 300}};
    ck_assert_str_eq(sizes(squares_first, "+++---"),
                     "cols is at most 80"); // the small ones, which are square by chance
    ck_assert_str_eq(sizes(shapes, "+++++---"), "rows is at most 9");
    ck_assert_str_eq(sizes(shapes, "+--+-+-+"), "");
    ck_assert_str_eq(sizes(shapes, "++++++++"), "");
    ck_assert_str_eq(sizes(shapes, "+-------"), "");
}
END_TEST

// Odd in all variables or even in all; and where the multiples are the larger sizes as well.
START_TEST(nothing_is_said_where_several_rules_tell)
{
    static const int64_t all_odd[][2] = {{1, 1}, {64, 64}, {70, 100}, {70, 70}, {33, 65}, {128, 128}};
    ck_assert_str_eq(sizes(all_odd, "-+++-+"), "");
    static const int64_t larger[][2] = {{1, 7}, {64, 8}, {33, 9}, {128, 11}};
    ck_assert_str_eq(sizes(larger, "-+-+"), "");
    static const int64_t between[][2] = {{1, 7}, {64, 8}, {33, 9}, {128, 11}, {71, 9}};
    ck_assert_str_eq(sizes(between, "-+-+-"), "rows is a multiple of a power of two, from 2 to 64");
}
END_TEST

Suite *suite_alike(void)
{
    Suite *suite = suite_create("alike");
    TCase *tests = tcase_create("alike");
    tcase_add_test(tests, places_are_named_by_their_rows_and_columns);
    tcase_add_test(tests, what_is_not_simple_has_no_name);
    tcase_add_test(tests, a_single_row_has_places);
    tcase_add_test(tests, nothing_is_said_where_several_rules_tell);
    tcase_add_test(tests, sizes_are_told_by_a_divisor_an_equality_or_a_bound);
    suite_add_tcase(suite, tests);
    return suite;
}
