// The commands around lessons, in a workspace and a state folder of their own.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "lesson/lesson.h"
#include "toolchain/toolchain.h"

Suite *suite_workspace(void);

static char folder[64], state[96];

static struct process_result run(const char *line)
{
    char words[256];
    const char *argv[16] = {NULL};
    const char *const environment[] = {state, NULL};
    size_t count = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *at = words, *word; (word = strsep(&at, " ")) && count < 15;)
        argv[count++] = word;
    return program_run(argv, environment);
}

static void setup(void)
{
    char program[4096];
    snprintf(folder, sizeof folder, "/tmp/bankshot-workspace-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", folder);
    ck_assert_ptr_nonnull(realpath(program_path(), program));
    setenv("BANKSHOT", program, 1);
    const char *const words[] = {"init", folder, NULL};
    struct process_result result = program_run(words, NULL);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    process_result_free(&result);
    ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
    char line[128];
    ck_assert_int_eq(chdir("/"), 0);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(line), 0);
}

static char *contents(const char *name)
{
    char *text;
    size_t length;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(file_read(name, 1 << 20, &text, &length, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return text;
}

START_TEST(reset_brings_the_starter_back_and_keeps_the_old_version)
{
    struct diagnostic diagnostic;
    char *start = contents("exercises/04-padding.cu");
    ck_assert_int_eq(file_write("exercises/04-padding.cu", "mine", 4, &diagnostic), STATUS_OK);
    struct process_result result = run("reset padding");
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    process_result_free(&result);
    char *now = contents("exercises/04-padding.cu"), *kept = contents("exercises/04-padding.cu.1");
    ck_assert_str_eq(now, start);
    ck_assert_str_eq(kept, "mine");
    free(start), free(now), free(kept);
}
END_TEST

START_TEST(hints_come_one_by_one_and_end)
{
    struct process_result result = run("hint --again padding");
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "No hint of padding has been shown yet"));
    process_result_free(&result);
    int shown = 0;
    for (;; shown++) {
        char title[64];
        result = run("hint padding");
        snprintf(title, sizeof title, "padding, hint %d of ", shown + 1);
        bool is_next = strstr(text_get(&result.out), title) != NULL;
        ck_assert_int_eq(result.exit_code, 0);
        if (!is_next)
            ck_assert_ptr_nonnull(strstr(text_get(&result.out), "has no more hints"));
        process_result_free(&result);
        if (!is_next)
            break;
    }
    ck_assert_int_ge(shown, 3);
}
END_TEST

START_TEST(a_solution_is_shown_only_on_explicit_wish_before_passing)
{
    struct process_result result = run("solution padding");
    ck_assert_int_eq(result.exit_code, 1);
    ck_assert_str_eq(text_get(&result.out), "");
    process_result_free(&result);
    result = run("solution --yes padding");
    ck_assert_int_eq(result.exit_code, 0);
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "__global__"));
    process_result_free(&result);
}
END_TEST

// ---- grading

static bool skipped(void)
{
    if (program_has_compiler())
        return false;
    skip_check("no compiler");
    return true;
}

// Puts another file of the lesson in the place of the exercise.
static void hand_in(const char *line)
{
    struct diagnostic diagnostic;
    struct process_result result = run(line);
    ck_assert_int_eq(result.exit_code, 0);
    ck_assert_int_eq(file_write("exercises/04-padding.cu", text_get(&result.out), result.out.length, &diagnostic),
                     STATUS_OK);
    process_result_free(&result);
}

static void check_says(const char *line, int exit, const char *words)
{
    struct process_result result = run(line);
    ck_assert_msg(result.exit_code == exit && strstr(text_get(&result.out), words), "'%s' exits with %d: %s%s", line,
                  result.exit_code, text_get(&result.out), text_get(&result.err));
    process_result_free(&result);
}

START_TEST(a_lesson_goes_from_failed_to_passed_and_is_remembered)
{
    if (skipped())
        return;
    check_says("check padding --device sim", 1, "no-padding");
    hand_in("solution --yes padding");
    check_says("check 4 --device sim", 0, "full marks");
    check_says("check 4 --device sim --json", 0, "\"verdict\": \"pass\"");
    check_says("check 4 --device sim --junit", 0, "<testsuites");
    check_says("check 4 --device sim --gradescope", 0, "\"max_score\"");
    check_says("lessons", 0, "full marks");
    check_says("solution padding", 0, "__global__");
    check_says("check coalescing padding --device sim", 1, "1 of 2 passed");
}
END_TEST

