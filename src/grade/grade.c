// One grading from the compiler to the report.
#include "grade/grade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "grade/elsewhere.h"
#include "grade/judge.h"
#include "grade/modelling.h"
#include "grade/report.h"
#include "grade/run.h"
#include "grade/speed.h"

// Below this many elements a size runs under all three schedules.
enum { SMALL_ELEMENTS = 32768 };

static const double job_seconds = GRADE_JOB_SECONDS;

struct grader {
    const struct lesson *lesson;
    const struct grade_options *options;
    grade_progress *progress;
    void *context;
    double start;
    struct clock_limit limit; // of the learner's runs; the runner's may be shorter
    struct runner runner;
    struct unit unit;
    struct text output;
    struct grade_report *report;
    size_t run_count;
    struct judge_run *runs; // each with its record and data
    struct record *records;
    struct dataset *data;
    struct judge_facts facts;
    struct modelling *modelling; // NULL: nothing is modelled
    struct modelled_size modelled_size;
    // Sizes of the first part, besides its own, that ran; with room for those of which only blocks do.
    struct lesson_other_size seen[ELSEWHERE_MOST + 2];
    size_t seen_count;
};

static void tell_phase(const struct grader *grader, enum grade_phase phase, const char *detail)
{
    if (grader->progress)
        grader->progress(grader->context, phase, detail, clock_seconds() - grader->start);
}

uint64_t grade_fresh_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint64_t)(clock_seconds() * 1e9);
    return seed % 1000000000 + 1;
}

// ---- compile

static void stop_grading(struct grader *grader, enum status status, const char *diagnosis, const struct diagnostic *why)
{
    grader->facts.stopped = status;
    grader->facts.stopped_diagnosis = diagnosis;
    grader->facts.why = *why;
}

static void compile_exercise(struct grader *grader)
{
    const char *path = grader->options->source ? grader->options->source : grader->lesson->exercise, *diagnosis;
    struct grade_report *report = grader->report;
    struct diagnostic why = {0};
    char name[256];
    tell_phase(grader, GRADE_COMPILING, unit_display(path, name, sizeof name));
    enum status status = unit_make(&grader->unit, path, &grader->runner.toolchain, &diagnosis, &why);
    const struct compile_result *compiled = &grader->unit.compiled;
    snprintf(report->compiler, sizeof report->compiler, "%s",
             compiled->compiler[0] ? compiled->compiler : grader->runner.toolchain.label);
    report->compile_seconds = compiled->seconds;
    report->from_cache = compiled->from_cache;
    for (size_t i = 0; i < compiled->diagnostics.count; i++) {
        diagnostic_add(&report->messages, &compiled->diagnostics.items[i]);
        if (grader->options->message)
            grader->options->message(grader->options->message_context, &compiled->diagnostics.items[i]);
    }
    if (compiled->source) {
        report->source = arena_strdup(report->arena, compiled->source);
        grader->facts.source = report->source;
        // What runs in place of the source is looked at for what it does, whatever the source.
        enum status known = grader->options->ptx
                                ? STATUS_OK
                                : lesson_is_starter(grader->lesson, report->source, &grader->facts.is_starter, &why);
        if (known) {
            status = known;
            diagnosis = "";
        }
    }
    grader->facts.main_file = arena_strdup(report->arena, grader->unit.display);
    if (!status && grader->options->ptx) {
        diagnosis = "unsupported";
        status = unit_replace(&grader->unit, grader->options->ptx, &why);
    }
    if (!status)
        return;
    stop_grading(grader, status, diagnosis, &why);
    if (report->messages.count == 0)
        diagnostic_add(&report->messages, &why);
}

// ---- run

static double size_elements(const struct lesson_part *part, const struct lesson_size *size)
{
    double sum = 0;
    for (size_t i = 0; i < part->arg_count; i++) {
        double count = lesson_is_buffer(&part->args[i]);
        for (size_t j = 0; j < part->args[i].shape_count; j++)
            count *= lesson_value(size, false, part->args[i].shape[j]);
        sum += count;
    }
    return sum;
}

// The place of a size in the order of running: the smallest first, since a mistake shows soonest there.
static size_t size_rank(const struct lesson_part *part, const struct lesson_size *size)
{
    double elements = size_elements(part, size);
    size_t rank = 0;
    for (const struct lesson_size *other = part->sizes; other < part->sizes + part->size_count; other++) {
        double others = size_elements(part, other);
        rank += others < elements || (others == elements && other < size);
    }
    return rank;
}

// Or else it was its instructions that were too many.
static bool is_past_limit(const struct grader *grader)
{
    return clock_limit_passed(&grader->limit);
}

static enum status check_processor(const struct grader *grader, struct diagnostic *diagnostic)
{
    return grade_check_processor(clock_seconds() - grader->limit.began, clock_processor() - grader->limit.processor,
                                 diagnostic);
}

