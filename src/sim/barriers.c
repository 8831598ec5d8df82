// Barriers of a block, fences, mbarriers, and the rest of the SYNC and MISC groups.
//
// A barrier counts threads, not warps (sm_70 and later). It opens when as many have arrived as it was told, or every
// thread of the block that has not ended (CUDA Programming Guide, "compute capability 7.x": all non-exited threads).
#include "sim/decode.h"

static void barrier_tell(struct exec *x, const struct op *op, enum sim_sync_kind kind, uint32_t mask, uint32_t id,
                         bool waits)
{
    if (!(x->wants & SIM_WANT_SYNC))
        return;
    struct sim_sync sync = {
        .kind = kind, .mask = mask, .id = id, .waits = waits, .count = x->block->barriers[id].expected};
    sim_watch_sync(x, op, &sync);
}

static void barrier_notice(struct exec *x, const struct op *op, const struct warp *warp, uint32_t mask,
                           enum sim_notice_kind kind, uint32_t other_pc)
{
    struct warp *running = x->warp;
    struct sim_notice notice = {.kind = kind, .mask = mask, .other_pc = other_pc};
    x->warp = (struct warp *)(uintptr_t)warp;
    sim_watch_notice(x, op, &notice);
    x->warp = running;
}

// Where live lanes of a warp are that are not at the barrier.
static uint32_t barrier_elsewhere(const struct exec *x, const struct warp *warp, uint32_t id, const struct op *not_here)
{
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        const struct fragment *fragment = &warp->fragments[i];
        if (fragment->state == FRAGMENT_AT_BARRIER && fragment->barrier_id == id && fragment->barrier == not_here)
            continue;
        return op_pc(x, fragment->state == FRAGMENT_AT_BARRIER ? fragment->barrier : fragment->op);
    }
    for (size_t i = 0; i < warp->join_count; i++)
        if (warp->joins[i]->arrived)
            return op_pc(x, warp->joins[i]->op);
    return UINT32_MAX;
}

// When a barrier opens: did whole warps meet at one place, and did every thread of the block take part?
static void barrier_examine(struct exec *x, const struct barrier *barrier, uint32_t id)
{
    const struct block *block = x->block;
    if (!(x->wants & SIM_WANT_NOTICE))
        return;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        const struct op *first = barrier->place[w];
        if (!barrier->seen[w])
            continue;
        bool aligned = first->flags & OP_ALIGNED;
        uint32_t missing = warp->live & ~barrier->seen[w];
        if (aligned && (missing || barrier->spread >> w & 1)) {
            uint32_t other =
                barrier->spread >> w & 1 ? op_pc(x, barrier->other[w]) : barrier_elsewhere(x, warp, id, first);
            barrier_notice(x, first, warp, barrier->seen[w], SIM_NOTICE_BARRIER_DIVERGED, other);
        }
        if (!barrier->expected && !missing && warp->live != warp->lanes && warp->live)
            barrier_notice(x, first, warp, barrier->seen[w], SIM_NOTICE_BARRIER_ENDED, warp->exit_pc);
    }
    if (barrier->expected)
        return;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        uint32_t v = 0;
        if (block->warps[w].live)
            continue;
        while (v < block->warp_count && !barrier->seen[v])
            v++;
        if (v < block->warp_count)
            barrier_notice(x, barrier->place[v], &block->warps[v], barrier->seen[v], SIM_NOTICE_BARRIER_ENDED,
                           block->warps[w].exit_pc);
        return;
    }
}

