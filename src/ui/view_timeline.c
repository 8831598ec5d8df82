// Timeline: what each warp of an SM did and waited for, cycle by cycle, as the time model replays the kernel at its
// full size; above the warps, the places of shared memory that copies fill and reads empty; below, how busy the pipes
// were. Two runs can stand one above the other, at the same cycles.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/access.h"
#include "ui/source.h"
#include "ui/view.h"

enum { LABEL = 11, MOST_STAGES = 8, MOST_PLACES = 16, LEAST_WARPS = 3 };

// ---- which run

static struct grade_report *second_report(const struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    enum compare compare = app->timeline.compare;
    return !lesson || compare == COMPARE_NOW ? NULL : compare == COMPARE_SOLUTION ? lesson->solution : app_before(app);
}

static bool is_wanted(const struct app *app, const struct grade_report *report)
{
    return report && report->source && report->record.counters.count > 0 && report->timeline.row_count == 0 &&
           app->timeline.refused != report;
}

void timeline_follow(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    if (!lesson || app->view != VIEW_TIMELINE || app->run.kind != RUN_NONE)
        return;
    struct grade_report *shown = app_pictured(app) == lesson->report ? lesson->report : lesson->before;
    struct grade_report *second = second_report(app);
    if (is_wanted(app, shown))
        app_start_timeline(app, shown);
    else if (is_wanted(app, second))
        app_start_timeline(app, second);
}

void timeline_refused(struct app *app, const struct grade_report *report, const char *why)
{
    app->timeline.refused = report;
    snprintf(app->timeline.why, sizeof app->timeline.why, "%s", why);
}

// Cycles between two barriers of the block's first warp, of those it waits at; 0: it has fewer than two.
static uint32_t barrier_pace(const struct replay_log *log)
{
    uint32_t first = 0, last = 0, count = 0;
    for (size_t i = 0; i < log->span_count; i++) {
        const struct replay_span *span = &log->spans[i];
        if (span->row != 0 || span->state != STATE_WAIT_BARRIER)
            continue;
        first = count++ ? first : span->end;
        last = span->end;
    }
    return count > 1 ? (last - first) / (count - 1) : 0;
}

// So that about four phases between barriers are seen, or all there is.
static uint32_t best_zoom(const struct replay_log *log, int columns)
{
    uint32_t pace = barrier_pace(log), zoom = 1;
    uint64_t wanted = pace && 4 * (uint64_t)pace < log->cycles ? 4 * (uint64_t)pace : log->cycles;
    while ((uint64_t)zoom * (uint64_t)columns < wanted && zoom < 1u << 30)
        zoom *= 2;
    return zoom;
}

void timeline_take(struct app *app, struct grade_report *report, struct replay_log *log)
{
    replay_log_free(&report->timeline);
    report->timeline = *log;
    *log = (struct replay_log){0};
    if (!report->timeline.row_count)
        timeline_refused(app, report, "this run cannot be modelled: its report says why.");
}

// ---- places of shared memory

struct place_row {
    char name[32];
    uint32_t first, last; // bytes
};

// Each array, or each stage of one that has a few: what its first index says.
static int place_rows(const struct grade_report *report, struct place_row rows[MOST_PLACES])
{
    struct shared_arrays arrays;
    int count = 0;
    shared_arrays_read(&arrays, report->source ? report->source : "", report->kernel);
    for (size_t i = 0; i < arrays.count; i++) {
        const struct shared_array *array = &arrays.items[i];
        uint32_t stages = array->dim_count > 1 && array->dims[0] <= MOST_STAGES ? array->dims[0] : 1;
        uint32_t bytes = array->dynamic ? UINT32_MAX - array->offset : array->size / stages;
        for (uint32_t stage = 0; stage < stages && count < MOST_PLACES; stage++) {
            struct place_row *row = &rows[count++];
            row->first = array->offset + stage * bytes;
            row->last = row->first + bytes;
            if (stages > 1)
                snprintf(row->name, sizeof row->name, "%.20s[%u]", array->name, stage);
            else
                snprintf(row->name, sizeof row->name, "%.28s", array->name);
        }
    }
    if (count == 0)
        rows[count++] = (struct place_row){"shared", 0, UINT32_MAX};
    return count;
}

