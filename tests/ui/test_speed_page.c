// What the report's page says about speed: rates, bars, the ladder of published kernels.
#include <check.h>
#include <string.h>

#include "grade/report.h"
#include "ui/pane.h"

Suite *suite_speed_page(void);

static struct lesson *lesson;
static struct grade_report report;
static struct page page;

static void load(void)
{
    struct diagnostic diagnostic = {0};
    ck_assert_msg(!lesson_load("lessons/04-padding", NULL, &lesson, &diagnostic), "%s", diagnostic.message);
    report = (struct grade_report){.gpu = "NVIDIA H200", .device = "simulated (sm_90)"};
    page_init(&page, 100, false);
}

static void unload(void)
{
    page_free(&page);
    lesson_free(lesson);
}

static bool says(const char *words)
{
    return page_find(&page, words, 0, 1) >= 0;
}

// Columns of the bar in the line that has these words.
static int bar_of(const char *words)
{
    int line = page_find(&page, words, 0, 1), length = 0;
    ck_assert_msg(line >= 0, "no line with '%s'", words);
    for (size_t i = 0; i < page.lines[line].count; i++)
        length += page.lines[line].cells[i].glyph == 0x2588;
    return length;
}

START_TEST(measured_times_come_with_their_rate_and_their_gpu)
{
    // 8192 x 8192 floats in and out: 537 MB
    report.measured = (struct kernel_times){.kernel = 200, .naive = 1000, .solution = 150, .copy = 130};
    report_speed(&report, lesson, true, &page);
    ck_assert(says("Speed, measured on NVIDIA H200"));
    ck_assert(says("200.0 us    2684 GB/s"));
    ck_assert(says("1000.0 us     537 GB/s"));
    ck_assert(says("device copy"));
    ck_assert(!says("cuBLAS") && !says("modelled"));
    ck_assert_int_gt(bar_of("150.0 us"), bar_of("200.0 us")); // the longest bar is the fastest
    ck_assert_int_gt(bar_of("200.0 us"), bar_of("1000.0 us"));
}
END_TEST

START_TEST(the_ladder_has_the_learners_own_bar)
{
    report.measured.kernel = 200;
    report_speed(&report, lesson, true, &page);
    ck_assert(says("Published, each with its GPU"));
    ck_assert(says("750 GB/s  V100"));
    ck_assert(says("3593 GB/s  NVIDIA H200"));
    ck_assert(says("yours, measured here"));
    ck_assert(says("2684 GB/s  NVIDIA H200"));
    int yours = bar_of("yours, measured here");
    ck_assert_int_gt(yours, bar_of("750 GB/s  V100"));
    ck_assert_int_lt(yours, bar_of("3593 GB/s  NVIDIA H200"));
}
END_TEST

START_TEST(without_a_gpu_nobody_is_measured)
{
    report.gpu[0] = '\0';
    report.modelled.kernel = 200;
    report_speed(&report, lesson, true, &page);
    ck_assert(says("modelled"));
    ck_assert(says("750 GB/s  V100"));
    ck_assert(!says("measured"));
}
END_TEST

START_TEST(where_the_model_falls_short_stands_under_its_times)
{
    lesson_free(lesson);
    struct diagnostic diagnostic = {0};
    ck_assert_msg(!lesson_load("lessons/09-double-buffering", NULL, &lesson, &diagnostic), "%s", diagnostic.message);
    report.measured.kernel = 200;
    report_speed(&report, lesson, true, &page);
    ck_assert(!says("falls short"));
    report.modelled.kernel = 200;
    report_speed(&report, lesson, true, &page);
    ck_assert(says("The model falls short here"));
}
END_TEST

START_TEST(noise_is_shown_with_its_evidence)
{
    report.measured.kernel = 200;
    strcpy(report.evidence, "yours: median 200.0 us, 95 % interval 150.0 to 260.0 us after 40 runs");
    report_speed(&report, lesson, true, &page);
    ck_assert(says("95 % interval 150.0 to 260.0 us"));
}
END_TEST

Suite *suite_speed_page(void)
{
    Suite *suite = suite_create("speed_page");
    TCase *tests = tcase_create("speed page");
    tcase_add_checked_fixture(tests, load, unload);
    tcase_add_test(tests, measured_times_come_with_their_rate_and_their_gpu);
    tcase_add_test(tests, the_ladder_has_the_learners_own_bar);
    tcase_add_test(tests, without_a_gpu_nobody_is_measured);
    tcase_add_test(tests, where_the_model_falls_short_stands_under_its_times);
    tcase_add_test(tests, noise_is_shown_with_its_evidence);
    suite_add_tcase(suite, tests);
    return suite;
}
