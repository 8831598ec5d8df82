// Copies that take their time: cp.async lands in shared memory when its thread waits for it, or somebody looks at the
// mbarrier that it arrives at, and not before, so that a missing wait shows. Bulk copies do the same.
#include <stdlib.h>

#include "sim/decode.h"

// ---- cp.async

static struct copy *copy_new(struct warp *warp)
{
    if (warp->copy_count == warp->copy_made)
        *mem_append(warp->copies, warp->copy_capacity, warp->copy_made) = mem_alloc(sizeof **warp->copies);
    return warp->copies[warp->copy_count++];
}

// What a copy reads and writes.
struct ends {
    uint64_t targets[SIM_LANES], sources[SIM_LANES];
    uint32_t most, reading; // most: the longest of the lanes of `reading`
    // Where each lane reads as much as it writes, or nothing: the bytes at the address `start`. NULL: lane by lane.
    const unsigned char *data;
    uint64_t start;
    const unsigned char *from[SIM_LANES];
    uint32_t lengths[SIM_LANES];
};

// Lane by lane, as each may read less than it writes, or lead elsewhere. False after a fault.
static bool find_ends_slow(struct exec *x, const struct op *op, uint32_t mask, struct ends *ends)
{
    uint32_t bytes = op->width;
    struct place shared = {0}, place = {0};
    ends->most = ends->reading = 0;
    ends->data = NULL;
    FOR_LANES (lane, mask) {
        uint32_t read = bytes;
        if (op->count == 1)
            read = (uint32_t)slot_get(x, op, 2, lane);
        else if (op->count == 2 && slot_get(x, op, 2, lane))
            read = 0;
        if (read > bytes)
            return sim_fault(x, op, lane, "copies %u bytes of %u", read, bytes) != NULL;
        ends->most = read > ends->most ? read : ends->most;
        if (!sim_place_lane(x, op, PTX_SHARED, ends->targets[lane], lane, bytes, true, &shared))
            return false;
        if (!read)
            continue;
        ends->reading |= 1u << lane;
        // What is not read need not be there, but all of it must be aligned.
        bool is_aligned = ends->sources[lane] % bytes == 0;
        ends->from[lane] = is_aligned
                               ? sim_place_span(x, op, PTX_GLOBAL, ends->sources[lane], lane, read, false, &place)
                               : sim_place_lane(x, op, PTX_GLOBAL, ends->sources[lane], lane, bytes, false, &place);
        if (!ends->from[lane])
            return false;
        ends->lengths[lane] = read;
        if (!sim_valid_get(&place, ends->sources[lane] - place.start, read))
            sim_watch_unset(x, op, 1u << lane, PTX_GLOBAL, ends->sources[lane]);
    }
    return true;
}

// Whether each lane reads as much as it writes, or nothing.
static bool all_or_nothing(const struct exec *x, const struct op *op, uint32_t mask, uint32_t *reading)
{
    uint32_t odd = 0, other = 0;
    *reading = mask;
    if (op->count == 2)
        *reading &= ~*(const uint32_t *)slot_at(x, op->slot[2]);
    if (op->count != 1)
        return mask != 0;
    const uint32_t *wanted = slot_at(x, op->slot[2]);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        other |= wanted[lane] ^ op->width;
    FOR_LANES (lane, other ? mask : 0) {
        *reading &= ~((uint32_t)(wanted[lane] == 0) << lane);
        odd |= wanted[lane] != 0 && wanted[lane] != op->width;
    }
    return mask && !odd;
}

static bool find_ends(struct exec *x, const struct op *op, uint32_t mask, struct ends *ends)
{
    struct place shared, place;
    struct op side = *op;
    side.flags = (uint16_t)(op->flags & ~OP_ADDRESS64) | (op->wide & 1 ? OP_ADDRESS64 : 0);
    sim_addresses(x, &side, op->slot[0], ends->targets);
    side.flags = (uint16_t)(op->flags & ~OP_ADDRESS64) | (op->wide & 2 ? OP_ADDRESS64 : 0);
    side.offset = (int32_t)op->extra;
    sim_addresses(x, &side, op->slot[1], ends->sources);
    bool is_usual =
        all_or_nothing(x, op, mask, &ends->reading) &&
        sim_place_lanes(x, PTX_SHARED, mask, ends->targets, op->width, true, &shared) &&
        (!ends->reading ||
         (sim_place_lanes(x, PTX_GLOBAL, ends->reading, ends->sources, op->width, false, &place) && !place.valid));
    if (!is_usual)
        return find_ends_slow(x, op, mask, ends);
    ends->most = ends->reading ? op->width : 0;
    ends->data = ends->reading ? place.data : NULL;
    ends->start = ends->reading ? place.start : 0;
    return true;
}

