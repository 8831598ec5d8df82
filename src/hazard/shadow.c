// What a block did to shared or to global memory, by lines of COVER_BYTES: bits by byte, and cells where they are
// needed.
//
// Between two whole-block barriers most places are written once, or only read. As long as that holds, an access sets
// the bits of what its shape covers, and is noted in a log of a few bytes. The first access that meets a written place,
// or writes a read one, sends the log through the cells, and the rest of this stamp goes there. A log that is full goes
// there, too, but the bits stay and the next one begins. Async copies have their marks in the cells from the start;
// places that carry one are flagged until someone saw that it is waited for and ordered.
//
// Bulk copies write whole lines, whose cells are alike then: as long as that lasts, the first stands for all of them,
// and the line is even.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

enum {
    LINES_MAX =
        1 << 15,        // of global memory; beyond that a block's past there is forgotten, which can only hide a hazard
    LOG_MAX = 1 << 16,  // entries
    KEPT_MAX = 1 << 10, // shapes that live on into the next stamp
    SLAB_CELLS = 1 << 10 // that are allocated together
};

struct shadow_line {
    uint64_t read, written, async;
    uint32_t stamp; // of read and written
    bool is_even, has_all;
    struct shadow_cell *cells; // in a slab, by granule: all of them, or the first one of an even line; or NULL
};

struct slabs {
    struct shadow_cell **items;
    size_t count, capacity, used; // used: cells
};

// A lane_shape that may end before its entries of the log do.
struct kept_shape {
    uint32_t serial, mask, bytes;
    int32_t distances[SIM_LANES];
};

struct log_entry {
    uint64_t first; // address of the first active lane
    uint32_t pc, step;
    uint32_t shape; // in kept
    uint8_t warp, kind;
};

struct log_site {          // by pc
    uint32_t shape;        // in kept: the last one
    uint32_t round, entry; // its latest entry of this round of the log + 1
};

struct shadow {
    enum ptx_space space;
    uint32_t shift, stamp;
    bool slow;      // this stamp goes through the cells
    bool has_async; // some lines have, perhaps
    struct shadow_line *shared;
    size_t shared_count;
    struct map global;        // of struct shadow_line
    struct slabs all, firsts; // cells of lines that have all of theirs, or only the first one
    struct log_site *sites;
    struct kept_shape *kept;
    size_t kept_count, kept_capacity;
    struct log_entry *log;
    size_t log_count, log_capacity;
    uint32_t round; // moves on when the log begins anew
};

struct shadow *shadow_new(enum ptx_space space, uint32_t shift, uint32_t program_size)
{
    struct shadow *shadow = mem_alloc(sizeof *shadow);
    shadow->space = space;
    shadow->shift = shift;
    shadow->round = 1;
    shadow->global = map_of(struct shadow_line);
    shadow->sites = mem_alloc(program_size * sizeof *shadow->sites);
    return shadow;
}

static void slabs_free(struct slabs *slabs)
{
    for (size_t i = 0; i < slabs->count; i++)
        free(slabs->items[i]);
    free(slabs->items);
}

void shadow_free(struct shadow *shadow)
{
    slabs_free(&shadow->all);
    slabs_free(&shadow->firsts);
    map_free(&shadow->global);
    free(shadow->shared);
    free(shadow->sites);
    free(shadow->kept);
    free(shadow->log);
    free(shadow);
}

static void log_empty(struct shadow *shadow)
{
    shadow->log_count = 0;
    shadow->round++;
}

// The log goes with the lines: it is right only as long as their bits tell which accesses meet.
static void lines_forget(struct shadow *shadow)
{
    map_clear(&shadow->global);
    shadow->all.used = shadow->firsts.used = 0;
    shadow->has_async = false;
    log_empty(shadow);
}

void shadow_begin_block(struct shadow *shadow, const struct sim_block *block)
{
    size_t lines = block->shared_size / COVER_BYTES + 1;
    if (shadow->space == PTX_SHARED && lines <= shadow->shared_count)
        return; // the stamps tell what is old
    lines_forget(shadow);
    if (shadow->space != PTX_SHARED)
        return;
    free(shadow->shared);
    shadow->shared = mem_alloc(lines * sizeof *shadow->shared);
    shadow->shared_count = lines;
}

// ---- lines

static struct shadow_line *global_line(struct shadow *shadow, uint64_t number)
{
    struct shadow_line *line = map_find(&shadow->global, number);
    if (line)
        return line;
    if (shadow->global.count == LINES_MAX)
        lines_forget(shadow);
    return map_add(&shadow->global, number, NULL);
}

