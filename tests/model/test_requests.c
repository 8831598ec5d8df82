#include <check.h>

#include "../support/requests.h"

Suite *suite_requests(void);

static struct requests_row rows[REQUESTS_ROWS_MAX];

START_TEST(a_request_is_what_the_h200_counts_as_one)
{
    struct diagnostic diagnostic;
    struct counters ours;
    char text[512];
    ck_assert_msg(!requests_run(&rows[_i], &ours, &diagnostic), "%s: %s", rows[_i].kernel, diagnostic.message);
    ck_assert_msg(!*requests_compare(&rows[_i], &ours, text, sizeof text), "line %d (%s): %s", rows[_i].line,
                  rows[_i].kernel, text);
}
END_TEST

Suite *suite_requests(void)
{
    Suite *suite = suite_create("requests");
    TCase *tests = tcase_create("requests");
    int count = requests_read(requests_golden_path, rows);
    tcase_add_loop_test(tests, a_request_is_what_the_h200_counts_as_one, 0, count > 0 ? count : 1);
    suite_add_tcase(suite, tests);
    return suite;
}
