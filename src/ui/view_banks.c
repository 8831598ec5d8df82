// Banks: the shared accesses of a run by source line, and the picture of one warp's execution of one of them.
#include <stdio.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

// The chosen access of one run, ready to draw.
struct picture {
    const char *name;
    const struct grade_report *report;
    const struct counter_line *line;
    const struct recorded_access *access;
    struct pattern pattern;
    struct shared_arrays arrays;
    uint32_t warps;
    size_t instances;
};

static struct sites all_sites(const struct grade_report *report)
{
    struct sites sites;
    sites_make(&sites, report ? &report->record : NULL, PTX_SHARED);
    return sites;
}

static void make_picture(struct app *app, struct picture *picture, const struct grade_report *report,
                         const struct counter_line *line, const char *name)
{
    const struct banks_state *state = &app->banks;
    *picture = (struct picture){.name = name, .report = report, .line = line};
    if (!report || !line)
        return;
    const struct recording *recording = &report->record.recording;
    picture->warps = access_warps(recording);
    uint32_t warp = state->warp < picture->warps ? state->warp : 0;
    picture->instances = access_count(recording, line, warp);
    size_t instance = state->instance < picture->instances ? state->instance : 0;
    picture->access = access_get(recording, line, warp, instance);
    if (picture->access)
        pattern_make(&picture->pattern, picture->access, line, !state->as_written);
    if (report->source)
        shared_arrays_read(&picture->arrays, report->source, report->kernel);
}

static const char *caption(const struct app *app, const struct picture *picture, bool brief, char *text, size_t size)
{
    const struct banks_state *state = &app->banks;
    const struct recording *recording = &picture->report->record.recording;
    char block[48], note[64];
    const char *kind = state->memory ? "memory" : state->by_wavefront ? "turns × banks" : "lanes × banks";
    uint32_t warp = state->warp < picture->warps ? state->warp : 0;
    size_t time = picture->instances ? (state->instance < picture->instances ? state->instance : 0) + 1 : 0;
    blocks_name(picture->report, block, sizeof block);
    blocks_note(recording, note, sizeof note);
    if (brief) // "+": more that are not recorded; taller screens say how many
        snprintf(text, size, "warp %u/%u  block %s  time %zu/%zu%s", warp, picture->warps, block, time,
                 picture->instances, *note ? "+" : "");
    else
        snprintf(text, size, "%s  warp %u of %u  block %s  time %zu of %zu%s%s", kind, warp, picture->warps, block,
                 time, picture->instances, *note ? "  " : "", note);
    return text;
}

static void draw_caption(struct app *app, struct canvas *canvas, struct rect rect, const struct picture *picture)
{
    char text[256];
    canvas_line(canvas, rect.x, rect.y, rect.width, ROLE_BORDER);
    int used = canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_TEXT, " %s ",
                             caption(app, picture, false, text, sizeof text));
    if (picture->access && picture->pattern.group < WARP_LANES && rect.width > used + 30)
        canvas_printf(canvas, rect.x + used + 3, rect.y, rect.width - used - 4, ROLE_TEXT, " %u lanes at a time ",
                      picture->pattern.group);
}

// "before: 32 wavefronts, 31 conflicts, block 0,0,0"
static void draw_name(struct canvas *canvas, struct rect row, const struct picture *picture)
{
    char text[64] = "", block[48] = "";
    if (picture->access) {
        snprintf(text, sizeof text, ": %u wavefront%s, %u conflicts, block ", picture->pattern.cost.wavefronts,
                 picture->pattern.cost.wavefronts == 1 ? "" : "s", picture->pattern.cost.conflicts);
        blocks_name(picture->report, block, sizeof block);
    }
    canvas_printf(canvas, row.x + 1, row.y, row.width - 1, ROLE_HEADING, "%s%s%s", picture->name, text, block);
}