// Holds until the next call. NULL: beyond shared memory.
static struct shadow_line *shadow_line(struct shadow *shadow, struct order *order, uint64_t number)
{
    struct shadow_line *line = NULL;
    if (shadow->space == PTX_GLOBAL)
        line = global_line(shadow, number);
    else if (number < shadow->shared_count)
        line = &shadow->shared[number];
    if (!line || line->stamp == order->stamp)
        return line;
    line->read = line->written = 0;
    line->async = line->stamp < order->block_stamp ? 0 : line->async;
    line->stamp = order->stamp;
    return line;
}

static size_t cells_each(const struct shadow *shadow)
{
    return COVER_BYTES >> shadow->shift;
}

// Not cleared. each: a power of two.
static struct shadow_cell *slabs_take(struct slabs *slabs, size_t each)
{
    size_t slab = slabs->used / SLAB_CELLS, at = slabs->used % SLAB_CELLS;
    if (slab == slabs->count)
        *mem_append(slabs->items, slabs->capacity, slabs->count) = mem_resize(NULL, SLAB_CELLS * sizeof **slabs->items);
    slabs->used += each;
    return slabs->items[slab] + at;
}

static void line_begin(struct shadow *shadow, struct shadow_line *line)
{
    if (line->cells)
        return;
    line->cells = slabs_take(&shadow->firsts, 1);
    line->cells[0] = (struct shadow_cell){0};
    line->is_even = true;
    line->has_all = false;
}

static void line_tell_apart(struct shadow *shadow, struct shadow_line *line)
{
    struct shadow_cell *all = line->has_all ? line->cells : slabs_take(&shadow->all, cells_each(shadow));
    for (size_t i = 0; i < cells_each(shadow); i++)
        all[i] = line->cells[0];
    line->cells = all;
    line->has_all = true;
    line->is_even = false;
}

struct shadow_cell *shadow_cells(struct shadow *shadow, struct order *order, uint64_t address)
{
    struct shadow_line *line = shadow_line(shadow, order, address / COVER_BYTES);
    if (!line)
        return NULL;
    line_begin(shadow, line);
    if (line->is_even)
        line_tell_apart(shadow, line);
    return line->cells;
}

struct shadow_cell *shadow_even_cell(struct shadow *shadow, struct order *order, uint64_t address)
{
    struct shadow_line *line = shadow_line(shadow, order, address / COVER_BYTES);
    if (line)
        line_begin(shadow, line);
    return line && line->is_even ? line->cells : NULL;
}

static bool has_reader(const struct shadow_cell *cell, uint32_t stamp)
{
    bool has = false;
    for (int i = 0; i < 2; i++)
        has |= cell->reads[i].stamp == stamp || cell->atomics[i].stamp == stamp;
    return has;
}

void shadow_even_out(struct shadow *shadow, struct order *order, uint64_t address)
{
    struct shadow_line *line = shadow_line(shadow, order, address / COVER_BYTES);
    if (!line || !line->cells)
        return;
    bool is_even = true;
    for (size_t i = 0; i < cells_each(shadow) && is_even; i++)
        is_even = !memcmp(&line->cells[i].write, &line->cells[0].write, sizeof line->cells->write) &&
                  !has_reader(&line->cells[i], order->stamp);
    line->is_even = is_even;
}

// ---- the log

static void kept_trim(struct shadow *shadow)
{
    if (shadow->kept_count > KEPT_MAX)
        shadow->kept_count = 0;
}

// What is older than the stamp makes room early, so that a long phase is less likely to lose what it did itself.
static void stamp_begin(struct shadow *shadow, uint32_t stamp)
{
    shadow->stamp = stamp;
    shadow->slow = false;
    log_empty(shadow);
    kept_trim(shadow);
    if (shadow->global.count > LINES_MAX / 2 && !shadow->has_async)
        lines_forget(shadow);
}

