// Both sides of a worker: the process that does one job and writes events, and the caller who starts it, turns its
// lines into events and whatever else happens into a verdict. Jobs and events have one table each, for both sides.
#include "grade/worker.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "grade/grade.h"
#include "record/replay_json.h"
#include "toolchain/sandbox.h"
#include "toolchain/toolchain.h"

enum {
    MAX_JOB = 8 << 20,  // a source of 1 MiB, with every byte escaped
    WALL_SECONDS = 600, // a worker whose caller forgot it
    CPU_SECONDS = 600,
    MAX_GARBAGE = 1000, // lines that are not events, before the worker is given up
    OUTPUT_BYTES = 256 << 20,
    STACK_BYTES = 16 << 20, // of a thread, and what malloc keeps for it
    EXIT_MUTE = 4           // how a worker ends that cannot send its events
};

#ifndef __has_feature
#define __has_feature(name) 0 // clang's
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
static const uint64_t memory_bytes = 0; // the sanitizer reserves terabytes
#else
static const uint64_t memory_bytes = UINT64_C(24) << 30;
#endif

// The runs may have to wait for a processor; the compilers before them have a limit of their own.
static const double default_wall_limit = GRADE_JOB_SECONDS / GRADE_LEAST_SHARE + 2 * GRADE_JOB_SECONDS;

// ---- jobs and events

enum { EVENT_KINDS = GRADE_EVENT_FAILED + 1 };

enum job_kind { JOB_GRADE, JOB_QUIZ, JOB_RECORD, JOB_TIMELINE, JOB_KINDS };

struct worker_job {
    enum job_kind kind;
    const char *lesson; // its folder
    struct grade_options options;
    uint64_t question;
    struct record_request request;
};

static const char *job_word(int value)
{
    static const char *const words[JOB_KINDS] = {"grade", "quiz", "record", "timeline"};
    return words[value];
}

static const struct field_words job_words = {job_word, JOB_KINDS, JOB_KINDS};

#define F(kind, member) FIELD(grade_options, kind, #member, member)
static const struct field option_rows[] = {
    F(BYTES, source), F(OPTION, device), F(OPTION, gpu_model), F(OPTION, compiler), F(INT, gpu),
    F(U64, seed),     F(FLAG, own_gpu),  F(FLAG, quick),       F(FLAG, as_written), F(BYTES, apart)};
#undef F
static const struct fields option_fields = FIELDS(grade_options, option_rows);

#define F(kind, key, member) FIELD(worker_job, kind, key, member)
static const struct field job_rows[] = {FIELD_NAMED(worker_job, WORD, "kind", kind, job_words),
                                        FIELD_INNER(worker_job, "options", options, option_fields),
                                        F(BYTES, "lesson", lesson),
                                        F(U64, "question", question),
                                        F(BYTES, "text", request.text),
                                        F(U64, "part", request.part),
                                        F(U64, "block", request.block),
                                        F(U64, "size", request.size),
                                        F(FLAG, "numbered", request.numbered)};
#undef F
static const struct fields job_fields = FIELDS(worker_job, job_rows);

static const char *event_word(int value)
{
    static const char *const words[EVENT_KINDS] = {"phase",     "diagnostic", "answer", "report",
                                                   "recording", "timeline",   "failed"};
    return words[value];
}

// What of a report's recording follows the event, each after a tab, which JSON in one line has none of: jansson reads
// strings letter by letter, and these have a million.
enum { APART = 2 };
static const char *const apart_keys[APART] = {"accesses", "values"};

static json_t *write_event_report(const void *at)
{
    const struct grade_report *const *report = at;
    return *report ? grade_report_json_packed(*report) : NULL;
}

static void read_event_report(struct arena *arena, const json_t *json, void *at)
{
    (void)arena;
    if (json)
        grade_report_read(json, at, NULL);
}

