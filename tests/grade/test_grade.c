#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/skip.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "grade/grade.h"
#include "grade/lint.h"
#include "grade/inquiry.h"
#include "grade/modelling.h"
#include "grade/report.h"
#include "lesson/markdown.h"
#include "toolchain/toolchain.h"

Suite *suite_grade(void);

#define STRONG "through_shared >= 0.9 && size(\\\"many\\\").through_others >= 0.9" SHARED_OUT
#define SHARED_OUT " && block_balance >= 0.5"
// A lesson of its own, with small sizes: reverse each block of 64 floats through shared memory.
static const char config[] =
    "title = \"Reverse\";\ntrack = \"extra\";\nsummary = \"Turn blocks round.\";\nstarter = \"unwritten\";\nwords = "
    "[1, 50];\n"
    "kernel = \"reverse\";\n"
    "args = ({ name = \"out\"; type = \"f32\"; shape = [\"n\"]; role = \"out\"; },\n"
    "  { name = \"in\"; type = \"f32\"; shape = [\"n\"]; role = \"in\"; },\n"
    "  { name = \"n\"; type = \"s32\"; role = \"scalar\"; value = \"n\"; });\n"
    "reference = \"reference.cu:expected\";\n"
    "sizes = ({ name = \"one\"; n = 1; }, { name = \"odd\"; n = 100; }, { name = \"many\"; n = 1024; });\n"
    "other_sizes = ({ name = \"n\"; least = 1; most = 600; });\n"
    "launch = { from = \"LAUNCH\"; cols = \"n\"; rows = \"1\"; limits = { threads = 256; }; asks = true; };\n"
    "gates = ({ id = \"correct\"; kind = \"correct\"; points = 50; },\n"
    "  { id = \"hazards\"; kind = \"hazards\"; points = 20; },\n"
    "  { id = \"shared\"; kind = \"require\"; points = 30; when = \"" STRONG "\"; message = \"Use it.\"; });\n"
    "hints = (\"Think.\");\n"
    "quiz = ({ question = \"q\"; kernel = \"solution\"; size = \"many\"; why = \"w\";\n"
    "    answer = \"bank(marker:read, lane 1) + line(marker:read).conflicts\"; });\n"
    "mutants = ({ file = \"no-barrier.cu\"; diagnosis = \"race\"; }, { file = \"no-guard.cu\"; diagnosis = "
    "\"out-of-bounds\"; },\n"
    "  { file = \"plain.cu\"; diagnosis = \"shared\"; });\n";

#define SIGNATURE "__global__ void reverse(float *out, const float *in, int n)\n"
#define BODY                                                                                                           \
    "    __shared__ float t[64]; int i = threadIdx.x, at = blockIdx.x * 64 + i;\n"                                     \
    "    int m = min(64, n - (int)blockIdx.x * 64);\n"
#define SOLUTION_BODY                                                                                                  \
    SIGNATURE                                                                                                          \
    "{\n" BODY                                                                                                         \
    "    if (i < m) t[i] = in[at];\n    __syncthreads();\n    if (i < m) out[at] = t[m - 1 - i]; // @read\n}\n"
#define SOLUTION "LAUNCH(64, 1, 64, 1);\n" SOLUTION_BODY

static char root[64];

static const char *path(const char *name)
{
    static char text[192];
    snprintf(text, sizeof text, "%.63s/%.100s", root, name);
    return text;
}

// Not file_write: hundreds of flushes to disk would take their time.
static void write_plainly(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void put(const char *name, const char *text)
{
    write_plainly(path(name), text);
}

static const char *compiler(void)
{
    struct toolchain toolchain;
    if (toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, NULL) == STATUS_OK)
        return "clang";
    return toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, NULL) == STATUS_OK ? "auto" : NULL;
}

// … and the check is skipped.
static bool lacks_compiler(void)
{
    if (compiler())
        return false;
    skip_check("no compiler");
    return true;
}

static void make_lesson(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-grade-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(file_make_folders(path("lessons/90-reverse/mutants"), true, NULL), STATUS_OK);
    ck_assert_int_eq(file_make_folders(path("solutions"), true, NULL), STATUS_OK);
    put("lessons/90-reverse/lesson.cfg", config);
    put("lessons/90-reverse/lesson.md", "# Reverse\n\nTurn it round.\n");
    put("lessons/90-reverse/starter.cu", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n}\n");
    put("lessons/90-reverse/reference.cu",
        "__global__ void expected(float *out, const float *in, int n)\n{\n"
        "    for (int b = 0; b < n; b += 64) {\n        int m = min(64, n - b);\n"
        "        for (int i = 0; i < m; i++) out[b + i] = in[b + m - 1 - i];\n    }\n}\n");
    put("lessons/90-reverse/mutants/no-barrier.cu",
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n" BODY
        "    if (i < m) t[i] = in[at];\n    if (i < m) out[at] = t[m - 1 - i];\n}\n");
    put("lessons/90-reverse/mutants/no-guard.cu",
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n" BODY
        "    t[i] = in[at];\n    __syncthreads();\n    if (i < m) out[at] = t[m - 1 - i];\n}\n");
    put("lessons/90-reverse/mutants/plain.cu",
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    int i = threadIdx.x, at = blockIdx.x * 64 + i;\n"
        "    int m = min(64, n - (int)blockIdx.x * 64);\n    if (i < m) out[at] = in[at - i + m - 1 - i];\n}\n");
    put("solutions/90-reverse.cu", SOLUTION);
}

static void remove_lesson(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%.63s'", root);
    ck_assert_int_eq(system(command), 0);
}

