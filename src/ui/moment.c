// What shared memory held at a moment of the recorded block, replayed from its accesses.
#include "ui/moment.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_WORDS = (1 << 20) / BANK_BYTES, LONGEST_ROW = 128 };

const struct counter_line *timeline_line(const struct timeline *time, uint32_t pc)
{
    for (size_t i = 0; i < time->report->record.counters.count; i++)
        if (time->report->record.counters.lines[i].pc == pc)
            return &time->report->record.counters.lines[i];
    return NULL;
}

uint32_t timeline_source_line(const struct timeline *time, const struct recorded_access *access)
{
    const struct counter_line *line = timeline_line(time, access->pc);
    return line ? line->line : 0;
}

bool timeline_make(struct timeline *time, const struct grade_report *report, size_t moment)
{
    *time = (struct timeline){.report = report};
    if (!report)
        return false;
    const struct recording *recording = &report->record.recording;
    time->moments = mem_alloc((recording->count + 1) * sizeof(const struct recorded_access *));
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].space == PTX_SHARED)
            time->moments[time->count++] = &recording->items[i];
    if (time->count == 0)
        return false;
    time->moment = moment < time->count ? moment : time->count - 1;
    time->now = time->moments[time->moment];
    time->warps = access_warps(recording);
    if (report->source)
        shared_arrays_read(&time->arrays, report->source, report->kernel);
    return true;
}

void timeline_free(struct timeline *time)
{
    free(time->moments);
}

size_t timeline_moment(const struct timeline *time, const struct recorded_access *access)
{
    size_t low = 0, high = time->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (time->moments[middle] < access)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---- words

static size_t words_used(const struct timeline *time)
{
    uint64_t last = 0;
    for (size_t i = 0; i < time->count; i++)
        if (recorded_end(time->moments[i]) > last)
            last = recorded_end(time->moments[i]);
    for (size_t i = 0; i < time->arrays.count; i++)
        if ((uint64_t)time->arrays.items[i].offset + time->arrays.items[i].size > last)
            last = (uint64_t)time->arrays.items[i].offset + time->arrays.items[i].size;
    last = (last + BANK_BYTES - 1) / BANK_BYTES;
    return last < MOST_WORDS ? (size_t)last : MOST_WORDS;
}

struct landing {
    size_t at, index; // in the recording
};

static int by_time(const void *a, const void *b)
{
    const struct landing *left = a, *right = b;
    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void write_lane(const struct recording *recording, const struct recorded_access *access, int lane,
                       struct word_state *words, size_t count)
{
    const unsigned char *value = recorded_value(recording, access, lane);
    uint64_t address = access->addresses[lane];
    for (uint32_t i = 0; i < (access->bytes ? access->bytes : 1); i++) {
        uint64_t word = (address + i) / BANK_BYTES;
        if (word >= count)
            return;
        struct word_state *state = &words[word];
        state->writer = access;
        state->lane = lane;
        state->coming = NULL;
        if (value)
            state->bytes[(address + i) % BANK_BYTES] = value[i];
        state->known = value != NULL;
    }
}

static void announce(const struct recorded_access *access, struct word_state *words, size_t count)
{
    for (int lane = 0; lane < SIM_LANES; lane++)
        for (uint64_t byte = 0; (access->mask >> lane & 1) && byte < access->bytes; byte += BANK_BYTES)
            if ((access->addresses[lane] + byte) / BANK_BYTES < count)
                words[(access->addresses[lane] + byte) / BANK_BYTES].coming = access;
}

struct word_state *timeline_words(const struct timeline *time, size_t *count)
{
    const struct recording *recording = &time->report->record.recording;
    size_t now = (size_t)(time->now - recording->items), landed = 0;
    *count = words_used(time);
    struct word_state *words = mem_alloc((*count + 1) * sizeof *words);
    struct landing *landings = mem_alloc((time->moment + 1) * sizeof *landings);
    for (size_t i = 0; i <= time->moment; i++) {
        const struct recorded_access *access = time->moments[i];
        if (!recorded_writes(access))
            continue;
        size_t index = (size_t)(access - recording->items), at = access->has_values ? access->lands : index;
        if (at <= now)
            landings[landed++] = (struct landing){at, index};
    }
    qsort(landings, landed, sizeof *landings, by_time);
    for (size_t i = 0; i < landed; i++)
        for (int lane = 0; lane < SIM_LANES; lane++)
            if (recording->items[landings[i].index].mask >> lane & 1)
                write_lane(recording, &recording->items[landings[i].index], lane, words, *count);
    for (size_t i = 0; i <= time->moment; i++)
        if (time->moments[i]->has_values && time->moments[i]->lands > now)
            announce(time->moments[i], words, *count);
    free(landings);
    return words;
}

// ---- rows

uint32_t shared_row_words(const struct shared_array *array)
{
    uint32_t bytes = array && array->dim_count > 1 ? array->dims[array->dim_count - 1] * array->element : 0;
    bool is_row = bytes >= BANK_BYTES && bytes % BANK_BYTES == 0 && bytes / BANK_BYTES <= LONGEST_ROW;
    return is_row ? bytes / BANK_BYTES : BANKS;
}

struct word_row *timeline_rows(const struct timeline *time, size_t words, size_t *count)
{
    struct word_row *rows = NULL;
    size_t capacity = 0;
    const struct shared_array *last = NULL;
    *count = 0;
    for (size_t word = 0; word < words;) {
        const struct shared_array *array = shared_arrays_at(&time->arrays, (uint64_t)word * BANK_BYTES);
        size_t end = word + shared_row_words(array);
        size_t array_end =
            array && !array->dynamic ? (array->offset + array->size + BANK_BYTES - 1) / BANK_BYTES : words;
        for (size_t i = 0; !array && i < time->arrays.count; i++)
            if (time->arrays.items[i].offset / BANK_BYTES > word &&
                time->arrays.items[i].offset / BANK_BYTES < array_end)
                array_end = time->arrays.items[i].offset / BANK_BYTES;
        end = end < array_end ? end : array_end;
        end = end < words ? end : words;
        mem_reserve(&rows, &capacity, *count);
        uint32_t index = *count > 0 && array == last ? rows[*count - 1].index + 1 : 0;
        rows[(*count)++] = (struct word_row){array, index, word, end > word ? end - word : 1};
        last = array;
        word = end > word ? end : word + 1;
    }
    return rows;
}
