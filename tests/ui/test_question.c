// The picture that a quiz question opens. The worker is a script that prints an answer made from a fake lab's report.
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../support/fake_lab.h"
#include "ui/view.h"

Suite *suite_question(void);

static struct fake_lab lab;

// An answer of 32 about the lab's costliest shared access (or, of `space`, another one), in a run of its own.
static void answer_with(const char *fact, enum ptx_space space)
{
    char program[128], event[128], script[512];
    const struct grade_report *report = lab.app.lessons[1].report;
    const struct counter_line *line = NULL;
    for (size_t i = 0; i < report->record.counters.count; i++) {
        const struct counter_line *other = &report->record.counters.lines[i];
        if (other->space == space && (!line || other->conflicts > line->conflicts))
            line = other;
    }
    ck_assert_ptr_nonnull(line);
    json_t *json =
        json_pack("{s:s, s:f, s:s, s:i, s:I, s:i, s:o}", "event", "answer", "value", 32.0, "fact", fact, "space",
                  (int)space, "pc", (json_int_t)line->pc, "lane", 7, "report", grade_report_json_packed(report));
    char *text = json_dumps(json, JSON_COMPACT);
    snprintf(event, sizeof event, "%.63s/event", lab.folder);
    snprintf(program, sizeof program, "%.63s/worker", lab.folder);
    snprintf(script, sizeof script, "#!/bin/sh\ncat %s\necho\n", event);
    fake_lab_write(event, text);
    fake_lab_write(program, script);
    ck_assert_int_eq(chmod(program, 0700), 0);
    grade_worker_set_program(program);
    free(text);
    json_decref(json);
}

static void open_lab(void)
{
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    fake_lab_folder(&lab);
    lab.lessons[1].questions[0].file = "/nonexistent/starter.cu";
    lab.app.watched = 1;
    lab.app.current = 1;
    lab.app.view = VIEW_LESSON;
    answer_with("wavefronts", PTX_SHARED);
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

static void say(const char *keys)
{
    fake_lab_keys(&lab, keys);
    for (int i = 0; i < 100 && lab.app.run.kind != RUN_NONE; i++) {
        struct pollfd wait = {.fd = app_descriptor(&lab.app), .events = POLLIN};
        poll(&wait, 1, 100);
        app_poll(&lab.app);
    }
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
}

START_TEST(a_right_answer_shows_its_access_and_plays_the_turns)
{
    say("a32<Enter>");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    ck_assert(shows("you said 32, the run counted 32 wavefronts"));
    ck_assert(shows("All 32 lanes read one column."));
    ck_assert(shows("starter.cu, line 13"));
    ck_assert(lab.app.banks.playing && shows(" turn "));
    for (int i = 0; i < 40; i++) {
        lab.app.now += 1;
        app_poll(&lab.app);
    }
    ck_assert(!lab.app.banks.playing);
}
END_TEST

START_TEST(a_wrong_answer_shows_where_to_look_and_no_figure)
{
    say("a5<Enter>");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_ANSWER);
    ck_assert(shows("you said 5: which bank is asked for most different words?"));
    ck_assert(shows("answer 1 of 1"));
    ck_assert(!shows("32 wavefronts") && !shows("words 32"));
    fake_lab_keys(&lab, "<Esc> w"); // nor do turns
    ck_assert(!lab.app.banks.by_wavefront && !lab.app.banks.playing);
    ck_assert(shows("not in this picture"));
    say("a6<Enter>");
    ck_assert(shows("you said 6, the run counted 32 wavefronts"));
}
END_TEST

START_TEST(a_question_about_a_bank_shows_the_array_first)
{
    answer_with("bank", PTX_SHARED);
    say("a5<Enter>");
    ck_assert(shows("touched ones show their lane"));
    ck_assert(!shows("lane   0       4")); // no columns of banks
    say("6<Enter>");
    ck_assert(shows("lane   0"));
    ck_assert_uint_eq(lab.app.banks.list.lane, 7);
}
END_TEST

START_TEST(a_question_about_sectors_shows_global_memory)
{
    answer_with("sectors", PTX_GLOBAL);
    say("a5<Enter>");
    ck_assert_int_eq(lab.app.view, VIEW_GLOBAL);
    ck_assert(shows("count the boxes") && !shows("% used"));
    say("32<Enter>");
    ck_assert(shows("% used"));
}
END_TEST

