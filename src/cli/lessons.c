// What the commands that work on lessons share; and the small ones: `lessons`, `hint`, `reset`, `solution`, `worker`.
#include "cli/lessons.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "grade/report.h"
#include "grade/worker.h"
#include "lesson/markdown.h"
#include "toolchain/toolchain.h"

enum { SOURCE_MAX_BYTES = 1 << 20, PAGE_WIDTH = 80 };

// ---- shared

// Prints what went wrong; false: nothing is open.
static bool lessons_open(struct lessons *lessons)
{
    struct diagnostic diagnostic = {0};
    *lessons = (struct lessons){0};
    if (lesson_set_open(&lessons->set, &diagnostic) != STATUS_OK) {
        cli_diagnostic(&diagnostic);
        return false;
    }
    if (progress_open(&lessons->progress, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic); // reported; everything works without it
    return true;
}

static void lessons_close(struct lessons *lessons)
{
    progress_close(lessons->progress);
    lesson_set_close(&lessons->set);
}

// The broken lesson that a word names; NULL: it names none. Its mistake is in a file below lessons/NN-name.
static const struct diagnostic *broken_lesson(const struct lesson_set *set, const char *word)
{
    for (size_t i = 0; i < set->broken.count; i++) {
        const char *folder = strstr(set->broken.items[i].file, "lessons/");
        folder = folder ? folder + strlen("lessons/") : "";
        size_t length = strcspn(folder, "/"), word_length = strlen(word);
        bool is_id = length == word_length && memcmp(folder, word, length) == 0;
        bool is_name = length == word_length + 3 && memcmp(folder + 3, word, word_length) == 0;
        long long number;
        if (is_id || is_name || (cli_number(word, 0, 99, &number) && number == strtol(folder, NULL, 10)))
            return &set->broken.items[i];
    }
    return NULL;
}

static void no_lesson(const struct lesson_set *set, const char *word)
{
    const struct diagnostic *why = broken_lesson(set, word);
    if (why) {
        cli_diagnostic(why);
        return;
    }
    const char *names[256];
    size_t count = 0;
    for (size_t i = 0; i < set->count && count < 256; i++)
        names[count++] = set->items[i]->name;
    cli_unknown("lesson", word, names, count, "bankshot lessons");
}

struct lesson *lessons_pick(struct lessons *lessons, const char *word)
{
    const struct lesson_set *set = &lessons->set;
    if (word) {
        struct lesson *named = lesson_set_find(set, word);
        if (!named)
            no_lesson(set, word);
        return named;
    }
    const char *current = progress_current(lessons->progress);
    struct lesson *lesson = *current ? lesson_set_find(set, current) : NULL;
    for (size_t i = 0; i < set->count && !lesson; i++)
        if (progress_get(lessons->progress, set->items[i]->id)->state < PROGRESS_PASSED)
            lesson = set->items[i];
    if (!lesson && set->count)
        lesson = set->items[0];
    if (!lesson)
        cli_error("there are no lessons in %s/lessons", set->root);
    return lesson;
}

void lessons_keep(struct lessons *lessons, const struct grade_report *report)
{
    struct diagnostic diagnostic = {0};
    if (report_keep(report, lessons->progress, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic);
}

// progress_state_name, but "" for a lesson not touched yet.
static const char *lessons_state_word(enum progress_state state)
{
    return state == PROGRESS_UNTOUCHED ? "" : progress_state_name(state);
}

static bool is_listed(const struct lesson *lesson, struct lesson *const *list, size_t count)
{
    size_t i = 0;
    while (i < count && list[i] != lesson)
        i++;
    return i < count;
}

const struct lesson **lessons_named(struct lessons *lessons, const struct cli_list *names, size_t *count)
{
    const struct lesson_set *set = &lessons->set;
    struct lesson **picked = mem_alloc((names->count + 1) * sizeof *picked);
    const struct lesson **found = mem_alloc((set->count + 1) * sizeof *found);
    size_t known = 0;
    while (known < names->count && (picked[known] = lessons_pick(lessons, names->items[known])))
        known++;
    *count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (!names->count || is_listed(set->items[i], picked, known))
            found[(*count)++] = set->items[i];
    bool good = known == names->count;
    free(picked);
    if (!good)
        free(found);
    return good ? found : NULL;
}

int lessons_call(struct cli_call *call, enum cli_scope scope, int (*work)(struct cli_call *))
{
    struct lessons lessons;
    if (scope == CLI_NO_LESSONS)
        return work(call);
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    bool all = scope == CLI_EACH_LESSON && !call->word_count;
    size_t count = scope == CLI_SET ? 0 : all ? lessons.set.count : call->word_count ? call->word_count : 1;
    struct lesson **chosen = mem_alloc((count + 1) * sizeof *chosen);
    int status = CLI_GO_ON;
    // Who names lessons asks for no other.
    for (size_t i = 0; i < lessons.set.broken.count && !(count && !all && call->word_count); i++)
        cli_diagnostic(&lessons.set.broken.items[i]);
    call->chosen_count = 0;
    for (size_t i = 0; i < count && status == CLI_GO_ON; i++) {
        struct lesson *lesson = all ? lessons.set.items[i] : lessons_pick(&lessons, call->words[i]);
        status = lesson ? CLI_GO_ON : CLI_USAGE;
        if (!is_listed(lesson, chosen, call->chosen_count))
            chosen[call->chosen_count++] = lesson;
    }
    call->lessons = &lessons;
    call->chosen = chosen;
    if (status == CLI_GO_ON)
        status = work(call);
    free(chosen);
    lessons_close(&lessons);
    return status;
}

// ---- grading several at once

enum { POLL_MILLISECONDS = 200 };

struct pool_worker {
    struct grade_handle *handle; // NULL: idle
    struct pool_job *job;
    char *apart; // its run's own folder, or NULL
};

struct pool {
    struct pool_job *jobs;
    size_t count, next, done;
    const struct pool_options *options;
    struct pool_worker *workers;
    size_t worker_count;
    pool_progress *progress;
    void *context;
};

// SIGINT and its like end the grading, not the program: what is done is told.
static atomic_bool is_stopped;
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof *stopping };

static void stop_pool(int number)
{
    (void)number;
    atomic_store(&is_stopped, true);
}

void pool_catch(struct pool_signals *signals)
{
    struct sigaction stop = {.sa_handler = stop_pool};
    atomic_store(&is_stopped, false);
    for (size_t i = 0; i < STOPPING; i++)
        if (sigaction(stopping[i], &stop, &signals->before[i]) == 0 && signals->before[i].sa_handler == SIG_IGN)
            sigaction(stopping[i], &signals->before[i], NULL); // as under nohup
}

bool pool_is_stopped(void)
{
    return atomic_load(&is_stopped);
}

const atomic_bool *pool_stop_flag(void)
{
    return &is_stopped;
}

void pool_release(const struct pool_signals *signals)
{
    for (size_t i = 0; i < STOPPING; i++)
        sigaction(stopping[i], &signals->before[i], NULL);
}

// What no worker answered for is in the answer all the same: a lesson that is missing there would raise the share that
// the others have in a total.
static void pool_give_up(struct pool_job *job)
{
    struct grade_report *report = job->report = grade_report_new();
    report->lesson_id = arena_strdup(report->arena, job->lesson->id);
    report->verdict = VERDICT_INFRASTRUCTURE;
    snprintf(report->next, sizeof report->next, "%.500s", job->error.message);
    diagnostic_add(&report->messages, &job->error);
}

void pool_finish(struct pool_job *job)
{
    job->done = true;
    if (!job->report)
        pool_give_up(job);
}

static void answer_job(struct pool *pool, struct pool_job *job)
{
    pool->done++;
    pool_finish(job);
    if (pool->progress)
        pool->progress(pool->context, job, pool->done, pool->count);
}

// A folder for one run, with the source if its bytes are known, by the name that messages shall have.
static enum status make_apart(struct pool_worker *worker, const struct pool_job *job, struct grade_options *options)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.3000s/" GRADE_FOLDER "XXXXXX", toolchain_temporary());
    if (!file_make_own(folder))
        return diagnostic_set(&worker->job->error, STATUS_ENVIRONMENT, "cannot make a temporary folder in %.500s: %s",
                              toolchain_temporary(), strerror(errno));
    options->apart = worker->apart = mem_strdup(folder);
    struct text path = {0};
    if (job->bytes)
        text_printf(&path, "%s/%s.cu", worker->apart, job->lesson->id);
    else if (*job->source == '/')
        text_puts(&path, job->source);
    else // seen from another folder
        text_printf(&path, "%s/%s", getcwd(folder, sizeof folder) ? folder : "", job->source);
    options->source = path.data; // the caller's
    return job->bytes ? file_put(path.data, job->bytes, job->length, &worker->job->error) : STATUS_OK;
}

