// `verify`: our counters beside the hardware's, which Nsight Compute reads. The program starts itself under ncu: with
// `launch` for a lesson's kernel, with `trace` for any other file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "cli/lessons.h"
#include "device/cuda.h"
#include "device/ncu.h"
#include "grade/inquiry.h"

enum { SEED = 1 }; // any: both launches have the same inputs

struct verify_request {
    struct grade_options grade;
    bool json;
};

static const struct cli_option verify_options[] = {
    CLI_OPTION_JSON(struct verify_request, json),
    {'f', "file", "SOURCE", "count this file instead of the exercise",
     CLI_TO_STRING(struct verify_request, grade.source)},
    CLI_OPTION_COMPILER(struct verify_request, grade),
    CLI_OPTION_GPU(struct verify_request, grade),
    {0},
};

enum { MAX_WORDS = 400, JSON_MAX_BYTES = 64 << 20 };

enum row_verdict { ROW_EQUAL, ROW_NOISE, ROW_DIFFERENT };
static const char *const verdict_words[] = {"equal", "within noise", "different"};

// What is compared: a counter, or one less another. Conflicts are noisy.
static const struct row_kind {
    const char *name, *counter, *less;
    bool is_noisy;
} row_kinds[] = {
    {"shared_load_wavefronts", "shared_load_wavefronts", NULL, true},
    {"shared_load_conflicts", "shared_load_conflicts", NULL, true},
    {"shared_load_without_conflicts", "shared_load_wavefronts", "shared_load_conflicts", false},
    {"shared_store_wavefronts", "shared_store_wavefronts", NULL, true},
    {"shared_store_conflicts", "shared_store_conflicts", NULL, true},
    {"shared_store_without_conflicts", "shared_store_wavefronts", "shared_store_conflicts", false},
    {"global_load_requests", "global_load_requests", NULL, false},
    {"global_load_sectors", "global_load_sectors", NULL, false},
    {"global_store_requests", "global_store_requests", NULL, false},
    {"global_store_sectors", "global_store_sectors", NULL, false},
};
enum { ROW_COUNT = sizeof row_kinds / sizeof *row_kinds };

struct row {
    const char *name;
    uint64_t ours, hardware, again; // again: by a second run
    bool is_noisy;
};

static uint64_t row_value(const struct row_kind *kind, const struct counters *counters)
{
    uint64_t value = 0, less = 0;
    counters_get(counters, kind->counter, &value);
    if (kind->less)
        counters_get(counters, kind->less, &less);
    return value - less;
}

static double difference(const struct row *row)
{
    return (double)row->hardware - (double)row->ours;
}

// wavefronts: of the side of the row (loads or stores), for noise is a part of those. What the hardware itself counts
// otherwise in another run, and never lower than here, is noise however large.
static enum row_verdict judge_difference(const struct row *row, uint64_t wavefronts, uint64_t blocks)
{
    double above = difference(row);
    if (row->hardware == row->ours)
        return ROW_EQUAL;
    bool varies = row->again != row->hardware && row->again >= row->ours;
    bool is_noise = row->is_noisy && above > 0 && (varies || above <= ncu_noise(wavefronts, blocks));
    return is_noise ? ROW_NOISE : ROW_DIFFERENT;
}

// ---- one launch on both

struct subject {
    const char *part; // NULL: the only one
    struct verify_launch ours;
    struct counters hardware, again; // again: by a second run, where the first was different
    bool is_counted, is_compared;    // here; by the hardware as well
    struct diagnostic error;         // why not
};

static void make_rows(const struct subject *subject, struct row rows[ROW_COUNT])
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        rows[i] = (struct row){row_kinds[i].name, row_value(&row_kinds[i], &subject->ours.counters),
                               row_value(&row_kinds[i], &subject->hardware), row_value(&row_kinds[i], &subject->again),
                               row_kinds[i].is_noisy};
}

static enum row_verdict judge_row(const struct subject *subject, const struct row rows[ROW_COUNT], size_t i)
{
    const uint32_t *grid = subject->ours.shape.grid;
    return judge_difference(&rows[i], rows[i < 3 ? 0 : 3].ours, (uint64_t)grid[0] * grid[1] * grid[2]);
}