static const struct {
    const char *sign;
    enum role role;
} uses[REPLAY_USES] = {[USE_COPY] = {"░", ROLE_WARN}, [USE_WRITE] = {"▄", ROLE_CODE}, [USE_READ] = {"█", ROLE_GOOD}};

// Which uses the block makes of the place, by column: a bit for each.
static void find_uses(const struct replay_window *window, const struct place_row *row, uint32_t block,
                      unsigned char *columns)
{
    const struct replay_log *log = window->log;
    memset(columns, 0, (size_t)window->columns);
    for (size_t i = 0; i < log->place_count; i++) {
        const struct replay_place *place = &log->places[i];
        int from, to;
        if (log->rows[place->row].block != block || place->last <= row->first || place->first >= row->last ||
            !replay_window_columns(window, place->start, place->end, &from, &to))
            continue;
        for (int x = from; x < to; x++)
            columns[x] |= (unsigned char)(1u << place->use);
    }
}

static void draw_place(struct canvas *canvas, struct rect rect, const struct replay_window *window,
                       const struct place_row *row, uint32_t block)
{
    unsigned char *columns = mem_alloc((size_t)window->columns + 1);
    find_uses(window, row, block, columns);
    canvas_cut(canvas, rect.x + 1, rect.y, LABEL - 2, ROLE_TEXT, row->name);
    for (int x = 0; x < window->columns; x++) {
        int use = columns[x] >> USE_READ & 1 ? USE_READ : columns[x] >> USE_WRITE & 1 ? USE_WRITE : USE_COPY;
        bool both = (columns[x] >> USE_COPY & 1) && use != USE_COPY;
        if (columns[x])
            canvas_text(canvas, rect.x + LABEL + x, rect.y, 1, both ? ROLE_BAD : uses[use].role,
                        both ? "▓" : uses[use].sign);
        else
            canvas_text(canvas, rect.x + LABEL + x, rect.y, 1, ROLE_INACTIVE, "·");
    }
    free(columns);
}

// ---- warps

static enum role state_role(enum replay_state state)
{
    static const enum role roles[REPLAY_STATES] = {
        [STATE_MATH] = ROLE_GOOD,        [STATE_OTHER] = ROLE_TEXT,      [STATE_SHARED] = ROLE_SHARED,
        [STATE_GLOBAL] = ROLE_CODE,      [STATE_COPY] = ROLE_WARN,       [STATE_WAIT_DRAM] = ROLE_BAD,
        [STATE_WAIT_CACHE] = ROLE_BAD,   [STATE_WAIT_SHARED] = ROLE_DIM, [STATE_WAIT_COPIES] = ROLE_BAD,
        [STATE_WAIT_BARRIER] = ROLE_KEY, [STATE_WAIT_QUEUE] = ROLE_HEAT5};
    return roles[state];
}

static void draw_warp(struct canvas *canvas, struct rect rect, const struct replay_window *window, uint32_t row,
                      bool here)
{
    unsigned char *states = mem_alloc((size_t)window->columns + 1);
    replay_window_states(window, row, states);
    canvas_printf(canvas, rect.x, rect.y, LABEL, here ? ROLE_KEY : ROLE_DIM, "%s warp %u", here ? "▸" : " ",
                  window->log->rows[row].warp);
    for (int x = 0; x < window->columns; x++) {
        if (states[x] == REPLAY_STATES) {
            canvas_text(canvas, rect.x + LABEL + x, rect.y, 1, ROLE_INACTIVE, "·");
            continue;
        }
        enum replay_state state = (enum replay_state)states[x];
        const char letter[2] = {replay_state_letter(state), '\0'};
        canvas_text(canvas, rect.x + LABEL + x, rect.y, 1, state_role(state), state == STATE_MATH ? "█" : letter);
    }
    free(states);
}

static uint32_t newest_block(const struct replay_log *log)
{
    return log->row_count ? log->rows[log->row_count - 1].block : 0;
}

// ---- pipes

