// What the lab does on keys, saves and reports, without a terminal. Workers are programs that do nothing.
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/fake_lab.h"
#include "base/memory.h"
#include "ui/export.h"
#include "ui/exercise.h"
#include "ui/view.h"

Suite *suite_lab(void);

static struct fake_lab lab;

static void open_lab(void)
{
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    fake_lab_folder(&lab);
    lab.app.view = VIEW_LESSON;
    grade_worker_set_program("/bin/cat");
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

static bool holds(const char *path, const char *text)
{
    char *content = exercise_read(path, NULL);
    ck_assert_ptr_nonnull(content);
    bool found = strstr(content, text) != NULL;
    free(content);
    return found;
}

START_TEST(hints_come_one_by_one_and_stay)
{
    ck_assert(!shows("Where does row 1 begin?"));
    fake_lab_keys(&lab, "H");
    ck_assert(shows("Where does row 1 begin?"));
    ck_assert(!shows("One more column moves it."));
    fake_lab_keys(&lab, "HH");
    ck_assert(shows("One more column moves it."));
    ck_assert(shows("no more hints"));
    ck_assert_int_eq(progress_get(lab.app.progress, "04-padding")->hints, 2);
}
END_TEST

START_TEST(a_save_is_graded_once)
{
    fake_lab_write(lab.exercise, "one");
    lab.app.now = 1;
    app_file_changed(&lab.app);
    ck_assert_msg(lab.app.run.kind == RUN_GRADE, "%s", lab.app.message);
    lab.app.now = 2;
    app_file_changed(&lab.app);
    ck_assert(lab.app.run.started == 1);
}
END_TEST

START_TEST(a_save_during_a_run_restarts_it)
{
    fake_lab_write(lab.exercise, "one");
    lab.app.now = 1;
    app_file_changed(&lab.app);
    fake_lab_write(lab.exercise, "two");
    lab.app.now = 2;
    app_file_changed(&lab.app);
    ck_assert_msg(lab.app.run.kind == RUN_GRADE, "%s", lab.app.message);
    ck_assert(lab.app.run.started == 2);
    fake_lab_keys(&lab, "<Esc>");
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    ck_assert(shows("cancelled"));
}
END_TEST

START_TEST(a_file_that_is_gone_is_told_and_not_graded)
{
    unlink(lab.exercise);
    app_file_changed(&lab.app);
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    ck_assert(shows("cannot read"));
    fake_lab_write(lab.exercise, "back");
    app_file_changed(&lab.app);
    ck_assert_msg(lab.app.run.kind == RUN_GRADE, "%s", lab.app.message);
}
END_TEST

START_TEST(before_is_the_last_run_that_ran)
{
    struct ui_lesson *lesson = &lab.app.lessons[1];
    struct grade_report *first = lesson->report;
    struct grade_report *broken = grade_report_new(), *second = grade_report_new();
    broken->verdict = VERDICT_COMPILE_ERROR;
    broken->lesson_id = second->lesson_id = "04-padding";
    app_take_report(&lab.app, lesson, broken);
    ck_assert_ptr_eq(lesson->before, first);
    app_take_report(&lab.app, lesson, second);
    ck_assert_ptr_eq(lesson->before, first);
    ck_assert_ptr_eq(lesson->report, second);
    ck_assert_uint_eq(progress_get(lab.app.progress, "04-padding")->run_count, 2);
}
END_TEST

START_TEST(an_error_brings_the_cursor_to_its_line)
{
    struct grade_report *broken = grade_report_new();
    broken->verdict = VERDICT_COMPILE_ERROR;
    struct diagnostic unused = {.severity = SEVERITY_WARNING, .line = 2},
                      error = {.severity = SEVERITY_ERROR, .line = 8};
    diagnostic_add(&broken->messages, &unused);
    diagnostic_add(&broken->messages, &error);
    app_take_report(&lab.app, &lab.app.lessons[1], broken);
    ck_assert_int_eq(lab.app.source.cursor, 7);
}
END_TEST

START_TEST(a_passed_lesson_says_what_comes_next)
{
    fake_lab_set(&lab, FAKE_PADDED);
    lab.app.current = 0;
    lab.app.lessons[0].report = lab.app.lessons[1].report;
    ck_assert(shows("next: > opens lesson 4"));
    lab.app.lessons[0].report->full = false;
    snprintf(lab.app.lessons[0].report->next, sizeof lab.app.lessons[0].report->next, "Take fewer threads.");
    ck_assert(shows("for full marks: Take"));
    lab.app.lessons[0].report = NULL;
    lab.app.current = 1;
}
END_TEST

// The figure and arrows for more text stand only where the text leaves room.
START_TEST(what_tells_of_more_text_covers_none)
{
    struct canvas canvas;
    struct page page;
    canvas_init(&canvas, 20, 4);
    page_init(&page, 19, false);
    for (int i = 0; i < 9; i++) {
        page_line(&page, ROLE_TEXT, "%.*s", 19 - i, "abcdefghijklmnopqrs");
    }
    for (int top = 0; top + 4 <= 9; top++) {
        struct scroll scroll = {.top = top};
        canvas_clear(&canvas);
        page_draw(&page, &canvas, canvas_all(&canvas), &scroll, NULL);
        page_more(&page, &canvas, canvas_all(&canvas), &scroll);
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 19 - top - y; x++)
                ck_assert_uint_eq(canvas_at(&canvas, x, y)->glyph, (uint32_t)('a' + x));
        ck_assert_uint_eq(canvas_at(&canvas, 19, 3)->glyph, top < 5 ? 0x2193 : ' ');
        ck_assert_uint_eq(canvas_at(&canvas, 19, 0)->glyph, top > 0 ? 0x2191 : ' ');
    }
    page_free(&page);
    canvas_free(&canvas);
}
END_TEST

