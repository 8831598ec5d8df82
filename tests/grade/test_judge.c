#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "grade/judge.h"

Suite *suite_judge(void);

// A lesson with two sizes; each test bends the records of a perfect run.
static struct lesson_variable small_variables[] = {{"width", 70}}, large_variables[] = {{"width", 1024}};
static struct lesson_size sizes[] = {{.name = "odd", .variables = small_variables, .variable_count = 1},
                                     {.name = "large", .variables = large_variables, .variable_count = 1}};
static struct lesson_arg args[] = {
    {.name = "out", .type = PTX_F32, .role = LESSON_OUT, .shape = {"width"}, .shape_count = 1}};
static struct lesson_part part = {
    .kernel = "k", .reference = "none", .args = args, .arg_count = 1, .sizes = sizes, .size_count = 2, .speed_size = 1};
static struct lesson_gate gates[] = {
    {.id = "correct", .kind = LESSON_GATE_CORRECT, .points = 40},
    {.id = "hazards", .kind = LESSON_GATE_HAZARDS, .points = 10},
    {.id = "tile",
     .kind = LESSON_GATE_REQUIRE,
     .points = 10,
     .when = "shared_load_instructions > 0",
     .message = "Keep the tile."},
    {.id = "conflicts",
     .kind = LESSON_GATE_REQUIRE,
     .points = 40,
     .when = "shared_load_conflicts == 0",
     .full = "shared_bytes <= 4096",
     .message = "Conflicts remain.",
     .next = "Save the padding."},
    {.id = "speed",
     .kind = LESSON_GATE_SPEED,
     .points = 0,
     .gpu = "copy_percent >= 75",
     .full = "copy_percent >= 85",
     .sim = "modelled_vs_naive >= 4",
     .sim_full = "modelled_vs_naive >= 5",
     .next = "Faster."},
};
static struct lesson_diagnosis diagnoses[] = {
    {.id = "wide", .when = "correct && shared_load_conflicts > 0 && shared_bytes >= 8192", .message = "Too wide."},
    {.id = "only-odd",
     .when = "!size(\"odd\").correct && size(\"large\").correct && wrong_only_partial_tiles",
     .message = "Look at the edge."},
};
static struct lesson lesson = {.parts = &part,
                               .part_count = 1,
                               .gates = gates,
                               .gate_count = 5,
                               .diagnoses = diagnoses,
                               .diagnosis_count = 2,
                               .metric_bytes = "8 * width"};

static struct grade_size results[2];
static struct record record;
static struct judge_run runs[2];
static struct judge_facts facts;
static struct grade_report report;
static struct hazard hazards[2];

static void perfect(void)
{
    memset(results, 0, sizeof results);
    memset(&record, 0, sizeof record);
    memset(hazards, 0, sizeof hazards);
    for (size_t i = 0; i < 2; i++) {
        results[i] = (struct grade_size){.name = sizes[i].name,
                                         .ran = true,
                                         .correct = true,
                                         .launch.grid = {1, 1, 1},
                                         .launch.block = {32, 8, 1},
                                         .launch.static_shared = 4096,
                                         .launch.tile = {32, 32}};
        snprintf(results[i].shape, sizeof results[i].shape, "%d", (int)sizes[i].variables[0].value);
        results[i].mismatch.argument = "out";
        results[i].mismatch.total = 100;
        runs[i] = (struct judge_run){.part = &part, .size = &sizes[i], .result = &results[i], .record = &record};
    }
    snprintf(record.model_gpu, sizeof record.model_gpu, "H200");
    record.counters.compiled.shared[COUNT_LOAD].instructions = 32;
    record.counters.compiled.shared[COUNT_LOAD].wavefronts = 32;
    runs[1].modelled = (struct kernel_times){.kernel = 1, .naive = 6};
    facts = (struct judge_facts){.lesson = &lesson, .runs = runs, .run_count = 2};
    report = (struct grade_report){.arena = arena_new()};
}

static void done(void)
{
    arena_free(report.arena);
}

static void wrong(size_t index, uint64_t count)
{
    results[index].correct = false;
    results[index].mismatch.wrong = count;
    results[index].mismatch.rows = 1;
    results[index].mismatch.expected = 1;
}

static void hazard(size_t index, enum hazard_kind kind)
{
    hazards[index] = (struct hazard){.kind = kind, .line = 16, .other_line = 18, .message = "No barrier."};
    results[index].hazards = (struct hazard_list){.items = &hazards[index], .count = 1};
}

START_TEST(a_perfect_run_gets_full_marks)
{
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert(report.full);
    ck_assert_double_eq(report.score, 100);
    ck_assert_str_eq(report.diagnosis, "");
    for (size_t i = 0; i < report.gate_count; i++)
        ck_assert_msg(report.gates[i].passed && report.gates[i].full, "%s", report.gates[i].id);
}
END_TEST

