// The fast way through a run in which nobody meets: two bits a place.
//
// Between two whole-block barriers most places are written once, or only read. As long as that holds, an access needs
// no marks: it sets the bits of its places, by words of 32 that were worked out once for its address pattern, and is
// noted in a log of a few bytes. The first access that meets a written place, or writes a read one, sends the log
// through the cells, and the rest of this stamp goes there. Async copies have their marks in the cells from the start;
// places that carry one are flagged until someone saw that it is waited for and ordered.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sim/hazards_internal.h"
#include "sim/lane_pattern.h"

enum {
    PAIRS_MAX = 64,
    LOG_MAX = 1 << 16, // then a stamp's past is forgotten, which can only hide a hazard
    SLOTS = 1 << 14,   // words of 32 places of global memory
    SLOTS_FILL = SLOTS * 3 / 4
};

// The places of a pattern as bits, by words relative to the one that holds the first lane's place.
struct shape {
    bool usable, unique; // unique: no place belongs to two lanes
    uint32_t count;
    struct {
        int32_t word;
        uint32_t bits;
    } pairs[PAIRS_MAX];
};

struct bits {
    uint32_t read, written, async;
};

struct entry {
    uint64_t first; // address of the first active lane
    uint32_t pc, step;
    uint16_t number;
    uint8_t warp, kind;
};

struct quick {
    enum ptx_space space;
    uint32_t shift, stamp, block_stamp;
    uint32_t generation; // of the slots: moves when they are forgotten
    bool slow;           // this stamp goes through the cells
    bool crowded;        // the patterns did not fit
    struct lane_patterns *patterns;
    struct shape *shapes[LANE_PATTERNS];
    uint32_t *hints, *last; // by pc: last pattern; last log entry + 1
    struct entry *log;
    size_t log_count, log_capacity;
    struct bits *words; // shared memory: one for each 32 places
    size_t word_count;
    struct slot { // global memory: the same by hash
        uint64_t key;
        uint32_t generation;
        struct bits bits;
    } * slots;
    uint32_t slot_count;
};

struct quick *quick_new(enum ptx_space space, uint32_t shift, uint32_t program_size)
{
    struct quick *quick = mem_alloc(sizeof *quick);
    quick->space = space;
    quick->shift = shift;
    quick->patterns = lane_patterns_new();
    quick->hints = mem_alloc(program_size * sizeof *quick->hints);
    quick->last = mem_alloc(program_size * sizeof *quick->last);
    if (space == PTX_GLOBAL)
        quick->slots = mem_alloc(SLOTS * sizeof *quick->slots);
    return quick;
}

void quick_free(struct quick *quick)
{
    if (!quick)
        return;
    for (int i = 0; i < LANE_PATTERNS; i++)
        free(quick->shapes[i]);
    lane_patterns_free(quick->patterns);
    free(quick->hints);
    free(quick->last);
    free(quick->log);
    free(quick->words);
    free(quick->slots);
    free(quick);
}

// ---- shapes

static bool shape_add(struct shape *shape, int32_t word, uint32_t bit)
{
    for (uint32_t i = 0; i < shape->count; i++) {
        if (shape->pairs[i].word != word)
            continue;
        if (shape->pairs[i].bits >> bit & 1)
            shape->unique = false;
        shape->pairs[i].bits |= UINT32_C(1) << bit;
        return true;
    }
    if (shape->count == PAIRS_MAX)
        return false;
    shape->pairs[shape->count].word = word;
    shape->pairs[shape->count++].bits = UINT32_C(1) << bit;
    return true;
}

static void shape_make(struct shape *shape, const struct lane_pattern *pattern, uint32_t shift, uint64_t first,
                       uint32_t bytes)
{
    uint64_t base = first >> shift >> 5;
    *shape = (struct shape){.usable = true, .unique = true};
    for (uint32_t rest = (uint32_t)pattern->tag; rest && shape->usable; rest &= rest - 1) {
        uint64_t address = first + pattern->distances[__builtin_ctz(rest)];
        for (uint64_t at = address; at < address + bytes && shape->usable; at += UINT64_C(1) << shift) {
            int64_t word = (int64_t)((at >> shift >> 5) - base);
            shape->usable =
                word > INT32_MIN && word < INT32_MAX && shape_add(shape, (int32_t)word, (uint32_t)(at >> shift) & 31);
        }
    }
}

// ---- bits