static void draw_map(struct app *app, struct canvas *canvas, struct rect rect, const struct picture *picture,
                     bool with_name)
{
    struct banks_state *state = &app->banks;
    if (with_name) {
        draw_name(canvas, rect, picture);
        rect.y++;
        rect.height--;
    }
    if (!picture->report || !picture->line) {
        bool is_coming = state->compare == COMPARE_SOLUTION && app->run.handle && app->run.kind == RUN_SOLUTION &&
                         &app->lessons[app->run.lesson] == app_lesson(app);
        canvas_printf(canvas, rect.x + 1, rect.y + 1, rect.width - 1, ROLE_DIM, "%s: %s", picture->name,
                      is_coming ? "being run" : "nothing to show");
        return;
    }
    const struct pattern *pattern = picture->access ? &picture->pattern : NULL;
    if (state->memory) {
        struct memory_picture memory = {pattern,     &picture->arrays, &picture->report->record.recording,
                                        state->lane, state->memory,    state->map.top};
        state->map.top = memory_draw(canvas, rect, &memory);
        return;
    }
    if (!pattern) {
        blocks_draw_absent(app, canvas, rect, picture->report, state->warp < picture->warps ? state->warp : 0);
        return;
    }
    struct heat heat = {pattern, state->by_wavefront, state->lane, UINT32_MAX, state->map.top};
    if (state->playing)
        heat.turns_shown = state->turn % (pattern->cost.wavefronts ? pattern->cost.wavefronts : 1);
    state->map.top = heat_draw(canvas, rect, &heat);
}

static void draw_nothing(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct ui_lesson *lesson = app_lesson(app);
    const struct grade_report *report = lesson ? lesson->report : NULL;
    if (!report) {
        canvas_text(canvas, body.x + 2, body.y + 1, body.width - 2, ROLE_DIM,
                    "No run yet: press e to edit, or 1 then Enter to run.");
        return;
    }
    if (report->record.counters.count > 0) {
        canvas_text(canvas, body.x + 2, body.y + 1, body.width - 2, ROLE_DIM,
                    "This kernel does not touch shared memory: 3 shows what it does to global memory.");
        return;
    }
    char text[160];
    canvas_printf(canvas, body.x + 2, body.y + 1, body.width - 2, ROLE_BAD, "The last save did not run: %s.",
                  short_verdict(report, text, sizeof text));
    for (size_t i = 0; i < report->messages.count && (int)i < body.height - 4; i++)
        canvas_printf(canvas, body.x + 2, body.y + 3 + (int)i, body.width - 2, ROLE_TEXT, "line %d: %s",
                      report->messages.items[i].line, report->messages.items[i].message);
}

// Why the access costs what it costs.
static void explain(const struct pattern *pattern, char *text, size_t size)
{
    uint32_t worst = 0;
    for (uint32_t bank = 1; bank < BANKS; bank++)
        if (pattern->hits[bank] > pattern->hits[worst])
            worst = bank;
    const char *groups = pattern->group == 8    ? ", 8 lanes at a time"
                         : pattern->group == 16 ? ", 16 lanes at a time"
                                                : "";
    if (pattern->mask == 0)
        snprintf(text, size, "no lane is active: no wavefront");
    else if (pattern->cost.conflicts == 0)
        snprintf(text, size, "no bank is asked for two different words%s: no lane waits for another", groups);
    else
        snprintf(text, size,
                 "bank %u is asked for %u different words%s: one word a turn, so the lanes wait for each other", worst,
                 pattern->hits[worst], groups);
}