START_TEST(the_answer_prompt_names_question_and_unit)
{
    fake_lab_keys(&lab, "a");
    ck_assert(shows("answer 1 of 1, in wavefronts:"));
}
END_TEST

START_TEST(a_key_goes_to_the_next_conflict)
{
    fake_lab_keys(&lab, "2gC");
    struct sites sites = list_sites(&lab.app, app_report(&lab.app), PTX_SHARED);
    ck_assert_uint_gt(sites.items[lab.app.banks.list.rows.cursor].line->conflicts, 0);
    sites_free(&sites);
    fake_lab_set(&lab, FAKE_PADDED);
    fake_lab_keys(&lab, "C");
    ck_assert(shows("no access here takes more than it has to"));
}
END_TEST

START_TEST(before_can_be_the_starter_or_the_best_run)
{
    struct ui_lesson *lesson = &lab.app.lessons[1];
    lab.app.current = 1;
    lesson->starter_run = lesson->report; // as if it had been run
    fake_lab_keys(&lab, "2V");
    ck_assert(shows("compared with the starter") && shows("│starter"));
    ck_assert(shows("32 │     32"));
    lesson->starter_run = NULL;
    lesson->best = lesson->report;
    fake_lab_keys(&lab, "V");
    ck_assert(shows("your best run: this is it"));
    fake_lab_keys(&lab, "VV");
    ck_assert_int_eq(lab.app.run.kind, RUN_STARTER);
    lesson->best = NULL;
}
END_TEST

START_TEST(the_timeline_compares_with_what_was_chosen)
{
    struct ui_lesson *lesson = &lab.app.lessons[1];
    lab.app.current = 1;
    lesson->starter_run = lesson->report;
    fake_lab_keys(&lab, "7V");
    ck_assert(shows("compared with the starter") && shows("starter: "));
    ck_assert_int_eq(lab.app.timeline.compare, COMPARE_BEFORE);
    lesson->starter_run = NULL;
    fake_lab_keys(&lab, "VV");
    ck_assert(shows("before: no run yet"));
}
END_TEST

START_TEST(a_message_leaves_the_keys_on_the_screen)
{
    fake_lab_set(&lab, FAKE_PADDED);
    fake_lab_keys(&lab, "2jB");
    ck_assert(shows(" showing before  w turns  m memory") && shows("? keys  q back"));
    fake_lab_keys(&lab, "j");
    ck_assert(!shows("showing") && shows(" w turns  m memory"));
    // one that needs the whole line has it
    app_say(&lab.app, ROLE_BAD, "%s", "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 01234");
    ck_assert(shows("0123456789 01234") && !shows("? keys"));
}
END_TEST

// Enter runs in each view of a lesson; only e opens the editor.
START_TEST(enter_runs_in_every_view_of_a_lesson)
{
    static const enum view views[] = {VIEW_LESSON, VIEW_BANKS,    VIEW_GLOBAL,   VIEW_STEP,
                                      VIEW_REPORT, VIEW_TIMELINE, VIEW_OCCUPANCY};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        for (int source = 0; source < 2; source++) {
            lab.app.view = views[i];
            lab.app.source_pane = source;
            app_draw(&lab.app);
            fake_lab_keys(&lab, "<Enter>");
            ck_assert_msg(lab.app.run.kind == RUN_GRADE, "Enter does not run in %s", view_name(views[i]));
            ck_assert_int_eq(lab.app.view, views[i]);
            app_cancel(&lab.app);
        }
    }
}
END_TEST

START_TEST(a_new_run_shows_the_report_from_its_top)
{
    lab.app.view = VIEW_REPORT;
    app_draw(&lab.app);
    fake_lab_keys(&lab, "G");
    ck_assert_int_gt(lab.app.report.top, 0);
    fake_lab_keys(&lab, "<Enter>");
    for (int i = 0; i < 400 && lab.app.run.kind != RUN_NONE; i++) { // cat answers nothing: the run ends as it can
        struct pollfd wanted = {app_descriptor(&lab.app), POLLIN, 0};
        poll(&wanted, 1, 50);
        lab.app.now += 0.05;
        app_poll(&lab.app);
    }
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    ck_assert_int_eq(lab.app.report.top, 0);
}
END_TEST

START_TEST(a_timeline_that_cannot_be_made_says_why)
{
    char program[] = "/tmp/bankshot-worker.XXXXXX";
    int file = mkstemp(program);
    ck_assert_int_gt(dprintf(file, "#!/bin/sh\necho '{\"event\":\"failed\",\"message\":\"It took too long.\"}'\n"), 0);
    fchmod(file, 0700);
    close(file);
    grade_worker_set_program(program);
    fake_lab_set(&lab, FAKE_PADDED);
    replay_log_free(&lab.app.lessons[1].report->timeline);
    lab.app.lessons[1].report->timeline = (struct replay_log){0};
    lab.app.view = VIEW_TIMELINE;
    timeline_follow(&lab.app);
    ck_assert_int_eq(lab.app.run.kind, RUN_TIMELINE);
    for (int i = 0; i < 400 && lab.app.run.kind != RUN_NONE; i++) {
        struct pollfd wanted = {app_descriptor(&lab.app), POLLIN, 0};
        poll(&wanted, 1, 50);
        app_poll(&lab.app);
    }
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    app_say(&lab.app, ROLE_DIM, "%s", "another sentence");
    ck_assert(shows("It took too long.")); // in the picture's place, for good
    unlink(program);
}
END_TEST

