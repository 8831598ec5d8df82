// Every view as golden text: three sizes, UTF-8 and ASCII, with colours and without. UPDATE_GOLDEN=1 writes them anew.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../support/fake_lab.h"
#include "ui/export.h"

Suite *suite_screens(void);

enum extra {
    NOTHING,
    PROGRESS, // a hint, an answer, runs
    PLAYED,   // the playground has run something
    GUESSED,  // wrongly, twice
    REPLAYED  // both runs have a timeline
};

static const char *const roles[] = {
#define R(name, ...) #name,
#include "base/roles.def"
#undef R
};

static const struct {
    const char *name;
    enum fake_state state;
    enum view view;
    const char *keys;
    enum extra extra;
} screens[] = {
    {"home", FAKE_FRESH, VIEW_HOME, "", NOTHING},
    {"home-search", FAKE_FRESH, VIEW_HOME, "/tiled<Enter>", NOTHING},
    {"lesson", FAKE_STARTER, VIEW_LESSON, "", NOTHING},
    {"lesson-source", FAKE_STARTER, VIEW_LESSON, "<Tab>jjjjjjjj", NOTHING},
    {"lesson-error", FAKE_BROKEN, VIEW_LESSON, "<Tab>jjjjjjj", NOTHING},
    {"lesson-palette", FAKE_STARTER, VIEW_LESSON, ":re", NOTHING},
    {"banks-before", FAKE_STARTER, VIEW_BANKS, "jlllllll", NOTHING},
    {"banks-after", FAKE_PADDED, VIEW_BANKS, "jlllllll", NOTHING},
    {"banks-compare", FAKE_PADDED, VIEW_BANKS, "jB", NOTHING},
    {"banks-turns", FAKE_STARTER, VIEW_BANKS, "jwlll", NOTHING},
    {"banks-memory", FAKE_PADDED, VIEW_BANKS, "jmll]", NOTHING},
    {"banks-broken", FAKE_BROKEN, VIEW_BANKS, "", NOTHING},
    {"global", FAKE_PADDED, VIEW_GLOBAL, "lll", NOTHING},
    {"step", FAKE_RACE, VIEW_STEP, "G", NOTHING},
    {"step-values", FAKE_PADDED, VIEW_STEP, "jjmLLLK", NOTHING},
    {"step-hazard", FAKE_RACE, VIEW_STEP, "z", NOTHING},
    {"report-fail", FAKE_STARTER, VIEW_REPORT, "", NOTHING},
    {"report-race", FAKE_RACE, VIEW_REPORT, "", NOTHING},
    {"report-pass", FAKE_PADDED, VIEW_REPORT, "", NOTHING},
    {"report-gpu", FAKE_GPU, VIEW_REPORT, "", NOTHING},
    {"report-gpu-speed", FAKE_GPU, VIEW_REPORT, "/measured<Enter>", NOTHING},
    {"report-gpu-product", FAKE_PRODUCT, VIEW_REPORT, "/measured<Enter>", NOTHING},
    {"home-passed", FAKE_PADDED, VIEW_HOME, "", PROGRESS},
    {"lesson-passed", FAKE_PADDED, VIEW_LESSON, "G", PROGRESS},
    {"report-history", FAKE_PADDED, VIEW_REPORT, "G", PROGRESS},
    {"playground", FAKE_STARTER, VIEW_PLAY, "<Tab>", NOTHING},
    {"playground-run", FAKE_PADDED, VIEW_PLAY, "<Right><Right>", PLAYED},
    {"lesson-answer", FAKE_STARTER, VIEW_LESSON, "a3", NOTHING},
    {"lesson-settled", FAKE_STARTER, VIEW_LESSON, "/How many<Enter>", GUESSED},
    {"lesson-reset", FAKE_STARTER, VIEW_LESSON, "X", NOTHING},
    {"timeline", FAKE_PADDED, VIEW_TIMELINE, "jllll", REPLAYED},
    {"timeline-compare", FAKE_PADDED, VIEW_TIMELINE, "B-..", REPLAYED},
    {"occupancy", FAKE_PADDED, VIEW_OCCUPANCY, "jjllll", NOTHING},
    {"help", FAKE_STARTER, VIEW_BANKS, "?", NOTHING},
};
static const struct {
    int width, height;
} sizes[] = {{80, 24}, {100, 30}, {200, 60}};

