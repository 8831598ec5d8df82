// What the built program prints and how it ends, command by command.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/program.h"
#include "base/file.h"
#include "cli/cli.h"
#include "lesson/lesson.h"
#include "toolchain/toolchain.h"
#include "ui/action.h"

Suite *suite_commands(void);

static const struct {
    const char *line;
    int exit;
    const char *out, *err; // must be in what was printed; NULL: nothing was
} rows[] = {
    {"help", 0, "bankshot COMMAND", NULL},
    {"--help", 0, "bankshot COMMAND", NULL},
    {"--version", 0, "bankshot 0.", NULL},
    {"help banks", 0, "--stride N", NULL},
    {"banks --help", 0, "--stride N", NULL},
    {"help nothing", 2, NULL, "no command 'nothing'"},
    {"nothing", 2, NULL, "no command 'nothing'"},
    {"4 --tour --device nowhere", 2, NULL, "--device is auto, sim or gpu"}, // a lesson's number opens the lab
    {"manual", 0, ".TH BANKSHOT 1", NULL},
    {"banks", 2, NULL, "give a file, a stride or byte offsets"},
    {"banks --nothing", 2, NULL, "no option '--nothing'"},
    {"banks --file", 2, NULL, "'--file' needs a value"},
    {"banks --file /nonexistent", 2, NULL, "/nonexistent"},
    {"banks --file /dev/null", 2, NULL, "/dev/null holds no patterns"},
    {"banks --file tests/golden/h200_patterns.csv", 0, "862 of 862 rows agree", NULL},
    {"occupancy", 0, "8 blocks on an SM, 64 of 64 warps: occupancy 100 %", NULL},
    {"occupancy --threads 352 --registers 17 --shared 61952", 0,
     "up to 76800 bytes: 3 blocks, one more: 2; up to 57344: 4", NULL},
    {"occupancy --threads 1024 --registers 65", 0, "Not a single block fits: registers", NULL},
    {"occupancy --shared 65537 --gpu-model T4", 0, "Not a single block fits: shared memory", NULL},
    {"occupancy --shared 65536 --gpu-model all", 0, "RTX 4090        1      8       17 %  shared memory", NULL},
    {"occupancy --json", 0, "\"limit\": \"warps\"", NULL},
    {"occupancy --gpu-model none", 2, NULL, "the model has no GPU 'none'"},
    {"occupancy --threads 1025", 2, NULL, "1 to 1024 threads"},
    {"banks --stride 1", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 0", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 8", 0, "8 wavefronts, 7 conflicts", NULL},
    {"banks --stride 33", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 1 --bytes 16", 0, "4 wavefronts, 0 conflicts", NULL},
    {"banks --stride 1 --bytes 3", 2, NULL, "--bytes is 1, 2, 4, 8 or 16"},
    {"banks --stride x", 2, NULL, "--stride wants a number"},
    {"banks --stride 99999999999", 2, NULL, "--stride wants a number from 0 to 16777216, not '99999999999'"},
    {"class . --jobs 1000000", 2, NULL, "--jobs wants a number from 1 to 4096, not"},
    {"banks --stride 1 --mask ffff", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 1 --mask xyz", 2, NULL, "--mask wants"},
    {"banks --stride 1 --mask 0xffffffff", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 1 --mask 1ffffffff", 2, NULL, "--mask wants 32 bits"},
    {"banks --stride 1 --op gld32 --bytes 1", 2, NULL, "gld32 takes 4 bytes a lane, not 1"},
    {"banks --stride 1 --op st128 --bytes 16", 0, "4 wavefronts, 0 conflicts", NULL},
    {"banks --file tests/golden/h200_patterns.csv --op st128", 2, NULL, "--file says all of its patterns"},
    {"banks --stride 1 --op ld33", 2, NULL, "no operation 'ld33'"},
    {"banks --stride 8 --op gld32", 0, "32 sectors of 32 bytes: 128 bytes wanted of 1024", NULL},
    {"banks 0 128 256", 0, "3 wavefronts, 2 conflicts", NULL},
    {"banks 0 128 256 --op atom32", 0, "3 wavefronts, 2 conflicts", NULL},
    {"banks 0 0 0", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks 1", 2, NULL, "not a multiple of 4 bytes"},
    {"banks -- -4", 2, NULL, "not a byte offset"},
    {"banks 0 4 --stride 2", 2, NULL, "not both"},
    {"banks --stride 1 --bytes", 2, NULL, "'--bytes' needs a value"},
    {"check --device moon", 2, NULL, "--device is auto, sim or gpu, not 'moon'"},
    {"reset", 2, NULL, "name the lesson"},
    {"hint 1 2", 2, NULL, "one lesson at a time"},
    {"doctor twice", 2, NULL, "takes no words"},
    {"lint --gpu-model nothing 1 2", 2, NULL, "'nothing'"}, // the options reach the children
};

START_TEST(commands_answer_and_exit_as_the_manual_says)
{
    struct process_result result = program_run_line(rows[_i].line);
    ck_assert_msg(result.exit_code == rows[_i].exit, "'%s' exits with %d, stderr: %s", rows[_i].line, result.exit_code,
                  text_get(&result.err));
    if (rows[_i].out)
        ck_assert_msg(strstr(text_get(&result.out), rows[_i].out) != NULL, "'%s' prints: %s", rows[_i].line,
                      text_get(&result.out));
    else
        ck_assert_str_eq(text_get(&result.out), "");
    if (rows[_i].err)
        ck_assert_msg(strstr(text_get(&result.err), rows[_i].err) != NULL, "'%s' complains: %s", rows[_i].line,
                      text_get(&result.err));
    else
        ck_assert_str_eq(text_get(&result.err), "");
    process_result_free(&result);
}
END_TEST

// A closed descriptor is nobody's file: neither read nor written over, and results that go nowhere are an error.
static const struct {
    const char *line; // behind the program's name
    int exit;
} streams[] = {
    {"banks --stride 8 >&-", 2}, {"banks --stride 8 --json >/dev/full", 2}, {"manual >/dev/full", 2},
    {"--version >&-", 2},        {"lessons <&- 2>&- | grep -q padding", 0}, {"banks --file - <&- 2>/dev/null", 2},
    {"nothing 2>&-", 2},
};

START_TEST(closed_and_full_streams_are_told_from_success)
{
    char line[256];
    snprintf(line, sizeof line, "{ %s %s; } 2>/dev/null", program_path(), streams[_i].line);
    ck_assert_msg(WEXITSTATUS(system(line)) == streams[_i].exit, "%s", line);
}
END_TEST

START_TEST(banks_answers_every_pattern_in_json)
{
    struct process_result result = program_run_line("banks --file tests/golden/h200_patterns.csv --json");
    json_t *answer = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_uint_eq(json_array_size(answer), 862);
    json_t *first = json_array_get(answer, 0);
    ck_assert_str_eq(json_string_value(json_object_get(first, "label")), "stride0");
    ck_assert_int_eq(json_integer_value(json_object_get(first, "wavefronts")), 1);
    ck_assert(json_is_null(json_object_get(first, "sectors")));
    json_decref(answer);
    process_result_free(&result);
}
END_TEST

START_TEST(help_fits_a_terminal_of_80_columns)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        if (cli_commands[i]->hidden)
            continue;
        char line[64];
        snprintf(line, sizeof line, "%s --help", cli_commands[i]->name);
        struct process_result result = program_run_line(line);
        ck_assert_msg(result.exit_code == 0, "%s: %s", line, text_get(&result.err));
        int columns = 0;
        for (const char *at = text_get(&result.out); *at; at++) {
            columns = *at == '\n' ? 0 : columns + ((*at & 0xc0) != 0x80);
            ck_assert_msg(columns <= 80, "%s: … %s", line, at - 40);
        }
        process_result_free(&result);
    }
}
END_TEST

START_TEST(the_manual_names_every_action)
{
    struct process_result result = program_run_line("manual");
    for (int a = 1; a < ACTION_COUNT; a++) {
        char name[64], *out = name;
        for (const char *at = action_info((enum action)a)->name; *at; at++) {
            if (*at == '-')
                *out++ = '\\';
            *out++ = *at;
        }
        *out = '\0';
        ck_assert_msg(strstr(text_get(&result.out), name) != NULL, "%s is missing", name);
    }
    process_result_free(&result);
}
END_TEST

START_TEST(the_manual_page_is_current)
{
    char *kept;
    size_t length;
    struct diagnostic diagnostic;
    struct process_result result = program_run_line("manual");
    ck_assert_int_eq(file_read("docs/bankshot.1", 1 << 20, &kept, &length, &diagnostic), STATUS_OK);
    ck_assert_msg(strcmp(text_get(&result.out), kept) == 0, "docs/bankshot.1 is stale: run make docs");
    free(kept);
    process_result_free(&result);
}
END_TEST

// ---- init

static char workspace[64];

static void choose_workspace(void)
{
    snprintf(workspace, sizeof workspace, "/tmp/bankshot-init-%d", (int)getpid());
}

static void remove_workspace(void)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", workspace);
    ck_assert_int_eq(system(line), 0);
}

static struct process_result init(void)
{
    const char *const words[] = {"init", workspace, NULL};
    return program_run(words, NULL);
}

START_TEST(init_makes_a_workspace_and_keeps_what_was_edited)
{
    char path[128], *text;
    size_t length;
    struct diagnostic diagnostic;
    struct process_result result = init();
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    process_result_free(&result);
    static const char *const files[] = {LESSON_MARKER, "compile_flags.txt", "README.txt", "exercises/04-padding.cu",
                                        ".bankshot-headers/bankshot.h"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", workspace, files[i]);
        ck_assert_msg(file_exists(path), "%s is missing", files[i]);
    }
    snprintf(path, sizeof path, "%s/exercises/04-padding.cu", workspace);
    ck_assert_int_eq(file_write(path, "// mine", 7, &diagnostic), STATUS_OK);
    result = init();
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "0 exercises put there"));
    process_result_free(&result);
    ck_assert_int_eq(file_read(path, 100, &text, &length, &diagnostic), STATUS_OK);
    ck_assert_str_eq(text, "// mine");
    free(text);
}
END_TEST

