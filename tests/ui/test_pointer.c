// The mouse, without a terminal: presses and the wheel on what a screen shows, found by its text.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fake_lab.h"

Suite *suite_pointer(void);

static struct fake_lab lab;

static void open_lab(void)
{
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    lab.app.now = 100;
}

static void close_lab(void)
{
    fake_lab_close(&lab);
}

static void at(enum pointer_kind kind, int x, int y)
{
    struct pointer_event event = {kind, x, y};
    app_pointer(&lab.app, &event);
}

// The cell where the text begins; every character before it on the row is one column wide.
static void on(enum pointer_kind kind, const char *text)
{
    char *screen = fake_lab_screen(&lab);
    const char *found = strstr(screen, text);
    ck_assert_msg(found != NULL, "'%s' is not on the screen:\n%s", text, screen);
    int x = 0, y = 0;
    for (const char *before = screen; before < found; before++) {
        x = *before == '\n' ? 0 : x + ((*before & 0xc0) != 0x80);
        y += *before == '\n';
    }
    free(screen);
    at(kind, x, y);
}

static void click(const char *text)
{
    lab.app.now += 10;
    on(POINTER_PRESS, text);
}

static void click_twice(const char *text)
{
    click(text);
    lab.app.now += 0.2;
    on(POINTER_PRESS, text);
}

START_TEST(a_click_chooses_a_lesson_and_a_second_opens_it)
{
    lab.app.view = VIEW_HOME;
    click("Padding");
    ck_assert_int_eq(lab.app.home.cursor, 1);
    click("Tiled transpose");
    ck_assert_int_eq(lab.app.home.cursor, 0);
    ck_assert_int_eq(lab.app.view, VIEW_HOME);
    click("Padding"); // long after: chooses again
    click("Padding");
    ck_assert_int_eq(lab.app.view, VIEW_HOME);
    click_twice("Padding");
    ck_assert_int_eq(lab.app.view, VIEW_LESSON);
    ck_assert_int_eq((int)lab.app.current, 1);
}
END_TEST

START_TEST(tabs_and_keys_are_clicked)
{
    static const struct {
        const char *text;
        enum view view;
    } tabs[] = {{"2 banks", VIEW_BANKS},   {"3 global", VIEW_GLOBAL}, {"4 step", VIEW_STEP},  {"5 report", VIEW_REPORT},
                {"1 lesson", VIEW_LESSON}, {"6 play", VIEW_PLAY},     {"2 banks", VIEW_BANKS}};
    lab.app.view = VIEW_LESSON;
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        click(tabs[i].text);
        ck_assert_int_eq(lab.app.view, tabs[i].view);
    }
    click("? keys");
    ck_assert_int_eq(lab.app.view, VIEW_HELP);
    click("q back");
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    click("w turns");
    ck_assert(lab.app.banks.by_wavefront);
}
END_TEST

START_TEST(panes_and_source_lines_are_clicked)
{
    lab.app.view = VIEW_LESSON;
    click("source");
    ck_assert(lab.app.source_pane);
    click("__shared__");
    ck_assert_int_eq(lab.app.source.cursor, 5);
    click("text");
    ck_assert(!lab.app.source_pane);
    app_resize(&lab.app, 120, 24);
    click("__syncthreads");
    ck_assert(lab.app.source_pane);
    ck_assert_int_eq(lab.app.source.cursor, 9);
    click("bank = (byte");
    ck_assert(!lab.app.source_pane);
    app_resize(&lab.app, 100, 30);
    click("j][threadIdx.x] = in"); // the second row of a line
    ck_assert_int_eq(lab.app.source.cursor, 8);
}
END_TEST

START_TEST(the_wheel_scrolls_the_pane_under_it)
{
    lab.app.view = VIEW_LESSON;
    app_resize(&lab.app, 120, 18);
    on(POINTER_WHEEL_DOWN, "bank = (byte");
    ck_assert_int_gt(lab.app.text.top, 0);
    ck_assert_int_eq(lab.app.source.cursor, 0);
    ck_assert(!lab.app.source_pane);
    int top = lab.app.text.top;
    on(POINTER_WHEEL_DOWN, "__global__");
    ck_assert_int_eq(lab.app.text.top, top);
    ck_assert_int_eq(lab.app.source.cursor, 3);
    on(POINTER_WHEEL_UP, "__global__");
    ck_assert_int_eq(lab.app.source.cursor, 0);
}
END_TEST

START_TEST(accesses_and_cells_of_the_heatmap_are_clicked)
{
    lab.app.view = VIEW_BANKS;
    click("   13 ");
    ck_assert_int_eq(lab.app.banks.list.rows.cursor, 1);
    // two lanes share a cell: the second press takes the other one
    click("10,11");
    ck_assert_uint_eq(lab.app.banks.list.lane, 10);
    click("10,11");
    ck_assert_uint_eq(lab.app.banks.list.lane, 11);
    on(POINTER_WHEEL_DOWN, "10,11");
    ck_assert_uint_eq(lab.app.banks.list.lane, 12);
    on(POINTER_WHEEL_UP, "10,11");
    ck_assert_uint_eq(lab.app.banks.list.lane, 11);
    on(POINTER_WHEEL_UP, "   13 ");
    ck_assert_int_eq(lab.app.banks.list.rows.cursor, 0);
}
END_TEST

