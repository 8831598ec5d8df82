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

enum { OPTION_JUNIT = CLI_LONG + 100, OPTION_GRADESCOPE, OPTION_HTML, OPTION_SEED };

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
    {OPTION_JUNIT, "junit", NULL, "print JUnit XML"},
    {OPTION_GRADESCOPE, "gradescope", NULL, "print Gradescope's results.json"},
    {OPTION_HTML, "html", "FILE", "write a page with tables and heatmap as well (one lesson)"},
    {'f', "file", "SOURCE", "grade this file instead of the exercise (one lesson)"},
    {'q', "quick", NULL, "counters and the smallest sizes only"},
    {'v', "verbose", NULL, "every size and every hazard"},
    {OPTION_SEED, "seed", "N", "the same inputs each time"},
    CLI_OPTION_COMPILER,
    CLI_OPTIONS_DEVICE,
    {0},
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_JUNIT, FORMAT_GRADESCOPE };

struct request {
    struct grade_options grade;
    enum format format;
    const char *html;
    bool verbose;
};

static const struct cli_command *const self = &cli_command_check;

static size_t count_passed(const struct pool_job *jobs, size_t count)
{
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += jobs[i].report && jobs[i].report->verdict == VERDICT_PASS;
    return passed;
}

static struct grade_report **collect(const struct pool_job *jobs, size_t count, size_t *found)
{
    struct grade_report **reports = mem_alloc((count + 1) * sizeof(struct grade_report *));
    *found = 0;
    for (size_t i = 0; i < count; i++)
        if (jobs[i].report)
            reports[(*found)++] = jobs[i].report;
    return reports;
}

static void put_json(json_t *json, struct text *out)
{
    char *text = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    text_puts(out, text);
    text_puts(out, "\n");
    free(text);
    json_decref(json);
}

static void put_reports(const struct pool_job *jobs, size_t count, struct text *out)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (jobs[i].report)
            json_array_append_new(array, grade_report_json(jobs[i].report));
    put_json(
        json_pack("{s:i, s:i, s:o}", "passed", (int)count_passed(jobs, count), "total", (int)count, "reports", array),
        out);
}

static void put_text(const struct pool_job *jobs, size_t count, const struct request *request, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct pool_job *job = &jobs[i];
        if (job->report && count == 1)
            report_text(job->report, job->lesson->title, request->verbose, out);
        else if (job->report)
            report_line(job->report, job->lesson->name, out);
    }
    if (count > 1)
        text_printf(out, "\n%zu of %zu passed\n", count_passed(jobs, count), count);
}

static void put(const struct pool_job *jobs, size_t count, const struct request *request, struct text *out)
{
    size_t found;
    struct grade_report **reports = collect(jobs, count, &found);
    if (request->format == FORMAT_JSON)
        put_reports(jobs, count, out);
    else if (request->format == FORMAT_JUNIT)
        report_junit(reports, found, out);
    else if (request->format == FORMAT_GRADESCOPE)
        put_json(report_gradescope(reports, found), out);
    else
        put_text(jobs, count, request, out);
    free(reports);
}

static int write_html(const struct pool_job *job, const char *path)
{
    struct diagnostic diagnostic = {0};
    struct text page = {0};
    if (!job->report)
        return CLI_USAGE;
    report_html(job->report, job->lesson->title, &page);
    enum status status = file_write(path, text_get(&page), page.length, &diagnostic);
    text_free(&page);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

// The worst of all: something of the environment, else something failed.
static int exit_of(const struct pool_job *jobs, size_t count)
{
    int worst = CLI_PASSED;
    for (size_t i = 0; i < count; i++) {
        int exit = jobs[i].report ? verdict_exit(jobs[i].report->verdict) : cli_diagnostic(&jobs[i].error);
        if (exit > worst)
            worst = exit;
    }
    return worst;
}

static int grade(struct lessons *lessons, struct pool_job *jobs, size_t count, const struct request *request)
{
    struct text out = {0};
    pool_run(jobs, count, &request->grade, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (jobs[i].report && !jobs[i].source)
            lessons_keep(lessons, jobs[i].report);
    put(jobs, count, request, &out);
    fputs(text_get(&out), stdout);
    text_free(&out);
    int status = exit_of(jobs, count);
    if (request->html) {
        int written = write_html(&jobs[0], request->html);
        status = written > status ? written : status;
    }
    return status;
}

static int check(struct lessons *lessons, char **words, int word_count, const struct request *request)
{
    size_t count = word_count ? (size_t)word_count : lessons->set.count;
    if ((request->html || request->grade.source) && word_count != 1)
        return cli_usage(self, "--%s wants one lesson", request->html ? "html" : "file");
    struct pool_job *jobs = mem_alloc((count + 1) * sizeof *jobs);
    int status = CLI_PASSED;
    for (size_t i = 0; i < count && status == CLI_PASSED; i++) {
        jobs[i].lesson = word_count ? lessons_pick(lessons, words[i]) : lessons->set.items[i];
        jobs[i].source = request->grade.source;
        status = jobs[i].lesson ? CLI_PASSED : CLI_USAGE;
    }
    if (status == CLI_PASSED)
        status = grade(lessons, jobs, count, request);
    pool_free(jobs, count);
    free(jobs);
    return status;
}

static int take_option(struct request *request, int id, const char *value)
{
    long long seed;
    switch (id) {
    case OPTION_JUNIT:
        request->format = FORMAT_JUNIT;
        break;
    case OPTION_GRADESCOPE:
        request->format = FORMAT_GRADESCOPE;
        break;
    case OPTION_HTML:
        request->html = value;
        break;
    case 'f':
        request->grade.source = value;
        break;
    case 'q':
        request->grade.quick = true;
        break;
    case 'v':
        request->verbose = true;
        break;
    case OPTION_SEED:
        if (!cli_number(value, 1, INT64_MAX, &seed))
            return cli_usage(self, "--seed wants a number from 1, not '%s'", value);
        request->grade.seed = (uint64_t)seed;
        break;
    default:
        break;
    }
    return CLI_PASSED;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    struct cli_line line = cli_begin(self, argc, argv);
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        int status = id == CLI_STOP ? line.exit : take_option(&request, id, line.value);
        if (id == CLI_STOP || status != CLI_PASSED)
            return status;
    }
    lessons_apply(&line.settings, &request.grade);
    if (line.settings.json)
        request.format = FORMAT_JSON;
    struct lessons lessons;
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    int count;
    char **words = cli_rest(&line, &count);
    int status = check(&lessons, words, count, &request);
    lessons_close(&lessons);
    return status;
}

const struct cli_command cli_command_check = {
    .name = "check",
    .arguments = "[LESSON…]",
    .summary = "Grade your exercises: all of them, or those named",
    .description = "A lesson is named by number, name or id: 4, padding, 04-padding. One lesson\n"
                   "gets a report, several a table. Every run uses fresh random inputs unless\n"
                   "--seed is given.",
    .options = options,
    .run = run,
};
