// Banks: the shared accesses of a run by source line, and the picture of one warp's execution of one of them.
#include <stdio.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/view.h"

// The chosen access of one run, ready to draw.
struct bank_picture {
    const char *name;
    struct choice choice;
    struct bank_pattern pattern;
    struct shared_arrays arrays;
};

static void make_picture(const struct app *app, struct bank_picture *picture, const struct grade_report *report,
                         const struct counter_line *line, const char *name)
{
    *picture = (struct bank_picture){.name = name, .choice = list_choose(&app->banks.list, report, line)};
    if (picture->choice.access)
        bank_pattern_of(&picture->pattern, picture->choice.access, !app->banks.as_written);
    if (line && report->source)
        shared_arrays_read(&picture->arrays, report->source, report->kernel);
}

static void draw_caption(struct app *app, struct canvas *canvas, struct rect rect, const struct bank_picture *picture)
{
    char text[256];
    const char *kind = app->banks.memory ? "memory" : app->banks.by_wavefront ? "turns × banks" : "lanes × banks";
    canvas_rule(canvas, rect_row(rect, 0));
    int used = canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_TEXT, " %s  %s ", kind,
                             choice_caption(&picture->choice, false, text, sizeof text));
    if (picture->choice.access && picture->pattern.schedule.group < WARP_LANES && rect.width > used + 30)
        canvas_printf(canvas, rect.x + used + 3, rect.y, rect.width - used - 4, ROLE_TEXT, " %u lanes at a time ",
                      picture->pattern.schedule.group);
}

// "before: 32 wavefronts, 31 conflicts, block 0,0,0"
static void draw_name(struct canvas *canvas, struct rect row, const struct bank_picture *picture)
{
    char text[64] = "", block[48] = "";
    if (picture->choice.access) {
        snprintf(text, sizeof text, ": %u wavefront%s, %u conflicts, block ", picture->pattern.schedule.cost.wavefronts,
                 picture->pattern.schedule.cost.wavefronts == 1 ? "" : "s", picture->pattern.schedule.cost.conflicts);
        blocks_name(picture->choice.report, block, sizeof block);
    }
    canvas_put(canvas, row, ROLE_HEADING, "%s%s%s", picture->name, text, block);
}

static void draw_map(struct app *app, struct canvas *canvas, struct rect rect, const struct bank_picture *picture,
                     bool with_name)
{
    struct banks_state *state = &app->banks;
    if (with_name) {
        draw_name(canvas, rect, picture);
        rect.y++;
        rect.height--;
    }
    if (!picture->choice.report || !picture->choice.line) {
        bool is_coming = state->compare == COMPARE_SOLUTION && app->run.handle && app->run.kind == RUN_SOLUTION &&
                         &app->lessons[app->run.lesson] == app_lesson(app);
        canvas_put(canvas, rect_row(rect, 1), ROLE_DIM, "%s: %s", picture->name,
                   is_coming ? "being run" : "nothing to show");
        return;
    }
    const struct bank_pattern *pattern = picture->choice.access ? &picture->pattern : NULL;
    if (state->memory) {
        struct memory_picture memory = {pattern,          &picture->arrays, &picture->choice.report->record.recording,
                                        state->list.lane, state->memory,    state->list.picture.top};
        state->list.picture.top = memory_draw(canvas, rect, &memory);
        return;
    }
    if (!pattern) {
        blocks_draw_absent(app, canvas, rect, picture->choice.report, picture->choice.warp);
        return;
    }
    struct heat heat = {pattern, state->by_wavefront, state->list.lane, UINT32_MAX, state->list.picture.top};
    if (state->playing)
        heat.turns_shown = state->turn % (pattern->schedule.cost.wavefronts ? pattern->schedule.cost.wavefronts : 1);
    state->list.picture.top = heat_draw(canvas, rect, &heat);
}