static enum status run_one(struct grader *grader, size_t index, const struct ptx_function *entry,
                           struct diagnostic *diagnostic)
{
    const struct lesson_part *part = grader->runs[index].part;
    const struct lesson_size *size = grader->runs[index].size;
    struct grade_size *result = &grader->report->sizes[index];
    struct dataset *data = &grader->data[index];
    tell_phase(grader, GRADE_RUNNING, result->name);
    enum status status = run_prepare(&grader->runner, part, size, data, diagnostic);
    if (status)
        return status;
    bool is_small = size_elements(part, size) <= (double)SMALL_ELEMENTS;
    bool is_speed = size == &part->sizes[part->speed_size];
    bool is_waited_for = grader->runner.limit.seconds > 0;
    unsigned wants = RUN_HAZARDS | RUN_PROVENANCE | (is_speed ? RUN_RECORDING : 0) | (is_small ? RUN_SCHEDULES : 0);
    double left = clock_limit_left(&grader->runner.limit), all = grader->runner.limit.seconds;
    run_size(&grader->runner, &grader->unit, entry, data, wants, result, &grader->records[index], &grader->runs[index]);
    status =
        result->status == STATUS_TIMEOUT && is_past_limit(grader) ? check_processor(grader, diagnostic) : STATUS_OK;
    if (status)
        return status;
    if (result->status == STATUS_TIMEOUT && is_waited_for && is_past_limit(grader) && left < all / 2)
        diagnostic_set(&result->diagnostic, STATUS_TIMEOUT,
                       "the kernel was stopped %.0f s after the first size began, which is the time for all sizes "
                       "together; it does not end here, or takes too long at the others",
                       all);
    result->not_awaited = result->status == STATUS_TIMEOUT && !is_waited_for;
    if (result->not_awaited)
        diagnostic_set(&result->diagnostic, STATUS_TIMEOUT, "not waited for, as a smaller size did not end");
    if (result->status == STATUS_TIMEOUT) // what does not end here will hardly end elsewhere: no long wait for it
        grader->runner.limit.seconds = -1;
    return result->status == STATUS_CANCELLED ? diagnostic_set(diagnostic, STATUS_CANCELLED, "cancelled") : STATUS_OK;
}

// Results stay in the lesson's order, whatever the order of running.
static enum status run_part(struct grader *grader, const struct lesson_part *part, struct diagnostic *diagnostic)
{
    const struct ptx_function *entry;
    const char *diagnosis;
    struct diagnostic why = {0};
    struct launch_shape shape;
    enum status status = unit_find_kernel(&grader->unit, part, part->kernel, &entry, &diagnosis, &why);
    if (!status && part->launch.from) // a LAUNCH line is wrong for all sizes alike, and told once
        status = unit_shape(&grader->unit, entry, &part->launch, part->sizes, false, &shape, &diagnosis, &why);
    if (status) {
        stop_grading(grader, status, diagnosis, &why);
        return STATUS_OK;
    }
    if (!grader->facts.takes_others[0])
        unit_takes_others(part, entry, grader->facts.takes_others, sizeof grader->facts.takes_others);
    for (size_t rank = 0; rank < part->size_count; rank++)
        for (size_t i = 0; i < grader->run_count; i++) {
            if (grader->runs[i].part != part || size_rank(part, grader->runs[i].size) != rank)
                continue;
            status = run_one(grader, i, entry, diagnostic);
            if (status)
                return status;
        }
    return STATUS_OK;
}

// A quick grading runs the two smallest sizes and the one that is counted.
static void add_runs(struct grader *grader, const struct lesson_part *part)
{
    struct grade_report *report = grader->report;
    for (size_t i = 0; i < part->size_count; i++) {
        const struct lesson_size *size = &part->sizes[i];
        if (grader->options->quick && i != part->speed_size && size_rank(part, size) >= 2)
            continue;
        struct grade_size *result = &report->sizes[report->size_count++];
        result->name = part->name ? arena_printf(report->arena, "%s/%s", part->name, size->name)
                                  : arena_strdup(report->arena, size->name);
        grader->runs[grader->run_count++] = (struct judge_run){.part = part, .size = size, .result = result};
    }
}

// The limit is for what runs: the compiler has one of its own, and a busy machine lets it take most of that.
static void begin_running(struct grader *grader)
{
    grader->runner.limit = grader->limit = clock_limit_of(job_seconds, GRADE_LEAST_SHARE);
}

static enum status run_all(struct grader *grader, struct diagnostic *diagnostic)
{
    const struct lesson *lesson = grader->lesson;
    size_t most = 0;
    for (size_t i = 0; i < lesson->part_count; i++)
        most += lesson->parts[i].size_count;
    grader->runs = mem_alloc(most * sizeof *grader->runs);
    grader->records = mem_alloc(most * sizeof *grader->records);
    grader->data = mem_alloc(most * sizeof *grader->data);
    grader->report->sizes = arena_alloc(grader->report->arena, most * sizeof *grader->report->sizes);
    for (size_t i = 0; i < lesson->part_count; i++)
        add_runs(grader, &lesson->parts[i]);
    for (size_t i = 0; i < lesson->part_count && !grader->facts.stopped; i++) {
        enum status status = run_part(grader, &lesson->parts[i], diagnostic);
        if (status)
            return status;
    }
    grader->facts.runs = grader->runs;
    grader->facts.run_count = grader->facts.stopped ? 0 : grader->run_count;
    return STATUS_OK;
}

static bool all_right(const struct grader *grader)
{
    for (size_t i = 0; i < grader->facts.run_count; i++)
        if (!grader->runs[i].result->correct || grader->runs[i].result->status)
            return false;
    return grader->facts.run_count > 0;
}

// ---- other sizes

// What is wrong at another size is not told as if it were the lesson's that stands in its row.
static void name_other(const struct grader *grader, const struct judge_run *run, const char *shape)
{
    const char *part = run->part->name;
    run->result->name = arena_printf(grader->report->arena, "%s%sanother size", part ? part : "", part ? "/" : "");
    snprintf(run->result->shape, sizeof run->result->shape, "%.60s", shape);
}

