// Step: time travel through the recorded block, one shared access at a time: where each warp stands, and who wrote
// each word of shared memory last.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

// The shared accesses of a recording, and the state after the first `moment + 1` of them.
struct timeline {
    const struct grade_report *report;
    const struct recorded_access **moments;
    size_t count, moment;
    const struct recorded_access *now;
    struct shared_arrays arrays;
    uint32_t warps;
};

static const struct counter_line *line_of(const struct grade_report *report, uint32_t pc)
{
    for (size_t i = 0; i < report->record.counters.count; i++)
        if (report->record.counters.lines[i].pc == pc)
            return &report->record.counters.lines[i];
    return NULL;
}

static uint32_t source_line_of(const struct timeline *time, const struct recorded_access *access)
{
    const struct counter_line *line = line_of(time->report, access->pc);
    return line ? line->line : 0;
}

static bool timeline_make(struct timeline *time, struct app *app)
{
    const char *name;
    *time = (struct timeline){.report = app_compared(app, COMPARE_NOW, &name)};
    if (!time->report)
        return false;
    const struct recording *recording = &time->report->record.recording;
    time->moments = mem_alloc((recording->count + 1) * sizeof(const struct recorded_access *));
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].space == PTX_SHARED)
            time->moments[time->count++] = &recording->items[i];
    if (time->count == 0)
        return false;
    time->moment = app->step.moment < time->count ? app->step.moment : time->count - 1;
    time->now = time->moments[time->moment];
    time->warps = access_warps(recording);
    if (time->report->source)
        shared_arrays_read(&time->arrays, time->report->source);
    return true;
}

static void timeline_free(struct timeline *time)
{
    free(time->moments);
}

static bool is_write(const struct recorded_access *access)
{
    return access->kind != SIM_LOAD && access->kind != SIM_MATRIX_LOAD;
}

static bool covers(const struct recorded_access *access, int lane, uint64_t word)
{
    if (!(access->mask >> lane & 1))
        return false;
    uint64_t first = access->addresses[lane] / BANK_BYTES;
    uint64_t last = (access->addresses[lane] + (access->bytes ? access->bytes : 1) - 1) / BANK_BYTES;
    return word >= first && word <= last;
}

struct writer {
    const struct recorded_access *access; // NULL = nobody yet
    int lane;
};

// Last writer of each word at the moment.
static struct writer *last_writers(const struct timeline *time, uint64_t words)
{
    struct writer *writers = mem_alloc((size_t)(words + 1) * sizeof *writers);
    for (size_t i = 0; i <= time->moment; i++) {
        const struct recorded_access *access = time->moments[i];
        if (!is_write(access))
            continue;
        for (int lane = 0; lane < SIM_LANES; lane++) {
            if (!(access->mask >> lane & 1))
                continue;
            uint64_t first = access->addresses[lane] / BANK_BYTES;
            uint64_t last = (access->addresses[lane] + (access->bytes ? access->bytes : 1) - 1) / BANK_BYTES;
            for (uint64_t word = first; word <= last && word < words; word++)
                writers[word] = (struct writer){access, lane};
        }
    }
    return writers;
}

static uint64_t words_used(const struct timeline *time)
{
    uint64_t last = 0;
    for (size_t i = 0; i < time->count; i++)
        for (int lane = 0; lane < SIM_LANES; lane++)
            if ((time->moments[i]->mask >> lane & 1) &&
                time->moments[i]->addresses[lane] + time->moments[i]->bytes > last)
                last = time->moments[i]->addresses[lane] + time->moments[i]->bytes;
    for (size_t i = 0; i < time->arrays.count; i++)
        if ((uint64_t)time->arrays.items[i].offset + time->arrays.items[i].size > last)
            last = (uint64_t)time->arrays.items[i].offset + time->arrays.items[i].size;
    return last > 1 << 20 ? (1 << 20) / BANK_BYTES : (last + BANK_BYTES - 1) / BANK_BYTES;
}

