// Who happened before whom inside a block: barriers, __syncwarp, fences with strong accesses, mbarriers, async copies.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

// A place that releases and acquires go through, with the clocks it carries.
struct order_object {
    uint32_t signallers; // warps whose async copies arrive here: those before the step in copies[]
    uint32_t copies[SIM_MAX_WARPS];
    uint32_t clocks[SIM_MAX_WARPS];
};

static void join(uint32_t *into, const uint32_t *from, uint32_t warps)
{
    for (uint32_t i = 0; i < warps; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

static void raise_to(uint32_t *clock, uint32_t step)
{
    if (*clock < step)
        *clock = step;
}

void order_begin(struct order *order, const struct sim_block *block)
{
    uint32_t warps = block->warps < SIM_MAX_WARPS ? block->warps : SIM_MAX_WARPS;
    order->block_stamp = ++order->stamp;
    order->tick = 1;
    order->warps = warps;
    order->threads = block->threads;
    order->exited = 0;
    for (uint32_t w = 0; w < warps; w++) {
        uint32_t lanes = block->threads - w * SIM_LANES;
        order->live[w] = lanes >= SIM_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
        if (order->partial >> w & 1)
            memset(order->lanes[w], 0, SIM_LANES * sizeof *order->lanes[w]);
    }
    memset(order->known, 0, warps * sizeof *order->known);
    memset(order->fence, 0, warps * sizeof *order->fence);
    memset(order->fence_tick, 0, sizeof order->fence_tick);
    memset(order->acquire, 0, warps * sizeof *order->acquire);
    memset(order->barriers, 0, sizeof order->barriers);
    memset(order->commits, 0, warps * sizeof *order->commits);
    memset(order->done, 0, warps * sizeof *order->done);
    memset(order->wait_count, 0, sizeof order->wait_count);
    memset(order->bulk_waits, 0, sizeof order->bulk_waits);
    order->fenced = order->acquiring = order->partial = 0;
    order->outside = false;
    order->bulk_issued = order->bulk_done = 0;
    if (order->objects.count)
        map_clear(&order->objects);
}

void order_end(struct order *order)
{
    map_free(&order->objects);
    for (int w = 0; w < SIM_MAX_WARPS; w++)
        free(order->lanes[w]);
}

// ---- objects

static uint64_t object_key(enum ptx_space space, uint64_t address)
{
    return address << 1 | (space == PTX_SHARED);
}

// Holds until the next one is asked for. NULL: nothing was released there.
static struct order_object *object_find(const struct order *order, enum ptx_space space, uint64_t address)
{
    return map_find(&order->objects, object_key(space, address));
}

static struct order_object *object_get(struct order *order, enum ptx_space space, uint64_t address)
{
    order->objects.value_size = sizeof(struct order_object);
    return map_add(&order->objects, object_key(space, address), NULL);
}

// ---- asking

// Lanes of one warp that a partial __syncwarp() ordered.
static bool lanes_ordered(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (!(order->partial >> warp & 1))
        return false;
    if (mark->flags & MARK_MERGED)
        return true; // several instructions in one mark: nobody knows which lane came when
    const uint32_t *row = order->lanes[warp][lane];
    return (mark->lane == lane || mark->step < row[mark->lane]) &&
           (mark->last_lane == lane || mark->step < row[mark->last_lane]);
}

bool order_is_before(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (mark->stamp != order->stamp)
        return true;
    if (mark->warp != warp)
        return mark->step < order->known[warp][mark->warp];
    if (mark->lane == lane && mark->last_lane == lane)
        return true;
    return mark->step < order->known[warp][warp] || lanes_ordered(order, mark, warp, lane);
}

// The wait that completed the lane's copies of this step, or NULL if it was too long ago to be remembered.
static const struct order_wait *find_wait(const struct order *order, const struct mark *mark)
{
    const struct order_wait *found = NULL;
    uint32_t count = order->wait_count[mark->warp];
    for (uint32_t i = 0; i < count && i < WAIT_RING; i++) {
        const struct order_wait *wait = &order->waits[mark->warp][(count - 1 - i) % WAIT_RING];
        if (!(wait->mask >> mark->lane & 1))
            continue;
        if (wait->done <= mark->step)
            break;
        found = wait;
    }
    return found;
}

static enum async_state bulk_state(const struct order *order, const struct mark *mark, uint32_t warp)
{
    if (mark->step < order->bulk_waits[warp])
        return ASYNC_ORDERED;
    if (mark->step >= order->bulk_done)
        return ASYNC_PENDING;
    return mark->stamp != order->stamp ? ASYNC_ORDERED : ASYNC_UNSYNCED;
}

enum async_state order_async_state(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (mark->stamp < order->block_stamp)
        return ASYNC_ORDERED;
    if (mark->flags & MARK_BULK)
        return bulk_state(order, mark, warp);
    if (mark->step >= order->done[mark->warp][mark->lane])
        return ASYNC_PENDING;
    if (mark->warp == warp && mark->lane == lane)
        return ASYNC_ORDERED;
    const struct order_wait *wait = find_wait(order, mark);
    if (!wait)
        return ASYNC_ORDERED;
    struct mark waited = *mark;
    waited.stamp = wait->stamp;
    waited.step = wait->step;
    return order_is_before(order, &waited, warp, lane) ? ASYNC_ORDERED : ASYNC_UNSYNCED;
}

// ---- barriers

static void take_acquired(struct hazard_state *state, uint32_t warp)
{
    struct order *order = &state->order;
    if (!(order->acquiring >> warp & 1))
        return;
    join(order->known[warp], order->acquire[warp], order->warps);
    memset(order->acquire[warp], 0, sizeof order->acquire[warp]);
    order->acquiring &= ~(UINT32_C(1) << warp);
}

static void barrier_arrive(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    struct order_barrier *barrier = &order->barriers[sync->id % SIM_BARRIERS];
    uint32_t warp = sync->warp;
    take_acquired(state, warp);
    barrier->lanes += (uint32_t)__builtin_popcount(sync->mask);
    join(barrier->clocks, order->known[warp], order->warps);
    raise_to(&barrier->clocks[warp], (uint32_t)sync->step);
    if (order->fenced >> warp & 1) {
        join(barrier->fence, order->fence[warp], order->warps);
        barrier->fenced = true;
        raise_to(&barrier->fence_tick, order->fence_tick[warp]);
    }
    if (sync->waits)
        barrier->waiting |= UINT32_C(1) << warp;
    else
        barrier->some_leave = true;
}

// What a warp fenced before a barrier is fenced for those who wait there, too (fences are cumulative).
static void barrier_pass_fences(struct order *order, const struct order_barrier *barrier)
{
    if (!barrier->fenced)
        return;
    for (uint32_t rest = barrier->waiting; rest; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctz(rest);
        join(order->fence[warp], barrier->fence, order->warps);
        raise_to(&order->fence_tick[warp], barrier->fence_tick);
    }
    order->fenced |= barrier->waiting;
}

static void barrier_complete(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    struct order_barrier *barrier = &order->barriers[sync->id % SIM_BARRIERS];
    if (order->outside)
        cross_acquire(state);
    barrier_pass_fences(order, barrier);
    if (!barrier->some_leave && barrier->lanes + order->exited >= order->threads) {
        order->stamp++;
    } else {
        for (uint32_t rest = barrier->waiting; rest; rest &= rest - 1)
            join(order->known[__builtin_ctz(rest)], barrier->clocks, order->warps);
    }
    *barrier = (struct order_barrier){0};
}

static void warp_sync(struct order *order, const struct sim_sync *sync)
{
    uint32_t warp = sync->warp, step = (uint32_t)sync->step, joint[SIM_LANES] = {0};
    if ((sync->mask & order->live[warp]) == order->live[warp]) {
        raise_to(&order->known[warp][warp], step);
        return;
    }
    if (!order->lanes[warp])
        order->lanes[warp] = mem_alloc(SIM_LANES * sizeof *order->lanes[warp]);
    order->partial |= UINT32_C(1) << warp;
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        join(joint, order->lanes[warp][lane], SIM_LANES);
        raise_to(&joint[lane], step);
    }
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1)
        memcpy(order->lanes[warp][__builtin_ctz(rest)], joint, sizeof joint);
}