// The part's own sizes are right: its diagnoses, which are about those, have nothing to say.
static void fail_elsewhere(const struct grader *grader, const struct judge_run *run, struct grade_size *elsewhere,
                           const struct other_inputs *inputs)
{
    struct grade_size *result = run->result;
    const struct grade_mismatch *mismatch = &elsewhere->mismatch;
    char what[420], got[40];
    struct text how = {0};
    bool by_address = elsewhere->status == STATUS_LAUNCH || elsewhere->fault == SIM_FAULT_MISALIGNED; // not by values
    if (inputs->is_patched && !by_address)
        text_puts(&how, ", on inputs of which patches are 0");
    if (inputs->scaled.length && !by_address)
        text_printf(&how, "%s %s", inputs->is_patched ? " and" : ", where", text_get(&inputs->scaled));
    snprintf(got, sizeof got, mismatch->first_unwritten ? "unwritten" : "%.9g", mismatch->got);
    if (elsewhere->status)
        snprintf(what, sizeof what, "%.400s", elsewhere->diagnostic.message);
    else
        snprintf(what, sizeof what,
                 "%llu of %llu elements of %.60s are wrong. The first, in row %llu and column %llu, is %s and should "
                 "be %.9g",
                 (unsigned long long)mismatch->wrong, (unsigned long long)mismatch->total, mismatch->argument,
                 (unsigned long long)mismatch->row, (unsigned long long)mismatch->column, got, mismatch->expected);
    result->is_beside = true;
    if (!elsewhere->status)
        result->mismatch = *mismatch;
    result->fault = elsewhere->fault;
    result->status = elsewhere->status ? elsewhere->status : STATUS_FAULT;
    diagnostic_set(
        &result->diagnostic, result->status,
        "All sizes of the lesson are right, but %.40s is a size as well, and the kernel must be right there%s: "
        "%s",
        elsewhere->shape, text_get(&how), what);
    name_other(grader, run, elsewhere->shape);
    text_free(&how);
}

static enum status run_elsewhere(struct grader *grader, const struct judge_run *run, size_t number,
                                 const struct ptx_function *entry, const struct lesson_size *size,
                                 struct diagnostic *diagnostic)
{
    struct grade_size result = {.name = size->name};
    struct judge_run ignored;
    struct record record = {0};
    struct other_inputs inputs;
    bool is_small = size_elements(run->part, size) <= (double)SMALL_ELEMENTS;
    enum status status = run_prepare_other(&grader->runner, run->part, size, number, &inputs, diagnostic);
    if (status == STATUS_OK) {
        run_size(&grader->runner, &grader->unit, entry, &inputs.data,
                 RUN_HAZARDS | RUN_BACKWARD | (is_small ? RUN_AT_ONCE : 0), &result, &record, &ignored);
        // A time that is used up says nothing of the kernel.
        bool is_out = result.status == STATUS_TIMEOUT && is_past_limit(grader);
        if (result.status == STATUS_CANCELLED || status_is_machines(result.status))
            status = (*diagnostic = result.diagnostic).code;
        else if (!is_out && (result.status || !result.correct))
            fail_elsewhere(grader, run, &result, &inputs);
        run_merge_hazards(&run->result->hazards, &result.hazards);
    }
    hazard_list_free(&result.hazards);
    record_free(&record);
    run_free_other(&inputs);
    return status;
}

// The kernel must be right at sizes that it has not seen.
static enum status run_others(struct grader *grader, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    if (grader->options->quick || !all_right(grader))
        return STATUS_OK;
    for (size_t i = 0; i < grader->run_count && !status; i++) {
        const struct judge_run *run = &grader->runs[i];
        bool is_first = run->part == grader->lesson->parts;
        struct lesson_other_size others[ELSEWHERE_MOST], *sizes = is_first ? grader->seen : others;
        const struct ptx_function *entry;
        if (run->size != &run->part->sizes[run->part->speed_size] ||
            unit_find_kernel(&grader->unit, run->part, run->part->kernel, &entry, NULL, NULL))
            continue;
        size_t count = elsewhere_find(&grader->runner, &grader->unit, entry, run->part, sizes);
        grader->seen_count = is_first ? count : grader->seen_count;
        for (size_t j = 0; j < count && !status && !run->result->is_beside; j++)
            status = run_elsewhere(grader, run, j, entry, &sizes[j].size, diagnostic);
    }
    return status;
}

// What compilers remove has no hazards any more. Where all is right, the small sizes run once without optimisation.
static void watch_as_written(struct grader *grader)
{
    const char *path = grader->options->source ? grader->options->source : grader->lesson->exercise;
    struct unit unit;
    if (!grader->options->as_written || !all_right(grader) || grader->options->ptx)
        return;
    tell_phase(grader, GRADE_CHECKING, "as written");
    enum status status = unit_make_as_written(&unit, path, grader->report->source, &grader->runner.toolchain, NULL);
    for (size_t i = 0; i < grader->run_count && status == STATUS_OK; i++) {
        const struct judge_run *run = &grader->runs[i];
        const struct ptx_function *entry;
        bool is_small = size_elements(run->part, run->size) <= (double)SMALL_ELEMENTS;
        if (is_small && unit_find_kernel(&unit, run->part, run->part->kernel, &entry, NULL, NULL) == STATUS_OK)
            run_as_written(&grader->runner, &unit, entry, &grader->data[i], grader->report->arena, run->result);
    }
    grader->report->as_written = status == STATUS_OK;
    unit_free(&unit);
}

// ---- modelled times