static void draw_nothing(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct ui_lesson *lesson = app_lesson(app);
    const struct grade_report *report = lesson ? lesson->report : NULL;
    if (!report) {
        canvas_notice(canvas, body, ROLE_DIM, "No run yet: press e to edit, or 1 then Enter to run.");
        return;
    }
    if (report->record.counters.count > 0) {
        canvas_notice(canvas, body, ROLE_DIM,
                      "This kernel does not touch shared memory: 3 shows what it does to global memory.");
        return;
    }
    char text[160];
    canvas_notice(canvas, body, ROLE_BAD, "The last save did not run: %s.", short_verdict(report, text, sizeof text));
    for (size_t i = 0; i < report->messages.count && (int)i < body.height - 4; i++)
        canvas_printf(canvas, body.x + 2, body.y + 3 + (int)i, body.width - 2, ROLE_TEXT, "line %d: %s",
                      report->messages.items[i].line, report->messages.items[i].message);
}

// Why the access costs what it costs.
static void explain(const struct bank_pattern *pattern, bool is_fused_away, char *text, size_t size)
{
    uint32_t worst = 0;
    for (uint32_t bank = 1; bank < BANKS; bank++)
        if (pattern->hits[bank] > pattern->hits[worst])
            worst = bank;
    const char *groups = pattern->schedule.group == 8    ? ", 8 lanes at a time"
                         : pattern->schedule.group == 16 ? ", 16 lanes at a time"
                                                         : "";
    if (is_fused_away)
        snprintf(text, size, "as compiled, another instruction does its work");
    else if (pattern->access.kind == BANK_COPY_BYPASS || pattern->access.kind == BANK_BULK)
        snprintf(text, size, "a copy past L1 waits for no bank%s", groups);
    else if (pattern->access.mask == 0)
        snprintf(text, size, "no lane is active: no wavefront");
    else if (pattern->schedule.cost.conflicts == 0)
        snprintf(text, size, "no bank is asked for two different words%s: no lane waits for another", groups);
    else
        snprintf(text, size,
                 "bank %u is asked for %u different words%s: one word a turn, so the lanes wait for each other", worst,
                 pattern->hits[worst], groups);
}

static void draw_detail(struct app *app, struct canvas *canvas, struct rect rect, const struct bank_picture *picture,
                        bool compact)
{
    char text[512];
    heat_describe(picture->choice.access ? &picture->pattern : NULL, &picture->arrays, app->banks.list.lane, text,
                  sizeof text);
    canvas_put(canvas, rect, ROLE_EMPHASIS, "%s", text);
    if (compact)
        verdict_right(app, canvas, rect);
    if (rect.height > 1 && picture->choice.access) {
        explain(&picture->pattern, picture->choice.access->operation.fused_away && !app->banks.as_written, text,
                sizeof text);
        canvas_put(canvas, rect_row(rect, 1), ROLE_DIM, "%s", text);
    }
}

static const struct counter_line *match(const struct grade_report *other, const struct sites *other_sites,
                                        const struct counter_line *line, const struct sites *sites,
                                        const struct grade_report *report)
{
    return other && line ? sites_match(other_sites, other->source, line, sites, report->source) : NULL;
}

static void draw_views(struct app *app, struct canvas *canvas, struct rect body, const struct grade_report *report,
                       const struct sites *sites)
{
    struct banks_state *state = &app->banks;
    const struct ui_lesson *lesson = app_lesson(app);
    const struct grade_report *before = lesson->before;
    struct sites old = list_sites(before, PTX_SHARED), solved = list_sites(lesson->solution, PTX_SHARED);
    const struct counter_line *line = list_line(&state->list, sites);
    struct bank_picture now, second;
    make_picture(app, &now, report, line, "now");
    if (state->compare == COMPARE_SOLUTION)
        make_picture(app, &second, lesson->solution, match(lesson->solution, &solved, line, sites, report), "solution");
    else
        make_picture(app, &second, before, match(before, &old, line, sites, report), "before");
    bool compact = layout_banks_compact(canvas->height);
    struct banks_layout layout = layout_banks(body, (int)sites->count, state->compare != COMPARE_NOW, compact);
    struct site_list list = {
        sites, before ? &old : NULL, report->source, before ? before->source : NULL, false, state->as_written, NULL};
    char text[256];
    if (compact)
        list.caption = choice_caption(&now.choice, true, text, sizeof text);
    site_list_draw(canvas, layout.list_head, layout.list, &list, &state->list.rows);
    bool both = layout.second.width > 0;
    const struct bank_picture *shown = state->compare == COMPARE_NOW || both ? &now : &second;
    if (!both && state->compare == COMPARE_BOTH)
        shown = &second;
    if (!compact)
        draw_caption(app, canvas, layout.caption, &now);
    draw_map(app, canvas, layout.map, shown, both || state->compare != COMPARE_NOW);
    if (both)
        draw_map(app, canvas, layout.second, &second, true);
    draw_detail(app, canvas, layout.detail, shown, compact);
    sites_free(&old);
    sites_free(&solved);
}

