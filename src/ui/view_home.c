// Home: the lessons by track, how far each has come, and where to go on.
#include <stdio.h>
#include <string.h>

#include "ui/view.h"

enum { SUMMARY_WIDTH = 100 }; // below, only the chosen lesson says what it is about, at the bottom

static const char *const introduction[] = {
    "See what a warp does to shared memory: which banks, how many turns, and why.",
    "Enter opens a lesson. Read it, and press e to edit its one .cu file.",
    "Each save is compiled, run and graded at once, and the pictures change.",
    "No GPU is needed: a simulator runs your kernel and counts as hardware does.",
    "j and k choose, ? lists the keys of each view, q goes back.",
};

static const char no_workspace[] =
    "No workspace here, so nothing can be edited: leave, run 'bankshot init DIR', and start again in DIR.";
static const char no_lessons[] = "No lessons were found. Start bankshot in its source tree, or set BANKSHOT_LESSONS.";

static bool is_first_start(struct app *app)
{
    for (size_t i = 0; i < app->lesson_count; i++)
        if (app_progress(app, app->lessons[i].lesson)->state != PROGRESS_UNTOUCHED)
            return false;
    return true;
}

static void add_lesson(struct app *app, struct page *page, size_t index, int next)
{
    const struct lesson *lesson = app->lessons[index].lesson;
    const struct progress_lesson *progress = app_progress(app, lesson);
    bool chosen = app->home.cursor == (int)index, passed = progress->state >= PROGRESS_PASSED;
    bool untouched = progress->state == PROGRESS_UNTOUCHED;
    page_start(page, (int)index + 1);
    page_add(page, ROLE_KEY, chosen ? " ▸ " : "   ");
    page_add(page, ROLE_DIM, "%2d  ", lesson->number);
    page_add(page, chosen ? ROLE_EMPHASIS : ROLE_TEXT, "%s", lesson->title ? lesson->title : lesson->name);
    page_at(page, 28,
            passed      ? ROLE_GOOD
            : untouched ? ROLE_DIM
                        : ROLE_WARN,
            "%s %s", passed ? "✓" : " ", untouched ? "" : progress_state_name(progress->state));
    if (!untouched)
        page_at(page, 41, ROLE_TEXT, "%3.0f", progress->best_score);
    if (progress->best_ratio > 0)
        page_at(page, 46, ROLE_TEXT, "%.1fx", progress->best_ratio);
    page_pad(page, 54);
    if ((int)index == next)
        page_add(page, ROLE_KEY, "go on here  ");
    if (lesson->summary && page->width >= SUMMARY_WIDTH)
        page_add(page, ROLE_DIM, "%s", lesson->summary);
}

static void add_track(struct page *page, const char *track, bool is_first)
{
    page_heading(page, "%s track", track);
    if (is_first)
        page_at(page, 28, ROLE_DIM, "  state      best speed");
}

static void make_home(struct app *app, struct page *page)
{
    int next = app_unpassed(app, 0);
    if (is_first_start(app)) {
        page_start(page, 0);
        for (size_t i = 0; i < sizeof introduction / sizeof *introduction; i++)
            page_paragraph(page, 1, ROLE_TEXT, introduction[i]);
    }
    if (!app->set->workspace && app->lesson_count > 0) {
        page_start(page, 0);
        page_paragraph(page, 1, ROLE_WARN, no_workspace);
    }
    const char *track = "";
    for (size_t i = 0; i < app->lesson_count; i++) {
        const char *here = app->lessons[i].lesson->track ? app->lessons[i].lesson->track : "core";
        if (strcmp(track, here) != 0)
            add_track(page, here, i == 0);
        track = here;
        add_lesson(app, page, i, next);
    }
    if (app->lesson_count == 0)
        page_paragraph(page, 1, ROLE_BAD, no_lessons);
}

static void draw_home(struct app *app, struct canvas *canvas, struct rect body)
{
    struct page page;
    page_init(&page, body.width, canvas->ascii);
    make_home(app, &page);
    if (body.width < SUMMARY_WIDTH && app->lesson_count > 0) {
        const char *summary = app->lessons[app->home.cursor].lesson->summary;
        body.height--;
        canvas_cut(canvas, body.x + 1, body.y + body.height, body.width - 1, ROLE_DIM, summary ? summary : "");
    }
    struct scroll scroll = {.top = app->home.top, .cursor = page_find_tag(&page, app->home.cursor + 1)};
    if (app->home.cursor == 0)
        scroll.top = 0;
    scroll_fit(&scroll, (int)page.count, body.height, true);
    app->home.top = scroll.top;
    page_draw(&page, canvas, body, &scroll, app->match);
    for (int y = 0; y < body.height && scroll.top + y < (int)page.count; y++)
        if (page.lines[scroll.top + y].tag > 0)
            canvas_target(canvas, rect_row(body, y), TARGET_LESSON, page.lines[scroll.top + y].tag - 1, -1);
    page_free(&page);
}

static bool act_home(struct app *app, enum action action)
{
    int height = app->canvas.height - 2;
    struct scroll scroll = {.cursor = app->home.cursor};
    if (scroll_move(&scroll, action, (int)app->lesson_count, height, true)) {
        app->home.cursor = scroll.cursor;
        return true;
    }
    if (action == ACTION_OPEN) {
        app_open(app, (size_t)app->home.cursor);
        return true;
    }
    return false;
}

static bool find_home(struct app *app, int direction)
{
    struct page page;
    page_init(&page, 200, app->canvas.ascii);
    make_home(app, &page);
    int from = page_find_tag(&page, app->home.cursor + 1) + direction, line = -1, tag = 0;
    for (size_t i = 0; i < page.count && tag == 0; i++) {
        line = page_find(&page, app->match, from, direction);
        tag = line >= 0 ? page.lines[line].tag : 0;
        from = line + direction;
        if (line < 0)
            break;
    }
    page_free(&page);
    if (tag > 0)
        app->home.cursor = tag - 1;
    return tag > 0;
}

const struct view_ops view_home = {.draw = draw_home, .act = act_home, .find = find_home};