static void draw_pipe(struct canvas *canvas, struct rect rect, const struct replay_window *window,
                      enum replay_pipe pipe)
{
    static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double sum = 0;
    canvas_put(canvas, rect, ROLE_DIM, "%s", replay_load_name(pipe));
    for (int x = 0; x < window->columns; x++) {
        double part = replay_window_busy(window, x, pipe);
        sum += part;
        canvas_text(canvas, rect.x + LABEL + x, rect.y, 1, part > 0.8 ? ROLE_HEAT5 : ROLE_HEAT2,
                    bars[(int)(part * 8 + 0.5)]);
    }
    if (canvas->ascii)
        canvas_printf(canvas, rect.x + LABEL, rect.y, window->columns, ROLE_TEXT, "%3.0f %% of these cycles ",
                      100 * sum / window->columns);
}

// ---- the whole

static void draw_axis(struct canvas *canvas, struct rect rect, const struct replay_window *window)
{
    enum { EVERY = 12 };
    canvas_put(canvas, rect, ROLE_DIM, "cycle");
    for (int x = 0; x + EVERY <= window->columns; x += EVERY)
        canvas_printf(canvas, rect.x + LABEL + x, rect.y, EVERY - 1, ROLE_DIM, "│%u",
                      window->first + (uint32_t)x * window->zoom);
}

static void draw_head(struct canvas *canvas, struct rect row, const struct replay_log *log, const char *name,
                      uint32_t block, uint32_t zoom)
{
    struct pen pen = canvas_pen(canvas, row);
    if (*name)
        pen_put(&pen, ROLE_HEADING, "%s: ", name);
    pen_put(&pen, ROLE_TEXT, "modelled (%s): ", log->gpu);
    pen_put(&pen, ROLE_EMPHASIS, "%.1f µs", log->us);
    pen_fit(&pen, ROLE_DIM, "  %u cycle%s a column", zoom, zoom == 1 ? "" : "s");
    pen_fit(&pen, ROLE_DIM, "  block %u", block + 1);
    pen_fit(&pen, ROLE_DIM, ", %u at a time", log->resident);
    pen_fit(&pen, ROLE_DIM, " on an SM");
    pen_fit(&pen, ROLE_DIM, log->complete ? "  all %u cycles" : "  the first %u cycles", log->cycles);
}

// Says why there is no picture. False: there is one.
static bool draw_absent(struct app *app, struct canvas *canvas, struct rect rect, const char *name,
                        const struct grade_report *report)
{
    bool is_run = app->run.kind == RUN_SOLUTION || app->run.kind == RUN_STARTER,
         is_coming = app->run.kind == RUN_TIMELINE || is_run || is_wanted(app, report);
    if (report && report->timeline.row_count)
        return false;
    canvas_notice(canvas, rect, ROLE_DIM, "%s%s%s", name, *name ? ": " : "",
                  !report                           ? is_run ? "being run …" : "no run yet"
                  : is_coming                       ? "the time model replays the kernel …"
                  : app->timeline.refused == report ? app->timeline.why
                                                    : "this run cannot be modelled: its report says why.");
    return true;
}

// A run's part of the screen. The rows that find no room are those of warps, which scroll, and of pipes.
static void draw_run(struct app *app, struct canvas *canvas, struct rect rect, const char *name,
                     const struct grade_report *report)
{
    if (draw_absent(app, canvas, rect, name, report) || !app->timeline.zoom)
        return;
    const struct replay_log *log = &report->timeline;
    const struct timeline_state *state = &app->timeline;
    struct replay_window window = {log, state->first, state->zoom, rect.width - LABEL - 1};
    struct place_row places[MOST_PLACES];
    uint32_t block = state->block < newest_block(log) ? state->block : newest_block(log), first = 0;
    int place_count = place_rows(report, places), y = 0, warps = (int)replay_log_rows(log, block, &first);
    int pipes = rect.height - 2 - place_count - (warps < LEAST_WARPS ? warps : LEAST_WARPS);
    pipes = pipes < 0 ? 0 : pipes > REPLAY_LOADS ? REPLAY_LOADS : pipes;
    if (log->place_count == 0)
        place_count = 0;
    struct rect before = canvas_clip(canvas, rect);
    draw_head(canvas, rect_row(rect, y++), log, name, block, window.zoom);
    draw_axis(canvas, rect_row(rect, y++), &window);
    for (int i = 0; i < place_count && y < rect.height - LEAST_WARPS; i++)
        draw_place(canvas, rect_row(rect, y++), &window, &places[i], block);
    int height = rect.height - y - pipes;
    struct scroll scroll = {.top = state->warps.top, .cursor = state->warps.cursor};
    scroll_fit(&scroll, warps, height, true);
    for (int i = 0; i < height && scroll.top + i < warps; i++, y++)
        draw_warp(canvas, rect_row(rect, y), &window, first + (uint32_t)(scroll.top + i),
                  scroll.top + i == scroll.cursor);
    for (int i = 0; i < pipes && y < rect.height; i++)
        draw_pipe(canvas, rect_row(rect, y++), &window, (enum replay_pipe)i);
    int column = (int)((state->cursor - state->first) / state->zoom);
    if (state->cursor >= state->first && column < window.columns)
        canvas_flag(canvas, (struct rect){rect.x + LABEL + column, rect.y + 1, 1, y - 1}, CELL_REVERSE);
    canvas_unclip(canvas, before);
}

