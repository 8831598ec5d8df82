// `class`: grade a folder of hand-ins. Folders are the students'; none of them decides what another one gets, what a
// spreadsheet or a terminal does, or which files are read.
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/class.h"
#include "cli/lessons.h"
#include "toolchain/sandbox.h"

struct class_request {
    struct grade_options grade;
    const char *only; // a lesson
    bool csv, json, unconfined;
};

static const struct cli_option class_options[] = {
    {0, "csv", NULL, "print comma-separated values", CLI_TO_FLAG(struct class_request, csv)},
    CLI_OPTION_JSON(struct class_request, json),
    {0, "unconfined", NULL, "grade even where neither Landlock nor seccomp can confine it",
     CLI_TO_FLAG(struct class_request, unconfined)},
    {0, "lesson", "LESSON", "only this lesson", CLI_TO_STRING(struct class_request, only)},
    CLI_OPTION_COMPILER(struct class_request, grade),
    CLI_OPTIONS_DEVICE(struct class_request, grade),
    {0},
};

// What becomes of one lesson of one student. Reports are let go as they come: a class has thousands.
struct hand_in {
    size_t job;       // index + 1; 0 = there is nothing to grade
    const char *link; // what was not followed
    bool is_graded;
    enum verdict verdict;
    double score;
    char diagnosis[64];
};

struct class
{
    struct arena *arena;
    const struct lesson **lessons;
    size_t lesson_count;
    const char **students; // names of folders, sorted
    size_t student_count, student_capacity;
    struct hand_in *hand_ins; // by student * lesson_count + lesson
    struct pool_job *jobs;    // of those with something to grade, in the same order
    size_t *places;           // of each job: its hand-in
    size_t job_count;
    size_t graded;
    bool csv;
    size_t rows; // of the CSV that are written
};

// ---- what was handed in