static const struct field_words event_words = {event_word, EVENT_KINDS, EVENT_KINDS};
static const struct field_words phase_words = {NULL, GRADE_DONE + 1, GRADE_RUNNING};
static const struct field_words status_words = {NULL, STATUS_INTERNAL + 1, STATUS_INTERNAL};
static const struct field_words severity_words = {NULL, SEVERITY_ERROR + 1, SEVERITY_ERROR};
static const struct field_words space_words = {NULL, PTX_SHARED + 1, PTX_GLOBAL};
static const struct field_own event_report = {write_event_report, read_event_report};

#define F(kind, key, member) FIELD(grade_event, kind, key, member)
#define W(key, member, words) FIELD_NAMED(grade_event, ENUM, key, member, words)
static const struct field event_rows[] = {FIELD_NAMED(grade_event, WORD, "event", kind, event_words),
                                          W("phase", phase, phase_words),
                                          F(TEXT, "detail", detail),
                                          F(AMOUNT, "seconds", seconds),
                                          F(AMOUNT, "value", value),
                                          F(TEXT, "fact", place.fact),
                                          W("space", place.space, space_words),
                                          F(U32, "pc", place.pc),
                                          F(U32, "warp", place.warp),
                                          F(U32, "lane", place.lane),
                                          W("status", diagnostic.code, status_words),
                                          W("severity", diagnostic.severity, severity_words),
                                          F(TEXT, "file", diagnostic.file),
                                          F(INT, "line", diagnostic.line),
                                          F(INT, "column", diagnostic.column),
                                          F(TEXT, "message", diagnostic.message),
                                          FIELD_BY(grade_event, "report", report, event_report),
                                          {FIELD_AT(grade_event, "recording", recording), .kind = FIELD_OWN,
                                           .own = &grade_recording_own, FIELD_WHEN(grade_event, recording.count)},
                                          {FIELD_AT(grade_event, "timeline", timeline), .kind = FIELD_OWN,
                                           .own = &replay_log_own, FIELD_WHEN(grade_event, timeline.row_count)}};
#undef W
#undef F
static const struct fields event_fields = FIELDS(grade_event, event_rows);

// ---- the worker

static json_t *packed_recording(const json_t *event)
{
    return json_object_get(json_object_get(json_object_get(event, "report"), "record"), "packed");
}

// Follows the event, after a tab.
static void send_apart(json_t *packed, const char *key)
{
    const char *text = json_string_value(json_object_get(packed, key));
    if (fputc('\t', stdout) < 0 || fputs(text ? text : "", stdout) < 0)
        exit(EXIT_MUTE);
}

void grade_send_event(const struct grade_event *event)
{
    json_t *json = fields_write(&event_fields, event), *packed = packed_recording(json), *apart = json_object();
    for (size_t i = 0; i < APART && packed; i++) {
        json_object_set(apart, apart_keys[i], json_object_get(packed, apart_keys[i]));
        json_object_del(packed, apart_keys[i]);
    }
    char *line = json_dumps(json, JSON_COMPACT);
    if (line && fputs(line, stdout) < 0)
        exit(EXIT_MUTE);
    for (size_t i = 0; i < APART && packed && line; i++)
        send_apart(apart, apart_keys[i]);
    if (line && (fputc('\n', stdout) < 0 || fflush(stdout) != 0))
        exit(EXIT_MUTE);
    json_decref(json);
    json_decref(apart);
    free(line);
}

static void send_phase(void *context, enum grade_phase phase, const char *detail, double seconds)
{
    struct grade_event event = {.kind = GRADE_EVENT_PHASE, .phase = phase, .seconds = seconds};
    (void)context;
    snprintf(event.detail, sizeof event.detail, "%s", detail ? detail : "");
    grade_send_event(&event);
}

static void send_message(void *context, const struct diagnostic *message)
{
    (void)context;
    grade_send_event(&(struct grade_event){.kind = GRADE_EVENT_DIAGNOSTIC, .diagnostic = *message});
}

static int send_failure(const struct diagnostic *why)
{
    grade_send_event(&(struct grade_event){.kind = GRADE_EVENT_FAILED, .diagnostic = *why});
    return 2;
}

static int refuse_job(const char *message)
{
    struct diagnostic why;
    diagnostic_set(&why, STATUS_USAGE, "%s", message);
    return send_failure(&why);
}

