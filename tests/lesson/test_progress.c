#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "lesson/progress.h"

Suite *suite_progress(void);

static char root[64], file[160];

static void make_home(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-progress-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    setenv("XDG_STATE_HOME", root, 1);
    snprintf(file, sizeof file, "%.63s/bankshot/progress.json", root);
}

static void remove_home(void)
{
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", root, root);
    ck_assert_int_eq(system(command), 0);
}

static struct progress *open_progress(void)
{
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(progress_open(&progress, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return progress;
}

static void add(struct progress *progress, const char *id, double score, bool passed, bool full)
{
    struct diagnostic diagnostic = {0};
    struct progress_run run = {.score = score, .passed = passed, .full = full};
    strcpy(run.verdict, passed ? "pass" : "fail");
    ck_assert_msg(progress_add_run(progress, id, &run, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
}

START_TEST(what_was_written_is_read_again)
{
    struct progress *progress = open_progress();
    ck_assert_int_eq(progress_get(progress, "04-padding")->state, PROGRESS_UNTOUCHED);
    add(progress, "04-padding", 40, false, false);
    ck_assert_int_eq(progress_get(progress, "04-padding")->state, PROGRESS_TRIED);
    add(progress, "04-padding", 80, true, false);
    add(progress, "04-padding", 60, false, false);
    ck_assert_int_eq(progress_set_hints(progress, "04-padding", 2, NULL), STATUS_OK);
    ck_assert_int_eq(progress_set_answer(progress, "04-padding", 1, "16", 32, false, NULL), STATUS_OK);
    ck_assert_int_eq(progress_set_answer(progress, "04-padding", 1, "32", 32, true, NULL), STATUS_OK);
    ck_assert_int_eq(progress_set_position(progress, "04-padding", 17, NULL), STATUS_OK);
    ck_assert_int_eq(progress_set_current(progress, "04-padding", NULL), STATUS_OK);
    progress_close(progress);
    progress = open_progress();
    const struct progress_lesson *lesson = progress_get(progress, "04-padding");
    ck_assert_int_eq(lesson->state, PROGRESS_PASSED);
    ck_assert_double_eq(lesson->best_score, 80);
    ck_assert_uint_eq(lesson->run_count, 3);
    ck_assert_double_eq(lesson->runs[2].score, 60);
    ck_assert_str_eq(lesson->runs[1].verdict, "pass");
    ck_assert_int_eq(lesson->hints, 2);
    ck_assert_uint_eq(lesson->answer_count, 2);
    ck_assert_str_eq(lesson->answers[0].text, "");
    ck_assert_str_eq(lesson->answers[1].text, "32");
    ck_assert(lesson->answers[1].right);
    ck_assert_int_eq(lesson->answers[1].tries, 2);
    ck_assert_double_eq(lesson->answers[1].counted, 32);
    ck_assert_int_eq(lesson->position, 17);
    ck_assert_str_eq(progress_current(progress), "04-padding");
    progress_close(progress);
}
END_TEST

START_TEST(a_later_failure_takes_no_pass_away)
{
    struct progress *progress = open_progress();
    add(progress, "x", 100, true, true);
    add(progress, "x", 0, false, false);
    ck_assert_int_eq(progress_get(progress, "x")->state, PROGRESS_FULL);
    progress_close(progress);
}
END_TEST

START_TEST(the_history_is_bounded)
{
    struct progress *progress;
    struct progress_run run = {0};
    unsetenv("XDG_STATE_HOME"); // in memory: a hundred flushes to disk would take their time
    unsetenv("HOME");
    progress_open(&progress, NULL);
    for (int i = 0; i < 5; i++) {
        run.score = i;
        progress_add_run(progress, "x", &run, NULL);
    }
    run.score = 1000;
    for (int i = 0; i < PROGRESS_MAX_RUNS - 2; i++) {
        run.time = 1 + i; // older than those above
        progress_add_run(progress, "x", &run, NULL);
    }
    const struct progress_lesson *lesson = progress_get(progress, "x");
    ck_assert_uint_eq(lesson->run_count, PROGRESS_MAX_RUNS);
    ck_assert_double_eq(lesson->runs[PROGRESS_MAX_RUNS - 1].score, 4);
    for (size_t i = 1; i < lesson->run_count; i++)
        ck_assert(lesson->runs[i - 1].time < lesson->runs[i].time);
    progress_close(progress);
}
END_TEST

START_TEST(two_instances_lose_nothing)
{
    struct progress *one = open_progress(), *two = open_progress();
    add(one, "a", 100, true, true);
    add(two, "b", 50, false, false);
    add(one, "a", 20, false, false);
    progress_set_hints(two, "a", 3, NULL);
    progress_set_hints(one, "a", 1, NULL);
    ck_assert_int_eq(progress_refresh(one, NULL), STATUS_OK);
    ck_assert_uint_eq(progress_get(one, "b")->run_count, 1);
    ck_assert_int_eq(progress_get(one, "a")->hints, 3);
    ck_assert_int_eq(progress_get(two, "a")->state, PROGRESS_FULL);
    progress_close(one);
    progress_close(two);
    one = open_progress();
    ck_assert_uint_eq(progress_get(one, "a")->run_count, 2);
    ck_assert_uint_eq(progress_get(one, "b")->run_count, 1);
    progress_close(one);
}
END_TEST

START_TEST(many_writers_at_once_lose_nothing)
{
    enum { WRITERS = 4, RUNS = 4 };
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] == 0) {
            struct progress *progress;
            bool ok = progress_open(&progress, NULL) == STATUS_OK;
            for (int j = 0; j < RUNS; j++) {
                struct progress_run run = {.score = j};
                ok = progress_add_run(progress, i % 2 ? "odd" : "even", &run, NULL) == STATUS_OK && ok;
            }
            _exit(ok ? 0 : 1);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        ck_assert_int_eq(status, 0);
    }
    struct progress *progress = open_progress();
    ck_assert_uint_eq(progress_get(progress, "odd")->run_count, WRITERS / 2 * RUNS);
    ck_assert_uint_eq(progress_get(progress, "even")->run_count, WRITERS / 2 * RUNS);
    progress_close(progress);
}
END_TEST

// A child writes without end and is killed at some moment; what it said to have written must be there.
START_TEST(kill_leaves_the_old_or_the_new_state)
{
    unsigned known = 0;
    for (int round = 0; round < 12; round++) {
        int pipes[2];
        ck_assert_int_eq(pipe(pipes), 0);
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            struct progress *progress;
            progress_open(&progress, NULL);
            for (unsigned count = (unsigned)progress_get(progress, "x")->best_score + 1;; count++) {
                struct progress_run run = {.score = count, .passed = true};
                if (progress_add_run(progress, "x", &run, NULL) != STATUS_OK ||
                    write(pipes[1], &count, sizeof count) != sizeof count)
                    _exit(1);
            }
        }
        close(pipes[1]);
        unsigned count = 0;
        ck_assert_int_eq(read(pipes[0], &count, sizeof count), sizeof count);
        known = count;
        struct timespec moment = {.tv_nsec = 200000 * (round % 10) + 50000};
        nanosleep(&moment, NULL);
        kill(child, SIGKILL);
        while (read(pipes[0], &count, sizeof count) == sizeof count)
            known = count;
        close(pipes[0]);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        struct progress *progress = open_progress();
        double best = progress_get(progress, "x")->best_score;
        ck_assert_msg(best >= known && best <= known + 1, "%g after %u", best, known);
        progress_close(progress);
    }
    char *data;
    size_t length;
    ck_assert_int_eq(file_read(file, 1 << 24, &data, &length, NULL), STATUS_OK);
    free(data);
}
END_TEST

static void write_file(const char *text, size_t length)
{
    struct progress *progress = open_progress();
    add(progress, "x", 1, false, false);
    progress_close(progress);
    ck_assert_int_eq(file_write(file, text, length, NULL), STATUS_OK);
}

static int count_corrupt(void)
{
    char folder[128];
    int count = 0;
    snprintf(folder, sizeof folder, "%s/bankshot", root);
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += strncmp(entry->d_name, "progress.json.corrupt-", 22) == 0;
    closedir(stream);
    return count;
}

START_TEST(a_corrupt_file_is_set_aside_and_told)
{
    static const char *const texts[] = {"",           "{", "[]", "{\"format\": 1}", "{\"format\": -1, \"lessons\": {}}",
                                        "\177ELF\x01"};
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    write_file(texts[_i], strlen(texts[_i]));
    ck_assert_int_eq(progress_open(&progress, &diagnostic), STATUS_PARSE);
    ck_assert_ptr_nonnull(strstr(diagnostic.file, "progress.json.corrupt-"));
    ck_assert_int_eq(count_corrupt(), 1);
    add(progress, "y", 5, false, false);
    progress_close(progress);
    progress = open_progress();
    ck_assert_uint_eq(progress_get(progress, "y")->run_count, 1);
    progress_close(progress);
}
END_TEST

START_TEST(a_newer_versions_file_stays)
{
    static const char text[] = "{\"format\": 99, \"lessons\": {}}";
    struct progress *progress;
    struct progress_run run = {.score = 7};
    struct diagnostic diagnostic = {0};
    char *kept;
    size_t length;
    write_file(text, strlen(text));
    ck_assert_int_eq(progress_open(&progress, &diagnostic), STATUS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "newer version"));
    ck_assert_int_eq(progress_add_run(progress, "x", &run, &diagnostic), STATUS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "in memory"));
    ck_assert_uint_eq(progress_get(progress, "x")->run_count, 1);
    progress_close(progress);
    ck_assert_int_eq(file_read(file, 1000, &kept, &length, NULL), STATUS_OK);
    ck_assert_str_eq(kept, text);
    ck_assert_int_eq(count_corrupt(), 0);
    free(kept);
}
END_TEST

