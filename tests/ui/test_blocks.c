// Choosing blocks: what starts a worker, what does not, and what becomes of its answer. Workers are shell scripts.
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/fake_lab.h"
#include "ui/view.h"

Suite *suite_blocks(void);

static struct fake_lab lab;
static char program[128];

static struct grade_report *now(void)
{
    return lab.app.lessons[1].report;
}

static void worker(const char *script)
{
    char text[1024];
    snprintf(program, sizeof program, "%.63s/worker", lab.folder);
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    fake_lab_write(program, text);
    ck_assert_int_eq(chmod(program, 0700), 0);
    grade_worker_set_program(program);
}

static void open_lab(void)
{
    fake_lab_open(&lab, 100, 30, false, false);
    fake_lab_set(&lab, FAKE_PADDED);
    fake_lab_folder(&lab);
    lab.app.view = VIEW_BANKS;
    now()->launch.grid[0] = 4, now()->launch.grid[1] = 2, now()->launch.grid[2] = 1;
    lab.app.lessons[1].before->launch.grid[0] = lab.app.lessons[1].before->launch.grid[1] =
        lab.app.lessons[1].before->launch.grid[2] = 1;
    worker("sleep 100");
}

static void close_lab(void)
{
    fake_lab_close(&lab);
    grade_worker_set_program(NULL);
}

static bool shows(const char *text)
{
    char *screen = fake_lab_screen(&lab);
    bool found = strstr(screen, text) != NULL;
    free(screen);
    return found;
}

static void wait_for_run(void)
{
    for (int i = 0; i < 100 && lab.app.run.kind != RUN_NONE; i++) {
        struct pollfd wanted = {app_descriptor(&lab.app), POLLIN, 0};
        poll(&wanted, 1, 100);
        app_poll(&lab.app);
    }
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
}

static const struct {
    const char *keys;
    uint64_t block;
    bool starts;
    const char *says;
} choices[] = {
    {")", 1, true, "recording"},
    {"))", 2, true, "recording"},
    {"(", 7, true, "recording"},
    {"()", 0, false, ""},
    {"#5<Enter>", 5, true, "recording"},
    {"#1,1<Enter>", 5, true, "recording"},
    {"#3,1,0<Enter>", 7, true, "recording"},
    {"#8<Enter>", 0, false, "0 to 7"},
    {"#4,0<Enter>", 0, false, "4 x 2 x 1"},
    {"#0,0,1<Enter>", 0, false, "4 x 2 x 1"},
    {"#-1<Enter>", 0, false, "0 to 7"},
    {"#1,<Enter>", 0, false, "0 to 7"},
    {"#two<Enter>", 0, false, "0 to 7"},
    {"#5<Esc>", 0, false, ""},
    {")<Esc>", 1, false, "cancelled"}, // and it is not started again
};

START_TEST(a_block_is_chosen_by_steps_or_by_its_number)
{
    fake_lab_keys(&lab, choices[_i].keys);
    app_poll(&lab.app);
    ck_assert_uint_eq(lab.app.block, choices[_i].block);
    if (strstr(choices[_i].keys, "()"))
        app_cancel(&lab.app); // the last key asked for what is there
    ck_assert_msg((lab.app.run.kind == RUN_RECORD) == choices[_i].starts, "%s", lab.app.message);
    ck_assert_msg(shows(choices[_i].says), "%s: %s", choices[_i].keys, lab.app.message);
}
END_TEST

START_TEST(one_block_leaves_nothing_to_choose)
{
    now()->launch.grid[0] = now()->launch.grid[1] = 1;
    fake_lab_keys(&lab, ")");
    ck_assert(shows("one block only"));
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
}
END_TEST

