// The fast way through a run in which no two accesses meet: two bits a byte.
//
// Between two whole-block barriers most places are written once, or only read. As long as that holds, an access needs
// no marks: it sets the bits of what its shape covers, and is noted in a log of a few bytes. The first access that
// meets a written place, or writes a read one, sends the log through the cells, and the rest of this stamp goes there.
// Async copies have their marks in the cells from the start; places that carry one are flagged until someone saw that
// it is waited for and ordered.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

enum {
    SHAPES = 512, // different ones in the log
    SHAPES_FILL = SHAPES * 3 / 4,
    LOG_MAX = 1 << 16,   // then a stamp's past is forgotten, which can only hide a hazard
    SLOTS_MIN = 1 << 9,  // words of global memory: as many as are needed …
    SLOTS_MAX = 1 << 15, // … up to these
};

// What an entry of the log needs to become an access again.
struct kept {
    uint32_t serial; // 0 = free
    uint32_t mask, bytes;
    int32_t distances[SIM_LANES];
};

struct bits { // of COVER_BYTES bytes
    uint64_t read, written, async;
};

struct entry {
    uint64_t first; // address of the first active lane
    uint32_t pc, step;
    uint16_t number; // in kept
    uint8_t warp, kind;
};

struct site {                // by pc
    uint32_t serial, number; // of the last shape
    uint32_t last;           // its latest entry in the log + 1
};

struct slot {
    uint64_t key;
    struct bits bits;
    uint32_t generation;
};

struct quick {
    enum ptx_space space;
    uint32_t shift, stamp, block_stamp;
    uint32_t generation; // of the slots: moves when they are forgotten
    bool slow;           // this stamp goes through the cells
    struct kept *kept;   // hash table by serial
    uint32_t kept_count;
    struct site *sites;
    struct entry *log;
    size_t log_count, log_capacity;
    struct bits *words; // shared memory
    size_t word_count;
    struct slot *slots; // global memory: the same by hash
    size_t slot_count, slot_capacity;
};

struct quick *quick_new(enum ptx_space space, uint32_t shift, uint32_t program_size)
{
    struct quick *quick = mem_alloc(sizeof *quick);
    quick->space = space;
    quick->shift = shift;
    quick->kept = mem_alloc(SHAPES * sizeof *quick->kept);
    quick->sites = mem_alloc(program_size * sizeof *quick->sites);
    return quick;
}

void quick_free(struct quick *quick)
{
    if (!quick)
        return;
    free(quick->kept);
    free(quick->sites);
    free(quick->log);
    free(quick->words);
    free(quick->slots);
    free(quick);
}

// ---- shapes

// The number of a kept shape, or UINT32_MAX if there are too many.
static uint32_t keep(struct quick *quick, struct site *site, const struct lane_shape *shape)
{
    if (site->serial == shape->serial && quick->kept[site->number].serial == shape->serial)
        return site->number;
    uint32_t slot = shape->serial * 0x9e3779b9u >> 16 & (SHAPES - 1);
    while (quick->kept[slot].serial && quick->kept[slot].serial != shape->serial)
        slot = (slot + 1) % SHAPES;
    struct kept *kept = &quick->kept[slot];
    if (!kept->serial) {
        if (quick->kept_count == SHAPES_FILL)
            return UINT32_MAX;
        quick->kept_count++;
        *kept = (struct kept){.serial = shape->serial, .mask = shape->mask, .bytes = shape->bytes};
        memcpy(kept->distances, shape->distances, sizeof kept->distances);
    }
    site->serial = shape->serial;
    return site->number = slot;
}

// ---- bits

static size_t slot_of(const struct quick *quick, uint64_t key)
{
    size_t mask = quick->slot_capacity - 1, slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    while (quick->slots[slot].generation == quick->generation && quick->slots[slot].key != key)
        slot = (slot + 1) & mask;
    return slot;
}

static void slots_grow(struct quick *quick)
{
    struct slot *old = quick->slots;
    size_t capacity = quick->slot_capacity;
    quick->slot_capacity = capacity ? 2 * capacity : SLOTS_MIN;
    quick->slots = mem_alloc(quick->slot_capacity * sizeof *quick->slots);
    for (size_t i = 0; i < capacity; i++) {
        if (old[i].generation == quick->generation)
            quick->slots[slot_of(quick, old[i].key)] = old[i];
    }
    free(old);
}

// NULL: there are too many.
static struct bits *global_word(struct quick *quick, uint64_t key)
{
    if (4 * (quick->slot_count + 1) > 3 * quick->slot_capacity) {
        if (quick->slot_capacity == SLOTS_MAX)
            return NULL;
        slots_grow(quick);
    }
    struct slot *slot = &quick->slots[slot_of(quick, key)];
    if (slot->generation != quick->generation) {
        *slot = (struct slot){.key = key, .generation = quick->generation};
        quick->slot_count++;
    }
    return &slot->bits;
}

