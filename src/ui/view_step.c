// Step: time travel through the recorded block, one shared access at a time: where each warp is, what shared memory
// holds, and who wrote it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

static bool open_timeline(struct timeline *time, struct app *app)
{
    return timeline_make(time, app_pictured(app), app->step.moment);
}

static void draw_timeline(const struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    int width = rect.width - 2;
    char block[48], note[64];
    const struct recording *recording = &time->report->record.recording;
    canvas_target(canvas, (struct rect){rect.x + 1, rect.y, width, 1}, TARGET_MOMENT, (int)time->count, -1);
    for (int x = 0; x < width; x++)
        canvas_text(canvas, rect.x + 1 + x, rect.y, 1, ROLE_BORDER, "─");
    for (size_t i = 1; i < time->count; i++)
        if (time->moments[i]->phase != time->moments[i - 1]->phase)
            canvas_text(canvas, rect.x + 1 + (int)(i * (size_t)width / time->count), rect.y, 1, ROLE_WARN, "│");
    canvas_text(canvas, rect.x + 1 + (int)(time->moment * (size_t)width / time->count), rect.y, 1, ROLE_KEY, "●");
    bool is_other = app->recorded == time->report;
    size_t size = is_other ? app->recorded_size : 0;
    char where[64] = "";
    if (blocks_size(app, time->report, size))
        snprintf(where, sizeof where, "   size %.40s", blocks_size(app, time->report, size)->name);
    char after[48] = "│ is a barrier";
    if (!question_hides(app))
        snprintf(after, sizeof after, "after %u barrier%s (│)", time->now->phase, time->now->phase == 1 ? "" : "s");
    canvas_printf(canvas, rect.x + 1, rect.y + 1, width, ROLE_TEXT, "moment %zu of %zu   %s   block %s%s%s%s%s",
                  time->moment + 1, time->count, after, blocks_name(time->report, block, sizeof block), where,
                  is_other && app->recorded_numbered ? "   numbered inputs" : "", recording->truncated ? "   " : "",
                  blocks_note(recording, note, sizeof note));
}

// "17  st 32-bit  tile[…] = …": the line, the operation and the text.
static const char *access_text(const struct timeline *time, const struct recorded_access *access, const char *gap,
                               char *text, size_t size)
{
    char source[300], operation[32] = "";
    const struct counter_line *line = timeline_line(time, access->pc);
    uint32_t number = line ? line->line : 0;
    if (line)
        site_operation(line, true, operation, sizeof operation);
    snprintf(text, size, "%u%s%s  %s", number, gap, operation,
             source_line(time->report->source, (int)number, source, sizeof source));
    return text;
}

static void draw_moment(const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    char text[400], caption[500];
    snprintf(caption, sizeof caption, "▸ warp %u  line %s", time->now->warp,
             access_text(time, time->now, "  ", text, sizeof text));
    canvas_cut(canvas, rect.x + 1, rect.y, rect.width - 1, ROLE_EMPHASIS, caption);
}

static void draw_warps(const struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    char text[400];
    struct rect before = canvas_clip(canvas, rect);
    bool counts = !question_hides(app);
    canvas_put(canvas, rect, ROLE_DIM,
               counts ? "warp  barriers  last shared access" : "warp            last shared access");
    int first = (int)time->now->warp >= rect.height - 1 ? (int)time->now->warp - rect.height + 2 : 0;
    for (int y = 1; y < rect.height && (uint32_t)(first + y - 1) < time->warps; y++) {
        uint32_t warp = (uint32_t)(first + y - 1);
        const struct recorded_access *last = NULL;
        for (size_t i = 0; i <= time->moment; i++)
            if (time->moments[i]->warp == warp)
                last = time->moments[i];
        bool here = time->now->warp == warp;
        canvas_target(canvas, rect_row(rect, y), TARGET_WARP, (int)warp, -1);
        canvas_printf(canvas, rect.x, rect.y + y, 6, here ? ROLE_KEY : ROLE_DIM, "%s%4u", here ? "▸" : " ", warp);
        if (!last) {
            canvas_text(canvas, rect.x + 17, rect.y + y, rect.width - 17, ROLE_DIM, "none yet");
            continue;
        }
        if (counts)
            canvas_printf(canvas, rect.x + 9, rect.y + y, 6, ROLE_TEXT, "%u", last->phase);
        canvas_cut(canvas, rect.x + 17, rect.y + y, rect.width - 17, ROLE_TEXT,
                   access_text(time, last, " ", text, sizeof text));
    }
    canvas_unclip(canvas, before);
}

static void draw_step(struct app *app, struct canvas *canvas, struct rect body)
{
    struct timeline time;
    if (open_timeline(&time, app)) {
        struct step_layout layout = layout_step(body, (int)time.warps);
        draw_timeline(app, &time, canvas, layout.timeline);
        draw_moment(&time, canvas, layout.caption);
        step_memory_draw(app, &time, canvas, layout.memory);
        canvas_rule(canvas, layout.rule);
        draw_warps(app, &time, canvas, layout.warps);
    } else {
        canvas_notice(canvas, body, ROLE_DIM, "%s",
                      time.report ? "The last save made no shared access that could be stepped through."
                                  : "No run yet.");
    }
    timeline_free(&time);
}

