// Runs that outlive the program: what a new start compares with.
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/fake_lab.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/lessons.h"

Suite *suite_kept(void);

static struct fake_lab lab;

static void open_lab(void)
{
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_FRESH);
    fake_lab_folder(&lab);
}

static void close_lab(void)
{
    fake_lab_close(&lab);
}

static struct ui_lesson *lesson(void)
{
    return &lab.app.lessons[1];
}

static const char *file(void)
{
    static char path[160];
    snprintf(path, sizeof path, "%.63s/bankshot/runs/04-padding.json", lab.folder);
    return path;
}

// A report of a text, taken as if a worker had sent it.
static void run(const char *text, bool ran, double score)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = "04-padding";
    report->source = arena_strdup(report->arena, text);
    report->score = score;
    report->verdict = ran ? VERDICT_FAIL : VERDICT_COMPILE_ERROR;
    if (ran) {
        report->record.counters.lines = mem_alloc(sizeof *report->record.counters.lines);
        report->record.counters.count = 1;
        report->record.counters.lines[0].wavefronts = (uint64_t)score;
        report->record.recording.items = mem_alloc(sizeof *report->record.recording.items);
        report->record.recording.count = 1;
    }
    app_take_report(&lab.app, lesson(), report);
}

// As after quitting and starting again.
static void restart(void)
{
    app_free_runs(lesson());
    lesson()->kept_loaded = false;
    lab.app.message[0] = '\0';
}

static void expect_before(const char *text)
{
    const struct grade_report *before = lesson()->before;
    ck_assert_msg((before != NULL) == (text != NULL), "before: %s", before ? before->source : "none");
    if (text)
        ck_assert_str_eq(before->source, text);
}

START_TEST(a_new_start_compares_with_the_last_run)
{
    run("one", true, 10);
    run("two", true, 20);
    restart();
    run("three", true, 30);
    expect_before("two");
    ck_assert_uint_eq(lesson()->before->record.counters.lines[0].wavefronts, 20);
    ck_assert_uint_eq(lesson()->before->record.recording.count, 0); // recorded again when wanted
    ck_assert_str_eq(lab.app.message, "");
}
END_TEST

START_TEST(the_same_text_keeps_what_was_before_it)
{
    run("one", true, 10);
    run("two", true, 20);
    for (int i = 0; i < 3; i++) {
        restart();
        run("two", true, 20);
        expect_before("one");
    }
}
END_TEST

START_TEST(opening_a_lesson_again_is_no_run)
{
    run("one", true, 10);
    run("two", true, 20);
    for (int i = 0; i < 3; i++) {
        restart();
        run("two", true, 20);
    }
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->run_count, 2);
    run("two", true, 30); // another seed, another score
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->run_count, 3);
}
END_TEST

START_TEST(the_best_run_is_kept_whatever_came_after)
{
    run("one", true, 10);
    run("two", true, 40);
    run("three", true, 30);
    run("four", true, 20);
    ck_assert_str_eq(lesson()->best->source, "two");
    restart();
    run("five", true, 5);
    ck_assert_str_eq(lesson()->best->source, "two");
    expect_before("four");
    run("six", true, 50);
    ck_assert_str_eq(lesson()->best->source, "six");
    run("seven", true, 50); // no better
    ck_assert_str_eq(lesson()->best->source, "six");
}
END_TEST

START_TEST(a_text_that_does_not_compile_is_not_kept)
{
    run("one", true, 10);
    run("broken", false, 0);
    expect_before("one");
    restart();
    run("two", true, 20);
    expect_before("one");
    restart();
    run("broken", false, 0);
    expect_before("two");
}
END_TEST

START_TEST(nothing_is_kept_without_a_progress_file)
{
    struct progress *progress = lab.app.progress;
    lab.app.progress = NULL;
    run("one", true, 10);
    restart();
    run("two", true, 20);
    expect_before(NULL);
    ck_assert(!file_exists(file()));
    lab.app.progress = progress;
}
END_TEST

// The same report, given to the screen as lesson 04-padding and to the command line as another one.
static struct grade_report *measured_report(const char *id, enum verdict verdict)
{
    struct grade_report *report = grade_report_new();
    struct counters *counters = &report->record.counters.compiled;
    report->lesson_id = id;
    report->verdict = verdict;
    report->score = 70;
    report->total_seconds = 1.5;
    report->measured = (struct kernel_times){.kernel = 10, .naive = 45};
    report->ratios = (struct kernel_times){.naive = 4.4};
    counters->shared[COUNT_LOAD].wavefronts = 1;
    counters->shared[COUNT_STORE].wavefronts = 20;
    counters->shared[COUNT_ATOMIC].wavefronts = 300;
    counters->shared[COUNT_COPY].wavefronts = 4000;
    snprintf(report->diagnosis, sizeof report->diagnosis, "slow");
    return report;
}

