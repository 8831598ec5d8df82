#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/profiles.h"
#include "ptx/ptx.h"

Suite *suite_calibration(void);

enum { ROWS = 1000 };

// golden/*_micro.csv: group,name,parameter,value,unit.
static size_t read_rows(const char *from, struct calibration_row into[ROWS])
{
    char line[256];
    size_t count = 0;
    FILE *file = fopen(from, "r");
    ck_assert_msg(file != NULL, "%s: run the tests from the repository's root", from);
    while (fgets(line, sizeof line, file) && count < ROWS) {
        char *unit = strrchr(line, ','), *value = NULL;
        if (unit)
            *unit = '\0', value = strrchr(line, ',');
        if (!value || line[0] == '#')
            continue;
        *value = '\0';
        snprintf(into[count].key, sizeof into[count].key, "%.95s", line);
        into[count++].value = strtod(value + 1, NULL);
    }
    fclose(file);
    return count;
}

static const struct {
    const char *path, *device, *profile;
} measured[] = {{"tests/golden/h200_micro.csv", "NVIDIA H200", "H200"},
                {"tests/golden/h100_micro.csv", "NVIDIA H100 80GB HBM3", "H100"}};

static struct calibration_row rows[ROWS];
static struct calibration calibration;
static struct diagnostic diagnostic;

static struct gpu_profile facts_of(int which)
{
    struct gpu_profile facts = *gpu_profile_find(measured[which].profile);
    facts.name = measured[which].device;
    return facts;
}

static void derive(int which)
{
    struct gpu_profile facts = facts_of(which);
    size_t count = read_rows(measured[which].path, rows);
    ck_assert_msg(!calibration_derive(&facts, rows, count, &calibration, &diagnostic), "%s", diagnostic.message);
}

START_TEST(the_measured_rows_of_a_known_gpu_give_its_profile)
{
    derive(_i);
    ck_assert_uint_ge(calibration.count, 20);
    for (size_t i = 0; i < calibration.count; i++) {
        const struct calibration_constant *item = &calibration.items[i];
        // The built-in H100 has the H200's L2, which is faster: its bandwidth, and how fast it adds.
        double ratio = _i == 0                                    ? 1
                       : strcmp(item->name, "l2_total_gbps") == 0 ? 0.85
                       : strcmp(item->name, "atomic_cycles") == 0 ? 1.28
                                                                  : 1;
        // access_cycles is what two figures near 1 differ by
        double expected = ratio * item->nearest, allowed = fmax(0.06 * expected, 0.005);
        ck_assert_msg(fabs(item->value - expected) <= allowed, "%s: %g, %g in the profile", item->name, item->value,
                      item->nearest);
        ck_assert(item->row_count > 0 || strcmp(item->name, "mhz") == 0);
    }
    ck_assert(calibration.constants.barrier_warp > 1.9 && calibration.profile.dram_latency < 690);
}
END_TEST

// What is done to a row, and what is said.
static const struct {
    const char *row;
    double times; // 0: it is not there
    const char *words;
} damages[] = {{"latency,dependent loads over 1024 KB", 0, "nothing measures l2_latency: there is no row 'latency,"},
               {"barrier,one block on the SM,8 warps", 0, "barrier,one block on the SM"},
               {"blocks,empty,1048576 blocks of 128,", 0, "blocks,empty"},
               {"stream,read 1 GiB", 0, "dram_gbps"},
               {"gather,", 0.001, "l2_total_gbps would be"},
               {"latency,dependent loads over 524288 KB", 1000, "makes no sense ('latency,dependent loads over 5"}};

START_TEST(rows_that_lack_or_make_no_sense_are_told)
{
    struct gpu_profile facts = facts_of(0);
    size_t count = read_rows(measured[0].path, rows), touched = 0;
    for (size_t i = 0; i < count; i++) {
        char key[sizeof rows->key + 4];
        snprintf(key, sizeof key, "%.95s,", rows[i].key);
        if (strncmp(key, damages[_i].row, strlen(damages[_i].row)) == 0) {
            rows[i].value *= damages[_i].times;
            touched++;
        }
    }
    ck_assert_uint_gt(touched, 0);
    ck_assert_int_eq(calibration_derive(&facts, rows, count, &calibration, &diagnostic), STATUS_PARSE);
    ck_assert_msg(strstr(diagnostic.message, damages[_i].words) != NULL, "%s", diagnostic.message);
}
END_TEST