START_TEST(a_file_that_breaks_while_open_costs_nothing_of_memory)
{
    struct progress *progress = open_progress();
    struct diagnostic diagnostic = {0};
    struct progress_run run = {.score = 7};
    add(progress, "x", 6, false, false);
    ck_assert_int_eq(file_write(file, "garbage", 7, NULL), STATUS_OK);
    ck_assert_int_eq(progress_add_run(progress, "x", &run, &diagnostic), STATUS_PARSE);
    progress_close(progress);
    progress = open_progress();
    ck_assert_uint_eq(progress_get(progress, "x")->run_count, 2);
    progress_close(progress);
}
END_TEST

START_TEST(wrong_types_in_the_file_do_no_harm)
{
    static const char text[] =
        "{\"format\": 1, \"current\": 5, \"lessons\": {\"x\": {\"state\": 7, \"runs\": [1, {\"time\": "
        "\"a\"}, null], \"answers\": {}, \"hints\": -3, \"best_score\": \"high\"}, \"y\": null}}";
    write_file(text, strlen(text));
    struct progress *progress = open_progress();
    ck_assert_int_eq(progress_get(progress, "x")->state, PROGRESS_UNTOUCHED);
    ck_assert_int_eq(progress_get(progress, "x")->hints, 0);
    progress_close(progress);
}
END_TEST