// The first part's; NULL: it did not run.
static struct judge_run *speed_run(const struct grader *grader)
{
    const struct judge_run *run = judge_speed_run(&grader->facts, NULL);
    return run ? &grader->runs[run - grader->runs] : NULL;
}

// The kernel does what is wrong, or nothing, at a size as large as on a GPU. which: "the size whose time is modelled".
static void fail_large(const struct grader *grader, struct judge_run *run, enum status status, const char *diagnosis,
                       const char *shape, const char *which, const char *message)
{
    struct grade_size *result = run->result;
    snprintf(run->large, sizeof run->large, "At %.40s, %.60s: %.380s.", shape, which, message);
    run->large_diagnosis = diagnosis;
    result->correct = false;
    result->status = status;
    name_other(grader, run, shape);
    if (status != STATUS_OK)
        diagnostic_set(&result->diagnostic, status, "%s", run->large);
}

static const char modelled_size[] = "the size whose time is modelled";

static void fail_fault(const struct grader *grader, struct judge_run *run, enum sim_fault_kind fault, const char *shape,
                       const char *which, const char *message)
{
    run->result->fault = fault;
    fail_large(grader, run, STATUS_FAULT, ending_diagnosis(ending_of(STATUS_FAULT, fault)), shape, which, message);
}

static void note_finding(const struct grader *grader, struct judge_run *run, const struct large_finding *finding,
                         const char *shape, const char *which)
{
    switch (finding->kind) {
    case LARGE_WRONG:
        run->result->mismatch = finding->mismatch;
        fail_large(grader, run, STATUS_OK, "wrong-results", shape, which, finding->message);
        break;
    case LARGE_CHANGED:
        run->result->mismatch = finding->mismatch;
        fail_large(grader, run, STATUS_FAULT, "wrong-results", shape, which, finding->message);
        break;
    case LARGE_MISSING:
        fail_large(grader, run, STATUS_FAULT, "unwritten", shape, which, finding->message);
        break;
    case LARGE_TOO_SLOW:
    case LARGE_ENTANGLED:
        snprintf(run->unmodelled, sizeof run->unmodelled, "At %.40s: %.400s.", shape, finding->message);
        break;
    case LARGE_RIGHT:
        break;
    }
}

// Before the kernel's time was known. A gate that is not judged for that would give its points away.
static enum status out_of_time(const struct grader *grader, struct judge_run *run, const char *shape, const char *what,
                               struct diagnostic *diagnostic)
{
    enum status status = check_processor(grader, diagnostic);
    if (status)
        return status;
    snprintf(run->unmodelled, sizeof run->unmodelled, "At %.40s: %s within %.0f s.", shape, what, job_seconds);
    return STATUS_OK;
}

// A size at which some blocks alone are looked at.
struct beyond {
    enum status status;
    struct large_finding finding;
    const char *which;
    double times;    // so many times the warp instructions of a block are too many:
    double expected; // of one that would be long there, or of those at the size that is modelled
    char shape[64];
    struct diagnostic why;
    struct hazard_list hazards;
};

enum { OUTPUT_LOOKS = 3, BEYOND = OUTPUT_LOOKS + 1 + ELSEWHERE_LOOKS };

// Work that a lesson's sizes do not show: with variables a few 32nds larger no honest block takes so many times as many
// warp instructions, nor with sizes that no tile divides, where copies may go by single words.
enum { SLOWER = 10, SLOWER_ELSEWHERE = 40, SLOWER_LONG = 6 };

static bool is_much_slower(const struct large_finding *modelled, const struct beyond *beyond)
{
    const struct large_finding *finding = &beyond->finding;
    double usual = fmax((double)modelled->longest, beyond->expected);
    return finding->is_stuck || (usual > 0 && (double)finding->longest > beyond->times * usual);
}

static void note_slow(struct judge_run *run, const struct large_finding *modelled, const struct beyond *beyond)
{
    const struct large_finding *finding = &beyond->finding;
    const char *which = beyond->which;
    run->modelled = (struct kernel_times){0}; // it is not the time of a kernel that does this
    if (finding->is_stuck)
        snprintf(run->unmodelled, sizeof run->unmodelled, "At %.40s, %s: %.300s.", beyond->shape, which,
                 finding->message);
    else
        snprintf(run->unmodelled, sizeof run->unmodelled,
                 "At %.40s, %s: block %llu takes %llu warp instructions%s. At the size whose time is modelled, at most "
                 "%llu did: what do blocks do there that they do not do here?",
                 beyond->shape, which, (unsigned long long)finding->longest_block, (unsigned long long)finding->longest,
                 finding->kind == LARGE_TOO_SLOW ? " and has not ended" : "", (unsigned long long)modelled->longest);
}

// What blocks leave out there is theirs to write only where each wrote its own at the size that was modelled.
static enum status take_beyond(const struct grader *grader, struct judge_run *run, const struct large_finding *modelled,
                               const struct beyond *beyond, struct diagnostic *diagnostic)
{
    const char *which = beyond->which;
    enum large_kind kind = beyond->finding.kind;
    bool is_wrong = kind == LARGE_WRONG || kind == LARGE_CHANGED || (kind == LARGE_MISSING && modelled->each_its_own);
    if (beyond->status == STATUS_CANCELLED)
        return out_of_time(grader, run, beyond->shape, "blocks did not come to their end", diagnostic);
    if (status_is_machines(beyond->status)) {
        *diagnostic = beyond->why;
        return beyond->status;
    }
    if (beyond->status == STATUS_FAULT)
        fail_fault(grader, run, beyond->finding.fault, beyond->shape, which, beyond->why.message);
    else if (beyond->status == STATUS_OK && is_wrong)
        note_finding(grader, run, &beyond->finding, beyond->shape, which);
    else if (is_much_slower(modelled, beyond))
        note_slow(run, modelled, beyond);
    return STATUS_OK;
}