// Finds out which kept shape this is; an instruction mostly repeats its last one.
static void shape_keep(struct shadow *shadow, struct log_site *site, const struct lane_shape *shape)
{
    struct kept_shape *kept = site->shape < shadow->kept_count ? &shadow->kept[site->shape] : NULL;
    if (kept && kept->serial == shape->serial)
        return;
    if (kept && kept->mask == shape->mask && kept->bytes == shape->bytes &&
        !memcmp(kept->distances, shape->distances, sizeof kept->distances)) {
        kept->serial = shape->serial; // known under another number before
        return;
    }
    mem_reserve(&shadow->kept, &shadow->kept_capacity, shadow->kept_count);
    site->shape = (uint32_t)shadow->kept_count++;
    kept = &shadow->kept[site->shape];
    *kept = (struct kept_shape){.serial = shape->serial, .mask = shape->mask, .bytes = shape->bytes};
    memcpy(kept->distances, shape->distances, sizeof kept->distances);
}

static bool access_writes(enum sim_access_kind kind)
{
    return kind == SIM_STORE || kind == SIM_MATRIX_STORE;
}

// The warp's own read of the same places, repeated: the later one stands for both.
static bool log_repeats(struct shadow *shadow, const struct log_site *site, const struct sim_access *access)
{
    if (site->round != shadow->round || access_writes(access->kind))
        return false;
    struct log_entry *entry = &shadow->log[site->entry - 1];
    if (entry->warp != access->warp || entry->shape != site->shape || entry->first != access->first)
        return false;
    entry->step = entry->step > access->step ? entry->step : (uint32_t)access->step;
    return true;
}

static void log_note(struct shadow *shadow, struct log_site *site, const struct sim_access *access)
{
    *mem_append(shadow->log, shadow->log_capacity, shadow->log_count) = (struct log_entry){
        access->first, access->pc, (uint32_t)access->step, site->shape, (uint8_t)access->warp, (uint8_t)access->kind};
    site->entry = (uint32_t)shadow->log_count;
    site->round = shadow->round;
}

static void log_settle(struct shadow *shadow, struct hazard_state *state)
{
    for (size_t i = 0, count = shadow->log_count; i < count; i++) {
        const struct log_entry *entry = &shadow->log[i];
        const struct kept_shape *kept = &shadow->kept[entry->shape];
        uint64_t addresses[SIM_LANES];
        for (int lane = 0; lane < SIM_LANES; lane++)
            addresses[lane] = entry->first + (uint64_t)(int64_t)kept->distances[lane];
        struct sim_access access = {.block = state->block,
                                    .warp = entry->warp,
                                    .pc = entry->pc,
                                    .step = entry->step,
                                    .mask = kept->mask,
                                    .kind = (enum sim_access_kind)entry->kind,
                                    .space = shadow->space,
                                    .order = SIM_WEAK,
                                    .bytes = kept->bytes,
                                    .addresses = addresses};
        cells_access(state, shadow, &access);
    }
    log_empty(shadow);
    kept_trim(shadow);
}

static bool go_slow(struct shadow *shadow, struct hazard_state *state)
{
    log_settle(shadow, state);
    shadow->slow = true;
    return false;
}

static bool is_flagged(const struct order *order, const struct shadow_cell *cell)
{
    const struct mark *mark = &cell->write;
    return (mark->flags & (MARK_ASYNC | MARK_TOLD)) == MARK_ASYNC && mark->stamp >= order->block_stamp;
}

static void flag_line(struct shadow *shadow, const struct order *order, struct shadow_line *line)
{
    uint64_t size = UINT64_C(1) << shadow->shift;
    if (!line || !line->cells)
        return;
    shadow->has_async = true;
    line->async = line->is_even && is_flagged(order, line->cells) ? UINT64_MAX : 0;
    for (uint64_t at = 0; at < COVER_BYTES && !line->is_even; at += size)
        if (is_flagged(order, &line->cells[at >> shadow->shift]))
            line->async |= UINT64_MAX >> (64 - size) << at;
}

// Flags the places of an async copy, or unflags those whose copy is over.
static void flag_async(struct shadow *shadow, struct order *order, const struct sim_access *told)
{
    const struct shape_cover *cover = told->shape ? shape_cover(told->shape, told->first) : NULL;
    for (uint32_t i = 0; cover && i < cover->count; i++)
        flag_line(shadow, order,
                  shadow_line(shadow, order, told->first / COVER_BYTES + (uint64_t)(int64_t)cover->words[i].at));
    if (cover)
        return;
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    uint64_t last = UINT64_MAX;
    FOR_LANES (lane, access->mask) {
        uint64_t address = access->addresses[lane], end = address + access->bytes;
        for (uint64_t number = address / COVER_BYTES; number * COVER_BYTES < end; number++) {
            if (number != last)
                flag_line(shadow, order, shadow_line(shadow, order, number));
            last = number;
        }
    }
}

