// `class`: grade a folder of hand-ins. Folders are the students'; none of them decides what another one gets, what a
// spreadsheet or a terminal does, or which files are read.
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/class.h"
#include "cli/lessons.h"
#include "course/course.h"
#include "course/hand_in.h"
#include "toolchain/cache.h"
#include "toolchain/sandbox.h"
#include "toolchain/toolchain.h"

struct class_request {
    struct grade_options grade;
    struct cli_list only;  // lessons; none = all
    const char *gradebook; // NULL = beside the folder
    const char *course;    // NULL = what the gradebook knows, if anything
    const char *partition;
    size_t jobs; // 0 = as many as usual
    int gpus;
    bool csv, json, unconfined, resume, slurm;
};

static const struct cli_option class_options[] = {
    {0, "csv", NULL, "print comma-separated values", CLI_TO_FLAG(struct class_request, csv)},
    CLI_OPTION_JSON(struct class_request, json),
    {'j', "jobs", "N", "grade N at a time (default 2; at most one a processor)",
     CLI_TO_NUMBER(struct class_request, jobs, 1, 4096, "a number from 1")},
    {0, "slurm", NULL, "grade by an array job of Slurm's, at most --jobs tasks at a time",
     CLI_TO_FLAG(struct class_request, slurm)},
    {0, "partition", "NAME", "Slurm's partition (other settings: SBATCH_… variables)",
     CLI_TO_STRING(struct class_request, partition)},
    {0, "gpus", "N", "GPUs of each of Slurm's tasks",
     CLI_TO_NUMBER(struct class_request, gpus, 1, 64, "a number from 1")},
    {0, "resume", NULL, "go on with the last run; what is graded stays", CLI_TO_FLAG(struct class_request, resume)},
    {0, "gradebook", "FILE", "keep results there (default: FOLDER.gradebook, beside it)",
     CLI_TO_STRING(struct class_request, gradebook)},
    {0, "course", "FILE", "course.cfg: which lessons count, and how (kept in the gradebook)",
     CLI_TO_STRING(struct class_request, course)},
    {0, "seed", "N", "draw the inputs of a new run by N (default: fresh)",
     CLI_TO_NUMBER(struct class_request, grade.seed, 1, INT64_MAX, "a number from 1")},
    {0, "unconfined", NULL, "grade even where neither Landlock nor seccomp can confine it",
     CLI_TO_FLAG(struct class_request, unconfined)},
    {0, "lesson", "LESSON", "only this lesson; may be repeated", CLI_TO_LIST(struct class_request, only)},
    CLI_OPTION_COMPILER(struct class_request, grade),
    CLI_OPTIONS_DEVICE(struct class_request, grade),
    {0},
};

// What becomes of one lesson of one student.
struct submission {
    const char *path; // NULL: there is nothing to grade
    bool is_link, is_unreadable;
    size_t work; // index + 1 of its grading
};

// A grading of the gradebook's: of all hand-ins that are equal. Reports are let go as they come: a class has thousands.
struct work {
    int64_t grading;
    bool is_known; // graded before, or now
    struct gradebook_result result;
};

struct class
{
    struct arena *arena;
    const struct lesson **lessons;
    size_t lesson_count;
    const char **students; // names of folders, sorted
    size_t student_count, student_capacity;
    struct submission *hand_ins; // by student * lesson_count + lesson
    size_t file_count;           // of those with a path
    struct gradebook *book;
    const char *book_path;
    struct gradebook_run run;
    struct work *works;
    struct map gradings;   // their index + 1 in works
    struct pool_job *jobs; // of those that are to be graded now
    size_t *job_works;     // of each job: the index of its work
    size_t work_count, work_capacity, job_count;
    double start;
    bool csv, is_lost; // is_lost: a result could not be kept
    size_t rows;       // of the CSV that are written
};

// ---- what was handed in