static void keep_both_ways(enum verdict verdict)
{
    struct lessons lessons = {.progress = lab.app.progress};
    struct grade_report *report = measured_report("by-command", verdict);
    lessons_keep(&lessons, report);
    grade_report_free(report);
    app_take_report(&lab.app, lesson(), measured_report("04-padding", verdict));
}

START_TEST(screen_and_command_line_keep_the_same_record)
{
    keep_both_ways(VERDICT_FAIL);
    ck_assert_uint_eq(progress_get(lab.app.progress, "by-command")->run_count, 1);
    struct progress_run one = progress_get(lab.app.progress, "by-command")->runs[0];
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->run_count, 1);
    struct progress_run other = progress_get(lab.app.progress, "04-padding")->runs[0];
    ck_assert_double_eq(one.wavefronts, 4321);
    ck_assert_double_eq(one.ratio, 4.4);
    ck_assert_double_eq(other.wavefronts, one.wavefronts);
    ck_assert_double_eq(other.ratio, one.ratio);
    ck_assert_double_eq(other.score, one.score);
    ck_assert_double_eq(other.seconds, one.seconds);
    ck_assert_str_eq(other.verdict, one.verdict);
    ck_assert_str_eq(other.diagnosis, one.diagnosis);
    ck_assert(other.passed == one.passed && other.full == one.full);
}
END_TEST

START_TEST(what_is_not_the_learners_doing_is_no_attempt)
{
    keep_both_ways(VERDICT_INFRASTRUCTURE);
    keep_both_ways(VERDICT_TOO_NOISY);
    ck_assert_uint_eq(progress_get(lab.app.progress, "by-command")->run_count, 0);
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->run_count, 0);
    ck_assert_int_eq(progress_get(lab.app.progress, "04-padding")->state, PROGRESS_UNTOUCHED);
}
END_TEST

static const char *const bad[] = {
    "",
    "{",
    "[]",
    "\x01\x02",
    "{\"format\":2,\"last\":null,\"before\":null}",
    "{\"format\":1}",
    "{\"format\":1,\"last\":{\"format\":1,\"verdict\":\"fail\"},\"before\":null}",
    "{\"format\":1,\"last\":{\"format\":1,\"verdict\":\"fail\",\"lesson\":\"other\",\"source\":\"x\"},\"before\":null}",
    "{\"format\":1,\"last\":7,\"before\":[1,2]}",
};

static int set_aside(void)
{
    char folder[160];
    int count = 0;
    snprintf(folder, sizeof folder, "%.63s/bankshot/runs", lab.folder);
    DIR *runs = opendir(folder);
    for (struct dirent *entry; runs && (entry = readdir(runs)) != NULL;)
        count += strstr(entry->d_name, "04-padding.json.corrupt-") != NULL;
    if (runs)
        closedir(runs);
    return count;
}

START_TEST(a_file_that_cannot_be_read_is_set_aside_and_told_once)
{
    run("one", true, 10);
    restart();
    fake_lab_write(file(), bad[_i]);
    run("two", true, 20);
    expect_before(NULL);
    ck_assert_msg(strstr(lab.app.message, "set aside as") != NULL, "'%s'", lab.app.message);
    ck_assert_int_eq(set_aside(), 1);
    restart();
    run("three", true, 30);
    expect_before("two");
    ck_assert_str_eq(lab.app.message, "");
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_costs_nothing_else)
{
    char path[160];
    snprintf(path, sizeof path, "%.63s/bankshot", lab.folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%.63s/bankshot/runs", lab.folder);
    fake_lab_write(path, "a file");
    run("one", true, 10);
    ck_assert_ptr_nonnull(strstr(lab.app.message, "not kept"));
    run("two", true, 20);
    expect_before("one");
}
END_TEST

Suite *suite_kept(void)
{
    Suite *suite = suite_create("kept");
    TCase *tests = tcase_create("kept");
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_test(tests, a_new_start_compares_with_the_last_run);
    tcase_add_test(tests, the_same_text_keeps_what_was_before_it);
    tcase_add_test(tests, opening_a_lesson_again_is_no_run);
    tcase_add_test(tests, the_best_run_is_kept_whatever_came_after);
    tcase_add_test(tests, a_text_that_does_not_compile_is_not_kept);
    tcase_add_test(tests, nothing_is_kept_without_a_progress_file);
    tcase_add_test(tests, screen_and_command_line_keep_the_same_record);
    tcase_add_test(tests, what_is_not_the_learners_doing_is_no_attempt);
    tcase_add_loop_test(tests, a_file_that_cannot_be_read_is_set_aside_and_told_once, 0, sizeof bad / sizeof *bad);
    tcase_add_test(tests, a_folder_that_cannot_be_made_costs_nothing_else);
    suite_add_tcase(suite, tests);
    return suite;
}