static const struct replay_span *span_at(const struct replay_log *log, uint32_t row, uint32_t cycle)
{
    const struct replay_span *found = NULL;
    for (size_t i = 0; i < log->span_count; i++) {
        const struct replay_span *span = &log->spans[i];
        if (span->row == row && span->start <= cycle && (cycle < span->end || (found && span->start >= found->start)))
            found = span;
        if (span->row == row && span->start > cycle)
            break;
    }
    return found && cycle < found->end ? found : NULL;
}

// "cycle 1248, warp 3: waits at a barrier for the other warps, 190 cycles, line 41  __syncthreads();"
static void draw_cursor(const struct app *app, struct canvas *canvas, struct rect row,
                        const struct grade_report *report)
{
    char text[300];
    const struct replay_log *log = &report->timeline;
    uint32_t first = 0, count = replay_log_rows(log, app->timeline.block, &first);
    uint32_t warp = (uint32_t)app->timeline.warps.cursor;
    const struct replay_span *span = warp < count ? span_at(log, first + warp, app->timeline.cursor) : NULL;
    if (!span) {
        canvas_put(canvas, row, ROLE_EMPHASIS, "cycle %u, warp %u: not at work", app->timeline.cursor, warp);
        return;
    }
    struct pen pen = canvas_pen(canvas, row);
    pen_put(&pen, ROLE_EMPHASIS, "cycle %u, warp %u: %s", app->timeline.cursor, warp, replay_state_words(span->state));
    pen_put(&pen, ROLE_TEXT, " for %u cycle%s", span->end - span->start, span->end - span->start == 1 ? "" : "s");
    if (span->line) {
        pen_put(&pen, ROLE_DIM, "  %u  ", span->line);
        pen_cut(&pen, ROLE_DIM, source_line(report->source, (int)span->line, text, sizeof text));
    }
}

// Of what is on the screen.
static void draw_legend(struct canvas *canvas, struct rect row, const struct replay_window *window)
{
    static const struct {
        enum replay_state state;
        const char *words;
    } told[] = {{STATE_MATH, "computes"},      {STATE_SHARED, "shared"},    {STATE_GLOBAL, "global"},
                {STATE_COPY, "copies"},        {STATE_OTHER, "other"},      {STATE_WAIT_COPIES, "copies"},
                {STATE_WAIT_DRAM, "DRAM"},     {STATE_WAIT_CACHE, "cache"}, {STATE_WAIT_BARRIER, "barrier"},
                {STATE_WAIT_SHARED, "shared"}, {STATE_WAIT_QUEUE, "queue"}};
    static const struct {
        enum replay_use use;
        const char *words;
    } of_places[] = {{USE_COPY, "copy"}, {USE_WRITE, "write"}};
    bool seen[REPLAY_STATES] = {false}, is_used[REPLAY_USES] = {false}, waits = false;
    int from, to;
    for (size_t i = 0; i < window->log->place_count; i++) {
        const struct replay_place *place = &window->log->places[i];
        is_used[place->use] |= replay_window_columns(window, place->start, place->end, &from, &to);
    }
    for (size_t i = 0; i < window->log->span_count; i++) {
        const struct replay_span *span = &window->log->spans[i];
        seen[span->state] |= replay_window_columns(window, span->start, span->end, &from, &to);
    }
    struct pen pen = canvas_pen(canvas, row);
    for (size_t use = 0; use < sizeof of_places / sizeof *of_places; use++)
        if (is_used[of_places[use].use]) {
            pen_put(&pen, uses[of_places[use].use].role, "%s", uses[of_places[use].use].sign);
            pen_put(&pen, ROLE_DIM, " %s ", of_places[use].words);
        }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const char letter[2] = {replay_state_letter(told[i].state), '\0'};
        bool first_wait = told[i].state >= STATE_WAIT_DRAM && !waits;
        if (!seen[told[i].state])
            continue;
        if (pen.x + (first_wait ? 11 : 3) + (int)strlen(told[i].words) > pen.end) {
            pen_put(&pen, ROLE_DIM, "…"); // ? has all of them
            return;
        }
        if (first_wait)
            pen_put(&pen, ROLE_DIM, " waits: ");
        waits |= told[i].state >= STATE_WAIT_DRAM;
        pen_put(&pen, state_role(told[i].state), "%s", told[i].state == STATE_MATH ? "█" : letter);
        pen_put(&pen, ROLE_DIM, " %s ", told[i].words);
    }
}

