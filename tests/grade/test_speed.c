#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/skip.h"
#include "base/file.h"
#include "base/text.h"
#include "grade/grade.h"
#include "grade/report.h"
#include "toolchain/toolchain.h"

Suite *suite_speed(void);

// The fake driver runs kernels by their name: it adds one to `count` floats, right, noisily, wrongly …
static const char config[] =
    "title = \"Add\";\ntrack = \"extra\";\nsummary = \"Add one.\";\nstarter = \"wrong-results\";\nkernel = \"%s\";\n"
    "args = ({ name = \"out\"; type = \"f32\"; shape = [\"n\"]; role = \"out\"; },\n"
    "  { name = \"in\"; type = \"f32\"; shape = [\"n\"]; role = \"in\"; },\n"
    "  { name = \"n\"; type = \"s32\"; role = \"scalar\"; value = \"n\"; });\n"
    "reference = \"reference.cu:expected\";\n"
    "sizes = ({ name = \"one\"; n = 1; }, { name = \"odd\"; n = 100; }, { name = \"many\"; n = 1024; gpu = { n = 4096; "
    "}; });\n"
    "launch = { from = \"LAUNCH\"; cols = \"n\"; rows = \"1\"; };\n"
    "metric = { bytes = \"8 * n\"; };\n"
    "gates = ({ id = \"correct\"; kind = \"correct\"; points = 60; },\n"
    "  { id = \"speed\"; kind = \"speed\"; points = 40; gpu = \"%s\"; next = \"Faster.\"; });\n";

static const char kernel[] =
    "LAUNCH(64, 1, 64, 1);\nextern \"C\" __global__ void %s(float *out, const float *in, int n)\n"
    "{\n    int i = blockIdx.x * 64 + threadIdx.x;\n    if (i < n) out[i] = in[i] + 1;\n}\n";

static char root[64];

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
    char path[192];
    snprintf(path, sizeof path, "%.63s/%.100s", root, name);
    write_plainly(path, text);
}

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-speed-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    setenv("BANKSHOT_LIBCUDA", FAKE_CUDA_LIBRARY, 1);
    setenv("BANKSHOT_LIBNVML", "/nonexistent", 1);
    setenv("BANKSHOT_LIBCUBLAS", "/nonexistent", 1);
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%.63s'", root);
    ck_assert_int_eq(system(command), 0);
}

static struct lesson *make_lesson(const char *name, const char *gate)
{
    char path[192], text[2048];
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%.63s/lessons/91-add", root);
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
    snprintf(text, sizeof text, "%.63s/solutions", root);
    ck_assert_int_eq(file_make_folders(text, true, NULL), STATUS_OK);
    snprintf(text, sizeof text, config, name, gate);
    put("lessons/91-add/lesson.cfg", text);
    put("lessons/91-add/lesson.md", "# Add\n");
    snprintf(text, sizeof text, kernel, name);
    put("lessons/91-add/starter.cu", "// to do\n");
    put("solutions/91-add.cu", text);
    put("lessons/91-add/reference.cu", "__global__ void expected(float *out, const float *in, int n)\n"
                                       "{\n    for (int i = 0; i < n; i++) out[i] = in[i] + 1;\n}\n");
    ck_assert_msg(lesson_load(path, NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line,
                  diagnostic.message);
    return lesson;
}

static bool lacks_compiler(void) // … and the check is skipped
{
    struct toolchain toolchain;
    if (toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, NULL) == STATUS_OK)
        return false;
    skip_check("no compiler");
    return true;
}

