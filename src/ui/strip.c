// The lines around a view: title, phases and verdict, keys.
#include <stdio.h>
#include <string.h>

#include "grade/report.h"
#include "ui/view.h"

static const struct {
    const char *now, *done;
} phases[] = {
    {"compiling", "compiled"}, {"running", "ran"}, {"checking", "checked"}, {"timing", "timed"}, {"done", ""}};

const char *next_step(struct app *app, const struct grade_report *report, char *text, size_t size)
{
    int following = app_following_lesson(app);
    snprintf(text, size, "%s", report->next);
    if (!*text && report->verdict == VERDICT_PASS && report->full && following >= 0)
        snprintf(text, size, "> opens lesson %d", app->lessons[following].lesson->number);
    return text;
}

// " 4 padding  1 lesson [2 banks] …": brackets say which view this is without any colour.
static void draw_view_tabs(struct app *app, struct canvas *canvas, struct rect rect)
{
    static const enum view tabs[] = {VIEW_LESSON, VIEW_BANKS, VIEW_GLOBAL,   VIEW_STEP,
                                     VIEW_REPORT, VIEW_PLAY,  VIEW_TIMELINE, VIEW_OCCUPANCY};
    enum { ALL_TABS_WIDTH = 78, TABS = 67, SHORT_NAME = 16, EIGHTH_TAB = 13 };
    // there is a tab of what is looked at less often only while it is looked at
    bool is_eighth = app->view == VIEW_OCCUPANCY,
         has_room = rect.width >= ALL_TABS_WIDTH + (is_eighth ? EIGHTH_TAB : 0);
    const struct lesson *lesson = app_lesson(app)->lesson;
    struct pen pen = canvas_pen(canvas, rect);
    if (!app->options.own)
        pen_put(&pen, ROLE_BAR, "%d ", lesson->number);
    pen.x += canvas_cut(canvas, pen.x, pen.y, !has_room ? SHORT_NAME : rect.width - TABS - (is_eighth ? EIGHTH_TAB : 0),
                        ROLE_BAR, lesson->name);
    pen.x++;
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        bool here = tabs[i] == app->view;
        if ((!has_room || tabs[i] == VIEW_OCCUPANCY) && !here)
            continue;
        const char *name = tabs[i] == VIEW_PLAY ? "play" : tabs[i] == VIEW_TIMELINE ? "time" : view_name(tabs[i]);
        struct rect tab = {pen.x, rect.y, pen_put(&pen, ROLE_BAR, here ? "[%zu %s]" : " %zu %s ", i + 1, name), 1};
        if (here)
            canvas_flag(canvas, tab, CELL_BOLD);
        canvas_target(canvas, tab, TARGET_ACTION, (int)app_action_to(tabs[i]), -1);
    }
    const char *device = app_report(app) ? app_report(app)->device : "";
    if (pen.end - canvas_columns(canvas, device) - 1 > pen.x)
        canvas_right(canvas, pen.end - 1, rect.y, ROLE_BAR, "%s", device);
}

void title_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    canvas_fill(canvas, rect, ROLE_BAR);
    if (app->watched >= 0 && ((IN_RUN | IN_PLAY) & (1u << app->view))) {
        draw_view_tabs(app, canvas, rect);
        return;
    }
    canvas_put(canvas, rect, ROLE_BAR, "Bankshot  %s", view_name(app->view));
    if (app->device_line[0] && rect.width > canvas_columns(canvas, app->device_line) + 24)
        canvas_right(canvas, rect.x + rect.width - 1, rect.y, ROLE_BAR, "%s", app->device_line);
}

static void draw_running(struct app *app, struct canvas *canvas, struct rect rect)
{
    static const char *const kinds[] = {[RUN_QUIZ] = "asking the simulator: ",
                                        [RUN_RECORD] = "recording: ",
                                        [RUN_TIMELINE] = "modelling: ",
                                        [RUN_SOLUTION] = "solution: "};
    const struct current_run *run = &app->run;
    struct pen pen = canvas_pen(canvas, rect);
    for (int phase = 0; phase < (int)run->phase && phase < GRADE_DONE; phase++) {
        if (run->seconds[phase] < 0)
            continue;
        pen_put(&pen, ROLE_GOOD, "✓ ");
        pen_put(&pen, ROLE_TEXT, "%s %.1f s  ", phases[phase].done, run->seconds[phase]);
    }
    if ((size_t)run->kind < sizeof kinds / sizeof *kinds && kinds[run->kind])
        pen_put(&pen, ROLE_KEY, "%s", kinds[run->kind]);
    struct text detail = {0};
    text_escape(&detail, run->detail, strlen(run->detail), false);
    pen_put(&pen, ROLE_KEY, "%s %s%s%.1f s", phases[run->phase].now, text_get(&detail), run->detail[0] ? " " : "",
            app->now - run->phase_start);
    text_free(&detail);
    pen_put(&pen, ROLE_DIM, "  Esc cancels");
}