START_TEST(a_missed_full_is_a_pass_with_a_but)
{
    results[1].launch.static_shared = 4224;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert(!report.full);
    ck_assert_double_eq(report.score, 80);
    ck_assert_str_eq(report.next, "Save the padding.");
}
END_TEST

// Whatever a name is called, only a bound that the size alone decides gets its value.
static const struct {
    const char *when, *asked;
} bounds[] = {
    {"shared_load_conflicts <= 1.05 * width / 8", "shared_load_conflicts <= %.9g (1.05 * width / 8)"},
    {"shared_load_conflicts == 0 && (shared_bytes > 1 || shared_bytes < width)",
     "shared_load_conflicts == 0 && (shared_bytes > 1 || shared_bytes < %.9g (width))"},
    {"shared_load_conflicts <= shared_bytes", "shared_load_conflicts <= shared_bytes"},
    {"!correct || shared_load_conflicts < 5", "!correct || shared_load_conflicts < 5"},
};

START_TEST(a_bound_of_the_size_is_asked_with_its_value)
{
    const char *kept = gates[3].when;
    double width, value;
    char asked[256];
    ck_assert(lesson_size_variable(&sizes[1], false, "width", &width));
    value = _i == 0 ? 1.05 * width / 8 : width;
    snprintf(asked, sizeof asked, bounds[_i].asked, value);
    gates[3].when = bounds[_i].when;
    judge(&facts, &report);
    gates[3].when = kept;
    ck_assert_str_eq(report.gates[3].asked, _i < 2 ? asked : bounds[_i].asked);
}
END_TEST

START_TEST(a_wrong_result_earns_nothing_for_its_counters)
{
    wrong(0, 7);
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
    ck_assert_str_eq(report.diagnosis, "wrong-results");
    ck_assert_double_eq(report.score, 0);
    ck_assert(report.gates[3].passed);
    ck_assert_ptr_nonnull(strstr(report.gates[3].got, "; holds, no points while results are wrong"));
    ck_assert_ptr_nonnull(strstr(report.next, "7 of 100 elements of out are wrong"));
    ck_assert_str_eq(report.gates[0].got, "1 of 2, first wrong at odd (70)");
}
END_TEST

// What the starter meets already is nobody's work; what it lacks is what comes next.
START_TEST(a_starter_is_not_started_and_earns_nothing)
{
    record.counters.compiled.shared[COUNT_LOAD].conflicts = 992;
    facts.is_starter = true;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_NOT_STARTED);
    ck_assert_int_eq(verdict_exit(report.verdict), 1);
    ck_assert_double_eq(report.score, 0);
    ck_assert_str_eq(report.diagnosis, "conflicts");
    ck_assert_str_eq(report.next, "Conflicts remain. This is still the starter.");
    for (size_t i = 0; i < report.gate_count; i++)
        ck_assert_double_eq(report.gates[i].earned, 0);
    ck_assert_ptr_nonnull(strstr(report.gates[0].got, "; holds in the starter already"));
}
END_TEST

// Somebody tried, so it is no longer "not started"; but there is nothing yet that earns points.
START_TEST(a_try_that_does_as_the_starter_fails_and_earns_nothing)
{
    record.counters.compiled.shared[COUNT_LOAD].conflicts = 992;
    facts.is_alike = _i == 0;
    facts.compiles_alike = _i == 1;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
    ck_assert_double_eq(report.score, 0);
    ck_assert_str_eq(report.diagnosis, "conflicts");
    ck_assert_ptr_nonnull(strstr(report.next, _i == 0 ? "This does what the starter does" : "This compiles to what"));
    ck_assert_ptr_nonnull(strstr(report.gates[0].got, "; holds in the starter already"));
}
END_TEST

START_TEST(the_machine_comes_before_the_starter)
{
    facts.is_starter = true;
    facts.stopped = STATUS_ENVIRONMENT;
    facts.stopped_diagnosis = "";
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_INFRASTRUCTURE);
}
END_TEST

START_TEST(the_lesson_names_its_own_reasons_first)
{
    wrong(0, 7);
    results[0].mismatch.partial_only = true;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "only-odd");
    ck_assert_str_eq(report.next, "Look at the edge.");
    record.counters.compiled.shared[COUNT_LOAD].conflicts = 992;
    results[0].correct = true;
    results[1].launch.static_shared = 8192;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "wide");
    ck_assert_str_eq(report.gates[3].got, "shared load conflicts 992");
}
END_TEST