START_TEST(a_read_that_the_compiler_removed_is_told_beside_its_line)
{
    struct counter_table *table = &lab.app.lessons[1].report->record.counters;
    fake_lab_keys(&lab, "<Tab>gjjjjjjjjjjjj"); // line 13 reads the tile
    ck_assert(!shows("the compiler left no access"));
    for (size_t i = 0; i < table->count; i++)
        if (table->lines[i].space == PTX_SHARED)
            table->lines[i].line = 9;
    ck_assert(shows("the compiler left no access to shared memory here"));
    fake_lab_keys(&lab, "kkk");
    ck_assert(!shows("the compiler left no access"));
}
END_TEST

START_TEST(a_pass_says_what_was_learnt_and_leads_on)
{
    static const char *learnt[] = {"One bank a row.", "Two.", "Three."};
    fake_lab_set(&lab, FAKE_PADDED);
    lab.lessons[1].learnt = learnt;
    lab.lessons[1].learnt_count = 3;
    fake_lab_keys(&lab, "5");
    ck_assert(shows("What you learnt") && shows("1  One bank a row."));
    fake_lab_keys(&lab, ">");
    ck_assert(shows("no lesson that is not passed comes after this one"));
    fake_lab_set(&lab, FAKE_STARTER);
    ck_assert(!shows("What you learnt"));
}
END_TEST

START_TEST(what_this_block_has_read_before_is_in_l1)
{
    fake_lab_keys(&lab, "3g");
    ck_assert(!shows("read before"));
    struct recording *recording = &lab.app.lessons[1].report->record.recording;
    struct recorded_access *first = NULL;
    for (size_t i = 0; i < recording->count; i++) {
        struct recorded_access *access = &recording->items[i];
        if (access->space != PTX_GLOBAL || access->kind != SIM_LOAD || access->warp > 1)
            continue;
        if (first && access->warp == 1)
            memcpy(access->addresses, first->addresses, sizeof access->addresses); // the same 32 floats
        first = first ? first : access;
    }
    fake_lab_keys(&lab, "]");
    ck_assert(shows("read before: in L1"));
}
END_TEST

START_TEST(what_the_kernel_printed_is_in_the_report)
{
    lab.app.lessons[1].report->output = (char *)"row 7 is here\n";
    fake_lab_keys(&lab, "5G");
    ck_assert(shows("The kernel printed") && shows("row 7 is here"));
    lab.app.lessons[1].report->output = NULL;
}
END_TEST

START_TEST(help_closes_by_its_own_key_and_opens_at_its_top)
{
    fake_lab_keys(&lab, "?G");
    ck_assert(lab.app.help.top > 0);
    fake_lab_keys(&lab, "?");
    ck_assert_int_eq(lab.app.view, VIEW_LESSON);
    fake_lab_keys(&lab, "?");
    ck_assert_int_eq(lab.app.help.top, 0);
    ck_assert(shows("Keys of lesson"));
}
END_TEST

// What the signs of a view mean stands in its help.
START_TEST(help_explains_the_signs_of_its_view)
{
    fake_lab_keys(&lab, "7?G");
    ck_assert(shows("▓ copies arrive") && shows("waits at a barrier") && !shows("broadcast"));
    fake_lab_keys(&lab, "?3?G");
    ck_assert(shows("▒ moved with them") && !shows("broadcast"));
    fake_lab_keys(&lab, "?2?G");
    ck_assert(shows("broadcast") && !shows("▓"));
}
END_TEST

START_TEST(the_task_and_each_heading_have_a_key)
{
    static const char text[] = "# Padding\n\n## The idea\n\nA row.\n\n## The rule\n\nA bank.\n\n## Your task\n\n"
                               "Pad it.\n\n## Measured\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n";
    struct ui_lesson *lesson = app_lesson(&lab.app);
    markdown_free(lesson->page);
    lesson->page = markdown_parse(text, strlen(text));
    app_resize(&lab.app, 80, 16);
    fake_lab_keys(&lab, "T");
    int task = lab.app.text.top;
    ck_assert(task > 0);
    ck_assert(shows("Your task"));
    fake_lab_keys(&lab, "{");
    ck_assert_int_lt(lab.app.text.top, task);
    fake_lab_keys(&lab, "g}");
    ck_assert_int_gt(lab.app.text.top, 0);
    fake_lab_keys(&lab, "TT");
    ck_assert_int_eq(lab.app.text.top, 0);
}
END_TEST

START_TEST(an_interrupt_ends_the_run_before_it_ends_the_lab)
{
    lab.app.run.kind = RUN_GRADE;
    app_interrupt(&lab.app);
    ck_assert(!lab.app.quit);
    ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
    app_interrupt(&lab.app);
    ck_assert(lab.app.quit);
}
END_TEST

START_TEST(reset_asks_and_keeps_a_backup)
{
    char backup[160];
    fake_lab_write(lab.exercise, "mine");
    fake_lab_keys(&lab, "Xn");
    ck_assert(holds(lab.exercise, "mine"));
    fake_lab_keys(&lab, "Xy");
    ck_assert(holds(lab.exercise, "__global__ void transpose"));
    snprintf(backup, sizeof backup, "%s.1", lab.exercise);
    ck_assert(holds(backup, "mine"));
}
END_TEST

