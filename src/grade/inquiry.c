// Runs that are made to ask something: see inquiry.h.
#include "grade/inquiry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "device/cuda.h"
#include "grade/run.h"

// Somebody waits for an answer, a block or a timeline.
static const double inquiry_seconds = GRADE_JOB_SECONDS / 2.0;

// The limit is for what runs: the compiler has one of its own.
static void begin_inquiry(struct runner *runner)
{
    runner->limit = clock_limit_of(inquiry_seconds, GRADE_LEAST_SHARE);
}

// What ended at the limit says so, not "cancelled".
static enum status tell_late(const struct runner *runner, enum status status, const char *what,
                             struct diagnostic *diagnostic)
{
    bool is_late = (status == STATUS_CANCELLED || status == STATUS_TIMEOUT) && clock_limit_passed(&runner->limit);
    return is_late
               ? diagnostic_set(diagnostic, STATUS_TIMEOUT,
                                "%s took longer than %.0f s. If the machine is busy, ask again when less is running.",
                                what, inquiry_seconds)
               : status;
}

// ---- quiz answers

static const struct lesson_size *asked_size(const struct lesson_part *part, const char *name)
{
    for (size_t i = 0; name && i < part->size_count; i++)
        if (strcmp(part->sizes[i].name, name) == 0)
            return &part->sizes[i];
    return &part->sizes[part->speed_size];
}

struct answer_scope {
    struct judge_scope judge;
    struct judge_place *place;
};

static enum status answer_lookup(void *context, const struct expression_reference *reference, double *value,
                                 struct diagnostic *diagnostic)
{
    struct answer_scope *scope = context;
    judge_find_place(&scope->judge, reference, scope->place);
    return judge_lookup(&scope->judge, reference, value, diagnostic);
}

static enum status evaluate_answer(const struct lesson *lesson, const struct lesson_question *question,
                                   const struct judge_facts *facts, struct quiz_result *result,
                                   struct diagnostic *diagnostic)
{
    struct answer_scope scope = {{facts, facts->runs->part, facts->runs, NULL}, &result->place};
    enum status status = expression_value(question->answer, answer_lookup, &scope, &result->answer, diagnostic);
    if (status)
        return status;
    if (!isnan(result->answer))
        return STATUS_OK;
    return diagnostic_set(
        diagnostic, STATUS_INTERNAL,
        "the answer \"%.200s\" of %s has no value: no line carries its marker, or no such access ran.",
        question->answer, lesson->id);
}

// What a picture of the counted run needs. Takes the record over.
static struct grade_report *answer_report(const struct lesson *lesson, const struct judge_run *run,
                                          const struct unit *unit, const char *kernel, struct record *record)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = arena_strdup(report->arena, lesson->id);
    report->kernel = arena_strdup(report->arena, kernel);
    report->source = arena_strdup(report->arena, unit->compiled.source);
    report->part = (size_t)(run->part - lesson->parts);
    report->launch = run->result->launch;
    report->record = *record;
    for (size_t i = 0; i < record->counters.count; i++) // the names lie in the unit
        record->counters.lines[i].file =
            arena_strdup(report->arena, record->counters.lines[i].file ? record->counters.lines[i].file : "");
    *record = (struct record){0};
    return report;
}