// Points that a starter meets are nobody's: in no format, and not in the learner's progress.
START_TEST(an_untouched_exercise_is_not_started_everywhere)
{
    if (skipped())
        return;
    check_says("check padding --device sim", 1, "not started: no-padding   0 of 100");
    check_says("check padding coalescing --device sim", 1, "not started              0");
    check_says("check padding --device sim --json", 1, "\"verdict\": \"not started\"");
    check_says("check padding --device sim --json", 1, "This is still the starter.");
    check_says("check padding --device sim --junit", 1, "<failure message=\"not started\">");
    check_says("check padding --device sim --junit", 1, "holds in the starter already");
    struct process_result result = run("check padding --device sim --gradescope");
    ck_assert_ptr_null(strstr(text_get(&result.out), "\"status\": \"passed\""));
    process_result_free(&result);
    check_says("lessons --json", 0, "\"state\": \"untouched\"");
    result = run("lessons");
    ck_assert_ptr_null(strstr(text_get(&result.out), "tried"));
    process_result_free(&result);
}
END_TEST

// An answer that is the only one is read back as it was given, and earns what it earns.
START_TEST(one_answered_puzzle_is_told_and_counted)
{
    static const char file[] = "exercises/10-bank-puzzles.cu";
    struct diagnostic diagnostic;
    char *text;
    size_t length;
    if (skipped())
        return;
    ck_assert_int_eq(file_read(file, 1 << 20, &text, &length, &diagnostic), STATUS_OK);
    char *answer = strstr(text, "out[8] = 0");
    ck_assert_ptr_nonnull(answer);
    answer[strlen("out[8] = ")] = '2';
    ck_assert_int_eq(file_write(file, text, length, &diagnostic), STATUS_OK);
    check_says("check 10 --device sim", 1, "puzzle 9, s[lane / 2]: its wavefronts");
    check_says("check 10 --device sim", 1, "got you said 2");
    answer[strlen("out[8] = ")] = '1';
    ck_assert_int_eq(file_write(file, text, length, &diagnostic), STATUS_OK);
    check_says("check 10 --device sim", 1, "fail: unanswered   4 of 100");
    free(text);
}
END_TEST

START_TEST(a_page_is_written_beside_the_report)
{
    if (skipped())
        return;
    check_says("check padding --device sim --html page.html", 1, "no-padding");
    char *page = contents("page.html");
    ck_assert_ptr_nonnull(strstr(page, "<html"));
    free(page);
    struct process_result result = run("check padding coalescing --html page.html");
    ck_assert_int_eq(result.exit_code, 2);
    process_result_free(&result);
}
END_TEST

START_TEST(the_tour_shows_page_banks_and_grade)
{
    static const char *const words[] = {"lesson 4, Padding", "Your file: ", "32 wavefronts, 31 conflicts",
                                        "why: no-padding", "bankshot check padding"};
    if (skipped())
        return;
    struct process_result result = run("lab padding --device sim");
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(text_get(&result.out), words[i]) != NULL, "'%s' is missing in: %s", words[i],
                      text_get(&result.out));
    process_result_free(&result);
}
END_TEST

