// `verify`, with a stand-in for Nsight Compute (tests/cli/ncu).
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "device/ncu.h"

Suite *suite_verify(void);

#define SOLUTION "solutions/04-padding.cu"

static const char *const lesson_words[] = {"verify", "padding", "--file", SOLUTION, "--json", NULL};

static struct process_result verify(const char *const *words, const char *mode)
{
    char variable[64];
    snprintf(variable, sizeof variable, "FAKE_NCU=%s", mode);
    const char *environment[] = {"PATH=tests/cli/ncu:/usr/local/bin:/usr/bin:/bin", variable, NULL};
    return program_run(words, environment);
}

static const char *verdict_of(const char *json_text, const char *counter)
{
    static char found[32];
    json_t *json = json_loads(json_text, 0, NULL), *row;
    ck_assert_msg(json != NULL, "no JSON: %s", json_text);
    json_t *rows = json_object_get(json_array_get(json_object_get(json, "launches"), 0), "counters");
    size_t i;
    snprintf(found, sizeof found, "no such row");
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "counter"));
        const char *verdict = json_string_value(json_object_get(row, "verdict"));
        if (strcmp(name, counter) == 0)
            snprintf(found, sizeof found, "%s", verdict ? verdict : "none");
    }
    json_decref(json);
    return found;
}

struct mode {
    const char *mode, *conflicts, *words;
    int exit;
};

static const struct mode modes[] = {
    {"", "equal", "\"verdict\": \"equal\"", 0},
    {"other", "equal", "\"verdict\": \"equal\"", 0},
    // 256 blocks: three in a thousand of the wavefronts may be noise
    {"conflicts=7", "within noise", "\"difference\": 7", 0},
    {"conflicts=7000", "different", "\"difference\": 7000", 1},
    {"varies", "within noise", "\"difference\": ", 0},
    {"permission", "none", "NVreg_RestrictProfilingToAdminUsers=0", 2},
};

START_TEST(lessons_counters_are_compared)
{
    const struct mode *mode = &modes[_i];
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    struct process_result result = verify(lesson_words, mode->mode);
    ck_assert_msg(result.exit_code == mode->exit, "exit %d; %s", result.exit_code, text_get(&result.err));
    ck_assert_str_eq(verdict_of(text_get(&result.out), "shared_load_conflicts"), mode->conflicts);
    // Wavefronts less conflicts have no noise, and here no difference either.
    if (mode->exit < 2)
        ck_assert_str_eq(verdict_of(text_get(&result.out), "shared_load_without_conflicts"), "equal");
    ck_assert_msg(strstr(text_get(&result.out), mode->words) != NULL, "no %s in %s", mode->words,
                  text_get(&result.out));
    process_result_free(&result);
}
END_TEST

// A kernel that fails by itself has no counters to compare: that is no difference.
START_TEST(a_launch_that_stops_is_told_from_one_that_differs)
{
    static const char *const words[] = {
        "verify", "debug-clinic", "--file", "lessons/15-debug-clinic/starter.cu", "--json", NULL};
    // The third reads past its input; the stand-in knows none of the others.
    static const char *const verdicts[] = {"not compared", "not compared", "stopped", "not compared"};
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    struct process_result result = verify(words, "");
    json_t *json = json_loads(text_get(&result.out), 0, NULL), *launches = json_object_get(json, "launches");
    ck_assert_int_eq(result.exit_code, 2);
    ck_assert_str_eq(json_string_value(json_object_get(json, "verdict")), "not compared");
    ck_assert_uint_eq(json_array_size(launches), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(launches, i), "verdict")), verdicts[i]);
    json_decref(json);
    process_result_free(&result);
}
END_TEST

START_TEST(a_broken_ncu_is_told_with_its_end)
{
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    struct process_result result = verify(lesson_words, "broken");
    ck_assert_int_ne(result.exit_code, 0);
    ck_assert_ptr_nonnull(strstr(text_get(&result.err), "exit status 9"));
    process_result_free(&result);
}
END_TEST

