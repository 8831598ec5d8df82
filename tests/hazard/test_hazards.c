#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hazard/hazard.h"

Suite *suite_hazards(void);

static const char *const rows[] = {
#define H(name, text, meaning, family, message) "| `" text "` | " meaning " |",
#include "hazard/hazards.def"
#undef H
};

START_TEST(page_describes_every_kind)
{
    char *page = NULL;
    size_t length = 0;
    struct diagnostic diagnostic;
    ck_assert_int_eq(file_read("docs/hazards.md", 1 << 20, &page, &length, &diagnostic), STATUS_OK);
    ck_assert_msg(strstr(page, rows[_i]) != NULL, "docs/hazards.md lacks: %s", rows[_i]);
    free(page);
}
END_TEST

START_TEST(names_are_those_of_reports_and_rubrics)
{
    ck_assert_str_eq(hazard_name(HAZARD_RACE), "race");
    ck_assert_str_eq(hazard_name(HAZARD_SHUFFLE_INACTIVE), "shuffle-inactive");
    ck_assert_str_eq(hazard_name(HAZARD_KIND_COUNT), "unknown");
}
END_TEST

Suite *suite_hazards(void)
{
    Suite *suite = suite_create("hazards");
    TCase *tests = tcase_create("hazards");
    tcase_add_loop_test(tests, page_describes_every_kind, 0, HAZARD_KIND_COUNT);
    tcase_add_test(tests, names_are_those_of_reports_and_rubrics);
    suite_add_tcase(suite, tests);
    return suite;
}