// The access whose wavefronts changed most since the run before: "line 27: 32 → 1 wavefronts"; "" if none did.
static void describe_change(const struct ui_lesson *lesson, char *text, size_t size)
{
    struct sites now = list_sites(NULL, lesson->report, PTX_SHARED),
                 before = list_sites(NULL, lesson->before, PTX_SHARED);
    double most = 1;
    *text = '\0';
    for (size_t i = 0; i < now.count; i++) {
        const struct site *match = sites_match(&before, &now, i);
        const struct counter_line *line = now.items[i].line, *was = match ? match->line : NULL;
        if (!was || line->instructions == 0 || was->instructions == 0)
            continue;
        double here = (double)line->wavefronts / (double)line->instructions;
        double there = (double)was->wavefronts / (double)was->instructions;
        double factor = here > there ? here / (there > 0 ? there : 1) : there / (here > 0 ? here : 1);
        if (factor <= most)
            continue;
        char from[32], to[32];
        most = factor;
        snprintf(text, size, "line %u: %s → %s wavefronts", line->line,
                 per_instruction(was->wavefronts, was->instructions, from, sizeof from),
                 per_instruction(line->wavefronts, line->instructions, to, sizeof to));
    }
    sites_free(&now);
    sites_free(&before);
}

// As much of the text as fits; where it is cut, the key of the report that has all of it.
static void draw_cut(const struct pen *pen, const char *text)
{
    static const char more[] = " … 5 report";
    struct canvas *canvas = pen->canvas;
    int room = pen->end - pen->x;
    if (canvas_columns(canvas, text) <= room) {
        canvas_text(canvas, pen->x, pen->y, room, ROLE_DIM, text);
        return;
    }
    canvas_text(canvas, pen->x, pen->y, room - canvas_columns(canvas, more), ROLE_DIM, text);
    canvas_right(canvas, pen->end, pen->y, ROLE_KEY, "%s", more);
}

enum { NAMED_COLUMNS = 100 };

// What the starter's run showed would answer the question that the lesson asks before.
static bool waits_for_guess(const struct app *app, const struct ui_lesson *lesson)
{
    const struct progress_lesson *progress = app_progress(app, lesson->lesson);
    return lesson->lesson->asks_first && lesson->report->verdict == VERDICT_NOT_STARTED &&
           lesson->lesson->question_count > 0 && (progress->answer_count == 0 || !progress->answers[0].text[0]);
}

static void draw_verdict(struct app *app, const struct ui_lesson *lesson, struct canvas *canvas, struct rect rect)
{
    char text[1024], next[600];
    const struct grade_report *report = lesson->report;
    next_step(app, report, next, sizeof next);
    struct pen pen = canvas_pen(canvas, rect);
    pen.end--;
    report_verdict(report, text, sizeof text);
    if (rect.width < NAMED_COLUMNS && *next) // the sentence says more than the diagnosis' name
        text[strcspn(text, ":")] = '\0';
    pen_put(&pen, report->verdict == VERDICT_INFRASTRUCTURE ? ROLE_WARN : report_look(report).role, "%s %s",
            report_look(report).sign, text);
    if (!app->options.own)
        pen_put(&pen, ROLE_TEXT, "  %.0f of 100 ·", report->score);
    pen_put(&pen, ROLE_TEXT, " %.1f s  ", report->total_seconds);
    describe_change(lesson, text, sizeof text);
    if (*text)
        pen_put(&pen, ROLE_EMPHASIS, "%s  ", text);
    const struct diagnostic *first = report->messages.count > 0 ? &report->messages.items[0] : NULL;
    if (first && report->verdict == VERDICT_COMPILE_ERROR)
        snprintf(text, sizeof text, first->line > 0 ? "line %d: %s" : "%.0d%s", first->line, first->message);
    else
        snprintf(text, sizeof text, report->verdict == VERDICT_PASS && *next ? "%s: %s" : "%.0s%s",
                 report_next_label(report), next);
    draw_cut(&pen, text);
}

static void draw_unread(struct canvas *canvas, struct rect rect, const char *message)
{
    struct pen pen = canvas_pen(canvas, rect);
    pen_put(&pen, ROLE_BAD, "✗ ");
    draw_cut(&pen, message);
}