static void barrier_answer(struct exec *x, struct warp *warp, const struct fragment *fragment,
                           const struct barrier *barrier)
{
    const struct op *op = fragment->barrier;
    if (op->action < BARRIER_AND)
        return;
    uint32_t count = barrier->count, mask = fragment->mask;
    if (x->launch->lone_warp && op->action == BARRIER_POPC) // the others would have said the same
        count = count * x->block->threads / (uint32_t)__builtin_popcount(warp->lanes);
    unsigned char *saved[BASE_COUNT];
    memcpy(saved, x->base, sizeof saved);
    x->base[BASE_R32] = warp->r32 + fragment->frame->base32;
    x->base[BASE_PRED] = warp->pred + fragment->frame->base_pred;
    x->base[BASE_WARP] = warp->area;
    if (op->action == BARRIER_POPC)
        FOR_LANES (lane, mask)
            slot_put(x, op, 0, lane, count);
    else
        pred_put(slot_at(x, op->slot[0]), mask,
                 (op->action == BARRIER_AND ? count == barrier->asked : count > 0) ? mask : 0);
    memcpy(x->base, saved, sizeof saved);
}

static void barrier_open(struct exec *x, const struct op *op, uint32_t id)
{
    struct block *block = x->block;
    struct barrier *barrier = &block->barriers[id];
    barrier_examine(x, barrier, id);
    barrier_tell(x, op, SIM_SYNC_COMPLETE, 0, id, false);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->fragment_count; i++) {
            struct fragment *fragment = &warp->fragments[i];
            if (fragment->state != FRAGMENT_AT_BARRIER || fragment->barrier_id != id)
                continue;
            barrier_answer(x, warp, fragment, barrier);
            fragment->state = FRAGMENT_READY;
        }
    }
    memset(barrier, 0, sizeof *barrier);
    block->barriers_used &= ~(1u << id);
}

static bool barrier_full(const struct block *block, const struct barrier *barrier)
{
    if (barrier->expected)
        return barrier->arrived >= barrier->expected;
    return barrier->arrived && barrier->arrived + block->exited >= block->threads;
}

void sim_barrier_exit(struct exec *x, uint32_t lanes)
{
    struct block *block = x->block;
    block->exited += (uint32_t)__builtin_popcount(lanes);
    FOR_LANES (id, block->barriers_used) {
        struct barrier *barrier = &block->barriers[id];
        if (!barrier->expected && barrier_full(block, barrier))
            for (uint32_t w = 0; w < block->warp_count; w++)
                if (barrier->seen[w]) {
                    barrier_open(x, barrier->place[w], id);
                    break;
                }
    }
}

// What threads that meet at a barrier must have in common: they reduce nothing, or the same.
static uint8_t barrier_kind(const struct op *op)
{
    return op->action == BARRIER_ARRIVE ? BARRIER_SYNC : op->action;
}

static const struct op *barrier_fault(struct exec *x, const struct op *op, uint32_t mask, uint64_t id, uint64_t count)
{
    static const char *const names[] = {[BARRIER_SYNC] = "bar.sync (__syncthreads)",
                                        [BARRIER_ARRIVE] = "bar.arrive",
                                        [BARRIER_AND] = "bar.red.and (__syncthreads_and)",
                                        [BARRIER_OR] = "bar.red.or (__syncthreads_or)",
                                        [BARRIER_POPC] = "bar.red.popc (__syncthreads_count)"};
    uint32_t lane = lane_first(mask);
    if (id >= SIM_BARRIERS)
        return sim_fault(x, op, lane, "uses barrier %llu; there are 16, 0 to 15", (unsigned long long)id);
    if (count % SIM_LANES)
        return sim_fault(x, op, lane, "waits for %llu threads at barrier %llu; it must be a multiple of 32",
                         (unsigned long long)count, (unsigned long long)id);
    if (x->block->barriers[id].expected == count)
        return sim_fault(x, op, lane,
                         "comes to barrier %llu by %s, where others came by %s, which is undefined: let all take the "
                         "same one, or two barriers",
                         (unsigned long long)id, names[op->action], names[x->block->barriers[id].first->action]);
    return sim_fault(x, op, lane, "waits for %llu threads at barrier %llu, where others wait for %u",
                     (unsigned long long)count, (unsigned long long)id, x->block->barriers[id].expected);
}