static bool is_different(const struct subject *subject)
{
    struct row rows[ROW_COUNT];
    make_rows(subject, rows);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (judge_row(subject, rows, i) == ROW_DIFFERENT)
            return true;
    return false;
}

// argv: this program's words; argv[0] is set here.
static void count_hardware(struct subject *subject, const char **argv)
{
    char ncu[PATH_MAX];
    char *program = process_own_path();
    argv[0] = program;
    enum status status;
    if (!ncu_find(ncu))
        status = diagnostic_set(&subject->error, STATUS_ENVIRONMENT,
                                "there is no ncu here (PATH, /usr/local/cuda, /opt/nvidia/nsight-compute). It comes "
                                "with the CUDA Toolkit, or separately as Nsight Compute");
    else if (!program)
        status = diagnostic_set(&subject->error, STATUS_ENVIRONMENT, "the program cannot find its own file");
    else
        status = ncu_run(ncu, argv, subject->ours.kernel, &subject->hardware, &subject->error);
    subject->again = subject->hardware;
    if (status == STATUS_OK && is_different(subject)) // does the hardware agree with itself?
        status = ncu_run(ncu, argv, subject->ours.kernel, &subject->again, &subject->error);
    subject->is_compared = status == STATUS_OK;
    free(program);
}

// ---- reports

// What came of one launch, and of all of them: the first of these that any launch had. "stopped": the kernel failed by
// itself on the simulator, so there is nothing to compare.
enum outcome { OUTCOME_DIFFERENT, OUTCOME_NOT_COMPARED, OUTCOME_STOPPED, OUTCOME_EQUAL };
static const char *const outcome_words[] = {"different", "not compared", "stopped", "equal"};

static enum outcome outcome_of(const struct subject *subject)
{
    if (subject->is_compared)
        return is_different(subject) ? OUTCOME_DIFFERENT : OUTCOME_EQUAL;
    enum status status = subject->error.code;
    bool is_own = status == STATUS_FAULT || status == STATUS_TIMEOUT || status == STATUS_LAUNCH;
    return is_own && !subject->is_counted ? OUTCOME_STOPPED : OUTCOME_NOT_COMPARED;
}

static json_t *subject_json(const struct subject *subject)
{
    struct row rows[ROW_COUNT];
    json_t *list = json_array();
    make_rows(subject, rows);
    for (size_t i = 0; i < ROW_COUNT && subject->is_counted; i++) {
        json_t *row = json_pack("{s:s, s:I}", "counter", rows[i].name, "ours", (json_int_t)rows[i].ours);
        if (subject->is_compared) {
            json_object_set_new(row, "hardware", json_integer((json_int_t)rows[i].hardware));
            json_object_set_new(row, "difference", json_integer((json_int_t)difference(&rows[i])));
            json_object_set_new(row, "verdict", json_string(verdict_words[judge_row(subject, rows, i)]));
        }
        json_array_append_new(list, row);
    }
    const uint32_t *grid = subject->ours.shape.grid, *block = subject->ours.shape.block;
    json_t *json = json_pack("{s:s?, s:s, s:[i,i,i], s:[i,i,i], s:b, s:s, s:o}", "part", subject->part, "kernel",
                             subject->ours.kernel, "grid", grid[0], grid[1], grid[2], "block", block[0], block[1],
                             block[2], "compared", (int)subject->is_compared, "verdict",
                             outcome_words[outcome_of(subject)], "counters", list);
    if (subject->error.code)
        json_object_set_new(json, "message", fields_string(subject->error.message));
    return json;
}

static void print_subject(const struct subject *subject)
{
    struct row rows[ROW_COUNT];
    char name[512];
    if (!subject->is_counted)
        return;
    ptx_demangle(subject->ours.kernel, name, sizeof name);
    if (subject->part)
        cli_print("%s: ", subject->part);
    cli_print("%s, %" PRIu32 " x %" PRIu32 " x %" PRIu32 " blocks\n", name, subject->ours.shape.grid[0],
              subject->ours.shape.grid[1], subject->ours.shape.grid[2]);
    cli_print("  %-31s %12s %12s %10s\n", "", "here", "hardware", "difference");
    make_rows(subject, rows);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        cli_print("  %-31s %12" PRIu64, rows[i].name, rows[i].ours);
        if (subject->is_compared)
            cli_print(" %12" PRIu64 " %+10.0f  %s\n", rows[i].hardware, difference(&rows[i]),
                      verdict_words[judge_row(subject, rows, i)]);
        else
            cli_print(" %12s\n", "-");
    }
}

