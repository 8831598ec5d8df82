// `class report`: marks out of a gradebook, for people, spreadsheets and course systems.
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/class.h"
#include "cli/lessons.h"
#include "course/site.h"

struct class_report_request {
    bool csv, canvas, moodle, json;
    const char *course, *site, *title, *pseudonyms;
    bool timelines;
};

static const struct cli_option class_report_options[] = {
    {0, "csv", NULL, "a row for each student and lesson, with late days and attempts",
     CLI_TO_FLAG(struct class_report_request, csv)},
    {0, "canvas", NULL, "marks as Canvas imports them", CLI_TO_FLAG(struct class_report_request, canvas)},
    {0, "moodle", NULL, "marks as Moodle imports them", CLI_TO_FLAG(struct class_report_request, moodle)},
    CLI_OPTION_JSON(struct class_report_request, json),
    {0, "course", "FILE", "by this course.cfg (default: the one the class was graded with)",
     CLI_TO_STRING(struct class_report_request, course)},
    {0, "site", "FOLDER", "write pages into this folder: students, hand-ins, a leaderboard",
     CLI_TO_STRING(struct class_report_request, site)},
    {0, "title", "TEXT", "the pages' title (default: Class)", CLI_TO_STRING(struct class_report_request, title)},
    {0, "pseudonyms", "WORD", "no names on the leaderboard; the same secret word gives the same pseudonyms",
     CLI_TO_STRING(struct class_report_request, pseudonyms)},
    {0, "timelines", NULL, "replay each kernel for its page's timeline (a second or two each)",
     CLI_TO_FLAG(struct class_report_request, timelines)},
    {0},
};

struct class_report {
    struct arena *arena;
    struct gradebook *book;
    struct course course;
    struct course_mark *marks;
    size_t count;
    const char **lessons; // ids, sorted
    size_t lesson_count, lesson_capacity;
};

void class_print_field(const char *text)
{
    struct text escaped = {0}, field = {0};
    text_escape_name(&escaped, text);
    text_puts(&field, *text && strchr("=+-@'", *text) ? "\"'" : "\"");
    for (const char *at = text_get(&escaped); *at; at++)
        text_append(&field, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    text_puts(&field, "\"");
    cli_print_text(&field);
    text_free(&escaped);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_lessons_of(struct class_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        size_t j = 0;
        while (j < report->lesson_count && strcmp(report->lessons[j], report->marks[i].lesson) != 0)
            j++;
        if (j == report->lesson_count)
            *mem_append(report->lessons, report->lesson_capacity, report->lesson_count) = report->marks[i].lesson;
    }
    if (report->lesson_count)
        qsort(report->lessons, report->lesson_count, sizeof *report->lessons, by_id);
}

static const char *mark_verdict(const struct course_mark *mark)
{
    const struct gradebook_attempt *attempt = mark->attempt;
    return !attempt->number             ? gradebook_state_name(attempt->state)
           : !attempt->result.is_graded ? "not graded"
                                        : verdict_name(attempt->result.verdict);
}

static const char *mark_time(const struct course_mark *mark, char text[32])
{
    time_t seconds = (time_t)(mark->attempt->time / 1000000000);
    struct tm when;
    text[0] = '\0';
    if (mark->attempt->number && gmtime_r(&seconds, &when))
        strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &when);
    return text;
}

static void print_report_csv(const struct class_report *report)
{
    char when[32];
    cli_print("student,lesson,verdict,score,late_days,mark,attempt,attempts,handed_in,diagnosis,file\n");
    for (size_t i = 0; i < report->count; i++) {
        const struct course_mark *mark = &report->marks[i];
        class_print_field(mark->student);
        cli_print(",%s,%s,%.1f,%d,", mark->lesson, mark_verdict(mark), mark->attempt->result.score, mark->late_days);
        if (mark->is_known) // an empty field is no mark, not 0
            cli_print("%.1f", mark->mark);
        cli_print(",%d,%d,%s,", mark->attempt->number, mark->attempt->count, mark_time(mark, when));
        class_print_field(mark->attempt->result.diagnosis);
        cli_print(",");
        class_print_field(mark->attempt->path);
        cli_print("\n");
    }
}