// bytes: a constant where this is inlined, so that a lane takes an instruction or two.
static inline __attribute__((always_inline)) void fetch_lanes(struct copy *copy, const struct ends *ends,
                                                              uint32_t bytes)
{
    FOR_LANES (lane, ends->reading)
        memcpy(copy->data[lane], ends->data + (ends->sources[lane] - ends->start), bytes);
}

static void copy_fetch(struct copy *copy, const struct ends *ends)
{
    FOR_LANES (lane, copy->mask & (ends->data ? ~ends->reading : UINT32_MAX))
        memset(copy->data[lane], 0, sizeof copy->data[lane]);
    if (ends->data && copy->bytes == 16)
        fetch_lanes(copy, ends, 16);
    else if (ends->data && copy->bytes == 8)
        fetch_lanes(copy, ends, 8);
    else if (ends->data)
        fetch_lanes(copy, ends, 4);
    else
        FOR_LANES (lane, ends->reading)
            memcpy(copy->data[lane], ends->from[lane], ends->lengths[lane]);
}

// slots: 0 shared address, 1 global address, 2 bytes really read or (action 1) a predicate "ignore the source"
static const struct op *run_copy(struct exec *x, const struct op *op, uint32_t mask)
{
    struct ends ends;
    if (!find_ends(x, op, mask, &ends))
        return NULL;
    struct copy *copy = copy_new(x->warp);
    copy->step = x->step;
    copy->mask = mask;
    copy->bytes = op->width;
    memcpy(copy->group, x->warp->kept.committed, sizeof copy->group);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        copy->target[lane] = (uint32_t)ends.targets[lane];
    if (x->wants & (SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL)) {
        struct sim_access access = {.kind = SIM_ASYNC_COPY,
                                    .space = PTX_SHARED,
                                    .mask = mask,
                                    .bytes = op->width,
                                    .addresses = ends.targets,
                                    .sources = ends.sources,
                                    .source_space = PTX_GLOBAL,
                                    .source_mask = ends.reading,
                                    .source_bytes = ends.most};
        sim_watch_access(x, op, &access);
    }
    copy_fetch(copy, &ends);
    return op + 1;
}

// bytes: as of fetch_lanes
static inline __attribute__((always_inline)) void land_lanes(const struct block *block, const struct copy *copy,
                                                             uint32_t due, uint32_t bytes)
{
    FOR_LANES (lane, due) {
        uint32_t target = copy->target[lane]; // a multiple of its bytes
        memcpy(block->shared + target, copy->data[lane], bytes);
        if (block->shared_valid && bytes == 4)
            block->shared_valid[target / 8] |= (unsigned char)(0xf << target % 8);
        else if (block->shared_valid)
            memset(block->shared_valid + target / 8, 0xff, bytes / 8);
    }
}

static void copy_land(const struct block *block, struct copy *copy, uint32_t due)
{
    if (copy->bytes == 16)
        land_lanes(block, copy, due, 16);
    else if (copy->bytes == 8)
        land_lanes(block, copy, due, 8);
    else
        land_lanes(block, copy, due, 4);
    copy->mask &= ~due;
}

// Those that are still on their way, in order, and behind them those that can be used again.
static void copies_drop_landed(struct warp *warp)
{
    size_t kept = 0;
    for (size_t i = 0; i < warp->copy_count; i++) {
        struct copy *copy = warp->copies[i];
        if (!copy->mask)
            continue;
        warp->copies[i] = warp->copies[kept];
        warp->copies[kept++] = copy;
    }
    warp->copy_count = kept;
}