START_TEST(the_solution_is_shown_on_wish_only)
{
    fake_lab_keys(&lab, "S");
    ck_assert(shows("before you have passed"));
    fake_lab_keys(&lab, "n");
    ck_assert(!lab.app.lessons[1].solution_shown);
    fake_lab_keys(&lab, "Sy");
    ck_assert(shows("(the solution"));
    fake_lab_keys(&lab, "S");
    ck_assert(!shows("(the solution"));
}
END_TEST

START_TEST(back_leads_home_and_then_out)
{
    fake_lab_keys(&lab, "2?");
    ck_assert_int_eq(lab.app.view, VIEW_HELP);
    fake_lab_keys(&lab, "q");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    fake_lab_keys(&lab, "6");
    ck_assert_int_eq(lab.app.view, VIEW_PLAY);
    fake_lab_keys(&lab, "<Esc>");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    fake_lab_keys(&lab, "q");
    ck_assert_int_eq(lab.app.view, VIEW_LESSON);
    fake_lab_keys(&lab, "q");
    ck_assert_int_eq(lab.app.view, VIEW_HOME);
    ck_assert(!lab.app.quit);
    fake_lab_keys(&lab, "q");
    ck_assert(lab.app.quit);
}
END_TEST

START_TEST(what_another_lab_passed_is_seen_at_home)
{
    struct progress *other = NULL;
    struct progress_run run = {.time = 1, .score = 100, .passed = true, .full = true, .verdict = "pass"};
    ck_assert_int_eq(progress_open(&other, NULL), STATUS_OK);
    ck_assert_int_eq(progress_add_run(other, "03-tiled-transpose", &run, NULL), STATUS_OK);
    progress_close(other);
    fake_lab_keys(&lab, "q");
    ck_assert(shows("full marks"));
}
END_TEST

START_TEST(the_palette_runs_what_it_shows)
{
    fake_lab_keys(&lab, ":bank<Enter>");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    fake_lab_keys(&lab, ":theme<Enter>");
    ck_assert_int_eq(lab.app.theme, THEME_LIGHT);
    fake_lab_keys(&lab, ":nonsense<Enter>");
    ck_assert(shows("no action 'nonsense'"));
    fake_lab_keys(&lab, ":<Esc>");
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_NONE);
    fake_lab_keys(&lab, ":<Down><Down><Up><Backspace>");
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_NONE);
}
END_TEST

START_TEST(without_a_workspace_nothing_is_changed)
{
    lab.set.workspace = NULL;
    fake_lab_write(lab.exercise, "mine");
    fake_lab_keys(&lab, "Xy");
    ck_assert(shows("bankshot init"));
    ck_assert_int_ne(access(lab.exercise, F_OK), -1);
    lab.app.view = VIEW_HOME;
    fake_lab_keys(&lab, "j");
    ck_assert(shows("No workspace here"));
    ck_assert(holds(lab.exercise, "mine"));
}
END_TEST

// Keys in any order, at any size, never crash: the sanitized run of this test is the one that counts.
START_TEST(any_keys_do_no_harm)
{
    static const char *const named[] = {"<Up>",  "<Down>", "<Left>", "<Right>",    "<Tab>",     "<Enter>",
                                        "<Esc>", "<^D>",   "<^U>",   "<PageDown>", "<BackTab>", "<Backspace>"};
    uint32_t state = 12345u + (uint32_t)_i;
    fake_lab_set(&lab, FAKE_STARTER + (enum fake_state)(_i % 4));
    for (int i = 0; i < 400; i++) {
        state = state * 1664525u + 1013904223u;
        uint32_t pick = state >> 16;
        char key[8] = {(char)(' ' + pick % 95), '\0'};
        if (key[0] == '<' || pick % 5 == 0)
            fake_lab_keys(&lab, named[pick / 5 % 12]);
        else
            fake_lab_keys(&lab, key);
        lab.app.now += 0.1;
        app_poll(&lab.app);
        if (pick % 23 == 0)
            app_resize(&lab.app, 1 + (int)(pick % 210), 1 + (int)(pick / 7 % 60));
        if (lab.app.view == VIEW_HOME)
            lab.app.view = (enum view)(pick % VIEW_COUNT);
    }
    app_cancel(&lab.app);
}
END_TEST

START_TEST(resize_keeps_the_paragraph)
{
    fake_lab_keys(&lab, "jjjjj");
    int top = lab.app.text.top;
    ck_assert_int_gt(top, 0);
    app_resize(&lab.app, 200, 20);
    app_resize(&lab.app, 45, 12);
    app_draw(&lab.app);
    app_resize(&lab.app, 80, 24);
    app_draw(&lab.app);
    ck_assert_int_eq(lab.app.text.top, top);
}
END_TEST

START_TEST(only_the_terminal_knows_curses)
{
    ck_assert_int_ne(system("grep -rlE '#include <(n?curses|term)' src | grep -v '^src/ui/term.c$'"), 0);
}
END_TEST

START_TEST(turns_play_and_stop)
{
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, "j ");
    ck_assert(lab.app.banks.playing);
    ck_assert(app_wait(&lab.app) >= 0);
    uint32_t turn = lab.app.banks.turn;
    lab.app.now += 1;
    app_poll(&lab.app);
    ck_assert_uint_eq(lab.app.banks.turn, turn + 1);
    fake_lab_keys(&lab, "<Esc>");
    ck_assert(!lab.app.banks.playing);
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    ck_assert(app_wait(&lab.app) < 0);
}
END_TEST