static void draw_banks(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct grade_report *report = app_report(app);
    struct sites sites = list_sites(report, PTX_SHARED);
    if (sites.count == 0)
        draw_nothing(app, canvas, body);
    else
        draw_views(app, canvas, body, report, &sites);
    sites_free(&sites);
}

// The access that waits most: what one came to see.
static int worst_site(const struct sites *sites)
{
    int worst = 0;
    for (size_t i = 1; i < sites->count; i++)
        if (sites->items[i]->conflicts > sites->items[worst]->conflicts)
            worst = (int)i;
    return worst;
}

void banks_follow(struct app *app, const struct grade_report *old, const struct grade_report *report)
{
    struct sites before = list_sites(old, PTX_SHARED), now = list_sites(report, PTX_SHARED);
    int cursor = app->banks.list.rows.cursor, found = -1;
    if (cursor >= 0 && (size_t)cursor < before.count && now.count > 0) {
        const struct counter_line *same = sites_match(&now, report->source, before.items[cursor], &before, old->source);
        for (size_t i = 0; same && i < now.count; i++)
            if (now.items[i] == same)
                found = (int)i;
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
    bool may_solve = lesson->solution_shown || (lesson->report && lesson->report->verdict == VERDICT_PASS);
    static const char *const words[] = {"now", "before", "now and before side by side", "the solution"};
    enum compare compare = app->banks.compare;
    do
        compare = (compare + 1) % COMPARE_COUNT;
    while ((compare == COMPARE_BOTH && !wide) || (compare == COMPARE_BEFORE && wide) ||
           ((compare == COMPARE_BEFORE || compare == COMPARE_BOTH) && !lesson->before) ||
           (compare == COMPARE_SOLUTION && !may_solve));
    if (compare == COMPARE_NOW && app->banks.compare == COMPARE_NOW)
        app_say(app, ROLE_DIM, "nothing to compare with yet: save a change first");
    else
        app_say(app, ROLE_DIM, "showing %s", words[compare]);
    app->banks.compare = compare;
    if (compare == COMPARE_SOLUTION && !lesson->solution)
        app_run(app, RUN_SOLUTION);
}

static bool act_toggle(struct app *app, enum action action)
{
    struct banks_state *state = &app->banks;
    switch (action) {
    case ACTION_WAVEFRONTS:
        state->by_wavefront = !state->by_wavefront;
        state->memory = MEMORY_OFF;
        break;
    case ACTION_MEMORY:
        state->memory = (state->memory + 1) % MEMORY_COUNT;
        break;
    case ACTION_COMPILED:
        state->as_written = !state->as_written;
        app_say(app, ROLE_DIM, state->as_written ? "as written in PTX" : "as compiled: accesses fused as ptxas does");
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
    return list_act(app, &app->banks.list, PTX_SHARED, action) || act_toggle(app, action);
}

static bool find_banks(struct app *app, int direction)
{
    return list_find(app, &app->banks.list, PTX_SHARED, direction);
}

const struct view_ops view_banks = {draw_banks, NULL, act_banks, find_banks, NULL};
