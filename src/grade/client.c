// The caller's side of a worker: start it, turn its lines into events, and whatever else happens into a verdict.
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "grade/worker.h"

enum {
    MAX_GARBAGE = 1000, // lines that are no event, before the worker is given up
    OUTPUT_BYTES = 256 << 20
};

#if defined(__SANITIZE_ADDRESS__)
static const uint64_t memory_bytes = 0; // the sanitizer reserves terabytes
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
static const uint64_t memory_bytes = 0;
#else
static const uint64_t memory_bytes = UINT64_C(24) << 30;
#endif
#else
static const uint64_t memory_bytes = UINT64_C(24) << 30;
#endif

static const double default_wall_limit = 60;

enum job_kind { JOB_GRADE, JOB_QUIZ, JOB_RECORD };

struct grade_handle {
    struct process *process;
    struct text line;
    enum job_kind kind;
    bool done;
    int garbage;
    double wall_limit;
    char lesson_id[64];
};

static char *program_for_tests;

void grade_worker_set_program(const char *path)
{
    free(program_for_tests);
    program_for_tests = path ? mem_strdup(path) : NULL;
}

// This executable, or `bankshot` beside it when this is another one (the tests).
static char *worker_program(void)
{
    if (program_for_tests)
        return mem_strdup(program_for_tests);
    char *own = process_own_path();
    char *slash = own ? strrchr(own, '/') : NULL;
    if (!slash || strncmp(slash + 1, "bankshot", 8) != 0 || strcmp(slash + 1, "bankshot") == 0)
        return own;
    slash[9] = '\0';
    return own;
}

// ---- start

static json_t *job_json(enum job_kind kind, const struct lesson *lesson, const struct grade_options *options)
{
    static const char *const names[] = {"grade", "quiz", "record"};
    json_t *job = json_pack("{s:s, s:s, s:{s:s, s:s, s:i, s:I, s:b}}", "kind", names[kind], "lesson", lesson->directory,
                            "options", "device", options->device ? options->device : "auto", "compiler",
                            options->compiler ? options->compiler : "auto", "gpu", options->gpu, "seed",
                            (json_int_t)options->seed, "quick", options->quick);
    json_t *inner = json_object_get(job, "options");
    // The worker is told the file, not how the workspace was found.
    json_object_set_new(inner, "source", json_string(options->source ? options->source : lesson->exercise));
    if (options->gpu_model)
        json_object_set_new(inner, "gpu_model", json_string(options->gpu_model));
    return job;
}

static enum status start(json_t *job, enum job_kind kind, const struct lesson *lesson,
                         const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                         struct diagnostic *diagnostic)
{
    char *program = worker_program(), *input = json_dumps(job, JSON_COMPACT);
    struct grade_handle *result = mem_alloc(sizeof *result);
    enum status status = STATUS_OK;
    bool uses_gpu = options->device && strcmp(options->device, "sim") != 0;
    *handle = NULL;
    result->kind = kind;
    result->wall_limit = wall_limit > 0 ? wall_limit : default_wall_limit;
    snprintf(result->lesson_id, sizeof result->lesson_id, "%s", lesson->id);
    json_decref(job);
    if (!program || !input) {
        status = diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot find this program's own file for a worker.");
    } else {
        const char *const argv[] = {program, "worker", NULL};
        struct process_options process = {
            .argv = argv,
            .environment = (const char *const *)environ,
            .input = input,
            .input_length = strlen(input),
            .limits = {.wall_seconds = result->wall_limit,
                       .memory_bytes = uses_gpu ? 0 : memory_bytes,
                       .output_bytes = OUTPUT_BYTES},
        };
        status = process_start(&process, &result->process, diagnostic);
    }
    free(program);
    free(input);
    if (status)
        free(result);
    else
        *handle = result;
    return status;
}

enum status grade_start(const struct lesson *lesson, const struct grade_options *options, double wall_limit,
                        struct grade_handle **handle, struct diagnostic *diagnostic)
{
    return start(job_json(JOB_GRADE, lesson, options), JOB_GRADE, lesson, options, wall_limit, handle, diagnostic);
}