static int by_student(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum entry_kind { ENTRY_FOLDER, ENTRY_LINK, ENTRY_OTHER };

// What cannot be looked at may be a student's folder.
static enum entry_kind entry_kind(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return ENTRY_FOLDER;
    return S_ISLNK(info.st_mode) ? ENTRY_LINK : ENTRY_OTHER;
}

static bool read_students(struct class *class, const char *folder)
{
    char path[PATH_MAX];
    DIR *stream = opendir(folder);
    if (!stream)
        return false;
    for (struct dirent *entry; (entry = file_next_entry(stream));) {
        bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path;
        if (entry->d_name[0] == '.') {
            bool is_name = entry->d_name[strspn(entry->d_name, ".")] || strlen(entry->d_name) > 2;
            if (fits && is_name && hand_in_has_sources(path))
                cli_error("%s: its name begins with a dot, so nothing of it is graded", path);
            continue;
        }
        enum entry_kind kind = fits ? entry_kind(path) : ENTRY_OTHER;
        if (kind == ENTRY_FOLDER)
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

static void find_hand_in(struct class *class, const char *folder, const struct lesson *lesson,
                         struct submission *hand_in)
{
    char path[PATH_MAX];
    struct text others = {0};
    enum hand_in what = hand_in_look(folder, lesson, path, sizeof path, &others);
    int error = errno;
    hand_in->is_unreadable = what == HAND_IN_UNREADABLE;
    hand_in->is_link = what == HAND_IN_LINK;
    if (what == HAND_IN_FILE)
        hand_in->path = arena_strdup(class->arena, path);
    else if (what == HAND_IN_LINK)
        cli_error("%s: this is a link, and links are not followed", path);
    else if (what == HAND_IN_UNREADABLE) // not missing: it may be there
        cli_error("%s: cannot look at this: %s", path, strerror(error));
    if (what == HAND_IN_FILE && others.length)
        cli_error("%s is graded; also there for %s, and not graded: %s", path, lesson->id, text_get(&others));
    else if (what == HAND_IN_MISSING && others.length)
        cli_error("%s: nothing was handed in as %s.cu or %s.cu; there is %s", folder, lesson->id, lesson->name,
                  text_get(&others));
    text_free(&others);
}

static void find_hand_ins(struct class *class, const char *folder)
{
    size_t most = class->student_count * class->lesson_count;
    char student[PATH_MAX];
    class->hand_ins = mem_alloc((most + 1) * sizeof *class->hand_ins);
    for (size_t i = 0; i < most; i++) {
        snprintf(student, sizeof student, "%s/%s", folder, class->students[i / class->lesson_count]);
        find_hand_in(class, student, class->lessons[i % class->lesson_count], &class->hand_ins[i]);
        class->file_count += class->hand_ins[i].path != NULL;
    }
}

static void free_class(struct class *class)
{
    pool_free(class->jobs, class->job_count);
    free(class->jobs);
    free(class->job_works);
    free(class->works);
    map_free(&class->gradings);
    gradebook_close(class->book);
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
    for (size_t i = 0; is_read && i < class.student_count * lesson_count; i++)
        if (class.hand_ins[i].path)
            visit(context, class.students[i / lesson_count], lessons[i % lesson_count], class.hand_ins[i].path);
    free_class(&class);
    return is_read;
}

// ---- the answers

// What is known of it; NULL: nothing was handed in.
static const struct work *work_of(const struct class *class, const struct submission *hand_in)
{
    return hand_in->work ? &class->works[hand_in->work - 1] : NULL;
}

static const char *verdict_of(const struct class *class, const struct submission *hand_in)
{
    const struct work *work = work_of(class, hand_in);
    return hand_in->is_unreadable   ? verdict_name(VERDICT_INFRASTRUCTURE)
           : hand_in->is_link       ? "link"
           : !work                  ? "missing"
           : work->result.is_graded ? verdict_name(work->result.verdict)
                                    : "not graded";
}

static double score_of(const struct class *class, const struct submission *hand_in)
{
    const struct work *work = work_of(class, hand_in);
    return work ? work->result.score : 0;
}

// Neither graded, nor is it the student's fault that it is not.
static bool is_machines(const struct class *class, const struct submission *hand_in)
{
    const struct work *work = work_of(class, hand_in);
    return hand_in->is_unreadable ||
           (work && work->result.is_graded && verdict_exit(work->result.verdict) == CLI_USAGE);
}

static void print_mark(const struct class *class, const struct submission *hand_in)
{
    const struct work *work = work_of(class, hand_in);
    if (is_machines(class, hand_in))
        cli_print(" %7s", "error");
    else if (work && work->result.is_graded)
        cli_print(" %6.0f%s", work->result.score, work->result.verdict == VERDICT_PASS ? "*" : " ");
    else
        cli_print(" %7s", hand_in->is_link ? "link" : !work ? "-" : "...");
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
            const struct submission *hand_in = &class->hand_ins[i * class->lesson_count + j];
            print_mark(class, hand_in);
            total += score_of(class, hand_in);
        }
        cli_print(" %7.0f\n", total);
    }
    cli_print("\n* passed   - nothing handed in   %zu students, %zu files\n", class->student_count, class->file_count);
}

static void print_csv_row(const struct class *class, size_t place)
{
    const struct submission *hand_in = &class->hand_ins[place];
    const struct work *work = work_of(class, hand_in);
    class_print_field(class->students[place / class->lesson_count]);
    cli_print(",%s,%s,%.1f,", class->lessons[place % class->lesson_count]->id, verdict_of(class, hand_in),
              score_of(class, hand_in));
    class_print_field(work ? work->result.diagnosis : "");
    cli_print(",");
    class_print_field(hand_in->path ? hand_in->path : "");
    cli_print("\n");
}

// Rows are written as soon as they and all before them are known: what is graded is not lost, however this ends.
static void print_class_csv(struct class *class, bool all)
{
    if (!class->csv)
        return;
    for (; class->rows < class->student_count * class->lesson_count; class->rows++) {
        const struct work *work = work_of(class, &class->hand_ins[class->rows]);
        if (work && !work->is_known && !all)
            break;
        print_csv_row(class, class->rows);
    }
    fflush(stdout);
}

static void print_class_json(const struct class *class)
{
    json_t *array = json_array();
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const struct submission *hand_in = &class->hand_ins[i];
        const struct work *work = work_of(class, hand_in);
        json_array_append_new(array, json_pack("{s:o, s:o, s:s, s:f, s:o, s:o}", "student",
                                               fields_name(class->students[i / class->lesson_count]), "lesson",
                                               fields_name(class->lessons[i % class->lesson_count]->id), "verdict",
                                               verdict_of(class, hand_in), "score", score_of(class, hand_in),
                                               "diagnosis", fields_string(work ? work->result.diagnosis : ""), "file",
                                               hand_in->path ? fields_name(hand_in->path) : json_null()));
    }
    cli_print_json(array);
}