static void end_worker(struct pool_worker *worker)
{
    grade_cancel(worker->handle);
    worker->handle = NULL;
    if (worker->apart)
        file_remove_own(worker->apart);
    free(worker->apart);
    worker->apart = NULL;
}

static bool start_worker(struct pool_worker *worker, struct pool_job *job, const struct pool_options *pool)
{
    struct grade_options options = *pool->grade;
    options.source = job->source;
    worker->job = job;
    enum status status = pool->apart ? make_apart(worker, job, &options) : STATUS_OK;
    if (!status)
        status = grade_start(job->lesson, &options, 0, &worker->handle, &job->error);
    if (options.source != job->source)
        free((char *)options.source);
    if (status)
        end_worker(worker);
    return !status;
}

// Gives an idle worker the next job that can be started.
static void pool_start(struct pool *pool, struct pool_worker *worker)
{
    while (!worker->handle && pool->next < pool->count) {
        struct pool_job *job = &pool->jobs[pool->next++];
        if (!start_worker(worker, job, pool->options))
            answer_job(pool, job);
    }
}

static void pool_collect(struct pool *pool, struct pool_worker *worker)
{
    struct grade_event event;
    struct pool_job *job = worker->job;
    while (grade_poll(worker->handle, &event)) {
        if (event.kind == GRADE_EVENT_REPORT)
            job->report = event.report;
        else if (event.kind == GRADE_EVENT_FAILED)
            job->error = event.diagnostic;
    }
    if (!grade_is_done(worker->handle))
        return;
    end_worker(worker);
    if (!job->report && job->error.code == STATUS_OK)
        diagnostic_set(&job->error, STATUS_INTERNAL, "the worker ended without a report");
    answer_job(pool, job);
}