START_TEST(a_failing_gate_names_itself)
{
    record.counters.compiled.shared[COUNT_LOAD].conflicts = 992;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
    ck_assert_str_eq(report.diagnosis, "conflicts");
    ck_assert_str_eq(report.next, "Conflicts remain.");
    ck_assert_double_eq(report.score, 60);
}
END_TEST

START_TEST(dropping_the_accesses_fails_the_guard)
{
    record.counters.compiled.shared[COUNT_LOAD].instructions = 0;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "tile");
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
}
END_TEST

START_TEST(a_race_is_the_reason_even_when_the_result_is_right)
{
    hazard(0, HAZARD_RACE);
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
    ck_assert_str_eq(report.diagnosis, "race");
    ck_assert_str_eq(report.next, "No barrier.");
    ck_assert_str_eq(report.gates[1].got, "1, first: race, lines 16 and 18");
}
END_TEST

START_TEST(a_hazard_of_a_right_kernel_comes_before_what_is_slow_about_it)
{
    record.counters.compiled.shared[COUNT_LOAD].conflicts = 992;
    results[1].launch.static_shared = 8192;
    hazard(0, HAZARD_RACE);
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "race");
    struct lesson_diagnosis named = {.id = "no-barrier", .when = "correct && hazard_race > 0", .message = "Wait."};
    struct lesson_diagnosis both[] = {diagnoses[0], named};
    struct lesson naming = lesson;
    naming.diagnoses = both;
    facts.lesson = &naming;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "no-barrier");
    hazards[0].benign = true;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "wide");
}
END_TEST

START_TEST(a_race_comes_before_the_wrong_result_that_it_makes)
{
    hazard(1, HAZARD_ASYNC_NOT_WAITED);
    wrong(1, 3);
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "missing-wait");
}
END_TEST

START_TEST(a_benign_hazard_is_told_and_not_graded)
{
    hazard(0, HAZARD_RACE);
    hazards[0].benign = true;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert(report.full);
}
END_TEST

static const struct {
    enum status status;
    enum sim_fault_kind fault;
    const char *message, *diagnosis;
    enum verdict verdict;
} endings[] = {
    {STATUS_FAULT, SIM_FAULT_BOUNDS,
     "block (1,0,0) thread (31,7,0) reads 4 bytes, 128 bytes past the end of `in`, line 12", "out-of-bounds",
     VERDICT_FAIL},
    {STATUS_FAULT, SIM_FAULT_MISALIGNED, "reads 8 bytes at a misaligned address", "misaligned", VERDICT_FAIL},
    {STATUS_FAULT, SIM_FAULT_DEADLOCK, "waits for ever", "deadlock", VERDICT_FAIL},
    {STATUS_FAULT, SIM_FAULT_TRAP, "executes trap", "trap", VERDICT_FAIL},
    {STATUS_FAULT, SIM_FAULT_ARRIVAL, "arrives at an mbarrier that expects no more", "unexpected-arrival",
     VERDICT_FAIL},
    {STATUS_FAULT, SIM_FAULT_OTHER, "past the end of patience", "fault", VERDICT_FAIL},
    {STATUS_TIMEOUT, SIM_FAULT_NONE, "it spins at line 3", "timeout", VERDICT_TIMEOUT},
    {STATUS_LAUNCH, SIM_FAULT_NONE, "too many threads (cudaErrorInvalidConfiguration)", "launch-error",
     VERDICT_LAUNCH_ERROR},
    {STATUS_UNSUPPORTED, SIM_FAULT_NONE, "wgmma needs a GPU", "unsupported", VERDICT_LAUNCH_ERROR},
    {STATUS_ENVIRONMENT, SIM_FAULT_NONE, "no memory is left", "", VERDICT_INFRASTRUCTURE},
};

START_TEST(an_ending_gets_its_verdict_and_diagnosis)
{
    results[0].status = endings[_i].status;
    results[0].fault = endings[_i].fault;
    diagnostic_set(&results[0].diagnostic, endings[_i].status, "%s", endings[_i].message);
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, endings[_i].verdict);
    ck_assert_str_eq(report.diagnosis, endings[_i].diagnosis);
    ck_assert_str_eq(report.next, endings[_i].message);
    ck_assert(!report.gates[0].passed);
    ck_assert_double_eq(report.score, 0);
}
END_TEST