// slots: 0 result, 1 barrier, 2 count (extra: there is one), 3 predicate
static const struct op *run_barrier(struct exec *x, const struct op *op, uint32_t mask)
{
    struct block *block = x->block;
    struct warp *warp = x->warp;
    uint64_t id = slot_get(x, op, 1, lane_first(mask)), count = op->extra ? slot_get(x, op, 2, lane_first(mask)) : 0;
    uint32_t w = warp->number;
    if (id >= SIM_BARRIERS || count % SIM_LANES)
        return barrier_fault(x, op, mask, id, count);
    struct barrier *barrier = &block->barriers[id];
    // PTX ISA, barrier: a reduction and another kind at one active barrier are unpredictable
    if (barrier->arrived && (barrier->expected != count || barrier_kind(barrier->first) != barrier_kind(op)))
        return barrier_fault(x, op, mask, id, count);
    if (!barrier->arrived)
        barrier->first = op;
    bool waits = op->action != BARRIER_ARRIVE;
    barrier->expected = (uint32_t)count;
    barrier_tell(x, op, SIM_SYNC_ARRIVE, mask, (uint32_t)id, waits);
    block->barriers_used |= 1u << id;
    barrier->arrived += (uint32_t)__builtin_popcount(mask);
    if (!barrier->seen[w]) {
        barrier->place[w] = op;
    } else if (barrier->place[w] != op && !(barrier->seen[w] & mask)) { // else they come again
        barrier->spread |= 1u << w;
        barrier->other[w] = op;
    }
    barrier->seen[w] |= mask;
    if (op->action >= BARRIER_AND) {
        uint32_t p = *(const uint32_t *)slot_at(x, op->slot[3]) ^ (uint32_t)op->imm;
        barrier->asked += (uint32_t)__builtin_popcount(mask);
        barrier->count += (uint32_t)__builtin_popcount(p & mask);
    }
    struct fragment *fragment = x->fragment;
    if (!waits) {
        if (barrier_full(block, barrier))
            barrier_open(x, op, (uint32_t)id);
        return op + 1;
    }
    if (mask != fragment->mask) { // a guard keeps some lanes away: they go on
        struct fragment *rest = &warp->fragments[warp->fragment_count++];
        *rest = *fragment;
        rest->mask = fragment->mask & ~mask;
        rest->op = op + 1;
        fragment->mask = mask;
    }
    fragment->op = op + 1;
    fragment->state = FRAGMENT_AT_BARRIER;
    fragment->barrier = op;
    fragment->barrier_id = (uint32_t)id;
    if (barrier_full(block, barrier))
        barrier_open(x, op, (uint32_t)id);
    if (fragment->state == FRAGMENT_READY && warp->fragment_count == 1)
        return op + 1;
    return NULL;
}

bool sim_barrier_stalled(struct exec *x)
{
    const struct block *block = x->block;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->fragment_count; i++) {
            const struct fragment *fragment = &warp->fragments[i];
            if (fragment->state != FRAGMENT_AT_BARRIER)
                continue;
            const struct barrier *barrier = &block->barriers[fragment->barrier_id];
            uint32_t wanted = barrier->expected ? barrier->expected : block->threads - block->exited;
            if (x->wants & SIM_WANT_NOTICE)
                barrier_notice(x, fragment->barrier, warp, fragment->mask, SIM_NOTICE_BARRIER_UNEVEN, UINT32_MAX);
            x->result->fault = SIM_FAULT_DEADLOCK;
            sim_block_fault(x, STATUS_FAULT, fragment->barrier, warp, lane_first(fragment->mask),
                            "waits for ever: %u of %u threads are at barrier %u, and no other thread can run",
                            barrier->arrived, wanted, fragment->barrier_id);
            return true;
        }
    }
    x->result->fault = SIM_FAULT_DEADLOCK;
    x->status = diagnostic_set(x->diagnostic, STATUS_FAULT, "block (%u,%u,%u) waits for ever", block->index[0],
                               block->index[1], block->index[2]);
    return true;
}