static int edited_line;

static enum status note_edit(void *context, const char *path, int line, struct diagnostic *diagnostic)
{
    (void)context, (void)path, (void)diagnostic;
    edited_line = line;
    return STATUS_OK;
}

static void watch_nothing(void *context, const char *path)
{
    (void)context, (void)path;
}

// Keys that come between a new report and the next drawing.
static void check_list(enum view view, struct access_list *list, enum ptx_space space)
{
    const struct host host = {.edit = note_edit, .watch = watch_nothing};
    fake_lab_set(&lab, FAKE_STARTER);
    lab.app.host = &host;
    lab.app.view = view;
    fake_lab_keys(&lab, "G");
    struct counter_table *counters = &lab.app.lessons[1].report->record.counters;
    for (size_t i = 0; i < counters->count; i++)
        if (counters->lines[i].space == space)
            counters->lines[0] = counters->lines[i];
    counters->count = 1;
    int line = (int)counters->lines[0].line;
    list->rows.cursor = 1000;
    list->warp = 77, list->instance = 99;
    app_act(&lab.app, ACTION_WARP_NEXT);
    ck_assert_uint_eq(list->warp, 1);
    list->rows.cursor = 1;
    app_act(&lab.app, ACTION_TIME_NEXT);
    ck_assert_uint_eq(list->instance, 1);
    list->rows.cursor = 1;
    app_act(&lab.app, ACTION_EDIT_LINE);
    ck_assert_int_eq(edited_line, line);
    lab.app.host = NULL;
}

START_TEST(a_shorter_list_moves_the_cursor_before_a_key_uses_it)
{
    check_list(VIEW_BANKS, &lab.app.banks.list, PTX_SHARED);
    check_list(VIEW_GLOBAL, &lab.app.global, PTX_GLOBAL);
}
END_TEST

START_TEST(step_finds_both_moments_of_a_hazard)
{
    fake_lab_set(&lab, FAKE_RACE);
    lab.app.view = VIEW_STEP;
    fake_lab_keys(&lab, "z");
    ck_assert(shows("line 9 "));
    ck_assert_uint_eq(lab.app.step.moment, 31);
    fake_lab_keys(&lab, "z");
    ck_assert(shows("line 13 "));
    fake_lab_keys(&lab, "g.");
    ck_assert_uint_eq(lab.app.step.moment, 32);
    fake_lab_keys(&lab, ",");
    ck_assert_uint_eq(lab.app.step.moment, 31);
}
END_TEST

// A hazard of one size only: the report names it and says how often it was seen, and z goes there.
START_TEST(a_hazard_leads_to_its_size_which_the_report_names)
{
    static struct lesson_size sizes[3];
    static struct lesson_part part = {.kernel = "transpose", .sizes = sizes, .size_count = 3, .speed_size = 1};
    fake_lab_set(&lab, FAKE_RACE);
    struct lesson *lesson = lab.app.lessons[1].lesson;
    struct lesson before = *lesson;
    struct grade_report *report = lab.app.lessons[1].report;
    struct hazard hazard = report->record.hazards.items[0];
    for (size_t i = 0; i < 3; i++)
        sizes[i].name = report->sizes[i].name;
    lesson->parts = &part;
    lesson->part_count = 1;
    hazard.block[0] = hazard.other_block[0] = 1;
    report->launch = report->sizes[2].launch = (struct launch_shape){.grid = {3, 1, 1}, .block = {32, 8, 1}};
    report->sizes[2].hazards = (struct hazard_list){.items = &hazard, .count = 1};
    fake_lab_keys(&lab, "5/992 times<Enter>");
    ck_assert(shows("lines 13 and 9, size odd, 992 times"));
    fake_lab_keys(&lab, "4z");
    ck_assert_int_eq(lab.app.run.kind, RUN_RECORD);
    ck_assert_uint_eq(lab.app.run.size, 3);
    ck_assert_uint_eq(lab.app.block, 1);
    app_cancel(&lab.app);
    report->sizes[2].hazards = (struct hazard_list){0};
    lesson->parts = before.parts;
    lesson->part_count = before.part_count;
}
END_TEST

static void take_source(struct grade_report *report, const char *shape)
{
    const char *at = strstr(report->source, "[32][32]");
    char *text = arena_alloc(report->arena, strlen(report->source) + strlen(shape) + 1);
    sprintf(text, "%.*s%s%s", (int)(at - report->source), report->source, shape, at + strlen("[32][32]"));
    report->source = text;
}

// The same row of both places of a double buffer is seen at once, whatever the height.
START_TEST(both_places_of_a_double_buffer_are_on_one_screen)
{
    fake_lab_set(&lab, FAKE_RACE);
    take_source(lab.app.lessons[1].report, "[2][16][32]");
    fake_lab_keys(&lab, "4");
    ck_assert(shows("tile[0][0]") && shows("tile[1][0]") && shows("tile[1][1]"));
    fake_lab_keys(&lab, "p");
    ck_assert(shows("one place after another") && shows("tile[0][1]") && !shows("tile[1][0]"));
    fake_lab_keys(&lab, "p");
    ck_assert(shows("tile[1][0]"));
}
END_TEST