// A loop without an end has no result: a diagnosis of what is wrong with results is not for it, one of how it ended is.
START_TEST(a_run_that_was_cut_short_is_not_told_what_is_wrong_with_its_result)
{
    struct lesson_diagnosis both[] = {
        {.id = "off-by-one", .when = "!size(\"odd\").correct", .message = "Count from 0."},
        {.id = "hangs", .when = "size(\"odd\").timeout", .message = "Who waits?"}};
    struct lesson own = lesson;
    own.diagnoses = both;
    own.diagnosis_count = 1;
    facts.lesson = &own;
    results[0].correct = false;
    results[0].status = STATUS_TIMEOUT;
    diagnostic_set(&results[0].diagnostic, STATUS_TIMEOUT, "it spins at line 3");
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "timeout");
    ck_assert_str_eq(report.next, "it spins at line 3");
    own.diagnosis_count = 2;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "hangs");
    results[0].status = STATUS_FAULT;
    results[0].fault = SIM_FAULT_BOUNDS; // the guard that is missing may be what the diagnosis is about
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "off-by-one");
}
END_TEST

// That there was no hazard, no fault, and that another size ended well, says nothing of what stopped this one.
START_TEST(what_did_not_happen_is_no_reason_for_a_run_that_was_cut_short)
{
    static const char *const theories[] = {"!size(\"odd\").correct && hazards == 0", "!correct && !fault",
                                           "!correct && size(\"large\").finished",
                                           "!correct && size(\"odd\").hazard_race == 0 && !deadlock"};
    struct lesson_diagnosis one[] = {{.id = "off-by-one", .when = theories[_i], .message = "Count from 0."}};
    struct lesson own = lesson;
    own.diagnoses = one;
    own.diagnosis_count = 1;
    facts.lesson = &own;
    results[0].correct = false;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "off-by-one");
    results[0].status = STATUS_TIMEOUT;
    diagnostic_set(&results[0].diagnostic, STATUS_TIMEOUT, "it spins at line 3");
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "timeout");
    one[0].when = "hazard_race > 0";
    hazard(0, HAZARD_RACE);
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "off-by-one");
}
END_TEST

// A missing guard, a tile that is too small, a store without one: the lesson can tell which.
START_TEST(what_an_access_out_of_bounds_was_is_told_apart)
{
    struct lesson_diagnosis three[] = {{.id = "tile", .when = "out_of_shared"},
                                       {.id = "store", .when = "stored_out_of_bounds"},
                                       {.id = "load", .when = "out_of_bounds"}};
    struct lesson own = lesson;
    own.diagnoses = three;
    own.diagnosis_count = 3;
    facts.lesson = &own;
    static const char *const told[] = {"load", "store", "tile", "tile"};
    results[0].correct = false;
    results[0].status = STATUS_FAULT;
    results[0].fault = SIM_FAULT_BOUNDS;
    results[0].at_shared = _i & 2;
    results[0].at_store = _i & 1;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, told[_i]);
}
END_TEST

START_TEST(a_race_of_updates_is_told_from_a_missing_barrier)
{
    struct lesson_diagnosis two[] = {{.id = "atomic", .when = "racing_updates > 0"},
                                     {.id = "barrier", .when = "hazard_race > 0"}};
    struct lesson own = lesson;
    own.diagnoses = two;
    facts.lesson = &own;
    hazard(0, HAZARD_RACE);
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "barrier");
    hazards[0].is_update = true;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "atomic");
}
END_TEST

// A theory of wrong values has nothing to say where a barrier is skipped, or two threads store to one place.
START_TEST(some_hazards_outrank_theories)
{
    static const enum hazard_kind kinds[] = {HAZARD_BARRIER_UNEVEN, HAZARD_BLOCK_RACE, HAZARD_BYTES_LATE};
    struct lesson_diagnosis two[] = {{.id = "theory", .when = "!correct"}, {.id = "asked", .when = "hazards > 0"}};
    struct lesson own = lesson;
    own.diagnoses = two;
    own.diagnosis_count = 1;
    facts.lesson = &own;
    results[0].correct = false;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, "theory");
    hazard(0, kinds[_i]);
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, hazard_name(kinds[_i]));
    own.diagnosis_count = 2;
    judge(&facts, &report);
    ck_assert_str_eq(report.diagnosis, kinds[_i] == HAZARD_BARRIER_UNEVEN ? "uneven-barrier" : "asked");
}
END_TEST

// An unrolled loop has many accesses on its line: together they count for more than one that is larger than each.
START_TEST(the_place_of_a_sum_is_the_line_with_most_of_it)
{
    struct counter_line lines[] = {
        {.pc = 1, .line = 5, .space = PTX_SHARED, .op = "store", .wavefronts = 10},
        {.pc = 2, .line = 7, .space = PTX_SHARED, .op = "store", .wavefronts = 6},
        {.pc = 3, .line = 7, .space = PTX_SHARED, .op = "load", .wavefronts = 4},
        {.pc = 4, .line = 7, .space = PTX_SHARED, .op = "store", .wavefronts = 7},
    };
    static const struct {
        const char *name, *fact;
        uint32_t pc;
    } asked[] = {{"shared_store_wavefronts", "wavefronts", 4},
                 {"shared_load_wavefronts", "wavefronts", 3},
                 {"shared_wavefronts", "wavefronts", 4},
                 {"shared_bytes", "shared_bytes", 1},
                 {"barriers", "barriers", 1}};
    record.counters.lines = lines;
    record.counters.count = 4;
    const struct judge_scope scope = {.facts = &facts};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const struct expression_reference reference = {.name = asked[i].name};
        struct judge_place place = {0};
        judge_find_place(&scope, &reference, &place);
        ck_assert_str_eq(place.fact, asked[i].fact);
        ck_assert_uint_eq(place.pc, asked[i].pc);
    }
}
END_TEST