static int answer_question(const struct lesson *lesson, const struct worker_job *job)
{
    struct diagnostic why = {0};
    struct grade_event event = {.kind = GRADE_EVENT_ANSWER};
    if (job->question >= lesson->question_count)
        return refuse_job("there is no such question");
    struct quiz_result result;
    if (quiz_answer(lesson, job->question, &job->options, &result, &why))
        return send_failure(&why);
    event.value = result.answer;
    event.place = result.place;
    event.report = result.report;
    grade_send_event(&event);
    grade_report_free(result.report);
    return 0;
}

static int grade_exercise(const struct lesson *lesson, const struct worker_job *job)
{
    struct diagnostic why = {0};
    struct grade_event event = {.kind = GRADE_EVENT_REPORT};
    if (grade_run(lesson, &job->options, send_phase, NULL, &event.report, &why))
        return send_failure(&why);
    grade_send_event(&event);
    int exit_status = verdict_exit(event.report->verdict);
    grade_report_free(event.report);
    return exit_status;
}

static int record_block(const struct lesson *lesson, const struct worker_job *job)
{
    struct diagnostic why = {0};
    struct grade_event event = {.kind = GRADE_EVENT_RECORDING};
    enum status status = grade_record(lesson, &job->options, &job->request, send_phase, NULL, &event.recording, &why);
    if (!status)
        grade_send_event(&event);
    recording_free(&event.recording);
    return status ? send_failure(&why) : 0;
}

static int replay_exercise(const struct lesson *lesson, const struct worker_job *job)
{
    struct diagnostic why = {0};
    struct grade_event event = {.kind = GRADE_EVENT_TIMELINE};
    enum status status = grade_timeline(lesson, &job->options, &job->request, send_phase, NULL, &event.timeline, &why);
    if (!status)
        grade_send_event(&event);
    replay_log_free(&event.timeline);
    return status ? send_failure(&why) : 0;
}

// The simulator reads what a student wrote. If it could be led astray, it would still write nowhere but to the caches
// and temporary folders, and reach no network; apart from others' runs, not even there, but to its own folder. A GPU's
// driver needs more than that.
static enum status confine_self(const struct worker_job *job, struct diagnostic *diagnostic)
{
    bool on_simulator = job->options.device && strcmp(job->options.device, "sim") == 0;
    if (!memory_bytes || (!on_simulator && file_exists("/dev/nvidiactl")))
        return STATUS_OK; // no memory bound: a sanitizer, which looks into its own process
    char *cache = file_user_folder("XDG_CACHE_HOME", ".cache", "bankshot");
    const char *apart = job->options.apart;
    const char *const write[] = {apart ? apart : toolchain_temporary(), apart ? NULL : cache, NULL};
    if (cache)
        file_make_folders(cache, true, NULL);
    enum status status = sandbox_confine(write, diagnostic);
    free(cache);
    return status;
}

static int do_job(struct worker_job *job)
{
    static int (*const jobs[JOB_KINDS])(const struct lesson *, const struct worker_job *) = {
        grade_exercise, answer_question, record_block, replay_exercise};
    struct diagnostic why = {0};
    struct lesson *lesson;
    // Never the exercise in place of what was handed in: who wants that one graded names it.
    if (!job->lesson || job->kind == JOB_KINDS || (job->kind != JOB_QUIZ && !job->options.source))
        return refuse_job("this is not a job");
    if (lesson_load(job->lesson, NULL, &lesson, &why))
        return send_failure(&why);
    if (confine_self(job, &why)) {
        lesson_free(lesson);
        return send_failure(&why);
    }
    job->options.message = send_message;
    int exit_status = jobs[job->kind](lesson, job);
    lesson_free(lesson);
    return exit_status;
}

// Beside the stacks of the simulator's threads.
uint64_t grade_memory_bound(void)
{
    static const uint64_t least = UINT64_C(2) << 30, most = UINT64_C(8) << 30;
    uint64_t share = mem_machine() / 4 * 3 / GRADE_AT_ONCE;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t stacks = (processors > 0 ? (uint64_t)processors : 1) * STACK_BYTES;
    return memory_bytes ? (share < least ? least : share > most ? most : share) + stacks : 0;
}