START_TEST(a_key_fills_the_inputs_with_row_and_column)
{
    lab.app.lessons[1].report->launch = (struct launch_shape){.grid = {1, 1, 1}, .block = {32, 8, 1}};
    fake_lab_keys(&lab, "4i");
    ck_assert(shows("inputs hold 100 * row + column: 302 is row 3, column 2"));
    ck_assert_int_eq(lab.app.run.kind, RUN_RECORD);
    ck_assert(lab.app.run.numbered && lab.app.step.values);
    fake_lab_keys(&lab, "i");
    ck_assert(shows("inputs are the run's own") && !lab.app.step.numbered);
}
END_TEST

START_TEST(without_colours_all_lanes_are_reached)
{
    lab.app.canvas.mono = true;
    fake_lab_keys(&lab, "2j");
    ck_assert(shows("  15 32") && !shows("  16 32"));
    fake_lab_keys(&lab, "<PageDown>");
    ck_assert(shows("  31 32") && shows("▸32"));
    fake_lab_keys(&lab, "<PageUp>");
    ck_assert(shows("  15 32"));
}
END_TEST

START_TEST(one_conflict_is_one)
{
    struct counter_table *counters = &lab.app.lessons[1].report->record.counters;
    for (size_t i = 0; i < counters->count; i++)
        if (counters->lines[i].conflicts)
            counters->lines[i].conflicts = counters->lines[i].instructions;
    fake_lab_keys(&lab, "2j");
    ck_assert(shows("◆ 1 conflict") && !shows("1 conflicts"));
}
END_TEST

// What does not compile leaves the last picture, dimmed, in each view that draws one.
START_TEST(the_last_good_picture_stays_dimmed)
{
    static const char *const views = "2347";
    fake_lab_set(&lab, FAKE_BROKEN);
    for (const char *view = views; *view; view++) {
        char key[2] = {*view, '\0'};
        fake_lab_keys(&lab, key);
        ck_assert_msg(shows("the last save did not run (1: why); this is the run before"), "view %c", *view);
        app_draw(&lab.app);
        const struct cell *cell = canvas_at(&lab.app.canvas, 2, 3);
        ck_assert_msg(cell->role == ROLE_DIM, "view %c: %d", *view, cell->role);
    }
    fake_lab_keys(&lab, "8");
    ck_assert(!shows("threads of a block               0"));
    ck_assert_ptr_eq(lab.app.occupancy.of, app_pictured(&lab.app));
}
END_TEST

// A run without an end counts far more than any other: it must not make lines of them.
START_TEST(a_timeout_does_not_flatten_the_curve)
{
    for (int i = 0; i < 3; i++) {
        struct progress_run run = {.time = i + 1, .score = 20, .wavefronts = i == 1 ? 1e12 : 1000 - 100 * i};
        snprintf(run.verdict, sizeof run.verdict, "%s", i == 1 ? "timeout" : "fail");
        progress_add_run(lab.app.progress, "04-padding", &run, NULL);
    }
    fake_lab_keys(&lab, "5G");
    ck_assert(shows("most 1000, last 800"));
    ck_assert(shows("███") || shows("██▇"));
}
END_TEST

START_TEST(views_are_exported_as_text_svg_and_html)
{
    char keys[300], path[160];
    static const char *const kinds[] = {"text", "svg", "html"}, *const signs[] = {"▸   13", "<svg xmlns", "<pre style"};
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, "j");
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/view.%s", lab.folder, kinds[i]);
        snprintf(keys, sizeof keys, ":export-%s %s<Enter>", kinds[i], path);
        fake_lab_keys(&lab, keys);
        ck_assert(shows("written to"));
        ck_assert(holds(path, signs[i]));
    }
    fake_lab_keys(&lab, ":export-svg /dev/null/x<Enter>");
    ck_assert(shows("cannot write"));
    fake_lab_keys(&lab, ":export-svg<Enter>");
    ck_assert(shows("needs the name of a file"));
}
END_TEST

START_TEST(the_playground_refuses_what_is_no_expression)
{
    lab.app.view = VIEW_PLAY;
    static const char *const wrong[] = {"tile[0]; asm(1)", "tile[0] }", "#include", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(lab.app.play.fields[PLAY_INDEX], sizeof lab.app.play.fields[0], "%s", wrong[i]);
        fake_lab_keys(&lab, "<Enter>");
        ck_assert_int_eq(lab.app.run.kind, RUN_NONE);
        ck_assert(shows("one expression"));
    }
    strcpy(lab.app.play.fields[PLAY_INDEX], "tile[0][0]");
    strcpy(lab.app.play.fields[PLAY_BLOCK], "32,64");
    fake_lab_keys(&lab, "<Enter>");
    ck_assert(shows("at most 1024"));
    strcpy(lab.app.play.fields[PLAY_BLOCK], "32,8");
    fake_lab_keys(&lab, "<Enter>");
    ck_assert_msg(lab.app.run.kind == RUN_PLAY, "%s", lab.app.message);
}
END_TEST

START_TEST(a_lesson_may_ask_before_its_first_verdict_is_shown)
{
    struct diagnostic diagnostic;
    char said[64];
    snprintf(said, sizeof said, "%.20s", app_lesson(&lab.app)->report->next);
    app_lesson(&lab.app)->report->verdict = VERDICT_NOT_STARTED;
    ck_assert(shows(said));
    lab.lessons[1].asks_first = true;
    ck_assert(!shows(said));
    ck_assert(shows("a: first a guess"));
    ck_assert_int_eq(progress_set_answer(lab.app.progress, "04-padding", 0, "7", 32, false, &diagnostic), STATUS_OK);
    ck_assert(shows(said));
}
END_TEST