static int row_words(const struct timeline *time)
{
    uint64_t first = 0;
    for (int lane = SIM_LANES - 1; lane >= 0; lane--)
        if (time->now->mask >> lane & 1)
            first = time->now->addresses[lane];
    const struct shared_array *array = shared_arrays_at(&time->arrays, first);
    uint32_t bytes = array && array->dim_count > 1 ? array->dims[array->dim_count - 1] * array->element : 0;
    return bytes >= BANK_BYTES && bytes % BANK_BYTES == 0 && bytes <= 512 && array->offset == 0
               ? (int)(bytes / BANK_BYTES)
               : BANKS;
}

static void draw_timeline(const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    int width = rect.width - 2;
    for (int x = 0; x < width; x++)
        canvas_text(canvas, rect.x + 1 + x, rect.y, 1, ROLE_BORDER, "─");
    for (size_t i = 1; i < time->count; i++)
        if (time->moments[i]->phase != time->moments[i - 1]->phase)
            canvas_text(canvas, rect.x + 1 + (int)(i * (size_t)width / time->count), rect.y, 1, ROLE_WARN, "│");
    canvas_text(canvas, rect.x + 1 + (int)(time->moment * (size_t)width / time->count), rect.y, 1, ROLE_KEY, "●");
    canvas_printf(canvas, rect.x + 1, rect.y + 1, width, ROLE_TEXT,
                  "moment %zu of %zu   after %u barrier%s (│)   block %u,%u,%u%s", time->moment + 1, time->count,
                  time->now->phase, time->now->phase == 1 ? "" : "s", time->report->record.recording.block[0],
                  time->report->record.recording.block[1], time->report->record.recording.block[2],
                  time->report->record.recording.truncated ? "   (recording is cut)" : "");
}

static void draw_caption(const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    char text[400], operation[32] = "", caption[500];
    const struct counter_line *line = line_of(time->report, time->now->pc);
    uint32_t number = line ? line->line : 0;
    if (line)
        site_operation(line, true, operation, sizeof operation);
    source_line(time->report->source, (int)number, text, sizeof text);
    snprintf(caption, sizeof caption, "▸ warp %u  line %u  %s  %s", time->now->warp, number, operation, text);
    canvas_cut(canvas, rect.x + 1, rect.y, rect.width - 1, ROLE_EMPHASIS, caption);
}

static void draw_word(const struct timeline *time, struct canvas *canvas, int x, int y, int columns, uint64_t word,
                      const struct writer *writer)
{
    bool here = false;
    for (int lane = 0; lane < SIM_LANES && !here; lane++)
        here = covers(time->now, lane, word);
    char text[16] = "";
    for (int i = 0; i + 1 < columns; i++)
        strcat(text, " ");
    strcat(text, ".");
    if (writer->access)
        snprintf(text, sizeof text, columns > 1 ? "%2u" : "%c",
                 columns > 1 ? writer->access->warp
                             : (unsigned)(writer->access->warp < 10 ? '0' + (int)writer->access->warp
                                                                    : 'a' + (int)writer->access->warp - 10));
    enum role role = here ? ROLE_TOUCHED : writer->access ? ROLE_TEXT : ROLE_INACTIVE;
    canvas_text(canvas, x, y, columns, role, text);
    if (here)
        canvas_flag(canvas, (struct rect){x, y, columns, 1}, CELL_REVERSE);
}