static int by_student(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum entry_kind { ENTRY_NONE, ENTRY_FOLDER, ENTRY_LINK, ENTRY_OTHER, ENTRY_UNKNOWN };

static enum entry_kind entry_kind(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? ENTRY_NONE : ENTRY_UNKNOWN;
    return S_ISDIR(info.st_mode) ? ENTRY_FOLDER : S_ISLNK(info.st_mode) ? ENTRY_LINK : ENTRY_OTHER;
}

static bool read_students(struct class *class, const char *folder)
{
    char path[PATH_MAX];
    DIR *stream = opendir(folder);
    if (!stream)
        return false;
    for (struct dirent *entry; (entry = file_next_entry(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path;
        enum entry_kind kind = fits ? entry_kind(path) : ENTRY_OTHER;
        if (kind == ENTRY_FOLDER || kind == ENTRY_UNKNOWN)
            *mem_append(class->students, class->student_capacity, class->student_count) =
                arena_strdup(class->arena, entry->d_name);
        else
            cli_error("%s: %s, so nothing of it is graded", path,
                      kind == ENTRY_LINK ? "this is a link, and links are not followed" : "this is not a folder");
    }
    bool whole = errno == 0;
    closedir(stream);
    if (class->student_count)
        qsort(class->students, class->student_count, sizeof *class->students, by_student);
    return whole;
}

// STUDENT/NN-name.cu, STUDENT/exercises/NN-name.cu or either with the plain name. A link may lead to another student's
// work. (A hard link cannot be told from a copy.)
static const char *find_hand_in(struct class *class, const char *folder, const char *student,
                                const struct lesson *lesson, struct hand_in *hand_in)
{
    const char *const parts[] = {"", "exercises/"}, *const names[] = {lesson->id, lesson->name};
    for (int i = 0; i < 4; i++) {
        const char *inner = arena_printf(class->arena, "%s/%s/exercises", folder, student);
        const char *path = arena_printf(class->arena, "%s/%s/%s%s.cu", folder, student, parts[i / 2], names[i % 2]);
        enum entry_kind kind = entry_kind(path);
        int error = errno;
        if (kind != ENTRY_NONE && i / 2 && entry_kind(inner) == ENTRY_LINK)
            hand_in->link = inner;
        else if (kind == ENTRY_UNKNOWN) { // not missing: it may be there
            cli_error("%s: cannot look at this: %s", path, strerror(error));
            hand_in->is_graded = true;
            hand_in->verdict = VERDICT_INFRASTRUCTURE;
            return NULL;
        } else if (kind == ENTRY_LINK)
            hand_in->link = path;
        else if (kind != ENTRY_NONE)
            return path;
    }
    return NULL;
}

static void find_hand_ins(struct class *class, const char *folder)
{
    size_t most = class->student_count * class->lesson_count, capacity = 0, places = 0;
    class->hand_ins = mem_alloc((most + 1) * sizeof *class->hand_ins);
    for (size_t i = 0; i < most; i++) {
        const struct lesson *lesson = class->lessons[i % class->lesson_count];
        struct hand_in *hand_in = &class->hand_ins[i];
        const char *path = find_hand_in(class, folder, class->students[i / class->lesson_count], lesson, hand_in);
        if (path)
            hand_in->link = NULL;
        if (hand_in->link)
            cli_error("%s: this is a link, and links are not followed", hand_in->link);
        if (!path)
            continue;
        mem_reserve(&class->places, &places, class->job_count);
        class->places[class->job_count] = i;
        *mem_append(class->jobs, capacity, class->job_count) = (struct pool_job){.lesson = lesson, .source = path};
        hand_in->job = class->job_count;
    }
}

static void free_class(struct class *class)
{
    pool_free(class->jobs, class->job_count);
    free(class->jobs);
    free(class->places);
    free(class->hand_ins);
    free(class->students);
    arena_free(class->arena);
}

bool class_visit(const char *folder, const struct lesson **lessons, size_t lesson_count, class_visitor *visit,
                 void *context)
{
    struct class class = {.arena = arena_new(), .lessons = lessons, .lesson_count = lesson_count};
    bool is_read = read_students(&class, folder);
    if (is_read)
        find_hand_ins(&class, folder);
    for (size_t i = 0; i < class.job_count; i++)
        visit(context, class.students[class.places[i] / lesson_count], class.jobs[i].lesson, class.jobs[i].source);
    free_class(&class);
    return is_read;
}

// ---- the answers

static const char *verdict_of(const struct hand_in *hand_in, const struct pool_job *job)
{
    return hand_in->is_graded ? verdict_name(hand_in->verdict)
           : hand_in->link    ? "link"
           : !job             ? "missing"
                              : "not graded";
}

static const struct pool_job *job_of(const struct class *class, const struct hand_in *hand_in)
{
    return hand_in->job ? &class->jobs[hand_in->job - 1] : NULL;
}

static void print_mark(const struct class *class, const struct hand_in *hand_in)
{
    const struct pool_job *job = job_of(class, hand_in);
    if (hand_in->is_graded && verdict_exit(hand_in->verdict) != CLI_USAGE)
        cli_print(" %6.0f%s", hand_in->score, hand_in->verdict == VERDICT_PASS ? "*" : " ");
    else
        cli_print(" %7s", hand_in->is_graded ? "error" : hand_in->link ? "link" : !job ? "-" : "...");
}

static void print_class_table(const struct class *class)
{
    cli_print("%-24s", "");
    for (size_t j = 0; j < class->lesson_count; j++)
        cli_print(" %*.*s", 7, 7, class->lessons[j]->id);
    cli_print("   total\n");
    for (size_t i = 0; i < class->student_count; i++) {
        double total = 0;
        struct text name = {0};
        text_escape_name(&name, class->students[i]);
        cli_print("%-24s", text_get(&name));
        text_free(&name);
        for (size_t j = 0; j < class->lesson_count; j++) {
            const struct hand_in *hand_in = &class->hand_ins[i * class->lesson_count + j];
            print_mark(class, hand_in);
            total += hand_in->score;
        }
        cli_print(" %7.0f\n", total);
    }
    cli_print("\n* passed   - nothing handed in   %zu students, %zu files\n", class->student_count, class->job_count);
}

// Nothing that a spreadsheet takes for a formula: those get an apostrophe in front, and so does what begins with one,
// so that one apostrophe taken away gives the text back.
static void print_field(const char *text)
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

static void print_csv_row(const struct class *class, size_t place)
{
    const struct hand_in *hand_in = &class->hand_ins[place];
    const struct pool_job *job = job_of(class, hand_in);
    print_field(class->students[place / class->lesson_count]);
    cli_print(",%s,%s,%.1f,", class->lessons[place % class->lesson_count]->id, verdict_of(hand_in, job),
              hand_in->score);
    print_field(hand_in->diagnosis);
    cli_print(",");
    print_field(job ? job->source : "");
    cli_print("\n");
}

// Rows are written as soon as they and all before them are known: what is graded is not lost, however this ends.
static void print_class_csv(struct class *class, bool all)
{
    if (!class->csv)
        return;
    for (; class->rows < class->student_count * class->lesson_count; class->rows++) {
        const struct pool_job *job = job_of(class, &class->hand_ins[class->rows]);
        if (job && !job->done && !all)
            break;
        print_csv_row(class, class->rows);
    }
    fflush(stdout);
}

static void print_class_json(const struct class *class)
{
    json_t *array = json_array();
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const struct hand_in *hand_in = &class->hand_ins[i];
        const struct pool_job *job = job_of(class, hand_in);
        json_array_append_new(array, json_pack("{s:o, s:o, s:s, s:f, s:o, s:o}", "student",
                                               fields_name(class->students[i / class->lesson_count]), "lesson",
                                               fields_name(class->lessons[i % class->lesson_count]->id), "verdict",
                                               verdict_of(hand_in, job), "score", hand_in->score, "diagnosis",
                                               fields_string(hand_in->diagnosis), "file",
                                               job ? fields_name(job->source) : json_null()));
    }
    cli_print_json(array);
}

static void take_mark(void *context, struct pool_job *job, size_t done, size_t count)
{
    struct class *class = context;
    struct hand_in *hand_in = &class->hand_ins[class->places[job - class->jobs]];
    const struct grade_report *report = job->report;
    class->graded = done;
    hand_in->is_graded = true;
    hand_in->verdict = report->verdict;
    hand_in->score = report->score;
    snprintf(hand_in->diagnosis, sizeof hand_in->diagnosis, "%s", report->diagnosis);
    snprintf(job->error.message, sizeof job->error.message, "%s", report->next);
    grade_report_free(job->report);
    job->report = NULL;
    print_class_csv(class, false);
    cli_progress(done, count);
}

// Files that the lab itself could not grade are the only reason for 2; a student who fails is not.
static int class_exit(const struct class *class, bool whole)
{
    int status = CLI_PASSED;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const struct hand_in *hand_in = &class->hand_ins[i];
        const struct pool_job *job = job_of(class, hand_in);
        if (!hand_in->is_graded || verdict_exit(hand_in->verdict) != CLI_USAGE)
            continue;
        status = CLI_USAGE;
        if (job)
            cli_error("%s: %s: %s", job->source, verdict_of(hand_in, job), job->error.message);
    }
    if (!whole)
        status = cli_error("stopped: %zu of %zu files are graded; the others say \"not graded\"", class->graded,
                           class->job_count);
    return status;
}

// ---- the command

static int grade_class(struct class *class, struct cli_call *call)
{
    const struct class_request *request = call->request;
    const char *folder = call->words[0];
    if (!read_students(class, folder))
        return cli_usage(call->command, "'%s' is not a folder that can be read", folder);
    if (class->student_count == 0)
        return cli_usage(call->command, "'%s' holds no folders; each student's hand-in is one", folder);
    find_hand_ins(class, folder);
    class->csv = request->csv && !request->json;
    if (class->csv)
        cli_print("student,lesson,verdict,score,diagnosis,file\n");
    bool whole = pool_run(class->jobs, class->job_count, &request->grade, take_mark, class);
    if (request->json)
        print_class_json(class);
    else if (class->csv)
        print_class_csv(class, true);
    else
        print_class_table(class);
    int status = class_exit(class, whole);
    return !request->only && call->lessons->set.broken.count ? CLI_USAGE : status; // marks are missing
}

static int run_class(struct cli_call *call)
{
    const char *only = ((const struct class_request *)call->request)->only;
    const struct lesson_set *set = &call->lessons->set;
    struct lesson *one = only ? lessons_pick(call->lessons, only) : NULL;
    struct class class = {.arena = arena_new(),
                          .lessons = only ? (const struct lesson **)&one : (const struct lesson **)set->items,
                          .lesson_count = only ? 1 : set->count};
    int status = CLI_USAGE;
    if (!((const struct class_request *)call->request)->unconfined && !sandbox_is_there())
        cli_error(
            "this kernel has neither Landlock nor seccomp, so nothing but limits would confine what others wrote; "
            "grade on a machine or in a container that has one, or say --unconfined");
    else if (!only || one)
        status = grade_class(&class, call);
    free_class(&class);
    return status;
}

const struct cli_command cli_command_class = {
    .name = "class",
    .arguments = "FOLDER",
    .summary = "Grade a folder of hand-ins, one sub-folder for each student",
    .description = "A hand-in is STUDENT/04-padding.cu, STUDENT/padding.cu, or either in\n"
                   "STUDENT/exercises/. Students' code is compiled to PTX in a jail and runs on the\n"
                   "simulator or the GPU only, never on this machine's CPU.",
    .options = class_options,
    .request_size = sizeof(struct class_request),
    .defaults = &(const struct class_request){.grade = CLI_RUN_DEFAULTS},
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give the folder that holds one folder for each student",
    .scope = CLI_SET,
    .run = run_class,
};