START_TEST(what_no_picture_shows_stays_in_the_text)
{
    answer_with("registers", PTX_GLOBAL);
    say("a5<Enter>");
    ck_assert_int_eq(lab.app.view, VIEW_LESSON);
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_ANSWER);
}
END_TEST

START_TEST(the_lessons_own_pictures_are_as_they_were)
{
    fake_lab_keys(&lab, "2<Down>lll");
    int cursor = lab.app.banks.list.rows.cursor;
    fake_lab_keys(&lab, "1");
    say("a32<Enter>");
    ck_assert_ptr_ne(app_pictured(&lab.app), app_report(&lab.app));
    fake_lab_keys(&lab, "q2");
    ck_assert_ptr_eq(app_pictured(&lab.app), app_report(&lab.app));
    ck_assert_int_eq(lab.app.banks.list.rows.cursor, cursor);
    ck_assert_uint_eq(lab.app.banks.list.lane, 3);
    ck_assert(!shows("you said"));
}
END_TEST

// The file of lesson 10 holds guesses, which gates compare with the answers.
START_TEST(a_kernel_without_shared_memory_leads_to_its_questions_pictures)
{
    struct ui_lesson *lesson = &lab.app.lessons[1];
    static struct lesson_gate gate = {.id = "puzzle", .when = "output(\"out\", 0) == quiz(1)"};
    struct grade_gate judged = {.id = "puzzle", .got = "you said 2; holds, no points"};
    lab.lessons[1].gates = &gate;
    lab.lessons[1].gate_count = 1;
    lesson->report->gates = &judged;
    lesson->report->gate_count = 1;
    for (size_t i = 0; i < lesson->report->record.counters.count; i++)
        lesson->report->record.counters.lines[i].space = PTX_GLOBAL;
    fake_lab_keys(&lab, "2");
    ck_assert(shows("j, k: pictures of the questions  3: global memory"));
    say("j");
    ck_assert(shows("you said 2: which bank is asked for most different words?"));
    ck_assert(!shows("32 wavefronts"));
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->answer_count, 0);
    judged.passed = true;
    say("j");
    ck_assert(shows("you said 2, the run counted 32 wavefronts"));
    lesson->report->gates = NULL;
    lesson->report->gate_count = 0;
    lab.lessons[1].gate_count = 0;
}
END_TEST

START_TEST(a_question_does_not_cost_the_run_that_it_interrupts)
{
    lab.app.run = (struct current_run){.kind = RUN_GRADE, .lesson = 1};
    fake_lab_keys(&lab, "a32<Enter>");
    ck_assert_int_eq(lab.app.run.kind, RUN_QUIZ);
    for (int i = 0; i < 100 && lab.app.run.kind == RUN_QUIZ; i++) {
        struct pollfd wait = {.fd = app_descriptor(&lab.app), .events = POLLIN};
        poll(&wait, 1, 100);
        app_poll(&lab.app);
    }
    ck_assert_int_eq(lab.app.run.kind, RUN_GRADE);
    ck_assert_ptr_nonnull(lab.app.asked.report);
}
END_TEST

START_TEST(a_new_run_closes_it)
{
    say("a32<Enter>");
    struct grade_report *report = grade_report_new();
    app_take_report(&lab.app, &lab.app.lessons[1], report);
    ck_assert_ptr_null(lab.app.asked.report);
}
END_TEST

Suite *suite_question(void)
{
    Suite *suite = suite_create("question");
    TCase *tests = tcase_create("question");
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_test(tests, a_right_answer_shows_its_access_and_plays_the_turns);
    tcase_add_test(tests, a_wrong_answer_shows_where_to_look_and_no_figure);
    tcase_add_test(tests, a_question_about_a_bank_shows_the_array_first);
    tcase_add_test(tests, a_question_about_sectors_shows_global_memory);
    tcase_add_test(tests, what_no_picture_shows_stays_in_the_text);
    tcase_add_test(tests, the_lessons_own_pictures_are_as_they_were);
    tcase_add_test(tests, a_kernel_without_shared_memory_leads_to_its_questions_pictures);
    tcase_add_test(tests, a_question_does_not_cost_the_run_that_it_interrupts);
    tcase_add_test(tests, a_new_run_closes_it);
    suite_add_tcase(suite, tests);
    return suite;
}
