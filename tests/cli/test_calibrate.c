// `calibrate` with a stand-in for the driver, and who models what afterwards.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/program.h"
#include "base/file.h"
#include "base/text.h"

Suite *suite_calibrate(void);

static char home[64];

static struct process_result run_with_gpu(const char *library, const char *line)
{
    const char *words[32] = {NULL};
    char copy[512], driver[512], data[96];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    snprintf(driver, sizeof driver, "BANKSHOT_LIBCUDA=%s", library);
    snprintf(data, sizeof data, "XDG_DATA_HOME=%s", home);
    for (char *word = strtok(copy, " "); word && count < 31; word = strtok(NULL, " "))
        words[count++] = word;
    return program_run(words, (const char *[]){driver, "BANKSHOT_LIBNVML=/nonexistent", data, NULL});
}

static void begin(void)
{
    strcpy(home, "/tmp/bankshot-data-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(home));
}

static void end(void)
{
    file_remove_tree(home);
}

static void expect(struct process_result result, int exit_code, const char *out, const char *err)
{
    ck_assert_msg(result.exit_code == exit_code && strstr(text_get(&result.out), out) &&
                      strstr(text_get(&result.err), err),
                  "exit %d\n%s\n%s", result.exit_code, text_get(&result.out), text_get(&result.err));
    process_result_free(&result);
}

static const char trace_line[] = "trace tests/cli/pictures.ptx --kernel fused --grid 1 --block 32 --predict";

START_TEST(a_gpu_is_measured_and_then_modelled)
{
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, "calibrate --gpu 0"), 0, "--gpu-model \"Fake GPU 0\"", "");
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, "calibrate --gpu 0 --name lab-1 --json"), 0, "\"name\": \"lab-1\"", "");
    expect(run_with_gpu("/nonexistent", "calibrate --list"), 0, "/bankshot/gpus/lab-1.cfg", "");
}
END_TEST

START_TEST(the_model_is_the_gpus_own_where_it_is)
{
    char line[256];
    snprintf(line, sizeof line, "%s --gpu 0", trace_line);
    // nothing measured yet: the nearest that is built in
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, line), 0, "modelled (H200)", "");
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, "calibrate --gpu 0 --name lab-1"), 0, "lab-1.cfg", "");
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, line), 0, "modelled (H200)", "");
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, "calibrate --gpu 0"), 0, "Fake GPU 0.cfg", "");
    expect(run_with_gpu(FAKE_CUDA_LIBRARY, line), 0, "modelled (Fake GPU 0)", "");
    // without a GPU the file changes nothing unless it is named
    expect(run_with_gpu("/nonexistent", trace_line), 0, "modelled (H200)", "");
    snprintf(line, sizeof line, "%s --gpu-model lab-1", trace_line);
    expect(run_with_gpu("/nonexistent", line), 0, "modelled (lab-1)", "");
    expect(run_with_gpu("/nonexistent",
                        "trace --gpu-model lab-2 tests/cli/pictures.ptx --kernel fused --grid 1 --block 32"),
           2, "", "there is no model of a GPU 'lab-2'; there are V100,");
}
END_TEST

START_TEST(a_damaged_profile_stops_who_names_it)
{
    char folder[96], path[128], line[256];
    snprintf(folder, sizeof folder, "%s/bankshot/gpus", home);
    ck_assert(!file_make_folders(folder, false, NULL));
    snprintf(path, sizeof path, "%s/bad.cfg", folder);
    ck_assert(!file_put(path, "gpu = {\n  sm = 90;\n  sms = 0;\n};\n", 32, NULL));
    snprintf(line, sizeof line, "%s --gpu-model bad", trace_line);
    expect(run_with_gpu("/nonexistent", line), 2, "", "bad.cfg:3: error: sms must be a number from 1 to 1024");
}
END_TEST

static const struct {
    const char *library, *line, *err;
} refusals[] = {
    {"/nonexistent", "calibrate", "calibrate measures a GPU, and none works here: there is no NVIDIA driver"},
    {FAKE_CUDA_LIBRARY, "calibrate --gpu 7", "there is no GPU 7"},
    {FAKE_CUDA_LIBRARY, "calibrate --name H200", "'H200' is a built-in profile"},
    {FAKE_CUDA_LIBRARY, "calibrate --name ../x", "is no name for a GPU's profile"},
};

START_TEST(what_cannot_be_measured_is_told)
{
    expect(run_with_gpu(refusals[_i].library, refusals[_i].line), 2, "", refusals[_i].err);
    expect(run_with_gpu("/nonexistent", "calibrate --list --json"), 0, "[]", "");
}
END_TEST

Suite *suite_calibrate(void)
{
    Suite *suite = suite_create("calibrate");
    TCase *tests = tcase_create("calibrate");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, a_gpu_is_measured_and_then_modelled);
    tcase_add_test(tests, the_model_is_the_gpus_own_where_it_is);
    tcase_add_test(tests, a_damaged_profile_stops_who_names_it);
    tcase_add_loop_test(tests, what_cannot_be_measured_is_told, 0, sizeof refusals / sizeof *refusals);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