START_TEST(counters_of_a_run_that_did_not_end_satisfy_nothing)
{
    results[1].status = STATUS_FAULT;
    judge(&facts, &report);
    ck_assert(!report.gates[3].passed);
    ck_assert_str_eq(report.gates[3].got, "shared load conflicts not known");
}
END_TEST

START_TEST(what_stops_before_a_run_is_the_verdict)
{
    facts.run_count = 0;
    facts.stopped = STATUS_COMPILE;
    facts.stopped_diagnosis = "compile-error";
    diagnostic_set(&facts.why, STATUS_COMPILE, "expected ';'");
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_COMPILE_ERROR);
    ck_assert_str_eq(report.diagnosis, "compile-error");
    for (size_t i = 0; i < report.gate_count; i++) // nothing is said of a kernel that never ran
        ck_assert_msg(!report.gates[i].message, "%s: %s", report.gates[i].id, report.gates[i].message);
    ck_assert_str_eq(report.next, "expected ';'");
    ck_assert_double_eq(report.score, 0);
}
END_TEST

static const struct {
    const char *condition, *words;
} spoken[] = {
    {"modelled_vs_naive >= 2.4 || modelled_vs_solution >= 0.65",
     "modelled at least 2.4 times as fast as the naive kernel, or at least 65 % of the solution's modelled speed"},
    {"shared_load_wavefronts * 32 <= 650 && (modelled_vs_naive >= 0.5 || modelled_vs_solution >= 0.5)",
     "at most 20 shared load wavefronts, and either modelled at least 0.5 times as fast as the naive kernel or at "
     "least "
     "50 % of the solution's modelled speed"},
    {"(modelled_vs_naive >= 2) && shared_bytes <= 4096.5 && shared_bytes >= 7.5",
     "modelled at least 2 times as fast as the naive kernel, at most 4096 shared bytes, and at least 8 shared bytes"},
    {"warp_balance >= 0.35 && shared_bytes <= 0.5", "at least 0.35 warp balance, and at most 0.5 shared bytes"},
    {"modelled_vs_naive > 2", ""}, // what is not of that shape stays an expression
    {"ceil(modelled_vs_naive) >= 2", ""},
    {"shared_bytes / 2 <= 4", ""},
    {"!race", ""},
};

START_TEST(a_bound_on_speed_is_told_in_words)
{
    const struct lesson_gate gate = gates[4];
    gates[4].sim = gates[4].sim_full = spoken[_i].condition;
    judge(&facts, &report);
    ck_assert_str_eq(report.gates[4].words, spoken[_i].words);
    gates[4] = gate;
}
END_TEST

START_TEST(speed_is_judged_by_what_there_is)
{
    runs[1].modelled.naive = 4.5; // enough to pass, not for full marks
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert(!report.full);
    ck_assert_str_eq(report.next, "Faster.");
    ck_assert_str_eq(report.gates[4].got, "4.5 times as fast as the naive kernel; modelled (H200)");
    runs[1].modelled.naive = 3;
    judge(&facts, &report);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
    ck_assert_str_eq(report.diagnosis, "speed");
    ck_assert_str_eq(report.gates[4].message, "Faster.");
    gates[4].message = "Slow."; // what helps a kernel that fails may be another thing
    judge(&facts, &report);
    gates[4].message = NULL;
    ck_assert_str_eq(report.gates[4].message, "Slow.");
    runs[1].modelled.naive = 0; // no model: cannot be judged, costs nothing
    judge(&facts, &report);
    ck_assert(report.gates[4].skipped);
    ck_assert_int_eq(report.verdict, VERDICT_PASS);
    ck_assert(report.full);
    facts.has_gpu = true;
    runs[1].measured = (struct kernel_times){.kernel = 100, .copy = 80};
    runs[1].ratios = (struct kernel_times){.kernel = 1, .copy = 0.8};
    runs[1].copy_bytes = 8 * 1024; // 80 %
    judge(&facts, &report);
    ck_assert_str_eq(report.gates[4].got, "80 % of a device copy's bandwidth");
    ck_assert(report.gates[4].passed && !report.gates[4].full);
}
END_TEST