static struct lesson *load(void)
{
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(lesson_load(path("lessons/90-reverse"), NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s",
                  diagnostic.line, diagnostic.message);
    return lesson;
}

static struct grade_report *grade_with(const char *source, struct grade_options options)
{
    struct lesson *lesson = load();
    char file[192];
    snprintf(file, sizeof file, "%s", path("exercise.cu"));
    put("exercise.cu", source);
    options.source = file;
    options.device = "sim";
    options.compiler = compiler();
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    lesson_free(lesson);
    return report;
}

static struct grade_report *grade(const char *source, uint64_t seed)
{
    return grade_with(source, (struct grade_options){.seed = seed});
}

static const struct {
    const char *what, *source;
    enum verdict verdict;
    const char *diagnosis, *says;
} sources[] = {
    {"the solution", SOLUTION, VERDICT_PASS, "", ""},
    {"does nothing", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n}\n", VERDICT_NOT_STARTED, "unwritten",
     "nothing was written to out"},
    {"writes NaN",
     "LAUNCH(64, 1, 64, 1);\n" SIGNATURE
     "{\n    int at = blockIdx.x * 64 + threadIdx.x;\n    if (at < n) out[at] = __int_as_float(0x7fffffff);\n}\n",
     VERDICT_FAIL, "wrong-results", "NaN"},
    {"writes past the end", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    out[blockIdx.x * 64 + threadIdx.x] = 1;\n}\n",
     VERDICT_FAIL, "out-of-bounds", "`out`"},
    {"never ends",
     "LAUNCH(64, 1, 64, 1);\n" SIGNATURE
     "{\n    volatile int *flag = (volatile int *)out;\n    while (*flag != 12345) { }\n}\n",
     VERDICT_TIMEOUT, "timeout", ""},
    {"traps", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    __trap();\n}\n", VERDICT_FAIL, "trap", ""},
    {"knows an answer by heart",
     "LAUNCH(64, 1, 64, 1);\n" SIGNATURE
     "{\n    int at = blockIdx.x * 64 + threadIdx.x;\n    if (at < n) out[at] = 0.3f;\n}\n",
     VERDICT_FAIL, "wrong-results", "should be"},
    {"keeps its first result",
     "LAUNCH(64, 1, 64, 1);\n__device__ float kept[1024];\n__device__ int calls[16];\n" SIGNATURE "{\n" BODY
     "    if (i < m) t[i] = in[at];\n    __syncthreads();\n    int call = calls[blockIdx.x];\n    __syncthreads();\n"
     "    if (i == 0) calls[blockIdx.x] = call + 1;\n    if (i < m && !call) kept[at] = t[m - 1 - i];\n"
     "    if (i < m) out[at] = kept[at];\n}\n",
     VERDICT_FAIL, "wrong-results", "the first launch is right, but in a second with other inputs"},
    {"keeps the address of its first launch's input",
     "LAUNCH(64, 1, 64, 1);\n__device__ const float *kept[64];\n" SIGNATURE "{\n" BODY
     "    if (i == 0 && !kept[blockIdx.x]) kept[blockIdx.x] = in;\n    __syncthreads();\n"
     "    in = *(const float *volatile *)&kept[blockIdx.x];\n    if (i < m) t[i] = in[at];\n    __syncthreads();\n"
     "    if (i < m) out[at] = t[m - 1 - i];\n}\n",
     VERDICT_FAIL, "wrong-results", "the first launch is right, but in a second"},
    {"has a variable that each launch writes before it reads",
     "LAUNCH(64, 1, 64, 1);\n__device__ float kept[1024];\n" SIGNATURE "{\n" BODY
     "    if (i < m) t[i] = in[at];\n    __syncthreads();\n    if (i < m) kept[at] = t[m - 1 - i];\n"
     "    if (i < m) out[at] = kept[at];\n}\n",
     VERDICT_PASS, "", ""},
    {"syntax error", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    int x = ;\n}\n", VERDICT_COMPILE_ERROR,
     "compile-error", ""},
    {"empty", "", VERDICT_COMPILE_ERROR, "compile-error", "empty"},
    {"no kernel", "LAUNCH(64, 1, 64, 1);\n__device__ int x;\n", VERDICT_LAUNCH_ERROR, "missing-kernel", "kernel"},
    {"another kernel", "LAUNCH(64, 1, 64, 1);\n__global__ void revers(float *out) { out[0] = 1; }\n",
     VERDICT_LAUNCH_ERROR, "missing-kernel", "revers"},
    {"two kernels and a main", SOLUTION "__global__ void other(int *p) { *p = 1; }\nint main() { return 1; }\n",
     VERDICT_PASS, "", ""},
    {"fewer parameters", "LAUNCH(64, 1, 64, 1);\n__global__ void reverse(float *out, int n) { out[0] = (float)n; }\n",
     VERDICT_LAUNCH_ERROR, "wrong-signature", "Expected: reverse(float *out, const float *in, int n)"},
    {"pointers to doubles",
     "LAUNCH(64, 1, 64, 1);\n__global__ void reverse(double *out, const double *in, int n)\n"
     "{\n    int i = blockIdx.x * 64 + threadIdx.x;\n    if (i < n) out[n - 1 - i] = in[i];\n}\n",
     VERDICT_FAIL, "wrong-signature", "is a pointer to double, and the lesson passes float"},
    {"another type",
     "LAUNCH(64, 1, 64, 1);\n__global__ void reverse(float *out, const float *in, double n) { out[0] = (float)n + "
     "in[0]; }\n",
     VERDICT_LAUNCH_ERROR, "wrong-signature", "Found: reverse(float*, float const*, double)"},
    {"no LAUNCH", SIGNATURE "{\n    out[0] = in[0] + (float)n;\n}\n", VERDICT_LAUNCH_ERROR, "missing-launch",
     "LAUNCH("},
    {"a block too large", "LAUNCH(2048, 1, 64, 1);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR, "launch-error",
     "cudaErrorInvalidConfiguration"},
    {"an empty block", "LAUNCH(0, 1, 64, 1);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR, "launch-error",
     "cudaErrorInvalidConfiguration"},
    {"shared memory that nobody asked for", "LAUNCH(64, 1, 64, 1, 49156);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR,
     "shared-not-asked", "cudaFuncAttributeMaxDynamicSharedMemorySize"},
    {"static and dynamic together, unasked",
     "LAUNCH(64, 1, 64, 1, 48000);\n" SIGNATURE
     "{\n    __shared__ float t[1000];\n    t[n] = 1;\n    out[0] = t[n / 2];\n}\n",
     VERDICT_LAUNCH_ERROR, "shared-not-asked", "cudaErrorInvalidValue"},
    {"less asked for than wanted", "LAUNCH(64, 1, 64, 1, 50000, 49999);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR,
     "shared-not-asked", "cudaErrorInvalidValue"},
    {"more asked for than there is", "LAUNCH(64, 1, 64, 1, 0, 232452);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR,
     "launch-error", "cudaErrorInvalidValue"},
    {"shared memory that is asked for", "LAUNCH(64, 1, 64, 1, 49156, 49156);\n" SOLUTION_BODY, VERDICT_PASS, "", ""},
    {"more than the lesson allows", "LAUNCH(512, 1, 64, 1);\n" SIGNATURE "{\n}\n", VERDICT_LAUNCH_ERROR, "launch-error",
     "at most 256 threads"},
};

