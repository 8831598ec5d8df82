// `export`: what a course system needs to grade with the lab; `autograde`: what it then runs for each hand-in.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/lessons.h"
#include "course/export.h"
#include "course/hand_in.h"
#include "course/results.h"
#include "grade/report.h"
#include "toolchain/sandbox.h"

static const char *const moments[] = {"visible", "after_due_date", "after_published", "hidden", NULL};

// How Gradescope is to count: `export` takes these and hands them on to `autograde`.
#define POLICY(type, member, from, to) CLI_TO_NUMBER(type, at.member, from, to, "a number from " #from " to " #to)
#define OPTIONS_POLICY(type)                                                                                           \
    {0, "points", "N", "gradescope: points for all lessons together (default: 100 for each)",                          \
     POLICY(type, points, 1, 100000)},                                                                                 \
        {0, "late-days", "N", "gradescope: handed in later than this after the due date, it gets 0",                   \
         POLICY(type, late_days, 0, 1000)},                                                                            \
        {0, "late-penalty", "PERCENT", "gradescope: taken off for each day that was begun (default: 0)",               \
         POLICY(type, late_penalty, 0, 100)},                                                                          \
        {0, "attempts", "N", "gradescope: how many submissions are graded (default: all)",                             \
         POLICY(type, attempts, 1, 100000)},                                                                           \
        {0, "leaderboard", NULL, "gradescope: put score, time and wavefronts of what passed on the leaderboard",       \
         CLI_TO_FLAG(type, at.leaderboard)},                                                                           \
        {0, "visibility", "WHEN", "gradescope: visible (default), after_due_date, after_published or hidden",          \
         CLI_TO_CHOICE(type, at.visibility, moments)},                                                                 \
    {                                                                                                                  \
        0, "stdout-visibility", "WHEN", "gradescope: the same of the log (default: hidden)",                           \
            CLI_TO_CHOICE(type, at.stdout_visibility, moments)                                                         \
    }
#define POLICY_DEFAULTS                                                                                                \
    {                                                                                                                  \
        .late_days = RESULTS_ANY_DAYS                                                                                  \
    }

// ---- autograde

enum form { FORM_GRADESCOPE, FORM_CLASSROOM50, FORM_JUNIT };
static const char *const forms[] = {"gradescope", "classroom50", "junit", NULL};

struct autograde_request {
    struct grade_options grade;
    struct results_policy at;
    const char *form, *hand_in, *metadata, *out;
    bool unconfined;
};

static const struct cli_option autograde_options[] = {
    {0, "as", "SYSTEM", "gradescope, classroom50 or junit", CLI_TO_CHOICE(struct autograde_request, form, forms)},
    {0, "hand-in", "FOLDER", "what was handed in (default: the current folder)",
     CLI_TO_STRING(struct autograde_request, hand_in)},
    {0, "metadata", "FILE", "gradescope: submission_metadata.json", CLI_TO_STRING(struct autograde_request, metadata)},
    {0, "out", "FILE", "write there instead of printing", CLI_TO_STRING(struct autograde_request, out)},
    OPTIONS_POLICY(struct autograde_request),
    {0, "unconfined", NULL, "grade even where neither Landlock nor seccomp can confine it",
     CLI_TO_FLAG(struct autograde_request, unconfined)},
    CLI_OPTION_COMPILER(struct autograde_request, grade),
    CLI_OPTIONS_DEVICE(struct autograde_request, grade),
    {0},
};

static enum form form_of(const struct autograde_request *request)
{
    enum form form = FORM_GRADESCOPE;
    while (request->form && strcmp(forms[form], request->form) != 0)
        form++;
    return request->form ? form : FORM_JUNIT;
}

// Nothing handed in: not started, as a starter would be.
static struct grade_report *report_missing(const struct lesson *lesson, const struct diagnostic *why)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = arena_strdup(report->arena, lesson->id);
    report->verdict = VERDICT_NOT_STARTED;
    snprintf(report->next, sizeof report->next, "%.500s", why->message);
    return report;
}

struct marking {
    struct cli_call *call;
    const struct autograde_request *request;
    struct arena *arena;
    struct pool_job *jobs;         // of what was found
    struct grade_report **reports; // by lesson
    size_t job_count;
};