START_TEST(every_probe_is_a_kernel_of_the_module)
{
    struct probe probes[PROBES_MAX];
    struct ptx_module *module;
    size_t count = probes_make(gpu_profile_find("T4"), probes), checks = 0;
    ck_assert(count > 30 && count < PROBES_MAX);
    ck_assert_int_eq(ptx_parse("probes.ptx", probes_ptx(), strlen(probes_ptx()), &module, &diagnostic), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        const struct ptx_function *entry;
        ck_assert_int_eq(ptx_find_entry(module, probes[i].kernel, &entry, &diagnostic), STATUS_OK);
        ck_assert(entry->param_count == 5);
        checks += probes[i].checks;
    }
    ck_assert_uint_ge(checks, 4);
    ptx_module_free(module);
}
END_TEST

// Each probe that block 0 or few blocks tell of runs on the simulator: the kernels are right, not only compiled.
START_TEST(the_model_predicts_the_checks_in_their_order)
{
    struct probe probes[PROBES_MAX];
    const struct gpu_profile *gpu = gpu_profile_find("H200");
    size_t count = probes_make(gpu, probes);
    double naive = 0, tiled = 0, padded = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_tile = strcmp(probes[i].kernel, "check_tile") == 0;
        double *us = strcmp(probes[i].kernel, "check_transpose") == 0 ? &naive
                     : is_tile                                        ? (tiled > 0 ? &padded : &tiled)
                                                                      : NULL;
        if (us)
            ck_assert_msg(!probes_predict(&probes[i], gpu, us, &diagnostic), "%s", diagnostic.message);
    }
    ck_assert_msg(naive > 1.3 * tiled && tiled > 1.3 * padded && padded > 10, "%g %g %g", naive, tiled, padded);
}
END_TEST

// ---- files

static char path[] = "/tmp/bankshot-profile-XXXXXX";

static void make_file(const char *text, size_t length)
{
    FILE *file = fdopen(mkstemp(strcpy(path, "/tmp/bankshot-profile-XXXXXX")), "w");
    fwrite(text, 1, length, file);
    fclose(file);
}

START_TEST(a_profile_comes_back_as_it_was_written)
{
    struct gpu_profile profile;
    struct replay_constants constants;
    derive(0);
    make_file("", 0);
    ck_assert_int_eq(profile_write(path, &calibration, "A test.", &diagnostic), STATUS_OK);
    ck_assert_msg(!profile_read(path, &profile, &constants, &diagnostic), "%s", diagnostic.message);
    unlink(path);
    ck_assert_uint_eq(profile.sm, 90);
    ck_assert_uint_eq(profile.l2_bytes, calibration.profile.l2_bytes);
    ck_assert_uint_eq(profile.l1_latency, calibration.profile.l1_latency);
    ck_assert_double_eq_tol(profile.dram_gbps, calibration.profile.dram_gbps, 0.001);
#define T(name, value, low, high, meaning) ck_assert_double_eq_tol(constants.name, calibration.constants.name, 1e-6);
#include "model/timing.def"
#undef T
}
END_TEST

// An edit of a good file: the first `from` becomes `to`.
static const struct {
    const char *from, *to, *words;
    int line;
} edits[] = {{"sms = 132", "sms = 0", "sms must be a number from 1 to 1024 (streaming multiprocessors)", 5},
             {"sms = 132", "sms = \"many\"", "sms must be a number", 5},
             {"sms = 132", "smss = 132", "smss is none of the values of \"gpu\"; did you mean sms?", 5},
             {"    sms = 132;", "", "\"gpu\" lacks sms", 3},
             {"block_launch = ", "block_launch = -", "block_launch must be a number", 23},
             {"block_launch = 1", "block_launch = 1e9; // ", "block_launch must be a number", 23},
             {"timing = {", "timings = {", "has the groups gpu and timing, and nothing else", 22},
             {"gpu = {", "gpu = 1; other = {", "and nothing else", 3},
             {"sms = 132;", "sms = = 132;", "syntax error", 5}};

