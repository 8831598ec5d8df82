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

static bool meet_in_a_bank(uint64_t first, uint64_t second, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += BANK_BYTES) {
        for (uint32_t j = 0; j < bytes; j += BANK_BYTES) {
            if ((first + i) / BANK_BYTES % BANKS == (second + j) / BANK_BYTES % BANKS)
                return true;
        }
    }
    return false;
}

// No bank hands out two words in the pass that serves `lane`.
static bool pass_is_servable(const struct pattern *pattern, const uint32_t wavefront[WARP_LANES], uint32_t lane)
{
    const struct pattern_op *op = pattern->op;
    bool share = op->kind == BANK_LOAD || op->kind == BANK_STORE || op->kind == BANK_MATRIX;
    for (uint32_t other = 0; other < lane && op->kind != BANK_COPY_BYPASS; other++) {
        uint64_t a = pattern->offsets[lane], b = pattern->offsets[other];
        if (wavefront[lane] == wavefront[other] && !(share && a / 4 == b / 4) && meet_in_a_bank(a, b, op->bytes))
            return false;
    }
    return true;
}

static void check_schedule(const struct pattern *pattern)
{
    struct bank_access access = pattern_banks(pattern);
    struct bank_schedule schedule;
    uint32_t mask = access.mask, *wavefront = schedule.wavefront, count = 0;
    banks_schedule(&access, &schedule);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        bool active = mask >> lane & 1;
        bool right = active ? wavefront[lane] != UINT32_MAX && pass_is_servable(pattern, wavefront, lane)
                            : wavefront[lane] == UINT32_MAX;
        if (!right)
            ck_abort_msg("row %d (%s): lane %u in pass %u", pattern->line, pattern->label, lane, wavefront[lane]);
        if (active && wavefront[lane] >= count)
            count = wavefront[lane] + 1;
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
    struct bank_cost cost = banks_count(&(struct bank_access){.bytes = 16, .addresses = addresses});
    ck_assert_uint_eq(cost.wavefronts + cost.conflicts, 0);
    ck_assert_uint_eq(sectors_count(4, 0, addresses), 0);
}
END_TEST

START_TEST(copies_past_the_l1_show_no_conflicts)
{
    const uint64_t addresses[WARP_LANES] = {0};
    struct bank_cost cost = banks_count(
        &(struct bank_access){.kind = BANK_COPY_BYPASS, .bytes = 16, .mask = UINT32_MAX, .addresses = addresses});
    ck_assert_uint_eq(cost.wavefronts, 4);
    ck_assert_uint_eq(cost.conflicts, 0);
}
END_TEST

START_TEST(lanes_of_a_global_atomic_take_turns_at_a_word)
{
    enum { KNOWN = 4 }; // rows that have a sector or two more
    char line[512];
    int rows = 0, others = 0;
    FILE *file = fopen("tests/golden/h200_atomics.csv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        uint64_t addresses[WARP_LANES] = {0};
        uint32_t mask = 0, lane = 0;
        char *at = line;
        unsigned sectors = (unsigned)strtoul(strsep(&at, ","), NULL, 10);
        for (; sectors && at && lane < WARP_LANES; lane++) {
            const char *word = strsep(&at, " \n");
            mask |= (uint32_t)(*word != '-') << lane;
            addresses[lane] = 4 * strtoull(*word == '-' ? "0" : word, NULL, 10);
        }
        rows += sectors != 0;
        others += sectors && sectors_in_turns(mask, addresses) != sectors;
    }
    fclose(file);
    ck_assert_int_eq(rows, 175);
    ck_assert_int_eq(others, KNOWN);
}
END_TEST

START_TEST(copies_past_the_l1_ask_for_what_they_fill)
{
    char line[1024];
    int rows = 0, bypassing = 0;
    FILE *file = fopen("tests/golden/h200_copies.csv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        uint64_t places[2][WARP_LANES];
        char *at = line;
        const char *op = strsep(&at, ",");
        uint32_t bytes = (uint32_t)strtoul(op + strcspn(op, "0123456789"), NULL, 10);
        if (strncmp(op, "cpasync", 7) != 0)
            continue;
        uint32_t sectors = (uint32_t)strtoul(strsep(&at, ","), NULL, 10);
        for (int i = 0; i < 2 * WARP_LANES; i++)
            places[i / WARP_LANES][i % WARP_LANES] = strtoull(strsep(&at, ",\n"), NULL, 10);
        bool bypasses = strcmp(op, "cpasync16cg") == 0;
        uint32_t ours = bypasses ? sectors_bypassing(UINT32_MAX, places[0], places[1])
                                 : sectors_count(bytes, UINT32_MAX, places[0]);
        ck_assert_msg(ours == sectors, "row %d, %s: %u sectors, the H200 counts %u", rows, op, ours, sectors);
        rows++;
        bypassing += bypasses;
    }
    fclose(file);
    ck_assert_int_eq(rows, 268);
    ck_assert_int_eq(bypassing, 96);
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
    tcase_add_test(tests, lanes_of_a_global_atomic_take_turns_at_a_word);
    tcase_add_test(tests, copies_past_the_l1_ask_for_what_they_fill);
    tcase_add_test(tests, wide_accesses_touch_every_sector_they_reach);
    suite_add_tcase(suite, tests);
    return suite;
}
