// Facts by name: every one has a unit, a meaning and a getter that stands a run of which nothing is known.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/documents.h"
#include "base/file.h"
#include "lesson/names.h"
#include "record/facts.h"

Suite *suite_facts(void);

static struct counter_table table;
static struct recording recording;

START_TEST(every_name_has_a_value)
{
    struct fact_names names = facts_names();
    struct observation nothing = {.bytes = NAN, .flop = NAN};
    struct observation something = {.counters = &table, .recording = &recording, .bytes = NAN, .flop = NAN};
    for (size_t i = 0; i < names.count; i++) {
        double value;
        ck_assert_msg(*names.items[i].unit && *names.items[i].meaning, "%s", names.items[i].name);
        ck_assert_msg(facts_value(&nothing, names.items[i].name, &value), "%s", names.items[i].name);
        ck_assert_msg(isnan(value) || value == 0, "%s is %g", names.items[i].name, value);
        ck_assert(facts_value(&something, names.items[i].name, &value));
    }
    double value;
    ck_assert(!facts_value(&nothing, "no_such_fact", &value));
    ck_assert(!facts_value(&nothing, "written_correct", &value));
}
END_TEST

static const struct {
    const char *name;
    double value;
} facts[] = {
    {"barriers", 7},
    {"written_barriers", 9},
    {"shared_bytes", 4128},
    {"block_threads", 256},
    {"blocks", 6},
    {"tile_y", 16},
    {"deadlock", 1},
    {"fault", 1},
    {"timeout", 0},
    {"hazards", 3},
    {"hazard_missing_wait", 3},
    {"hazard_race", 0},
    {"gbps", 4},
    {"copy_percent", 25},
    {"modelled_vs_naive", 3},
    {"vs_naive", 2.5},
    {"shared_copy_wavefronts_per_instruction", 4},
    {"global_read_sectors", 16 + 3},
    {"global_read_requests", 4 + 2},
    {"global_written_sectors", 32 + 3 + 5},
    {"global_written_requests", 1 + 2},
};

START_TEST(facts_come_from_what_was_observed)
{
    struct observation o = {.counters = &table,
                            .recording = &recording,
                            .launch = {.grid = {2, 3, 1}, .block = {32, 8, 1}, .static_shared = 4096, .dynamic_shared = 32, .tile = {32, 16}},
                            .endings = 1u << ending_of(STATUS_FAULT, SIM_FAULT_DEADLOCK),
                            .modelled = {.kernel = 2, .naive = 6},
                            .measured = {.kernel = 2},
                            .ratios = {.naive = 2.5, .copy = 0.5},
                            .bytes = 8000,
                            .copy_bytes = 16000};
    double value = NAN;
    o.hazards[HAZARD_ASYNC_NOT_WAITED] = 3;
    table.compiled.barriers = 7;
    table.written.barriers = 9;
    table.compiled.shared[COUNT_COPY] = (struct shared_counts){.instructions = 2, .wavefronts = 8};
    table.compiled.global[COUNT_LOAD] = (struct global_counts){.requests = 4, .sectors = 16};
    table.compiled.global[COUNT_STORE] = (struct global_counts){.requests = 1, .sectors = 32};
    table.compiled.bulk[COUNT_STORE] = (struct global_counts){.requests = 1, .sectors = 5};
    table.compiled.global[COUNT_ATOMIC] = (struct global_counts){.requests = 2, .sectors = 3};
    ck_assert(facts_value(&o, facts[_i].name, &value));
    ck_assert_msg(value == facts[_i].value, "%s is %g", facts[_i].name, value);
}
END_TEST

START_TEST(endings_have_their_diagnosis)
{
    ck_assert_str_eq(ending_diagnosis(ending_of(STATUS_FAULT, SIM_FAULT_BOUNDS)), "out-of-bounds");
    ck_assert_str_eq(ending_diagnosis(ending_of(STATUS_FAULT, SIM_FAULT_NONE)), "fault");
    ck_assert_str_eq(ending_diagnosis(ending_of(STATUS_TIMEOUT, SIM_FAULT_NONE)), "timeout");
    ck_assert_str_eq(ending_diagnosis(ending_of(STATUS_OK, SIM_FAULT_NONE)), "");
    ck_assert_str_eq(ending_diagnosis(ending_of(STATUS_ENVIRONMENT, SIM_FAULT_NONE)), "");
}
END_TEST

START_TEST(the_page_of_names_is_up_to_date)
{
    struct text page = {0};
    char *kept;
    size_t length;
    ck_assert_int_eq(file_read("docs/names.md", 1 << 20, &kept, &length, NULL), STATUS_OK);
    documents_names(&page);
    ck_assert_msg(strcmp(text_get(&page), kept) == 0, "docs/names.md is stale: run make docs");
    text_free(&page);
    free(kept);
}
END_TEST

Suite *suite_facts(void)
{
    Suite *suite = suite_create("facts");
    TCase *tests = tcase_create("facts");
    tcase_add_test(tests, every_name_has_a_value);
    tcase_add_loop_test(tests, facts_come_from_what_was_observed, 0, sizeof facts / sizeof *facts);
    tcase_add_test(tests, endings_have_their_diagnosis);
    tcase_add_test(tests, the_page_of_names_is_up_to_date);
    suite_add_tcase(suite, tests);
    return suite;
}