// The student's mark in a lesson; NULL: the lesson was not looked at.
static const struct course_mark *find_mark(const struct course_mark *marks, size_t count, const char *lesson)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(marks[i].lesson, lesson) == 0)
            return &marks[i];
    return NULL;
}

// A column for each lesson: what course systems import. A mark that is not known is an empty field, which they pass
// over.
static void print_columns(const struct class_report *report, bool is_canvas)
{
    size_t count;
    bool is_known;
    cli_print(is_canvas ? "Student,ID,SIS User ID,SIS Login ID,Section" : "username");
    for (size_t i = 0; i < report->lesson_count; i++)
        cli_print(",%s", report->lessons[i]);
    cli_print(is_canvas ? "\n    Points Possible,,,," : "\n");
    for (size_t i = 0; is_canvas && i < report->lesson_count; i++)
        cli_print(",100%s", i + 1 == report->lesson_count ? "\n" : "");
    for (size_t i = 0; i < report->count; i += count) {
        course_total(&report->marks[i], report->count - i, &count, &is_known);
        class_print_field(report->marks[i].student);
        if (is_canvas) {
            cli_print(",,,");
            class_print_field(report->marks[i].student);
            cli_print(",");
        }
        for (size_t j = 0; j < report->lesson_count; j++) {
            const struct course_mark *mark = find_mark(&report->marks[i], count, report->lessons[j]);
            cli_print(",");
            if (mark && mark->is_known)
                cli_print("%.1f", mark->mark);
        }
        cli_print("\n");
    }
}

static void print_marks(const struct class_report *report)
{
    size_t count;
    bool is_known;
    cli_print("%-24s", "");
    for (size_t i = 0; i < report->lesson_count; i++)
        cli_print(" %7.7s", report->lessons[i]);
    cli_print("   total\n");
    for (size_t i = 0; i < report->count; i += count) {
        double total = course_total(&report->marks[i], report->count - i, &count, &is_known);
        struct text name = {0};
        text_escape_name(&name, report->marks[i].student);
        cli_print("%-24s", text_get(&name));
        text_free(&name);
        for (size_t j = 0; j < report->lesson_count; j++) {
            const struct course_mark *mark = find_mark(&report->marks[i], count, report->lessons[j]);
            if (!mark || !mark->attempt->number)
                cli_print(" %7s", "-");
            else if (!mark->is_known)
                cli_print(" %7s", "...");
            else
                cli_print(" %6.0f%s", mark->mark, mark->late_days ? "l" : " ");
        }
        cli_print(" %6.1f%s\n", total, is_known ? "" : "?");
    }
    cli_print("\nl late   - nothing handed in   ... not graded (class --resume)\n");
}

static json_t *mark_json(const struct course_mark *mark)
{
    char when[32];
    const struct gradebook_attempt *attempt = mark->attempt;
    return json_pack("{s:o, s:s, s:f, s:o, s:i, s:f, s:i, s:i, s:o, s:o, s:o, s:o}", "lesson",
                     fields_name(mark->lesson), "verdict", mark_verdict(mark), "score", attempt->result.score, "mark",
                     mark->is_known ? json_real(mark->mark) : json_null(), "late_days", mark->late_days, "weight",
                     mark->weight, "attempt", attempt->number, "attempts", attempt->count, "handed_in",
                     attempt->number ? json_string(mark_time(mark, when)) : json_null(), "diagnosis",
                     fields_string(attempt->result.diagnosis), "next", fields_string(attempt->result.next), "file",
                     attempt->number ? fields_name(attempt->path) : json_null());
}