START_TEST(a_damaged_profile_is_told_with_its_line)
{
    struct gpu_profile profile;
    struct replay_constants constants;
    struct text good = {0}, bad = {0};
    derive(0);
    profile_text(&calibration, "A test.", &good);
    const char *at = strstr(text_get(&good), edits[_i].from);
    ck_assert_ptr_nonnull(at);
    text_append(&bad, text_get(&good), (size_t)(at - text_get(&good)));
    text_printf(&bad, "%s%s", edits[_i].to, at + strlen(edits[_i].from));
    make_file(text_get(&bad), bad.length);
    ck_assert_int_eq(profile_read(path, &profile, &constants, &diagnostic), STATUS_PARSE);
    unlink(path);
    ck_assert_msg(strstr(diagnostic.message, edits[_i].words) != NULL, "%s", diagnostic.message);
    ck_assert_int_eq(diagnostic.line, edits[_i].line);
    ck_assert_str_eq(diagnostic.file, path);
    text_free(&good);
    text_free(&bad);
}
END_TEST

START_TEST(names_of_profiles_are_plain_and_none_that_is_built_in)
{
    static const char *const bad[] = {"",
                                      "h-200",
                                      "../up",
                                      ".hidden",
                                      "a/b",
                                      "a\nb",
                                      "a name that is much longer than any GPU's name ever has been so far"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(profile_check_name(bad[i], &diagnostic) == STATUS_USAGE, "%s", bad[i]);
    ck_assert_int_eq(profile_check_name("NVIDIA H200", &diagnostic), STATUS_OK);
}
END_TEST

static const struct {
    const char *device, *profile;
} devices[] = {{"NVIDIA H200", "H200"},           {"NVIDIA H100 80GB HBM3", "H100"},
               {"Tesla V100-SXM2-16GB", "V100"},  {"NVIDIA GeForce RTX 4090", "RTX 4090"},
               {"NVIDIA A100-SXM4-40GB", "A100"}, {"NVIDIA GH200 480GB", NULL},
               {"NVIDIA T400 4GB", NULL},         {"NVIDIA GeForce RTX 3080", NULL}};

START_TEST(a_gpu_is_found_by_its_drivers_name)
{
    const struct gpu_profile *found = gpu_profile_of_device(devices[_i].device);
    ck_assert_str_eq(found ? found->name : "none", devices[_i].profile ? devices[_i].profile : "none");
}
END_TEST

START_TEST(the_nearest_is_of_the_same_architecture)
{
    ck_assert_str_eq(gpu_profile_nearest(86, 30)->name, "RTX 3090");
    ck_assert_str_eq(gpu_profile_nearest(89, 20)->name, "RTX 4090");
    ck_assert_str_eq(gpu_profile_nearest(120, 170)->name, "B200");
    ck_assert_str_eq(gpu_profile_nearest(61, 20)->name, "V100");
}
END_TEST

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

Suite *suite_calibration(void)
{
    Suite *suite = suite_create("calibration");
    TCase *tests = tcase_create("calibration");
    tcase_add_loop_test(tests, the_measured_rows_of_a_known_gpu_give_its_profile, 0, LENGTH(measured));
    tcase_add_loop_test(tests, rows_that_lack_or_make_no_sense_are_told, 0, LENGTH(damages));
    tcase_add_test(tests, every_probe_is_a_kernel_of_the_module);
    tcase_add_test(tests, the_model_predicts_the_checks_in_their_order);
    tcase_add_test(tests, a_profile_comes_back_as_it_was_written);
    tcase_add_loop_test(tests, a_damaged_profile_is_told_with_its_line, 0, LENGTH(edits));
    tcase_add_test(tests, names_of_profiles_are_plain_and_none_that_is_built_in);
    tcase_add_loop_test(tests, a_gpu_is_found_by_its_drivers_name, 0, LENGTH(devices));
    tcase_add_test(tests, the_nearest_is_of_the_same_architecture);
    suite_add_tcase(suite, tests);
    return suite;
}