static struct bits *global_word(struct quick *quick, uint64_t key)
{
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
    for (; quick->slots[slot].generation == quick->generation; slot = (slot + 1) % SLOTS) {
        if (quick->slots[slot].key == key)
            return &quick->slots[slot].bits;
    }
    if (quick->slot_count == SLOTS_FILL)
        return NULL;
    quick->slot_count++;
    quick->slots[slot].key = key;
    quick->slots[slot].generation = quick->generation;
    quick->slots[slot].bits = (struct bits){0};
    return &quick->slots[slot].bits;
}

static struct bits *word_get(struct quick *quick, uint64_t word)
{
    if (quick->space == PTX_GLOBAL)
        return global_word(quick, word);
    return word < quick->word_count ? &quick->words[word] : NULL;
}

static void forget(struct quick *quick, uint32_t stamp)
{
    quick->stamp = stamp;
    quick->slow = false;
    quick->log_count = 0;
    quick->slot_count = 0;
    quick->generation++;
    for (size_t i = 0; i < quick->word_count; i++)
        quick->words[i].read = quick->words[i].written = 0;
    if (quick->crowded)
        lane_patterns_clear(quick->patterns);
    quick->crowded = false;
}

static void begin_block(struct quick *quick, const struct hazard_state *state)
{
    size_t words = state->cells.shared_count / 32 + 1;
    quick->block_stamp = state->order.block_stamp;
    if (quick->space != PTX_SHARED)
        return;
    if (words > quick->word_count) {
        free(quick->words);
        quick->words = mem_alloc(words * sizeof *quick->words);
        quick->word_count = words;
    }
    memset(quick->words, 0, quick->word_count * sizeof *quick->words);
}

// ---- the slow way

static void replay(struct quick *quick, struct hazard_state *state)
{
    for (size_t i = 0; i < quick->log_count; i++) {
        const struct entry *entry = &quick->log[i];
        const struct lane_pattern *pattern = lane_patterns_get(quick->patterns, entry->number);
        uint64_t addresses[SIM_LANES];
        for (int lane = 0; lane < SIM_LANES; lane++)
            addresses[lane] = entry->first + pattern->distances[lane];
        struct sim_access access = {.block = state->block,
                                    .warp = entry->warp,
                                    .pc = entry->pc,
                                    .step = entry->step,
                                    .mask = (uint32_t)pattern->tag,
                                    .kind = (enum sim_access_kind)entry->kind,
                                    .space = quick->space,
                                    .order = SIM_WEAK,
                                    .bytes = (uint32_t)(pattern->tag >> 32) & 0xff,
                                    .addresses = addresses};
        cells_access(state, &access);
    }
    quick->log_count = 0;
}

static bool go_slow(struct quick *quick, struct hazard_state *state)
{
    replay(quick, state);
    quick->slow = true;
    return false;
}

// Flags the places of an async copy, or unflags those whose copy is over.
static void flag_async(struct quick *quick, const struct hazard_state *state, const struct sim_access *access)
{
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint64_t address = access->addresses[__builtin_ctz(rest)];
        for (uint64_t at = address; at < address + access->bytes; at += UINT64_C(1) << quick->shift) {
            uint64_t granule = at >> quick->shift;
            struct bits *bits = word_get(quick, granule >> 5);
            uint32_t bit = UINT32_C(1) << (granule & 31);
            if (!bits || granule >= state->cells.shared_count)
                continue;
            const struct mark *mark = &state->cells.shared[granule].write;
            bool alive = mark->flags & MARK_ASYNC && mark->stamp >= state->order.block_stamp;
            bits->async = alive ? bits->async | bit : bits->async & ~bit;
            if (alive && mark->stamp == state->order.stamp)
                bits->written |= bit;
        }
    }
}

// ---- accesses

static bool is_write(enum sim_access_kind kind)
{
    return kind == SIM_STORE || kind == SIM_MATRIX_STORE;
}

static bool is_plain(const struct sim_access *access)
{
    switch (access->kind) {
    case SIM_LOAD:
    case SIM_STORE:
    case SIM_MATRIX_LOAD:
    case SIM_MATRIX_STORE:
        return access->order == SIM_WEAK && access->bytes && access->bytes <= 32;
    default:
        return false;
    }
}

// What the shape's places were used for before, all together. False: one is out of reach.
static bool look(struct quick *quick, const struct shape *shape, uint64_t base, struct bits *found[PAIRS_MAX],
                 struct bits *met)
{
    *met = (struct bits){0};
    for (uint32_t i = 0; i < shape->count; i++) {
        found[i] = word_get(quick, base + (uint64_t)(int64_t)shape->pairs[i].word);
        if (!found[i])
            return false;
        met->read |= found[i]->read & shape->pairs[i].bits;
        met->written |= found[i]->written & shape->pairs[i].bits;
        met->async |= found[i]->async & shape->pairs[i].bits;
    }
    return true;
}

