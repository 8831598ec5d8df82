#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/patterns.h"

Suite *suite_banks(void);

static struct pattern_list golden;

static void load(void)
{
    struct diagnostic diagnostic;
    enum status status = patterns_read("tests/golden/h200_patterns.csv", &golden, &diagnostic);
    ck_assert_msg(!status, "%s:%d: %s", diagnostic.file, diagnostic.line, status ? diagnostic.message : "");
}

static void unload(void)
{
    pattern_list_free(&golden);
}

static void check_column(const struct pattern *pattern, const char *column, uint32_t ours, uint32_t measured)
{
    if (measured != PATTERN_NONE)
        ck_assert_msg(ours == measured, "row %d (%s %s): %s %u, the H200 counts %u", pattern->line, pattern->label,
                      pattern->op->name, column, ours, measured);
}

START_TEST(every_golden_pattern_costs_what_the_h200_counts)
{
    const struct pattern_op *op = &pattern_ops[_i];
    for (size_t i = 0; i < golden.count; i++) {
        const struct pattern *pattern = &golden.items[i];
        if (pattern->op != op)
            continue;
        struct pattern_cost cost = patterns_evaluate(pattern);
        check_column(pattern, "wavefronts", cost.wavefronts, pattern->measured.wavefronts);
        check_column(pattern, "conflicts", cost.conflicts, pattern->measured.conflicts);
        check_column(pattern, "requests", cost.requests, pattern->measured.requests);
        check_column(pattern, "sectors", cost.sectors, pattern->measured.sectors);
    }
}
END_TEST

START_TEST(golden_file_has_all_its_rows_and_measures)
{
    size_t measured = 0;
    for (size_t i = 0; i < golden.count; i++) {
        const struct pattern *pattern = &golden.items[i];
        measured += pattern->op->global ? pattern->measured.sectors != PATTERN_NONE
                                        : pattern->measured.conflicts != PATTERN_NONE;
    }
    ck_assert_uint_eq(golden.count, 862);
    ck_assert_uint_eq(measured, 862);
}
END_TEST

// The passes of a schedule: no bank hands out two words in one of them, and there are as many as banks_count says.
static void check_schedule(const struct pattern *pattern)
{
    const struct pattern_op *op = pattern->op;
    uint32_t mask = op->rows ? UINT32_MAX >> (WARP_LANES - op->rows) : pattern->mask;
    uint32_t wavefront[WARP_LANES], count = 0;
    bool share = op->kind == BANK_LOAD || op->kind == BANK_STORE || op->kind == BANK_MATRIX;
    banks_schedule(op->kind, op->bytes, mask, pattern->offsets, wavefront);
    for (uint32_t a = 0; a < WARP_LANES; a++) {
        ck_assert_msg((wavefront[a] != UINT32_MAX) == (mask >> a & 1), "row %d: lane %u", pattern->line, a);
        if (!(mask >> a & 1))
            continue;
        count = wavefront[a] + 1 > count ? wavefront[a] + 1 : count;
        for (uint32_t b = 0; b < a && op->kind != BANK_COPY_BYPASS; b++) {
            uint64_t first = pattern->offsets[a], second = pattern->offsets[b];
            if (!(mask >> b & 1) || wavefront[a] != wavefront[b] || (share && first / 4 == second / 4))
                continue;
            for (uint32_t i = 0; i < op->bytes; i += 4)
                for (uint32_t j = 0; j < op->bytes; j += 4)
                    ck_assert_msg((first + i) / 4 % BANKS != (second + j) / 4 % BANKS,
                                  "row %d (%s): lanes %u and %u meet in a bank", pattern->line, pattern->label, a, b);
        }
    }
    ck_assert_msg(count == patterns_evaluate(pattern).wavefronts, "row %d (%s)", pattern->line, pattern->label);
}

START_TEST(schedule_of_every_golden_pattern_is_one_the_banks_can_serve)
{
    for (size_t i = 0; i < golden.count; i++) {
        if (!golden.items[i].op->global)
            check_schedule(&golden.items[i]);
    }
}
END_TEST

START_TEST(instruction_with_no_active_lane_costs_nothing)
{
    const uint64_t addresses[WARP_LANES] = {0};
    struct bank_cost cost = banks_count(BANK_LOAD, 16, 0, addresses, 0);
    ck_assert_uint_eq(cost.wavefronts + cost.conflicts, 0);
    ck_assert_uint_eq(sectors_count(4, 0, addresses), 0);
}
END_TEST

START_TEST(copies_past_the_l1_show_no_conflicts)
{
    const uint64_t addresses[WARP_LANES] = {0};
    struct bank_cost cost = banks_count(BANK_COPY_BYPASS, 16, UINT32_MAX, addresses, 0);
    ck_assert_uint_eq(cost.wavefronts, 4);
    ck_assert_uint_eq(cost.conflicts, 0);
}
END_TEST

START_TEST(wide_accesses_touch_every_sector_they_reach)
{
    uint64_t addresses[WARP_LANES] = {24};
    ck_assert_uint_eq(sectors_count(16, 1, addresses), 2);
}
END_TEST

Suite *suite_banks(void)
{
    Suite *suite = suite_create("banks");
    TCase *tests = tcase_create("banks");
    tcase_add_unchecked_fixture(tests, load, unload);
    tcase_add_loop_test(tests, every_golden_pattern_costs_what_the_h200_counts, 0, (int)pattern_op_count);
    tcase_add_test(tests, golden_file_has_all_its_rows_and_measures);
    tcase_add_test(tests, schedule_of_every_golden_pattern_is_one_the_banks_can_serve);
    tcase_add_test(tests, instruction_with_no_active_lane_costs_nothing);
    tcase_add_test(tests, copies_past_the_l1_show_no_conflicts);
    tcase_add_test(tests, wide_accesses_touch_every_sector_they_reach);
    suite_add_tcase(suite, tests);
    return suite;
}