static void print_report_json(const struct class_report *report)
{
    json_t *students = json_array();
    size_t count;
    bool is_known;
    for (size_t i = 0; i < report->count; i += count) {
        double total = course_total(&report->marks[i], report->count - i, &count, &is_known);
        json_t *lessons = json_array();
        for (size_t j = 0; j < count; j++)
            json_array_append_new(lessons, mark_json(&report->marks[i + j]));
        json_array_append_new(students,
                              json_pack("{s:o, s:o, s:o}", "student", fields_name(report->marks[i].student), "total",
                                        is_known ? json_real(total) : json_null(), "lessons", lessons));
    }
    cli_print_json(students);
}

// ---- pages

// A worker of its own, as for the grading. A kernel that cannot be replayed has no timeline; its page says the rest.
static bool replay_hand_in(void *context, const struct lesson *lesson, const struct grade_report *report,
                           const char *source, struct replay_log *log, struct diagnostic *why)
{
    (void)context;
    const char *compiler = text_starts(report->compiler, "clang") ? "clang" : "nvcc"; // the one that it was graded with
    struct grade_options options = {.device = "sim", .compiler = compiler, .gpu = -1, .seed = report->seed};
    struct record_request request = {.text = source, .part = report->part};
    struct grade_handle *handle;
    struct grade_event event;
    bool found = false, ended = false;
    if (report->record.model_gpu[0])
        options.gpu_model = report->record.model_gpu;
    if (grade_start_timeline(lesson, &request, &options, 0, &handle, why) != STATUS_OK)
        return false;
    while (!ended) {
        struct pollfd descriptor = {.fd = grade_descriptor(handle), .events = POLLIN};
        poll(&descriptor, 1, 200);
        while (grade_poll(handle, &event))
            if (event.kind == GRADE_EVENT_TIMELINE) {
                *log = event.timeline;
                found = true;
            } else if (event.kind == GRADE_EVENT_FAILED) {
                *why = event.diagnostic;
            }
        ended = grade_is_done(handle);
    }
    grade_cancel(handle);
    return found;
}

static void tell_progress(void *context, size_t done, size_t count)
{
    cli_progress(done, count, clock_seconds() - *(const double *)context);
}

static enum status write_site(struct class_report *report, const struct class_report_request *request,
                              struct diagnostic *diagnostic)
{
    struct lesson_set set;
    double start = clock_seconds();
    struct site_options options = {.title = request->title,
                                   .pseudonyms = request->pseudonyms,
                                   .replay = request->timelines ? replay_hand_in : NULL,
                                   .progress = tell_progress,
                                   .context = &start};
    enum status status = lesson_set_open(&set, diagnostic);
    if (status)
        return status;
    status = site_write(report->book, &set, report->marks, report->count, request->site, &options, diagnostic);
    lesson_set_close(&set);
    if (!status)
        cli_print("%s/index.html\n", request->site);
    return status;
}

// A lesson of the course that neither the lab nor the gradebook has would leave everybody without marks.
static enum status check_course_lessons(const struct course *course, const char *path,
                                        const struct gradebook_attempt *attempts, size_t count,
                                        struct diagnostic *diagnostic)
{
    struct lesson_set set;
    enum status status = lesson_set_open(&set, diagnostic);
    for (size_t i = 0; !status && i < course->lesson_count; i++) {
        const char *name = course->lessons[i].name;
        bool is_there = false;
        for (size_t j = 0; j < set.count && !is_there; j++)
            is_there = course_names(name, set.items[j]->id);
        for (size_t j = 0; j < count && !is_there; j++)
            is_there = course_names(name, attempts[j].lesson);
        if (!is_there)
            status = diagnostic_set(diagnostic, STATUS_USAGE,
                                    "%s: there is no lesson '%s' ('bankshot lessons' lists them)", path, name);
    }
    for (size_t i = 0; !status && i < set.count; i++)
        if (course_again(course, set.items[i]->id))
            status = diagnostic_set(diagnostic, STATUS_USAGE, "%s: %s is there twice; a lesson counts once.", path,
                                    set.items[i]->id);
    lesson_set_close(&set);
    return status;
}