static bool found_nothing(const struct beyond *beyond)
{
    return beyond->status == STATUS_OK && beyond->finding.kind == LARGE_RIGHT;
}

// What a kernel decides there as nowhere else may be how it waits.
static void look_at_size(struct grader *grader, const struct lesson_size *size, bool decides, size_t turn,
                         struct beyond *beyond)
{
    const struct brief_look look = {size, beyond->times != (int)SLOWER, turn};
    beyond->status = run_brief(&grader->runner, &grader->unit, &look, &beyond->finding,
                               decides ? &beyond->hazards : NULL, beyond->shape, &beyond->why);
}

static void note_modelled_size(struct grader *grader, const struct lesson_part *part)
{
    struct lesson_other_size *modelled = &grader->seen[grader->seen_count++];
    const struct lesson_size *size = &grader->modelled_size.size;
    lesson_other_size(part, modelled);
    for (size_t i = 0; i < size->gpu_variable_count; i++)
        lesson_other_set(modelled, size->gpu_variables[i].name, size->gpu_variables[i].value);
}

// Of several outputs the modelled run compares one; each of the others has a look of its own there.
static size_t look_at_outputs(struct grader *grader, const struct lesson_part *part, const struct lesson_size *modelled,
                              struct beyond beyond[BEYOND])
{
    size_t outputs = 0, count = 0;
    for (size_t i = 0; part->reference_file && i < part->arg_count; i++)
        outputs += part->args[i].role == LESSON_OUT || part->args[i].role == LESSON_INOUT;
    for (; count + 1 < outputs && count < OUTPUT_LOOKS && (!count || found_nothing(&beyond[count - 1])); count++) {
        beyond[count] = (struct beyond){.which = modelled_size, .times = SLOWER};
        look_at_size(grader, modelled, false, count + 1, &beyond[count]);
    }
    return count;
}

// First a size a little larger than the one that is modelled, and if that is right, those of which more is said in
// elsewhere.h. How many were looked at.
static size_t look_beyond(struct grader *grader, struct beyond beyond[BEYOND])
{
    static const char *const names[ELSEWHERE_LOOKS] = {
        [ELSEWHERE_BETWEEN] = "a size between the lesson's own",
        [ELSEWHERE_FAR] = "a size larger than the lesson's own",
        [ELSEWHERE_FAR_TOO] = "a size larger than the lesson's own",
        [ELSEWHERE_LONG] = "a size whose blocks are longer than at the lesson's own",
        [ELSEWHERE_WIDE] = "a size far wider than the lesson's own",
    };
    const struct lesson_part *part = grader->lesson->parts;
    const struct ptx_function *entry;
    struct elsewhere_large sizes[ELSEWHERE_LOOKS];
    if (unit_find_kernel(&grader->unit, part, part->kernel, &entry, NULL, NULL))
        return 0;
    note_modelled_size(grader, part);
    size_t count = look_at_outputs(grader, part, &grader->seen[grader->seen_count - 1].size, beyond);
    struct lesson_other_size *larger = &grader->seen[grader->seen_count];
    if ((count && !found_nothing(&beyond[count - 1])) ||
        !run_larger_size(&grader->runner, &grader->unit, entry, part, larger))
        return count;
    struct beyond *first = &beyond[count++];
    *first = (struct beyond){.which = names[ELSEWHERE_FAR], .times = SLOWER};
    look_at_size(grader, &larger->size, false, count, first);
    if (!found_nothing(first))
        return count;
    size_t found = elsewhere_find_large(&grader->runner, &grader->unit, entry, part, grader->seen,
                                        grader->seen_count + 1, first->finding.longest_work, sizes);
    for (size_t i = 0; i < found; i++) {
        const struct elsewhere_large *at = &sizes[i];
        beyond[count] = (struct beyond){.which = names[at->look],
                                        .times = at->look == ELSEWHERE_LONG ? SLOWER_LONG : SLOWER_ELSEWHERE,
                                        .expected = at->length * (double)first->finding.longest};
        look_at_size(grader, &at->size.size, at->decides, count + 1, &beyond[count]);
        count++;
    }
    return count;
}

static enum status take_all_beyond(const struct grader *grader, struct judge_run *run,
                                   const struct large_finding *modelled, const struct beyond *beyond, size_t count,
                                   struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status && !run->large[0] && !run->unmodelled[0]; i++) {
        status = take_beyond(grader, run, modelled, &beyond[i], diagnostic);
        run_merge_hazards(&run->result->hazards, &beyond[i].hazards);
    }
    return status;
}