START_TEST(clangd_settings_of_the_tree_are_those_that_init_writes)
{
    char *text;
    size_t length;
    struct diagnostic diagnostic;
    struct text flags = {0};
    toolchain_clangd_flags(&flags, "../src/toolchain/include");
    ck_assert_int_eq(file_read("exercises/compile_flags.txt", 10000, &text, &length, &diagnostic), STATUS_OK);
    ck_assert_str_eq(text, text_get(&flags));
    free(text);
    text_free(&flags);
}
END_TEST

Suite *suite_commands(void)
{
    Suite *suite = suite_create("commands");
    TCase *tests = tcase_create("commands");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, commands_answer_and_exit_as_the_manual_says, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tests, help_fits_a_terminal_of_80_columns);
    tcase_add_test(tests, the_manual_names_every_action);
    tcase_add_test(tests, the_manual_page_is_current);
    tcase_add_loop_test(tests, closed_and_full_streams_are_told_from_success, 0, sizeof streams / sizeof *streams);
    tcase_add_test(tests, banks_answers_every_pattern_in_json);
    suite_add_tcase(suite, tests);
    TCase *workspaces = tcase_create("init");
    tcase_add_unchecked_fixture(workspaces, choose_workspace, NULL);
    tcase_add_checked_fixture(workspaces, NULL, remove_workspace);
    tcase_add_test(workspaces, init_makes_a_workspace_and_keeps_what_was_edited);
    tcase_add_test(workspaces, clangd_settings_of_the_tree_are_those_that_init_writes);
    suite_add_tcase(suite, workspaces);
    return suite;
}
