// Banks: the shared accesses of a run by source line, and the picture of one warp's execution of one of them.
#include <stdio.h>
#include <string.h>

#include "grade/report.h"
#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

static void draw_bank_caption(struct app *app, struct canvas *canvas, struct rect rect,
                              const struct access_picture *picture)
{
    char text[256];
    const char *kind = app->banks.memory ? "memory" : app->banks.by_wavefront ? "turns × banks" : "lanes × banks";
    canvas_rule(canvas, rect_row(rect, 0));
    int used = canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_TEXT, " %s  %s ", kind,
                             choice_caption(&picture->choice, false, text, sizeof text));
    if (picture->pattern && picture->pattern->schedule.group < WARP_LANES && rect.width > used + 30)
        canvas_printf(canvas, rect.x + used + 3, rect.y, rect.width - used - 4, ROLE_TEXT, " %u lanes at a time ",
                      picture->pattern->schedule.group);
}

// "before: 32 wavefronts, 31 conflicts, block 0,0,0"
static void draw_name(struct canvas *canvas, struct rect row, const struct access_picture *picture, const char *name)
{
    char block[48];
    const struct bank_pattern *pattern = picture->pattern;
    struct pen pen = canvas_pen(canvas, row);
    pen_put(&pen, ROLE_HEADING, "%s", name);
    if (pattern)
        pen_put(&pen, ROLE_HEADING, ": %u wavefront%s, %u conflict%s, block %s", pattern->schedule.cost.wavefronts,
                pattern->schedule.cost.wavefronts == 1 ? "" : "s", pattern->schedule.cost.conflicts,
                pattern->schedule.cost.conflicts == 1 ? "" : "s",
                blocks_name(picture->choice.report, block, sizeof block));
}

// name: stands above, where there is another picture that this one could be taken for; else NULL.
static void draw_map(struct app *app, struct canvas *canvas, struct rect rect, const struct access_picture *picture,
                     const char *name)
{
    struct banks_state *state = &app->banks;
    const struct choice *choice = &picture->choice;
    const struct bank_pattern *pattern = picture->pattern;
    int *top = &state->list.picture.top;
    if (name) {
        draw_name(canvas, rect, picture, name);
        rect = rect_below(rect, 1);
    }
    if (!choice->site) {
        bool is_coming = state->compare == COMPARE_SOLUTION && app->run.handle && app->run.kind == RUN_SOLUTION &&
                         &app->lessons[app->run.lesson] == app_lesson(app);
        canvas_put(canvas, rect_row(rect, 1), ROLE_DIM, "%s: %s", name, is_coming ? "being run" : "nothing to show");
    } else if (state->memory) {
        struct memory_picture memory = {pattern,          &picture->arrays, &choice->report->record.recording,
                                        state->list.lane, state->memory,    *top};
        *top = memory_draw(canvas, rect, &memory);
    } else if (!pattern && strcmp(choice->site->line->op, "wgmma") == 0) {
        canvas_put(canvas, rect_row(rect, 1), ROLE_DIM,
                   "what it reads its descriptors name: no lane has an address to draw");
    } else if (!pattern) {
        blocks_draw_absent(app, canvas, rect, choice->report, choice->warp);
    } else {
        struct heat heat = {pattern, state->by_wavefront, state->list.lane, UINT32_MAX, *top, question_hides(app)};
        state->turns = pattern->schedule.cost.wavefronts;
        if (state->playing)
            heat.turns_shown =
                state->turn % (pattern->schedule.cost.wavefronts ? pattern->schedule.cost.wavefronts : 1);
        *top = heat_draw(canvas, rect, &heat);
    }
}

static void draw_nothing(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct grade_report *report = app_report(app);
    if (!report) {
        canvas_notice(canvas, body, ROLE_DIM, "No run yet: press e to edit, or 1 then Enter to run.");
        return;
    }
    if (report->record.counters.count > 0) {
        struct rect below = {body.x, body.y + 1, body.width, body.height - 1};
        canvas_notice(canvas, body, ROLE_DIM, "This kernel does not touch shared memory.");
        canvas_notice(canvas, below, ROLE_DIM, "%s3: global memory",
                      app_lesson(app)->lesson->question_count > 0 ? "j, k: pictures of the questions  " : "");
        return;
    }
    char text[160];
    canvas_notice(canvas, body, ROLE_BAD, "The last save did not run: %s.", report_verdict(report, text, sizeof text));
    for (size_t i = 0; i < report->messages.count && (int)i < body.height - 4; i++)
        canvas_printf(canvas, body.x + 2, body.y + 3 + (int)i, body.width - 2, ROLE_TEXT, "line %d: %s",
                      report->messages.items[i].line, report->messages.items[i].message);
}