// ---- fences and warp barriers

static const struct op *run_fence(struct exec *x, const struct op *op, uint32_t mask)
{
    if (x->wants & SIM_WANT_SYNC) {
        struct sim_sync sync = {.kind = SIM_SYNC_FENCE,
                                .mask = mask,
                                .order = (enum sim_order)op->order,
                                .scope = (enum sim_scope)op->scope};
        sim_watch_sync(x, op, &sync);
    }
    return op + 1;
}

// Lanes of this warp that came to a warp barrier at another place, and go on with those that are here.
static uint32_t met_elsewhere(const struct warp *warp)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->fragment_count; i++)
        if (warp->fragments[i].forced && warp->fragments[i].op->flags & OP_WARP_SYNC)
            lanes |= warp->fragments[i].mask;
    return lanes;
}

static const struct op *run_warp_barrier(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[1]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    uint32_t elsewhere = met_elsewhere(x->warp);
    for (uint32_t left = mask, group; left; left &= ~group) {
        group = lanes_alike(masks, left);
        uint32_t ended = x->warp->lanes & ~x->warp->live;
        barrier_tell(x, op, SIM_SYNC_WARP, (group | elsewhere | ended) & masks[lane_first(group)], 0, true);
    }
    return op + 1;
}

const struct op *run_nanosleep(struct exec *x, const struct op *op, uint32_t mask)
{
    (void)mask;
    x->yield = true;
    x->block->spinning = op;
    return sim_yield(x, op + 1);
}

// ---- decoding

void decode_barrier(struct decoder *d)
{
    enum barrier_action action = (enum barrier_action)d->op->action;
    struct op *op = d->op;
    const struct ptx_inst *inst = d->inst;
    uint32_t first = action >= BARRIER_AND ? 1 : 0;
    bool wide, pred;
    op->slot[1] = decode_slot(d, decode_operand(d, first), PTX_U32, false, &wide, &pred);
    uint32_t count = inst->operand_count - first - (action >= BARRIER_AND);
    if (count > 1) {
        op->slot[2] = decode_slot(d, decode_operand(d, first + 1), PTX_U32, false, &wide, &pred);
        op->extra = 1;
    }
    if (action >= BARRIER_AND) {
        uint32_t last = inst->operand_count - 1u;
        op->slot[3] = decode_slot(d, decode_operand(d, last), PTX_PRED, false, &wide, &pred);
        op->imm = decode_operand(d, last)->negated ? UINT32_MAX : 0;
        decode_dest(d, 0, 0, action == BARRIER_POPC ? PTX_U32 : PTX_PRED);
    }
    if (decode_has(d, PTX_MOD_ALIGNED))
        op->flags |= OP_ALIGNED;
    op->run = run_barrier;
}

// bar is barrier.aligned
void decode_bar(struct decoder *d)
{
    d->op->flags |= OP_ALIGNED;
    decode_barrier(d);
}

const struct op *run_init_fence(struct exec *x, const struct op *op, uint32_t mask)
{
    struct sim_sync sync = {.kind = SIM_SYNC_INIT_FENCE, .mask = mask};
    if (x->wants & SIM_WANT_SYNC)
        sim_watch_sync(x, op, &sync);
    return op + 1;
}

const struct op *run_proxy_fence(struct exec *x, const struct op *op, uint32_t mask)
{
    struct sim_sync sync = {.kind = SIM_SYNC_PROXY_FENCE, .mask = mask};
    if (x->wants & SIM_WANT_SYNC)
        sim_watch_sync(x, op, &sync);
    return op + 1;
}

void decode_fence(struct decoder *d)
{
    d->op->order = SIM_ACQ_REL;
    d->op->scope = (uint8_t)decode_scope(d);
    d->op->run = run_fence;
}

void decode_warp_barrier(struct decoder *d)
{
    d->op->flags |= OP_WARP_SYNC;
    d->op->run = run_warp_barrier;
}