static void add_progress(struct fake_lab *lab)
{
    fake_lab_folder(lab);
    for (int i = 0; i < 5; i++) {
        struct progress_run run = {.time = i + 1, .score = 20.0 * i + 20, .wavefronts = 262144 >> i, .passed = i == 4};
        snprintf(run.verdict, sizeof run.verdict, "%s", i == 4 ? "pass" : "fail");
        progress_add_run(lab->app.progress, "04-padding", &run, NULL);
    }
    progress_set_hints(lab->app.progress, "04-padding", 1, NULL);
    progress_set_answer(lab->app.progress, "04-padding", 0, "32", 32, true, NULL);
}

static void add_guesses(struct fake_lab *lab)
{
    fake_lab_folder(lab);
    progress_set_answer(lab->app.progress, "04-padding", 0, "2", 32, false, NULL);
    progress_set_answer(lab->app.progress, "04-padding", 0, "1", 32, false, NULL);
}

static uint32_t same_line(const void *context, uint32_t pc)
{
    (void)context;
    return pc;
}

// Two blocks of two warps: loads from DRAM, fills the tile, waits for the others, reads it, `slow` times as long.
static void replay(struct grade_report *report, uint32_t slow)
{
    struct replay_log *log = &report->timeline;
    double busy[REPLAY_LOADS] = {0};
    replay_log_begin(log);
    for (uint32_t block = 0; block < 2; block++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            uint32_t row = replay_log_row(log, block, warp), at = 750 + 2200 * block + 10 * warp, end = at + 800;
            replay_log_span(log, row, at, at + 20, STATE_GLOBAL, 9);
            replay_log_span(log, row, at + 20, end, STATE_WAIT_DRAM, 9);
            replay_log_span(log, row, end, end + 30, STATE_SHARED, 9);
            replay_log_place(log, row, end, end + 30, USE_WRITE, 0, 4096, 1);
            replay_log_span(log, row, end + 30, end + 60 + 20 * (1 - warp), STATE_WAIT_BARRIER, 10);
            replay_log_pause(log, row);
            end += 60;
            replay_log_span(log, row, end, end + 400 * slow, STATE_SHARED, 13);
            replay_log_place(log, row, end, end + 400 * slow, USE_READ, 0, 4096, 2);
            replay_log_span(log, row, end + 400 * slow, end + 430 * slow, STATE_GLOBAL, 13);
        }
    for (uint32_t cycle = 750; cycle < 4000; cycle += 10) {
        busy[LOAD_SHARED] += cycle % 2200 < 1200 ? 9 : 1;
        busy[LOAD_DRAM] += cycle % 2200 > 700 ? 6 : 0;
        replay_log_load(log, cycle, busy);
    }
    replay_log_end(log, same_line, NULL);
    log->us = 40 * slow;
    log->resident = 2;
    strcpy(log->gpu, "H200");
}

static void show(struct fake_lab *lab, int screen)
{
    fake_lab_set(lab, screens[screen].state);
    if (screens[screen].extra == PROGRESS)
        add_progress(lab);
    if (screens[screen].extra == GUESSED)
        add_guesses(lab);
    if (screens[screen].extra == REPLAYED) {
        replay(lab->app.lessons[1].report, 1);
        replay(lab->app.lessons[1].before, 3);
    }
    if (screens[screen].extra == PLAYED)
        lab->app.play.report = lab->app.lessons[1].report;
    lab->app.view = screens[screen].view;
    app_draw(&lab->app);
    fake_lab_keys(lab, screens[screen].keys);
}

static void leave(struct fake_lab *lab)
{
    lab->app.play.report = NULL; // the lesson's own
    fake_lab_close(lab);
}

// NULL looks like nothing.
static bool looks_like(const struct cell *a, const struct cell *b)
{
    return a && a->role == b->role && a->under == b->under && a->flags == b->flags;
}

// One line for each row with anything but plain text: "row: column+length ROLE[/UNDER][!flags] …".
static void put_roles(const struct canvas *canvas, struct text *out)
{
    const struct cell plain = {' ', ROLE_TEXT, ROLE_TEXT, 0};
    for (int y = 0; y < canvas->height; y++) {
        bool any = false;
        for (int x = 0, length; x < canvas->width; x += length) {
            const struct cell *cell = canvas_at(canvas, x, y);
            for (length = 0; looks_like(canvas_at(canvas, x + length, y), cell);)
                length++;
            if (looks_like(cell, &plain))
                continue;
            if (!any)
                text_printf(out, "%d:", y);
            any = true;
            text_printf(out, " %d+%d %s", x, length, roles[cell->role]);
            if (cell->under != ROLE_TEXT)
                text_printf(out, "/%s", roles[cell->under]);
            if (cell->flags)
                text_printf(out, "!%u", cell->flags);
        }
        if (any)
            text_puts(out, "\n");
    }
}