// ---- accesses

static bool access_is_plain(const struct sim_access *access)
{
    bool moves = access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD || access_writes(access->kind);
    return moves && !access->mbarriers && access->order == SIM_WEAK && access->bytes && access->bytes <= COVERED_MAX;
}

enum use { USE_LOOKS, USE_READS, USE_WRITES };

// Sets the bits of what the access covers; *met: what they were before, all together. False: a line is out of reach.
static bool lines_use(struct shadow *shadow, struct order *order, const struct shape_cover *cover, uint64_t first,
                      enum use use, struct shadow_line *met)
{
    uint64_t read = 0, written = 0, async = 0;
    for (uint32_t i = 0; i < cover->count; i++) {
        struct shadow_line *line =
            shadow_line(shadow, order, first / COVER_BYTES + (uint64_t)(int64_t)cover->words[i].at);
        uint64_t covered = cover->words[i].bits;
        if (!line)
            return false;
        read |= line->read & covered;
        written |= line->written & covered;
        async |= line->async & covered;
        if (use == USE_READS)
            line->read |= covered;
        else if (use == USE_WRITES)
            line->written |= covered;
    }
    *met = (struct shadow_line){.read = read, .written = written, .async = async};
    return true;
}

// False: it has to go through the cells.
static bool access_fast(struct shadow *shadow, struct hazard_state *state, const struct sim_access *access)
{
    const struct shape_cover *cover = access->shape ? shape_cover(access->shape, access->first) : NULL;
    struct log_site *site = &shadow->sites[access->pc];
    bool writes = access_writes(access->kind);
    enum use use = writes ? USE_WRITES : USE_READS;
    struct shadow_line met;
    if (!cover)
        return go_slow(shadow, state);
    if (shadow->log_count == LOG_MAX)
        log_settle(shadow, state);
    shape_keep(shadow, site, access->shape);
    if (log_repeats(shadow, site, access))
        return true;
    if ((writes && !cover->unique) || !lines_use(shadow, &state->order, cover, access->first, use, &met) ||
        met.written || (writes && met.read))
        return go_slow(shadow, state);
    if (met.async) {
        cells_access(state, shadow, access);
        flag_async(shadow, &state->order, access);
    } else {
        log_note(shadow, site, access);
    }
    return true;
}

// A copy into places that nobody used in this stamp needs no log: its marks are made at once.
static bool copies_into_fresh(struct shadow *shadow, struct order *order, const struct sim_access *access)
{
    const struct shape_cover *cover = access->shape ? shape_cover(access->shape, access->first) : NULL;
    struct shadow_line met;
    return cover && lines_use(shadow, order, cover, access->first, USE_LOOKS, &met) && !(met.read | met.written);
}

void shadow_access(struct shadow *shadow, struct hazard_state *state, const struct sim_access *access)
{
    bool copies = sim_is_copy(access->kind) || access->mbarriers;
    if (shadow->stamp != state->order.stamp)
        stamp_begin(shadow, state->order.stamp);
    if (!shadow->slow && access_is_plain(access) && access_fast(shadow, state, access))
        return;
    if (!shadow->slow && !(copies && copies_into_fresh(shadow, &state->order, access)))
        go_slow(shadow, state);
    cells_access(state, shadow, access);
    if (copies)
        flag_async(shadow, &state->order, access);
}

void shadow_look(struct shadow *shadow, struct hazard_state *state, const struct sim_group *group,
                 const uint32_t *chunks, uint32_t count)
{
    enum { CHUNK = 16 };
    struct mark ordered = {0};
    if (shadow->stamp != state->order.stamp)
        stamp_begin(shadow, state->order.stamp);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = chunks[i], bits = (UINT64_C(1) << CHUNK) - 1;
        struct shadow_line *line = shadow_line(shadow, &state->order, address / COVER_BYTES);
        bool met = line && (shadow->slow || (line->written | line->async) & bits << address % COVER_BYTES);
        if (!met)
            continue;
        if (!shadow->slow)
            go_slow(shadow, state);
        struct sim_access access = {.block = state->block,
                                    .warp = group->warp,
                                    .pc = group->pc,
                                    .step = group->step,
                                    .mask = UINT32_MAX,
                                    .kind = SIM_MATRIX_LOAD,
                                    .space = PTX_SHARED,
                                    .bytes = CHUNK,
                                    .addresses = &address};
        cells_look(state, shadow, &access, &ordered);
    }
}