START_TEST(every_source_gets_one_clear_verdict)
{
    if (lacks_compiler())
        return;
    struct grade_report *report = grade(sources[_i].source, 0);
    ck_assert_msg(report->verdict == sources[_i].verdict, "%s: %s (%s: %s)", sources[_i].what,
                  verdict_name(report->verdict), report->diagnosis, report->next);
    ck_assert_msg(strcmp(report->diagnosis, sources[_i].diagnosis) == 0, "%s: %s (%s)", sources[_i].what,
                  report->diagnosis, report->next);
    ck_assert_msg(strstr(report->next, sources[_i].says) != NULL, "%s: %s", sources[_i].what, report->next);
    ck_assert(report->full == (sources[_i].verdict == VERDICT_PASS));
    ck_assert_double_eq(report->score, sources[_i].verdict == VERDICT_PASS ? 100 : 0);
    grade_report_free(report);
}
END_TEST

START_TEST(a_kernel_that_does_not_end_is_told_once)
{
    if (lacks_compiler())
        return;
    struct grade_report *report =
        grade("LAUNCH(64, 1, 64, 1);\n" SIGNATURE
              "{\n    volatile int *flag = (volatile int *)out;\n    while (*flag != 12345) { }\n}\n",
              0);
    size_t told = 0;
    for (size_t i = 0; i < report->size_count; i++)
        told += strstr(report->sizes[i].diagnostic.message, "not waited for") == NULL;
    ck_assert_uint_eq(told, 1);
    ck_assert_str_eq(report->sizes[report->size_count - 1].diagnostic.message,
                     "not waited for, as a smaller size did not end");
    grade_report_free(report);
}
END_TEST

START_TEST(seeds_are_fresh_and_can_be_given)
{
    if (lacks_compiler())
        return;
    static const char constant[] =
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE
        "{\n    int at = blockIdx.x * 64 + threadIdx.x;\n    if (at < n) out[at] = 0.5f;\n}\n";
    struct grade_report *one = grade(constant, 0), *two = grade(constant, 0), *again = grade(constant, one->seed);
    const struct grade_mismatch *first = &one->sizes[1].mismatch;
    ck_assert_uint_ne(one->seed, two->seed);
    ck_assert_uint_eq(one->seed, again->seed);
    ck_assert_double_eq(first->expected, again->sizes[1].mismatch.expected);
    ck_assert_uint_eq(first->wrong, again->sizes[1].mismatch.wrong);
    grade_report_free(one);
    grade_report_free(two);
    grade_report_free(again);
}
END_TEST

START_TEST(a_race_that_the_compiler_removes_is_told_where_someone_asks)
{
    if (lacks_compiler())
        return;
    static const char source[] =
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    __shared__ int spare;\n" BODY "    spare = i;\n"
        "    if (i < m) t[i] = in[at];\n    __syncthreads();\n    if (i < m) out[at] = t[m - 1 - i];\n}\n";
    struct grade_report *plain = grade(source, 5);
    struct grade_report *written = grade_with(source, (struct grade_options){.seed = 5, .as_written = true});
    size_t told = 0;
    ck_assert_uint_eq(plain->record.hazards.count, 0);
    ck_assert(!plain->as_written);
    ck_assert(written->as_written);
    ck_assert_int_eq(written->verdict, VERDICT_PASS);
    for (size_t i = 0; i < written->record.hazards.count; i++) {
        const struct hazard *hazard = &written->record.hazards.items[i];
        ck_assert(hazard->as_written && hazard->benign);
        ck_assert_uint_gt(hazard->line, 0);
        told++;
    }
    ck_assert_uint_gt(told, 0);
    grade_report_free(plain);
    grade_report_free(written);
}
END_TEST

START_TEST(a_report_survives_its_json)
{
    if (lacks_compiler())
        return;
    struct grade_report *report =
                            grade(_i ? SOLUTION
                                     : "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n" BODY
                                       "    if (i < m) t[i] = in[at];\n    if (i < m) out[at] = t[m - 1 - i];\n}\n",
                                  5),
                        *read;
    json_t *json = grade_report_json(report), *packed = grade_report_json_packed(report), *again;
    struct text text = {0}, other = {0};
    ck_assert_int_eq(grade_report_read(packed, &read, NULL), STATUS_OK);
    json_decref(packed);
    again = grade_report_json(read);
    ck_assert(json_equal(json, again));
    report_text(report, NULL, REPORT_ALL, &text);
    report_text(read, NULL, REPORT_ALL, &other);
    ck_assert_str_eq(text_get(&text), text_get(&other));
    text_free(&text);
    text_free(&other);
    json_decref(json);
    json_decref(again);
    grade_report_free(report);
    grade_report_free(read);
}
END_TEST

static void ignore(void *context, enum grade_phase phase, const char *detail, double seconds)
{
    (void)context, (void)phase, (void)detail, (void)seconds;
}