static void draw_memory(struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    const int label = 9;
    int row = row_words(time);
    int columns = (rect.width - label) / row >= 2 ? 2 : 1;
    uint64_t words = words_used(time);
    int rows = (int)((words + (uint64_t)row - 1) / (uint64_t)row);
    struct writer *writers = last_writers(time, words);
    canvas_text(canvas, rect.x + 1, rect.y, rect.width - 1, ROLE_DIM,
                "each word shows the warp that wrote it last; reversed: touched now");
    struct scroll *scroll = &app->step.memory;
    scroll_fit(scroll, rows, rect.height - 1, false);
    struct rect before = canvas_clip(canvas, rect);
    for (int y = 0; y < rect.height - 1 && scroll->top + y < rows; y++) {
        canvas_printf(canvas, rect.x + 1, rect.y + 1 + y, label - 1, ROLE_DIM, "row %3d", scroll->top + y);
        for (int i = 0; i < row; i++) {
            uint64_t word = (uint64_t)(scroll->top + y) * (uint64_t)row + (uint64_t)i;
            if (word < words)
                draw_word(time, canvas, rect.x + label + i * columns, rect.y + 1 + y, columns, word, &writers[word]);
        }
    }
    free(writers);
    canvas_unclip(canvas, before);
}

static void draw_warps(const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    char text[300], operation[32];
    struct rect before = canvas_clip(canvas, rect);
    canvas_text(canvas, rect.x + 1, rect.y, rect.width - 1, ROLE_DIM, "warp  barriers  last shared access");
    int first = (int)time->now->warp >= rect.height - 1 ? (int)time->now->warp - rect.height + 2 : 0;
    for (int y = 1; y < rect.height && (uint32_t)(first + y - 1) < time->warps; y++) {
        uint32_t warp = (uint32_t)(first + y - 1);
        const struct recorded_access *last = NULL;
        for (size_t i = 0; i <= time->moment; i++)
            if (time->moments[i]->warp == warp)
                last = time->moments[i];
        bool here = time->now->warp == warp;
        canvas_printf(canvas, rect.x, rect.y + y, 6, here ? ROLE_KEY : ROLE_DIM, "%s%4u", here ? "▸" : " ", warp);
        if (!last) {
            canvas_text(canvas, rect.x + 17, rect.y + y, rect.width - 17, ROLE_DIM, "none yet");
            continue;
        }
        const struct counter_line *line = line_of(time->report, last->pc);
        canvas_printf(canvas, rect.x + 9, rect.y + y, 6, ROLE_TEXT, "%u", last->phase);
        source_line(time->report->source, line ? (int)line->line : 0, text, sizeof text);
        char access[400];
        snprintf(access, sizeof access, "%u %s  %s", line ? line->line : 0,
                 line ? site_operation(line, true, operation, sizeof operation) : "", text);
        canvas_cut(canvas, rect.x + 17, rect.y + y, rect.width - 17, ROLE_TEXT, access);
    }
    canvas_unclip(canvas, before);
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct timeline time;
    if (timeline_make(&time, app)) {
        struct step_layout layout = layout_step(body, (int)time.warps);
        draw_timeline(&time, canvas, layout.timeline);
        draw_caption(&time, canvas, layout.caption);
        draw_memory(app, &time, canvas, layout.memory);
        canvas_column(canvas, layout.rule.x, layout.rule.y, layout.rule.width ? layout.rule.height : 0, ROLE_BORDER);
        draw_warps(&time, canvas, layout.warps);
    } else {
        canvas_text(canvas, body.x + 2, body.y + 1, body.width - 2, ROLE_DIM,
                    time.report ? "The last save made no shared access that could be stepped through." : "No run yet.");
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
    uint32_t now = line ? source_line_of(time, time->now) : time->now->phase;
    for (int64_t i = (int64_t)time->moment + by; i >= 0 && i < (int64_t)time->count; i += by) {
        const struct recorded_access *access = time->moments[i];
        if ((line ? source_line_of(time, access) : access->phase) != now) {
            app->step.moment = (size_t)i;
            return;
        }
    }
    app_say(app, ROLE_DIM, line ? "no other line in that direction" : "no barrier in that direction");
}

static bool touches_address(const struct recorded_access *access, uint64_t address)
{
    for (int lane = 0; lane < SIM_LANES; lane++)
        if ((access->mask >> lane & 1) && address >= access->addresses[lane] &&
            address - access->addresses[lane] < (access->bytes ? access->bytes : 1))
            return true;
    return false;
}

// The moment of one side of a hazard: the first access from that place that touches its address, else any from there.
static int64_t find_side(const struct timeline *time, const struct hazard *hazard, uint32_t pc)
{
    int64_t any = -1;
    for (size_t i = 0; i < time->count; i++) {
        if (time->moments[i]->pc != pc)
            continue;
        if (touches_address(time->moments[i], hazard->address))
            return (int64_t)i;
        if (any < 0)
            any = (int64_t)i;
    }
    return any;
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
        bool second = state->second_moment;
        int64_t moment = find_side(time, hazard, second ? hazard->pc : hazard->other_pc);
        state->second_moment = !second;
        state->hazard = (state->hazard + (second ? 1 : 0)) % hazards->count;
        if (moment < 0)
            continue;
        state->moment = (size_t)moment;
        app_say(app, ROLE_WARN, "▲ %s, %s moment: %s", hazard_name(hazard->kind), second ? "second" : "first",
                hazard->message);
        return;
    }
    app_say(app, ROLE_WARN, "%s: its moments are not in the recorded block", hazard_name(hazards->items[0].kind));
}