// What is not known is the best there can be; what is known is not excused by it.
START_TEST(counters_are_judged_without_a_prediction_too)
{
    const char *sim = gates[4].sim, *sim_full = gates[4].sim_full;
    runs[1].modelled = (struct kernel_times){0};
    gates[4].sim = "shared_load_wavefronts <= 40 && modelled_vs_naive >= 4";
    gates[4].sim_full = "shared_load_wavefronts <= 20 && modelled_vs_naive >= 5";
    judge(&facts, &report);
    ck_assert(report.gates[4].skipped);
    record.counters.compiled.shared[COUNT_LOAD].wavefronts = 41;
    judge(&facts, &report);
    ck_assert(!report.gates[4].skipped && !report.gates[4].passed);
    runs[1].modelled = (struct kernel_times){.kernel = 1, .naive = 6};
    record.counters.compiled.shared[COUNT_LOAD].wavefronts = 30;
    judge(&facts, &report);
    ck_assert(report.gates[4].passed && !report.gates[4].full);
    gates[4].sim = sim;
    gates[4].sim_full = sim_full;
}
END_TEST

// 1024 elements are counted; blocks of 1024 ran where 8192 are modelled. Every load is 1 wavefront of 32 but for
// `more`.
static const struct {
    const char *when;
    uint64_t blocks, more;
    bool passes;
    double share; // of the output that these blocks wrote; 0: not known
} again[] = {
    {"shared_load_conflicts == 0", 3, 0, true, 0},
    {"shared_load_conflicts == 0", 3, 1, false, 0},
    {"shared_load_conflicts == 0", 0, 1, true, 0}, // none ran: nothing is known
    {"shared_load_wavefronts <= width / 32", 3, 0, true, 0},
    {"shared_load_wavefronts <= width / 32", 3, 6, false, 0},
    {"shared_load_wavefronts <= width / 32", 3, 0, true, 0},
    {"written_shared_load_wavefronts <= width / 32", 3, 1, true, 0},
    {"shared_load_wavefronts == 32", 3, 0, true, 0}, // an exact number, and a place: of the counted size alone
    {"shared_load_wavefronts <= size(\"large\").width / 32", 3, 0, true, 0},
    {"blocks * 1024 >= width", 3, 0, true, 0},
    // by their number 256 in all, by what they wrote 192: a demand is held against the guess that is kinder to it
    {"shared_load_wavefronts >= width / 32", 3, 0, true, 0.5},
    {"shared_load_wavefronts <= 9.6 + 0.7635 * width / 32", 3, 0, true, 0.5},
    {"shared_load_wavefronts >= width / 32 && shared_load_wavefronts <= 9.6 + 0.7635 * width / 32", 3, 0, true, 0.5},
    {"shared_load_wavefronts >= 1.11875 * width / 32 - 4.8", 3, 0, false, 0.5},
    {"shared_load_wavefronts <= 12.2 + 0.65 * width / 32", 3, 0, false, 0.5},
};

START_TEST(gates_hold_where_the_time_is_modelled_too)
{
    static struct lesson_variable wide[] = {{"width", 8192}};
    static const struct lesson_size modelled = {.name = "large",
                                                .variables = large_variables,
                                                .variable_count = 1,
                                                .gpu_variables = wide,
                                                .gpu_variable_count = 1};
    const char *when = gates[3].when;
    gates[3].when = again[_i].when;
    runs[1].modelled_size = &modelled;
    snprintf(runs[1].modelled_shape, sizeof runs[1].modelled_shape, "8192");
    record.probed = (struct probed){.shape = results[1].launch, .blocks = again[_i].blocks, .share = again[_i].share};
    record.probed.shape.grid[0] = 8;
    record.probed.compiled.shared[COUNT_LOAD] =
        (struct shared_counts){32 * again[_i].blocks, 32 * again[_i].blocks + again[_i].more, again[_i].more};
    record.counters.written = record.counters.compiled;
    judge(&facts, &report);
    ck_assert_msg(report.gates[3].passed == again[_i].passes, "%s: %s", again[_i].when, report.gates[3].got);
    if (!again[_i].passes) {
        ck_assert_int_eq(report.verdict, VERDICT_FAIL);
        ck_assert_str_eq(report.diagnosis, "conflicts");
        ck_assert_str_eq(report.next,
                         "Conflicts remain. It holds at size large (1024), but not at 8192, the size whose "
                         "time is modelled.");
    }
    gates[3].when = when;
}
END_TEST

