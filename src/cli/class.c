// `class`: grade a folder of hand-ins.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/lessons.h"

enum { MAX_STUDENTS = 2000 };

struct class_request {
    struct grade_options grade;
    const char *only; // a lesson
    bool csv, json;
};

static const struct cli_option class_options[] = {
    {0, "csv", NULL, "print comma-separated values", CLI_TO_FLAG(struct class_request, csv)},
    CLI_OPTION_JSON(struct class_request, json),
    {0, "lesson", "LESSON", "only this lesson", CLI_TO_STRING(struct class_request, only)},
    CLI_OPTION_COMPILER(struct class_request, grade),
    CLI_OPTIONS_DEVICE(struct class_request, grade),
    {0},
};

struct class
{
    struct arena *arena;
    const struct lesson **lessons;
    size_t lesson_count;
    const char **students; // names of folders, sorted
    size_t student_count;
    struct pool_job *jobs; // what was handed in
    size_t job_count;
    size_t *places; // job's index + 1 by student * lesson_count + lesson; 0 = nothing handed in
};

// ---- what was handed in

static int by_student(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_students(struct class *class, const char *folder)
{
    char path[PATH_MAX];
    DIR *stream = opendir(folder);
    if (!stream)
        return false;
    class->students = mem_alloc(MAX_STUDENTS * sizeof *class->students);
    for (struct dirent *entry; (entry = readdir(stream)) && class->student_count < MAX_STUDENTS;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && file_is_folder(path))
            class->students[class->student_count++] = arena_strdup(class->arena, entry->d_name);
    }
    closedir(stream);
    qsort(class->students, class->student_count, sizeof *class->students, by_student);
    return true;
}

// STUDENT/NN-name.cu, STUDENT/exercises/NN-name.cu or either with the plain name.
static const char *find_hand_in(struct class *class, const char *folder, const char *student,
                                const struct lesson *lesson)
{
    const char *const parts[] = {"", "exercises/"}, *const names[] = {lesson->id, lesson->name};
    for (int i = 0; i < 4; i++) {
        const char *path = arena_printf(class->arena, "%s/%s/%s%s.cu", folder, student, parts[i / 2], names[i % 2]);
        if (access(path, F_OK) == 0)
            return path;
    }
    return NULL;
}

static void find_hand_ins(struct class *class, const char *folder)
{
    size_t most = class->student_count * class->lesson_count;
    class->jobs = mem_alloc((most + 1) * sizeof *class->jobs);
    class->places = mem_alloc((most + 1) * sizeof *class->places);
    for (size_t i = 0; i < most; i++) {
        const struct lesson *lesson = class->lessons[i % class->lesson_count];
        const char *path = find_hand_in(class, folder, class->students[i / class->lesson_count], lesson);
        if (!path)
            continue;
        class->jobs[class->job_count] = (struct pool_job){.lesson = lesson, .source = path};
        class->places[i] = ++class->job_count;
    }
}

static const struct pool_job *handed_in(const struct class *class, size_t student, size_t lesson)
{
    size_t place = class->places[student * class->lesson_count + lesson];
    return place ? &class->jobs[place - 1] : NULL;
}

// ---- the answers

static double score_of(const struct pool_job *job)
{
    return job && job->report ? job->report->score : 0;
}

static void print_class_table(const struct class *class)
{
    printf("%-24s", "");
    for (size_t j = 0; j < class->lesson_count; j++)
        printf(" %*.*s", 7, 7, class->lessons[j]->id);
    puts("   total");
    for (size_t i = 0; i < class->student_count; i++) {
        double total = 0;
        struct text name = {0};
        text_escape(&name, class->students[i], strlen(class->students[i]), false);
        printf("%-24s", text_get(&name));
        text_free(&name);
        for (size_t j = 0; j < class->lesson_count; j++) {
            const struct pool_job *job = handed_in(class, i, j);
            if (!job)
                printf(" %7s", "-");
            else if (!job->report)
                printf(" %7s", "error");
            else
                printf(" %6.0f%s", job->report->score, job->report->verdict == VERDICT_PASS ? "*" : " ");
            total += score_of(job);
        }
        printf(" %7.0f\n", total);
    }
    printf("\n* passed   - nothing handed in   %zu students, %zu files\n", class->student_count, class->job_count);
}

static void print_field(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void print_class_csv(const struct class *class)
{
    puts("student,lesson,verdict,score,diagnosis,file");
    for (size_t i = 0; i < class->student_count; i++) {
        for (size_t j = 0; j < class->lesson_count; j++) {
            const struct pool_job *job = handed_in(class, i, j);
            print_field(class->students[i]);
            printf(",%s,%s,%.1f,", class->lessons[j]->id,
                   !job           ? "missing"
                   : !job->report ? "infrastructure error"
                                  : verdict_name(job->report->verdict),
                   score_of(job));
            print_field(job && job->report ? job->report->diagnosis : "");
            putchar(',');
            print_field(job ? job->source : "");
            putchar('\n');
        }
    }
}

static void print_class_json(const struct class *class)
{
    json_t *array = json_array();
    for (size_t i = 0; i < class->student_count; i++) {
        for (size_t j = 0; j < class->lesson_count; j++) {
            const struct pool_job *job = handed_in(class, i, j);
            const struct grade_report *report = job ? job->report : NULL;
            const char *verdict = report ? verdict_name(report->verdict) : job ? "infrastructure error" : "missing";
            json_array_append_new(array, json_pack("{s:o, s:s, s:s, s:f, s:s, s:o}", "student",
                                                   fields_string(class->students[i]), "lesson", class->lessons[j]->id,
                                                   "verdict", verdict, "score", score_of(job), "diagnosis",
                                                   report ? report->diagnosis : "", "file",
                                                   job ? fields_string(job->source) : json_null()));
        }
    }
    cli_print_json(array);
}

static void show_progress(void *context, const struct pool_job *job, size_t done, size_t count)
{
    (void)context, (void)job;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%zu of %zu%s", done, count, done == count ? "\n" : "");
}

// Files that the lab itself could not grade are the only reason for 2; a student who fails is not.
static int class_exit(const struct class *class)
{
    int status = CLI_PASSED;
    for (size_t i = 0; i < class->job_count; i++)
        if (!class->jobs[i].report)
            status = cli_diagnostic(&class->jobs[i].error);
        else if (verdict_exit(class->jobs[i].report->verdict) == CLI_USAGE)
            status = cli_error("%s: %s", class->jobs[i].source, verdict_name(class->jobs[i].report->verdict));
    return status == CLI_PASSED ? CLI_PASSED : CLI_USAGE;
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
    pool_run(class->jobs, class->job_count, &request->grade, show_progress, NULL);
    if (request->json)
        print_class_json(class);
    else if (request->csv)
        print_class_csv(class);
    else
        print_class_table(class);
    return class_exit(class);
}

static int run_class(struct cli_call *call)
{
    const char *only = ((const struct class_request *)call->request)->only;
    const struct lesson_set *set = &call->lessons->set;
    struct lesson *one = only ? lessons_pick(call->lessons, only) : NULL;
    struct class class = {.arena = arena_new(),
                          .lessons = only ? (const struct lesson **)&one : (const struct lesson **)set->items,
                          .lesson_count = only ? 1 : set->count};
    int status = only && !one ? CLI_USAGE : grade_class(&class, call);
    pool_free(class.jobs, class.job_count);
    free(class.jobs);
    free(class.places);
    free(class.students);
    arena_free(class.arena);
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
