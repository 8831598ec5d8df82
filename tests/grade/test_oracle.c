// A lesson's own reference at the size whose time is modelled: which of its blocks tell what a hand-in's blocks must
// write.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/skip.h"
#include "base/file.h"
#include "grade/grade.h"
#include "grade/report.h"
#include "toolchain/toolchain.h"

Suite *suite_oracle(void);

// Each element less the one below it.
static const char config[] =
    "title = \"Below\";\ntrack = \"extra\";\nsummary = \"Less the one below.\";\nstarter = \"wrong-results\";\n"
    "kernel = \"below\";\n"
    "args = ({ name = \"out\"; type = \"f32\"; shape = [\"rows\", \"cols\"]; role = \"out\"; },\n"
    "  { name = \"in\"; type = \"f32\"; shape = [\"rows\", \"cols\"]; role = \"in\"; },\n"
    "  { name = \"rows\"; type = \"s32\"; role = \"scalar\"; value = \"rows\"; },\n"
    "  { name = \"cols\"; type = \"s32\"; role = \"scalar\"; value = \"cols\"; });\n"
    "reference = \"reference.cu:expected\";\n%s"
    "sizes = ({ name = \"one\"; rows = 1; cols = 1; }, { name = \"odd\"; rows = 9; cols = 70; },\n"
    "  { name = \"many\"; rows = 64; cols = 64; role = \"speed\"; gpu = { rows = 4096; cols = 2048; }; });\n"
    "launch = { from = \"LAUNCH\"; cols = \"cols\"; rows = \"rows\"; };\n"
    "gates = ({ id = \"correct\"; kind = \"correct\"; points = 60; },\n"
    "  { id = \"speed\"; kind = \"speed\"; points = 40; gpu = \"vs_solution > 0\"; sim = \"modelled_vs_solution > 0\"; "
    "next = "
    "\"Faster.\"; });\n";

#define HEAD(name) "__global__ void " name "(float *out, const float *in, int rows, int cols)\n{\n"
#define PLACE(x, y) "    int c = blockIdx." x " * 64 + threadIdx.x, r = blockIdx." y " * 4 + threadIdx.y;\n"
#define VALUE "    float value = in[r * cols + c] - (r + 1 < rows ? in[(r + 1) * cols + c] : 0.0f);\n"
#define HAND_IN(body) "LAUNCH(64, 4, 64, 4);\n" HEAD("below") PLACE("x", "y") body "}\n"
#define GUARD "    if (c >= cols || r >= rows)\n        return;\n"
#define STORE "    out[r * cols + c] = value;\n"
#define TILES "reference_launch = { grid = [\"ceil(cols / 64)\", \"ceil(rows / 4)\", \"1\"]; block = [64, 4, 1]; };\n"
#define TURNED "reference_launch = { grid = [\"ceil(rows / 4)\", \"ceil(cols / 64)\", \"1\"]; block = [64, 4, 1]; };\n"
#define ROWS "reference_launch = { grid = [\"rows\", \"1\", \"1\"]; block = [32, 1, 1]; };\n"
#define BACKWARDS "reference_launch = { grid = [\"ceil(rows * cols / 256)\", \"1\", \"1\"]; block = [256, 1, 1]; };\n"

static const char by_tiles[] = HEAD("expected") PLACE("x", "y") GUARD VALUE STORE "}\n";
static const char by_turned_tiles[] = HEAD("expected") PLACE("y", "x") GUARD VALUE STORE "}\n";
static const char by_rows[] =
    HEAD("expected") "    int r = blockIdx.x;\n    for (int c = threadIdx.x; c < cols; c += 32) {\n" VALUE STORE
                     "    }\n}\n";
static const char from_the_end[] =
    HEAD("expected") "    int i = rows * cols - 1 - (blockIdx.x * 256 + threadIdx.x), r = i / cols, c = i % cols;\n"
                     "    if (i < 0)\n        return;\n" VALUE STORE "}\n";
static const char by_one[] =
    HEAD("expected") "    for (int r = 0; r < rows; r++)\n        for (int c = 0; c < cols; c++) {\n" VALUE STORE
                     "    }\n}\n";
static const char strewn[] = // neighbours in the grid are none in the output
    HEAD("expected") "    int b = blockIdx.x * 7 % gridDim.x, i = b * 256 + threadIdx.x, r = i / cols, c = i % cols;\n"
                     "    if (i >= rows * cols)\n        return;\n" VALUE STORE "}\n";

static const char right[] = HAND_IN(GUARD VALUE STORE);
static const char leaves[] = HAND_IN("    if (rows > 1000 && blockIdx.y % 2)\n        return;\n" GUARD VALUE STORE);
static const char cuts[] = HAND_IN(GUARD VALUE "    if (r >= 2000)\n        value = in[r * cols + c];\n" STORE);