// Those of a copy whose group has been committed, and with it and after it more than `keep`. The compiler makes it some
// lanes at once.
static uint32_t lanes_due(const struct copy *copy, const uint32_t committed[SIM_LANES], uint32_t keep)
{
#define BITS(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
    static const uint32_t bits[SIM_LANES] = {BITS(0),  BITS(4),  BITS(8),  BITS(12),
                                             BITS(16), BITS(20), BITS(24), BITS(28)};
#undef BITS
    uint32_t due = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        due |= bits[lane] & -(uint32_t)(committed[lane] - copy->group[lane] > keep);
    return due;
}

// keep: groups that may stay on their way; all: none does, nor what is in no group
static void copies_land(struct exec *x, uint32_t lanes, uint32_t keep, bool all)
{
    const uint32_t *committed = x->warp->kept.committed;
    for (size_t i = 0; i < x->warp->copy_count; i++) {
        struct copy *copy = x->warp->copies[i];
        uint32_t due = copy->mask & lanes & (all ? UINT32_MAX : lanes_due(copy, committed, keep));
        if (due)
            copy_land(x->block, copy, due);
    }
    copies_drop_landed(x->warp);
}

void sim_copies_land_before(struct exec *x, struct warp *warp, uint32_t lanes, uint64_t step)
{
    for (size_t i = 0; i < warp->copy_count && warp->copies[i]->step < step; i++)
        copy_land(x->block, warp->copies[i], warp->copies[i]->mask & lanes);
    copies_drop_landed(warp);
}

const struct op *run_commit(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask)
        x->warp->kept.committed[lane]++;
    if (x->wants & SIM_WANT_SYNC) {
        struct sim_sync sync = {.kind = SIM_SYNC_ASYNC_COMMIT, .mask = mask};
        sim_watch_sync(x, op, &sync);
    }
    return op + 1;
}

// imm: groups that may stay on their way; action: wait_all
const struct op *run_wait_group(struct exec *x, const struct op *op, uint32_t mask)
{
    copies_land(x, mask, (uint32_t)op->imm, op->action);
    if (x->wants & SIM_WANT_SYNC) {
        struct sim_sync sync = {
            .kind = SIM_SYNC_ASYNC_WAIT, .mask = mask, .count = (uint32_t)op->imm, .all = op->action};
        sim_watch_sync(x, op, &sync);
    }
    return op + 1;
}

void decode_copy(struct decoder *d)
{
    struct op *op = d->op;
    uint32_t operands = d->inst->operand_count;
    const struct ptx_operand *size = decode_operand(d, 2);
    bool ignores = operands > 3 && decode_operand(d, 3)->kind == PTX_OPERAND_REGISTER &&
                   decode_operand(d, 3)->value.reg < d->source->register_count &&
                   d->source->registers[decode_operand(d, 3)->value.reg].type == PTX_PRED;
    bool hinted = decode_has(d, PTX_MOD_L2__CACHE_HINT);
    if (size->kind != PTX_OPERAND_INTEGER ||
        (size->value.bits != 4 && size->value.bits != 8 && size->value.bits != 16)) {
        decode_refuse(d, "its size must be 4, 8 or 16");
        return;
    }
    if (decode_has(d, PTX_MOD_CG) && size->value.bits != 16)
        decode_refuse(d, ".cg copies 16 bytes");
    decode_address(d, 1, 1);
    if (op->offset > INT32_MAX || op->offset < INT32_MIN)
        decode_refuse(d, "an offset beyond 32 bits");
    op->extra = (uint32_t)op->offset;
    op->flags &= (uint16_t)~OP_ADDRESS64;
    decode_address(d, 0, 0);
    op->width = (uint8_t)size->value.bits;
    op->count = 0;
    if (ignores) {
        op->count = 2;
        decode_source(d, 2, 3, PTX_PRED);
    } else if (operands > 3u + hinted) {
        op->count = 1;
        decode_source(d, 2, 3, PTX_U32);
    }
    op->space = PTX_SHARED;
    op->kind = SIM_ASYNC_COPY;
    op->flags |= OP_MEMORY;
    op->run = run_copy;
}

void decode_wait_group(struct decoder *d)
{
    decode_group_count(d);
    d->op->run = run_wait_group;
}