// The caller's supervisor enforces limits too; these hold when somebody starts a worker by hand.
static void limit_self(void)
{
    const struct rlimit none = {0, 0}, cpu = {CPU_SECONDS, CPU_SECONDS};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    mem_bound(grade_memory_bound());
    file_put("/proc/self/oom_score_adj", "500", 3, NULL); // without memory, the system is to end a run, not a class
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGPIPE, SIG_DFL); // nobody reads: nothing more to do
    alarm(WALL_SECONDS);
}

static char *read_job(void)
{
    struct text text = {0};
    char part[4096];
    size_t got;
    while (text.length < MAX_JOB && (got = fread(part, 1, sizeof part, stdin)) > 0)
        text_append(&text, part, got);
    return text.data;
}

// A run takes megabytes and gives them back, again and again. What goes back to the system comes as new pages, each of
// which costs as much as a thousand instructions.
static void keep_memory(void)
{
    enum { KEPT = 64 << 20, MAPPED = 16 << 20 };
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, MAPPED);
}

int grade_worker_main(void)
{
    limit_self();
    keep_memory();
    char *text = read_job();
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    struct arena *arena = arena_new();
    struct worker_job job = {0};
    fields_read(&job_fields, json, arena, &job);
    int exit_status = json ? do_job(&job) : refuse_job("the job is not JSON");
    arena_free(arena);
    json_decref(json);
    free(text);
    return exit_status;
}

// ---- the caller's side: starting

struct grade_handle {
    struct process *process;
    char folder[PATH_MAX]; // of the run; "": its caller's, or none
    struct text line;
    enum job_kind kind;
    bool done;
    int garbage;
    double wall_limit;
    bool uses_gpu, is_apart;
    char lesson_id[64];
    struct grade_handle *next; // of those that are done, and end
    double patience;           // until when
};

static char *worker_program;

void grade_worker_set_program(const char *path)
{
    free(worker_program);
    worker_program = path ? mem_strdup(path) : NULL;
}

// This process's environment, that of a worker: with another folder for temporary files, if one is named. Ends with
// NULL; the caller frees it.
static const char **worker_environment(const char *temporary)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    const char **environment = mem_alloc((count + 3) * sizeof *environment);
    for (size_t i = 0; i < count; i++)
        if (!temporary || !text_starts(environ[i], "TMPDIR="))
            environment[kept++] = environ[i];
    environment[kept++] = "BANKSHOT_WORKER=1";
    environment[kept] = temporary;
    return environment;
}

// Where the worker and its compilers put what is for the run alone; NULL: there is no such place.
static const char *make_folder(char folder[PATH_MAX])
{
    snprintf(folder, PATH_MAX, "%.3000s/" GRADE_FOLDER, toolchain_temporary());
    file_remove_unlocked(folder);
    strcat(folder, "XXXXXX");
    return file_make_own(folder) ? folder : NULL;
}

// A program that took itself, or another one of its kind, for the worker would start workers without end.
static enum status check_program(struct diagnostic *diagnostic)
{
    if (getenv("BANKSHOT_WORKER"))
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "A worker starts no other worker: the program that was started as one is not bankshot.");
    if (!worker_program)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "No program is known that does the work. bankshot finds its own file in /proc; another "
                              "program must name it: BANKSHOT=build/bankshot");
    return STATUS_OK;
}

// arguments: after the program's own name; ends with NULL. apart: as in struct grade_options.
static void look_after_ending(void);

