#include "grade/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "grade/quiz.h"
#include "grade/record.h"

enum {
    MAX_JOB = 8 << 20,  // a source of 1 MiB, with every byte escaped
    WALL_SECONDS = 600, // a worker whose caller forgot it
    CPU_SECONDS = 600
};

// ---- events

static void send(json_t *event)
{
    char *line = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    if (!line)
        return;
    fputs(line, stdout);
    fputc('\n', stdout);
    fflush(stdout);
    free(line);
}

static void send_phase(void *context, enum grade_phase phase, const char *detail, double seconds)
{
    (void)context;
    send(json_pack("{s:s, s:i, s:s, s:f}", "event", "phase", "phase", (int)phase, "detail", detail ? detail : "",
                   "seconds", seconds));
}

static void send_message(void *context, const struct diagnostic *message)
{
    (void)context;
    json_t *text = json_string(message->message), *file = json_string(message->file);
    send(json_pack("{s:s, s:i, s:o, s:i, s:i, s:o}", "event", "diagnostic", "severity", (int)message->severity, "file",
                   file ? file : json_string(""), "line", message->line, "column", message->column, "message",
                   text ? text : json_string("(not valid UTF-8)")));
}

static int send_failure(enum status status, const struct diagnostic *diagnostic)
{
    json_t *message = json_string(diagnostic->message), *file = json_string(diagnostic->file);
    send(json_pack("{s:s, s:i, s:o, s:o, s:i}", "event", "failed", "status", (int)status, "message",
                   message ? message : json_string("(not valid UTF-8)"), "file", file ? file : json_string(""), "line",
                   diagnostic->line));
    return 2;
}

// ---- the job

static char *read_job(void)
{
    struct text text = {0};
    char part[4096];
    size_t got;
    while (text.length < MAX_JOB && (got = fread(part, 1, sizeof part, stdin)) > 0)
        text_append(&text, part, got);
    return text.data;
}

static const char *word(const json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

static struct grade_options options_of(const json_t *job)
{
    const json_t *options = json_object_get(job, "options");
    const char *device = word(options, "device"), *compiler = word(options, "compiler");
    return (struct grade_options){
        .source = word(options, "source"),
        .device = device ? device : "auto",
        .gpu_model = word(options, "gpu_model"),
        .compiler = compiler ? compiler : "auto",
        .gpu = (int)json_integer_value(json_object_get(options, "gpu")),
        .seed = (uint64_t)json_integer_value(json_object_get(options, "seed")),
        .message = send_message,
        .quick = json_is_true(json_object_get(options, "quick")),
    };
}

static int answer_question(const struct lesson *lesson, const json_t *job, const struct grade_options *options)
{
    struct diagnostic diagnostic = {0};
    double answer;
    json_int_t question = json_integer_value(json_object_get(job, "question"));
    if (question < 0 || (size_t)question >= lesson->question_count)
        return send_failure(STATUS_USAGE, &(struct diagnostic){.message = "there is no such question"});
    enum status status = quiz_answer(lesson, (size_t)question, options, &answer, &diagnostic);
    if (status)
        return send_failure(status, &diagnostic);
    send(json_pack("{s:s, s:f}", "event", "answer", "value", answer));
    return 0;
}

static int grade_exercise(const struct lesson *lesson, const struct grade_options *options)
{
    struct diagnostic diagnostic = {0};
    struct grade_report *report;
    enum status status = grade_run(lesson, options, send_phase, NULL, &report, &diagnostic);
    if (status)
        return send_failure(status, &diagnostic);
    json_t *event = json_object();
    json_object_set_new(event, "event", json_string("report"));
    json_object_set_new(event, "report", grade_report_json(report));
    send(event);
    int exit_status = verdict_exit(report->verdict);
    grade_report_free(report);
    return exit_status;
}

static int record_block(const struct lesson *lesson, const json_t *job, const struct grade_options *options)
{
    struct diagnostic diagnostic = {0};
    struct recording recording;
    struct record_request request = {.text = word(job, "text"),
                                     .part = (size_t)json_integer_value(json_object_get(job, "part")),
                                     .block = (uint64_t)json_integer_value(json_object_get(job, "block"))};
    enum status status = grade_record(lesson, options, &request, send_phase, NULL, &recording, &diagnostic);
    if (!status) {
        json_t *event = json_object();
        json_object_set_new(event, "event", json_string("recording"));
        json_object_set_new(event, "recording", grade_recording_json(&recording));
        send(event);
    }
    recording_free(&recording);
    return status ? send_failure(status, &diagnostic) : 0;
}

static int do_job(const json_t *job)
{
    struct diagnostic diagnostic = {0};
    struct lesson *lesson;
    const char *directory = word(job, "lesson"), *kind = word(job, "kind");
    if (!directory || !kind)
        return send_failure(STATUS_USAGE, &(struct diagnostic){.message = "this is no job"});
    enum status status = lesson_load(directory, word(job, "workspace"), &lesson, &diagnostic);
    if (status)
        return send_failure(status, &diagnostic);
    struct grade_options options = options_of(job);
    int exit_status = strcmp(kind, "quiz") == 0     ? answer_question(lesson, job, &options)
                      : strcmp(kind, "record") == 0 ? record_block(lesson, job, &options)
                                                    : grade_exercise(lesson, &options);
    lesson_free(lesson);
    return exit_status;
}

// The caller's supervisor enforces limits too; these hold when somebody starts a worker by hand.
static void limit_self(void)
{
    const struct rlimit none = {0, 0}, cpu = {CPU_SECONDS, CPU_SECONDS};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGPIPE, SIG_DFL); // nobody reads: nothing more to do
    alarm(WALL_SECONDS);
}

int grade_worker_main(void)
{
    json_error_t error;
    limit_self();
    char *text = read_job();
    json_t *job = text ? json_loads(text, 0, &error) : NULL;
    int exit_status =
        job ? do_job(job) : send_failure(STATUS_USAGE, &(struct diagnostic){.message = "the job is not JSON"});
    json_decref(job);
    free(text);
    return exit_status;
}