static const char *second_name(const struct app *app)
{
    return app->timeline.compare == COMPARE_SOLUTION ? "solution" : app_before_name(app);
}

static void draw_view(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct grade_report *report = app_pictured(app), *second = second_report(app);
    bool two = app->timeline.compare != COMPARE_NOW;
    struct timeline_state *state = &app->timeline;
    if (state->zoom == 0 && report && report->timeline.span_count) {
        state->zoom = best_zoom(&report->timeline, body.width - LABEL - 1);
        state->cursor = report->timeline.spans[0].start; // what is before is the launch
        state->first = state->cursor / state->zoom * state->zoom;
    }
    struct rect above = body;
    above.height -= 2;
    if (two) {
        above.height /= 2;
        struct rect below = {body.x, body.y + above.height, body.width, body.height - 2 - above.height};
        draw_run(app, canvas, below, second_name(app), second);
    }
    draw_run(app, canvas, above, two ? "now" : "", report);
    if (!report || report->timeline.row_count == 0 || !state->zoom)
        return;
    draw_cursor(app, canvas, rect_row(body, -2), report);
    const struct replay_window window = {&report->timeline, state->first, state->zoom, body.width - LABEL - 1};
    draw_legend(canvas, rect_row(body, -1), &window);
}

// ---- keys

static int columns_here(const struct app *app)
{
    return app->canvas.width - LABEL - 1;
}

static void show_cursor(struct app *app, const struct replay_log *log)
{
    struct timeline_state *state = &app->timeline;
    uint32_t width = (uint32_t)columns_here(app) * state->zoom;
    state->cursor = state->cursor < log->cycles ? state->cursor : log->cycles ? log->cycles - 1 : 0;
    if (state->cursor < state->first)
        state->first = state->cursor > width / 2 ? state->cursor - width / 2 : 0;
    if (state->cursor >= state->first + width)
        state->first = state->cursor - width / 2;
    state->first = state->first / state->zoom * state->zoom;
}

static void move_cursor(struct app *app, const struct replay_log *log, int64_t by)
{
    int64_t cycle = (int64_t)app->timeline.cursor + by;
    app->timeline.cursor = cycle < 0 ? 0 : cycle > UINT32_MAX ? UINT32_MAX : (uint32_t)cycle;
    show_cursor(app, log);
}

// Around the cursor, which stays in its column.
static void zoom(struct app *app, const struct replay_log *log, bool in)
{
    struct timeline_state *state = &app->timeline;
    uint32_t column = (state->cursor - state->first) / state->zoom;
    if (in && state->zoom > 1)
        state->zoom /= 2;
    else if (!in && (uint64_t)state->zoom * (uint64_t)columns_here(app) < log->cycles)
        state->zoom *= 2;
    else
        app_say(app, ROLE_DIM, in ? "a column is one cycle already" : "all recorded cycles are on the screen");
    uint64_t left = (uint64_t)column * state->zoom;
    state->first = state->cursor > left ? state->cursor - (uint32_t)left : 0;
    show_cursor(app, log);
}