static enum status record(const struct grade_report *report, uint64_t block, struct recording *recording)
{
    struct lesson *lesson = load();
    struct grade_options options = {.compiler = compiler(), .device = "sim", .seed = report->seed};
    struct record_request request = {.text = report->source, .part = report->part, .block = block};
    struct diagnostic diagnostic;
    enum status status = grade_record(lesson, &options, &request, ignore, NULL, recording, &diagnostic);
    lesson_free(lesson);
    return status;
}

// At the first size, on inputs that say their row and column.
START_TEST(a_block_is_recorded_at_any_size_and_on_numbered_inputs)
{
    struct recording recording;
    struct diagnostic diagnostic;
    if (lacks_compiler())
        return;
    struct lesson *lesson = load();
    struct grade_options options = {.compiler = compiler(), .device = "sim", .seed = 7};
    struct record_request request = {.size = 1, .numbered = true};
    ck_assert_int_eq(grade_record(lesson, &options, &request, ignore, NULL, &recording, &diagnostic), STATUS_OK);
    for (size_t i = 0; i + 4 <= recording.value_count; i += 4) {
        float value;
        memcpy(&value, recording.values + i, sizeof value);
        ck_assert(value >= 0 && value == (float)(int)value);
    }
    recording_free(&recording);
    request = (struct record_request){.size = 1, .block = 100000};
    ck_assert_int_eq(grade_record(lesson, &options, &request, ignore, NULL, &recording, &diagnostic), STATUS_USAGE);
    recording_free(&recording);
    lesson_free(lesson);
}
END_TEST

// The graded run recorded block 0 among all others; alone it does the same.
START_TEST(a_block_recorded_again_is_the_same)
{
    struct recording again, other;
    if (lacks_compiler())
        return;
    struct grade_report *report = grade(SOLUTION, 0);
    const struct recording *first = &report->record.recording;
    ck_assert_int_eq(record(report, 0, &again), STATUS_OK);
    ck_assert_uint_gt(again.count, 0);
    ck_assert_uint_eq(again.total, first->total);
    ck_assert_uint_eq(again.value_count, first->value_count);
    ck_assert_uint_gt(again.value_count, 0);
    ck_assert_mem_eq(again.values, first->values, first->value_count);
    ck_assert_mem_eq(again.items, first->items, first->count * sizeof *first->items);
    for (size_t i = 0; i < first->count; i++) // what the banks are told travels, too
        if (first->items[i].space == PTX_SHARED)
            ck_assert_int_eq(first->items[i].operation.kind,
                             first->items[i].kind == SIM_STORE ? BANK_STORE : BANK_LOAD);
    ck_assert_int_eq(record(report, 15, &other), STATUS_OK);
    ck_assert_uint_eq(other.block[0], 15);
    ck_assert_uint_eq(other.count, again.count);
    ck_assert_mem_ne(other.values, again.values, again.value_count); // other inputs
    recording_free(&again);
    recording_free(&other);
    ck_assert_int_eq(record(report, 16, &other), STATUS_USAGE);
    recording_free(&other);
    grade_report_free(report);
}
END_TEST

static struct recorded_access odd_access(uint64_t *random, size_t index, struct recording *recording)
{
    struct recorded_access access = {.pc = (uint32_t)(random_next(random) % 5),
                                     .warp = (uint32_t)(random_next(random) % 64),
                                     .mask = index % 3 ? UINT32_MAX : (uint32_t)random_next(random),
                                     .bytes = 1u << random_next(random) % 5,
                                     .step = random_next(random) >> random_next(random) % 64,
                                     .phase = (uint32_t)(random_next(random) % 3),
                                     .kind = index % 2 ? SIM_STORE : SIM_ASYNC_COPY,
                                     .space = index % 7 ? PTX_SHARED : PTX_GLOBAL,
                                     .lands = (uint32_t)index};
    uint64_t step = index % 5 ? 4 : random_next(random);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        access.addresses[lane] = access.mask >> lane & 1 ? random_next(random) % 2 * 64 + lane * step : 0;
    if (access.space != PTX_SHARED)
        return access;
    access.zeros = (uint32_t)random_next(random) & access.mask;
    access.operation = (struct operation){.kind = BANK_STORE, .wide = 8, .delta = -4, .fused_away = index % 11 == 0};
    access.lands = (uint32_t)(random_next(random) % 1000);
    access.has_values = index % 4 != 0;
    access.values = access.has_values ? (uint32_t)recording->value_count : 0;
    for (uint32_t i = 0; access.has_values && i < (uint32_t)__builtin_popcount(access.mask) * access.bytes; i++)
        *mem_append(recording->values, recording->value_capacity, recording->value_count) =
            (unsigned char)random_next(random);
    return access;
}

static bool same_access(const struct recorded_access *a, const struct recorded_access *b)
{
    const struct operation *one = &a->operation, *other = &b->operation;
    return a->pc == b->pc && a->warp == b->warp && a->mask == b->mask && a->bytes == b->bytes && a->step == b->step &&
           a->phase == b->phase && a->kind == b->kind && a->space == b->space && a->zeros == b->zeros &&
           a->lands == b->lands && a->has_values == b->has_values && a->values == b->values &&
           one->kind == other->kind && one->wide == other->wide && one->delta == other->delta &&
           one->fused_away == other->fused_away && memcmp(a->addresses, b->addresses, sizeof a->addresses) == 0;
}

START_TEST(a_recording_comes_back_as_it_was)
{
    struct recording recording = {.block = {3, 2, 1}, .total = 2000}, again = {0};
    uint64_t random = 5;
    for (size_t i = 0; i < 1000; i++)
        *mem_append(recording.items, recording.capacity, recording.count) = odd_access(&random, i, &recording);
    json_t *json = grade_recording_own.write(&recording);
    grade_recording_own.read(NULL, json, &again);
    ck_assert_uint_eq(again.count, recording.count);
    ck_assert_uint_eq(again.total, 2000);
    ck_assert_uint_eq(again.value_count, recording.value_count);
    ck_assert_mem_eq(again.values, recording.values, recording.value_count);
    for (size_t i = 0; i < recording.count; i++)
        ck_assert_msg(same_access(&again.items[i], &recording.items[i]), "access %zu", i);
    json_decref(json);
    recording_free(&recording);
    recording_free(&again);
}
END_TEST