enum status run_question(struct runner *runner, size_t index, bool with_report, struct quiz_result *result,
                         struct diagnostic *diagnostic)
{
    const struct lesson *lesson = runner->lesson;
    const struct lesson_question *question = &lesson->questions[index];
    const struct lesson_part *part = lesson_part_find(lesson, question->part);
    const char *kernel = question->entry ? question->entry : part->kernel;
    const struct ptx_function *entry;
    const struct unit *unit;
    struct dataset data = {0};
    struct grade_size size = {0};
    struct record record = {0};
    struct judge_run run;
    uint64_t seed = runner->seed;
    *result = (struct quiz_result){.answer = NAN};
    runner->seed = 1; // answers must not change from one asking to the next
    enum status status = runner_unit(runner, question->file, &unit, diagnostic);
    if (!status)
        status = unit_find_kernel(unit, part, kernel, &entry, NULL, diagnostic);
    if (!status)
        status = run_prepare(runner, part, asked_size(part, question->size), &data, diagnostic);
    if (!status) {
        run_size(runner, unit, entry, &data, RUN_RECORDING, &size, &record, &run);
        status = size.status;
        if (status && diagnostic)
            *diagnostic = size.diagnostic;
    }
    if (!status) {
        struct judge_facts facts = {.lesson = lesson,
                                    .source = unit->compiled.source,
                                    .main_file = unit->display,
                                    .runs = &run,
                                    .run_count = 1};
        status = evaluate_answer(lesson, question, &facts, result, diagnostic);
    }
    if (!status && with_report && *result->place.fact)
        result->report = answer_report(lesson, &run, unit, kernel, &record);
    runner->seed = seed;
    record_free(&record);
    hazard_list_free(&size.hazards);
    dataset_free(&data);
    return status;
}

enum status quiz_answer(const struct lesson *lesson, size_t index, const struct grade_options *options,
                        struct quiz_result *result, struct diagnostic *diagnostic)
{
    struct runner runner;
    const struct unit *unit; // kept: run_question finds it compiled
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    *result = (struct quiz_result){.answer = NAN};
    if (!status)
        status = runner_unit(&runner, lesson->questions[index].file, &unit, diagnostic);
    begin_inquiry(&runner);
    if (!status)
        status = tell_late(&runner, run_question(&runner, index, true, result, diagnostic), "The answer", diagnostic);
    runner_close(&runner);
    return status;
}

enum status quiz_check(const char *text, double answer, bool *right, struct diagnostic *diagnostic)
{
    char number[64];
    char *end;
    size_t start = strcspn(text, "-.,0123456789");
    *right = false;
    // 12,5 is how half of the world writes 12.5; 1,024 is how the other half writes 1024
    snprintf(number, sizeof number, "%s", text + start);
    number[strspn(number, "-+.,0123456789eE")] = '\0';
    char *comma = strchr(number, ',');
    if (comma && !strchr(number, '.') && !strchr(comma + 1, ',') && strlen(comma + 1) != 3)
        *comma = '.';
    for (char *out = number, *in = number; (*out = *in) != '\0'; in++)
        out += *in != ',';
    double guess = strtod(number, &end);
    if (end == number)
        return diagnostic_set(diagnostic, STATUS_USAGE, "Answer with one number, such as 12.5");
    *right = fabs(guess - answer) <= 0.005 * fabs(answer) + 1e-9;
    return STATUS_OK;
}

// ---- one block, or the time of all

// What both do first: the text that was graded, compiled again, which the cache makes short.
static enum status make_unit(struct runner *runner, const struct lesson *lesson, const struct grade_options *options,
                             const struct record_request *request, grade_progress *progress, void *context,
                             struct unit *unit, struct diagnostic *diagnostic)
{
    const char *path = options->source ? options->source : lesson->exercise;
    *runner = (struct runner){0};
    *unit = (struct unit){0};
    if (request->part >= lesson->part_count)
        return diagnostic_set(diagnostic, STATUS_USAGE, "the lesson has no part %zu", request->part);
    enum status status = runner_open(runner, lesson, options, diagnostic);
    if (status)
        return status;
    progress(context, GRADE_COMPILING, "", 0);
    status = unit_make_text(unit, path, request->text, &runner->toolchain, NULL, NULL, diagnostic);
    begin_inquiry(runner);
    return status;
}