// Grades what is there. False after a message: the machine's fault.
static bool mark(struct marking *marking)
{
    struct cli_call *call = marking->call;
    size_t count = call->chosen_count;
    const char *folder = marking->request->hand_in ? marking->request->hand_in : ".";
    for (size_t i = 0; i < count; i++) {
        struct diagnostic why = {0};
        struct text others = {0};
        char path[PATH_MAX];
        enum status status = hand_in_find(folder, call->chosen[i], path, sizeof path, &others, &why);
        if (others.length)
            cli_error("%s is graded; also there for %s, and not graded: %s", path, call->chosen[i]->id,
                      text_get(&others));
        text_free(&others);
        if (status == STATUS_PARSE)
            marking->reports[i] = report_missing(call->chosen[i], &why);
        else if (status != STATUS_OK)
            return cli_diagnostic(&why), false;
        else
            marking->jobs[marking->job_count++] =
                (struct pool_job){.lesson = call->chosen[i], .source = arena_strdup(marking->arena, path)};
    }
    struct pool_options options = {.grade = &marking->request->grade, .apart = true};
    bool good = pool_run(marking->jobs, marking->job_count, &options, NULL, NULL);
    for (size_t i = 0, next = 0; i < count; i++) {
        struct grade_report *report = marking->reports[i];
        if (!report) {
            report = marking->reports[i] = marking->jobs[next].report;
            marking->jobs[next++].report = NULL;
        }
        if (!report || verdict_exit(report->verdict) != CLI_USAGE)
            continue;
        cli_error("%s: %s: %s", call->chosen[i]->id, verdict_name(report->verdict), report->next);
        good = false;
    }
    return good;
}