// Files that the lab itself could not grade are the only reason for 2; a student who fails is not.
static int class_exit(const struct class *class, bool whole)
{
    int status = class->is_lost ? CLI_USAGE : CLI_PASSED;
    size_t graded = 0;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const struct submission *hand_in = &class->hand_ins[i];
        const struct work *work = work_of(class, hand_in);
        graded += work && work->result.is_graded;
        if (!is_machines(class, hand_in))
            continue;
        status = CLI_USAGE;
        if (work)
            cli_error("%s: %s: %s", hand_in->path, verdict_of(class, hand_in), work->result.next);
    }
    if (!whole)
        status = cli_error("stopped: %zu of %zu files are graded; the others say \"not graded\"; --resume goes on",
                           graded, class->file_count);
    return status;
}

// ---- the run: what the gradebook knows, and what is graded now

static void keep_in_book(struct class *class, struct work *work, const struct grade_report *report)
{
    struct diagnostic diagnostic = {0};
    if (gradebook_grade(class->book, work->grading, report, &diagnostic) != STATUS_OK && !class->is_lost) {
        cli_diagnostic(&diagnostic);
        class->is_lost = true;
    }
}

static void take_mark(void *context, struct pool_job *job, size_t done, size_t count)
{
    struct class *class = context;
    struct work *work = &class->works[class->job_works[job - class->jobs]];
    struct grade_report *report = job->report;
    if (class->run.compiler[0] && report->compiler[0] && strcmp(class->run.compiler, report->compiler) != 0) {
        report->verdict = VERDICT_INFRASTRUCTURE;
        report->score = 0;
        snprintf(report->next, sizeof report->next, "This was compiled with %s, the others' with %s.", report->compiler,
                 class->run.compiler);
    }
    keep_in_book(class, work, report);
    work->is_known = true;
    work->result = (struct gradebook_result){
        .is_graded = true, .full = report->full, .verdict = report->verdict, .score = report->score};
    snprintf(work->result.diagnosis, sizeof work->result.diagnosis, "%s", report->diagnosis);
    snprintf(work->result.next, sizeof work->result.next, "%s", report->next);
    grade_report_free(job->report);
    job->report = NULL;
    print_class_csv(class, false);
    cli_progress(done, count, clock_seconds() - class->start);
}