// To where the cursor's warp leaves a barrier.
static void to_barrier(struct app *app, const struct replay_log *log, bool later)
{
    struct timeline_state *state = &app->timeline;
    uint32_t first = 0, count = replay_log_rows(log, state->block, &first), row = first + (uint32_t)state->warps.cursor;
    int64_t found = -1;
    for (size_t i = 0; i < log->span_count && count; i++) {
        const struct replay_span *span = &log->spans[i];
        if (span->row != row || span->state != STATE_WAIT_BARRIER)
            continue;
        if (later ? span->end > state->cursor && found < 0 : span->end < state->cursor)
            found = span->end;
    }
    if (found < 0) {
        app_say(app, ROLE_DIM, "no barrier in that direction");
        return;
    }
    state->cursor = (uint32_t)found;
    show_cursor(app, log);
}

static void to_block(struct app *app, const struct replay_log *log, bool next)
{
    struct timeline_state *state = &app->timeline;
    uint32_t last = newest_block(log), first = 0;
    if (next ? state->block >= last : state->block == 0) {
        app_say(app, ROLE_DIM, "no other block in that direction: %u were replayed", last + 1);
        return;
    }
    state->block = next ? state->block + 1 : state->block - 1;
    replay_log_rows(log, state->block, &first);
    for (size_t i = 0; i < log->span_count; i++) // to where it starts
        if (log->spans[i].row == first) {
            state->cursor = log->spans[i].start;
            break;
        }
    show_cursor(app, log);
}

static void next_compare(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    struct timeline_state *state = &app->timeline;
    bool may_solve =
        !app->options.own && (lesson->solution_shown || (lesson->report && lesson->report->verdict == VERDICT_PASS));
    enum compare next = state->compare == COMPARE_NOW && app_before(app)  ? COMPARE_BEFORE
                        : state->compare != COMPARE_SOLUTION && may_solve ? COMPARE_SOLUTION
                                                                          : COMPARE_NOW;
    if (next == COMPARE_NOW && state->compare == COMPARE_NOW)
        app_say_nothing_before(app);
    state->compare = next;
    if (next == COMPARE_SOLUTION && !lesson->solution)
        app_run(app, RUN_SOLUTION);
}

static void edit_here(struct app *app, const struct replay_log *log)
{
    uint32_t first = 0, count = replay_log_rows(log, app->timeline.block, &first),
             warp = (uint32_t)app->timeline.warps.cursor;
    const struct replay_span *span = warp < count ? span_at(log, first + warp, app->timeline.cursor) : NULL;
    app_edit(app, span && span->line ? (int)span->line : 1);
}

static bool act_timeline(struct app *app, enum action action)
{
    const struct grade_report *report = app_pictured(app);
    const struct replay_log *log = report ? &report->timeline : NULL;
    struct timeline_state *state = &app->timeline;
    uint32_t first;
    if (action == ACTION_COMPARE && app_lesson(app)) {
        next_compare(app);
        return true;
    }
    if (action == ACTION_VERSUS) // of which one run alone shows nothing
        state->compare = COMPARE_BEFORE;
    if (!log || !log->row_count || !state->zoom)
        return action == ACTION_ZOOM_IN || action == ACTION_ZOOM_OUT || action == ACTION_BLOCK_NEXT ||
               action == ACTION_BLOCK_PREVIOUS;
    switch (action) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_cursor(app, log, action == ACTION_LEFT ? -(int64_t)state->zoom : (int64_t)state->zoom);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN: {
        int64_t half = (int64_t)state->zoom * columns_here(app) / 2;
        move_cursor(app, log, action == ACTION_PAGE_UP ? -half : half);
        break;
    }
    case ACTION_TOP:
    case ACTION_BOTTOM:
        move_cursor(app, log, action == ACTION_TOP ? -(int64_t)state->cursor : (int64_t)log->cycles);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        scroll_move(&state->warps, action, (int)replay_log_rows(log, state->block, &first), 1, true);
        break;
    case ACTION_ZOOM_IN:
    case ACTION_ZOOM_OUT:
        zoom(app, log, action == ACTION_ZOOM_IN);
        break;
    case ACTION_TIME_NEXT:
    case ACTION_TIME_PREVIOUS:
        to_barrier(app, log, action == ACTION_TIME_NEXT);
        break;
    case ACTION_BLOCK_NEXT:
    case ACTION_BLOCK_PREVIOUS:
        to_block(app, log, action == ACTION_BLOCK_NEXT);
        break;
    case ACTION_EDIT_LINE:
        edit_here(app, log);
        break;
    default:
        return false;
    }
    return true;
}

const struct view_ops view_timeline = {.draw = draw_view, .act = act_timeline};