// Good until the next call.
static struct bits *word_get(struct quick *quick, uint64_t word)
{
    if (quick->space == PTX_GLOBAL)
        return global_word(quick, word);
    return word < quick->word_count ? &quick->words[word] : NULL;
}

static uint64_t granule_bits(const struct quick *quick, uint64_t address)
{
    uint64_t size = UINT64_C(1) << quick->shift;
    return (UINT64_MAX >> (64 - size)) << ((address & ~(size - 1)) % COVER_BYTES);
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
    if (quick->kept_count == SHAPES_FILL) {
        memset(quick->kept, 0, SHAPES * sizeof *quick->kept);
        quick->kept_count = 0;
    }
}

static void begin_block(struct quick *quick, const struct hazard_state *state)
{
    size_t words = (state->cells.shared_count << quick->shift) / COVER_BYTES + 1;
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
        const struct kept *kept = &quick->kept[entry->number];
        uint64_t addresses[SIM_LANES];
        for (int lane = 0; lane < SIM_LANES; lane++)
            addresses[lane] = entry->first + (uint64_t)(int64_t)kept->distances[lane];
        struct sim_access access = {.block = state->block,
                                    .warp = entry->warp,
                                    .pc = entry->pc,
                                    .step = entry->step,
                                    .mask = kept->mask,
                                    .kind = (enum sim_access_kind)entry->kind,
                                    .space = quick->space,
                                    .order = SIM_WEAK,
                                    .bytes = kept->bytes,
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
static void flag_async(struct quick *quick, const struct hazard_state *state, const struct sim_access *told)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint64_t address = access->addresses[__builtin_ctz(rest)];
        for (uint64_t at = address; at < address + access->bytes; at += UINT64_C(1) << quick->shift) {
            uint64_t granule = at >> quick->shift;
            struct bits *bits = word_get(quick, at / COVER_BYTES);
            uint64_t bit = granule_bits(quick, at);
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

// Sets the bits of what the access covers; *met: what they were before, all together. False: a word is out of reach.
static bool use(struct quick *quick, const struct shape_cover *cover, uint64_t first, bool writes, struct bits *met)
{
    *met = (struct bits){0};
    for (uint32_t i = 0; i < cover->count; i++) {
        struct bits *bits = word_get(quick, first / COVER_BYTES + (uint64_t)(int64_t)cover->words[i].at);
        uint64_t covered = cover->words[i].bits;
        if (!bits)
            return false;
        met->read |= bits->read & covered;
        met->written |= bits->written & covered;
        met->async |= bits->async & covered;
        if (writes)
            bits->written |= covered;
        else
            bits->read |= covered;
    }
    return true;
}

// As use; where global memory's slots are used up, the stamp's past is forgotten.
static bool use_or_forget(struct quick *quick, const struct shape_cover *cover, uint64_t first, bool writes,
                          struct bits *met)
{
    if (use(quick, cover, first, writes, met))
        return true;
    if (quick->space != PTX_GLOBAL)
        return false;
    forget(quick, quick->stamp);
    return use(quick, cover, first, writes, met);
}

static void note(struct quick *quick, struct site *site, const struct sim_access *access, uint64_t first)
{
    mem_reserve(&quick->log, &quick->log_capacity, quick->log_count);
    quick->log[quick->log_count++] = (struct entry){first,
                                                    access->pc,
                                                    (uint32_t)access->step,
                                                    (uint16_t)site->number,
                                                    (uint8_t)access->warp,
                                                    (uint8_t)access->kind};
    site->last = (uint32_t)quick->log_count;
}

// The warp's own read of the same places, repeated: the later one stands for both.
static bool repeats(struct quick *quick, const struct site *site, const struct sim_access *access, uint64_t first)
{
    uint32_t index = site->last;
    if (!index || index > quick->log_count || is_write(access->kind))
        return false;
    struct entry *entry = &quick->log[index - 1];
    if (entry->pc != access->pc || entry->warp != access->warp || entry->number != site->number ||
        entry->first != first)
        return false;
    entry->step = (uint32_t)access->step;
    return true;
}

static bool visit_plain(struct quick *quick, struct hazard_state *state, const struct sim_access *access)
{
    const struct lane_shape *shape = access->shape;
    struct site *site = &quick->sites[access->pc];
    bool writes = is_write(access->kind);
    uint64_t first = access->first;
    const struct shape_cover *cover = shape ? shape_cover(shape, first) : NULL;
    if (quick->log_count == LOG_MAX)
        forget(quick, quick->stamp);
    if (!cover || keep(quick, site, shape) == UINT32_MAX)
        return go_slow(quick, state);
    if (repeats(quick, site, access, first))
        return true;
    struct bits met;
    if ((writes && !cover->unique) || !use_or_forget(quick, cover, first, writes, &met) || met.written ||
        (writes && met.read))
        return go_slow(quick, state);
    if (met.async) {
        cells_access(state, access);
        flag_async(quick, state, access);
    } else {
        note(quick, site, access, first);
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
            const struct bits *bits = word_get(quick, at / COVER_BYTES);
            if (!bits || (bits->read | bits->written) & granule_bits(quick, at))
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
