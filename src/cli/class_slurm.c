// `class --slurm`: the jobs of a class as an array job of Slurm's. SQLite is not safe on network file systems, so tasks
// write a file for each answer, whole or not at all, into a folder that all nodes see; who submitted collects them.
//
//     plan.json   options, and for each job its id and lesson     ID.cu     what it is to grade
//     job.sh      what Slurm runs                                 ID.json   the answer: grade_report_json
//                                                                 N.log     what task N said
// The array job is named after the folder, so that who was killed after submitting finds it again.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/class.h"
#include "toolchain/toolchain.h"

enum { ANSWER_MAX = 64 << 20, TASKS_MAX = 1000, EACH = 4 }; // jobs of a task, while there are few

static const char job_script[] = "#!/bin/sh\n"
                                 "exec \"$1\" slurm-task \"$2\" \"$SLURM_ARRAY_TASK_ID\" \"$3\"\n";

struct slurm {
    struct arena *arena;
    struct pool_job *jobs;
    size_t count, done;
    const struct slurm_options *options;
    pool_progress *progress;
    void *context;
    struct diagnostic *diagnostic;
    const char *name; // of the array job
    char *number;     // NULL: none was submitted
    bool may_run;     // an earlier one: Slurm does not say
};

static const char *spool_path(struct arena *arena, const char *folder, int64_t id, const char *ending)
{
    return arena_printf(arena, "%s/%lld.%s", folder, (long long)id, ending);
}

// ---- Slurm's commands

// What cancels is asked for after the stop, and does not keep anybody who wants to leave.
enum { ANSWER_SECONDS = 120, LEAVE_SECONDS = 20 };

// Its output, without the end of line; NULL: it could not be run, or failed. cancel: looked at while it runs, or NULL.
static char *ask_slurm(struct slurm *slurm, const char **argv, const atomic_bool *cancel, struct diagnostic *diagnostic)
{
    char program[4096];
    struct process_result result = {0};
    char *answer = NULL;
    if (!file_find_program(argv[0], program, sizeof program)) {
        diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "there is no %s here. Grade where Slurm's commands are.",
                       argv[0]);
        return NULL;
    }
    const char *const *environment = (const char *const *)environ;
    struct process_options options = {.argv = argv, .environment = environment, .cancel = cancel};
    options.limits.wall_seconds = cancel ? ANSWER_SECONDS : LEAVE_SECONDS;
    const char *name = argv[0];
    argv[0] = program;
    enum status status = process_run(&options, &result, diagnostic);
    if (status == STATUS_OK && process_succeeded(&result)) {
        const char *out = text_get(&result.out);
        answer = arena_strndup(slurm->arena, out, strcspn(out, "\n"));
    } else if (status == STATUS_OK) {
        const char *said = text_get(&result.err);
        char end[128];
        if (*said && result.end == PROCESS_EXITED)
            diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "%s refused: %.*s", name, (int)strcspn(said, "\n"), said);
        else
            diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "%s %s", name, process_describe(&result, end, sizeof end));
    }
    argv[0] = name;
    process_result_free(&result);
    return answer;
}

static bool is_job_number(const char *text)
{
    return text && *text && text[strspn(text, "0123456789")] == '\0';
}

static bool is_running(struct slurm *slurm)
{
    const char *argv[] = {"squeue", "--noheader", "--format=%T", "--jobs", slurm->number, NULL};
    struct diagnostic why = {0};
    char *answer = ask_slurm(slurm, argv, pool_stop_flag(), &why);
    // A controller that does not answer does not end the job; a job that it does not know has ended.
    return answer ? *answer != '\0' : !strstr(why.message, "Invalid job id");
}

static void cancel_job(struct slurm *slurm)
{
    const char *argv[] = {"scancel", slurm->number, NULL};
    ask_slurm(slurm, argv, NULL, NULL);
}