START_TEST(a_cell_of_one_lane_chooses_that_lane)
{
    fake_lab_set(&lab, FAKE_PADDED);
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, "j");
    app_draw(&lab.app);
    // the diagonal: lane l in bank l, two columns each after a label of seven
    for (int lane = 0; lane < 32; lane++) {
        int y = 5 + lane / 2;
        at(POINTER_PRESS, 7 + 2 * lane, y);
        ck_assert_uint_eq(lab.app.banks.list.lane, (uint32_t)lane);
    }
    fake_lab_keys(&lab, "m");
    click("22 ·");
    ck_assert_uint_eq(lab.app.banks.list.lane, 22);
}
END_TEST

START_TEST(time_line_and_warps_are_clicked)
{
    fake_lab_set(&lab, FAKE_RACE);
    lab.app.view = VIEW_STEP;
    app_draw(&lab.app);
    at(POINTER_PRESS, 78, 1);
    size_t late = lab.app.step.moment;
    ck_assert_uint_gt(late, 50);
    at(POINTER_PRESS, 1, 1);
    ck_assert_uint_eq(lab.app.step.moment, 0);
    on(POINTER_WHEEL_DOWN, "moment");
    ck_assert_uint_eq(lab.app.step.moment, 1);
    at(POINTER_PRESS, 14, 6);
    ck_assert(lab.app.step.roaming);
    click("  2            none yet");
    ck_assert_uint_gt(lab.app.step.moment, 1);
}
END_TEST

START_TEST(the_palette_is_clicked_and_a_click_beside_it_closes_it)
{
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, ":the");
    click_twice("theme");
    ck_assert_int_eq(lab.app.theme, THEME_LIGHT);
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_NONE);
    fake_lab_keys(&lab, ":the");
    click("1 lesson");
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_NONE);
    ck_assert_int_eq(lab.app.view, VIEW_BANKS);
    lab.app.view = VIEW_LESSON;
    fake_lab_keys(&lab, "X");
    on(POINTER_WHEEL_DOWN, "Padding");
    ck_assert_int_eq(lab.app.prompt.kind, PROMPT_RESET);
}
END_TEST

START_TEST(fields_of_the_playground_are_clicked)
{
    lab.app.view = VIEW_PLAY;
    click("shape");
    ck_assert_int_eq(lab.app.play.field, PLAY_SHAPE);
    click("element");
    ck_assert_int_eq(lab.app.play.field, PLAY_INDEX);
}
END_TEST

START_TEST(the_key_turns_the_mouse_on_and_off)
{
    ck_assert(!lab.app.mouse);
    fake_lab_keys(&lab, "M");
    ck_assert(lab.app.mouse);
    fake_lab_keys(&lab, "M");
    ck_assert(!lab.app.mouse);
    setenv("BANKSHOT_MOUSE", "1", 1);
    struct fake_lab other;
    fake_lab_open(&other, 80, 24, false, false);
    ck_assert(other.app.mouse);
    fake_lab_close(&other);
    unsetenv("BANKSHOT_MOUSE");
}
END_TEST

// Presses anywhere in every view at any size: the sanitized run of this test is the one that counts.
START_TEST(clicks_anywhere_do_no_harm)
{
    uint32_t state = 99u + (uint32_t)_i;
    for (int i = 0; i < 2000; i++) {
        state = state * 1664525u + 1013904223u;
        uint32_t pick = state >> 12;
        if (pick % 41 == 0)
            app_resize(&lab.app, 1 + (int)(pick % 211), 1 + (int)(pick / 7 % 70));
        if (pick % 37 == 0)
            fake_lab_set(&lab, FAKE_STARTER + (enum fake_state)(pick / 37 % 4));
        if (pick % 29 == 0)
            lab.app.view = (enum view)(pick / 29 % VIEW_COUNT);
        at(POINTER_PRESS + (enum pointer_kind)(pick % 3), (int)(pick / 3 % 240) - 5, (int)(pick / 31 % 80) - 5);
        lab.app.now += 0.15;
        lab.app.quit = false;
    }
    app_cancel(&lab.app);
}
END_TEST

Suite *suite_pointer(void)
{
    Suite *suite = suite_create("pointer");
    TCase *tests = tcase_create("pointer");
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_test(tests, a_click_chooses_a_lesson_and_a_second_opens_it);
    tcase_add_test(tests, tabs_and_keys_are_clicked);
    tcase_add_test(tests, panes_and_source_lines_are_clicked);
    tcase_add_test(tests, the_wheel_scrolls_the_pane_under_it);
    tcase_add_test(tests, accesses_and_cells_of_the_heatmap_are_clicked);
    tcase_add_test(tests, a_cell_of_one_lane_chooses_that_lane);
    tcase_add_test(tests, time_line_and_warps_are_clicked);
    tcase_add_test(tests, the_palette_is_clicked_and_a_click_beside_it_closes_it);
    tcase_add_test(tests, fields_of_the_playground_are_clicked);
    tcase_add_test(tests, the_key_turns_the_mouse_on_and_off);
    tcase_add_loop_test(tests, clicks_anywhere_do_no_harm, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