// As look; where global memory's slots are used up, the stamp's past is forgotten.
static bool look_or_forget(struct quick *quick, const struct shape *shape, uint64_t base, struct bits *found[PAIRS_MAX],
                           struct bits *met)
{
    if (look(quick, shape, base, found, met))
        return true;
    if (quick->space != PTX_GLOBAL)
        return false;
    forget(quick, quick->stamp);
    return look(quick, shape, base, found, met);
}

static void note(struct quick *quick, const struct sim_access *access, uint32_t number, uint64_t first)
{
    if (quick->log_count == LOG_MAX)
        forget(quick, quick->stamp);
    mem_reserve((void **)&quick->log, &quick->log_capacity, quick->log_count, sizeof *quick->log);
    quick->log[quick->log_count++] = (struct entry){
        first, access->pc, (uint32_t)access->step, (uint16_t)number, (uint8_t)access->warp, (uint8_t)access->kind};
    quick->last[access->pc] = (uint32_t)quick->log_count;
}

// The warp's own read of the same places, repeated: the later one stands for both.
static bool repeats(struct quick *quick, const struct sim_access *access, uint32_t number, uint64_t first)
{
    uint32_t index = quick->last[access->pc];
    if (!index || index > quick->log_count || is_write(access->kind))
        return false;
    struct entry *entry = &quick->log[index - 1];
    if (entry->pc != access->pc || entry->warp != access->warp || entry->number != number || entry->first != first)
        return false;
    entry->step = (uint32_t)access->step;
    return true;
}

static bool visit_plain(struct quick *quick, struct hazard_state *state, const struct sim_access *access)
{
    struct bits *found[PAIRS_MAX];
    bool fresh, writes = is_write(access->kind);
    uint64_t first = access->addresses[__builtin_ctz(access->mask)];
    uint32_t tag = 1u << 31 | (uint32_t)(first >> quick->shift & 31) << 8 | access->bytes;
    uint32_t number =
        lane_patterns_find(quick->patterns, &quick->hints[access->pc], tag, access->mask, access->addresses, &fresh);
    if (number == UINT32_MAX) {
        quick->crowded = true;
        return go_slow(quick, state);
    }
    if (!quick->shapes[number])
        quick->shapes[number] = mem_alloc(sizeof(struct shape));
    struct shape *shape = quick->shapes[number];
    if (fresh)
        shape_make(shape, lane_patterns_get(quick->patterns, number), quick->shift, first, access->bytes);
    if (repeats(quick, access, number, first))
        return true;
    if (!shape->usable || (writes && !shape->unique))
        return go_slow(quick, state);
    struct bits met;
    if (!look_or_forget(quick, shape, first >> quick->shift >> 5, found, &met) || met.written || (writes && met.read))
        return go_slow(quick, state);
    for (uint32_t i = 0; i < shape->count; i++) {
        if (writes)
            found[i]->written |= shape->pairs[i].bits;
        else
            found[i]->read |= shape->pairs[i].bits;
    }
    if (met.async) {
        cells_access(state, access);
        flag_async(quick, state, access);
    } else {
        note(quick, access, number, first);
    }
    return true;
}

// A copy into places that nobody used in this stamp needs no log: its marks are made at once.
static bool copies_into_fresh(struct quick *quick, const struct sim_access *access)
{
    if (quick->space != PTX_SHARED || (access->kind != SIM_ASYNC_COPY && access->kind != SIM_BULK_COPY))
        return false;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint64_t address = access->addresses[__builtin_ctz(rest)];
        for (uint64_t at = address; at < address + access->bytes; at += UINT64_C(1) << quick->shift) {
            const struct bits *bits = word_get(quick, at >> quick->shift >> 5);
            uint32_t bit = UINT32_C(1) << (at >> quick->shift & 31);
            if (!bits || (bits->read | bits->written) & bit)
                return false;
        }
    }
    return true;
}

void quick_access(struct quick *quick, struct hazard_state *state, const struct sim_access *access)
{
    if (quick->block_stamp != state->order.block_stamp)
        begin_block(quick, state);
    if (quick->stamp != state->order.stamp)
        forget(quick, state->order.stamp);
    if (!quick->slow && is_plain(access) && visit_plain(quick, state, access))
        return;
    if (!quick->slow && !copies_into_fresh(quick, access))
        go_slow(quick, state);
    cells_access(state, access);
    if (quick->space == PTX_SHARED && (access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY))
        flag_async(quick, state, access);
}