void strip_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    canvas_fill(canvas, rect, ROLE_TEXT);
    const struct ui_lesson *lesson = app_lesson(app);
    if (app->run.kind != RUN_NONE)
        draw_running(app, canvas, rect);
    else if (lesson && lesson->source_message[0])
        draw_unread(canvas, rect, lesson->source_message);
    else if (lesson && lesson->report && waits_for_guess(app, lesson))
        canvas_put(canvas, rect, ROLE_KEY, "○ not started  a: first a guess, then what the starter's run showed");
    else if (lesson && lesson->report)
        draw_verdict(app, lesson, canvas, rect);
    else
        canvas_put(canvas, rect, ROLE_DIM, "not run yet: save the file or press Enter");
}

// The keys of this view's own actions, then those that several views share.
static void draw_keys(const struct app *app, struct pen *pen, enum view view)
{
    struct text name = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 1; i < ACTION_COUNT; i++) {
            const struct action_info *info = action_info((enum action)i);
            bool is_own = (info->views & (info->views - 1)) == 0;
            if (!(info->views & (1u << view)) || !*info->brief || i == ACTION_BACK || i == ACTION_HELP ||
                is_own != (pass == 0) || (app->options.own && action_is_of_lessons((enum action)i)))
                continue;
            const char *keys = info->keys;
            text_clear(&name);
            key_format(&name, key_parse(&keys, false));
            int columns = canvas_columns(pen->canvas, text_get(&name)) + 1 + canvas_columns(pen->canvas, info->brief);
            if (pen->x + columns > pen->end)
                break;
            canvas_target(pen->canvas, (struct rect){pen->x, pen->y, columns, 1}, TARGET_ACTION, i, -1);
            pen_put(pen, ROLE_KEY, "%s", text_get(&name));
            pen->x++;
            pen_put(pen, ROLE_TEXT, "%s", info->brief);
            pen->x += 2;
        }
    }
    text_free(&name);
}

void status_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    enum { HELP_COLUMNS = 6, BACK_COLUMNS = 7, GAP = 2 }; // "? keys  q leave"
    struct pen pen = canvas_pen(canvas, rect);
    canvas_fill(canvas, rect, ROLE_TEXT);
    if (app->message[0]) { // and then as many keys as there is room for
        pen.x += canvas_cut(canvas, pen.x, rect.y, pen.end - pen.x, app->message_role, app->message) + GAP;
        if (app->view == VIEW_PLAY || pen.end - pen.x < HELP_COLUMNS + GAP + BACK_COLUMNS + GAP)
            return;
    }
    if (app->view == VIEW_PLAY) { // every letter is text there
        pen_put(&pen, ROLE_KEY, "Enter run  Tab next field  Left, Right lane  PageDown warp  Esc back");
        return;
    }
    // help is the one that must be there, so it comes first, at the right
    int start =
        pen.end - 1 -
        canvas_right(canvas, pen.end - 1, rect.y, ROLE_TEXT, "? keys  q %s", app->view == VIEW_HOME ? "leave" : "back");
    canvas_target(canvas, (struct rect){start, rect.y, HELP_COLUMNS, 1}, TARGET_ACTION, ACTION_HELP, -1);
    canvas_target(canvas, (struct rect){start + HELP_COLUMNS + GAP, rect.y, BACK_COLUMNS, 1}, TARGET_ACTION,
                  ACTION_BACK, -1);
    pen.end = start - 1;
    draw_keys(app, &pen, app->view);
}

void verdict_right(struct app *app, struct canvas *canvas, struct rect rect)
{
    const struct grade_report *report = app_report(app);
    int end = rect.x + rect.width - 1;
    if (app->run.kind != RUN_NONE || report)
        canvas_text(canvas, end, rect.y, 1, ROLE_TEXT, " "); // of what is longer than the row
    if (app->run.kind != RUN_NONE)
        canvas_right(canvas, end, rect.y, ROLE_KEY, "  %s %.1f s", phases[app->run.phase].now,
                     app->now - app->run.phase_start);
    else if (report && report->verdict == VERDICT_PASS && app->options.own)
        canvas_right(canvas, end, rect.y, ROLE_GOOD, "  ✓ ran");
    else if (report)
        canvas_right(canvas, end, rect.y, report_look(report).role, "  %s %s %.0f", report_look(report).sign,
                     report->verdict == VERDICT_PASS ? "passed" : verdict_name(report->verdict), report->score);
}