static enum status submit(struct slurm *slurm, size_t left)
{
    const struct slurm_options *options = slurm->options;
    struct arena *arena = slurm->arena;
    size_t tasks = (left + EACH - 1) / EACH, count = 0;
    const char *argv[24];
    char *program = process_own_path();
    tasks = tasks < 2 && left > 1 ? 2 : tasks > TASKS_MAX ? TASKS_MAX : tasks;
    argv[count++] = "sbatch";
    argv[count++] = "--parsable";
    argv[count++] = arena_printf(arena, "--job-name=%s", slurm->name);
    argv[count++] = arena_printf(arena, "--chdir=%s", options->folder);
    argv[count++] = "--output=%a.log";
    argv[count++] = options->at_once ? arena_printf(arena, "--array=0-%zu%%%zu", tasks - 1, options->at_once)
                                     : arena_printf(arena, "--array=0-%zu", tasks - 1);
    if (options->partition)
        argv[count++] = arena_printf(arena, "--partition=%s", options->partition);
    if (options->gpus)
        argv[count++] = arena_printf(arena, "--gpus=%d", options->gpus);
    argv[count++] = arena_printf(arena, "%s/job.sh", options->folder);
    argv[count++] = program ? program : "bankshot";
    argv[count++] = options->folder;
    argv[count++] = arena_printf(arena, "%zu", tasks);
    argv[count] = NULL;
    char *number = ask_slurm(slurm, argv, pool_stop_flag(), slurm->diagnostic);
    free(program);
    if (!number) // stopped: a job that Slurm has taken all the same ends by itself, as its folder is gone
        return pool_is_stopped() ? STATUS_CANCELLED : STATUS_ENVIRONMENT;
    number[strcspn(number, ";")] = '\0'; // a cluster's name may follow
    if (!is_job_number(number))
        return diagnostic_set(slurm->diagnostic, STATUS_ENVIRONMENT, "sbatch gave no job's number, but '%.60s'.",
                              number);
    slurm->number = number;
    return STATUS_OK;
}

// ---- the folder

static enum status write_plan(struct slurm *slurm, const struct pool_options *pool)
{
    const struct grade_options *grade = pool->grade;
    const char *folder = slurm->options->folder;
    json_t *jobs = json_array();
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < slurm->count; i++) {
        const struct pool_job *job = &slurm->jobs[i];
        if (job->done)
            continue;
        json_array_append_new(
            jobs, json_pack("{s:I, s:o}", "id", (json_int_t)job->id, "lesson", fields_name(job->lesson->id)));
        status = file_write_quick(spool_path(slurm->arena, folder, job->id, "cu"), job->bytes, job->length,
                                  slurm->diagnostic);
    }
    json_t *plan = json_pack("{s:I, s:s, s:s, s:s?, s:o}", "seed", (json_int_t)grade->seed, "compiler", grade->compiler,
                             "device", grade->device, "gpu_model", grade->gpu_model, "jobs", jobs);
    char *text = json_dumps(plan, JSON_COMPACT);
    if (!status)
        status = file_write(arena_printf(slurm->arena, "%s/plan.json", folder), text, strlen(text), slurm->diagnostic);
    if (!status)
        status = file_write(arena_printf(slurm->arena, "%s/job.sh", folder), job_script, sizeof job_script - 1,
                            slurm->diagnostic);
    free(text);
    json_decref(plan);
    return status;
}

static void tell_done(struct slurm *slurm, struct pool_job *job)
{
    pool_finish(job);
    slurm->done++;
    slurm->progress(slurm->context, job, slurm->done, slurm->count);
}

static void collect(struct slurm *slurm)
{
    for (size_t i = 0; i < slurm->count; i++) {
        struct pool_job *job = &slurm->jobs[i];
        const char *path = spool_path(slurm->arena, slurm->options->folder, job->id, "json");
        char *text = NULL;
        size_t length;
        if (job->done || file_read(path, ANSWER_MAX, &text, &length, NULL) != STATUS_OK)
            continue;
        json_t *json = json_loadb(text, length, 0, NULL);
        grade_report_read(json, &job->report, &job->error);
        json_decref(json);
        free(text);
        tell_done(slurm, job);
        unlink(path);
        unlink(spool_path(slurm->arena, slurm->options->folder, job->id, "cu"));
    }
}