// What is right gets its modelled time. A kernel that needs more registers than a block can have is refused by the GPU,
// although the simulator, which has no such limit, runs it. What is wrong only at the size that is modelled is wrong
// all the same.
static enum status take_modelled(struct grader *grader, struct diagnostic *diagnostic)
{
    struct judge_run *run = speed_run(grader);
    struct diagnostic why = {0};
    struct large_finding finding;
    struct beyond beyond[BEYOND];
    char shape[64];
    if (!run || !grader->modelling || !all_right(grader))
        return STATUS_OK;
    tell_phase(grader, GRADE_TIMING, "model");
    run_modelled_size(&grader->runner, run->part, &grader->unit, &grader->modelled_size);
    size_t beyond_count = look_beyond(grader, beyond);
    enum status status = modelling_take(grader->modelling, &run->modelled, &grader->records[run - grader->runs],
                                        &finding, &run->result->hazards, shape, &why);
    note_finding(grader, run, &finding, shape, modelled_size);
    grader->report->compared = finding.compared;
    run->modelled_size = &grader->modelled_size.size;
    memcpy(run->modelled_shape, shape, sizeof run->modelled_shape);
    bool is_taken = status == STATUS_OK && finding.kind == LARGE_RIGHT;
    if (is_taken)
        status = take_all_beyond(grader, run, &finding, beyond, beyond_count, diagnostic);
    for (size_t i = 0; i < beyond_count; i++)
        hazard_list_free(&beyond[i].hazards);
    if (is_taken)
        return status;
    if (status == STATUS_OK || finding.kind != LARGE_RIGHT)
        return STATUS_OK;
    if (status == STATUS_CANCELLED || (status == STATUS_TIMEOUT && is_past_limit(grader)))
        return out_of_time(grader, run, shape, "its time could not be modelled", diagnostic);
    if (status_is_machines(status)) {
        *diagnostic = why;
        return status;
    }
    if (status == STATUS_LAUNCH) {
        run->result->status = STATUS_LAUNCH;
        run->result->is_beside = true;
        run->result->diagnostic = why;
    } else if (status == STATUS_FAULT) {
        fail_fault(grader, run, finding.fault, shape, modelled_size, why.message);
    } else {
        snprintf(run->unmodelled, sizeof run->unmodelled, "At %.40s: %.400s", shape, why.message);
    }
    return STATUS_OK;
}

// ---- measured times

// What went wrong on the GPU only, the simulator having found nothing.
static void note_failure(struct judge_run *run, const struct diagnostic *failure, enum sim_fault_kind fault)
{
    run->result->fault = fault;
    run->result->status = failure->code;
    diagnostic_set(&run->result->diagnostic, failure->code, "On the GPU: %.700s", failure->message);
}

static enum status measure_kernels(struct grader *grader, struct device *gpu, struct diagnostic *diagnostic)
{
    struct judge_run *run = speed_run(grader);
    struct grade_report *report = grader->report;
    struct diagnostic failure;
    struct speed speed;
    enum status status = speed_measure(&grader->runner, gpu, &grader->unit, 0, &speed, &failure, diagnostic);
    if (status || !run)
        return status;
    snprintf(report->gpu, sizeof report->gpu, "%s", speed.seen.gpu);
    if (speed.note[0]) {
        struct diagnostic note = {.code = STATUS_OK, .severity = SEVERITY_NOTE};
        snprintf(note.message, sizeof note.message, "%s", speed.note);
        diagnostic_add(&report->messages, &note);
    }
    if (failure.code) {
        note_failure(run, &failure, speed.seen.fault);
        return STATUS_OK;
    }
    run->measured = report->measured = speed.times;
    run->ratios = report->ratios = speed.ratios;
    report->conditions = speed.seen;
    run->copy_bytes = speed.copy_bytes;
    grader->facts.has_gpu = true;
    grader->facts.noisy = speed.seen.noisy;
    snprintf(report->evidence, sizeof report->evidence, "%s", speed.seen.noisy ? speed.seen.evidence : "");
    return STATUS_OK;
}

// Only what is right is timed. "gpu" must find one; "auto" does without.
static enum status measure_speed(struct grader *grader, struct diagnostic *diagnostic)
{
    const struct grade_options *options = grader->options;
    const char *kind = options->device ? options->device : "auto";
    struct device gpu = {0};
    bool is_wanted = strcmp(kind, "gpu") == 0;
    if (strcmp(kind, "sim") == 0 || (options->quick && !is_wanted))
        return STATUS_OK;
    if (!is_wanted && (!all_right(grader) || !speed_is_graded(grader->lesson, true)))
        return STATUS_OK;
    tell_phase(grader, GRADE_TIMING, "GPU");
    mem_bound(0); // the kernel runs elsewhere now, and a driver has a memory of its own
    struct diagnostic why = {0};
    enum status status = device_open(&gpu, "gpu", NULL, options->gpu, &why);
    if (!status && all_right(grader) && speed_is_graded(grader->lesson, true))
        status = measure_kernels(grader, &gpu, &why);
    device_close(&gpu);
    if (!status || status == STATUS_CANCELLED || is_wanted) {
        if (status && diagnostic)
            *diagnostic = why;
        return status;
    }
    return STATUS_OK;
}

// ---- the starter

static bool same_launch(const struct unit *one, const struct unit *other)
{
    const struct launch_shape *a = &one->launch, *b = &other->launch;
    return one->has_launch == other->has_launch &&
           (!one->has_launch ||
            (memcmp(a->block, b->block, sizeof a->block) == 0 && memcmp(a->tile, b->tile, sizeof a->tile) == 0 &&
             a->dynamic_shared == b->dynamic_shared));
}

// Other names, other spelling, functions that nobody calls: it compiles to what the starter compiles to.
// What the machine has against the starter stops the grading: it must not make the difference of some points.
static bool compiles_as_the_starter(struct grader *grader)
{
    const struct unit *starter;
    const struct lesson *lesson = grader->lesson;
    struct diagnostic why = {0};
    enum status status = runner_unit(&grader->runner, lesson->starter, &starter, &why);
    if (status_is_machines(status))
        stop_grading(grader, status, "", &why);
    if (status != STATUS_OK || !same_launch(&grader->unit, starter))
        return false;
    for (size_t i = 0; i < lesson->part_count; i++) {
        const struct ptx_function *yours, *theirs;
        const struct lesson_part *part = &lesson->parts[i];
        if (unit_find_kernel(&grader->unit, part, part->kernel, &yours, NULL, NULL) ||
            unit_find_kernel(starter, part, part->kernel, &theirs, NULL, NULL) ||
            ptx_signature(yours) != ptx_signature(theirs))
            return false;
    }
    return true;
}