START_TEST(counters_stand_beside_those_of_the_run_before)
{
    fake_lab_set(&lab, FAKE_PADDED);
    fake_lab_keys(&lab, "5G");
    ck_assert(shows("Counters that changed"));
    ck_assert(shows("shared load conflicts"));
    fake_lab_set(&lab, FAKE_STARTER); // nothing before it
    fake_lab_keys(&lab, "5G");
    ck_assert(!shows("Counters that changed"));
}
END_TEST

START_TEST(the_playground_opens_with_the_access_under_the_cursor)
{
    fake_lab_keys(&lab, "2gg6");
    ck_assert_str_eq(lab.app.play.fields[PLAY_TYPE], "float");
    ck_assert_str_eq(lab.app.play.fields[PLAY_SHAPE], "[32][32]");
    ck_assert_str_eq(lab.app.play.fields[PLAY_OPERATION], "store");
    ck_assert_str_eq(lab.app.play.fields[PLAY_INDEX], "tile[threadIdx.y + 0][threadIdx.x]");
    fake_lab_keys(&lab, "<Esc>j6");
    ck_assert_str_eq(lab.app.play.fields[PLAY_OPERATION], "load");
    ck_assert_str_eq(lab.app.play.fields[PLAY_INDEX], "tile[threadIdx.x][threadIdx.y + 0]");
    fake_lab_keys(&lab, "<Backspace> ^ 1]<Esc>6"); // what was changed stays
    ck_assert_str_eq(lab.app.play.fields[PLAY_INDEX], "tile[threadIdx.x][threadIdx.y + 0 ^ 1]");
    fake_lab_keys(&lab, "<Esc>k6");
    ck_assert_str_eq(lab.app.play.fields[PLAY_INDEX], "tile[threadIdx.y + 0][threadIdx.x]");
}
END_TEST

// The row of the screen that shows the text; -1: none does.
static int row_with(const char *text)
{
    char *screen = fake_lab_screen(&lab), *found = strstr(screen, text);
    int row = found ? 0 : -1;
    for (const char *at = screen; found && at < found; at++)
        row += *at == '\n';
    free(screen);
    return row;
}

static void set_source(const char *text)
{
    free(lab.app.lessons[1].source);
    lab.app.lessons[1].source = mem_strdup(text);
    app_draw(&lab.app);
}

START_TEST(long_lines_of_source_go_on_in_further_rows)
{
    fake_lab_keys(&lab, "<Tab>");
    set_source("int first;\n    int second;  // the first words of a comment that is wider than eighty columns, to its "
               "very end\nint third;\n");
    int second = row_with("  2       int second;  // the first words");
    ck_assert_int_gt(second, 0);
    ck_assert_int_eq(row_with("   └       eighty columns, to its very end"), second + 1);
    ck_assert_int_eq(row_with("  3   int third;"), second + 2);
    ck_assert(!shows("…its") && !shows("wider than…"));
    // keys go by lines, a search finds what goes on in the next row, and there is nothing to scroll to
    fake_lab_keys(&lab, "jj");
    ck_assert_int_eq(lab.app.source.cursor, 2);
    fake_lab_keys(&lab, "/eighty columns<Enter>");
    ck_assert_int_eq(lab.app.source.cursor, 1);
    app_draw(&lab.app);
    const struct cell *cell = canvas_at(&lab.app.canvas, 11, second + 1);
    ck_assert(cell->glyph == 'e' && cell->role == ROLE_MATCH);
    fake_lab_keys(&lab, "l");
    ck_assert(shows("nothing is wider"));
    app_resize(&lab.app, 200, 24);
    ck_assert(!shows("└"));
}
END_TEST

START_TEST(a_line_of_more_rows_than_are_seen_is_read_to_its_end)
{
    char text[1200] = "int first;\n//", *at = text + strlen(text);
    for (int i = 0; i < 130; i++)
        at += sprintf(at, " w%03d", i);
    strcpy(at, " .end\nint last;\n");
    app_resize(&lab.app, 41, 14);
    fake_lab_keys(&lab, "<Tab>");
    set_source(text);
    fake_lab_keys(&lab, "j");
    ck_assert(shows("w000") && !shows(".end"));
    int keys = 0;
    for (; !shows(".end") && keys < 100; keys++)
        fake_lab_keys(&lab, "j");
    ck_assert(lab.app.source.cursor == 1 && keys > 5 && keys < 50);
    fake_lab_keys(&lab, "j");
    ck_assert_int_eq(lab.app.source.cursor, 2);
    ck_assert(shows("int last;"));
    fake_lab_keys(&lab, "gG");
    ck_assert(shows("int last;"));
    fake_lab_keys(&lab, "kk");
    ck_assert_int_eq(lab.app.source.cursor, 0);
    ck_assert(shows("int first;"));
}
END_TEST

START_TEST(wide_drawings_scroll_and_the_prose_stays)
{
    static const char page[] =
        "Some prose here.\n\n```\nstart 0123456789012345678901234567890123456789012345678901234567890123456789 "
        "end\nshort\n```\n\nMore prose.\n";
    markdown_free(lab.app.lessons[1].page);
    lab.app.lessons[1].page = markdown_parse(page, strlen(page));
    app_resize(&lab.app, 76, 24);
    ck_assert(shows("  start 0") && shows("…") && !shows(" end"));
    fake_lab_keys(&lab, "lll");
    ck_assert(shows(" end"));
    ck_assert(shows(" Some prose here.") && shows(" More prose."));
    ck_assert(!shows("  start 0") && !shows("   short")); // its block moves as one
    fake_lab_keys(&lab, "hhh");
    ck_assert(shows("  start 0"));
    app_resize(&lab.app, 120, 24); // text beside source
    ck_assert(!shows(" end"));
    fake_lab_keys(&lab, "f");
    ck_assert(shows(" end"));
}
END_TEST