// The source around the access, where the picture leaves room.
static void draw_beside(struct canvas *canvas, struct rect rect, const struct choice *choice)
{
    const struct source_notes none = {0};
    struct page page;
    page_init(&page, rect.width, canvas->ascii);
    source_page(&page, choice->report->source, &none);
    struct scroll scroll = {.cursor = (int)choice->site->line->line - 1};
    scroll.top = scroll.cursor - rect.height / 2;
    page_fit(&page, &scroll, rect);
    page_draw(&page, canvas, rect, &scroll, NULL);
    struct rect number = page_place(&page, rect, &scroll, scroll.cursor);
    number.width = NUMBER_COLUMNS;
    canvas_flag(canvas, number, CELL_REVERSE);
    page_free(&page);
}

static void draw_detail(struct app *app, struct canvas *canvas, struct rect rect, const struct access_picture *picture,
                        bool compact)
{
    char text[512];
    heat_describe(picture->pattern, &picture->arrays, app->banks.list.lane, text, sizeof text);
    canvas_put(canvas, rect, ROLE_EMPHASIS, "%s", text);
    if (compact)
        verdict_right(app, canvas, rect);
    if (rect.height > 1 && picture->pattern) {
        if (picture->choice.access->operation.fused_away && !app->banks.as_written)
            snprintf(text, sizeof text, "as compiled, another instruction does its work");
        else
            bank_pattern_explain(picture->pattern, text, sizeof text);
        canvas_put(canvas, rect_row(rect, 1), ROLE_DIM, "%s", text);
    }
}

// Of a question: the picture alone.
static void draw_asked(struct app *app, struct canvas *canvas, struct rect body, const struct grade_report *report,
                       const struct sites *sites)
{
    struct access_picture picture;
    picture_make(&picture, &app->banks.list, report, list_site(&app->banks.list, sites), true);
    bool detailed = !question_hides(app) && body.height > LAYOUT_MAP_ROWS;
    draw_map(app, canvas, (struct rect){body.x, body.y, body.width, body.height - detailed}, &picture, NULL);
    if (detailed)
        draw_detail(app, canvas, rect_row(body, -1), &picture, false);
}

static void draw_views(struct app *app, struct canvas *canvas, struct rect body, const struct grade_report *report,
                       const struct sites *sites)
{
    struct banks_state *state = &app->banks;
    const struct ui_lesson *lesson = app_lesson(app);
    const struct grade_report *other = state->compare == COMPARE_SOLUTION ? lesson->solution : app_before(app);
    struct sites old = list_sites(app, app_before(app), PTX_SHARED), others = list_sites(app, other, PTX_SHARED);
    const struct site *site = list_site(&state->list, sites);
    struct access_picture now, second;
    picture_make(&now, &state->list, report, site, !state->as_written);
    picture_make(&second, &state->list, other, sites_match(&others, sites, (size_t)state->list.rows.cursor),
                 !state->as_written);
    bool compact = layout_banks_compact(canvas->height);
    struct banks_layout layout = layout_banks(body, (int)sites->count, state->compare != COMPARE_NOW, compact);
    struct site_list list = {sites, &old, false, state->as_written, NULL, app_before_name(app)};
    char text[256];
    if (compact)
        list.caption = choice_caption(&now.choice, true, text, sizeof text);
    site_list_draw(canvas, layout.list_head, layout.list, &list, &state->list.rows);
    if (!compact)
        draw_bank_caption(app, canvas, layout.caption, &now);
    const char *name = state->compare == COMPARE_SOLUTION ? "solution" : app_before_name(app);
    bool both = layout.second.width > 0, only_now = state->compare == COMPARE_NOW;
    const struct access_picture *first = only_now || both ? &now : &second;
    if (layout.source.width > 0 && report->source)
        draw_beside(canvas, layout.source, &now.choice);
    draw_map(app, canvas, layout.map, first, both ? "now" : only_now ? NULL : name);
    if (both)
        draw_map(app, canvas, layout.second, &second, name);
    draw_detail(app, canvas, layout.detail, first, compact);
    sites_free(&old);
    sites_free(&others);
}

static void draw_banks(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct grade_report *report = app_pictured(app);
    struct sites sites = list_sites(app, report, PTX_SHARED);
    if (sites.count == 0)
        draw_nothing(app, canvas, body);
    else if (app->asked.report)
        draw_asked(app, canvas, body, report, &sites);
    else
        draw_views(app, canvas, body, report, &sites);
    sites_free(&sites);
}

// The access that waits most: what one came to see.
static int worst_site(const struct sites *sites)
{
    int worst = 0;
    for (size_t i = 1; i < sites->count; i++)
        if (sites->items[i].line->conflicts * sites->items[i].set.count >
            sites->items[worst].line->conflicts * sites->items[worst].set.count)
            worst = (int)i;
    return worst;
}

