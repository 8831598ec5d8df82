// What the built program prints and how it ends, command by command. $BANKSHOT names the program.
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"

Suite *suite_commands(void);

enum { MAX_WORDS = 48 };

// Runs "word word …" (words are parted by single blanks) and collects what it printed.
static struct process_result run(const char *line)
{
    const char *argv[MAX_WORDS + 2] = {getenv("BANKSHOT") ? getenv("BANKSHOT") : "build/bankshot"};
    char words[4096];
    size_t count = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *at = words, *word; (word = strsep(&at, " ")) && count <= MAX_WORDS;)
        argv[count++] = word;
    struct process_options options = {.argv = argv, .limits = {.wall_seconds = 60}};
    struct process_result result = {0};
    struct diagnostic diagnostic = {0};
    ck_assert_msg(process_run(&options, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_int_eq(result.end, PROCESS_EXITED);
    return result;
}

static const struct {
    const char *line;
    int exit;
    const char *out, *err; // must stand in what was printed; NULL: nothing was
} rows[] = {
    {"help", 0, "bankshot COMMAND", NULL},
    {"--help", 0, "bankshot COMMAND", NULL},
    {"--version", 0, "bankshot 0.", NULL},
    {"help banks", 0, "--stride N", NULL},
    {"banks --help", 0, "--stride N", NULL},
    {"help nothing", 2, NULL, "no command 'nothing'"},
    {"nothing", 2, NULL, "no command 'nothing'"},
    {"manual", 0, ".TH BANKSHOT 1", NULL},
    {"banks", 2, NULL, "give a file, a stride or byte offsets"},
    {"banks --nothing", 2, NULL, "no option '--nothing'"},
    {"banks --file", 2, NULL, "'--file' wants a value"},
    {"banks --file /nonexistent", 2, NULL, "/nonexistent"},
    {"banks --file tests/golden/h200_patterns.csv", 0, "862 of 862 rows agree", NULL},
    {"banks --stride 1", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 0", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 8", 0, "8 wavefronts, 7 conflicts", NULL},
    {"banks --stride 33", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 1 --bytes 16", 0, "4 wavefronts, 0 conflicts", NULL},
    {"banks --stride 1 --bytes 3", 2, NULL, "--bytes is 1, 2, 4, 8 or 16"},
    {"banks --stride x", 2, NULL, "--stride wants a number"},
    {"banks --stride 1 --mask ffff", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks --stride 1 --mask xyz", 2, NULL, "--mask wants"},
    {"banks --stride 1 --op ld33", 2, NULL, "no operation 'ld33'"},
    {"banks --stride 8 --op gld32", 0, "32 sectors of 32 bytes: 128 bytes wanted of 1024", NULL},
    {"banks 0 128 256", 0, "3 wavefronts, 2 conflicts", NULL},
    {"banks 0 128 256 --op atom32", 0, "3 wavefronts, 2 conflicts", NULL},
    {"banks 0 0 0", 0, "1 wavefront, 0 conflicts", NULL},
    {"banks 1", 2, NULL, "no multiple of 4 bytes"},
    {"banks -- -4", 2, NULL, "no byte offset"},
    {"banks 0 4 --stride 2", 2, NULL, "not both"},
};

START_TEST(commands_answer_and_exit_as_the_manual_says)
{
    struct process_result result = run(rows[_i].line);
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

START_TEST(banks_answers_every_pattern_in_json)
{
    struct process_result result = run("banks --file tests/golden/h200_patterns.csv --json");
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

Suite *suite_commands(void)
{
    Suite *suite = suite_create("commands");
    TCase *tests = tcase_create("commands");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, commands_answer_and_exit_as_the_manual_says, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tests, banks_answers_every_pattern_in_json);
    suite_add_tcase(suite, tests);
    return suite;
}