// Prints all; the worst of them is the exit status.
static int report_subjects(const struct subject *subjects, size_t count, bool json)
{
    int worst = CLI_PASSED;
    enum outcome all = OUTCOME_EQUAL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct subject *subject = &subjects[i];
        int exit = CLI_PASSED;
        if (!json)
            print_subject(subject);
        if (!subject->is_compared)
            exit = cli_diagnostic(&subject->error);
        else if (is_different(subject))
            exit = CLI_FAILED;
        json_array_append_new(list, subject_json(subject));
        worst = exit > worst ? exit : worst;
        all = outcome_of(subject) < all ? outcome_of(subject) : all;
    }
    if (json) {
        cli_print_json(json_pack("{s:s, s:o}", "verdict", outcome_words[all], "launches", list));
    } else {
        json_decref(list);
    }
    return worst;
}

// ---- a lesson

static void verify_part(struct subject *subject, const struct lesson *lesson, size_t part,
                        const struct grade_options *grade)
{
    struct grade_options here = *grade;
    char number[32], gpu[32];
    subject->part = lesson->parts[part].name;
    here.device = "sim";
    subject->is_counted = verify_launch(lesson, part, &here, &subject->ours, &subject->error) == STATUS_OK;
    if (!subject->is_counted)
        return;
    snprintf(number, sizeof number, "%zu", part);
    snprintf(gpu, sizeof gpu, "%d", grade->gpu);
    const char *argv[] = {
        NULL, "launch", lesson->directory, number, grade->source ? grade->source : lesson->exercise, grade->compiler,
        gpu,  NULL};
    count_hardware(subject, argv);
}

static int verify_lesson(struct cli_call *call)
{
    const struct verify_request *request = call->request;
    const struct lesson *lesson = call->chosen[0];
    struct subject *subjects = mem_alloc(lesson->part_count * sizeof *subjects);
    for (size_t i = 0; i < lesson->part_count; i++)
        verify_part(&subjects[i], lesson, i, &request->grade);
    int exit = report_subjects(subjects, lesson->part_count, request->json);
    free(subjects);
    return exit;
}