// ---- moving in time

static void step_moment(struct app *app, const struct timeline *time, int64_t by)
{
    int64_t moment = (int64_t)time->moment + by;
    app->step.moment = moment < 0 ? 0 : moment >= (int64_t)time->count ? time->count - 1 : (size_t)moment;
}

// The next moment in a direction at which something differs from now: its barrier phase, or its source line.
static void step_until(struct app *app, const struct timeline *time, int by, bool line)
{
    uint32_t now = line ? timeline_source_line(time, time->now) : time->now->phase;
    for (int64_t i = (int64_t)time->moment + by; i >= 0 && i < (int64_t)time->count; i += by) {
        const struct recorded_access *access = time->moments[i];
        if ((line ? timeline_source_line(time, access) : access->phase) != now) {
            app->step.moment = (size_t)i;
            return;
        }
    }
    app_say(app, ROLE_DIM, line ? "no other line in that direction" : "no barrier in that direction");
}

// The moment of one side of a hazard: the first access from that place that touches its address, else any from there.
static int64_t find_side(const struct timeline *time, const struct hazard *hazard, uint32_t pc)
{
    int64_t any = -1;
    for (size_t i = 0; i < time->count; i++) {
        if (time->moments[i]->pc != pc)
            continue;
        if (recorded_lane_at(time->moments[i], hazard->address, 1) >= 0)
            return (int64_t)i;
        if (any < 0)
            any = (int64_t)i;
    }
    return any;
}

// The first size whose runs have the hazard, the counted one before others; counted from 1, 0 = the counted one or not
// known. *hazard becomes that size's own, with its block and its place.
static size_t size_of_hazard(const struct app *app, const struct grade_report *report, const struct hazard **hazard)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    const struct lesson_part *part = report->part < lesson->part_count ? &lesson->parts[report->part] : NULL;
    const struct hazard wanted = **hazard;
    const struct grade_size *size;
    size_t found = 0;
    for (size_t i = 1; part && (size = blocks_size(app, report, i)) != NULL && i <= part->size_count; i++) {
        bool is_counted = i == part->speed_size + 1;
        for (size_t j = 0; j < size->hazards.count && (!found || is_counted); j++) {
            const struct hazard *other = &size->hazards.items[j];
            if (other->kind != wanted.kind || other->line != wanted.line || other->other_line != wanted.other_line)
                continue;
            *hazard = other;
            if (is_counted)
                return 0;
            found = i;
        }
    }
    return found;
}

// The moment may be in another size or block than the recorded one: then that is run and recorded, and the jump goes on
// when it is there.
static bool fetch_place(struct app *app, const struct timeline *time, size_t size, const uint32_t block[3])
{
    const struct grade_report *report = time->report;
    size_t here = app->recorded == report ? app->recorded_size : 0;
    if (app->step.jumping || (size == here && memcmp(block, report->record.recording.block, 3 * sizeof *block) == 0))
        return false;
    if (size == 0)
        app->step.size = 0;
    if (size == 0 && here == 0)
        return app->step.jumping = blocks_go(app, block);
    app->step.size = size;
    app->block = blocks_linear(size ? &blocks_size(app, report, size)->launch : &report->launch, block);
    app->refused = NULL;
    app->step.jumping = true;
    blocks_follow(app);
    return true;
}

static void step_hazard(struct app *app, const struct timeline *time)
{
    const struct hazard_list *hazards = &time->report->record.hazards;
    struct step_state *state = &app->step;
    if (hazards->count == 0) {
        app_say(app, ROLE_GOOD, "no hazards in this run");
        return;
    }
    for (size_t tries = 0; tries < 2 * hazards->count; tries++) {
        const struct hazard *hazard = &hazards->items[state->hazard % hazards->count];
        size_t size = size_of_hazard(app, time->report, &hazard);
        bool second = state->second_moment;
        if (size && fetch_place(app, time, size, second ? hazard->block : hazard->other_block))
            return;
        int64_t moment = find_side(time, hazard, second ? hazard->pc : hazard->other_pc);
        if (moment < 0 && fetch_place(app, time, size, second ? hazard->block : hazard->other_block))
            return;
        state->second_moment = !second;
        state->hazard = (state->hazard + (second ? 1 : 0)) % hazards->count;
        if (moment < 0)
            continue;
        state->jumping = false;
        state->roaming = hazard->space == PTX_SHARED;
        state->word = hazard->address / BANK_BYTES;
        state->moment = (size_t)moment;
        app_say(app, ROLE_WARN, "▲ %s, %s moment (z: the %s): %s", hazard_name(hazard->kind),
                second ? "second" : "first", second ? "next" : "second", hazard->message);
        return;
    }
    state->jumping = false;
    app_say(app, ROLE_WARN, "%s: its moments are not among the recorded accesses of this block",
            hazard_name(hazards->items[0].kind));
}

