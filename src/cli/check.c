// `check`: grade exercises, as text, JSON, JUnit, Gradescope or a page.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/lessons.h"
#include "grade/report.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_JUNIT, FORMAT_GRADESCOPE };

struct check_request {
    struct grade_options grade;
    enum format format;
    const char *html;
    bool verbose;
};

#define FORMAT(chosen) CLI_TO_FLAG(struct check_request, format), .value = chosen
static const struct cli_option check_options[] = {
    {0, "json", NULL, "print JSON instead of text", FORMAT(FORMAT_JSON)},
    {0, "junit", NULL, "print JUnit XML", FORMAT(FORMAT_JUNIT)},
    {0, "gradescope", NULL, "print Gradescope's results.json", FORMAT(FORMAT_GRADESCOPE)},
    {0, "html", "FILE", "also write a page with tables and heatmap (one lesson)",
     CLI_TO_STRING(struct check_request, html)},
    {'f', "file", "SOURCE", "grade this file instead of the exercise (one lesson)",
     CLI_TO_STRING(struct check_request, grade.source)},
    {'q', "quick", NULL, "counters and the smallest sizes only", CLI_TO_FLAG(struct check_request, grade.quick)},
    {0, "as-written", NULL, "look for hazards in the source without optimisation, too",
     CLI_TO_FLAG(struct check_request, grade.as_written)},
    {'v', "verbose", NULL, "every size and every hazard", CLI_TO_FLAG(struct check_request, verbose)},
    {0, "seed", "N", "the same inputs each time",
     CLI_TO_NUMBER(struct check_request, grade.seed, 1, INT64_MAX, "a number from 1")},
    CLI_OPTION_COMPILER(struct check_request, grade),
    CLI_OPTIONS_DEVICE(struct check_request, grade),
    {0},
};
#undef FORMAT

static size_t count_passed(const struct pool_job *jobs, size_t count)
{
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += jobs[i].report->verdict == VERDICT_PASS;
    return passed;
}

static struct grade_report **reports_of(const struct pool_job *jobs, size_t count)
{
    struct grade_report **reports = mem_alloc((count + 1) * sizeof(struct grade_report *));
    for (size_t i = 0; i < count; i++)
        reports[i] = jobs[i].report;
    return reports;
}

static json_t *reports_json(const struct pool_job *jobs, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, grade_report_json(jobs[i].report));
    return json_pack("{s:i, s:i, s:o}", "passed", (int)count_passed(jobs, count), "total", (int)count, "reports",
                     array);
}

static void put_reports_text(const struct pool_job *jobs, size_t count, const struct check_request *request,
                             struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct pool_job *job = &jobs[i];
        if (count == 1)
            report_text(job->report, job->lesson, request->verbose ? REPORT_EXACT : REPORT_BRIEF, out);
        else
            report_line(job->report, job->lesson->name, out);
    }
    if (count > 1)
        text_printf(out, "\n%zu of %zu passed\n", count_passed(jobs, count), count);
}

static void print_answer(const struct pool_job *jobs, size_t count, const struct check_request *request)
{
    struct text out = {0};
    struct grade_report **reports = reports_of(jobs, count);
    if (request->format == FORMAT_JSON)
        cli_print_json(reports_json(jobs, count));
    else if (request->format == FORMAT_GRADESCOPE)
        cli_print_json(report_gradescope(reports, count));
    else if (request->format == FORMAT_JUNIT)
        report_junit(reports, count, &out);
    else
        put_reports_text(jobs, count, request, &out);
    cli_print_text(&out);
    free(reports);
}

static int write_html(const struct pool_job *job, const char *path)
{
    struct diagnostic diagnostic = {0};
    struct text page = {0};
    report_html(job->report, job->lesson, &page);
    enum status status = file_write(path, text_get(&page), page.length, &diagnostic);
    text_free(&page);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

// The worst of all: something of the environment, else something failed.
static int check_exit(const struct pool_job *jobs, size_t count)
{
    int worst = CLI_PASSED;
    for (size_t i = 0; i < count; i++) {
        int exit = verdict_exit(jobs[i].report->verdict);
        if (exit > worst)
            worst = exit;
    }
    return worst;
}

static int run_check(struct cli_call *call)
{
    const struct check_request *request = call->request;
    size_t count = call->chosen_count;
    if ((request->html || request->grade.source) && call->word_count != 1)
        return cli_usage(call->command, "--%s needs one lesson", request->html ? "html" : "file");
    struct pool_job *jobs = mem_alloc((count + 1) * sizeof *jobs);
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct pool_job){.lesson = call->chosen[i], .source = request->grade.source};
    bool whole = pool_run(jobs, count, &(struct pool_options){.grade = &request->grade}, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (!jobs[i].source)
            lessons_keep(call->lessons, jobs[i].report);
    print_answer(jobs, count, request);
    int status = check_exit(jobs, count);
    if (!whole || (!call->word_count && call->lessons->set.broken.count))
        status = CLI_USAGE; // not all that was asked for
    if (request->html) {
        int written = write_html(&jobs[0], request->html);
        status = written > status ? written : status;
    }
    pool_free(jobs, count);
    free(jobs);
    return status;
}

const struct cli_command cli_command_check = {
    .name = "check",
    .arguments = "[LESSON…]",
    .summary = "Grade your exercises: all of them, or those named",
    .description = "A lesson is named by number, name or id: 4, padding, 04-padding. One lesson\n"
                   "gets a report, several a table. Every run uses fresh random inputs unless\n"
                   "--seed is given.",
    .options = check_options,
    .request_size = sizeof(struct check_request),
    .defaults =
        &(const struct check_request){.grade = {.device = "auto", .compiler = "auto", .gpu = -1, .own_gpu = true}},
    .scope = CLI_EACH_LESSON,
    .run = run_check,
};