START_TEST(what_cannot_be_written_stays_in_memory)
{
    struct progress *progress = open_progress();
    struct diagnostic diagnostic = {0};
    struct progress_run run = {.score = 9};
    char folder[128];
    // A file where the folder should be: fails for root too, unlike permissions.
    snprintf(folder, sizeof folder, "%s/bankshot", root);
    ck_assert_int_eq(file_write(folder, "", 0, NULL), STATUS_OK);
    ck_assert_int_eq(progress_add_run(progress, "x", &run, &diagnostic), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "kept in memory"));
    ck_assert_uint_eq(progress_get(progress, "x")->run_count, 1);
    ck_assert_int_eq(unlink(folder), 0);
    ck_assert_int_eq(progress_set_hints(progress, "x", 1, NULL), STATUS_OK);
    progress_close(progress);
    progress = open_progress();
    ck_assert_uint_eq(progress_get(progress, "x")->run_count, 1);
    progress_close(progress);
}
END_TEST

START_TEST(without_a_home_it_works_in_memory)
{
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    struct progress_run run = {.score = 9};
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    ck_assert_int_eq(progress_open(&progress, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_int_eq(progress_add_run(progress, "x", &run, NULL), STATUS_ENVIRONMENT);
    ck_assert_uint_eq(progress_get(progress, "x")->run_count, 1);
    ck_assert_str_eq(progress_path(progress), "");
    progress_close(progress);
}
END_TEST

Suite *suite_progress(void)
{
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("progress");
    tcase_add_checked_fixture(tests, make_home, remove_home);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, what_was_written_is_read_again);
    tcase_add_test(tests, a_later_failure_takes_no_pass_away);
    tcase_add_test(tests, the_history_is_bounded);
    tcase_add_test(tests, two_instances_lose_nothing);
    tcase_add_test(tests, many_writers_at_once_lose_nothing);
    tcase_add_test(tests, kill_leaves_the_old_or_the_new_state);
    tcase_add_loop_test(tests, a_corrupt_file_is_set_aside_and_told, 0, 6);
    tcase_add_test(tests, a_newer_versions_file_stays);
    tcase_add_test(tests, a_file_that_breaks_while_open_costs_nothing_of_memory);
    tcase_add_test(tests, wrong_types_in_the_file_do_no_harm);
    tcase_add_test(tests, what_cannot_be_written_stays_in_memory);
    tcase_add_test(tests, without_a_home_it_works_in_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