static const struct lesson odd_lesson = {.title = "Reverse <&> \"it\""};

static void check_width(const struct grade_report *report)
{
    struct text text = {0};
    report_text(report, &odd_lesson, REPORT_ALL, &text);
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(markdown_columns(line) <= 80, "%s", line);
    text_free(&text);
}

START_TEST(a_report_of_accesses_stays_within_80_columns)
{
    if (lacks_compiler())
        return;
    struct grade_report *report = grade(SOLUTION, 0);
    ck_assert_uint_gt(report->record.counters.count, 0);
    check_width(report);
    grade_report_free(report);
}
END_TEST

START_TEST(reports_stay_within_80_columns_and_are_well_formed)
{
    if (lacks_compiler())
        return;
    struct grade_report *report = grade("LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n" BODY
                                        "    t[i] = in[at];\n    __syncthreads();\n    if (i < m) out[at] = t[i];\n}\n",
                                        5);
    struct text text = {0};
    check_width(report);
    report_text(report, &odd_lesson, REPORT_ALL, &text);
    ck_assert_ptr_nonnull(strstr(text_get(&text), "out-of-bounds"));
    text_clear(&text);
    report_junit(&report, 1, &text);
    ck_assert_ptr_nonnull(strstr(text_get(&text), "<failure message="));
    ck_assert_ptr_nonnull(strstr(text_get(&text), "tests=\"4\""));
    text_clear(&text);
    report_html(report, &odd_lesson, &text);
    ck_assert_ptr_nonnull(strstr(text_get(&text), "<title>Reverse &lt;&amp;&gt; &quot;it&quot;</title>"));
    ck_assert(text_ends(text_get(&text), "</html>\n"));
    json_t *json = report_gradescope(&report, 1);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "tests")), 3);
    json_decref(json);
    text_free(&text);
    grade_report_free(report);
}
END_TEST

// The lesson with a gate on modelled ratios and room for larger blocks.
static void model_speed(void)
{
    static const char gate[] = "message = \"Use it.\"; }", threads[] = "threads = 256";
    struct text text = {0};
    const char *at = strstr(config, threads), *end = strstr(config, gate) + strlen(gate);
    text_append(&text, config, (size_t)(at - config));
    text_puts(&text, "threads = 1024");
    text_append(&text, at + strlen(threads), (size_t)(end - at) - strlen(threads));
    text_puts(&text, ",\n  { id = \"speed\"; kind = \"speed\"; points = 0; sim = \"modelled_vs_solution >= 0.65\"; }");
    text_puts(&text, end);
    put("lessons/90-reverse/lesson.cfg", text_get(&text));
    text_free(&text);
}

// A stand-in for ptxas that has one answer for every kernel.
static void put_ptxas(unsigned registers)
{
    char script[400];
    snprintf(script, sizeof script,
             "#!/bin/sh\necho \"ptxas info    : Function properties for $4\" >&2\n"
             "echo '    0 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads' >&2\n"
             "echo 'ptxas info    : Used %u registers, used 1 barriers, 256 bytes smem' >&2\n",
             registers);
    put("ptxas", script);
    ck_assert_int_eq(chmod(path("ptxas"), 0700), 0);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
}

START_TEST(what_ends_every_size_is_said_once)
{
    if (lacks_compiler())
        return;
    struct grade_report *report = grade("LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    __trap();\n}\n", 7);
    ck_assert_uint_eq(report->size_count, 3);
    ck_assert_uint_eq(report->messages.count, 1);
    grade_report_free(report);
}
END_TEST

// clang's code promises the block that LAUNCH names, where registers could be too few for it, unless it says itself.
START_TEST(large_blocks_of_clangs_code_have_their_registers)
{
    static const struct {
        const char *launch, *bounds, *has;
    } rows[] = {{"LAUNCH(32, 32, 64, 1);\n", "", ".maxntid 32, 32, 1"},
                {"LAUNCH(64, 1, 64, 1);\n", "", NULL},
                {"LAUNCH(512, 1, 64, 1);\n", "__launch_bounds__(640) ", ".maxntid 640"}};
    struct toolchain clang;
    if (toolchain_find(TOOLCHAIN_CLANG, NULL, &clang, NULL) != STATUS_OK) {
        skip_check("no clang");
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[512];
        struct unit unit;
        struct diagnostic why = {0};
        snprintf(source, sizeof source,
                 "%s__global__ void first(int *out)\n{\n    out[threadIdx.x] = 1;\n}\n"
                 "__global__ void %ssecond(int *out)\n{\n    out[threadIdx.x] = 2;\n}\n",
                 rows[i].launch, rows[i].bounds);
        put("exercise.cu", source);
        ck_assert_msg(unit_make(&unit, path("exercise.cu"), &clang, NULL, &why) == STATUS_OK, "%s", why.message);
        const char *second = strstr(unit.compiled.ptx, ".entry _Z6second");
        ck_assert_ptr_nonnull(second);
        ck_assert_msg((strstr(second, ".maxntid") != NULL) == (rows[i].has != NULL), "%s", unit.compiled.ptx);
        ck_assert_msg(!rows[i].has || strstr(second, rows[i].has), "%s", unit.compiled.ptx);
        ck_assert_int_eq(strstr(unit.compiled.ptx, ".maxntid 512, 1, 1") != NULL, i == 2);
        unit_free(&unit);
    }
}
END_TEST