static int write_results(const struct autograde_request *request, struct text *text)
{
    struct diagnostic diagnostic = {0};
    struct stat info;
    if (!request->out) {
        cli_print_text(text);
        return CLI_PASSED;
    }
    // Beside a hand-in, a link under that name is the student's, and would be written through.
    if (lstat(request->out, &info) == 0 && S_ISLNK(info.st_mode))
        unlink(request->out);
    enum status status = file_write(request->out, text_get(text), text->length, &diagnostic);
    text_free(text);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

static int write_json(const struct autograde_request *request, json_t *json)
{
    struct text text = {0};
    char *dump = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    text_printf(&text, "%s\n", dump ? dump : "");
    free(dump);
    json_decref(json);
    return write_results(request, &text);
}

static void say_marks(const struct marking *marking)
{
    struct text lines = {0};
    for (size_t i = 0; i < marking->call->chosen_count; i++)
        report_line(marking->reports[i], marking->call->chosen[i]->name, &lines);
    cli_print_text(&lines);
}

// 0 when a course system was told, whatever the marks are; a CI job is red when a lesson is not passed.
static int hand_back(const struct marking *marking, const struct results_submission *submission)
{
    const struct autograde_request *request = marking->request;
    struct grade_report **reports = marking->reports;
    size_t count = marking->call->chosen_count;
    enum form form = form_of(request);
    struct text text = {0};
    if (request->out)
        say_marks(marking);
    if (form == FORM_GRADESCOPE)
        return write_json(request, results_gradescope(reports, count, &request->at, submission));
    if (form == FORM_CLASSROOM50)
        return write_json(request, results_classroom50(reports, count));
    report_junit(reports, count, &text);
    int status = write_results(request, &text);
    for (size_t i = 0; i < count && status == CLI_PASSED; i++)
        status = verdict_exit(reports[i]->verdict);
    return status;
}

static int autograde(struct cli_call *call, const struct results_submission *submission)
{
    size_t count = call->chosen_count;
    struct marking marking = {.call = call,
                              .request = call->request,
                              .arena = arena_new(),
                              .jobs = mem_alloc((count + 1) * sizeof *marking.jobs),
                              .reports = mem_alloc((count + 1) * sizeof(struct grade_report *))};
    int status = mark(&marking) ? hand_back(&marking, submission) : CLI_USAGE;
    pool_free(marking.jobs, marking.job_count);
    for (size_t i = 0; i < count; i++)
        grade_report_free(marking.reports[i]);
    free(marking.reports);
    free(marking.jobs);
    arena_free(marking.arena);
    return status;
}

static int run_autograde(struct cli_call *call)
{
    const struct autograde_request *request = call->request;
    struct results_submission submission = {0};
    struct diagnostic diagnostic = {0};
    if (!request->unconfined && !sandbox_is_there())
        return cli_error("this kernel has neither Landlock nor seccomp to confine what others wrote: grade where one "
                         "is, or say --unconfined");
    if (!call->word_count && call->lessons->set.broken.count)
        return CLI_USAGE; // told already
    if (request->metadata && results_read_submission(request->metadata, &submission, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic), CLI_USAGE;
    const struct results_submission *known = request->metadata ? &submission : NULL;
    int status = results_attempts_used(known, &request->at)
                     ? write_json(request, results_gradescope_again(&request->at, known))
                     : autograde(call, known);
    results_free_submission(&submission);
    return status;
}

const struct cli_command cli_command_autograde = {
    .name = "autograde",
    .arguments = "[LESSON…]",
    .summary = "Grade one hand-in for a course system: what an export runs",
    .description = "The hand-in is NN-name.cu or name.cu in the folder, or either in exercises/\n"
                   "below it; links are not followed. Exit status: 0 when it graded, whatever the\n"
                   "marks are (junit: 1 when a lesson is not passed); 2 when the machine could\n"
                   "not, and then nothing is written.",
    .options = autograde_options,
    .request_size = sizeof(struct autograde_request),
    .defaults = &(const struct autograde_request){.grade = CLI_RUN_DEFAULTS, .at = POLICY_DEFAULTS},
    .scope = CLI_EACH_LESSON,
    .run = run_autograde,
};

// ---- export

struct write_request {
    struct results_policy at;
    struct cli_list lessons;
    const char *bundle, *out;
};

static const struct cli_option export_options[] = {
    {0, "lesson", "LESSON", "what is graded; may be repeated (default: all)",
     CLI_TO_LIST(struct write_request, lessons)},
    {0, "out", "PATH", "where to (default: autograder.zip, or the folder bankshot-SYSTEM)",
     CLI_TO_STRING(struct write_request, out)},
    {0, "bundle", "FOLDER", "what 'make bundle' wrote (default: this program's, else the one in dist/)",
     CLI_TO_STRING(struct write_request, bundle)},
    OPTIONS_POLICY(struct write_request),
    {0},
};

static bool is_shell_word(const char *word)
{
    return *word && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._") == strlen(word);
}

// The words of `autograde`. False after a message.
static bool put_arguments(struct cli_call *call, struct text *out)
{
    const struct write_request *request = call->request;
    const struct results_policy *at = &request->at;
    const struct {
        const char *name;
        int value, otherwise;
    } numbers[] = {{"points", at->points, 0},
                   {"late-days", at->late_days, RESULTS_ANY_DAYS},
                   {"late-penalty", at->late_penalty, 0},
                   {"attempts", at->attempts, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value != numbers[i].otherwise)
            text_printf(out, "--%s %d ", numbers[i].name, numbers[i].value);
    text_puts(out, at->leaderboard ? "--leaderboard " : "");
    if (at->visibility)
        text_printf(out, "--visibility %s ", at->visibility);
    if (at->stdout_visibility)
        text_printf(out, "--stdout-visibility %s ", at->stdout_visibility);
    const struct lesson_set *set = &call->lessons->set;
    size_t count = request->lessons.count ? request->lessons.count : set->count;
    for (size_t i = 0; i < count; i++) {
        const struct lesson *lesson =
            request->lessons.count ? lessons_pick(call->lessons, request->lessons.items[i]) : set->items[i];
        if (lesson && !is_shell_word(lesson->id))
            cli_error("%s: a lesson that is exported is named in letters, digits and -._ only", lesson->id);
        if (!lesson || !is_shell_word(lesson->id))
            return false;
        text_printf(out, "%s%s", lesson->id, i + 1 < count ? " " : "");
    }
    return true;
}

static int write_export(struct cli_call *call, enum export_system system, const char *arguments)
{
    const struct write_request *asked = call->request;
    struct diagnostic diagnostic = {0};
    struct text out = {0};
    if (!asked->out && system == EXPORT_gradescope)
        text_puts(&out, "autograder.zip");
    else if (!asked->out)
        text_printf(&out, "bankshot-%s", export_names[system]);
    else
        text_puts(&out, asked->out);
    struct export_request request = {.system = system,
                                     .arguments = arguments,
                                     .bundle = asked->bundle,
                                     .out = text_get(&out),
                                     .lessons = &call->lessons->set};
    enum status status = export_write(&request, &diagnostic);
    if (status == STATUS_OK)
        cli_print("%s: %s. It grades: %s\n", text_get(&out), export_what[system], arguments);
    text_free(&out);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

static int run_export(struct cli_call *call)
{
    struct text arguments = {0};
    int system = 0;
    while (system < EXPORT_COUNT && strcmp(export_names[system], call->words[0]) != 0)
        system++;
    if (system == EXPORT_COUNT) {
        cli_unknown("system", call->words[0], export_names, EXPORT_COUNT, "bankshot help export");
        return CLI_USAGE;
    }
    int status = put_arguments(call, &arguments) ? write_export(call, (enum export_system)system, text_get(&arguments))
                                                 : CLI_USAGE;
    text_free(&arguments);
    return status;
}

const struct cli_command cli_command_export = {
    .name = "export",
    .arguments = "SYSTEM",
    .summary = "Write what a course system needs to grade with the lab",
    .description = "SYSTEM is gradescope (autograder.zip), classroom50 (autograder.py), github (a\n"
                   "workflow), gitlab (.gitlab-ci.yml) or jenkins (Jenkinsfile). Each export\n"
                   "carries the lab as a bundle with the lessons that it knows, and runs 'bankshot\n"
                   "autograde'.",
    .options = export_options,
    .request_size = sizeof(struct write_request),
    .defaults = &(const struct write_request){.at = POLICY_DEFAULTS},
    .least_words = 1,
    .most_words = 1,
    .word_rule = "say for which system: gradescope, classroom50, github, gitlab or jenkins",
    .scope = CLI_SET,
    .run = run_export,
};