static enum status start_process(const char *const *arguments, size_t count, const char *input, const char *apart,
                                 struct grade_handle **handle, const struct grade_handle *wanted,
                                 struct diagnostic *diagnostic)
{
    struct grade_handle *result = mem_alloc(sizeof *result);
    const char **argv = mem_alloc((count + 2) * sizeof *argv);
    struct text temporary = {0};
    enum status status = check_program(diagnostic);
    *handle = NULL;
    look_after_ending();
    *result = *wanted;
    result->is_apart = apart != NULL;
    const char *folder = apart ? apart : make_folder(result->folder);
    text_printf(&temporary, "TMPDIR=%s", folder ? folder : "");
    const char **environment = worker_environment(folder ? text_get(&temporary) : NULL);
    result->wall_limit = wanted->wall_limit > 0 ? wanted->wall_limit : default_wall_limit;
    argv[0] = worker_program;
    memcpy(argv + 1, arguments, count * sizeof *argv);
    if (status == STATUS_OK && !input)
        status = diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "There is no memory left to write the job down.");
    if (status == STATUS_OK) {
        struct process_options process = {
            .argv = argv,
            .environment = environment,
            .directory = apart,
            .scratch = folder,
            .input = input,
            .input_length = strlen(input),
            .limits = {.wall_seconds = result->wall_limit,
                       .memory_bytes = result->uses_gpu ? 0 : memory_bytes,
                       .output_bytes = OUTPUT_BYTES},
        };
        status = process_start(&process, &result->process, diagnostic);
    }
    free(argv);
    free(environment);
    text_free(&temporary);
    if (status)
        grade_cancel(result);
    else
        *handle = result;
    return status;
}

static enum status start_job(struct worker_job *job, const struct lesson *lesson, const struct grade_options *options,
                             double wall_limit, struct grade_handle **handle, struct diagnostic *diagnostic)
{
    static const char *const arguments[] = {"worker"};
    struct grade_handle wanted = {.kind = job->kind,
                                  .uses_gpu = options->device && strcmp(options->device, "sim") != 0,
                                  .wall_limit = wall_limit};
    job->lesson = lesson->directory;
    job->options = *options;
    // The worker is told the file, not how the workspace was found.
    job->options.source = options->source ? options->source : lesson->exercise;
    json_t *json = fields_write(&job_fields, job);
    char *input = json_dumps(json, JSON_COMPACT);
    snprintf(wanted.lesson_id, sizeof wanted.lesson_id, "%s", lesson->id);
    json_decref(json);
    enum status status = start_process(arguments, 1, input, options->apart, handle, &wanted, diagnostic);
    free(input);
    return status;
}

enum status grade_start_own(const char *const *words, enum grade_event_kind wish, uint64_t block,
                            struct grade_handle **handle, struct diagnostic *diagnostic)
{
    struct grade_handle wanted = {.kind = wish == GRADE_EVENT_RECORDING  ? JOB_RECORD
                                          : wish == GRADE_EVENT_TIMELINE ? JOB_TIMELINE
                                                                         : JOB_GRADE,
                                  .lesson_id = GRADE_OWN};
    char what[32];
    size_t count = 0;
    while (words[count])
        count++;
    const char **arguments = mem_alloc((count + 2) * sizeof *arguments);
    memcpy(arguments, words, count * sizeof *arguments);
    snprintf(what, sizeof what, "%llu", (unsigned long long)block);
    arguments[count] = "--lab";
    arguments[count + 1] = wish == GRADE_EVENT_RECORDING ? what : event_word((int)wish);
    enum status status = start_process(arguments, count + 2, "", NULL, handle, &wanted, diagnostic);
    free(arguments);
    return status;
}

enum status grade_start(const struct lesson *lesson, const struct grade_options *options, double wall_limit,
                        struct grade_handle **handle, struct diagnostic *diagnostic)
{
    struct worker_job job = {.kind = JOB_GRADE};
    return start_job(&job, lesson, options, wall_limit, handle, diagnostic);
}

enum status grade_start_quiz(const struct lesson *lesson, size_t question, const struct grade_options *options,
                             double wall_limit, struct grade_handle **handle, struct diagnostic *diagnostic)
{
    struct worker_job job = {.kind = JOB_QUIZ, .question = question};
    return start_job(&job, lesson, options, wall_limit, handle, diagnostic);
}

enum status grade_start_record(const struct lesson *lesson, const struct record_request *request,
                               const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                               struct diagnostic *diagnostic)
{
    struct worker_job job = {.kind = JOB_RECORD, .request = *request};
    return start_job(&job, lesson, options, wall_limit, handle, diagnostic);
}