// Block 0 as a row of accesses: c copy, j copy that nobody reads, l load, with the warp, `:` before which access it
// lands, `|` the barriers before it.
static const struct {
    const char *what, *accesses;
    double barriers; // -1: not known
} arrivals[] = {
    {"no copies", "l0|1", -1},
    {"never waited for", "c0:9|0 l0|1", -1},
    {"one place: two barriers a step", "c0:1|0 l0|1 c0:3|2 l0|3 c0:5|4 l0|5 c0:7|6 l0|7", 1.75},
    {"two places: one a step", "c0:1|0 l0|1 c0:3|1 l0|2 c0:5|2 l0|3 c0:9|3", 1},
    {"two copies a step", "c0:2|0 c0:2|0 l0|1 c0:5|1 c0:5|1 l0|2", 1},
    {"two warps", "c0:2|0 c1:2|0 l0|1 l1|1 c0:6|1 c1:6|1 l0|2 l1|2", 1},
    {"junk that nobody reads", "c0:1|0 l0|1 j0:4|1 l0|1 c0:5|2 l0|3 j0:8|3 l0|3", 1.5},
    {"a warp that copies nothing", "c0:1|0 l1|1 c0:3|1 l1|2", 1},
};

START_TEST(barriers_of_a_step_are_counted)
{
    struct recorded_access items[8] = {{0}};
    size_t count = 0;
    for (const char *at = arrivals[_i].accesses; *at; at++) {
        if (*at < 'a' || *at == '|')
            continue;
        struct recorded_access *item = &items[count++];
        item->space = PTX_SHARED;
        item->kind = *at == 'l' ? SIM_LOAD : SIM_ASYNC_COPY;
        item->warp = (uint32_t)(at[1] - '0');
        item->mask = 1;
        item->bytes = *at == 'c' ? 4 : 8;
        item->addresses[0] = *at == 'j' ? 64 : *at == 'c' ? 4 * item->warp : 0;
        item->lands = at[2] != ':' ? 0 : at[3] == '9' ? UINT32_MAX : (uint32_t)(at[3] - '0');
        item->phase = (uint32_t)(strchr(at, '|')[1] - '0');
    }
    record.recording.items = items;
    record.recording.count = count;
    struct judge_scope scope = {.facts = &facts};
    double value;
    ck_assert_int_eq(expression_value("barriers_per_arrival", judge_lookup, &scope, &value, NULL), STATUS_OK);
    if (arrivals[_i].barriers < 0)
        ck_assert_msg(value != value, "%s: %g", arrivals[_i].what, value);
    else
        ck_assert_msg(value == arrivals[_i].barriers, "%s: %g", arrivals[_i].what, value);
}
END_TEST

static const struct {
    const char *expression;
    double value;
} values[] = {
    {"width", 1024},
    {"size(\"odd\").width", 70},
    {"block_threads", 256},
    {"shared_bytes", 4096},
    {"correct", 1},
    {"size(\"odd\").correct", 1},
    {"finished", 1},
    {"hazards", 0},
    {"shared_load_wavefronts_per_instruction", 1},
    {"global_load_sectors_per_request <= 4", 0},
    {"tile_x * tile_y", 1024},
    {"timeout", 0},
    {"modelled_us", 1},
    {"quiz(1) == 1", 0},
    {"line(marker:read).wavefronts", 33},
    {"line(3).instructions", 5},
    {"line(marker:nobody).wavefronts == 0", 0},
    {"bank(marker:read, lane 7)", 7},
    {"word(marker:read, lane 7)", 231},
    {"address(marker:read, lane 7)", 924},
    {"bank(marker:read, lane 7, instance 1)", 0},
    {"bank(marker:read, lane 31) >= 0", 0},
    {"active(marker:read, lane 31)", 0},
    {"lanes(marker:read)", 31},
    {"wavefront(marker:read, lane 0)", 0},
    {"bank(marker:read, lane 7, instance 2) >= 0", 0},
};

START_TEST(looks_values_up)
{
    static struct recorded_access accesses[2];
    static struct counter_line lines[] = {
        {.pc = 9, .file = "k.cu", .line = 3, .instructions = 5, .wavefronts = 33},
        {.pc = 9, .file = "other.h", .line = 3, .instructions = 100, .wavefronts = 100}};
    struct judge_scope scope = {&facts, NULL, NULL, NULL};
    struct diagnostic diagnostic = {0};
    double value = -1;
    for (uint32_t lane = 0; lane < 32; lane++)
        accesses[0].addresses[lane] = 4 * 33 * lane;
    accesses[0].pc = accesses[1].pc = 9;
    accesses[0].bytes = accesses[1].bytes = 4;
    accesses[0].mask = accesses[1].mask = 0x7fffffff;
    accesses[0].space = accesses[1].space = PTX_SHARED;
    record.recording.items = accesses;
    record.recording.count = 2;
    record.counters.lines = lines;
    record.counters.count = 2;
    facts.source = "__global__\n// comment\nx = tile[i]; // @read\n// @reader\n";
    facts.main_file = "/somewhere/k.cu";
    ck_assert_msg(expression_value(values[_i].expression, judge_lookup, &scope, &value, &diagnostic) == STATUS_OK,
                  "%s: %s", values[_i].expression, diagnostic.message);
    ck_assert_msg(value == values[_i].value, "%s is %g", values[_i].expression, value);
}
END_TEST

