// The lines around a view: title, phases and verdict, keys.
#include <stdio.h>
#include <string.h>

#include "ui/view.h"

static const char *const phase_words[] = {"compiling", "running", "checking", "timing", "done"};
static const char *const phase_done[] = {"compiled", "ran", "checked", "timed", ""};

const char *short_verdict(const struct grade_report *report, char *text, size_t size)
{
    if (report->verdict == VERDICT_PASS)
        snprintf(text, size, "passed%s", report->full ? " with full marks" : "");
    else
        snprintf(text, size, "%s%s%s", verdict_name(report->verdict),
                 report->verdict == VERDICT_FAIL && report->diagnosis[0] ? ": " : "",
                 report->verdict == VERDICT_FAIL ? report->diagnosis : "");
    return text;
}

const char *next_step(struct app *app, const struct grade_report *report, char *text, size_t size)
{
    snprintf(text, size, "%s", report->next);
    if (report->verdict != VERDICT_PASS)
        return "next";
    if (!report->full)
        return "for full marks";
    int following = app_following_lesson(app);
    if (!*text && following >= 0)
        snprintf(text, size, "lesson %d, in the list (q)", app->lessons[following].lesson->number);
    return "next";
}

static const char *device_of(struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    if (lesson && lesson->report && lesson->report->device[0])
        return lesson->report->device;
    return "";
}

// " 4 padding  1 lesson [2 banks] …": brackets say which view this is without any colour.
static void draw_tabs(struct app *app, struct canvas *canvas, struct rect rect)
{
    static const enum view tabs[] = {VIEW_LESSON, VIEW_BANKS, VIEW_GLOBAL, VIEW_STEP, VIEW_REPORT, VIEW_PLAY};
    const struct lesson *lesson = app_lesson(app)->lesson;
    int x = rect.x + 1;
    int end = rect.x + rect.width;
    x += canvas_printf(canvas, x, rect.y, rect.width > 70 ? end - x : 18, ROLE_BAR, "%d %s", lesson->number,
                       lesson->name) +
         1;
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        bool here = tabs[i] == app->view;
        if (rect.width < 70 && !here)
            continue;
        const char *name = tabs[i] == VIEW_PLAY ? "play" : view_name(tabs[i]);
        int used = canvas_printf(canvas, x, rect.y, end - x, ROLE_BAR, here ? "[%zu %s]" : " %zu %s ", i + 1, name);
        if (here)
            canvas_flag(canvas, (struct rect){x, rect.y, used, 1}, CELL_BOLD);
        canvas_target(canvas, (struct rect){x, rect.y, used, 1}, TARGET_ACTION, (int)app_action_to(tabs[i]), -1);
        x += used;
    }
    const char *device = device_of(app);
    int columns = canvas_columns(canvas, device);
    if (end - columns - 1 > x)
        canvas_right(canvas, end - 1, rect.y, ROLE_BAR, "%s", device);
}

void title_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    canvas_fill(canvas, rect, ROLE_BAR);
    bool in_lesson = app->watched >= 0 && ((IN_RUN | IN_PLAY) & (1u << app->view));
    if (in_lesson) {
        draw_tabs(app, canvas, rect);
        return;
    }
    canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_BAR, "Bankshot  %s", view_name(app->view));
    if (app->device_line[0] && rect.width > canvas_columns(canvas, app->device_line) + 24)
        canvas_right(canvas, rect.x + rect.width - 1, rect.y, ROLE_BAR, "%s", app->device_line);
}

