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

// Sizes and schedules add to one list: of lanes and warps that race at the same lines, the wider remedy stays.
START_TEST(a_race_of_warps_stands_for_that_of_lanes)
{
    const struct hazard lanes = {.kind = HAZARD_WARP_RACE, .file = "a.cu", .line = 27, .other_line = 42};
    const struct hazard warps = {.kind = HAZARD_RACE, .file = "a.cu", .line = 42, .other_line = 27};
    const struct hazard harmless = {.kind = HAZARD_RACE, .file = "a.cu", .line = 27, .other_line = 42, .benign = true};
    const struct hazard elsewhere = {.kind = HAZARD_RACE, .file = "a.cu", .line = 27, .other_line = 43};
    struct hazard_list list = {0};
    ck_assert(hazard_is_narrower(&lanes, &warps) && !hazard_is_narrower(&warps, &lanes));
    ck_assert(!hazard_is_narrower(&lanes, &harmless) && !hazard_is_narrower(&lanes, &elsewhere));
    hazard_list_add(&list, &lanes);
    hazard_list_add(&list, &elsewhere);
    ck_assert_uint_eq(list.count, 2);
    hazard_list_add(&list, &warps);
    hazard_list_add(&list, &lanes);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_int_eq(list.items[0].kind, HAZARD_RACE);
    hazard_list_free(&list);
}
END_TEST

Suite *suite_hazards(void)
{
    Suite *suite = suite_create("hazards");
    TCase *tests = tcase_create("hazards");
    tcase_add_loop_test(tests, page_describes_every_kind, 0, HAZARD_KIND_COUNT);
    tcase_add_test(tests, names_are_those_of_reports_and_rubrics);
    tcase_add_test(tests, a_race_of_warps_stands_for_that_of_lanes);
    suite_add_tcase(suite, tests);
    return suite;
}