// What stands for the text of a lesson: of its settings and of all kernels that a hand-in is held against.
static uint64_t lesson_print(const struct lesson *lesson)
{
    struct text config = {0};
    uint64_t print = MAP_HASH_START;
    text_printf(&config, "%s/lesson.cfg", lesson->directory);
    const char *const files[] = {text_get(&config), lesson->starter, lesson->solution, lesson->naive};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        uint64_t hash = 0;
        if (files[i])
            cache_hash_file(files[i], &hash);
        print = map_hash(print, &hash, sizeof hash);
    }
    text_free(&config);
    return print;
}

// The hand-in's work; another one's if that handed in the same. What is graded are the bytes that are read here.
static enum status enter_hand_in(struct class *class, size_t place, uint64_t print, struct diagnostic *diagnostic)
{
    struct submission *hand_in = &class->hand_ins[place];
    const struct lesson *lesson = class->lessons[place % class->lesson_count];
    struct gradebook_hand_in entry = {.student = class->students[place / class->lesson_count],
                                      .lesson = lesson->id,
                                      .path = hand_in->path,
                                      .lesson_print = print,
                                      .state = hand_in->path            ? GRADEBOOK_FILE
                                               : hand_in->is_unreadable ? GRADEBOOK_UNREADABLE
                                               : hand_in->is_link       ? GRADEBOOK_LINK
                                                                        : GRADEBOOK_MISSING};
    struct stat info;
    char *bytes = NULL;
    int64_t grading;
    bool fresh;
    if (hand_in->path && lstat(hand_in->path, &info) == 0)
        entry.time = clock_wall_of(info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    if (hand_in->path)
        file_read_no_link(hand_in->path, TOOLCHAIN_SOURCE_MAX, &bytes, &entry.length, NULL);
    entry.bytes = bytes;
    enum status status = gradebook_enter(class->book, &class->run, &entry, &grading, diagnostic);
    if (status || !grading)
        goto out;
    size_t *work = map_add(&class->gradings, (uint64_t)grading, &fresh);
    if (fresh) {
        struct work *added = mem_append(class->works, class->work_capacity, class->work_count);
        *work = class->work_count;
        *added = (struct work){.grading = grading};
        status = gradebook_result(class->book, grading, &added->result, diagnostic);
        added->is_known = added->result.is_graded && verdict_exit(added->result.verdict) != CLI_USAGE;
        if (!status && !added->is_known) {
            class->job_works[class->job_count] = class->work_count - 1;
            class->jobs[class->job_count++] =
                (struct pool_job){.lesson = lesson,
                                  .source = hand_in->path,
                                  .bytes = bytes ? arena_strndup(class->arena, bytes, entry.length) : NULL,
                                  .length = entry.length,
                                  .id = grading};
        }
    }
    hand_in->work = *work;
out:
    free(bytes);
    return status;
}

// All of them in one change: who is killed in it has entered nothing.
static enum status enter_hand_ins(struct class *class, bool resume, struct diagnostic *diagnostic)
{
    size_t most = class->student_count * class->lesson_count;
    uint64_t *prints = mem_alloc((class->lesson_count + 1) * sizeof *prints);
    class->jobs = mem_alloc((most + 1) * sizeof *class->jobs);
    class->job_works = mem_alloc((most + 1) * sizeof *class->job_works);
    for (size_t i = 0; i < class->lesson_count; i++)
        prints[i] = lesson_print(class->lessons[i]);
    enum status status = gradebook_begin(class->book, diagnostic);
    if (!status && !resume)
        status = gradebook_add_run(class->book, &class->run, diagnostic);
    for (size_t i = 0; !status && i < most; i++)
        status = enter_hand_in(class, i, prints[i % class->lesson_count], diagnostic);
    if (!status)
        status = gradebook_commit(class->book, diagnostic);
    free(prints);
    return status;
}

// Hand-ins may read the caches, but keep nothing there that another one would be given. So what they have in common is
// compiled before, by the lessons' own kernels. False: a signal stopped it.
static bool warm_caches(const struct class *class, const struct grade_options *options)
{
    enum { WORTH_IT = 3 };
    struct pool_job *jobs = mem_alloc((2 * class->lesson_count + 1) * sizeof *jobs);
    size_t count = 0;
    for (size_t i = 0; i < class->lesson_count; i++) {
        const struct lesson *lesson = class->lessons[i];
        size_t wanted = 0;
        for (size_t j = 0; j < class->job_count; j++)
            wanted += class->jobs[j].lesson == lesson;
        if (wanted < WORTH_IT)
            continue;
        jobs[count++] = (struct pool_job){.lesson = lesson, .source = lesson->solution};
        jobs[count++] = (struct pool_job){.lesson = lesson, .source = lesson->starter};
    }
    bool whole = pool_run(jobs, count, &(struct pool_options){.grade = options}, NULL, NULL);
    pool_free(jobs, count);
    free(jobs);
    return whole;
}

// The path beside the folder, whatever the folder is called by.
static const char *default_gradebook(struct class *class, const char *folder)
{
    char real[PATH_MAX];
    return arena_printf(class->arena, "%s.gradebook", realpath(folder, real) ? real : folder);
}

// A run's compiler and device are the same for all of a class, also after an interruption.
static int choose_run(struct class *class, struct grade_options *options, bool resume)
{
    struct diagnostic diagnostic = {0};
    struct toolchain toolchain = {0};
    enum toolchain_kind kind;
    struct gradebook_run *run = &class->run, last = {0};
    if (resume && gradebook_last_run(class->book, &last, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    if (last.id && strcmp(options->compiler, "auto") == 0 && last.compiler[0]) // "clang 14.0"
        options->compiler = arena_strndup(class->arena, last.compiler, strcspn(last.compiler, " "));
    if (toolchain_kind_parse(options->compiler, &kind, &diagnostic) == STATUS_OK)
        toolchain_find(kind, NULL, &toolchain, &diagnostic); // what is not found is told with each hand-in
    *run = (struct gradebook_run){.id = last.id, .seed = options->seed ? options->seed : grade_fresh_seed()};
    snprintf(run->compiler, sizeof run->compiler, "%s", toolchain.label);
    snprintf(run->device, sizeof run->device, "%s", options->device);
    snprintf(run->gpu_model, sizeof run->gpu_model, "%s", options->gpu_model ? options->gpu_model : "");
    if (run->compiler[0]) // also where Slurm runs it
        options->compiler = arena_strndup(class->arena, run->compiler, strcspn(run->compiler, " "));
    if (last.id) {
        bool is_same = strcmp(run->compiler, last.compiler) == 0 && strcmp(run->device, last.device) == 0 &&
                       strcmp(run->gpu_model, last.gpu_model) == 0 && (!options->seed || options->seed == last.seed);
        if (!is_same)
            return cli_error("the run to go on with was made with %s, --device %s%s%s and --seed %llu; here it would "
                             "be %s, --device %s%s%s. Marks of one run are made alike: say the same, or leave out "
                             "--resume to grade all anew",
                             last.compiler, last.device, last.gpu_model[0] ? ", --gpu-model " : "", last.gpu_model,
                             (unsigned long long)last.seed, run->compiler[0] ? run->compiler : "no compiler",
                             run->device, run->gpu_model[0] ? ", --gpu-model " : "", run->gpu_model);
        *run = last;
    }
    options->seed = run->seed;
    return CLI_GO_ON;
}

// Where the default cannot be written, marks are printed all the same; who named a place, or wants to go on, needs it.
static int open_gradebook(struct class *class, const struct class_request *request, const char *folder)
{
    struct diagnostic diagnostic = {0};
    const char *path = request->gradebook ? request->gradebook : default_gradebook(class, folder);
    enum gradebook_use use = request->resume ? GRADEBOOK_READ : GRADEBOOK_KEEP;
    enum status status = gradebook_open(path, use, &class->book, &diagnostic);
    class->book_path = path;
    if (status == STATUS_IO && !request->gradebook && !request->resume) {
        cli_error("results are printed, but not kept (--gradebook FILE names another place): %s", diagnostic.message);
        status = gradebook_open(NULL, GRADEBOOK_KEEP, &class->book, &diagnostic);
    }
    return status ? cli_diagnostic(&diagnostic) : CLI_GO_ON;
}

// ---- the command

// Lessons that the course does not count are not graded; one that it names must be there.
static int choose_lessons(struct class *class, const struct class_request *request)
{
    struct course course = {0};
    struct diagnostic diagnostic = {0};
    const char *text = NULL;
    size_t kept = 0;
    enum status status = STATUS_OK;
    if (request->course)
        status = course_load(request->course, class->arena, &text, &course, &diagnostic);
    else if (request->resume)
        status = course_of(class->book, class->arena, &course, &diagnostic);
    if (!status && text)
        status = gradebook_set_course(class->book, request->course, text, &diagnostic);
    for (size_t i = 0; !status && !request->only.count && i < course.lesson_count; i++) {
        const char *name = course.lessons[i].name;
        size_t j = 0;
        while (j < class->lesson_count && !course_names(name, class->lessons[j]->id))
            j++;
        const char *file = request->course ? request->course : "course.cfg";
        if (j == class->lesson_count)
            return cli_error("%s: there is no lesson '%s' ('bankshot lessons' lists them)", file, name);
        if (course_again(&course, class->lessons[j]->id))
            return cli_error("%s: '%s' and '%s' are the same lesson; it counts once", file, name,
                             course_again(&course, class->lessons[j]->id)->name);
    }
    const struct lesson **lessons = arena_alloc(class->arena, (class->lesson_count + 1) * sizeof(struct lesson *));
    for (size_t i = 0; i < class->lesson_count; i++)
        if (course_lesson(&course, class->lessons[i]->id))
            lessons[kept++] = class->lessons[i];
    class->lessons = lessons;
    class->lesson_count = kept;
    return status ? cli_diagnostic(&diagnostic) : CLI_GO_ON;
}

static int print_class(struct class *class, const struct class_request *request, bool whole)
{
    if (request->json)
        print_class_json(class);
    else if (class->csv)
        print_class_csv(class, true);
    else
        print_class_table(class);
    return class_exit(class, whole);
}

// As many as the machine has processors for: time that runs take from each other would be taken from marks.
static size_t workers(size_t wanted)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = processors > POOL_WORKERS ? (size_t)processors : POOL_WORKERS;
    return !wanted ? POOL_WORKERS : wanted < most ? wanted : most;
}

// Slurm's tasks are given bytes. What has none, a folder or device in a source's place, is soon refused here. How many
// have.
static size_t put_sources_first(struct class *class)
{
    size_t first = 0;
    for (size_t i = 0; i < class->job_count; i++) {
        if (!class->jobs[i].bytes)
            continue;
        struct pool_job job = class->jobs[i];
        size_t work = class->job_works[i];
        class->jobs[i] = class->jobs[first];
        class->job_works[i] = class->job_works[first];
        class->jobs[first] = job;
        class->job_works[first++] = work;
    }
    return first;
}

static bool run_jobs(struct class *class, const struct class_request *request, const struct grade_options *options,
                     struct diagnostic *diagnostic)
{
    struct pool_options pool = {.grade = options, .workers = workers(request->jobs), .apart = true};
    char real[PATH_MAX]; // tasks work elsewhere
    const char *book = realpath(class->book_path, real) ? real : class->book_path;
    struct slurm_options slurm = {.folder = arena_printf(class->arena, "%s.spool", book),
                                  .partition = request->partition,
                                  .gpus = request->gpus,
                                  .at_once = request->jobs,
                                  .resume = request->resume};
    class->start = clock_seconds();
    if (!warm_caches(class, options))
        return false;
    size_t given = request->slurm ? put_sources_first(class) : 0;
    enum status status = given ? slurm_run(class->jobs, given, &pool, &slurm, take_mark, class, diagnostic) : STATUS_OK;
    if (status && status != STATUS_CANCELLED)
        cli_diagnostic(diagnostic);
    return !status && pool_run(class->jobs + given, class->job_count - given, &pool, take_mark, class);
}

static int grade_class(struct class *class, struct cli_call *call)
{
    const struct class_request *request = call->request;
    const char *folder = call->words[0];
    struct grade_options options = request->grade;
    struct diagnostic diagnostic = {0};
    if (!read_students(class, folder))
        return cli_usage(call->command, "'%s' is not a folder that can be read", folder);
    if (class->student_count == 0)
        return cli_usage(call->command, "'%s' holds no folders; each student's hand-in is one", folder);
    int status = open_gradebook(class, request, folder);
    if (status == CLI_GO_ON)
        status = choose_lessons(class, request);
    if (status == CLI_GO_ON)
        status = choose_run(class, &options, request->resume);
    if (status != CLI_GO_ON)
        return status;
    find_hand_ins(class, folder);
    if (enter_hand_ins(class, class->run.id, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    class->csv = request->csv;
    if (class->csv)
        cli_print("student,lesson,verdict,score,diagnosis,file\n");
    bool whole = run_jobs(class, request, &options, &diagnostic);
    status = print_class(class, request, whole);
    return !request->only.count && call->lessons->set.broken.count ? CLI_USAGE : status; // marks are missing
}

static int run_class(struct cli_call *call)
{
    const struct class_request *request = call->request;
    if (request->csv && request->json)
        return cli_usage(call->command, "--csv or --json, one of them");
    size_t count;
    const struct lesson **lessons = lessons_named(call->lessons, &request->only, &count);
    if (!lessons)
        return CLI_USAGE;
    struct class class = {.arena = arena_new(), .lessons = lessons, .lesson_count = count, .gradings = map_of(size_t)};
    int status = CLI_USAGE;
    if (!request->unconfined && !sandbox_is_there())
        cli_error(
            "this kernel has neither Landlock nor seccomp, so nothing but limits would confine what others wrote; "
            "grade on a machine or in a container that has one, or say --unconfined");
    else
        status = grade_class(&class, call);
    free_class(&class);
    free(lessons);
    return status;
}

const struct cli_command cli_command_class = {
    .name = "class",
    .arguments = "FOLDER",
    .summary = "Grade a folder of hand-ins, one sub-folder for each student",
    .description = "A hand-in is STUDENT/04-padding.cu, STUDENT/padding.cu, or either in\n"
                   "STUDENT/exercises/. Students' code is compiled to PTX in a jail and runs on the\n"
                   "simulator or the GPU only, never on this machine's CPU.\n"
                   "\n"
                   "Each result is kept in the gradebook as it comes; --resume goes on after an\n"
                   "interruption, with the same inputs, and grades what was handed in since. Equal\n"
                   "sources are graded once. The gradebook lies beside the folder, as nobody who\n"
                   "hands in may see it.",
    .options = class_options,
    .request_size = sizeof(struct class_request),
    .defaults = &(const struct class_request){.grade = CLI_RUN_DEFAULTS},
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give the folder that holds one folder for each student",
    .scope = CLI_SET,
    .run = run_class,
};