// ---- fences, releases, acquires (PTX ISA, Memory Consistency Model: release and acquire patterns)

static void fence(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    uint32_t warp = sync->warp;
    take_acquired(state, warp);
    if (order->outside && sync->scope >= SIM_SCOPE_GPU)
        cross_acquire(state);
    memcpy(order->fence[warp], order->known[warp], sizeof order->fence[warp]);
    raise_to(&order->fence[warp][warp], (uint32_t)sync->step);
    order->fenced |= UINT32_C(1) << warp;
    if (sync->scope >= SIM_SCOPE_GPU)
        order->fence_tick[warp] = ++order->tick;
}

static void acquire_from(struct hazard_state *state, const struct sim_access *access, uint64_t address)
{
    struct order *order = &state->order;
    bool at_once = access->order == SIM_ACQUIRE || access->order == SIM_ACQ_REL;
    struct order_object *object = object_find(order, access->space, address);
    if (object) {
        join(at_once ? order->known[access->warp] : order->acquire[access->warp], object->clocks, order->warps);
        if (!at_once)
            order->acquiring |= UINT32_C(1) << access->warp;
    }
    if (access->space == PTX_GLOBAL) {
        cross_strong_read(state, address);
        if (at_once && access->scope >= SIM_SCOPE_GPU)
            cross_acquire(state);
    }
}