static void toggle_numbered(struct app *app)
{
    if (app->options.own || app->asked.report) {
        app_say(app, ROLE_DIM, "these inputs are not the lab's: of your own kernel, --arg says what they hold");
        return;
    }
    app->step.numbered = !app->step.numbered;
    app->step.values = app->step.numbered;
    app->refused = NULL;
    app_say(app, ROLE_DIM,
            app->step.numbered ? "inputs hold 100 * row + column: 302 is row 3, column 2" : "inputs are the run's own");
    blocks_follow(app);
}

static void go_to_warp(struct app *app, const struct timeline *time, uint32_t warp)
{
    for (size_t distance = 0; distance < time->count; distance++) {
        size_t moment = (time->moment + distance) % time->count;
        if (time->moments[moment]->warp == warp) {
            app->step.moment = moment;
            return;
        }
    }
}

static void step_warp(struct app *app, const struct timeline *time, int by)
{
    go_to_warp(app, time, (time->now->warp + (by > 0 ? 1 : time->warps - 1)) % time->warps);
}

void step_to_warp(struct app *app, uint32_t warp)
{
    struct timeline time;
    if (open_timeline(&time, app))
        go_to_warp(app, &time, warp);
    timeline_free(&time);
}

static void step_lane(struct app *app, const struct timeline *time, uint32_t by)
{
    struct step_state *state = &app->step;
    do
        state->lane = (state->lane + by) % SIM_LANES;
    while (time->now->mask && !(time->now->mask >> state->lane & 1));
    state->roaming = state->scrolled = false;
    app_say(app, ROLE_DIM, "lane %u of this access", state->lane);
}

static bool act_time(struct app *app, const struct timeline *time, enum action action)
{
    int half = app->canvas.height / 2;
    switch (action) {
    case ACTION_DOWN:
        step_moment(app, time, 1);
        break;
    case ACTION_UP:
        step_moment(app, time, -1);
        break;
    case ACTION_RIGHT:
    case ACTION_LEFT:
        step_lane(app, time, action == ACTION_RIGHT ? 1 : SIM_LANES - 1);
        break;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        app->step.memory.top += action == ACTION_PAGE_DOWN ? half : -half;
        app->step.scrolled = true;
        break;
    case ACTION_WORD_LEFT:
    case ACTION_WORD_RIGHT:
    case ACTION_WORD_UP:
    case ACTION_WORD_DOWN:
        step_memory_move(app, time, action);
        break;
    case ACTION_VALUES:
        app->step.values = !app->step.values;
        break;
    case ACTION_TOP:
        app->step.moment = 0;
        break;
    case ACTION_BOTTOM:
        app->step.moment = time->count - 1;
        break;
    case ACTION_TIME_NEXT:
    case ACTION_TIME_PREVIOUS:
        step_until(app, time, action == ACTION_TIME_NEXT ? 1 : -1, false);
        break;
    case ACTION_LINE_NEXT:
    case ACTION_LINE_PREVIOUS:
        step_until(app, time, action == ACTION_LINE_NEXT ? 1 : -1, true);
        break;
    case ACTION_WARP_NEXT:
    case ACTION_WARP_PREVIOUS:
        step_warp(app, time, action == ACTION_WARP_NEXT ? 1 : -1);
        break;
    case ACTION_HAZARD:
        step_hazard(app, time);
        break;
    case ACTION_PLACES:
        app->step.by_place = !app->step.by_place;
        app_say(app, ROLE_DIM, app->step.by_place ? "one place after another" : "the same row of all places together");
        break;
    case ACTION_NUMBERED:
        toggle_numbered(app);
        break;
    case ACTION_PLAY:
        app->step.playing = !app->step.playing;
        app->step.next_moment = app->now;
        break;
    case ACTION_EDIT_LINE:
        app_edit(app, (int)timeline_source_line(time, time->now));
        break;
    default:
        return false;
    }
    return true;
}

static bool act_step(struct app *app, enum action action)
{
    struct timeline time;
    size_t moment = app->step.moment;
    bool known = open_timeline(&time, app) && act_time(app, &time, action);
    timeline_free(&time);
    if (app->step.moment != moment)
        app->step.scrolled = false;
    return known;
}

static uint32_t line_of_moment(const void *things, size_t index)
{
    const struct timeline *time = things;
    return timeline_source_line(time, time->moments[index]);
}

static bool find_moment(struct app *app, int direction)
{
    struct timeline time;
    int64_t at = -1;
    if (open_timeline(&time, app))
        at = list_search(app, (int64_t)time.count, (int64_t)time.moment, direction, line_of_moment, &time);
    if (at >= 0)
        app->step.moment = (size_t)at;
    timeline_free(&time);
    return at >= 0;
}

const struct view_ops view_step = {.draw = draw_step, .act = act_step, .find = find_moment};