// A speed gate that compares with nothing would not be judged, and its points given away.
START_TEST(no_time_to_model_the_lessons_own_kernels_is_the_machines_fault)
{
    struct grade_options options = {.compiler = compiler()};
    struct runner runner;
    struct unit unit;
    struct kernel_times times;
    struct record record = {0};
    struct large_finding finding;
    struct hazard_list hazards = {0};
    struct diagnostic why = {0};
    char shape[64];
    if (lacks_compiler())
        return;
    put("exercise.cu", SOLUTION);
    put("solutions/90-reverse.cu",
        "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n    double x = n;\n    while (x > 0) {\n#pragma unroll\n"
        "        for (int i = 0; i < 16; i++) x = sqrt(x) + 1;\n    }\n    out[0] = x;\n}\n");
    struct lesson *lesson = load();
    ck_assert_int_eq(runner_open(&runner, lesson, &options, &why), STATUS_OK);
    ck_assert_msg(unit_make(&unit, path("exercise.cu"), &runner.toolchain, NULL, &why) == STATUS_OK, "%s", why.message);
    runner.limit.seconds = -1;
    struct modelling *modelling = modelling_start(&runner);
    modelling_add(modelling, &unit, &runner.limit);
    ck_assert_int_eq(modelling_take(modelling, &times, &record, &finding, &hazards, shape, &why), STATUS_ENVIRONMENT);
    ck_assert_ptr_nonnull(strstr(why.message, "this machine is too busy"));
    modelling_free(modelling);
    unit_free(&unit);
    runner_close(&runner);
    lesson_free(lesson);
}
END_TEST

// A second of a processor in five, and the limit passes by: nobody knows what the kernel would have done with all of
// it.
START_TEST(a_kernel_is_slow_only_if_it_had_a_processor)
{
    struct diagnostic why = {0};
    ck_assert_int_eq(grade_check_processor(20, 19.5, &why), STATUS_OK);
    ck_assert_int_eq(grade_check_processor(20, 39, &why), STATUS_OK);
    ck_assert_int_eq(grade_check_processor(20, 3.9, &why), STATUS_ENVIRONMENT);
    ck_assert_str_eq(why.message,
                     "In 20.0 s the run got only 3.9 s of a processor: this machine is too busy. Run it again "
                     "when less else is running.");
}
END_TEST

static struct grade_report *through_json(struct grade_report *report)
{
    struct grade_report *copy;
    json_t *json = grade_report_json(report);
    ck_assert_int_eq(grade_report_read(json, &copy, NULL), STATUS_OK);
    json_decref(json);
    grade_report_free(report);
    return copy;
}

START_TEST(a_time_from_the_cache_is_the_one_that_was_modelled)
{
    if (lacks_compiler())
        return;
    double times[2];
    model_speed();
    put_ptxas(42);
    setenv("XDG_CACHE_HOME", path("kept"), 1);
    for (int i = 0; i < 2; i++) {
        struct grade_report *report = grade(SOLUTION, 0);
        times[i] = report->modelled.solution;
        grade_report_free(report);
    }
    unsetenv("XDG_CACHE_HOME");
    unsetenv("BANKSHOT_PTXAS");
    ck_assert_double_gt(times[0], 0);
    ck_assert_msg(times[0] == times[1], "%.17g, then %.17g us", times[0], times[1]);
}
END_TEST

START_TEST(modelled_times_come_with_why_and_with_the_registers_source)
{
    if (lacks_compiler())
        return;
    bool has_ptxas = _i == 1;
    model_speed();
    setenv("BANKSHOT_PTXAS", "", 1);
    if (has_ptxas)
        put_ptxas(42);
    struct grade_report *report = through_json(grade(SOLUTION, 0));
    const struct prediction *model = &report->record.model;
    ck_assert_int_eq(report->verdict, VERDICT_PASS);
    ck_assert_double_gt(report->modelled.kernel, 0);
    ck_assert_double_eq_tol(report->modelled.solution, report->modelled.kernel, 0.001 * report->modelled.kernel);
    ck_assert(model->registers_estimated == !has_ptxas);
    ck_assert(!has_ptxas || model->registers == 42);
    double sum = model->issued;
    for (int i = 0; i < REPLAY_REASONS; i++)
        sum += model->waits[i];
    ck_assert_double_eq_tol(sum, 1, 1e-6);
    struct text text = {0};
    report_text(report, NULL, REPORT_BRIEF, &text);
    const char *const says[] = {"modelled (H200)", "bound by ", "warps' time: issuing", "would help: ",
                                has_ptxas ? "42 registers a thread (ptxas)" : "registers a thread (estimate)"};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        ck_assert_msg(strstr(text_get(&text), says[i]) != NULL, "%s: %s", says[i], text_get(&text));
    ck_assert((strstr(text_get(&text), "spilled") != NULL) == has_ptxas);
    text_clear(&text);
    report_html(report, NULL, &text);
    ck_assert_ptr_nonnull(strstr(text_get(&text), "Speed, modelled for H200"));
    ck_assert_ptr_nonnull(strstr(text_get(&text), "modelled (H200): "));
    ck_assert_msg(strstr(report->gates[3].got, "; modelled (H200)") != NULL, "%s", report->gates[3].got);
    text_free(&text);
    grade_report_free(report);
    unsetenv("BANKSHOT_PTXAS");
}
END_TEST

START_TEST(a_ptxas_that_was_killed_is_no_mark)
{
    if (lacks_compiler())
        return;
    model_speed();
    put("ptxas", "#!/bin/sh\nkill -KILL $$\n");
    ck_assert_int_eq(chmod(path("ptxas"), 0700), 0);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    struct lesson *lesson = load();
    struct grade_options options = {.source = lesson->solution, .device = "sim", .compiler = compiler()};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_msg(strstr(diagnostic.message, "ptxas was killed") != NULL, "%s", diagnostic.message);
    lesson_free(lesson);
    unsetenv("BANKSHOT_PTXAS");
}
END_TEST