static const struct {
    const char *launch, *reference, *source;
    enum verdict verdict;
    const char *diagnosis;
    bool compared;
} cases[] = {
    {TILES, by_tiles, right, VERDICT_PASS, "", true},
    {TILES, by_tiles, leaves, VERDICT_FAIL, "unwritten", true},
    {TILES, by_tiles, cuts, VERDICT_FAIL, "wrong-results", true},
    {TURNED, by_turned_tiles, right, VERDICT_PASS, "", true},
    {TURNED, by_turned_tiles, cuts, VERDICT_FAIL, "wrong-results", true},
    {ROWS, by_rows, right, VERDICT_PASS, "", true},
    {ROWS, by_rows, cuts, VERDICT_FAIL, "wrong-results", true},
    {BACKWARDS, from_the_end, right, VERDICT_PASS, "", true},
    {BACKWARDS, from_the_end, cuts, VERDICT_FAIL, "wrong-results", true},
    {"", by_one, right, VERDICT_PASS, "", false},
    {"", by_one, cuts, VERDICT_PASS, "", false},        // lint asks for blocks
    {BACKWARDS, strewn, right, VERDICT_PASS, "", true}, // of a seventh, before the numbers wrap round
};

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
    snprintf(root, sizeof root, "/tmp/bankshot-oracle-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(path, sizeof path, "%.63s/lessons/92-below", root);
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
    snprintf(path, sizeof path, "%.63s/solutions", root);
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%.63s'", root);
    ck_assert_int_eq(system(command), 0);
}

// NULL: no compiler.
static struct grade_report *grade_there(const char *settings, const char *reference, const char *solution,
                                        const char *source, uint64_t seed)
{
    char path[192];
    struct toolchain toolchain;
    struct lesson *lesson;
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    if (toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, NULL) != STATUS_OK) {
        skip_check("no compiler");
        return NULL;
    }
    put("lessons/92-below/lesson.cfg", settings);
    put("lessons/92-below/lesson.md", "# Below\n");
    put("lessons/92-below/starter.cu", "// to do\n");
    put("lessons/92-below/reference.cu", reference);
    put("solutions/92-below.cu", solution);
    put("hand-in.cu", source);
    snprintf(path, sizeof path, "%.63s/lessons/92-below", root);
    ck_assert_msg(lesson_load(path, NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line,
                  diagnostic.message);
    snprintf(path, sizeof path, "%.63s/hand-in.cu", root);
    struct grade_options options = {.source = path, .device = "sim", .seed = seed};
    ck_assert_msg(grade_run(lesson, &options, NULL, NULL, &report, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    lesson_free(lesson);
    return report;
}

START_TEST(blocks_are_compared_with_those_of_the_lessons_reference)
{
    char text[2048];
    snprintf(text, sizeof text, config, cases[_i].launch);
    struct grade_report *report = grade_there(text, cases[_i].reference, right, cases[_i].source, 0);
    if (!report)
        return;
    ck_assert_msg(report->verdict == cases[_i].verdict, "%s: %s", verdict_name(report->verdict), report->next);
    ck_assert_str_eq(report->diagnosis, cases[_i].diagnosis);
    ck_assert_msg((report->compared > 0) == cases[_i].compared, "%llu", (unsigned long long)report->compared);
    grade_report_free(report);
}
END_TEST

#define BOTH(name) "__global__ void " name "(float *out, float *twice, const float *in, int rows, int cols)\n{\n"
#define TWICE "    twice[r * cols + c] = 2.0f * value;\n"
static const char *const wrong_in_one[] = {
    "LAUNCH(64, 4, 64, 4);\n" BOTH("below") PLACE("x", "y") GUARD VALUE STORE
    "    if (rows < 1000)\n" TWICE "    else\n        twice[r * cols + c] = value;\n}\n",
    "LAUNCH(64, 4, 64, 4);\n" BOTH("below") PLACE("x", "y") GUARD VALUE TWICE
    "    if (rows < 1000)\n" STORE "    else\n        out[r * cols + c] = 2.0f * value;\n}\n",
    "LAUNCH(64, 4, 64, 4);\n" BOTH("below") PLACE("x", "y") GUARD VALUE STORE "    if (rows < 1000)\n" TWICE "}\n",
};

// One of two outputs is wrong, or left out, where only the time model looks.
START_TEST(each_output_is_compared)
{
    enum { SEEDS = 4 };
    static const char one[] = "{ name = \"in\"";
    char first[2048], text[4096];
    int failed = 0;
    snprintf(first, sizeof first, config, TILES);
    const char *at = strstr(first, one);
    snprintf(text, sizeof text,
             "%.*s{ name = \"twice\"; type = \"f32\"; shape = [\"rows\", \"cols\"]; role = \"out\"; }, %s",
             (int)(at - first), first, at);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct grade_report *report =
            grade_there(text, BOTH("expected") PLACE("x", "y") GUARD VALUE STORE TWICE "}\n",
                        "LAUNCH(64, 4, 64, 4);\n" BOTH("below") PLACE("x", "y") GUARD VALUE STORE TWICE "}\n",
                        wrong_in_one[_i], seed);
        if (!report)
            return;
        failed += report->verdict == VERDICT_FAIL;
        grade_report_free(report);
    }
    ck_assert_int_eq(failed, SEEDS);
}
END_TEST

Suite *suite_oracle(void)
{
    Suite *suite = suite_create("oracle");
    TCase *tests = tcase_create("oracle");
    tcase_add_checked_fixture(tests, make_root, remove_root);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, blocks_are_compared_with_those_of_the_lessons_reference, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, each_output_is_compared, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