enum status grade_start_quiz(const struct lesson *lesson, size_t question, const struct grade_options *options,
                             double wall_limit, struct grade_handle **handle, struct diagnostic *diagnostic)
{
    json_t *job = job_json(JOB_QUIZ, lesson, options);
    json_object_set_new(job, "question", json_integer((json_int_t)question));
    return start(job, JOB_QUIZ, lesson, options, wall_limit, handle, diagnostic);
}

enum status grade_start_record(const struct lesson *lesson, const struct record_request *request,
                               const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                               struct diagnostic *diagnostic)
{
    json_t *job = job_json(JOB_RECORD, lesson, options);
    json_object_set_new(job, "part", json_integer((json_int_t)request->part));
    json_object_set_new(job, "block", json_integer((json_int_t)request->block));
    if (request->text)
        json_object_set_new(job, "text", json_string(request->text));
    return start(job, JOB_RECORD, lesson, options, wall_limit, handle, diagnostic);
}

// ---- events

// A report for a run that gave none.
static void make_report(const struct grade_handle *handle, enum verdict verdict, const char *diagnosis,
                        const struct diagnostic *why, struct grade_event *event)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = arena_strdup(report->arena, handle->lesson_id);
    report->verdict = verdict;
    snprintf(report->diagnosis, sizeof report->diagnosis, "%s", diagnosis);
    snprintf(report->next, sizeof report->next, "%.511s", why->message);
    diagnostic_add(&report->messages, why);
    *event = (struct grade_event){.kind = GRADE_EVENT_REPORT, .report = report};
}

static void end_with(struct grade_handle *handle, enum verdict verdict, const char *diagnosis,
                     const struct diagnostic *why, struct grade_event *event)
{
    handle->done = true;
    if (handle->kind != JOB_GRADE)
        *event = (struct grade_event){.kind = GRADE_EVENT_FAILED, .diagnostic = *why};
    else
        make_report(handle, verdict, diagnosis, why, event);
}

static void read_phase(const json_t *json, struct grade_event *event)
{
    json_int_t phase = json_integer_value(json_object_get(json, "phase"));
    const char *detail = json_string_value(json_object_get(json, "detail"));
    event->kind = GRADE_EVENT_PHASE;
    event->phase = phase >= 0 && phase <= GRADE_DONE ? (enum grade_phase)phase : GRADE_RUNNING;
    event->seconds = json_number_value(json_object_get(json, "seconds"));
    snprintf(event->detail, sizeof event->detail, "%s", detail ? detail : "");
}

static void read_message(const json_t *json, struct grade_event *event)
{
    const char *message = json_string_value(json_object_get(json, "message"));
    const char *file = json_string_value(json_object_get(json, "file"));
    json_int_t severity = json_integer_value(json_object_get(json, "severity"));
    event->kind = GRADE_EVENT_DIAGNOSTIC;
    diagnostic_at(&event->diagnostic, STATUS_COMPILE, file, (int)json_integer_value(json_object_get(json, "line")),
                  (int)json_integer_value(json_object_get(json, "column")), "%s", message ? message : "");
    event->diagnostic.severity =
        severity >= SEVERITY_NOTE && severity <= SEVERITY_ERROR ? (enum severity)severity : SEVERITY_ERROR;
}

static void read_failure(struct grade_handle *handle, const json_t *json, struct grade_event *event)
{
    const char *message = json_string_value(json_object_get(json, "message"));
    const char *file = json_string_value(json_object_get(json, "file"));
    json_int_t status = json_integer_value(json_object_get(json, "status"));
    struct diagnostic why = {0};
    diagnostic_at(&why, status > 0 && status <= STATUS_INTERNAL ? (enum status)status : STATUS_INTERNAL, file,
                  (int)json_integer_value(json_object_get(json, "line")), 0, "%s", message ? message : "");
    end_with(handle, VERDICT_INFRASTRUCTURE, "", &why, event);
}