static void release_to(struct hazard_state *state, const struct sim_access *access, uint64_t address)
{
    struct order *order = &state->order;
    uint32_t warp = access->warp, tick = order->fence_tick[warp];
    bool at_once = access->order == SIM_RELEASE || access->order == SIM_ACQ_REL;
    if (at_once) {
        struct order_object *object = object_get(order, access->space, address);
        join(object->clocks, order->known[warp], order->warps);
        raise_to(&object->clocks[warp], (uint32_t)access->step);
        tick = access->scope >= SIM_SCOPE_GPU ? ++order->tick : tick;
    } else if (order->fenced >> warp & 1) {
        join(object_get(order, access->space, address)->clocks, order->fence[warp], order->warps);
    }
    if (tick && access->space == PTX_GLOBAL)
        cross_release(state, address, tick);
}

void order_strong_access(struct hazard_state *state, const struct sim_access *told)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    bool reads = access->kind != SIM_STORE, writes = access->kind != SIM_LOAD;
    uint64_t last = UINT64_MAX;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint64_t address = access->addresses[__builtin_ctz(rest)];
        if (address == last)
            continue;
        last = address;
        if (reads)
            acquire_from(state, access, address);
        if (writes)
            release_to(state, access, address);
    }
}

// ---- asynchronous copies and mbarriers

static void async_commit(struct order *order, const struct sim_sync *sync)
{
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint32_t group = order->commits[sync->warp][lane]++;
        order->commit_steps[sync->warp][lane][group % ASYNC_RING] = (uint32_t)sync->step;
    }
}

static uint32_t wait_reaches(const struct order *order, const struct sim_sync *sync, int lane)
{
    uint32_t commits = order->commits[sync->warp][lane];
    if (sync->all)
        return (uint32_t)sync->step;
    if (commits <= sync->count || sync->count >= ASYNC_RING)
        return 0;
    return order->commit_steps[sync->warp][lane][(commits - sync->count - 1) % ASYNC_RING];
}

