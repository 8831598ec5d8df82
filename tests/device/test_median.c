#include <check.h>

#include "device/cuda.h"

Suite *suite_median(void);

static const struct {
    float values[12];
    size_t count;
    double value, low, high;
} cases[] = {
    {{0}, 0, 0, 0, 0},
    {{7}, 1, 7, 7, 7},
    {{2, 1}, 2, 1.5, 1, 2},
    {{3, 1, 2}, 3, 2, 1, 3},
    // ranks 3 to 9 of 11 (binomial: 0.5 * 11 -+ 0.98 * sqrt(11))
    {{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 11, 6, 3, 9},
};

START_TEST(a_median_has_an_interval_of_ranks)
{
    struct median median = median_of(cases[_i].values, cases[_i].count);
    ck_assert_double_eq(median.value, cases[_i].value);
    ck_assert_double_eq(median.low, cases[_i].low);
    ck_assert_double_eq(median.high, cases[_i].high);
}
END_TEST

// A card whose clock is slow in half of the rounds: medians jump from one heap to the other, ratios do not.
START_TEST(a_ratio_does_not_see_what_slows_both)
{
    float over[101], under[101];
    for (int i = 0; i < 101; i++) {
        float pace = i * 37 % 101 < 51 ? 1.0f : 1.5f;
        under[i] = 10 * pace;
        over[i] = 20 * pace;
    }
    struct median ratio = median_of_ratios(over, under, 101), alone = median_of(over, 101);
    ck_assert_double_eq(ratio.value, 2);
    ck_assert_double_eq(median_width(&ratio), 0);
    ck_assert(median_width(&alone) > 0.4);
}
END_TEST

START_TEST(too_many_values_or_zeros_do_no_harm)
{
    static float values[2 * MEDIAN_MAX], zeros[2 * MEDIAN_MAX];
    for (int i = 0; i < 2 * MEDIAN_MAX; i++)
        values[i] = 3;
    struct median median = median_of(values, 2 * MEDIAN_MAX), none = median_of_ratios(values, zeros, 2 * MEDIAN_MAX);
    ck_assert_double_eq(median.value, 3);
    ck_assert_double_eq(none.value, 0);
    ck_assert_double_eq(median_width(&none), 1);
}
END_TEST

Suite *suite_median(void)
{
    Suite *suite = suite_create("median");
    TCase *tests = tcase_create("median");
    tcase_add_loop_test(tests, a_median_has_an_interval_of_ranks, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, a_ratio_does_not_see_what_slows_both);
    tcase_add_test(tests, too_many_values_or_zeros_do_no_harm);
    suite_add_tcase(suite, tests);
    return suite;
}