static bool alike_in_memory(const struct counters *one, const struct counters *other)
{
    static const double share = 0.02; // of what either did to memory, that the other may have done besides
#define C(name, field)                                                                                                 \
    if (!text_ends(#name, "_instructions") &&                                                                          \
        fabs((double)one->field - (double)other->field) > share * fmax((double)one->field, (double)other->field))      \
        return false;
#include "record/counters.def"
#undef C
    return true;
}

static bool has_serious(const struct hazard_list *hazards)
{
    bool has = false;
    for (size_t i = 0; i < hazards->count; i++)
        has |= !hazards->items[i].benign;
    return has;
}

// Whether the starter, run over the same inputs, ends alike, has hazards where this one has, does the same to memory,
// and gives the same answers where the output is one.
static bool runs_alike(struct grader *grader, size_t index, const struct unit *starter)
{
    const struct judge_run *mine = &grader->runs[index];
    const struct ptx_function *entry;
    struct grade_size result = {0};
    struct record record;
    struct judge_run run;
    if (unit_find_kernel(starter, mine->part, mine->part->kernel, &entry, NULL, NULL))
        return false;
    void *kept[DEVICE_MAX_ARGS];
    dataset_keep(&grader->data[index], kept);
    dataset_restore(&grader->data[index]);
    run_size(&grader->runner, starter, entry, &grader->data[index], RUN_HAZARDS, &result, &record, &run);
    bool same = dataset_put_back(&grader->data[index], kept) && result.status == mine->result->status &&
                result.correct == mine->result->correct &&
                has_serious(&result.hazards) == has_serious(&mine->result->hazards) &&
                (result.status || alike_in_memory(&record.counters.compiled, &mine->record->counters.compiled));
    hazard_list_free(&result.hazards);
    record_free(&record);
    return same;
}

// Tests that never hold, loads that nobody needs: the same is wrong as with the starter, and it does what that does.
static bool does_as_the_starter(struct grader *grader)
{
    const struct unit *starter;
    const struct lesson *lesson = grader->lesson;
    if (strcmp(grader->report->diagnosis, lesson->starter_diagnosis) != 0 ||
        runner_unit(&grader->runner, lesson->starter, &starter, NULL) || !same_launch(&grader->unit, starter))
        return false;
    for (size_t i = 0; i < grader->run_count; i++)
        if (grader->runs[i].size == &grader->runs[i].part->sizes[grader->runs[i].part->speed_size] &&
            !runs_alike(grader, i, starter))
            return false;
    return grader->run_count > 0;
}

static void judge_hand_in(struct grader *grader)
{
    judge(&grader->facts, grader->report);
    bool may_be = grader->report->verdict == VERDICT_FAIL && !grader->facts.is_starter && !grader->options->ptx;
    if (!may_be)
        return;
    grader->facts.compiles_alike = compiles_as_the_starter(grader);
    if (!grader->facts.compiles_alike && !grader->facts.stopped)
        grader->facts.is_alike = does_as_the_starter(grader);
    if (grader->facts.compiles_alike || grader->facts.is_alike || grader->facts.stopped)
        judge(&grader->facts, grader->report);
}

// ---- the report

static bool ask_quiz(void *context, size_t question, double *answer)
{
    struct grader *grader = context;
    struct quiz_result result;
    enum status status = run_question(&grader->runner, question, false, &result, NULL);
    *answer = result.answer;
    return status == STATUS_OK;
}

// The record that the report shows: of the first part with something wrong, else of the first.
static size_t shown_run(const struct grader *grader)
{
    size_t first = grader->run_count;
    for (size_t i = 0; i < grader->run_count; i++) {
        const struct judge_run *run = &grader->runs[i];
        if (run->size != &run->part->sizes[run->part->speed_size])
            continue;
        if (first == grader->run_count)
            first = i;
        for (size_t j = 0; j < grader->run_count; j++) {
            const struct grade_size *other = grader->runs[j].result;
            if (grader->runs[j].part == run->part && (!other->correct || other->status || other->hazards.count))
                return i;
        }
    }
    return first;
}

// What one size ended by, most of the others do: once is enough.
static bool was_said(const struct grade_report *report, const struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < report->messages.count; i++) {
        const struct diagnostic *message = &report->messages.items[i];
        if (message->line == diagnostic->line && strcmp(message->message, diagnostic->message) == 0)
            return true;
    }
    return false;
}

static void take_record(struct grader *grader)
{
    struct grade_report *report = grader->report;
    size_t index = shown_run(grader);
    if (index < grader->run_count) {
        report->record = grader->records[index];
        grader->records[index] = (struct record){0};
        hazard_list_free(&report->record.hazards);
        report->kernel = arena_strdup(report->arena, grader->runs[index].part->kernel);
        report->part = (size_t)(grader->runs[index].part - grader->lesson->parts);
        report->launch = report->sizes[index].launch;
    }
    report->record.hazards = (struct hazard_list){0};
    for (size_t i = 0; i < report->size_count; i++) {
        run_merge_hazards(&report->record.hazards, &report->sizes[i].hazards);
        // what does not end takes the time of all sizes: that is one message
        if (report->sizes[i].ran && report->sizes[i].status && !report->sizes[i].not_awaited &&
            !was_said(report, &report->sizes[i].diagnostic))
            diagnostic_add(&report->messages, &report->sizes[i].diagnostic);
    }
}