START_TEST(the_text_has_the_room_that_its_drawings_take)
{
    static const char page[] =
        "```\nstart 012345678901234567890123456789012345678901234567890123456789 end\n```\n\nProse.\n";
    markdown_free(lab.app.lessons[1].page);
    lab.app.lessons[1].page = markdown_parse(page, strlen(page));
    app_resize(&lab.app, 120, 24);
    ck_assert(shows("  start 0") && shows("9 end") && shows("__global__")); // beside the source
    app_resize(&lab.app, 100, 24);                                          // the source keeps 40 columns
    ck_assert(shows("  start 0") && !shows("9 end") && shows("__global__"));
}
END_TEST

Suite *suite_lab(void)
{
    Suite *suite = suite_create("lab");
    TCase *tests = tcase_create("lab");
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_test(tests, hints_come_one_by_one_and_stay);
    tcase_add_test(tests, a_save_is_graded_once);
    tcase_add_test(tests, a_save_during_a_run_restarts_it);
    tcase_add_test(tests, a_file_that_is_gone_is_told_and_not_graded);
    tcase_add_test(tests, before_is_the_last_run_that_ran);
    tcase_add_test(tests, an_error_brings_the_cursor_to_its_line);
    tcase_add_test(tests, a_passed_lesson_says_what_comes_next);
    tcase_add_test(tests, what_tells_of_more_text_covers_none);
    tcase_add_test(tests, the_answer_prompt_names_question_and_unit);
    tcase_add_test(tests, a_key_goes_to_the_next_conflict);
    tcase_add_test(tests, before_can_be_the_starter_or_the_best_run);
    tcase_add_test(tests, the_timeline_compares_with_what_was_chosen);
    tcase_add_test(tests, a_message_leaves_the_keys_on_the_screen);
    tcase_add_test(tests, enter_runs_in_every_view_of_a_lesson);
    tcase_add_test(tests, a_new_run_shows_the_report_from_its_top);
    tcase_add_test(tests, a_timeline_that_cannot_be_made_says_why);
    tcase_add_test(tests, a_read_that_the_compiler_removed_is_told_beside_its_line);
    tcase_add_test(tests, a_pass_says_what_was_learnt_and_leads_on);
    tcase_add_test(tests, what_this_block_has_read_before_is_in_l1);
    tcase_add_test(tests, what_the_kernel_printed_is_in_the_report);
    tcase_add_test(tests, help_closes_by_its_own_key_and_opens_at_its_top);
    tcase_add_test(tests, help_explains_the_signs_of_its_view);
    tcase_add_test(tests, the_task_and_each_heading_have_a_key);
    tcase_add_test(tests, an_interrupt_ends_the_run_before_it_ends_the_lab);
    tcase_add_test(tests, long_lines_of_source_go_on_in_further_rows);
    tcase_add_test(tests, a_line_of_more_rows_than_are_seen_is_read_to_its_end);
    tcase_add_test(tests, the_text_has_the_room_that_its_drawings_take);
    tcase_add_test(tests, wide_drawings_scroll_and_the_prose_stays);
    tcase_add_test(tests, reset_asks_and_keeps_a_backup);
    tcase_add_test(tests, the_solution_is_shown_on_wish_only);
    tcase_add_test(tests, back_leads_home_and_then_out);
    tcase_add_test(tests, what_another_lab_passed_is_seen_at_home);
    tcase_add_test(tests, the_palette_runs_what_it_shows);
    tcase_add_test(tests, without_a_workspace_nothing_is_changed);
    tcase_add_loop_test(tests, any_keys_do_no_harm, 0, 12);
    tcase_add_test(tests, resize_keeps_the_paragraph);
    tcase_add_test(tests, only_the_terminal_knows_curses);
    tcase_add_test(tests, turns_play_and_stop);
    tcase_add_test(tests, a_shorter_list_moves_the_cursor_before_a_key_uses_it);
    tcase_add_test(tests, step_finds_both_moments_of_a_hazard);
    tcase_add_test(tests, a_hazard_leads_to_its_size_which_the_report_names);
    tcase_add_test(tests, both_places_of_a_double_buffer_are_on_one_screen);
    tcase_add_test(tests, a_key_fills_the_inputs_with_row_and_column);
    tcase_add_test(tests, without_colours_all_lanes_are_reached);
    tcase_add_test(tests, one_conflict_is_one);
    tcase_add_test(tests, the_last_good_picture_stays_dimmed);
    tcase_add_test(tests, a_timeout_does_not_flatten_the_curve);
    tcase_add_test(tests, views_are_exported_as_text_svg_and_html);
    tcase_add_test(tests, the_playground_refuses_what_is_no_expression);
    tcase_add_test(tests, a_lesson_may_ask_before_its_first_verdict_is_shown);
    tcase_add_test(tests, counters_stand_beside_those_of_the_run_before);
    tcase_add_test(tests, the_playground_opens_with_the_access_under_the_cursor);
    suite_add_tcase(suite, tests);
    return suite;
}