static void pool_stop(struct pool *pool)
{
    for (size_t i = 0; i < pool->worker_count; i++)
        end_worker(&pool->workers[i]);
    for (size_t i = 0; i < pool->count; i++)
        if (!pool->jobs[i].done) {
            grade_report_free(pool->jobs[i].report);
            diagnostic_set(&pool->jobs[i].error, STATUS_CANCELLED, "stopped before it was graded");
            pool_give_up(&pool->jobs[i]);
        }
}

static void pool_work(struct pool *pool)
{
    struct pollfd *descriptors = mem_alloc(pool->worker_count * sizeof *descriptors);
    while (pool->done < pool->count && !pool_is_stopped()) {
        nfds_t used = 0;
        for (size_t i = 0; i < pool->worker_count; i++) {
            pool_start(pool, &pool->workers[i]);
            if (pool->workers[i].handle)
                descriptors[used++] =
                    (struct pollfd){.fd = grade_descriptor(pool->workers[i].handle), .events = POLLIN};
        }
        if (used)
            poll(descriptors, used, POLL_MILLISECONDS);
        for (size_t i = 0; i < pool->worker_count; i++)
            if (pool->workers[i].handle)
                pool_collect(pool, &pool->workers[i]);
    }
    free(descriptors);
}

bool pool_run(struct pool_job *jobs, size_t count, const struct pool_options *options, pool_progress *progress,
              void *context)
{
    struct pool_signals signals;
    struct pool pool = {.jobs = jobs,
                        .count = count,
                        .options = options,
                        .worker_count = options->workers ? options->workers : POOL_WORKERS,
                        .progress = progress,
                        .context = context};
    if (options->apart) {
        char start[PATH_MAX];
        snprintf(start, sizeof start, "%.3000s/" GRADE_FOLDER, toolchain_temporary());
        file_remove_unlocked(start);
    }
    pool.workers = mem_alloc(pool.worker_count * sizeof *pool.workers);
    pool_catch(&signals);
    pool_work(&pool);
    bool whole = pool.done == count;
    if (!whole)
        pool_stop(&pool);
    pool_release(&signals);
    free(pool.workers);
    return whole;
}