static void draw_running(struct app *app, struct canvas *canvas, struct rect rect)
{
    const struct run *run = &app->run;
    int x = rect.x + 1;
    int end = rect.x + rect.width;
    for (int phase = 0; phase < (int)run->phase && phase < GRADE_DONE; phase++) {
        if (run->seconds[phase] < 0)
            continue;
        x += canvas_text(canvas, x, rect.y, end - x, ROLE_GOOD, "✓ ");
        x +=
            canvas_printf(canvas, x, rect.y, end - x, ROLE_TEXT, "%s %.1f s  ", phase_done[phase], run->seconds[phase]);
    }
    if (run->kind == RUN_QUIZ)
        x += canvas_text(canvas, x, rect.y, end - x, ROLE_KEY, "asking the simulator: ");
    if (run->kind == RUN_RECORD)
        x += canvas_text(canvas, x, rect.y, end - x, ROLE_KEY, "recording: ");
    if (run->kind == RUN_SOLUTION)
        x += canvas_text(canvas, x, rect.y, end - x, ROLE_KEY, "solution: ");
    struct text detail = {0};
    text_escape(&detail, run->detail, strlen(run->detail), false);
    x += canvas_printf(canvas, x, rect.y, end - x, ROLE_KEY, "%s %s%s%.1f s", phase_words[run->phase],
                       text_get(&detail), run->detail[0] ? " " : "", app->now - run->phase_start);
    text_free(&detail);
    canvas_text(canvas, x + 2, rect.y, end - x - 2, ROLE_DIM, "Esc cancels");
}