static const struct {
    const char *mode, *kernel, *gate, *device;
    enum verdict verdict;
    double score;
    bool measured;
    const char *words; // in the text report
} cases[] = {
    {"", "right_add", "vs_solution > 0 && copy_percent > 0 && gbps > 0", "auto", VERDICT_PASS, 100, true, "GB/s, "},
    {"", "right_add", "abs(vs_solution - 1) < 0.01", "auto", VERDICT_PASS, 100, true,
     "1.00 times as fast as the solution"},
    {"", "right_add", "vs_solution > 1000", "gpu", VERDICT_FAIL, 60, true, "of a device copy"},
    {"", "right_add", "vs_solution > 0", "sim", VERDICT_PASS, 100, false, "judged"},
    {"", "noisy_add", "vs_solution > 1000", "auto", VERDICT_TOO_NOISY, 60, true, "too noisy to grade: yours: median"},
    {"nodevice", "right_add", "vs_solution > 0", "auto", VERDICT_PASS, 100, false, "judged"},
    // Right on the simulator, caught by the timed runs.
    {"", "past_add", "vs_solution > 0", "gpu", VERDICT_FAIL, 0, false, "a kernel writes outside `out`"},
    {"", "illegal_add", "vs_solution > 0", "gpu", VERDICT_FAIL, 0, false, "outside its memory"},
    {"", "fast_add", "vs_solution > 0", "gpu", VERDICT_FAIL, 0, false, "impossibly fast"},
};

START_TEST(speed_gates_are_judged_by_measured_times_where_there_are_any)
{
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    if (lacks_compiler())
        return;
    setenv("FAKE_CUDA", cases[_i].mode, 1);
    struct lesson *lesson = make_lesson(cases[_i].kernel, cases[_i].gate);
    struct grade_options options = {.source = lesson->solution, .device = cases[_i].device};
    ck_assert_msg(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(report->verdict == cases[_i].verdict, "%s: %s %s", verdict_name(report->verdict), report->next,
                  report->gates[1].got);
    ck_assert_double_eq(report->score, cases[_i].score);
    ck_assert(report->gates[1].skipped == !cases[_i].measured);
    ck_assert((report->measured.kernel > 0) == cases[_i].measured);
    struct text text = {0};
    report_text(report, NULL, false, &text);
    ck_assert_msg(strstr(text_get(&text), cases[_i].words) != NULL, "%s", text_get(&text));
    ck_assert((strstr(text_get(&text), "measured on Fake GPU") != NULL) == cases[_i].measured);
    text_free(&text);
    grade_report_free(report);
    lesson_free(lesson);
}
END_TEST

// What the simulator runs stays the same; the GPU gets code for itself, and refuses other code.
static const struct {
    const char *sm, *words; // in the text report
} gpus[] = {{"75", "measured on Fake GPU"},
            {"80", "measured on Fake GPU"},
            {"90", "measured on Fake GPU"},
            {"999", "timed with code for sm_"}};

START_TEST(each_gpu_is_timed_with_code_that_it_takes)
{
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    if (lacks_compiler())
        return;
    setenv("FAKE_CUDA", "", 1);
    setenv("FAKE_CUDA_SM", gpus[_i].sm, 1);
    struct lesson *lesson = make_lesson("right_add", "vs_solution > 0");
    struct grade_options options = {.source = lesson->solution, .device = "gpu"};
    ck_assert_msg(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(report->verdict == VERDICT_PASS, "%s", report->next);
    struct text text = {0};
    report_text(report, NULL, false, &text);
    ck_assert_msg(strstr(text_get(&text), gpus[_i].words) != NULL, "%s", text_get(&text));
    text_free(&text);
    grade_report_free(report);
    lesson_free(lesson);
}
END_TEST

START_TEST(a_gpu_that_was_asked_for_and_is_not_there_is_told)
{
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    if (lacks_compiler())
        return;
    setenv("FAKE_CUDA", "nodevice", 1);
    struct lesson *lesson = make_lesson("right_add", "vs_solution > 0");
    struct grade_options options = {.source = lesson->solution, .device = "gpu"};
    ck_assert_int_eq(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_ptr_null(report);
    lesson_free(lesson);
}
END_TEST

Suite *suite_speed(void)
{
    Suite *suite = suite_create("speed");
    TCase *tests = tcase_create("speed");
    tcase_add_checked_fixture(tests, make_root, remove_root);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, speed_gates_are_judged_by_measured_times_where_there_are_any, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, each_gpu_is_timed_with_code_that_it_takes, 0, sizeof gpus / sizeof *gpus);
    tcase_add_test(tests, a_gpu_that_was_asked_for_and_is_not_there_is_told);
    suite_add_tcase(suite, tests);
    return suite;
}