START_TEST(files_take_the_words_of_trace)
{
    static const char *const words[] = {"verify",  SOLUTION,
                                        "--grid",  "16,16",
                                        "--block", "32,8",
                                        "--arg",   "o:f32[512*512]=zero",
                                        "--arg",   "a:f32[512*512]=iota",
                                        "--arg",   "w:s32=512",
                                        "--arg",   "h:s32=512",
                                        "--json",  NULL};
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    struct process_result result = verify(words, "");
    ck_assert_msg(result.exit_code == 0, "exit %d; %s", result.exit_code, text_get(&result.err));
    ck_assert_str_eq(verdict_of(text_get(&result.out), "global_store_sectors"), "equal");
    process_result_free(&result);
}
END_TEST

// ---- the CSV by itself

#define HEADER "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n"

static void whole_csv(char *text, size_t size, const char *value)
{
    size_t used = (size_t)snprintf(text, size, "==PROF== noise, \"ID\" of it\n" HEADER);
#define N(field, metric) used += (size_t)snprintf(text + used, size - used, "\"0\",\"k\",\"" metric "\",%s\n", value);
    NCU_METRICS(N)
#undef N
}

START_TEST(values_are_read_with_and_without_separators)
{
    static const char *const forms[] = {"\"1,234,567\"", "\"1234567\"", "1234567", "\"1,234,567.00\""};
    char csv[4096];
    struct counters counters;
    whole_csv(csv, sizeof csv, forms[_i]);
    ck_assert(ncu_read_csv(csv, "k", &counters));
    ck_assert_uint_eq(counters.shared[COUNT_LOAD].conflicts, 1234567);
    ck_assert_uint_eq(counters.global[COUNT_STORE].sectors, 1234567);
    ck_assert(!ncu_read_csv(csv, "kernel", &counters));
}
END_TEST

START_TEST(csv_that_is_not_whole_is_refused)
{
    static const char *const texts[] = {"",
                                        "\"ID\"",
                                        HEADER,
                                        "no CSV\nat all",
                                        HEADER "\"0\",\"k\"\n",
                                        HEADER "\"0\",\"k\",\"",
                                        HEADER "\"\"\"\n,,,,,\n\"0\",\"k\",\"x\",\"n/a\""};
    struct counters counters;
    ck_assert(!ncu_read_csv(texts[_i], "k", &counters));
}
END_TEST

START_TEST(values_that_are_no_numbers_are_refused)
{
    char csv[4096];
    struct counters counters;
    static const char *const forms[] = {"\"n/a\"", "nan", "\"-nan(ind)\""};
    whole_csv(csv, sizeof csv, forms[_i]);
    ck_assert(!ncu_read_csv(csv, "k", &counters));
    ck_assert_str_eq(ncu_missing_metric(csv, "k"), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum");
    ck_assert_ptr_null(ncu_missing_metric(csv, "kernel"));
    whole_csv(csv, sizeof csv, "7");
    ck_assert_ptr_null(ncu_missing_metric(csv, "k"));
}
END_TEST

Suite *suite_verify(void)
{
    Suite *suite = suite_create("verify");
    TCase *command = tcase_create("command"), *csv = tcase_create("csv");
    tcase_set_timeout(command, 60);
    tcase_add_loop_test(command, lessons_counters_are_compared, 0, (int)(sizeof modes / sizeof *modes));
    tcase_add_test(command, a_launch_that_stops_is_told_from_one_that_differs);
    tcase_add_test(command, a_broken_ncu_is_told_with_its_end);
    tcase_add_test(command, files_take_the_words_of_trace);
    tcase_add_loop_test(csv, values_are_read_with_and_without_separators, 0, 4);
    tcase_add_loop_test(csv, csv_that_is_not_whole_is_refused, 0, 7);
    tcase_add_loop_test(csv, values_that_are_no_numbers_are_refused, 0, 3);
    suite_add_tcase(suite, command);
    suite_add_tcase(suite, csv);
    return suite;
}
