// Fills the log of a replay within its bounds: neighbours that say the same become one.
#include "model/replay_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct {
    char letter;
    const char *words;
} states[REPLAY_STATES] = {
#define STATE(name, letter, words) {letter, words},
#include "model/replay_states.def"
#undef STATE
};

const char *replay_state_words(enum replay_state state)
{
    return states[state].words;
}

char replay_state_letter(enum replay_state state)
{
    return states[state].letter;
}

const char *replay_load_name(enum replay_pipe pipe)
{
    static const char *const names[REPLAY_LOADS] = {"issue", "shared", "L1", "L2", "DRAM"};
    return names[pipe];
}

// What neighbours are: spans with fewer cycles between them; places with no more bytes between them than a row's
// padding has, and with fewer cycles.
enum { SMALL_SPAN = 8, PADDING = 32, NEAR_CYCLES = 256, OPEN_PLACES = 8 };

// A row's last span and the places that may still grow, as indices + 1; 0: none.
struct replay_open {
    size_t span, places[OPEN_PLACES];
    uint32_t insts[OPEN_PLACES]; // that began them
    uint32_t next;
};

void replay_log_begin(struct replay_log *log)
{
    *log = (struct replay_log){.bin_cycles = 1, .complete = true};
    log->open = mem_alloc(REPLAY_LOG_ROWS * sizeof *log->open);
    log->loads = mem_alloc(REPLAY_LOG_BINS * sizeof *log->loads);
}

void replay_log_free(struct replay_log *log)
{
    free(log->rows);
    free(log->spans);
    free(log->places);
    free(log->open);
    free(log->loads);
    *log = (struct replay_log){0};
}

// Later cycles are missing from now on.
static void fill_up(struct replay_log *log, double time)
{
    if (log->complete || time < log->cycles)
        log->cycles = (uint32_t)time;
    log->complete = false;
}

uint32_t replay_log_row(struct replay_log *log, uint32_t block, uint32_t warp)
{
    if (!log->complete || log->row_count == REPLAY_LOG_ROWS)
        return UINT32_MAX;
    *mem_append(log->rows, log->row_capacity, log->row_count) = (struct replay_row){block, warp};
    return (uint32_t)log->row_count - 1;
}

static bool is_work(enum replay_state state)
{
    return !replay_state_waits(state);
}

// A few instructions of another kind between two of one kind are not worth a span.
static bool joins(const struct replay_span *last, enum replay_state state, uint32_t start, uint32_t end)
{
    if (start > last->end + SMALL_SPAN)
        return false;
    return last->state == state || (state == STATE_OTHER && is_work(last->state) && end - start < SMALL_SPAN);
}

void replay_log_span(struct replay_log *log, uint32_t row, double start, double end, enum replay_state state,
                     uint32_t pc)
{
    uint32_t from = (uint32_t)start, to = (uint32_t)end;
    if (row == UINT32_MAX || !log->complete || (replay_state_waits(state) && to <= from))
        return;
    size_t *last = &log->open[row].span;
    if (*last && joins(&log->spans[*last - 1], state, from, to)) {
        struct replay_span *span = &log->spans[*last - 1];
        span->end = to > span->end ? to : span->end;
    } else if (log->span_count == REPLAY_LOG_SPANS) {
        fill_up(log, start);
        return;
    } else {
        *mem_append(log->spans, log->span_capacity, log->span_count) = (struct replay_span){
            .start = from, .end = to > from ? to : from + 1, .row = row, .line = pc, .state = state};
        *last = log->span_count;
    }
    log->cycles = to > log->cycles ? to : log->cycles;
}

// A place holds no bytes that nobody touched, and all of them from about its start on: else the stages of a ring,
// filled one after another, would be one long use of them all. An instruction that stores once to each stage has one of
// its own.
static bool grows(const struct replay_place *place, bool same_inst, const struct replay_place *more)
{
    bool within = more->first >= place->first && more->last <= place->last;
    bool from_start = !within || more->use == USE_COPY;
    return place->use == more->use && more->start < (from_start ? place->start : place->end) + NEAR_CYCLES &&
           more->first <= place->last + PADDING && place->first <= more->last + PADDING &&
           (within || same_inst || more->use != USE_WRITE);
}

void replay_log_place(struct replay_log *log, uint32_t row, double start, double end, enum replay_use use,
                      uint32_t first, uint32_t bytes, uint32_t inst)
{
    const struct replay_place more = {(uint32_t)start, (uint32_t)end, row, first, first + bytes, use};
    if (row == UINT32_MAX || !log->complete)
        return;
    struct replay_open *open = &log->open[row];
    for (int i = 0; i < OPEN_PLACES; i++) {
        struct replay_place *place = open->places[i] ? &log->places[open->places[i] - 1] : NULL;
        if (!place || !grows(place, open->insts[i] == inst, &more))
            continue;
        place->end = more.end > place->end ? more.end : place->end;
        place->first = first < place->first ? first : place->first;
        place->last = more.last > place->last ? more.last : place->last;
        return;
    }
    if (log->place_count == REPLAY_LOG_PLACES) {
        fill_up(log, start);
        return;
    }
    *mem_append(log->places, log->place_capacity, log->place_count) = more;
    uint32_t at = open->next++ % OPEN_PLACES;
    open->places[at] = log->place_count;
    open->insts[at] = inst;
}