void banks_follow(struct app *app, const struct grade_report *old, const struct grade_report *report)
{
    struct sites before = list_sites(app, old, PTX_SHARED), now = list_sites(app, report, PTX_SHARED);
    int cursor = app->banks.list.rows.cursor, found = -1;
    if (cursor >= 0 && (size_t)cursor < before.count && now.count > 0) {
        const struct site *same = sites_match(&now, &before, (size_t)cursor);
        found = same ? (int)(same - now.items) : -1;
    } else if (before.count == 0) {
        found = worst_site(&now);
    }
    if (found >= 0)
        app->banks.list.rows.cursor = found;
    sites_free(&before);
    sites_free(&now);
}

static void step_compare(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    bool wide = app->canvas.width >= LAYOUT_COMPARE_WIDTH;
    bool may_solve =
        !app->options.own && (lesson->solution_shown || (lesson->report && lesson->report->verdict == VERDICT_PASS));
    enum compare compare = app->banks.compare;
    do
        compare = (compare + 1) % COMPARE_COUNT;
    while ((compare == COMPARE_BOTH && !wide) || (compare == COMPARE_BEFORE && wide) ||
           ((compare == COMPARE_BEFORE || compare == COMPARE_BOTH) && !app_before(app)) ||
           (compare == COMPARE_SOLUTION && !may_solve));
    if (compare == COMPARE_NOW && app->banks.compare == COMPARE_NOW)
        app_say_nothing_before(app);
    else if (compare == COMPARE_BEFORE || compare == COMPARE_BOTH)
        app_say(app, ROLE_DIM, "showing %s%s", compare == COMPARE_BOTH ? "now beside " : "", app_before_name(app));
    else
        app_say(app, ROLE_DIM, "showing %s", compare == COMPARE_NOW ? "now" : "the solution");
    app->banks.compare = compare;
    if (compare == COMPARE_SOLUTION && !lesson->solution)
        app_run(app, RUN_SOLUTION);
}

// The cursor stays on its access; one that is not listed as compiled leads to the same line's.
static void toggle_compiled(struct app *app)
{
    struct banks_state *state = &app->banks;
    struct sites old = list_sites(app, app_pictured(app), PTX_SHARED);
    const struct counter_line *line = old.count ? list_site(&state->list, &old)->line : NULL;
    state->as_written = !state->as_written;
    struct sites now = list_sites(app, app_pictured(app), PTX_SHARED);
    int found = line ? sites_find(&now, line->pc) : -1;
    for (size_t i = 0; line && found < 0 && i < now.count; i++)
        found = now.items[i].line->line == line->line ? (int)i : -1;
    if (found >= 0)
        state->list.rows.cursor = found;
    if (state->as_written)
        app_say(app, ROLE_DIM, "as written in PTX, before ptxas joins neighbours into one access: %zu more", old.fused);
    else
        app_say(app, ROLE_DIM, "as compiled: the %zu accesses that others do are not listed", now.fused);
    sites_free(&old);
    sites_free(&now);
}

void banks_tell_fused(struct app *app)
{
    struct sites sites = list_sites(app, app_pictured(app), PTX_SHARED);
    if (sites.fused && !app->told_fused)
        app_say(app, ROLE_DIM, "fused: ptxas joined %zu accesses into wider neighbours; c lists them, too",
                sites.fused);
    app->told_fused |= sites.fused > 0;
    sites_free(&sites);
}

static bool act_toggle(struct app *app, enum action action)
{
    struct banks_state *state = &app->banks;
    bool gives_away =
        action == ACTION_WAVEFRONTS || action == ACTION_PLAY || (action == ACTION_MEMORY && question_hides_banks(app));
    if ((question_hides(app) && gives_away) || (app->asked.report && action == ACTION_COMPARE)) {
        app_say(app, ROLE_DIM, "not in this picture; a answers the question, q goes back to the text");
        return true;
    }
    switch (action) {
    case ACTION_WAVEFRONTS:
        state->by_wavefront = !state->by_wavefront;
        state->memory = MEMORY_OFF;
        break;
    case ACTION_MEMORY:
        state->memory = (state->memory + 1) % MEMORY_COUNT;
        break;
    case ACTION_COMPILED:
        toggle_compiled(app);
        break;
    case ACTION_PLAY:
        state->playing = !state->playing;
        state->by_wavefront = true;
        state->memory = MEMORY_OFF;
        state->turn = 0;
        state->next_turn = app->now + 0.4;
        break;
    case ACTION_COMPARE:
        step_compare(app);
        break;
    default:
        return false;
    }
    state->list.picture.top = 0;
    return true;
}

static bool act_banks(struct app *app, enum action action)
{
    struct sites sites = list_sites(app, app_pictured(app), PTX_SHARED);
    bool asks = app->asked.report || (sites.report && sites.report->record.counters.count > 0 && sites.count == 0);
    sites_free(&sites);
    if (asks && question_act(app, action))
        return true;
    return list_act(app, &app->banks.list, PTX_SHARED, action) || act_toggle(app, action);
}

static bool find_banks(struct app *app, int direction)
{
    return list_find(app, &app->banks.list, PTX_SHARED, direction);
}

const struct view_ops view_banks = {.draw = draw_banks, .act = act_banks, .find = find_banks};