// A report outlives its lesson.
static void own_strings(struct grade_report *report)
{
    for (size_t i = 0; i < report->gate_count; i++) {
        struct grade_gate *gate = &report->gates[i];
        gate->id = arena_strdup(report->arena, gate->id);
        gate->message = gate->message ? arena_strdup(report->arena, gate->message) : NULL;
    }
    for (size_t i = 0; i < report->size_count; i++) {
        struct grade_mismatch *mismatch = &report->sizes[i].mismatch;
        mismatch->argument = arena_strdup(report->arena, mismatch->argument ? mismatch->argument : "");
    }
}

static void finish_report(struct grader *grader)
{
    struct grade_report *report = grader->report;
    own_strings(report);
    report->record.measured_us = report->measured.kernel;
    if (grader->facts.run_count) {
        const struct judge_run *run = judge_speed_run(&grader->facts, NULL);
        const struct judge_scope scope = {.facts = &grader->facts};
        report->modelled = run ? run->modelled : (struct kernel_times){0};
        report->model_off_percent = report_percent_off(&report->record, report->measured.kernel);
        report->gbps = fmax(judge_fact(&scope, "gbps"), 0); // fmax: 0 for NaN
        report->gflops = fmax(judge_fact(&scope, "gflops"), 0);
        report->copy_percent = fmax(judge_fact(&scope, "copy_percent"), 0);
    }
    report->run_seconds = clock_seconds() - grader->start - report->compile_seconds;
    report->module = grader->unit.module;
    grader->unit.module = NULL;
    if (grader->output.length)
        report->output = arena_strdup(report->arena, text_get(&grader->output));
    report->total_seconds = clock_seconds() - grader->start;
    tell_phase(grader, GRADE_DONE, verdict_name(report->verdict));
}

static void free_grader(struct grader *grader)
{
    modelling_free(grader->modelling);
    for (size_t i = 0; i < grader->run_count; i++) {
        record_free(&grader->records[i]);
        dataset_free(&grader->data[i]);
    }
    free(grader->runs);
    free(grader->records);
    free(grader->data);
    text_free(&grader->output);
    unit_free(&grader->unit);
    runner_close(&grader->runner);
}

enum status grade_run(const struct lesson *lesson, const struct grade_options *options, grade_progress *progress,
                      void *context, struct grade_report **report, struct diagnostic *diagnostic)
{
    struct grader grader = {.lesson = lesson,
                            .options = options,
                            .progress = progress,
                            .context = context,
                            .start = clock_seconds(),
                            .facts = {.lesson = lesson, .quiz = ask_quiz, .quiz_context = &grader}};
    *report = NULL;
    enum status status = runner_open(&grader.runner, lesson, options, diagnostic);
    if (status)
        goto out;
    grader.report = grade_report_new();
    grader.report->lesson_id = arena_strdup(grader.report->arena, lesson->id);
    grader.report->seed = grader.runner.seed = options->seed ? options->seed : grade_fresh_seed();
    // Of the lesson's own kernels: to compile, to be modelled.
    grader.runner.limit = clock_limit_of(2 * job_seconds, GRADE_LEAST_SHARE);
    grader.runner.output = &grader.output;
    if (speed_is_modelled(lesson) && !options->quick)
        grader.modelling = modelling_start(&grader.runner);
    compile_exercise(&grader);
    begin_running(&grader);
    if (!grader.facts.stopped && grader.modelling)
        modelling_add(grader.modelling, &grader.unit, &grader.limit);
    if (!grader.facts.stopped)
        status = run_all(&grader, diagnostic);
    if (!status && !grader.facts.stopped)
        status = run_others(&grader, diagnostic);
    if (status)
        goto out;
    tell_phase(&grader, GRADE_CHECKING, "");
    status = take_modelled(&grader, diagnostic);
    modelling_free(grader.modelling); // the report takes what its threads read
    grader.modelling = NULL;
    if (!status)
        status = measure_speed(&grader, diagnostic);
    if (status)
        goto out;
    watch_as_written(&grader);
    snprintf(grader.report->device, sizeof grader.report->device, "%s",
             grader.run_count && grader.records[0].device[0] ? grader.records[0].device : "simulated");
    judge_hand_in(&grader);
    take_record(&grader);
    finish_report(&grader);
    *report = grader.report;
    grader.report = NULL;
out:
    grade_report_free(grader.report);
    free_grader(&grader);
    return status;
}

enum status grade_check_processor(double seconds, double processor, struct diagnostic *diagnostic)
{
    if (processor >= GRADE_LEAST_SHARE * seconds)
        return STATUS_OK;
    return diagnostic_set(
        diagnostic, STATUS_ENVIRONMENT,
        "In %.1f s the run got only %.1f s of a processor: this machine is too busy. Run it again when "
        "less else is running.",
        seconds, processor);
}

struct grade_report *grade_report_new(void)
{
    struct grade_report *report = mem_alloc(sizeof *report);
    report->arena = arena_new();
    report->lesson_id = "";
    return report;
}

void grade_report_free(struct grade_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->size_count; i++)
        hazard_list_free(&report->sizes[i].hazards);
    diagnostic_list_free(&report->messages);
    record_free(&report->record);
    replay_log_free(&report->timeline);
    ptx_module_free(report->module);
    arena_free(report->arena);
    free(report);
}