static void draw_detail(struct app *app, struct canvas *canvas, struct rect rect, const struct picture *picture,
                        bool compact)
{
    char text[512];
    heat_describe(picture->access ? &picture->pattern : NULL, &picture->arrays, app->banks.lane, text, sizeof text);
    canvas_text(canvas, rect.x + 1, rect.y, rect.width - 1, ROLE_EMPHASIS, text);
    if (compact)
        verdict_right(app, canvas, rect);
    if (rect.height > 1 && picture->access) {
        explain(&picture->pattern, text, sizeof text);
        canvas_text(canvas, rect.x + 1, rect.y + 1, rect.width - 1, ROLE_DIM, text);
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
    struct sites old = all_sites(before), solved = all_sites(lesson->solution);
    scroll_fit(&state->list, (int)sites->count, 1, true);
    const struct counter_line *line = sites->items[state->list.cursor];
    struct picture now, second;
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
        list.caption = caption(app, now.report ? &now : &second, true, text, sizeof text);
    site_list_draw(canvas, layout.list_head, layout.list, &list, &state->list);
    bool both = layout.second.width > 0;
    const struct picture *shown = state->compare == COMPARE_NOW || both ? &now : &second;
    if (!both && state->compare == COMPARE_BOTH)
        shown = &second;
    if (!compact)
        draw_caption(app, canvas, layout.caption, now.report ? &now : &second);
    draw_map(app, canvas, layout.map, shown, both || state->compare != COMPARE_NOW);
    if (both)
        draw_map(app, canvas, layout.second, &second, true);
    draw_detail(app, canvas, layout.detail, shown, compact);
    sites_free(&old);
    sites_free(&solved);
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    const char *name;
    const struct grade_report *report = app_compared(app, COMPARE_NOW, &name);
    struct sites sites = all_sites(report);
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
    struct sites before = all_sites(old), now = all_sites(report);
    int cursor = app->banks.list.cursor, found = -1;
    if (cursor >= 0 && (size_t)cursor < before.count && now.count > 0) {
        const struct counter_line *same = sites_match(&now, report->source, before.items[cursor], &before, old->source);
        for (size_t i = 0; same && i < now.count; i++)
            if (now.items[i] == same)
                found = (int)i;
    } else if (before.count == 0) {
        found = worst_site(&now);
    }
    if (found >= 0)
        app->banks.list.cursor = found;
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

static void step_number(uint32_t *number, uint32_t count, int by)
{
    if (count > 0)
        *number = (uint32_t)(((int64_t)*number + by + count) % count);
}

static void step_instance(struct app *app, const struct grade_report *report, const struct counter_line *line, int by)
{
    size_t count = access_count(&report->record.recording, line, app->banks.warp);
    if (count > 0)
        app->banks.instance = (app->banks.instance % count + count + (size_t)by) % count;
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
    state->map.top = 0;
    return true;
}

static bool act(struct app *app, enum action action)
{
    const char *name;
    const struct grade_report *report = app_compared(app, COMPARE_NOW, &name);
    struct sites sites = all_sites(report);
    struct banks_state *state = &app->banks;
    size_t count = sites.count;
    const struct counter_line *line =
        count ? sites.items[(size_t)state->list.cursor < count ? state->list.cursor : 0] : NULL;
    bool known = true;
    if (action == ACTION_LEFT || action == ACTION_RIGHT)
        step_number(&state->lane, WARP_LANES, action == ACTION_RIGHT ? 1 : -1);
    else if (line && (action == ACTION_WARP_NEXT || action == ACTION_WARP_PREVIOUS))
        step_number(&state->warp, access_warps(&report->record.recording), action == ACTION_WARP_NEXT ? 1 : -1);
    else if (line && (action == ACTION_TIME_NEXT || action == ACTION_TIME_PREVIOUS))
        step_instance(app, report, line, action == ACTION_TIME_NEXT ? 1 : -1);
    else if (action == ACTION_EDIT_LINE)
        app_edit(app, line ? (int)line->line : 1);
    else if (scroll_move(&state->list, action, (int)count, 4, true))
        state->instance = 0;
    else
        known = act_toggle(app, action);
    sites_free(&sites);
    return known;
}

static bool find(struct app *app, int direction)
{
    const char *name;
    const struct grade_report *report = app_compared(app, COMPARE_NOW, &name);
    struct sites sites = all_sites(report);
    bool found = false;
    int count = (int)sites.count;
    for (int i = 1; i <= count && !found; i++) {
        char text[512];
        int at = ((app->banks.list.cursor + direction * i) % count + count) % count;
        source_line(report->source, (int)sites.items[at]->line, text, sizeof text);
        found = strcasestr(text, app->match) != NULL;
        if (found)
            app->banks.list.cursor = at;
    }
    sites_free(&sites);
    return found;
}

const struct view_ops view_banks = {draw, act, find, NULL};