// Ends when all are done, when the array job has ended, or by a signal.
static void follow_job(struct slurm *slurm)
{
    enum { LOOK_MICROSECONDS = 300000, ASK_SECONDS = 3 };
    double asked = clock_seconds();
    while (slurm->done < slurm->count && !pool_is_stopped()) {
        usleep(LOOK_MICROSECONDS);
        bool is_asked = clock_seconds() - asked > (int)ASK_SECONDS;
        bool has_ended = is_asked && !is_running(slurm); // before the last look
        collect(slurm);
        if (has_ended)
            return;
        if (is_asked)
            asked = clock_seconds();
    }
}

// What the array job did not answer for: its node failed, its time was up, or its task says why it could not.
static void give_up(struct slurm *slurm)
{
    for (size_t i = 0; i < slurm->count; i++)
        if (!slurm->jobs[i].done) {
            diagnostic_set(&slurm->jobs[i].error, STATUS_ENVIRONMENT,
                           "Slurm's job %s ended without an answer ('sacct -j %s' may say why; its tasks must see this "
                           "folder and this program). --resume tries again.",
                           slurm->number, slurm->number);
            tell_done(slurm, &slurm->jobs[i]);
        }
}

// An array job that an earlier run left; it is cancelled unless that is resumed.
static void find_job(struct slurm *slurm)
{
    const char *folder = slurm->options->folder;
    const char *argv[] = {"squeue", "--me", "--noheader", "--format=%A", "--name", slurm->name, NULL};
    char *number = ask_slurm(slurm, argv, pool_stop_flag(), NULL);
    slurm->number = is_job_number(number) ? number : NULL;
    slurm->may_run = !number && slurm->options->resume && file_is_folder(folder);
    if (slurm->options->resume)
        return;
    if (slurm->number)
        cancel_job(slurm);
    slurm->number = NULL;
    file_remove_tree(folder);
}

static enum status run_all_jobs(struct slurm *slurm, const struct pool_options *pool)
{
    find_job(slurm);
    if (mkdir(slurm->options->folder, 0700) != 0 && errno != EEXIST)
        return diagnostic_set(slurm->diagnostic, STATUS_IO, "%s: %s. All nodes must see this folder.",
                              slurm->options->folder, strerror(errno));
    collect(slurm);
    if (slurm->number) // what is new since it was submitted comes after it
        follow_job(slurm);
    if (slurm->done == slurm->count || pool_is_stopped())
        return STATUS_OK;
    enum status status = write_plan(slurm, pool);
    if (!status)
        status = submit(slurm, slurm->count - slurm->done);
    if (status)
        return status;
    follow_job(slurm);
    if (!pool_is_stopped())
        give_up(slurm);
    return STATUS_OK;
}

enum status slurm_run(struct pool_job *jobs, size_t count, const struct pool_options *pool,
                      const struct slurm_options *options, pool_progress *progress, void *context,
                      struct diagnostic *diagnostic)
{
    struct slurm slurm = {.arena = arena_new(),
                          .jobs = jobs,
                          .count = count,
                          .options = options,
                          .progress = progress,
                          .context = context,
                          .diagnostic = diagnostic};
    struct pool_signals signals;
    slurm.name = arena_printf(slurm.arena, "bankshot-%016llx",
                              (unsigned long long)map_hash(MAP_HASH_START, options->folder, strlen(options->folder)));
    pool_catch(&signals);
    enum status status = count ? run_all_jobs(&slurm, pool) : STATUS_OK;
    if (!status && slurm.done < count) {
        if (slurm.number)
            cancel_job(&slurm);
        status = diagnostic_set(diagnostic, STATUS_CANCELLED, "stopped");
    }
    if (!slurm.may_run || slurm.number || !status)
        file_remove_tree(options->folder);
    pool_release(&signals);
    arena_free(slurm.arena);
    return status;
}

