// Where results came from, in lessons of one's own.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "../support/skip.h"
#include "base/file.h"
#include "grade/grade.h"
#include "grade/report.h"
#include "toolchain/toolchain.h"

Suite *suite_provenance(void);

// Eight weights for neighbours in a row; tile and weights come through shared memory.
static const char config[] =
    "title = \"Weigh\";\ntrack = \"extra\";\nsummary = \"Eight weights.\";\nstarter = \"wrong-results\";\n"
    "kernel = \"weigh\";\n"
    "args = ({ name = \"out\"; type = \"f32\"; shape = [\"n\"]; role = \"out\"; },\n"
    "  { name = \"in\"; type = \"f32\"; shape = [\"n\"]; role = \"in\"; },\n"
    "  { name = \"weights\"; type = \"f32\"; shape = [\"8\"]; role = \"in\"; },\n"
    "  { name = \"n\"; type = \"s32\"; role = \"scalar\"; value = \"n\"; });\n"
    "reference = \"reference.cu:expected\";\n"
    "tolerance = { absolute = 0.0001; relative = 0.0001; };\n"
    "sizes = ({ name = \"one\"; n = 1; }, { name = \"odd\"; n = 100; }, { name = \"many\"; n = 8192; });\n"
    "launch = { from = \"LAUNCH\"; cols = \"n\"; rows = \"1\"; };\n"
    "gates = ({ id = \"correct\"; kind = \"correct\"; points = 60; },\n"
    "  { id = \"tile\"; kind = \"require\"; when = \"size(\\\"many\\\").through_tiles >= 0.9\"; points = 40;\n"
    "    message = \"Use tiles.\"; });\n";
#define HEAD(name) "__global__ void " name "(float *out, const float *in, const float *weights, int n)\n{\n"
static const char reference[] = HEAD("expected") "    for (int i = 0; i < n; i++) {\n        float sum = 0;\n"
                                                 "        for (int j = 0; j < 8 && i + j < n; j++)\n"
                                                 "            sum += weights[j] * in[i + j];\n        out[i] = sum;\n"
                                                 "    }\n}\n";
static const char by_tiles[] = "LAUNCH(128, 1, 128, 1);\n" HEAD(
    "weigh") "    __shared__ float tile[136], w[8];\n"
             "    int t = threadIdx.x, i = blockIdx.x * 128 + t;\n"
             "    tile[t] = i < n ? in[i] : 0;\n"
             "    if (t < 8) {\n        tile[128 + t] = i + 128 < n ? in[i + 128] : 0;\n"
             "        w[t] = weights[t];\n    }\n    __syncthreads();\n"
             "    float sum = 0;\n    for (int j = 0; j < 8; j++)\n"
             "        sum += w[j] * tile[t + j];\n    if (i < n)\n        out[i] = sum;\n}\n";
// The sums are made of what lies in global memory, and only then go through shared memory.
static const char by_sums[] =
    "LAUNCH(128, 1, 128, 1);\n" HEAD("weigh") "    __shared__ float sums[128];\n"
                                              "    int t = threadIdx.x, i = blockIdx.x * 128 + 127 - t;\n"
                                              "    float sum = 0;\n    for (int j = 0; j < 8 && i + j < n; j++)\n"
                                              "        sum += weights[j] * in[i + j];\n"
                                              "    sums[127 - t] = sum;\n    __syncthreads();\n"
                                              "    if (blockIdx.x * 128 + t < n)\n"
                                              "        out[blockIdx.x * 128 + t] = sums[t];\n}\n";

static char root[64];

static void put(const char *name, const char *text)
{
    char path[192];
    snprintf(path, sizeof path, "%.63s/%.100s", root, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void make_root(void)
{
    char path[192];
    snprintf(root, sizeof root, "/tmp/bankshot-provenance-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(path, sizeof path, "%.63s/lessons/93-weigh", root);
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
    snprintf(path, sizeof path, "%.63s/solutions", root);
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
    put("lessons/93-weigh/lesson.cfg", config);
    put("lessons/93-weigh/lesson.md", "# Weigh\n");
    put("lessons/93-weigh/starter.cu", "// to do\n");
    put("lessons/93-weigh/reference.cu", reference);
    put("solutions/93-weigh.cu", by_tiles);
    put("sums.cu", by_sums);
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%.63s'", root);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(a_few_coefficients_are_no_sums)
{
    char path[192];
    struct toolchain toolchain;
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    if (toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, NULL) != STATUS_OK) {
        skip_check("no compiler");
        return;
    }
    snprintf(path, sizeof path, "%.63s/lessons/93-weigh", root);
    ck_assert_msg(lesson_load(path, NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line,
                  diagnostic.message);
    snprintf(path, sizeof path, "%.63s/sums.cu", root);
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int sums = 0; sums < 2; sums++) {
            struct grade_options options = {.source = sums ? path : lesson->solution, .device = "sim", .seed = seed};
            struct grade_report *report;
            ck_assert_msg(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic) == STATUS_OK, "%s",
                          diagnostic.message);
            ck_assert_msg(report->gates[0].passed, "%s", report->next);
            ck_assert_msg(report->gates[1].passed == !sums, "seed %d: %s", (int)seed, report->gates[1].got);
            grade_report_free(report);
        }
    lesson_free(lesson);
}
END_TEST

Suite *suite_provenance(void)
{
    Suite *suite = suite_create("provenance");
    TCase *tests = tcase_create("provenance");
    tcase_add_checked_fixture(tests, make_root, remove_root);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_few_coefficients_are_no_sums);
    suite_add_tcase(suite, tests);
    return suite;
}
