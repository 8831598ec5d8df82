// The log of a replay as JSON: lists of numbers, since an object for each span would take ten times the memory.
#include "record/replay_json.h"

#include <math.h>
#include <stdlib.h>

enum { ROW = 2, SPAN = 5, PLACE = 6 };

static void put(json_t *list, double value)
{
    json_array_append_new(list, json_integer((json_int_t)value));
}

static json_t *write_spans(const struct replay_log *log)
{
    json_t *list = json_array();
    for (size_t i = 0; i < log->span_count; i++) {
        const struct replay_span *span = &log->spans[i];
        const uint32_t items[SPAN] = {span->row, span->start, span->end, (uint32_t)span->state, span->line};
        for (int item = 0; item < SPAN; item++)
            put(list, items[item]);
    }
    return list;
}

static json_t *write_places(const struct replay_log *log)
{
    json_t *list = json_array();
    for (size_t i = 0; i < log->place_count; i++) {
        const struct replay_place *place = &log->places[i];
        const uint32_t items[PLACE] = {place->row,           place->start, place->end,
                                       (uint32_t)place->use, place->first, place->last};
        for (int item = 0; item < PLACE; item++)
            put(list, items[item]);
    }
    return list;
}

static json_t *write_rows(const struct replay_log *log)
{
    json_t *list = json_array();
    for (size_t i = 0; i < log->row_count; i++) {
        put(list, log->rows[i].block);
        put(list, log->rows[i].warp);
    }
    return list;
}

// In percent of the bin.
static json_t *write_load(const struct replay_log *log, enum replay_pipe pipe)
{
    json_t *list = json_array();
    for (uint32_t bin = 0; bin < REPLAY_LOG_BINS && bin * log->bin_cycles < log->cycles; bin++)
        put(list, round(100 * (double)log->loads[bin][pipe] / log->bin_cycles));
    return list;
}

json_t *replay_log_json(const struct replay_log *log)
{
    json_t *states = json_array(), *loads = json_object();
    for (int state = 0; state < REPLAY_STATES; state++)
        json_array_append_new(states, json_string(replay_state_words((enum replay_state)state)));
    for (int pipe = 0; pipe < REPLAY_LOADS; pipe++)
        json_object_set_new(loads, replay_load_name((enum replay_pipe)pipe), write_load(log, (enum replay_pipe)pipe));
    return json_pack("{s:s, s:f, s:f, s:I, s:b, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "modelled_gpu", log->gpu, "us",
                     log->us, "mhz", log->mhz, "cycles", (json_int_t)log->cycles, "complete", log->complete,
                     "blocks_at_a_time", (json_int_t)log->resident, "bin_cycles", (json_int_t)log->bin_cycles, "states",
                     states, "rows", write_rows(log), "spans", write_spans(log), "places", write_places(log), "busy",
                     loads);
}

static json_t *write_log(const void *at)
{
    const struct replay_log *log = at;
    return log->row_count ? replay_log_json(log) : NULL;
}

// ---- back; nothing that is read is trusted

static uint32_t log_item(const json_t *list, size_t index)
{
    json_int_t value = json_integer_value(json_array_get(list, index));
    return value < 0 || value > UINT32_MAX ? 0 : (uint32_t)value;
}

static size_t log_items(const json_t *list, size_t each, size_t most)
{
    size_t count = json_array_size(list) / each;
    return count < most ? count : most;
}

static void read_rows(const json_t *list, struct replay_log *log)
{
    size_t count = log_items(list, ROW, REPLAY_LOG_ROWS);
    for (size_t i = 0; i < count; i++)
        *mem_append(log->rows, log->row_capacity, log->row_count) =
            (struct replay_row){log_item(list, ROW * i), log_item(list, ROW * i + 1)};
}

// False: a row that is not there, or an end before the start.
static bool is_in(const struct replay_log *log, uint32_t row, uint32_t start, uint32_t end)
{
    return row < log->row_count && start <= end;
}

static void read_spans(const json_t *list, struct replay_log *log)
{
    size_t count = log_items(list, SPAN, REPLAY_LOG_SPANS);
    for (size_t i = 0; i < count; i++) {
        uint32_t state = log_item(list, SPAN * i + 3);
        struct replay_span span = {.row = log_item(list, SPAN * i),
                                   .start = log_item(list, SPAN * i + 1),
                                   .end = log_item(list, SPAN * i + 2),
                                   .line = log_item(list, SPAN * i + 4)};
        if (!is_in(log, span.row, span.start, span.end) || state >= REPLAY_STATES)
            continue;
        span.state = (enum replay_state)state;
        *mem_append(log->spans, log->span_capacity, log->span_count) = span;
    }
}

static void read_places(const json_t *list, struct replay_log *log)
{
    size_t count = log_items(list, PLACE, REPLAY_LOG_PLACES);
    for (size_t i = 0; i < count; i++) {
        uint32_t use = log_item(list, PLACE * i + 3);
        struct replay_place place = {.row = log_item(list, PLACE * i),
                                     .start = log_item(list, PLACE * i + 1),
                                     .end = log_item(list, PLACE * i + 2),
                                     .first = log_item(list, PLACE * i + 4),
                                     .last = log_item(list, PLACE * i + 5)};
        if (!is_in(log, place.row, place.start, place.end) || use >= REPLAY_USES || place.first > place.last)
            continue;
        place.use = (enum replay_use)use;
        *mem_append(log->places, log->place_capacity, log->place_count) = place;
    }
}

static double number_of(const json_t *json, const char *key)
{
    double value = json_number_value(json_object_get(json, key));
    return isfinite(value) && value > 0 ? value : 0;
}

static void read_log(struct arena *arena, const json_t *json, void *at)
{
    struct replay_log *log = at;
    (void)arena;
    *log = (struct replay_log){0};
    const char *gpu = json_string_value(json_object_get(json, "modelled_gpu"));
    snprintf(log->gpu, sizeof log->gpu, "%s", gpu ? gpu : "");
    log->us = number_of(json, "us");
    log->mhz = number_of(json, "mhz");
    log->cycles = (uint32_t)fmin(number_of(json, "cycles"), UINT32_MAX);
    log->resident = (uint32_t)fmin(number_of(json, "blocks_at_a_time"), REPLAY_LOG_ROWS);
    log->bin_cycles = (uint32_t)fmax(1, fmin(number_of(json, "bin_cycles"), UINT32_MAX));
    log->complete = json_is_true(json_object_get(json, "complete"));
    read_rows(json_object_get(json, "rows"), log);
    read_spans(json_object_get(json, "spans"), log);
    read_places(json_object_get(json, "places"), log);
    log->loads = mem_alloc(REPLAY_LOG_BINS * sizeof *log->loads);
    const json_t *busy = json_object_get(json, "busy");
    for (int pipe = 0; pipe < REPLAY_LOADS; pipe++) {
        const json_t *list = json_object_get(busy, replay_load_name((enum replay_pipe)pipe));
        for (size_t bin = 0; bin < log_items(list, 1, REPLAY_LOG_BINS); bin++)
            log->loads[bin][pipe] = (float)log_item(list, bin) / 100 * (float)log->bin_cycles;
    }
}

const struct field_own replay_log_own = {write_log, read_log};