static void add_variant(struct text *out, int screen, int size, bool ascii, bool mono)
{
    struct fake_lab lab;
    fake_lab_open(&lab, sizes[size].width, sizes[size].height, ascii, mono);
    show(&lab, screen);
    char *text = fake_lab_screen(&lab);
    text_printf(out, "==== %s, %s\n%s", ascii ? "ascii" : "utf-8", mono ? "mono" : "colour", text);
    if (size == 0 && !ascii) {
        text_puts(out, "---- roles\n");
        put_roles(&lab.app.canvas, out);
    }
    free(text);
    leave(&lab);
}

static char *read_whole(const char *path)
{
    struct text content = {0};
    char block[4096];
    size_t got;
    FILE *file = fopen(path, "r");
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        text_append(&content, block, got);
    if (file)
        fclose(file);
    return content.data;
}

static void write_whole(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static int first_difference(const char *a, const char *b)
{
    int line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

START_TEST(looks_as_it_did)
{
    int screen = _i / 3, size = _i % 3;
    char path[256];
    struct text now = {0};
    for (int variant = 0; variant < 4; variant++)
        add_variant(&now, screen, size, variant & 2, variant & 1);
    snprintf(path, sizeof path, "tests/ui/golden/%s-%dx%d.txt", screens[screen].name, sizes[size].width,
             sizes[size].height);
    if (getenv("UPDATE_GOLDEN"))
        write_whole(path, text_get(&now));
    char *golden = read_whole(path);
    ck_assert_msg(golden != NULL, "%s is missing: UPDATE_GOLDEN=1 writes it", path);
    if (strcmp(golden, text_get(&now)) != 0) {
        write_whole(TEST_BUILD "/screen-now.txt", text_get(&now));
        ck_abort_msg("%s differs from line %d on; what it is now: " TEST_BUILD "/screen-now.txt", path,
                     first_difference(golden, text_get(&now)));
    }
    free(golden);
    text_free(&now);
}
END_TEST

START_TEST(ascii_screens_hold_no_other_characters)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 120, 40, true, false);
    show(&lab, _i);
    char *text = fake_lab_screen(&lab);
    for (const char *at = text; *at; at++)
        ck_assert_msg((unsigned char)*at < 0x7f && (*at >= ' ' || *at == '\n'), "byte %02x", (unsigned char)*at);
    free(text);
    leave(&lab);
}
END_TEST

static bool inside(const struct canvas *canvas, struct rect rect)
{
    return rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= canvas->width && rect.y + rect.height <= canvas->height;
}

static void draw_at(struct fake_lab *lab, int width, int height)
{
    app_resize(&lab->app, width, height);
    app_draw(&lab->app);
    const struct canvas *canvas = &lab->app.canvas;
    for (size_t i = 0; i < canvas->target_count; i++)
        if (!inside(canvas, canvas->targets[i].rect))
            ck_abort_msg("%d x %d: a place for the pointer outside", width, height);
    if (canvas->cursor_x >= width || canvas->cursor_y >= height)
        ck_abort_msg("%d x %d: the cursor outside", width, height);
}

// Every size from nothing to large: no crash, and nothing drawn outside (the canvas would write out of bounds, which
// the sanitizers see). All small sizes, and of the others each screen draws some of its own; SWEEP=all
// draws all 20,000.
START_TEST(every_size_can_be_drawn)
{
    enum { WIDEST = 250, HIGHEST = 80, SMALL_WIDTH = 44, SMALL_HEIGHT = 12, SOME = 97 };
    int every = getenv("SWEEP") ? 1 : SOME;
    struct fake_lab lab;
    fake_lab_open(&lab, 80, 24, false, _i % 2);
    show(&lab, _i);
    for (int width = 1; width <= WIDEST; width++)
        for (int height = 1; height <= HIGHEST; height++)
            if ((width <= SMALL_WIDTH && height <= SMALL_HEIGHT) || (3 * width + 5 * height + _i) % every == 0)
                draw_at(&lab, width, height);
    leave(&lab);
}
END_TEST