void pool_free(struct pool_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (jobs[i].report)
            grade_report_free(jobs[i].report);
}

static int run_worker(struct cli_call *call)
{
    (void)call;
    return grade_worker_main();
}

const struct cli_command cli_command_worker = {
    .name = "worker",
    .arguments = "",
    .summary = "Run one job from standard input (for the program's own use)",
    .hidden = true,
    .run = run_worker,
};

// ---- lessons

struct flag_request { // of each command here
    bool flag;
};

static const struct cli_option lessons_options[] = {CLI_OPTION_JSON(struct flag_request, flag), {0}};

static int list_lessons_json(struct lessons *lessons)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lessons->set.count; i++) {
        const struct lesson *lesson = lessons->set.items[i];
        const struct progress_lesson *progress = progress_get(lessons->progress, lesson->id);
        json_array_append_new(array, json_pack("{s:o, s:o, s:i, s:o, s:s, s:o, s:s, s:f, s:i, s:o}", "id",
                                               fields_name(lesson->id), "name", fields_name(lesson->name), "number",
                                               lesson->number, "title", fields_string(lesson->title), "track",
                                               lesson->track, "summary", fields_string(lesson->summary), "state",
                                               progress_state_name(progress->state), "best_score", progress->best_score,
                                               "hints", progress->hints, "exercise", fields_name(lesson->exercise)));
    }
    cli_print_json(array);
    return CLI_PASSED;
}

static int list_lessons(struct lessons *lessons)
{
    const char *track = "";
    for (size_t i = 0; i < lessons->set.count; i++) {
        const struct lesson *lesson = lessons->set.items[i];
        const struct progress_lesson *progress = progress_get(lessons->progress, lesson->id);
        if (strcmp(track, lesson->track) != 0)
            cli_print("%s%s track\n", *track ? "\n" : "", lesson->track);
        track = lesson->track;
        cli_print("  %2d  %-18s %-11s %s\n", lesson->number, lesson->name, lessons_state_word(progress->state),
                  lesson->summary);
    }
    const char *exercise = lessons->set.count ? lessons->set.items[0]->exercise : "";
    if (lessons->set.workspace && lessons->set.count)
        cli_print("\nExercises are in %.*s.\n", (int)(strrchr(exercise, '/') - exercise), exercise);
    else
        cli_print("\nNo workspace here yet: 'bankshot init DIR' makes one.\n");
    return CLI_PASSED;
}

static int run_lessons(struct cli_call *call)
{
    const struct flag_request *request = call->request;
    return request->flag ? list_lessons_json(call->lessons) : list_lessons(call->lessons);
}

const struct cli_command cli_command_lessons = {
    .name = "lessons",
    .arguments = "",
    .summary = "List the lessons and how far you are",
    .options = lessons_options,
    .request_size = sizeof(struct flag_request),
    .scope = CLI_SET,
    .run = run_lessons,
};

// ---- hint

static const struct cli_option hint_options[] = {
    {'a', "again", NULL, "show the hints already shown, without a new one", CLI_TO_FLAG(struct flag_request, flag)},
    {0},
};