START_TEST(a_gate_of_one_part_looks_at_that_part)
{
    static struct lesson_part parts[2];
    static struct lesson_gate part_gates[] = {{.id = "a", .kind = LESSON_GATE_CORRECT, .points = 50, .part = "first"},
                                              {.id = "b", .kind = LESSON_GATE_CORRECT, .points = 50, .part = "second"}};
    struct lesson two = {.parts = parts, .part_count = 2, .gates = part_gates, .gate_count = 2};
    parts[0] = parts[1] = part;
    parts[0].name = "first";
    parts[1].name = "second";
    runs[0].part = &parts[0];
    runs[1].part = &parts[1];
    facts.lesson = &two;
    wrong(1, 1);
    judge(&facts, &report);
    ck_assert_double_eq(report.score, 50);
    ck_assert(report.gates[0].passed);
    ck_assert(!report.gates[1].passed);
    ck_assert_int_eq(report.verdict, VERDICT_FAIL);
}
END_TEST

Suite *suite_judge(void)
{
    Suite *suite = suite_create("judge");
    TCase *tests = tcase_create("judge");
    tcase_add_checked_fixture(tests, perfect, done);
    tcase_add_test(tests, a_perfect_run_gets_full_marks);
    tcase_add_test(tests, a_missed_full_is_a_pass_with_a_but);
    tcase_add_loop_test(tests, a_bound_of_the_size_is_asked_with_its_value, 0, sizeof bounds / sizeof *bounds);
    tcase_add_test(tests, a_wrong_result_earns_nothing_for_its_counters);
    tcase_add_test(tests, a_starter_is_not_started_and_earns_nothing);
    tcase_add_loop_test(tests, a_try_that_does_as_the_starter_fails_and_earns_nothing, 0, 2);
    tcase_add_test(tests, the_machine_comes_before_the_starter);
    tcase_add_test(tests, the_lesson_names_its_own_reasons_first);
    tcase_add_test(tests, a_failing_gate_names_itself);
    tcase_add_test(tests, dropping_the_accesses_fails_the_guard);
    tcase_add_test(tests, a_race_is_the_reason_even_when_the_result_is_right);
    tcase_add_test(tests, a_hazard_of_a_right_kernel_comes_before_what_is_slow_about_it);
    tcase_add_test(tests, a_race_comes_before_the_wrong_result_that_it_makes);
    tcase_add_test(tests, a_benign_hazard_is_told_and_not_graded);
    tcase_add_loop_test(tests, an_ending_gets_its_verdict_and_diagnosis, 0, sizeof endings / sizeof *endings);
    tcase_add_test(tests, a_run_that_was_cut_short_is_not_told_what_is_wrong_with_its_result);
    tcase_add_loop_test(tests, what_did_not_happen_is_no_reason_for_a_run_that_was_cut_short, 0, 4);
    tcase_add_loop_test(tests, what_an_access_out_of_bounds_was_is_told_apart, 0, 4);
    tcase_add_test(tests, a_race_of_updates_is_told_from_a_missing_barrier);
    tcase_add_loop_test(tests, some_hazards_outrank_theories, 0, 3);
    tcase_add_test(tests, the_place_of_a_sum_is_the_line_with_most_of_it);
    tcase_add_test(tests, counters_of_a_run_that_did_not_end_satisfy_nothing);
    tcase_add_test(tests, what_stops_before_a_run_is_the_verdict);
    tcase_add_test(tests, speed_is_judged_by_what_there_is);
    tcase_add_loop_test(tests, a_bound_on_speed_is_told_in_words, 0, (int)(sizeof spoken / sizeof *spoken));
    tcase_add_test(tests, counters_are_judged_without_a_prediction_too);
    tcase_add_loop_test(tests, gates_hold_where_the_time_is_modelled_too, 0, sizeof again / sizeof *again);
    tcase_add_loop_test(tests, barriers_of_a_step_are_counted, 0, sizeof arrivals / sizeof *arrivals);
    tcase_add_loop_test(tests, looks_values_up, 0, sizeof values / sizeof *values);
    tcase_add_test(tests, a_gate_of_one_part_looks_at_that_part);
    suite_add_tcase(suite, tests);
    return suite;
}