static void step_warp(struct app *app, const struct timeline *time, int by)
{
    uint32_t warp = (time->now->warp + (by > 0 ? 1 : time->warps - 1)) % time->warps;
    for (size_t distance = 0; distance < time->count; distance++) {
        size_t moment = (time->moment + distance) % time->count;
        if (time->moments[moment]->warp == warp) {
            app->step.moment = moment;
            return;
        }
    }
}

// Keeps what the moment touches in sight.
static void show_touched(struct app *app)
{
    struct timeline time;
    if (timeline_make(&time, app)) {
        struct frame frame = layout_frame(app->canvas.width, app->canvas.height, true);
        int height = layout_step(frame.body, (int)time.warps).memory.height - 1;
        int lane = 0;
        while (lane < SIM_LANES - 1 && !(time.now->mask >> lane & 1))
            lane++;
        app->step.memory.cursor = (int)(time.now->addresses[lane] / BANK_BYTES) / row_words(&time);
        scroll_fit(&app->step.memory, app->step.memory.cursor + height, height, true);
    }
    timeline_free(&time);
}

static bool act_time(struct app *app, const struct timeline *time, enum action action)
{
    int half = app->canvas.height / 2;
    switch (action) {
    case ACTION_DOWN:
    case ACTION_RIGHT:
        step_moment(app, time, 1);
        break;
    case ACTION_UP:
    case ACTION_LEFT:
        step_moment(app, time, -1);
        break;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        app->step.memory.top += action == ACTION_PAGE_DOWN ? half : -half;
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
    case ACTION_PLAY:
        app->step.playing = !app->step.playing;
        app->step.next_moment = app->now;
        break;
    case ACTION_EDIT_LINE:
        app_edit(app, (int)source_line_of(time, time->now));
        break;
    default:
        return false;
    }
    return true;
}

static bool act(struct app *app, enum action action)
{
    struct timeline time;
    size_t moment = app->step.moment;
    bool known = timeline_make(&time, app) && act_time(app, &time, action);
    timeline_free(&time);
    if (app->step.moment != moment)
        show_touched(app);
    return known;
}

static bool find(struct app *app, int direction)
{
    struct timeline time;
    bool found = false;
    if (timeline_make(&time, app)) {
        int64_t count = (int64_t)time.count;
        for (int64_t i = 1; i <= count && !found; i++) {
            char text[400];
            int64_t at = (((int64_t)time.moment + direction * i) % count + count) % count;
            source_line(time.report->source, (int)source_line_of(&time, time.moments[at]), text, sizeof text);
            found = strcasestr(text, app->match) != NULL;
            if (found)
                app->step.moment = (size_t)at;
        }
    }
    timeline_free(&time);
    return found;
}

const struct view_ops view_step = {draw, act, find, NULL};