// The palette, the search and the keys over every view.
START_TEST(pop_ups_can_be_drawn_at_every_size)
{
    static const char *const keys[] = {":", ":e<Down><Down>", "/a long search that is wider than many a screen", "?"};
    struct fake_lab lab;
    for (int view = 0; view < VIEW_COUNT; view++) {
        fake_lab_open(&lab, 80, 24, false, false);
        fake_lab_set(&lab, FAKE_PADDED);
        lab.app.view = (enum view)view;
        fake_lab_keys(&lab, keys[_i]);
        for (int width = 1; width <= 250; width += width < 44 ? 9 : 31)
            for (int height = 1; height <= 80; height += height < 14 ? 3 : 17)
                draw_at(&lab, width, height);
        fake_lab_close(&lab);
    }
}
END_TEST

START_TEST(resize_keeps_the_place)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, "jlllll]");
    app_resize(&lab.app, 200, 60);
    app_draw(&lab.app);
    app_resize(&lab.app, 80, 24);
    app_draw(&lab.app);
    ck_assert_uint_eq(lab.app.banks.list.lane, 5);
    ck_assert_uint_eq(lab.app.banks.list.warp, 1);
    ck_assert_int_eq(lab.app.banks.list.rows.cursor, 1);
    fake_lab_close(&lab);
}
END_TEST

START_TEST(banks_show_what_changed)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_PADDED);
    lab.app.view = VIEW_BANKS;
    fake_lab_keys(&lab, "j");
    char *text = fake_lab_screen(&lab);
    ck_assert_ptr_nonnull(strstr(text, "1 │     32"));
    ck_assert_ptr_nonnull(strstr(text, "tile[0][0]"));
    ck_assert_ptr_nonnull(strstr(text, "wavefront 1 of 1"));
    free(text);
    fake_lab_close(&lab);
}
END_TEST

START_TEST(search_finds_and_goes_round)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 80, 24, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    lab.app.view = VIEW_LESSON;
    app_draw(&lab.app);
    fake_lab_keys(&lab, "<Tab>/syncthreads<Enter>");
    ck_assert_int_eq(lab.app.source.cursor, 9);
    fake_lab_keys(&lab, "n");
    ck_assert_int_eq(lab.app.source.cursor, 9);
    fake_lab_keys(&lab, "/nowhere<Enter>");
    ck_assert_ptr_nonnull(strstr(lab.app.message, "no match"));
    fake_lab_close(&lab);
}
END_TEST

START_TEST(escape_sequences_of_learners_are_shown_not_sent)
{
    struct fake_lab lab;
    fake_lab_open(&lab, 100, 30, false, false);
    fake_lab_set(&lab, FAKE_STARTER);
    free(lab.app.lessons[1].source);
    lab.app.lessons[1].source = strdup("int a; // \x1b[31m\x9b"
                                       "2J\xe2\x80\xae"
                                       "abc\x07 \xff \xf0\x9f\x98\x80 \xe4\xb8\xad\n");
    lab.app.view = VIEW_LESSON;
    char *text = fake_lab_screen(&lab);
    for (const char *at = text; *at; at++)
        ck_assert_msg((unsigned char)*at >= ' ' || *at == '\n', "control %02x", (unsigned char)*at);
    ck_assert_ptr_null(strstr(text, "\xe2\x80\xae"));
    ck_assert_ptr_nonnull(strstr(text, "\\x1b[31m"));
    free(text);
    fake_lab_close(&lab);
}
END_TEST

Suite *suite_screens(void)
{
    Suite *suite = suite_create("screens");
    TCase *tests = tcase_create("screens");
    int count = (int)(sizeof screens / sizeof *screens);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, looks_as_it_did, 0, 3 * count);
    tcase_add_loop_test(tests, ascii_screens_hold_no_other_characters, 0, count);
    tcase_add_loop_test(tests, every_size_can_be_drawn, 0, count);
    tcase_add_loop_test(tests, pop_ups_can_be_drawn_at_every_size, 0, 4);
    tcase_add_test(tests, resize_keeps_the_place);
    tcase_add_test(tests, banks_show_what_changed);
    tcase_add_test(tests, search_finds_and_goes_round);
    tcase_add_test(tests, escape_sequences_of_learners_are_shown_not_sent);
    suite_add_tcase(suite, tests);
    return suite;
}