START_TEST(a_block_with_more_registers_than_there_are_is_refused)
{
    if (lacks_compiler())
        return;
    model_speed();
    put_ptxas(255);
    struct grade_report *report =
        grade("LAUNCH(512, 1, 64, 1);\n" SIGNATURE "{\n" BODY "    if (i < m) t[i] = in[at];\n    __syncthreads();\n"
              "    if (i < m) out[at] = t[m - 1 - i];\n}\n",
              0);
    ck_assert_int_eq(report->verdict, VERDICT_LAUNCH_ERROR);
    ck_assert_msg(strstr(report->next, "cudaErrorLaunchOutOfResources") != NULL, "%s", report->next);
    grade_report_free(report);
    unsetenv("BANKSHOT_PTXAS");
}
END_TEST

START_TEST(lint_proves_the_lesson)
{
    if (lacks_compiler())
        return;
    struct lesson *lesson = load();
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(lint_run(lesson, &options, NULL, NULL, &list, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    for (size_t i = 0; i < list.count; i++)
        ck_assert_msg(list.items[i].passed, "%s: wanted %s, got %s: %s", list.items[i].subject, list.items[i].wanted,
                      list.items[i].got, list.items[i].message);
    ck_assert_uint_eq(list.failed, 0);
    ck_assert_uint_eq(list.count, 18);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

START_TEST(lint_finds_a_mutant_that_passes_and_a_solution_that_does_not)
{
    if (lacks_compiler())
        return;
    put("lessons/90-reverse/mutants/no-barrier.cu", SOLUTION);
    put("solutions/90-reverse.cu", "LAUNCH(64, 1, 64, 1);\n" SIGNATURE "{\n}\n");
    struct lesson *lesson = load();
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    ck_assert_uint_eq(list.failed, 4); // and what is tried with the solution: other sizes, the quiz
    for (size_t i = 0; i < list.count; i++)
        if (strstr(list.items[i].subject, "no-barrier"))
            ck_assert_str_eq(list.items[i].got, "pass");
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

// The lesson with something else in its settings.
static struct lesson *load_with(const char *from, const char *to)
{
    const char *at = strstr(config, from);
    struct text text = {0};
    ck_assert_ptr_nonnull(at);
    text_append(&text, config, (size_t)(at - config));
    text_printf(&text, "%s%s", to, at + strlen(from));
    put("lessons/90-reverse/lesson.cfg", text_get(&text));
    text_free(&text);
    return load();
}

// A gate that counts what a kernel can have for show.
static struct lesson *load_weak(const char *asks)
{
    return load_with(STRONG, asks);
}

#define PLAIN(before)                                                                                                  \
    "LAUNCH(128, 1, 64, 1);\n" SIGNATURE "{\n" before "    int i = threadIdx.x, at = blockIdx.x * 64 + i;\n"           \
    "    int m = min(64, n - (int)blockIdx.x * 64);\n    if (i < m) out[at] = in[at - i + m - 1 - i];\n}\n"

static const struct {
    const char *asks, *disguise, *advice;
} weak_gates[] = {
    {"shared_load_instructions > 0", "a dummy word in shared memory", "through_shared"},
    {"through_shared >= 0.9", "each result through a word of its own thread", "through_others"},
    {"bulk_load_sectors > 0", "junk bulk copies", "through_copies"},
    {"shared_wgmma_instructions > 0", "junk products", "thread_instructions"},
};

// plain.cu uses no shared memory, and passes in disguise.
START_TEST(lint_finds_a_gate_that_a_disguise_passes)
{
    if (lacks_compiler())
        return;
    put("lessons/90-reverse/mutants/plain.cu", PLAIN(""));
    struct lesson *lesson = load_weak(weak_gates[_i].asks);
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    char subject[128];
    bool found = false;
    snprintf(subject, sizeof subject, "plain.cu, with %s", weak_gates[_i].disguise);
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    for (size_t i = 0; i < list.count; i++) {
        bool is_it = strcmp(list.items[i].subject, subject) == 0;
        found |= is_it;
        if (is_it)
            ck_assert_msg(strstr(list.items[i].message, "Gate shared") &&
                              strstr(list.items[i].message, weak_gates[_i].advice),
                          "%s: %s", list.items[i].got, list.items[i].message);
    }
    ck_assert_msg(found, "%s", subject);
    ck_assert_uint_eq(list.untried, 0);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

START_TEST(a_kernel_in_disguise_is_as_right_as_before)
{
    if (lacks_compiler())
        return;
    put("lessons/90-reverse/mutants/plain.cu", PLAIN(""));
    struct lesson *lesson = load_weak(STRONG " && bulk_load_copies >= 0 && shared_wgmma_wavefronts >= 0");
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    for (size_t i = 0; i < list.count; i++)
        ck_assert_msg(list.items[i].passed && !text_starts(list.items[i].got, "not tried"), "%s: %s",
                      list.items[i].subject, list.items[i].got);
    ck_assert_uint_eq(list.untried, 0);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

static const struct {
    const char *from, *to, *subject, *says;
} careless[] = {
    {STRONG, "thread_instructions > 0", "gates", "can be missed: shared."},
    {SHARED_OUT, "", "one block", "block_balance >= 0.5"},
    {"other_sizes = ({ name = \"n\"; least = 1; most = 600; });\n", "", "other_sizes", "other_sizes = ( );"},
    {"kind = \"hazards\"", "kind = \"correct\"", "hazards", "kind = \"hazards\""},
};

START_TEST(lint_asks_for_what_keeps_wrong_kernels_out)
{
    if (lacks_compiler())
        return;
    struct lesson *lesson = load_with(careless[_i].from, careless[_i].to);
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    bool found = false;
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    for (size_t i = 0; i < list.count; i++) {
        if (strcmp(list.items[i].subject, careless[_i].subject) != 0)
            continue;
        found = true;
        ck_assert(!list.items[i].passed);
        ck_assert_msg(strstr(list.items[i].message, careless[_i].says) != NULL, "%s", list.items[i].message);
    }
    ck_assert(found);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

// Other sizes may be none on purpose.
START_TEST(lint_takes_none_for_an_answer)
{
    if (lacks_compiler())
        return;
    struct lesson *lesson = load_with("({ name = \"n\"; least = 1; most = 600; })", "( )");
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    ck_assert_uint_eq(list.failed, 0);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

// The static shared memory that a dummy word would need is all taken.
START_TEST(lint_says_what_it_could_not_try)
{
    if (lacks_compiler())
        return;
    put("lessons/90-reverse/mutants/plain.cu",
        PLAIN("    __shared__ volatile float all[12000];\n    all[threadIdx.x] = 0;\n"));
    struct lesson *lesson = load_weak("shared_load_instructions > 0");
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct lint_list list;
    size_t named = 0;
    ck_assert_int_eq(lint_run(lesson, &options, NULL, NULL, &list, NULL), STATUS_OK);
    for (size_t i = 0; i < list.count; i++)
        named += text_starts(list.items[i].got, "not tried: ") && list.items[i].passed;
    ck_assert_uint_ge(named, 1);
    ck_assert_uint_eq(list.untried, named);
    lint_list_free(&list);
    lesson_free(lesson);
}
END_TEST

START_TEST(quiz_answers_are_computed)
{
    if (lacks_compiler())
        return;
    struct lesson *lesson = load();
    struct grade_options options = {.device = "sim", .compiler = compiler()};
    struct diagnostic diagnostic = {0};
    struct quiz_result result;
    ck_assert_msg(quiz_answer(lesson, 0, &options, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_double_eq(result.answer, 30); // lane 1 reads t[62]: bank 30, and there are no conflicts
    // the access that was asked about, in the run that was counted
    ck_assert_str_eq(result.place.fact, "bank");
    ck_assert_uint_eq(result.place.lane, 1);
    ck_assert_int_eq(result.place.space, PTX_SHARED);
    ck_assert_ptr_nonnull(result.report);
    bool found = false;
    for (size_t i = 0; i < result.report->record.counters.count; i++)
        found |= result.report->record.counters.lines[i].pc == result.place.pc;
    ck_assert(found);
    grade_report_free(result.report);
    lesson_free(lesson);
}
END_TEST

static const struct {
    const char *text;
    double answer;
    enum status status;
    bool right;
} guesses[] = {
    {"32", 32, STATUS_OK, true},        {" 32 wavefronts", 32, STATUS_OK, true},
    {"about 31", 32, STATUS_OK, false}, {"12.5 %", 12.5, STATUS_OK, true},
    {"many", 32, STATUS_USAGE, false},  {"", 1, STATUS_USAGE, false},
    {"0", 0, STATUS_OK, true},          {"-4", -4, STATUS_OK, true},
    {"1e99", 1, STATUS_OK, false},      {"12,5", 12.5, STATUS_OK, true},
    {"1,024", 1024, STATUS_OK, true},   {"1,048,576 sectors.", 1048576, STATUS_OK, true},
    {"It is 32.", 32, STATUS_OK, true},
};

START_TEST(guesses_are_checked)
{
    bool right = true;
    ck_assert_int_eq(quiz_check(guesses[_i].text, guesses[_i].answer, &right, NULL), guesses[_i].status);
    ck_assert(right == guesses[_i].right);
}
END_TEST

Suite *suite_grade(void)
{
    Suite *suite = suite_create("grade");
    TCase *tests = tcase_create("grade");
    tcase_add_checked_fixture(tests, make_lesson, remove_lesson);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_source_gets_one_clear_verdict, 0, sizeof sources / sizeof *sources);
    tcase_add_test(tests, a_kernel_that_does_not_end_is_told_once);
    tcase_add_test(tests, seeds_are_fresh_and_can_be_given);
    tcase_add_test(tests, a_race_that_the_compiler_removes_is_told_where_someone_asks);
    tcase_add_loop_test(tests, a_report_survives_its_json, 0, 2);
    tcase_add_test(tests, a_block_is_recorded_at_any_size_and_on_numbered_inputs);
    tcase_add_test(tests, a_block_recorded_again_is_the_same);
    tcase_add_test(tests, a_recording_comes_back_as_it_was);
    tcase_add_test(tests, a_report_of_accesses_stays_within_80_columns);
    tcase_add_test(tests, reports_stay_within_80_columns_and_are_well_formed);
    tcase_add_test(tests, a_time_from_the_cache_is_the_one_that_was_modelled);
    tcase_add_loop_test(tests, modelled_times_come_with_why_and_with_the_registers_source, 0, 2);
    tcase_add_test(tests, a_ptxas_that_was_killed_is_no_mark);
    tcase_add_test(tests, large_blocks_of_clangs_code_have_their_registers);
    tcase_add_test(tests, no_time_to_model_the_lessons_own_kernels_is_the_machines_fault);
    tcase_add_test(tests, what_ends_every_size_is_said_once);
    tcase_add_test(tests, a_kernel_is_slow_only_if_it_had_a_processor);
    tcase_add_test(tests, a_block_with_more_registers_than_there_are_is_refused);
    tcase_add_test(tests, lint_proves_the_lesson);
    tcase_add_test(tests, lint_finds_a_mutant_that_passes_and_a_solution_that_does_not);
    tcase_add_loop_test(tests, lint_finds_a_gate_that_a_disguise_passes, 0, sizeof weak_gates / sizeof *weak_gates);
    tcase_add_test(tests, a_kernel_in_disguise_is_as_right_as_before);
    tcase_add_loop_test(tests, lint_asks_for_what_keeps_wrong_kernels_out, 0, sizeof careless / sizeof *careless);
    tcase_add_test(tests, lint_takes_none_for_an_answer);
    tcase_add_test(tests, lint_says_what_it_could_not_try);
    tcase_add_test(tests, quiz_answers_are_computed);
    tcase_add_loop_test(tests, guesses_are_checked, 0, sizeof guesses / sizeof *guesses);
    suite_add_tcase(suite, tests);
    return suite;
}