static void print_hint(const struct lesson *lesson, int index)
{
    struct text text = {0}, lines = {0};
    text_printf(&text, "%s, hint %d of %zu: %s", lesson->name, index + 1, lesson->hint_count, lesson->hints[index]);
    struct markdown *page = markdown_parse(text_get(&text), text.length);
    markdown_print(page, PAGE_WIDTH, false, &lines);
    cli_print_escaped(stdout, text_get(&lines));
    markdown_free(page);
    text_free(&lines);
    text_free(&text);
}

static int run_hint(struct cli_call *call)
{
    const struct lesson *lesson = call->chosen[0];
    struct progress *progress = call->lessons->progress;
    bool again = ((const struct flag_request *)call->request)->flag;
    struct diagnostic diagnostic = {0};
    int shown = progress_get(progress, lesson->id)->hints, total = (int)lesson->hint_count;
    if (shown > total)
        shown = total;
    if (again && shown == 0) {
        cli_print("No hint of %s has been shown yet; 'bankshot hint %s' shows the first of %d.\n", lesson->name,
                  lesson->name, total);
        return CLI_PASSED;
    }
    if (!again && shown == total) {
        cli_print("%s has no more hints; you have seen all %d ('bankshot hint --again %s').\n", lesson->name, total,
                  lesson->name);
        return CLI_PASSED;
    }
    int first = again ? 0 : shown, last = again ? shown : shown + 1;
    for (int i = first; i < last; i++)
        print_hint(lesson, i);
    if (!again && progress_set_hints(progress, lesson->id, last, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic);
    return CLI_PASSED;
}

const struct cli_command cli_command_hint = {
    .name = "hint",
    .arguments = "[LESSON]",
    .summary = "Show the next hint of a lesson",
    .options = hint_options,
    .request_size = sizeof(struct flag_request),
    .scope = CLI_ONE_LESSON,
    .run = run_hint,
};

// ---- reset

static int run_reset(struct cli_call *call)
{
    struct lesson *lesson = call->chosen[0];
    struct diagnostic diagnostic = {0};
    char *backup = NULL;
    if (lesson_reset(lesson, &backup, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    cli_print("%s is as it was at the start", lesson->exercise);
    if (backup)
        cli_print("; your version is kept in %s", backup);
    cli_print(".\n");
    free(backup);
    return CLI_PASSED;
}

const struct cli_command cli_command_reset = {
    .name = "reset",
    .arguments = "LESSON",
    .summary = "Put an exercise back to its start; your version is kept beside it",
    .scope = CLI_ONE_LESSON,
    .least_words = 1,
    .word_rule = "name the lesson to reset",
    .run = run_reset,
};

// ---- solution

static const struct cli_option solution_options[] = {
    {'y', "yes", NULL, "show it even if the lesson is not passed yet", CLI_TO_FLAG(struct flag_request, flag)},
    {0},
};

static int run_solution(struct cli_call *call)
{
    const struct lesson *lesson = call->chosen[0];
    bool yes = ((const struct flag_request *)call->request)->flag;
    struct diagnostic diagnostic = {0};
    char *text = NULL;
    size_t length = 0;
    if (!yes && progress_get(call->lessons->progress, lesson->id)->state < PROGRESS_PASSED) {
        cli_error("%s is not passed yet; 'bankshot hint %s' may be what you want; --yes shows the solution "
                  "anyway",
                  lesson->name, lesson->name);
        return CLI_FAILED;
    }
    if (file_read(lesson->solution, SOURCE_MAX_BYTES, &text, &length, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    cli_print_bytes(text, length);
    free(text);
    return CLI_PASSED;
}

const struct cli_command cli_command_solution = {
    .name = "solution",
    .arguments = "[LESSON]",
    .summary = "Print a lesson's solution, once you have passed it",
    .options = solution_options,
    .request_size = sizeof(struct flag_request),
    .scope = CLI_ONE_LESSON,
    .run = run_solution,
};