enum status grade_start_timeline(const struct lesson *lesson, const struct record_request *request,
                                 const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                                 struct diagnostic *diagnostic)
{
    struct worker_job job = {.kind = JOB_TIMELINE, .request = *request};
    return start_job(&job, lesson, options, wall_limit, handle, diagnostic);
}

// ---- the caller's side: events

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

static json_t *read_line(const char *line)
{
    size_t length = strcspn(line, "\t");
    json_t *json = json_loadb(line, length, 0, NULL), *packed = packed_recording(json);
    for (size_t i = 0; i < APART && line[length]; i++) {
        line += length + 1;
        length = strcspn(line, "\t");
        json_object_set_new(packed, apart_keys[i], json_stringn_nocheck(line, length));
    }
    return json;
}

// False: the line is not an event, or not one that a job of this kind has.
static bool read_event(struct grade_handle *handle, const char *line, struct grade_event *event)
{
    json_t *json = read_line(line);
    fields_read(&event_fields, json, NULL, event);
    json_decref(json);
    struct diagnostic why = event->diagnostic;
    static const enum grade_event_kind last[] = {GRADE_EVENT_REPORT, GRADE_EVENT_ANSWER, GRADE_EVENT_RECORDING,
                                                 GRADE_EVENT_TIMELINE};
    bool is_last = event->kind == last[handle->kind] && (handle->kind != JOB_GRADE || event->report);
    if (!is_last || event->kind == GRADE_EVENT_RECORDING) {
        grade_report_free(event->report);
        event->report = NULL;
    }
    if (!is_last || event->kind != GRADE_EVENT_RECORDING)
        recording_free(&event->recording);
    if (!is_last || event->kind != GRADE_EVENT_TIMELINE)
        replay_log_free(&event->timeline);
    if (event->kind == GRADE_EVENT_FAILED) {
        why.severity = SEVERITY_ERROR;
        why.code = why.code ? why.code : STATUS_INTERNAL;
        end_with(handle, VERDICT_INFRASTRUCTURE, "", &why, event);
        return true;
    }
    handle->done = is_last;
    if (event->kind == GRADE_EVENT_DIAGNOSTIC)
        event->diagnostic.code = STATUS_COMPILE;
    return handle->done || event->kind == GRADE_EVENT_PHASE || event->kind == GRADE_EVENT_DIAGNOSTIC;
}

// How a worker ended that gave no last event, and whose fault that is. A kernel can make the worker run for ever, want
// too much memory, print without end or hit a mistake of ours; it cannot send it signals or keep it from running.
struct worker_end {
    enum verdict verdict;
    enum status status;
    const char *diagnosis;
};

enum { LEAST_STACK = 1 << 20 }; // bytes that the lab does with