// ---- a task: on a node

struct slurm_task {
    struct arena *arena;
    const char *folder;
    bool is_lost;
};

static void write_answer(void *context, struct pool_job *job, size_t done, size_t count)
{
    struct slurm_task *task = context;
    struct diagnostic diagnostic = {0};
    (void)done;
    (void)count;
    job->report->source = NULL; // the collector has it
    json_t *json = grade_report_json(job->report);
    char *text = json_dumps(json, JSON_COMPACT);
    if (file_write(spool_path(task->arena, task->folder, job->id, "json"), text, strlen(text), &diagnostic)) {
        cli_diagnostic(&diagnostic);
        task->is_lost = true;
    }
    free(text);
    json_decref(json);
    grade_report_free(job->report);
    job->report = NULL;
}

// The jobs of this task that have no answer yet.
static size_t list_jobs(struct slurm_task *task, const json_t *list, const struct lesson_set *set, size_t number,
                        size_t tasks, struct pool_job *jobs)
{
    size_t count = 0;
    for (size_t i = number; i < json_array_size(list); i += tasks) {
        const json_t *entry = json_array_get(list, i);
        const char *id = json_string_value(json_object_get(entry, "lesson"));
        struct pool_job job = {.id = json_integer_value(json_object_get(entry, "id")),
                               .lesson = id ? lesson_set_find(set, id) : NULL};
        char *bytes;
        job.source = spool_path(task->arena, task->folder, job.id, "cu");
        if (!job.lesson || file_exists(spool_path(task->arena, task->folder, job.id, "json")) ||
            file_read_no_link(job.source, TOOLCHAIN_SOURCE_MAX, &bytes, &job.length, NULL) != STATUS_OK)
            continue;
        job.bytes = arena_strndup(task->arena, bytes, job.length);
        free(bytes);
        jobs[count++] = job;
    }
    return count;
}

static int run_task(struct cli_call *call)
{
    struct slurm_task task = {.arena = arena_new(), .folder = call->words[0]};
    struct diagnostic diagnostic = {0};
    long long number, tasks;
    char *text = NULL;
    size_t length;
    if (!cli_number(call->words[1], 0, TASKS_MAX, &number) || !cli_number(call->words[2], 1, TASKS_MAX, &tasks) ||
        file_read(arena_printf(task.arena, "%s/plan.json", task.folder), ANSWER_MAX, &text, &length, &diagnostic)) {
        arena_free(task.arena);
        return cli_error("%s", diagnostic.message[0] ? diagnostic.message : "these are no task's words");
    }
    json_t *plan = json_loadb(text, length, 0, NULL);
    const json_t *list = json_object_get(plan, "jobs");
    struct grade_options grade = {.seed = (uint64_t)json_integer_value(json_object_get(plan, "seed")),
                                  .compiler = json_string_value(json_object_get(plan, "compiler")),
                                  .device = json_string_value(json_object_get(plan, "device")),
                                  .gpu_model = json_string_value(json_object_get(plan, "gpu_model")),
                                  .gpu = -1};
    struct pool_job *jobs = mem_alloc((json_array_size(list) + 1) * sizeof *jobs);
    size_t count = list_jobs(&task, list, &call->lessons->set, (size_t)number, (size_t)tasks, jobs);
    bool whole = pool_run(jobs, count, &(struct pool_options){.grade = &grade, .workers = 1, .apart = true},
                          write_answer, &task);
    pool_free(jobs, count);
    free(jobs);
    json_decref(plan);
    free(text);
    arena_free(task.arena);
    return whole && !task.is_lost ? CLI_PASSED : CLI_USAGE;
}

const struct cli_command cli_command_slurm_task = {
    .name = "slurm-task",
    .arguments = "FOLDER TASK TASKS",
    .summary = "Grade one task's share of a class (for the program's own use)",
    .hidden = true,
    .least_words = 3,
    .most_words = 3,
    .word_rule = "a folder, a task's number, how many there are",
    .scope = CLI_SET,
    .run = run_task,
};