enum status grade_record(const struct lesson *lesson, const struct grade_options *options,
                         const struct record_request *request, grade_progress *progress, void *context,
                         struct recording *recording, struct diagnostic *diagnostic)
{
    struct runner runner;
    struct unit unit;
    char name[32];
    uint64_t count;
    double start = clock_seconds();
    *recording = (struct recording){0};
    enum status status = make_unit(&runner, lesson, options, request, progress, context, &unit, diagnostic);
    if (!status) {
        snprintf(name, sizeof name, "block %llu", (unsigned long long)request->block);
        progress(context, GRADE_RUNNING, name, clock_seconds() - start);
        status = runner_block(&runner, &unit, request, &count, recording, diagnostic);
    }
    // what a faulty block did until then is worth seeing
    if (status == STATUS_FAULT || status == STATUS_TIMEOUT)
        status = recording->count ? STATUS_OK : status;
    unit_free(&unit);
    runner_close(&runner);
    return status;
}

enum status grade_timeline(const struct lesson *lesson, const struct grade_options *options,
                           const struct record_request *request, grade_progress *progress, void *context,
                           struct replay_log *log, struct diagnostic *diagnostic)
{
    struct runner runner;
    struct unit unit;
    struct record record = {0};
    double start = clock_seconds();
    *log = (struct replay_log){0};
    enum status status = make_unit(&runner, lesson, options, request, progress, context, &unit, diagnostic);
    if (!status) {
        progress(context, GRADE_RUNNING, "the timeline", clock_seconds() - start);
        runner.log = log;
        status = run_model(&runner, &unit, request->part, &record, NULL, NULL, diagnostic);
        log->us = record.modelled_us;
        status = tell_late(&runner, status, "The timeline", diagnostic);
    }
    record_free(&record);
    unit_free(&unit);
    runner_close(&runner);
    return status;
}

// ---- a launch that is counted

static const double launch_seconds = 60; // under a profiler a launch is replayed several times

static enum status launch_unit(struct runner *runner, const struct unit *unit, size_t part_index, struct device *device,
                               struct verify_launch *launch, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = &runner->lesson->parts[part_index];
    const struct lesson_size *size = &part->sizes[part->speed_size];
    const struct ptx_function *entry;
    struct dataset data;
    struct record record = {0};
    enum status status = unit_ready(unit, part, false, &entry, &launch->shape, diagnostic);
    if (status != STATUS_OK)
        return status;
    dataset_make(&data, part, size, false, runner->seed);
    runner->limit = clock_limit_of(launch_seconds, GRADE_LEAST_SHARE);
    struct device_job job = runner_job(runner, unit, entry, &data, &launch->shape);
    job.want_counters = true;
    job.budget = 0; // a GPU has none
    status = device_run(device, &job, &record, diagnostic);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", entry->name);
    snprintf(launch->device, sizeof launch->device, "%s", device->label);
    launch->counters = record.counters.compiled;
    record_free(&record);
    dataset_free(&data);
    return status;
}

enum status verify_launch(const struct lesson *lesson, size_t part, const struct grade_options *options,
                          struct verify_launch *launch, struct diagnostic *diagnostic)
{
    struct runner runner;
    struct device device = {0};
    struct unit unit = {0};
    *launch = (struct verify_launch){0};
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    struct cuda_info gpu;
    int count;
    // The simulator counts the PTX that the GPU runs.
    if (status == STATUS_OK && cuda_describe(options->gpu, &gpu, &count, NULL) == STATUS_OK)
        runner_aim(lesson, gpu.sm, runner.toolchain.arch);
    if (status == STATUS_OK)
        status =
            unit_make(&unit, options->source ? options->source : lesson->exercise, &runner.toolchain, NULL, diagnostic);
    if (status == STATUS_OK)
        status = device_open(&device, options->device, options->gpu_model, options->gpu, diagnostic);
    if (status == STATUS_OK)
        status = launch_unit(&runner, &unit, part, &device, launch, diagnostic);
    device_close(&device);
    unit_free(&unit);
    runner_close(&runner);
    return status;
}