static bool is_killed(const struct grade_handle *handle, const struct process_result *result)
{
    static const int outside[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    bool killed = result->end == PROCESS_KILLED && handle->garbage <= MAX_GARBAGE;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        killed = killed || (result->end == PROCESS_SIGNALLED && result->signal == outside[i]);
    return killed;
}

static struct worker_end explain_end(const struct grade_handle *handle, const struct process_result *result,
                                     struct diagnostic *why)
{
    static const struct worker_end machine = {VERDICT_INFRASTRUCTURE, STATUS_ENVIRONMENT, ""},
                                   endless = {VERDICT_TIMEOUT, STATUS_TIMEOUT, "timeout"},
                                   greedy = {VERDICT_LAUNCH_ERROR, STATUS_LAUNCH, "launch-error"},
                                   broken = {VERDICT_CRASH, STATUS_CRASH, "crash"};
    bool has_exited = result->end == PROCESS_EXITED;
    if (result->end == PROCESS_TIMED_OUT && !handle->uses_gpu &&
        grade_check_processor(result->wall_seconds, result->cpu_seconds, why))
        return machine;
    if (result->end == PROCESS_TIMED_OUT) {
        diagnostic_set(why, STATUS_TIMEOUT, "The run was stopped after %.0f s: it does not end.", handle->wall_limit);
        return endless;
    }
    if (is_killed(handle, result)) {
        diagnostic_set(
            why, STATUS_ENVIRONMENT,
            "The run was killed from outside, most likely because this machine ran out of memory. Close other "
            "programs and run it again.");
        return machine;
    }
    if (has_exited && result->exit_code == MEMORY_EXIT_BOUND) {
        diagnostic_set(
            why, STATUS_LAUNCH,
            "The kernel wants more than the %.1f GB of memory that a run may have: use smaller or fewer arrays.",
            (double)grade_memory_bound() * 1e-9);
        return greedy;
    }
    if (has_exited && result->exit_code == MEMORY_EXIT) {
        diagnostic_set(why, STATUS_ENVIRONMENT,
                       "This machine has no memory left for the run. Close other programs and run it again.");
        return machine;
    }
    struct rlimit stack;
    if (result->end == PROCESS_SIGNALLED && result->signal == SIGSEGV && getrlimit(RLIMIT_STACK, &stack) == 0 &&
        stack.rlim_cur < LEAST_STACK) {
        diagnostic_set(why, STATUS_ENVIRONMENT,
                       "The run has too little stack here (%llu KB): raise that limit (ulimit -s 8192).",
                       (unsigned long long)stack.rlim_cur >> 10);
        return machine;
    }
    if (has_exited && result->exit_code == EXIT_MUTE) {
        diagnostic_set(why, STATUS_ENVIRONMENT, "The run could not hand over its results. Run it again.");
        return machine;
    }
    return broken;
}

static void read_end(struct grade_handle *handle, struct grade_event *event)
{
    struct process_result result = {0};
    struct diagnostic why = {0};
    char how[128];
    if (process_wait(handle->process, &result, &why)) {
        end_with(handle, VERDICT_INFRASTRUCTURE, "", &why, event);
        return;
    }
    struct worker_end ending = explain_end(handle, &result, &why);
    if (ending.status == STATUS_CRASH) {
        struct text said = {0};
        const char *end = text_get(&result.err);
        size_t length = strlen(end);
        text_escape(&said, length > 300 ? end + length - 300 : end, length > 300 ? 300 : length, false);
        diagnostic_set(&why, STATUS_CRASH, "The run %s before it gave a result.%s%s",
                       process_describe(&result, how, sizeof how), length ? " It said: " : "", text_get(&said));
        text_free(&said);
    }
    end_with(handle, ending.verdict, ending.diagnosis, &why, event);
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

// A worker that has given all it had to give takes a while to return its memory. Nobody waits for that but who needs
// the folder that it had, starts the next one but a few, or ends.
static struct grade_handle *ending;

static void handle_free(struct grade_handle *handle)
{
    process_free(handle->process);
    file_remove_own(handle->folder);
    text_free(&handle->line);
    free(handle);
}

static void wait_for_ending(void)
{
    while (ending) {
        struct grade_handle *handle = ending;
        ending = handle->next;
        while (!process_ended(handle->process) && clock_seconds() < handle->patience)
            process_poll(handle->process, 10);
        handle_free(handle);
    }
}

// Those that have ended, or had the time to; all, where they have become several.
static void look_after_ending(void)
{
    enum { MOST = 2 };
    size_t left = 0;
    for (struct grade_handle **place = &ending; *place;) {
        struct grade_handle *handle = *place;
        process_poll(handle->process, 0);
        if (process_ended(handle->process) || clock_seconds() > handle->patience) {
            *place = handle->next;
            handle_free(handle);
            continue;
        }
        place = &handle->next;
        left++;
    }
    if (left > MOST)
        wait_for_ending();
}

static void leave_to_end(struct grade_handle *handle)
{
    static const double patience = 0.2; // seconds; then it is ended
    static bool is_registered;
    is_registered = is_registered || atexit(wait_for_ending) == 0;
    handle->patience = clock_seconds() + patience;
    handle->next = ending;
    ending = handle;
}

void grade_cancel(struct grade_handle *handle)
{
    // one that holds a GPU is not to hold it when the next one starts
    if (handle && handle->done && handle->process && !handle->is_apart && !handle->uses_gpu)
        leave_to_end(handle);
    else if (handle)
        handle_free(handle);
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