void replay_log_pause(struct replay_log *log, uint32_t row)
{
    if (row != UINT32_MAX)
        memset(log->open[row].places, 0, sizeof log->open[row].places);
}

void replay_log_load(struct replay_log *log, double time, const double busy[REPLAY_LOADS])
{
    if (!log->complete)
        return;
    while (time >= (double)log->bin_cycles * (double)REPLAY_LOG_BINS) {
        for (int i = 0; i < REPLAY_LOG_BINS; i++)
            for (int pipe = 0; pipe < REPLAY_LOADS; pipe++) {
                float both = 2 * i < REPLAY_LOG_BINS ? log->loads[2 * i][pipe] + log->loads[2 * i + 1][pipe] : 0;
                log->loads[i][pipe] = both;
            }
        log->bin_cycles *= 2;
    }
    for (int pipe = 0; pipe < REPLAY_LOADS; pipe++) {
        log->loads[(size_t)(time / log->bin_cycles)][pipe] += (float)(busy[pipe] - log->busy[pipe]);
        log->busy[pipe] = busy[pipe];
    }
}

void replay_log_end(struct replay_log *log, uint32_t (*line_of)(const void *context, uint32_t pc), const void *context)
{
    free(log->open);
    log->open = NULL;
    for (size_t i = 0; i < log->span_count; i++) {
        log->spans[i].line = line_of(context, log->spans[i].line);
        if (log->spans[i].end > log->cycles)
            log->spans[i].end = log->cycles > log->spans[i].start ? log->cycles : log->spans[i].start;
    }
}

// ---- for pictures

uint32_t replay_window_end(const struct replay_window *window)
{
    return window->first + (uint32_t)window->columns * window->zoom;
}

bool replay_window_columns(const struct replay_window *window, uint32_t start, uint32_t end, int *from, int *to)
{
    if (start >= replay_window_end(window) || end < window->first)
        return false;
    uint32_t begin = start > window->first ? start - window->first : 0;
    uint32_t stop = end > window->first ? end - window->first : 0;
    *from = (int)(begin / window->zoom);
    *to = (int)(stop / window->zoom) + (stop % window->zoom != 0 || stop == begin);
    *to = *to > window->columns ? window->columns : *to;
    return *from < *to;
}

void replay_window_states(const struct replay_window *window, uint32_t row, unsigned char *found)
{
    uint32_t(*cycles)[REPLAY_STATES] = mem_alloc(((size_t)window->columns + 1) * sizeof *cycles);
    const struct replay_log *log = window->log;
    for (size_t i = 0; i < log->span_count; i++) {
        const struct replay_span *span = &log->spans[i];
        int from, to;
        if (span->row != row || !replay_window_columns(window, span->start, span->end, &from, &to))
            continue;
        for (int x = from; x < to; x++) {
            uint32_t begin = window->first + (uint32_t)x * window->zoom, end = begin + window->zoom;
            begin = span->start > begin ? span->start : begin;
            end = span->end < end ? span->end : end;
            cycles[x][span->state] += end > begin ? end - begin : 0;
        }
    }
    for (int x = 0; x < window->columns; x++) {
        uint32_t most = 0;
        found[x] = REPLAY_STATES;
        for (int state = 0; state < REPLAY_STATES; state++)
            if (cycles[x][state] > most) {
                most = cycles[x][state];
                found[x] = (unsigned char)state;
            }
    }
    free(cycles);
}

double replay_window_busy(const struct replay_window *window, int column, enum replay_pipe pipe)
{
    const struct replay_log *log = window->log;
    uint32_t begin = window->first + (uint32_t)column * window->zoom, end = begin + window->zoom;
    double busy = 0;
    for (uint32_t bin = begin / log->bin_cycles; bin < REPLAY_LOG_BINS && bin * log->bin_cycles < end; bin++) {
        uint32_t from = bin * log->bin_cycles, to = from + log->bin_cycles;
        uint32_t shared = (to < end ? to : end) - (from > begin ? from : begin);
        busy += (double)log->loads[bin][pipe] * shared / log->bin_cycles;
    }
    double part = busy / window->zoom;
    return part > 1 ? 1 : part;
}

uint32_t replay_log_rows(const struct replay_log *log, uint32_t block, uint32_t *first)
{
    uint32_t count = 0;
    for (size_t i = 0; i < log->row_count; i++)
        if (log->rows[i].block == block && count++ == 0)
            *first = (uint32_t)i;
    return count;
}