START_TEST(the_recorded_block_is_shown)
{
    worker("cat >/dev/null; echo "
           "'{\"event\":\"recording\",\"recording\":{\"block\":[1,0,0],\"total\":5,\"truncated\":true,"
           "\"count\":1,\"accesses\":\"6y1002{|||||78040000008{1\"}}'");
    fake_lab_keys(&lab, "j)");
    wait_for_run();
    ck_assert_uint_eq(blocks_shown(&lab.app, now()), 1);
    ck_assert(shows("block 1,0,0"));
    ck_assert(shows("first 1 of 5 accesses"));
    fake_lab_keys(&lab, "4");
    ck_assert(shows("first 1 of 5 accesses"));
    fake_lab_keys(&lab, "3");
    ck_assert(shows("first 1 of 5 accesses"));
    ck_assert(shows("warp 0 makes no such access in block 1,0,0, or not among the first 1 of 5"));
}
END_TEST

START_TEST(a_block_that_cannot_be_recorded_is_told_once)
{
    worker("cat >/dev/null; echo '{\"event\":\"failed\",\"status\":1,\"message\":\"the compiler is gone\"}'");
    fake_lab_keys(&lab, ")");
    wait_for_run();
    ck_assert(shows("the compiler is gone"));
    ck_assert(shows("block 0,0,0"));
    app_poll(&lab.app);
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    fake_lab_keys(&lab, "()");
    ck_assert_int_eq(lab.app.run.kind, RUN_RECORD); // asked for again
}
END_TEST

START_TEST(a_new_run_is_shown_at_the_chosen_block)
{
    fake_lab_keys(&lab, "))");
    app_cancel(&lab.app);
    struct grade_report *next = grade_report_new();
    next->record.counters.count = 1;
    next->record.counters.lines = calloc(1, sizeof *next->record.counters.lines);
    next->record.recording.total = 1;
    next->launch.grid[0] = 3, next->launch.grid[1] = next->launch.grid[2] = 1;
    app_take_report(&lab.app, &lab.app.lessons[1], next);
    lab.app.view = VIEW_REPORT;
    app_poll(&lab.app);
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE); // no picture is on the screen
    fake_lab_keys(&lab, "2");
    app_poll(&lab.app);
    ck_assert_int_eq(lab.app.run.kind, RUN_RECORD);
    ck_assert_ptr_eq(lab.app.run.target, next);
}
END_TEST

START_TEST(a_hazard_fetches_its_block)
{
    struct hazard_list *hazards = &now()->record.hazards;
    hazards->items = calloc(1, sizeof *hazards->items);
    hazards->count = 1;
    hazards->items[0] = (struct hazard){.kind = HAZARD_RACE,
                                        .pc = 77,
                                        .other_pc = 78,
                                        .space = PTX_SHARED,
                                        .address = 8,
                                        .block = {2, 0, 0},
                                        .other_block = {2, 0, 0}};
    worker("cat >/dev/null; echo '{\"event\":\"recording\",\"recording\":{\"block\":[2,0,0],\"total\":2,"
           "\"count\":2,\"accesses\":\"6w4602{|||||78040000008{162400{|||||78240000008{1\"}}'");
    lab.app.view = VIEW_STEP;
    app_draw(&lab.app);
    fake_lab_keys(&lab, "z");
    wait_for_run();
    ck_assert_uint_eq(blocks_shown(&lab.app, now()), 2);
    ck_assert_uint_eq(lab.app.step.moment, 1);
    ck_assert_uint_eq(lab.app.step.word, 2);
    ck_assert(shows("first moment"));
    fake_lab_keys(&lab, "z");
    ck_assert_uint_eq(lab.app.step.moment, 0);
    ck_assert(shows("second moment"));
}
END_TEST

Suite *suite_blocks(void)
{
    Suite *suite = suite_create("blocks");
    TCase *tests = tcase_create("blocks");
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_loop_test(tests, a_block_is_chosen_by_steps_or_by_its_number, 0, sizeof choices / sizeof *choices);
    tcase_add_test(tests, one_block_leaves_nothing_to_choose);
    tcase_add_test(tests, the_recorded_block_is_shown);
    tcase_add_test(tests, a_block_that_cannot_be_recorded_is_told_once);
    tcase_add_test(tests, a_new_run_is_shown_at_the_chosen_block);
    tcase_add_test(tests, a_hazard_fetches_its_block);
    suite_add_tcase(suite, tests);
    return suite;
}