// The access whose wavefronts changed most since the run before: "line 27: 32 → 1 wavefronts"; "" if none did.
static void describe_change(const struct ui_lesson *lesson, char *text, size_t size)
{
    struct sites now, before;
    const struct grade_report *report = lesson->report, *old = lesson->before;
    double most = 1;
    *text = '\0';
    sites_make(&now, &report->record, PTX_SHARED);
    sites_make(&before, old ? &old->record : NULL, PTX_SHARED);
    for (size_t i = 0; old && i < now.count; i++) {
        const struct counter_line *line = now.items[i];
        const struct counter_line *was = sites_match(&before, old->source, line, &now, report->source);
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
static void draw_cut(struct canvas *canvas, int x, int end, int y, const char *text)
{
    static const char more[] = " … 5 report";
    if (canvas_columns(canvas, text) <= end - x) {
        canvas_text(canvas, x, y, end - x, ROLE_DIM, text);
        return;
    }
    int room = end - x - canvas_columns(canvas, more);
    if (room > 0)
        canvas_text(canvas, x, y, room, ROLE_DIM, text);
    canvas_right(canvas, end, y, ROLE_KEY, "%s", more);
}

static void draw_verdict(struct app *app, const struct ui_lesson *lesson, struct canvas *canvas, struct rect rect)
{
    char text[1024], next[600];
    const char *label = next_step(app, lesson->report, next, sizeof next);
    const struct grade_report *report = lesson->report;
    bool passed = report->verdict == VERDICT_PASS;
    enum role role = passed ? ROLE_GOOD : report->verdict == VERDICT_INFRASTRUCTURE ? ROLE_WARN : ROLE_BAD;
    int x = rect.x + 1, end = rect.x + rect.width - 1;
    x += canvas_printf(canvas, x, rect.y, end - x, role, "%s %s", passed ? "✓" : "✗",
                       short_verdict(report, text, sizeof text));
    x += canvas_printf(canvas, x, rect.y, end - x, ROLE_TEXT, "  %.0f of 100 · %.1f s  ", report->score,
                       report->total_seconds);
    describe_change(lesson, text, sizeof text);
    if (*text)
        x += canvas_printf(canvas, x, rect.y, end - x, ROLE_EMPHASIS, "%s  ", text);
    const struct diagnostic *first = report->messages.count > 0 ? &report->messages.items[0] : NULL;
    if (first && report->verdict == VERDICT_COMPILE_ERROR)
        snprintf(text, sizeof text, first->line > 0 ? "line %d: %s" : "%.0d%s", first->line, first->message);
    else
        snprintf(text, sizeof text, passed && *next ? "%s: %s" : "%.0s%s", label, next);
    draw_cut(canvas, x, end, rect.y, text);
}

void strip_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    canvas_fill(canvas, rect, ROLE_TEXT);
    const struct ui_lesson *lesson = app_lesson(app);
    if (app->run.kind != RUN_NONE)
        draw_running(app, canvas, rect);
    else if (lesson && lesson->source_message[0])
        canvas_put(canvas, rect, ROLE_BAD, "✗ %s", lesson->source_message);
    else if (lesson && lesson->report)
        draw_verdict(app, lesson, canvas, rect);
    else
        canvas_put(canvas, rect, ROLE_DIM, "%s",
                   app->view == VIEW_PLAY ? "Enter compiles and runs it" : "not run yet: save the file or press Enter");
}

static void first_key(const struct action_info *info, struct text *out)
{
    const char *keys = info->keys;
    uint32_t key = key_parse(&keys, false);
    key_format(out, key);
}

static int count_bits(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

// The keys of this view's own actions, then those that several views share.
static void draw_keys(struct canvas *canvas, int x, int end, int y, enum view view, bool own)
{
    struct text key = {0};
    for (int pass = own ? 0 : 1; pass < 2; pass++) {
        for (int i = 1; i < ACTION_COUNT; i++) {
            const struct action_info *info = action_info((enum action)i);
            bool is_own = count_bits(info->views) == 1;
            if (!(info->views & (1u << view)) || !*info->brief || i == ACTION_BACK || i == ACTION_HELP ||
                is_own != (pass == 0))
                continue;
            text_clear(&key);
            first_key(info, &key);
            int columns = canvas_columns(canvas, text_get(&key)) + 1 + canvas_columns(canvas, info->brief);
            if (x + columns > end)
                break;
            canvas_target(canvas, (struct rect){x, y, columns, 1}, TARGET_ACTION, i, -1);
            x += canvas_text(canvas, x, y, end - x, ROLE_KEY, text_get(&key)) + 1;
            x += canvas_text(canvas, x, y, end - x, ROLE_TEXT, info->brief) + 2;
        }
    }
    text_free(&key);
}

void status_draw(struct app *app, struct canvas *canvas, struct rect rect)
{
    int x = rect.x + 1, end = rect.x + rect.width;
    canvas_fill(canvas, rect, ROLE_TEXT);
    if (app->message[0]) {
        canvas_cut(canvas, x, rect.y, end - x, app->message_role, app->message);
        return;
    }
    if (app->view == VIEW_PLAY) { // every letter is text there
        canvas_text(canvas, x, rect.y, end - x, ROLE_KEY,
                    "Enter run  Tab next field  Left, Right lane  PageDown warp  Esc back");
        return;
    }
    // help is the one that must be there, so it comes first, at the right
    int help =
        canvas_right(canvas, end - 1, rect.y, ROLE_TEXT, app->view == VIEW_HOME ? "? keys  q leave" : "? keys  q back");
    enum { HELP_COLUMNS = 6 }; // "? keys"
    canvas_target(canvas, (struct rect){end - 1 - help, rect.y, HELP_COLUMNS, 1}, TARGET_ACTION, ACTION_HELP, -1);
    canvas_target(canvas, (struct rect){end - 1 - help + HELP_COLUMNS + 2, rect.y, help - HELP_COLUMNS - 2, 1},
                  TARGET_ACTION, ACTION_BACK, -1);
    draw_keys(canvas, x, end - help - 2, rect.y, app->view, true);
}

void verdict_right(struct app *app, struct canvas *canvas, struct rect rect)
{
    const struct ui_lesson *lesson = app_lesson(app);
    int end = rect.x + rect.width - 1;
    if (app->run.kind != RUN_NONE) {
        canvas_right(canvas, end, rect.y, ROLE_KEY, "  %s %.1f s", phase_words[app->run.phase],
                     app->now - app->run.phase_start);
        return;
    }
    if (!lesson || !lesson->report)
        return;
    const struct grade_report *report = lesson->report;
    bool passed = report->verdict == VERDICT_PASS;
    canvas_right(canvas, end, rect.y, passed ? ROLE_GOOD : ROLE_BAD, "  %s %s %.0f", passed ? "✓" : "✗",
                 passed ? "passed" : verdict_name(report->verdict), report->score);
}
