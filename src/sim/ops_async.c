// Copies that take their time: cp.async lands in shared memory when its thread waits for it and not before, so that a
// missing wait shows. Bulk copies land when somebody looks at their mbarrier, or waits for their group.
#include <stdlib.h>

#include "sim/decode.h"

// ---- cp.async

// slots: 0 shared address, 1 global address, 2 bytes really read or (action 1) a predicate "ignore the source"
static const struct op *run_copy(struct exec *x, const struct op *op, uint32_t mask)
{
    struct warp *warp = x->warp;
    uint64_t targets[SIM_LANES], sources[SIM_LANES];
    uint32_t bytes = op->width, most = 0, reading = 0, lengths[SIM_LANES];
    const unsigned char *from[SIM_LANES];
    struct op side = *op;
    side.flags = (uint16_t)(op->flags & ~OP_ADDRESS64) | (op->wide & 1 ? OP_ADDRESS64 : 0);
    sim_addresses(x, &side, op->slot[0], targets);
    side.flags = (uint16_t)(op->flags & ~OP_ADDRESS64) | (op->wide & 2 ? OP_ADDRESS64 : 0);
    side.offset = (int32_t)op->extra;
    sim_addresses(x, &side, op->slot[1], sources);
    struct copy *copy = mem_alloc(sizeof *copy);
    *mem_append(warp->copies, warp->copy_capacity, warp->copy_count) = copy;
    copy->mask = mask;
    copy->bytes = bytes;
    FOR_LANES (lane, mask) {
        struct place place;
        uint32_t read = bytes;
        if (op->count == 1)
            read = (uint32_t)slot_get(x, op, 2, lane);
        else if (op->count == 2 && slot_get(x, op, 2, lane))
            read = 0;
        if (read > bytes)
            return sim_fault(x, op, lane, "copies %u bytes of %u", read, bytes);
        most = read > most ? read : most;
        if (!sim_place_lane(x, op, PTX_SHARED, targets[lane], lane, bytes, true, &place))
            return NULL;
        copy->group[lane] = warp->kept.committed[lane];
        copy->target[lane] = (uint32_t)targets[lane];
        if (!read)
            continue;
        reading |= 1u << lane;
        from[lane] = sim_place_lane(x, op, PTX_GLOBAL, sources[lane], lane, bytes, false, &place);
        if (!from[lane])
            return NULL;
        lengths[lane] = read;
        if (!sim_valid_get(&place, sources[lane] - place.start, read))
            sim_watch_unset(x, op, 1u << lane, PTX_GLOBAL, sources[lane]);
    }
    if (x->wants & (SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL)) {
        struct sim_access access = {.kind = SIM_ASYNC_COPY,
                                    .space = PTX_SHARED,
                                    .mask = mask,
                                    .bytes = bytes,
                                    .addresses = targets,
                                    .sources = sources,
                                    .source_space = PTX_GLOBAL,
                                    .source_mask = reading,
                                    .source_bytes = most};
        sim_watch_access(x, op, &access);
    }
    FOR_LANES (lane, reading)
        memcpy(copy->data[lane], from[lane], lengths[lane]);
    return op + 1;
}

void sim_copies_land(struct exec *x, struct warp *warp, uint32_t lane, uint32_t keep, bool all)
{
    for (size_t i = 0; i < warp->copy_count; i++) {
        struct copy *copy = warp->copies[i];
        bool due = all || (copy->group[lane] < warp->kept.committed[lane] &&
                           warp->kept.committed[lane] - copy->group[lane] > keep);
        if (!(copy->mask >> lane & 1) || !due)
            continue;
        memcpy(x->block->shared + copy->target[lane], copy->data[lane], copy->bytes);
        sim_bits_set(x->block->shared_valid, copy->target[lane], copy->bytes);
        copy->mask &= ~(1u << lane);
    }
}

static void copies_drop_landed(struct warp *warp)
{
    size_t kept = 0;
    for (size_t i = 0; i < warp->copy_count; i++) {
        if (warp->copies[i]->mask)
            warp->copies[kept++] = warp->copies[i];
        else
            free(warp->copies[i]);
    }
    warp->copy_count = kept;
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
    FOR_LANES (lane, mask)
        sim_copies_land(x, x->warp, lane, (uint32_t)op->imm, op->action);
    copies_drop_landed(x->warp);
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