START_TEST(a_class_is_graded_into_a_table)
{
    struct diagnostic diagnostic;
    if (skipped())
        return;
    struct process_result result = run("solution --yes padding");
    ck_assert_int_eq(file_make_folders("class/ada/exercises", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/bob", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/eve", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/fay", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/may", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/=HYPERLINK(\"x\")", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/M\xfcller\x1b[31m", false, &diagnostic), STATUS_OK);
    // neither somebody else's folder nor somebody else's file
    ck_assert_int_eq(symlink("../ada/exercises", "class/eve/exercises"), 0);
    ck_assert_int_eq(symlink("../ada/exercises/04-padding.cu", "class/fay/padding.cu"), 0);
    ck_assert_int_eq(symlink("ada", "class/zoe"), 0);
    ck_assert_int_eq(
        file_write("class/M\xfcller\x1b[31m/padding.cu", text_get(&result.out), result.out.length, &diagnostic),
        STATUS_OK);
    ck_assert_int_eq(
        file_write("class/ada/exercises/04-padding.cu", text_get(&result.out), result.out.length, &diagnostic),
        STATUS_OK);
    ck_assert_int_eq(file_write("class/bob/padding.cu", "int x", 5, &diagnostic), STATUS_OK);
    process_result_free(&result);
    result = run("class class --lesson padding --csv --device sim");
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    ck_assert_str_eq(text_get(&result.out),
                     "student,lesson,verdict,score,diagnosis,file\n"
                     "\"'=HYPERLINK(\"\"x\"\")\",04-padding,missing,0.0,\"\",\"\"\n"
                     "\"M\\xfcller\\x1b[31m\",04-padding,pass,100.0,\"\",\"class/M\\xfcller\\x1b[31m/padding.cu\"\n"
                     "\"ada\",04-padding,pass,100.0,\"\",\"class/ada/exercises/04-padding.cu\"\n"
                     "\"bob\",04-padding,compile error,0.0,\"compile-error\",\"class/bob/padding.cu\"\n"
                     "\"eve\",04-padding,link,0.0,\"\",\"\"\n"
                     "\"fay\",04-padding,link,0.0,\"\",\"\"\n"
                     "\"may\",04-padding,missing,0.0,\"\",\"\"\n");
    ck_assert_ptr_nonnull(strstr(text_get(&result.err), "class/zoe: this is a link"));
    ck_assert_ptr_nonnull(strstr(text_get(&result.err), "class/eve/exercises: this is a link"));
    process_result_free(&result);
    check_says("class class --lesson padding --device sim", 0, "3 files");
    check_says("class class --lesson padding --device sim", 0, "\nM\\xfcller\\x1b[31m ");
    check_says("class class --lesson padding --json --device sim", 0, "\"student\": \"M\\\\xfcller");
    check_says("class class --lesson padding --json --device sim", 0, "\"student\": \"ada\"");
}
END_TEST

// Where the workspace is cannot be told: the source tree's untouched exercises would be "not started".
START_TEST(a_folder_that_is_gone_is_no_mark)
{
    char line[256];
    snprintf(line, sizeof line, "mkdir gone && cd gone && rmdir ../gone && %s \"$BANKSHOT\" check padding 2> ../said",
             state);
    ck_assert_int_eq(WEXITSTATUS(system(line)), 2);
    char *said = contents("said");
    ck_assert_msg(strstr(said, "cannot tell the current folder"), "%s", said);
    free(said);
}
END_TEST

// Root may look everywhere, so nobody does it.
START_TEST(a_hand_in_that_cannot_be_looked_at_is_not_missing)
{
    struct diagnostic diagnostic;
    const char *nobody = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : "";
    char line[256];
    snprintf(line, sizeof line, "%s test -x \"$BANKSHOT\"", nobody);
    if (system(line) != 0) {
        skip_check("nobody may run the program here");
        return;
    }
    ck_assert_int_eq(file_make_folders("class/ada", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_make_folders("class/bob/exercises", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(chmod("class/bob", 0), 0);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    snprintf(line, sizeof line,
             "XDG_STATE_HOME=/dev/null XDG_CACHE_HOME=/dev/null %s \"$BANKSHOT\" class class --lesson padding --csv "
             "> marks 2> said",
             nobody);
    int status = system(line);
    ck_assert_int_eq(chmod("class/bob", 0700), 0);
    char *marks = contents("marks"), *said = contents("said");
    ck_assert_msg(WEXITSTATUS(status) == 2 && strstr(said, "class/bob/04-padding.cu: cannot look at this"), "%s", said);
    ck_assert_msg(strstr(marks, "\"ada\",04-padding,missing,") &&
                      strstr(marks, "\"bob\",04-padding,infrastructure error,"),
                  "%s", marks);
    free(marks);
    free(said);
}
END_TEST

// A lesson that is missing in an answer would leave the others all of its total.
START_TEST(what_no_worker_could_grade_is_in_the_answer)
{
    char line[256];
    snprintf(line, sizeof line, "ulimit -n 12; %s \"$BANKSHOT\" check padding coalescing --gradescope > answer", state);
    ck_assert_int_eq(WEXITSTATUS(system(line)), 2);
    char *answer = contents("answer");
    json_t *json = json_loads(answer, 0, NULL), *tests = json_object_get(json, "tests");
    ck_assert_uint_eq(json_array_size(tests), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *test = json_array_get(tests, i);
        ck_assert_double_eq(json_number_value(json_object_get(test, "max_score")), 100);
        ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(test, "output")), "ulimit -n"));
    }
    json_decref(json);
    free(answer);
}
END_TEST

// Two whose kernels run for long, and one that is soon graded; a signal comes in between.
START_TEST(a_class_that_is_stopped_keeps_what_is_graded)
{
    static const char endless[] = "LAUNCH(32, 32, 32, 32);\n__global__ void transpose(float *out, const float *in, int "
                                  "width, int height)\n{\n    for (volatile int i = 1; i; i = %d);\n}\n";
    struct diagnostic diagnostic;
    char source[512];
    if (skipped())
        return;
    struct process_result result = run("solution --yes padding");
    ck_assert_int_eq(file_make_folders("class/a", false, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_write("class/a/padding.cu", text_get(&result.out), result.out.length, &diagnostic),
                     STATUS_OK);
    process_result_free(&result);
    for (int i = 1; i < 9; i++) {
        char path[64];
        snprintf(path, sizeof path, "class/s%d", i);
        ck_assert_int_eq(file_make_folders(path, false, &diagnostic), STATUS_OK);
        snprintf(path, sizeof path, "class/s%d/padding.cu", i);
        int length = snprintf(source, sizeof source, endless, i);
        ck_assert_int_eq(file_write(path, source, (size_t)length, &diagnostic), STATUS_OK);
    }
    result = run("check padding --device sim"); // the compiler's start is not what is waited for
    process_result_free(&result);
    snprintf(source, sizeof source,
             "%s \"$BANKSHOT\" class class --lesson padding --csv --device sim > marks & marking=$!; "
             "until grep -qs '^\"a\"' marks; do sleep 0.1; done; kill -TERM $marking; wait $marking",
             state);
    ck_assert_int_eq(WEXITSTATUS(system(source)), 2);
    char *marks = contents("marks");
    ck_assert_ptr_nonnull(strstr(marks, "\"a\",04-padding,pass,100.0"));
    ck_assert_ptr_nonnull(strstr(marks, "\"s8\",04-padding,not graded,0.0"));
    free(marks);
}
END_TEST

// As a folder's own copy, or as a package calls it that has several.
START_TEST(the_program_starts_itself_whatever_it_is_called)
{
    char line[4500], lessons[4096];
    if (skipped())
        return;
    ck_assert_ptr_nonnull(realpath(program_path(), lessons));
    *strstr(lessons, "/build/") = '\0';
    snprintf(line, sizeof line,
             "cp \"$BANKSHOT\" bankshot-1 && BANKSHOT_LESSONS='%s' %s ./bankshot-1 check padding --device sim > said",
             lessons, state);
    ck_assert_int_eq(WEXITSTATUS(system(line)), 1);
    char *said = contents("said");
    ck_assert_msg(strstr(said, "not started") != NULL, "%s", said);
    free(said);
}
END_TEST

// The other lessons are as they were; whoever asks for all, or for that one, is told.
START_TEST(a_broken_lesson_costs_only_itself)
{
    struct diagnostic diagnostic;
    char lessons[4096], set[128];
    ck_assert_ptr_nonnull(realpath(program_path(), lessons));
    *strstr(lessons, "/build/") = '\0';
    ck_assert_int_eq(file_make_folders("set/lessons/07-broken\x1b[31m", false, &diagnostic), STATUS_OK);
    strcat(lessons, "/lessons/04-padding");
    ck_assert_int_eq(symlink(lessons, "set/lessons/04-padding"), 0);
    snprintf(set, sizeof set, "BANKSHOT_LESSONS=%s/set", folder);
    static const struct {
        const char *words[3];
        int exit;
        const char *out, *err;
    } lines[] = {
        {{"lessons"}, 0, "padding", "07-broken\\x1b[31m/lesson.md"},
        {{"hint", "padding"}, 0, "hint 1", ""},
        {{"hint", "7"}, 2, "", "lesson.md"},
        {{"check", "--device=sim"}, 2, "padding", "lesson.md"},
        {{"class", "set"}, 2, "lessons", "lesson.md"},
        {{"doctor"}, 2, "left out until it is mended", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *const environment[] = {state, set, NULL};
        if (lines[i].exit == 2 && !program_has_compiler())
            continue;
        struct process_result result = program_run(lines[i].words, environment);
        ck_assert_msg(result.exit_code == lines[i].exit && strstr(text_get(&result.out), lines[i].out) &&
                          strstr(text_get(&result.err), lines[i].err),
                      "%s %s exits with %d: %s%s", lines[i].words[0], lines[i].words[1] ? lines[i].words[1] : "",
                      result.exit_code, text_get(&result.out), text_get(&result.err));
        ck_assert(!strchr(text_get(&result.out), 27) && !strchr(text_get(&result.err), 27));
        process_result_free(&result);
    }
}
END_TEST

START_TEST(lessons_are_listed_with_their_state)
{
    struct process_result result = run("lessons --json");
    json_t *array = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_uint_ge(json_array_size(array), 4);
    json_t *padding = json_array_get(array, 3);
    ck_assert_str_eq(json_string_value(json_object_get(padding, "id")), "04-padding");
    ck_assert_str_eq(json_string_value(json_object_get(padding, "state")), "untouched");
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(padding, "exercise")), folder));
    json_decref(array);
    process_result_free(&result);
}
END_TEST

START_TEST(the_doctor_names_what_it_looked_at)
{
    static const char *const subjects[] = {"nvcc",   "clang",   "protection", "memory",   "GPU", "terminal",
                                           "locale", "lessons", "workspace",  "progress", NULL};
    struct process_result result = run("doctor --json");
    json_t *array = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_ptr_nonnull(array);
    for (size_t i = 0; subjects[i]; i++) {
        bool found = false;
        for (size_t j = 0; j < json_array_size(array); j++)
            found |= strcmp(json_string_value(json_object_get(json_array_get(array, j), "subject")), subjects[i]) == 0;
        ck_assert_msg(found, "%s is missing", subjects[i]);
    }
    ck_assert_int_eq(result.exit_code, program_has_compiler() ? 0 : 2);
    json_decref(array);
    process_result_free(&result);
}
END_TEST

Suite *suite_workspace(void)
{
    Suite *suite = suite_create("workspace");
    TCase *tests = tcase_create("workspace");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, reset_brings_the_starter_back_and_keeps_the_old_version);
    tcase_add_test(tests, hints_come_one_by_one_and_end);
    tcase_add_test(tests, a_solution_is_shown_only_on_explicit_wish_before_passing);
    tcase_add_test(tests, a_lesson_goes_from_failed_to_passed_and_is_remembered);
    tcase_add_test(tests, an_untouched_exercise_is_not_started_everywhere);
    tcase_add_test(tests, one_answered_puzzle_is_told_and_counted);
    tcase_add_test(tests, a_page_is_written_beside_the_report);
    tcase_add_test(tests, the_tour_shows_page_banks_and_grade);
    tcase_add_test(tests, a_class_is_graded_into_a_table);
    tcase_add_test(tests, a_folder_that_is_gone_is_no_mark);
    tcase_add_test(tests, a_hand_in_that_cannot_be_looked_at_is_not_missing);
    tcase_add_test(tests, what_no_worker_could_grade_is_in_the_answer);
    tcase_add_test(tests, a_class_that_is_stopped_keeps_what_is_graded);
    tcase_add_test(tests, the_program_starts_itself_whatever_it_is_called);
    tcase_add_test(tests, a_broken_lesson_costs_only_itself);
    tcase_add_test(tests, lessons_are_listed_with_their_state);
    tcase_add_test(tests, the_doctor_names_what_it_looked_at);
    suite_add_tcase(suite, tests);
    return suite;
}