// False: the line is no event.
static bool read_event(struct grade_handle *handle, const char *line, struct grade_event *event)
{
    json_t *json = json_loads(line, 0, NULL);
    const char *kind = json_string_value(json_object_get(json, "event"));
    bool is_event = true;
    if (kind && strcmp(kind, "phase") == 0) {
        read_phase(json, event);
    } else if (kind && strcmp(kind, "diagnostic") == 0) {
        read_message(json, event);
    } else if (kind && strcmp(kind, "failed") == 0) {
        read_failure(handle, json, event);
    } else if (kind && strcmp(kind, "answer") == 0 && handle->kind == JOB_QUIZ) {
        event->kind = GRADE_EVENT_ANSWER;
        event->value = json_number_value(json_object_get(json, "value"));
        handle->done = true;
    } else if (kind && strcmp(kind, "recording") == 0 && handle->kind == JOB_RECORD) {
        event->kind = GRADE_EVENT_RECORDING;
        grade_recording_read(json_object_get(json, "recording"), &event->recording);
        handle->done = true;
    } else if (kind && strcmp(kind, "report") == 0 && handle->kind == JOB_GRADE) {
        event->kind = GRADE_EVENT_REPORT;
        is_event = grade_report_read(json_object_get(json, "report"), &event->report, NULL) == STATUS_OK;
        handle->done = is_event;
    } else {
        is_event = false;
    }
    json_decref(json);
    return is_event;
}

// The worker ended without its last event.
static void read_end(struct grade_handle *handle, struct grade_event *event)
{
    struct process_result result = {0};
    struct diagnostic why = {0};
    char how[128];
    if (process_wait(handle->process, &result, &why)) {
        end_with(handle, VERDICT_INFRASTRUCTURE, "", &why, event);
        return;
    }
    if (result.end == PROCESS_TIMED_OUT) {
        diagnostic_set(&why, STATUS_TIMEOUT, "The run was stopped after %.0f s: it does not end.", handle->wall_limit);
        end_with(handle, VERDICT_TIMEOUT, "timeout", &why, event);
    } else {
        struct text said = {0};
        const char *end = text_get(&result.err);
        size_t length = strlen(end);
        text_escape(&said, length > 300 ? end + length - 300 : end, length > 300 ? 300 : length, false);
        diagnostic_set(&why, STATUS_CRASH, "The run %s before it gave a result.%s%s",
                       process_describe(&result, how, sizeof how), length ? " It said: " : "", text_get(&said));
        end_with(handle, VERDICT_CRASH, "crash", &why, event);
        text_free(&said);
    }
    process_result_free(&result);
}

bool grade_poll(struct grade_handle *handle, struct grade_event *event)
{
    *event = (struct grade_event){0};
    if (handle->done)
        return false;
    process_poll(handle->process, 0);
    for (;;) {
        switch (process_read_line(handle->process, &handle->line)) {
        case PROCESS_LINE:
            if (read_event(handle, text_get(&handle->line), event))
                return true;
            if (++handle->garbage > MAX_GARBAGE)
                process_kill(handle->process);
            break;
        case PROCESS_LINE_NONE:
            return false;
        case PROCESS_LINE_END:
            read_end(handle, event);
            return true;
        }
    }
}

int grade_descriptor(const struct grade_handle *handle)
{
    return process_fd(handle->process);
}

bool grade_is_done(const struct grade_handle *handle)
{
    return handle->done;
}

void grade_cancel(struct grade_handle *handle)
{
    if (!handle)
        return;
    process_free(handle->process);
    text_free(&handle->line);
    free(handle);
}

enum status grade_wait(const struct lesson *lesson, const struct grade_options *options, double wall_limit,
                       grade_progress *progress, void *context, struct grade_report **report,
                       struct diagnostic *diagnostic)
{
    struct grade_handle *handle;
    *report = NULL;
    enum status status = grade_start(lesson, options, wall_limit, &handle, diagnostic);
    if (status)
        return status;
    while (!*report) {
        struct grade_event event;
        if (grade_poll(handle, &event)) {
            if (event.kind == GRADE_EVENT_REPORT)
                *report = event.report;
            else if (event.kind == GRADE_EVENT_PHASE && progress)
                progress(context, event.phase, event.detail, event.seconds);
            continue;
        }
        struct pollfd wait = {.fd = grade_descriptor(handle), .events = POLLIN};
        poll(&wait, 1, 200);
    }
    grade_cancel(handle);
    return STATUS_OK;
}