static void tell_other_runs(const struct class_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->marks[i].attempt->is_other_run;
    if (count)
        cli_error("%zu mark%s of another run: the last one has not graded that hand-in (class --resume)", count,
                  count == 1 ? " is" : "s are");
}

// Of no hand-in there is no mark, and a total is that of the other lessons.
static void tell_unseen_lessons(const struct class_report *report, const char *book)
{
    struct text names = {0};
    for (size_t i = 0; i < report->course.lesson_count; i++) {
        const char *name = report->course.lessons[i].name;
        size_t j = 0;
        while (j < report->lesson_count && !course_names(name, report->lessons[j]))
            j++;
        if (j == report->lesson_count)
            text_printf(&names, "%s%s", names.length ? ", " : "", name);
    }
    if (names.length)
        cli_error(
            "%s: nothing is known of %s yet, which the course counts: 'bankshot class' has not looked for it, and no "
            "total has it",
            book, text_get(&names));
    text_free(&names);
}

static enum status load_report(struct class_report *report, const char *path, const char *course,
                               struct diagnostic *diagnostic)
{
    struct gradebook_attempt *attempts;
    size_t count;
    const char *text;
    enum status status = gradebook_open(path, GRADEBOOK_READ, &report->book, diagnostic);
    if (!status)
        status = course ? course_load(course, report->arena, &text, &report->course, diagnostic)
                        : course_of(report->book, report->arena, &report->course, diagnostic);
    if (!status)
        status = gradebook_attempts(report->book, report->arena, &attempts, &count, diagnostic);
    if (!status && course)
        status = check_course_lessons(&report->course, course, attempts, count, diagnostic);
    if (!status) {
        report->marks = course_marks(&report->course, attempts, count, report->arena, &report->count);
        list_lessons_of(report);
        tell_other_runs(report);
        tell_unseen_lessons(report, path);
    }
    return status;
}

static int run_class_report(struct cli_call *call)
{
    const struct class_report_request *request = call->request;
    struct diagnostic diagnostic = {0};
    if (request->csv + request->canvas + request->moodle + request->json + (request->site != NULL) > 1)
        return cli_usage(call->command, "one format at a time");
    if (!request->site && (request->title || request->pseudonyms || request->timelines))
        return cli_usage(call->command, "--%s is for pages: say --site FOLDER, too",
                         request->title        ? "title"
                         : request->pseudonyms ? "pseudonyms"
                                               : "timelines");
    struct class_report report = {.arena = arena_new()};
    enum status status = load_report(&report, call->words[0], request->course, &diagnostic);
    if (status)
        ;
    else if (request->site)
        status = write_site(&report, request, &diagnostic);
    else if (request->json)
        print_report_json(&report);
    else if (request->csv)
        print_report_csv(&report);
    else if (request->canvas || request->moodle)
        print_columns(&report, request->canvas);
    else
        print_marks(&report);
    gradebook_close(report.book);
    free(report.lessons);
    arena_free(report.arena);
    return status ? cli_diagnostic(&diagnostic) : CLI_PASSED;
}

const struct cli_command cli_command_class_report = {
    .name = "class report",
    .arguments = "GRADEBOOK",
    .summary = "Print a gradebook's marks, also for Canvas and Moodle",
    .description = "Marks by course.cfg, if the class was graded with one: weights, due dates, late\n"
                   "days, the last attempt or the best; or pages (--site) that open from a folder,\n"
                   "without a server and without scripts. Grades nothing. (A folder of that name is\n"
                   "./report.)",
    .options = class_report_options,
    .request_size = sizeof(struct class_report_request),
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give the gradebook that 'bankshot class' has kept",
    .run = run_class_report,
};
