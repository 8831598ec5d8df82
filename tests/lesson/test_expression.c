#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "lesson/expression.h"

Suite *suite_expression(void);

static enum status lookup(void *context, const struct expression_reference *reference, double *value,
                          struct diagnostic *diagnostic)
{
    (void)context;
    if (strcmp(reference->name, "width") == 0) {
        *value = 70;
    } else if (strcmp(reference->name, "nothing") == 0) {
        *value = NAN;
    } else if (strcmp(reference->name, "bank") == 0) {
        ck_assert_uint_eq(reference->argument_count, 2);
        ck_assert_str_eq(reference->arguments[0].label, "marker");
        ck_assert_str_eq(reference->arguments[0].text, "read");
        ck_assert_str_eq(reference->arguments[1].label, "lane");
        *value = reference->arguments[1].number;
    } else if (strcmp(reference->name, "size") == 0) {
        ck_assert_str_eq(reference->arguments[0].text, "odd");
        ck_assert_str_eq(reference->field, "correct");
        *value = 1;
    } else {
        return diagnostic_set(diagnostic, STATUS_PARSE, "unknown %s", reference->name);
    }
    return STATUS_OK;
}

static const struct {
    const char *text;
    double value;
} values[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 2 - 3", 5},
    {"12 / 3 / 2", 2},
    {"-2 * -3", 6},
    {"--2", 2},
    {"7 % 4", 3},
    {"ceil(width / 32)", 3},
    {"floor(width / 32)", 2},
    {"min(3, 4) + max(3, 4)", 7},
    {"abs(3 - 5)", 2},
    {"log2(1024)", 10},
    {"1 < 2 && 2 < 1", 0},
    {"1 > 2 || 2 >= 2", 1},
    {"!(1 == 1)", 0},
    {"1 != 2", 1},
    {"1e3 + .5", 1000.5},
    {"width<=70", 1},
    {"1 / 0 <= 4", 0},
    {"1 / 0 > 4", 0},
    {"nothing != 1", 0},
    {"min(nothing, 1) <= 1", 0},
    {"!nothing", NAN},
    {"5 % 0", NAN},
    {"0 && unknown", 0},
    {"1 || unknown", 1},
    {"bank(marker:read, lane 7)", 7},
    {"bank(marker:read, lane width + 1)", 71},
    {"size(\"odd\").correct", 1},
    {" size ( \"odd\" ) . correct ", 1},
};

START_TEST(evaluates)
{
    struct diagnostic diagnostic = {0};
    double value = -1;
    ck_assert_msg(expression_value(values[_i].text, lookup, NULL, &value, &diagnostic) == STATUS_OK, "%s: %s",
                  values[_i].text, diagnostic.message);
    if (isnan(values[_i].value))
        ck_assert_double_nan(value);
    else
        ck_assert_double_eq(value, values[_i].value);
}
END_TEST

static const struct {
    const char *text;
    int column;
    const char *says;
} errors[] = {
    {"", 1, "missing at the end"},
    {"1 +", 4, "missing at the end"},
    {"1 2", 3, "Expected an operator"},
    {"(1", 3, "Expected ')'"},
    {"1 + unknown", 5, "unknown unknown"},
    {"unknown + ", 11, "missing at the end"},
    {"ceil(1, 2)", 1, "takes one value"},
    {"min(1)", 1, "takes two values"},
    {"ceil(lane 7)", 1, "plain values"},
    {"bank(marker:, lane 7)", 13, "missing after ':'"},
    {"size(\"odd).correct", 6, "never ends"},
    {"size(\"odd\").", 13, "missing after '.'"},
    {"line(1, 2, 3, 4, 5)", 18, "Too many"},
    {"1 = 2", 3, "Expected an operator"},
    {"3px", 1, "not a number"},
    {"1 < 2 < 3", 7, "Expected an operator"},
};

START_TEST(says_where_it_is_wrong)
{
    struct diagnostic diagnostic = {0};
    double value;
    ck_assert_int_eq(expression_value(errors[_i].text, lookup, NULL, &value, &diagnostic), STATUS_PARSE);
    ck_assert_msg(strstr(diagnostic.message, errors[_i].says) != NULL, "%s: %s", errors[_i].text, diagnostic.message);
    ck_assert_int_eq(diagnostic.column, errors[_i].column);
}
END_TEST

START_TEST(checks_names_in_branches_that_evaluation_skips)
{
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(expression_check("0 && unknown", lookup, NULL, &diagnostic), STATUS_PARSE);
    ck_assert_int_eq(diagnostic.column, 6);
}
END_TEST

START_TEST(refuses_hostile_nesting)
{
    static const char opening[] = {'(', '-', '!'};
    char text[EXPRESSION_MAX_LENGTH + 10];
    double value;
    for (size_t i = 0; i < sizeof opening; i++) {
        memset(text, opening[i], sizeof text);
        text[EXPRESSION_MAX_LENGTH - 1] = '\0';
        ck_assert_int_eq(expression_value(text, lookup, NULL, &value, NULL), STATUS_PARSE);
    }
    memset(text, ' ', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(expression_value(text, lookup, NULL, &value, NULL), STATUS_PARSE);
}
END_TEST

Suite *suite_expression(void)
{
    Suite *suite = suite_create("expression");
    TCase *tests = tcase_create("expression");
    tcase_add_loop_test(tests, evaluates, 0, sizeof values / sizeof *values);
    tcase_add_loop_test(tests, says_where_it_is_wrong, 0, sizeof errors / sizeof *errors);
    tcase_add_test(tests, checks_names_in_branches_that_evaluation_skips);
    tcase_add_test(tests, refuses_hostile_nesting);
    suite_add_tcase(suite, tests);
    return suite;
}