static void async_complete(struct order *order, uint32_t warp, uint32_t mask, uint32_t done, uint32_t step)
{
    struct order_wait wait = {0, done, order->stamp, step};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (order->done[warp][lane] < done) {
            order->done[warp][lane] = done;
            wait.mask |= UINT32_C(1) << lane;
        }
    }
    if (wait.mask)
        order->waits[warp][order->wait_count[warp]++ % WAIT_RING] = wait;
}

static void async_wait(struct order *order, const struct sim_sync *sync)
{
    for (uint32_t rest = sync->mask; rest;) {
        uint32_t reach = wait_reaches(order, sync, __builtin_ctz(rest)), same = 0;
        for (uint32_t others = rest; others; others &= others - 1) {
            if (wait_reaches(order, sync, __builtin_ctz(others)) == reach)
                same |= others & -others;
        }
        async_complete(order, sync->warp, same, reach, (uint32_t)sync->step);
        rest &= ~same;
    }
}

static void mbarrier_arrive(struct order *order, const struct sim_sync *sync, bool copies)
{
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        struct order_object *object = object_get(order, PTX_SHARED, sync->addresses[lane]);
        join(object->clocks, order->known[sync->warp], order->warps);
        raise_to(&object->clocks[sync->warp], (uint32_t)sync->step + 1);
        if (copies) {
            raise_to(&object->copies[sync->warp], (uint32_t)sync->step);
            object->signallers |= UINT32_C(1) << sync->warp;
        }
    }
}

// Copies that arrive at the mbarrier are performed where their arrival was asked for.
static void mbarrier_complete_copies(struct order *order, struct order_object *object)
{
    for (uint32_t rest = object->signallers; rest; rest &= rest - 1) {
        uint32_t warp = (uint32_t)__builtin_ctz(rest);
        async_complete(order, warp, UINT32_MAX, object->copies[warp], object->copies[warp]);
    }
    object->signallers = 0;
}

static void mbarrier_wait(struct order *order, const struct sim_sync *sync)
{
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1) {
        struct order_object *object = object_find(order, PTX_SHARED, sync->addresses[__builtin_ctz(rest)]);
        if (!object)
            continue;
        mbarrier_complete_copies(order, object);
        join(order->known[sync->warp], object->clocks, order->warps);
    }
    order->bulk_waits[sync->warp] = order->bulk_done = order->bulk_issued;
}

static void mbarrier_init(struct order *order, const struct sim_sync *sync)
{
    for (uint32_t rest = sync->mask; rest; rest &= rest - 1) {
        struct order_object *object = object_get(order, PTX_SHARED, sync->addresses[__builtin_ctz(rest)]);
        memset(object->clocks, 0, sizeof object->clocks);
    }
}

void order_sync(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    if (sync->warp >= SIM_MAX_WARPS)
        return;
    switch (sync->kind) {
    case SIM_SYNC_ARRIVE:
        barrier_arrive(state, sync);
        break;
    case SIM_SYNC_COMPLETE:
        barrier_complete(state, sync);
        break;
    case SIM_SYNC_WARP:
        warp_sync(order, sync);
        break;
    case SIM_SYNC_FENCE:
        fence(state, sync);
        break;
    case SIM_SYNC_ASYNC_COMMIT:
        async_commit(order, sync);
        break;
    case SIM_SYNC_ASYNC_WAIT:
        async_wait(order, sync);
        break;
    case SIM_SYNC_MBARRIER_INIT:
        mbarrier_init(order, sync);
        break;
    case SIM_SYNC_MBARRIER_ARRIVE:
        mbarrier_arrive(order, sync, false);
        break;
    case SIM_SYNC_ASYNC_MBARRIER:
        mbarrier_arrive(order, sync, true);
        break;
    case SIM_SYNC_MBARRIER_WAIT:
        mbarrier_wait(order, sync);
        break;
    case SIM_SYNC_EXIT:
        order->live[sync->warp] &= ~sync->mask;
        order->exited += (uint32_t)__builtin_popcount(sync->mask);
        break;
    }
}