// The launch that ncu watches. Words: folder of the lesson, number of the part, source, compiler, GPU.
static int run_launch(int argc, char **argv)
{
    struct lesson *lesson = NULL;
    struct verify_launch launch;
    struct diagnostic diagnostic = {0};
    long long part, gpu;
    if (argc != 6 || !cli_number(argv[2], 0, INT32_MAX, &part) || !cli_number(argv[5], -1, INT32_MAX, &gpu))
        return CLI_USAGE;
    struct grade_options grade = {
        .source = argv[3], .compiler = argv[4], .device = "gpu", .gpu = (int)gpu, .seed = SEED};
    enum status status = lesson_load(argv[1], NULL, &lesson, &diagnostic);
    if (status == STATUS_OK && (size_t)part >= lesson->part_count)
        status = diagnostic_set(&diagnostic, STATUS_USAGE, "the lesson has no part %lld", part);
    if (status == STATUS_OK)
        status = verify_launch(lesson, (size_t)part, &grade, &launch, &diagnostic);
    lesson_free(lesson);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

const struct cli_command cli_command_launch = {
    .name = "launch",
    .arguments = "FOLDER PART SOURCE COMPILER GPU",
    .summary = "Launch one kernel on a GPU (for the program's own use)",
    .hidden = true,
    .run_line = run_launch,
};

// ---- any file, with the words of `trace`

static void read_json_shape(const json_t *json, uint32_t shape[3])
{
    for (size_t i = 0; i < 3; i++)
        shape[i] = (uint32_t)json_integer_value(json_array_get(json, i));
}

static bool read_trace(const char *text, struct verify_launch *ours)
{
    json_t *json = json_loads(text, 0, NULL), *counters = json_object_get(json, "counters");
    const char *kernel = json_string_value(json_object_get(json, "mangled"));
    bool is_whole = kernel && *kernel && counters;
    if (is_whole) {
        snprintf(ours->kernel, sizeof ours->kernel, "%s", kernel);
        read_json_shape(json_object_get(json, "grid"), ours->shape.grid);
        read_json_shape(json_object_get(json, "block"), ours->shape.block);
        fields_read(&counter_fields, counters, NULL, &ours->counters);
    }
    json_decref(json);
    return is_whole;
}

// words[1] is "trace", then the file and its options; room for two more.
static enum status trace_here(const char **words, size_t count, struct subject *subject)
{
    struct process_options request = {.argv = words,
                                      .environment = (const char *const *)environ,
                                      .limits = {.wall_seconds = 300, .output_bytes = JSON_MAX_BYTES}};
    struct process_result result = {0};
    char *program = process_own_path();
    words[0] = program;
    words[count] = "--json";
    words[count + 1] = "--device=sim";
    enum status status = program ? process_run(&request, &result, &subject->error)
                                 : diagnostic_set(&subject->error, STATUS_ENVIRONMENT, "the program is not found");
    if (status == STATUS_OK && !(process_succeeded(&result) && read_trace(text_get(&result.out), &subject->ours))) {
        cli_print_escaped(stderr, text_get(&result.err));
        bool is_usage = result.end == PROCESS_EXITED && result.exit_code == CLI_USAGE;
        status = diagnostic_set(&subject->error, is_usage ? STATUS_USAGE : STATUS_FAULT,
                                is_usage ? "trace refuses that" : "the simulator does not run it to its end");
    }
    process_result_free(&result);
    free(program);
    return status;
}

// Both runs get the same PTX: that of the GPU's architecture, unless the user names one.
static const char *choose_verify_arch(int argc, char **argv, char word[32])
{
    struct cuda_info gpu;
    int count;
    for (int i = 1; i < argc; i++)
        if (text_starts(argv[i], "--arch"))
            return NULL;
    if (!text_ends(argv[1], ".cu") || cuda_describe(-1, &gpu, &count, NULL) != STATUS_OK)
        return NULL;
    snprintf(word, 32, "--arch=sm_%d", gpu.sm);
    return word;
}

static int verify_file(int argc, char **argv)
{
    if (argc < 2 || (!text_ends(argv[1], ".cu") && !text_ends(argv[1], ".ptx")))
        return CLI_GO_ON;
    const char *words[MAX_WORDS + 4] = {NULL, "trace"};
    size_t count = 2;
    bool json = false;
    struct subject subject = {0};
    char word[32];
    const char *arch = choose_verify_arch(argc, argv, word);
    if (arch)
        words[count++] = arch;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (count == MAX_WORDS)
            return cli_usage(&cli_command_verify, "too many words");
        else
            words[count++] = argv[i];
    }
    subject.is_counted = trace_here(words, count, &subject) == STATUS_OK;
    if (subject.is_counted) {
        words[count] = "--no-hazards";
        words[count + 1] = "--device=gpu";
        count_hardware(&subject, words);
    }
    return report_subjects(&subject, 1, json);
}

const struct cli_command cli_command_verify = {
    .name = "verify",
    .arguments = "[LESSON] | FILE.cu|FILE.ptx TRACE-OPTIONS",
    .summary = "Compare our counters with the hardware's (needs a GPU and ncu)",
    .description = "Runs the kernel on the GPU under Nsight Compute and prints both counts and the\n"
                   "difference. A lesson is counted at its speed size; a file takes the options of\n"
                   "'bankshot trace', after its name. The hardware's conflicts may be more by\n"
                   "0.3 % of the wavefronts in grids of 64 blocks and more, by 2 % in grids of 300:\n"
                   "there it also counts turns lost to other warps. What it counts otherwise in a\n"
                   "second run is noise however large. Exit status: 0 equal or within that noise,\n"
                   "1 different, 2 not compared.",
    .options = verify_options,
    .request_size = sizeof(struct verify_request),
    .defaults =
        &(const struct verify_request){.grade = {.device = "auto", .compiler = "auto", .gpu = -1, .seed = SEED}},
    .word_rule = "one lesson at a time; a file comes first, before its options",
    .scope = CLI_ONE_LESSON,
    .run = verify_lesson,
    .run_line = verify_file,
};
