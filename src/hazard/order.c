// Who happened before whom inside a block: barriers, __syncwarp, fences with strong accesses, mbarriers, async copies.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

enum { EXPECTS = 4, EVENTS = 8 };

// What an mbarrier carries in one phase.
struct order_carried {
    uint32_t clocks[CLOCKS];
    uint32_t copied[SIM_MAX_WARPS]; // of an mbarrier: order.copied at its latest arrival
    uint32_t batch;                 // number + 1 of the latest copies that end with it, or ended before
    bool has_batch;                 // they end with it
    // Bytes that were announced without an arrival: an arrival has to come behind that. arrived: what arrivals
    // released.
    uint32_t arrived[CLOCKS], expect_count;
    uint32_t all[SIM_MAX_WARPS]; // each warp's latest arrival of all its lanes at once: its step + 1
    struct mark expects[EXPECTS];
    // Phases of an mbarrier are numbered from 0. last: each warp's latest arrival, step + 1. older: of the one before
    // of this parity.
    uint32_t number, stamp, last[SIM_MAX_WARPS];
    uint32_t seen_tick; // of the block, when the first of it saw that the phase had ended; 0: nobody has
    uint32_t older_clocks[CLOCKS], older_batch, older_stamp, older_last[SIM_MAX_WARPS];
};

// When a warp saw that a phase of an mbarrier had ended: it waited for it, or arrived in the next one. The latest.
struct order_seen {
    uint32_t life, count;
    struct {
        uint32_t number, stamp, step;
    } events[EVENTS];
};

enum { MBARRIER_BYTES = 8 };

// An mbarrier carries something else in each phase: who has waited for one knows nothing of arrivals in the next.
struct order_object {
    struct order_carried by_parity[2];
    uint32_t parity;  // of the latest arrival
    struct mark made; // by mbarrier.init, or inval
    bool is_made, told_in_warp;
    bool lives;                      // made by mbarrier.init, and nothing else was written there since
    uint32_t life;                   // how many times it was made
    struct mark used[SIM_MAX_WARPS]; // as an mbarrier, by each warp, the latest; stamp 0: never
    uint32_t tick;                   // of its block, when it was made
    // Its maker has executed fence.mbarrier_init since; has then arrived at the cluster's barrier, in a phase of this
    // parity; and when each warp waited for that, stamp 0: not yet.
    bool is_fenced, is_sent, sent_parity;
    struct {
        uint32_t stamp, step;
    } heard[SIM_MAX_WARPS];
};

static void raise_all(uint32_t *into, const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

static void clocks_join(const struct order *order, uint32_t *into, const uint32_t *from)
{
    raise_all(into, from, order->warps);
    if (order->copies_arrive)
        raise_all(into + REACHED, from + REACHED, order->warps);
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
        struct order_warp *warp = &order->by_warp[w];
        uint32_t lanes = block->threads - w * SIM_LANES;
        memset(warp, 0, offsetof(struct order_warp, lanes));
        warp->live = lanes >= SIM_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
        if (order->partial >> w & 1)
            memset(warp->lanes, 0, SIM_LANES * sizeof *warp->lanes);
    }
    memset(order->barriers, 0, sizeof order->barriers);
    for (size_t i = 0; i < SIM_BARRIERS; i++)
        order->openings[i].waiting = 0;
    memset(order->copied, 0, sizeof order->copied);
    order->fenced = order->fenced_wide = order->fenced_near = order->acquiring = order->partial = order->released =
        order->alone = 0;
    order->batch_count = 0;
    order->mbarriers_from = order->mbarriers_to = 0;
    order->has_init_fence = order->copies_arrive = false;
    if (order->objects.count)
        map_clear(&order->objects);
    if (order->seen.count)
        map_clear(&order->seen);
    if (order->places.count)
        map_clear(&order->places);
}

void order_end(struct order *order)
{
    map_free(&order->objects);
    map_free(&order->seen);
    map_free(&order->places);
    for (int w = 0; w < SIM_MAX_WARPS; w++)
        free(order->by_warp[w].lanes);
}

// ---- objects

// What releases put at a place, for acquires: clocks of all warps. Holds until the next one is asked for. NULL:
// nothing.
static uint32_t *released_at(const struct order *order, enum ptx_space space, uint64_t address)
{
    return map_find(&order->places, address << 1 | (space == PTX_SHARED));
}

static uint32_t *release_place(struct order *order, enum ptx_space space, uint64_t address)
{
    order->places.value_size = CLOCKS * sizeof(uint32_t);
    return map_add(&order->places, address << 1 | (space == PTX_SHARED), NULL);
}

// An mbarrier in shared memory, or a thread's groups of copies. Holds until the next one is asked for. NULL: nobody has
// used it.
static struct order_object *object_find(const struct order *order, uint64_t address)
{
    return map_find(&order->objects, address);
}

static struct order_object *object_get(struct order *order, uint64_t address)
{
    order->objects.value_size = sizeof(struct order_object);
    return map_add(&order->objects, address, NULL);
}

// ---- asking

// Lanes of one warp that a partial __syncwarp() ordered.
static bool lanes_ordered(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (!(order->partial >> warp & 1))
        return false;
    // Several instructions in one mark: nobody knows which lane came when, but it was after the last barrier.
    const uint32_t *row = order->by_warp[warp].lanes[lane], *own = order->by_warp[warp].known;
    uint32_t step = !(mark->flags & MARK_MERGED)             ? mark->step
                    : own[warp] > order->by_warp[warp].since ? own[warp]
                                                             : order->by_warp[warp].since;
    return (mark->lane == lane || step < row[mark->lane]) && (mark->last_lane == lane || step < row[mark->last_lane]);
}

// Whether both lanes of the mark did it before what some of these lanes did: they are among them, or a partial
// __syncwarp() came between.
static bool comes_before_any(const struct order *order, const struct mark *mark, uint32_t mask)
{
    bool first = mask >> mark->lane & 1, last = mask >> mark->last_lane & 1;
    FOR_LANES (other, order->partial >> mark->warp & 1 ? mask : 0) {
        first |= mark->step < order->by_warp[mark->warp].lanes[other][mark->lane];
        last |= mark->step < order->by_warp[mark->warp].lanes[other][mark->last_lane];
    }
    return first && last;
}

// A lane of the mark has ended, and its warp has not met it since, nor named it.
static bool has_ended(const struct order_warp *by, const struct mark *mark)
{
    return (by->gone >> mark->lane & 1 && mark->step >= by->gone_met[mark->lane]) ||
           (by->gone >> mark->last_lane & 1 && mark->step >= by->gone_met[mark->last_lane]);
}

// The mark is of a warp that is known up to this step. Where that is an arrival of some of its lanes, others have to
// have arrived since, or to have been ordered before. What is forgotten counts as released.
static bool is_released(const struct order *order, const struct mark *mark, uint32_t known)
{
    const struct order_warp *by = &order->by_warp[mark->warp];
    uint32_t mask = 0, kept = by->release_count < RELEASE_RING ? by->release_count : RELEASE_RING;
    bool goes_on = true;
    for (uint32_t i = 0; i < kept && goes_on; i++) {
        const struct order_release *release = &by->releases[(by->release_count - 1 - i) % RELEASE_RING];
        if (release->heard_by) {
            mask |= release->heard_by & mask && mark->step < release->step ? release->mask : 0;
            continue;
        }
        if (release->step > known)
            continue;
        if (!mask && release->step != known)
            return true; // known otherwise
        // Of several instructions in one mark the latest step is known, and earlier ones came before earlier arrivals.
        goes_on = !mask || release->step > mark->step || (mark->flags & MARK_MERGED);
        bool has_met = mark->step < (mark->flags & MARK_READ ? release->loads : release->base);
        if (goes_on && has_met && !(release->arrived && has_ended(by, mark)))
            return true;
        mask |= goes_on ? release->mask : 0;
    }
    bool is_forgotten = goes_on && by->release_count > RELEASE_RING;
    return !mask || is_forgotten || comes_before_any(order, mark, mask);
}

uint32_t order_known(const struct order *order, uint32_t warp, uint32_t lane, uint32_t by)
{
    const struct order_warp *own = &order->by_warp[warp];
    bool alone = (order->alone >> warp & 1) && (own->alone.lanes >> lane & 1) && own->alone.known[by] > own->known[by];
    return alone ? own->alone.known[by] : own->known[by];
}

// Whether lanes of this warp did it that have ended since, and that no later __syncwarp() has named, nor anybody of the
// warp heard of by an acquire.
static bool is_of_gone(const struct order *order, const struct mark *mark, uint32_t warp)
{
    const struct order_warp *own = &order->by_warp[warp];
    return mark->warp == warp && own->gone >> mark->lane & own->gone >> mark->last_lane & 1 &&
           mark->step >= own->taken && mark->step >= own->gone_met[mark->lane] &&
           mark->step >= own->gone_met[mark->last_lane];
}

bool order_is_before(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (mark->stamp != order->stamp)
        return true;
    uint32_t known = order_known(order, warp, lane, mark->warp);
    if (mark->step < known && !is_of_gone(order, mark, warp) &&
        (!(order->released >> mark->warp & 1) || is_released(order, mark, known)))
        return true;
    return mark->warp == warp &&
           ((mark->lane == lane && mark->last_lane == lane) || lanes_ordered(order, mark, warp, lane));
}

// NULL: there is none, or it is so long ago that it is forgotten.
static const struct order_batch *order_find_batch(const struct order *order, uint32_t number)
{
    bool is_kept = number < order->batch_count && order->batch_count - number <= BATCH_RING;
    return is_kept ? &order->batches[number % BATCH_RING] : NULL;
}

// Whether the warp's wait at this step was for this lane, too.
static bool wait_counts(const struct order *order, uint32_t warp, uint32_t lane, uint32_t step)
{
    const struct order_warp *own = &order->by_warp[warp];
    return !(order->alone >> warp & 1) || step < own->alone.first || (own->alone.lanes >> lane & 1);
}

// Who reads must have waited himself, or come after one who has.
static enum async_state batch_state(const struct order *order, uint32_t number, uint32_t warp, uint32_t lane)
{
    const struct order_batch *batch = order_find_batch(order, number);
    if (!batch || (batch->waited && batch->stamp != order->stamp))
        return ASYNC_OVER;
    if ((batch->waited >> warp & 1) && wait_counts(order, warp, lane, batch->steps[warp]))
        return ASYNC_ORDERED;
    FOR_LANES (waiter, batch->waited & ~(UINT32_C(1) << warp))
        if (batch->steps[waiter] < order_known(order, warp, lane, waiter))
            return ASYNC_ORDERED;
    return batch->waited >> warp & 1 ? ASYNC_UNSYNCED : ASYNC_PENDING;
}

bool order_batch_is_over(const struct order *order, uint32_t number, uint32_t warp, uint32_t lane)
{
    enum async_state state = batch_state(order, number, warp, lane);
    return state == ASYNC_OVER || state == ASYNC_ORDERED;
}

// Whether whoever comes after the phase comes after the instruction that added the copies' arrival to it: only then did
// the phase have to wait for that.
static bool waits_for_added(const struct order *order, const struct order_route *route, const struct mark *mark,
                            uint32_t warp, uint32_t lane)
{
    struct mark added = *mark;
    added.stamp = route->stamp;
    added.step = route->step;
    return !route->counts_up || order_is_before(order, &added, warp, lane);
}

static enum async_state route_state(const struct order *order, const struct order_route *route, const struct mark *mark,
                                    uint32_t warp, uint32_t lane)
{
    if (route->batch) {
        enum async_state state = batch_state(order, route->batch - 1, warp, lane);
        return state == ASYNC_ORDERED && !waits_for_added(order, route, mark, warp, lane) ? ASYNC_UNSYNCED : state;
    }
    if (route->stamp != order->stamp)
        return ASYNC_OVER;
    if (mark->warp == warp && mark->lane == lane)
        return ASYNC_ORDERED;
    struct mark waited = *mark;
    waited.stamp = route->stamp;
    waited.step = route->step;
    return order_is_before(order, &waited, warp, lane) ? ASYNC_ORDERED : ASYNC_UNSYNCED;
}

// One route is enough.
enum async_state order_async_state(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    if (mark->stamp < order->block_stamp)
        return ASYNC_OVER;
    if (mark->flags & MARK_BULK)
        return batch_state(order, mark->step, warp, lane);
    const struct order_warp *copier = &order->by_warp[mark->warp];
    enum async_state state = mark->step < copier->done[mark->lane] ? ASYNC_UNSYNCED : ASYNC_PENDING;
    for (uint32_t i = 0; i < copier->route_count && i < ROUTE_RING; i++) {
        const struct order_route *route = &copier->routes[(copier->route_count - 1 - i) % ROUTE_RING];
        if (route->step <= mark->step)
            break; // made before the copy, as all that are older
        if (!(route->mask >> mark->lane & 1) || route->done <= mark->step)
            continue;
        enum async_state by_this = route_state(order, route, mark, warp, lane);
        if (by_this == ASYNC_OVER)
            return ASYNC_OVER;
        state = by_this == ASYNC_ORDERED ? ASYNC_ORDERED : state;
    }
    bool may_be_over = state != ASYNC_ORDERED && copier->forgotten[mark->lane] > mark->step;
    return may_be_over ? ASYNC_OVER : state;
}

bool order_was_before(const struct order_past *past, struct moment moment, uint32_t by, uint32_t lanes)
{
    bool own = by == past->warp && moment.step < past->at.step && !(lanes & ~past->lanes);
    return moment.stamp < past->at.stamp || (moment.stamp == past->at.stamp && (own || moment.step < past->known[by]));
}

static bool batch_was_over(const struct order *order, uint32_t number, const struct order_past *past)
{
    const struct order_batch *batch = order_find_batch(order, number);
    bool was_over = !batch;
    FOR_LANES (waiter, batch ? batch->waited : 0)
        was_over |= order_was_before(past, (struct moment){batch->stamp, batch->steps[waiter]}, waiter, 0);
    return was_over;
}

bool order_was_over(const struct order *order, const struct mark *copy, const struct order_past *past)
{
    const struct order_warp *copier = &order->by_warp[copy->warp];
    if (copy->stamp < order->block_stamp)
        return true;
    for (uint32_t i = 0; i < copier->route_count && i < ROUTE_RING; i++) {
        const struct order_route *route = &copier->routes[(copier->route_count - 1 - i) % ROUTE_RING];
        if (route->step <= copy->step)
            break;
        if (!(route->mask >> copy->lane & 1) || route->done <= copy->step)
            continue;
        bool comes_behind =
            order_was_before(past, (struct moment){route->stamp, route->step}, copy->warp, UINT32_C(1) << copy->lane);
        if (route->batch ? batch_was_over(order, route->batch - 1, past) && (!route->counts_up || comes_behind)
                         : comes_behind)
            return true;
    }
    return copier->forgotten[copy->lane] > copy->step;
}

// ---- lanes that have waited alone

// All lanes come after what some have waited for.
static void alone_end(struct order *order, uint32_t warp)
{
    if (!(order->alone >> warp & 1))
        return;
    clocks_join(order, order->by_warp[warp].known, order->by_warp[warp].alone.known);
    raise_to(&order->by_warp[warp].met, order->by_warp[warp].alone.met);
    memset(&order->by_warp[warp].alone, 0, sizeof order->by_warp[warp].alone);
    order->alone &= ~(UINT32_C(1) << warp);
}

// What these lanes of the warp know, for others.
static void clocks_tell(const struct order *order, uint32_t warp, uint32_t mask, uint32_t *clocks)
{
    const struct order_warp *own = &order->by_warp[warp];
    clocks_join(order, clocks, own->known);
    if ((order->alone >> warp & 1) && (own->alone.lanes & mask))
        clocks_join(order, clocks, own->alone.known);
}

// The same, of all that it did until the step, and with what came before the block's last barrier.
static void clocks_tell_all(const struct order *order, uint32_t warp, uint32_t mask, uint32_t step, uint32_t *clocks)
{
    clocks_tell(order, warp, mask, clocks);
    for (uint32_t by = 0; by < order->warps; by++)
        raise_to(&clocks[by], order->by_warp[by].since);
    raise_to(&clocks[warp], step);
}

// They come after all that.
static void clocks_take(struct order *order, uint32_t warp, uint32_t mask, uint32_t step, const uint32_t *clocks)
{
    struct order_warp *own = &order->by_warp[warp];
    bool was_alone = order->alone >> warp & 1;
    uint32_t lanes = mask | (was_alone ? own->alone.lanes : 0);
    raise_to(&own->taken, clocks[warp]);
    if ((lanes & own->live) == own->live) {
        alone_end(order, warp);
        clocks_join(order, own->known, clocks);
        return;
    }
    own->alone.first = was_alone ? own->alone.first : step;
    own->alone.lanes = lanes;
    clocks_join(order, own->alone.known, clocks);
    order->alone |= UINT32_C(1) << warp;
}

// ---- batches of copies

// The batch `number` - 1 and those before it, of groups below `below`: the warp comes behind them with this step.
static void batches_wait(struct order *order, uint32_t warp, uint32_t step, uint32_t number, uint32_t below)
{
    while (order_find_batch(order, number - 1)) {
        struct order_batch *batch = &order->batches[(number - 1) % BATCH_RING];
        if (batch->waited >> warp & 1)
            return;
        if (batch->group < below) {
            batch->stamp = batch->waited ? batch->stamp : order->stamp;
            batch->waited |= UINT32_C(1) << warp;
            batch->steps[warp] = step;
        }
        number = batch->before;
    }
}

// The same by a relaxed wait: they are at their end, and the warp comes behind them with its next fence or barrier.
static void batches_wait_relaxed(struct order *order, uint32_t warp, uint32_t step, uint32_t number)
{
    struct order_warp *own = &order->by_warp[warp];
    uint32_t at = number;
    for (; order_find_batch(order, at - 1) && !order->batches[(at - 1) % BATCH_RING].is_ended;) {
        struct order_batch *batch = &order->batches[(at - 1) % BATCH_RING];
        batch->is_ended = true;
        at = batch->before;
    }
    if (!order_find_batch(order, number - 1) || (own->ended_count && own->ended[own->ended_count - 1] == number))
        return;
    if (own->ended_count == ENDED) // more mbarriers than are kept: an order is taken for granted
        batches_wait(order, warp, step, number, 1);
    else
        own->ended[own->ended_count++] = number;
}

// ---- barriers

// These lanes acquire what the others released by the same atomic, as who is the last to count does.
static void take_counted(struct order *order, uint32_t warp, uint32_t mask)
{
    struct order_warp *own = &order->by_warp[warp];
    if (!(own->counting & mask))
        return;
    own->releases[own->release_count++ % RELEASE_RING] =
        (struct order_release){.step = own->counted, .mask = own->counting, .heard_by = own->counting & mask};
    order->released |= UINT32_C(1) << warp;
    own->counting = (own->counting & mask) == own->counting ? 0 : own->counting;
}

// What these lanes read before, if any of the warp did.
static void take_acquired(struct order *order, uint32_t warp, uint32_t mask, uint32_t step)
{
    take_counted(order, warp, mask);
    if (!(order->acquiring >> warp & 1))
        return;
    clocks_take(order, warp, mask, step, order->by_warp[warp].acquire);
    order->by_warp[warp].acquirers &= ~mask & order->by_warp[warp].live;
    while (order->by_warp[warp].ended_count)
        batches_wait(order, warp, step, order->by_warp[warp].ended[--order->by_warp[warp].ended_count], 1);
    if (order->by_warp[warp].acquirers) // others have their fence in another branch
        return;
    memset(order->by_warp[warp].acquire, 0, sizeof order->by_warp[warp].acquire);
    order->acquiring &= ~(UINT32_C(1) << warp);
}

// Whether these lanes speak for the warp: for all that have not ended, and none has since they last met.
static bool are_whole_warp(const struct order_warp *by, uint32_t mask)
{
    bool good = (mask & by->live) == by->live;
    FOR_LANES (lane, good ? by->gone & ~mask : 0)
        good = good && by->gone_met[lane] != by->met;
    return good;
}

// What the other lanes did since the warp's lanes last met is not released.
static void note_release(struct order *order, uint32_t warp, uint32_t mask, uint32_t step)
{
    struct order_warp *by = &order->by_warp[warp];
    if (are_whole_warp(by, mask))
        return;
    uint32_t base = by->met;
    if ((order->alone >> warp & 1) && !(mask & ~by->alone.lanes))
        raise_to(&base, by->alone.met);
    uint32_t loads = by->gathered > base ? by->gathered : base;
    const struct order_release *latest = &by->releases[(by->release_count - 1) % RELEASE_RING];
    if (by->release_count && !latest->heard_by && latest->step == step && latest->mask == mask && latest->base == base)
        return; // of another place
    by->releases[by->release_count++ % RELEASE_RING] = (struct order_release){step, base, loads, mask, 0, 0};
    order->released |= UINT32_C(1) << warp;
}

// These lanes release what the warp fenced. Each fenced what it had done itself, and speaks for nobody else.
static void speak_fenced(struct order *order, uint32_t warp, uint32_t mask, uint32_t *clocks)
{
    const uint32_t *fence = order->by_warp[warp].fence;
    clocks_join(order, clocks, fence);
    note_release(order, warp, mask, fence[warp]);
}

// A barrier with a count waits for the warp's other lanes, too, unless they have ended, before or since (PTX ISA,
// "barrier"): what those did is not released.
static void note_counted(struct order *order, uint32_t warp, uint32_t mask, uint32_t step)
{
    struct order_warp *by = &order->by_warp[warp];
    if (mask == by->live && !by->gone)
        return;
    by->releases[by->release_count++ % RELEASE_RING] =
        (struct order_release){step, by->met, by->met, by->live, 0, mask};
    order->released |= UINT32_C(1) << warp;
}

// These lanes end, and come to no barrier that others of the warp arrived at since they met.
static void lanes_end(struct order_warp *by, uint32_t mask)
{
    uint32_t kept = by->release_count < RELEASE_RING ? by->release_count : RELEASE_RING;
    for (uint32_t i = 0; i < kept && mask; i++) {
        struct order_release *release = &by->releases[(by->release_count - 1 - i) % RELEASE_RING];
        if (release->step <= by->met)
            return;
        mask &= ~release->arrived;
        release->mask &= release->arrived ? ~mask : UINT32_MAX;
    }
}

static void note_mixed(struct finding_set *findings, uint32_t a, uint32_t b)
{
    uint64_t pair = ~(a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
    findings->mixed = pair > findings->mixed ? pair : findings->mixed;
}

// What the warp `by` did then, before these lanes; it is no access to memory.
static bool knows_step(const struct order *order, uint32_t warp, uint32_t lane, uint32_t by, uint32_t stamp,
                       uint32_t step)
{
    return by == warp || stamp != order->stamp || step < order->by_warp[by].since ||
           step < order_known(order, warp, lane, by) || step < order_known(order, warp, lane, REACHED + by);
}

static void arrives_twice(struct hazard_state *state, const struct sim_sync *sync, uint32_t lane)
{
    finding_add(state->findings, &(struct finding){.kind = HAZARD_ARRIVES_TWICE,
                                                   .pc = sync->pc,
                                                   .other_pc = UINT32_MAX,
                                                   .block = state->block->linear,
                                                   .other_block = state->block->linear,
                                                   .thread = sync->warp * SIM_LANES + lane,
                                                   .other_thread = UINT32_MAX,
                                                   .count = 1});
}

// A warp that arrives and does not wait may be back before the barrier has opened, and is counted twice then: it comes
// behind somebody who came through.
static void check_arrives_once(struct hazard_state *state, const struct sim_sync *sync)
{
    const struct order *order = &state->order;
    const struct order_barrier *barrier = &order->barriers[sync->id % SIM_BARRIERS];
    const struct order_opening *opening = &order->openings[sync->id % SIM_BARRIERS];
    uint32_t lane = lane_first(sync->mask);
    bool is_twice = barrier->some_leave && barrier->left[sync->warp] & sync->mask;
    bool has_to_know = !is_twice && opening->waiting && opening->left[sync->warp] & sync->mask, knows = false;
    FOR_LANES (by, has_to_know ? opening->waiting : 0)
        knows |= by != sync->warp && knows_step(order, sync->warp, lane, by, opening->stamp, opening->steps[by]);
    if (is_twice || (has_to_know && !knows))
        arrives_twice(state, sync, lane);
}

static void barrier_arrive(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    struct order_barrier *barrier = &order->barriers[sync->id % SIM_BARRIERS];
    uint32_t warp = sync->warp;
    take_acquired(order, warp, sync->mask, (uint32_t)sync->step);
    handover_acquire(state, warp, lane_first(sync->mask), (uint32_t)sync->step - 1, SIM_SCOPE_GPU, true);
    check_arrives_once(state, sync);
    if (!barrier->lanes)
        barrier->pc = sync->pc;
    if (barrier->pc != sync->pc && sync->waits && !sync->count)
        note_mixed(state->findings, barrier->pc, sync->pc);
    barrier->lanes += (uint32_t)__builtin_popcount(sync->mask);
    clocks_tell(order, warp, sync->mask, barrier->clocks);
    raise_to(&barrier->clocks[warp], (uint32_t)sync->step);
    if (sync->count)
        note_counted(order, warp, sync->mask, (uint32_t)sync->step);
    if (order->fenced >> warp & 1) {
        clocks_join(order, barrier->fence, order->by_warp[warp].fence);
        barrier->fenced = true;
        barrier->fenced_wide |= order->fenced_wide >> warp & 1;
        barrier->fenced_near |= order->fenced_near >> warp & 1;
    }
    if (sync->waits)
        barrier->waiting |= UINT32_C(1) << warp;
    else
        barrier->some_leave = true;
    barrier->left[warp] |= sync->waits ? 0 : sync->mask;
    barrier->wait[warp] |= sync->waits ? sync->mask : 0;
}

// What a warp fenced before a barrier is fenced for those who wait there, too (fences are cumulative).
static void barrier_pass_fences(struct order *order, const struct order_barrier *barrier)
{
    if (!barrier->fenced)
        return;
    FOR_LANES (warp, barrier->waiting) {
        clocks_join(order, order->by_warp[warp].fence, barrier->fence);
    }
    order->fenced |= barrier->waiting;
    order->fenced_wide |= barrier->fenced_wide ? barrier->waiting : 0;
    order->fenced_near |= barrier->fenced_near ? barrier->waiting : 0;
}

// These lanes come behind what the barrier carries, and the others of their warp do not.
static void barrier_passed(struct order *order, uint32_t warp, uint32_t mask, const uint32_t *clocks)
{
    struct order_warp *own = &order->by_warp[warp];
    if ((mask & own->live) != own->live) {
        clocks_take(order, warp, mask, clocks[warp], clocks);
        return;
    }
    alone_end(order, warp);
    raise_to(&own->met, clocks[warp]);
    clocks_join(order, own->known, clocks);
}

static void barrier_complete(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    struct order_barrier *barrier = &order->barriers[sync->id % SIM_BARRIERS];
    barrier_pass_fences(order, barrier);
    // Who has ended counts as arrived only where the barrier names no number: with one, nobody waits for him.
    uint32_t ended = sync->count ? 0 : order->exited;
    if (!barrier->some_leave && barrier->lanes + ended >= order->threads) {
        order->stamp++;
        FOR_LANES (warp, barrier->waiting) {
            raise_to(&order->by_warp[warp].since, barrier->clocks[warp]);
            alone_end(order, warp);
        }
        for (uint32_t warp = 0; warp < order->warps; warp++)
            if (!order->by_warp[warp].live)
                order->by_warp[warp].since = UINT32_MAX;
    } else {
        struct order_opening *opening = &order->openings[sync->id % SIM_BARRIERS];
        opening->stamp = order->stamp;
        opening->waiting = barrier->some_leave ? barrier->waiting : 0;
        memcpy(opening->left, barrier->left, sizeof opening->left);
        memcpy(opening->steps, barrier->clocks, sizeof opening->steps);
        FOR_LANES (warp, barrier->waiting)
            barrier_passed(order, warp, barrier->wait[warp], barrier->clocks);
    }
    *barrier = (struct order_barrier){0};
}

static void sync_warp(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    uint32_t warp = sync->warp, step = (uint32_t)sync->step, joint[SIM_LANES] = {0};
    if (!sync->mask) // nobody whom the others waited for
        return;
    order->by_warp[warp].gone &= ~sync->mask;
    handover_acquire(state, warp, lane_first(sync->mask), step, SIM_SCOPE_GPU, true);
    if ((sync->mask & order->by_warp[warp].live) == order->by_warp[warp].live) {
        raise_to(&order->by_warp[warp].known[warp], step);
        raise_to(&order->by_warp[warp].met, step);
        alone_end(order, warp);
        return;
    }
    if ((order->alone >> warp & 1) && (sync->mask & order->by_warp[warp].alone.lanes))
        order->by_warp[warp].alone.lanes |= sync->mask;
    if (!order->by_warp[warp].lanes)
        order->by_warp[warp].lanes = mem_alloc(SIM_LANES * sizeof *order->by_warp[warp].lanes);
    order->partial |= UINT32_C(1) << warp;
    FOR_LANES (lane, sync->mask & order->by_warp[warp].live) {
        raise_all(joint, order->by_warp[warp].lanes[lane], SIM_LANES);
        raise_to(&joint[lane], step);
    }
    FOR_LANES (lane, sync->mask)
        memcpy(order->by_warp[warp].lanes[lane], joint, sizeof joint);
}

// ---- fences, releases, acquires (PTX ISA, Memory Consistency Model: release and acquire patterns)

static void sync_fence(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    uint32_t warp = sync->warp;
    enum sim_scope scope = scope_of_blocks(sync->block, sync->scope);
    take_acquired(order, warp, sync->mask, (uint32_t)sync->step);
    if (scope >= SIM_SCOPE_CLUSTER) {
        handover_acquire(state, warp, lane_first(sync->mask), (uint32_t)sync->step, scope, false);
        handover_fence(state, warp, lane_first(sync->mask));
        cluster_fence(state);
    }
    // Where others had theirs in another branch, both hold behind it.
    if (!(order->by_warp[warp].fencers & ~sync->mask & order->by_warp[warp].live)) {
        memset(order->by_warp[warp].fence, 0, sizeof order->by_warp[warp].fence);
        order->by_warp[warp].fencers = 0;
    }
    order->by_warp[warp].fencers |= sync->mask;
    clocks_tell_all(order, warp, sync->mask, (uint32_t)sync->step, order->by_warp[warp].fence);
    note_release(order, warp, sync->mask, (uint32_t)sync->step);
    order->fenced |= UINT32_C(1) << warp;
    if (scope >= SIM_SCOPE_GPU)
        order->fenced_wide |= UINT32_C(1) << warp;
    if (scope >= SIM_SCOPE_CLUSTER)
        order->fenced_near |= UINT32_C(1) << warp;
}

// With the next fence, or barrier.
static void acquire_later(struct order *order, uint32_t warp, uint32_t mask, const uint32_t *clocks)
{
    clocks_join(order, order->by_warp[warp].acquire, clocks);
    order->by_warp[warp].acquirers |= mask;
    order->acquiring |= UINT32_C(1) << warp;
}

static void acquire_from(struct hazard_state *state, const struct sim_access *access, uint64_t address)
{
    struct order *order = &state->order;
    bool at_once = access->order == SIM_ACQUIRE || access->order == SIM_ACQ_REL;
    const uint32_t *released = released_at(order, access->space, address);
    if (released && at_once)
        clocks_take(order, access->warp, access->mask, (uint32_t)access->step, released);
    else if (released)
        acquire_later(order, access->warp, access->mask, released);
    if (access->space == PTX_GLOBAL) {
        enum sim_scope scope = scope_of_blocks(access->block, access->scope);
        handover_read(state, access->warp, address, scope);
        if (at_once && scope >= SIM_SCOPE_CLUSTER)
            handover_acquire(state, access->warp, lane_first(access->mask), (uint32_t)access->step, scope, false);
    }
}

// What the warp's fences let it release by what it writes behind them.
static struct hand_clocks clocks_fenced(const struct order *order, uint32_t warp)
{
    const uint32_t *fence = order->by_warp[warp].fence;
    return (struct hand_clocks){order->fenced_wide >> warp & 1 ? fence : NULL,
                                order->fenced_near >> warp & 1 ? fence : NULL};
}

static void release_to(struct hazard_state *state, const struct sim_access *access, uint64_t address)
{
    struct order *order = &state->order;
    uint32_t warp = access->warp, now[CLOCKS] = {0};
    struct hand_clocks clocks = clocks_fenced(order, warp);
    bool at_once = access->order == SIM_RELEASE || access->order == SIM_ACQ_REL;
    if (at_once) {
        clocks_tell_all(order, warp, access->mask, (uint32_t)access->step, now);
        clocks_join(order, release_place(order, access->space, address), now);
        note_release(order, warp, access->mask, (uint32_t)access->step);
        clocks = (struct hand_clocks){now, now};
    } else if (order->fenced >> warp & 1) {
        speak_fenced(order, warp, access->mask, release_place(order, access->space, address));
    }
    clocks.for_all = access->scope >= SIM_SCOPE_GPU ? clocks.for_all : NULL;
    clocks.for_cluster = access->scope >= SIM_SCOPE_CLUSTER ? clocks.for_cluster : NULL;
    if (access->space == PTX_GLOBAL)
        handover_release(state, warp, lane_first(access->mask), address, clocks, access->kind != SIM_STORE);
}

// Lanes whose address is another lane's, too.
static uint32_t sharing_lanes(const struct sim_access *access)
{
    enum { SEATS = 256 };
    uint32_t sharing = 0, seats[SEATS] = {0}; // lanes by some bits of their address: few share those
    FOR_LANES (lane, access->mask) {
        uint32_t *seat = &seats[(access->addresses[lane] ^ access->addresses[lane] >> 2) % SEATS];
        FOR_LANES (other, *seat)
            if (access->addresses[other] == access->addresses[lane])
                sharing |= UINT32_C(1) << lane | UINT32_C(1) << other;
        *seat |= UINT32_C(1) << lane;
    }
    return sharing;
}

// The lanes of one atomic that reach the place of the first of them: one comes behind the other.
static void note_counting(struct order *order, const struct sim_access *access, uint32_t sharing)
{
    struct order_warp *own = &order->by_warp[access->warp];
    bool is_release = access->order == SIM_RELEASE || access->order == SIM_ACQ_REL;
    if (!is_release && !(order->fenced >> access->warp & 1))
        return;
    uint64_t address = access->addresses[lane_first(sharing)];
    own->counting = 0;
    FOR_LANES (lane, sharing)
        own->counting |= (uint32_t)(access->addresses[lane] == address) << lane;
    own->counted = is_release ? (uint32_t)access->step : own->fence[access->warp];
    if (access->order == SIM_ACQUIRE || access->order == SIM_ACQ_REL)
        take_counted(order, access->warp, UINT32_MAX);
}

void order_strong_access(struct hazard_state *state, const struct sim_access *told)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    bool reads = access->kind != SIM_STORE, writes = access->kind != SIM_LOAD;
    uint64_t last = UINT64_MAX;
    uint32_t shared = reads && writes ? sharing_lanes(access) : 0; // one comes first there, and the others see it
    FOR_LANES (lane, access->mask) {
        uint64_t address = access->addresses[lane];
        if (address == last)
            continue;
        last = address;
        if (reads)
            acquire_from(state, access, address);
        if (writes)
            release_to(state, access, address);
        if (shared >> lane & 1)
            acquire_from(state, access, address);
        cluster_strong(state, access, address, reads, writes);
    }
    if (shared)
        note_counting(&state->order, access, shared);
}

// ---- asynchronous copies and mbarriers

static void async_commit(struct order *order, const struct sim_sync *sync)
{
    FOR_LANES (lane, sync->mask) {
        uint32_t group = order->by_warp[sync->warp].commits[lane]++;
        order->by_warp[sync->warp].commit_steps[lane][group % ASYNC_RING] = (uint32_t)sync->step;
    }
}

static uint32_t wait_reaches(const struct order *order, const struct sim_sync *sync, int lane)
{
    uint32_t commits = order->by_warp[sync->warp].commits[lane];
    if (sync->all)
        return (uint32_t)sync->step;
    if (commits <= sync->count || sync->count >= ASYNC_RING)
        return 0;
    return order->by_warp[sync->warp].commit_steps[lane][(commits - sync->count - 1) % ASYNC_RING];
}

static void route_add(struct order_warp *warp, const struct order_route *route)
{
    struct order_route *place = &warp->routes[warp->route_count % ROUTE_RING];
    FOR_LANES (lane, warp->route_count < ROUTE_RING ? 0 : place->mask)
        raise_to(&warp->forgotten[lane], place->done);
    *place = *route;
    warp->route_count++;
}

static void async_complete(struct order *order, uint32_t warp, uint32_t mask, uint32_t done, uint32_t step)
{
    struct order_route wait = {0, done, order->stamp, step, 0, false};
    FOR_LANES (lane, mask) {
        if (order->by_warp[warp].done[lane] < done) {
            order->by_warp[warp].done[lane] = done;
            wait.mask |= UINT32_C(1) << lane;
        }
    }
    if (wait.mask)
        route_add(&order->by_warp[warp], &wait);
}

static void async_wait(struct order *order, const struct sim_sync *sync)
{
    FOR_LANES (lane, sync->mask)
        order->by_warp[sync->warp].wait_stamps[lane] = order->stamp;
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

// The first arrival in a phase: the one before has ended, and this one's end comes after it.
static struct order_carried *mbarrier_phase(struct order *order, struct order_object *object, uint32_t parity)
{
    struct order_carried *now = &object->by_parity[parity], *before = &object->by_parity[!parity];
    if (object->parity != parity) {
        memcpy(now->older_clocks, now->clocks, sizeof now->clocks);
        memcpy(now->older_last, now->last, sizeof now->last);
        memset(now->last, 0, sizeof now->last);
        now->older_batch = now->batch;
        now->older_stamp = now->stamp;
        now->number = before->number + 1;
        clocks_join(order, now->clocks, before->clocks);
        memcpy(now->all, before->all, sizeof now->all);
        now->batch = before->batch;
        now->has_batch = false;
        now->seen_tick = 0;
        now->expect_count = 0;
        memset(now->arrived, 0, sizeof now->arrived);
        object->parity = parity;
    }
    return now;
}

static uint64_t seen_key(uint64_t address, uint32_t warp)
{
    return address << 5 | warp;
}

static void note_seen(struct order *order, uint64_t address, uint32_t life, uint32_t warp, uint32_t number,
                      uint64_t step)
{
    order->seen.value_size = sizeof(struct order_seen);
    struct order_seen *seen = map_add(&order->seen, seen_key(address, warp), NULL);
    if (seen->life != life)
        *seen = (struct order_seen){.life = life};
    if (seen->count && seen->events[(seen->count - 1) % EVENTS].number == number)
        return; // the first time counts
    seen->events[seen->count % EVENTS].number = number;
    seen->events[seen->count % EVENTS].stamp = order->stamp;
    seen->events[seen->count++ % EVENTS].step = (uint32_t)step;
}

// Whether these lanes come after somebody who saw that the phase had ended. What is forgotten counts.
static bool knows_seen(const struct order *order, uint64_t address, uint32_t life, uint32_t number, uint32_t warp,
                       uint32_t lane)
{
    for (uint32_t by = 0; by < order->warps; by++) {
        const struct order_seen *seen = map_find(&order->seen, seen_key(address, by));
        uint32_t kept = !seen || seen->life != life ? 0 : seen->count < EVENTS ? seen->count : EVENTS;
        for (uint32_t i = 0; i < kept; i++)
            if (seen->events[i].number >= number &&
                knows_step(order, warp, lane, by, seen->events[i].stamp, seen->events[i].step))
                return true;
        if (kept == EVENTS && seen->events[seen->count % EVENTS].number > number)
            return true;
    }
    return false;
}

// Whether these lanes know that the phase before this one had ended: they come after all its arrivals, or after
// somebody who saw it.
static bool knows_ended(const struct order *order, const struct order_object *object, uint64_t address, uint32_t parity,
                        uint32_t warp, uint32_t lane)
{
    const struct order_carried *phase = &object->by_parity[parity], *before = &object->by_parity[!parity];
    bool goes_on = before->number > phase->number; // and this one has ended as well
    const uint32_t *last = goes_on ? before->older_last : before->last;
    uint32_t stamp = goes_on ? before->older_stamp : before->stamp, by = 0;
    while (by < order->warps && (!last[by] || knows_step(order, warp, lane, by, stamp, last[by] - 1)))
        by++;
    return by == order->warps || knows_seen(order, address, object->life, phase->number - 1, warp, lane);
}

// The number + 1 of what ends in the phase, or as the thread's group of this number; begun if it is the first.
static uint32_t phase_batch(struct order *order, struct order_carried *ends, uint32_t group)
{
    const struct order_batch *latest = order_find_batch(order, ends->batch - 1);
    if (!ends->has_batch || !latest || latest->group != group) {
        order->batches[order->batch_count++ % BATCH_RING] = (struct order_batch){.before = ends->batch, .group = group};
        ends->batch = order->batch_count;
        ends->has_batch = true;
    }
    return ends->batch;
}

// Bytes that come in the phase of this parity are meant for it if who sends them knows that the one before is over. If
// that one had bytes, too, these may come there else, in place of its own.
static bool is_too_early(const struct order *order, const struct order_object *object, uint32_t parity,
                         const struct order_sender *sender)
{
    const struct order_carried *before = &object->by_parity[!parity];
    bool follows = object->parity != parity || before->number + 1 == object->by_parity[parity].number;
    if (!follows || !before->has_batch)
        return false;
    if (sender->is_peer)
        return !before->seen_tick || before->seen_tick >= sender->known;
    return !knows_seen(order, sender->mbarrier, object->life, before->number, sender->warp, sender->lane);
}

// Bytes that are sent too early count for the phase before.
static struct order_carried *phase_of_bytes(struct order *order, uint32_t parity, const struct order_sender *sender,
                                            bool *is_early)
{
    struct order_object *object = object_get(order, sender->mbarrier);
    *is_early = is_too_early(order, object, parity, sender);
    return *is_early ? &object->by_parity[!parity] : mbarrier_phase(order, object, parity);
}

static struct order_sender sender_of(const struct sim_sync *sync, uint32_t lane)
{
    return (struct order_sender){.mbarrier = sync->addresses[lane], .warp = sync->warp, .lane = lane};
}

// batch: the number + 1 of what they belong to.
static struct order_carried *bytes_are_sent(struct hazard_state *state, struct order *order, uint32_t parity,
                                            const struct order_sender *sender, uint32_t *batch)
{
    bool is_early;
    struct order_carried *ends = phase_of_bytes(order, parity, sender, &is_early);
    *batch = phase_batch(order, ends, 0);
    struct order_batch *begun = &order->batches[(*batch - 1) % BATCH_RING];
    begun->is_load = true;
    begun->pc = sender->pc;
    begun->thread = sender->warp * SIM_LANES + sender->lane;
    begun->block = state->block->linear;
    begun->address = sender->address;
    if (is_early)
        find_in_shared(state, HAZARD_BYTES_LATE, sender->pc, begun->thread, UINT32_MAX, UINT32_MAX, sender->mbarrier);
    return ends;
}

uint32_t order_bytes(struct hazard_state *state, struct order *order, uint32_t parity,
                     const struct order_sender *sender)
{
    uint32_t batch;
    bytes_are_sent(state, order, parity, sender, &batch);
    return batch - 1;
}

// The lane's copies so far arrive when they are complete. Lanes of one instruction and phase have one route.
static void hand_over(struct order *order, const struct sim_sync *sync, uint32_t lane, uint32_t batch)
{
    struct order_warp *warp = &order->by_warp[sync->warp];
    uint32_t step = (uint32_t)sync->step, bit = UINT32_C(1) << lane;
    struct order_route *latest = &warp->routes[(warp->route_count - 1) % ROUTE_RING];
    if (warp->route_count && latest->step == step && latest->batch == batch)
        latest->mask |= bit;
    else
        route_add(warp, &(struct order_route){bit, step, order->stamp, step, batch, sync->order == SIM_RELAXED});
}

// The lane arrives behind what it announced itself, however it arrives.
static void drop_expects(struct order_carried *phase, uint32_t warp, uint32_t lane)
{
    for (uint32_t i = phase->expect_count; i-- > 0;)
        if (phase->expects[i].warp == warp && phase->expects[i].lane == lane)
            phase->expects[i] = phase->expects[--phase->expect_count];
}

static struct mark lane_mark(const struct order *order, const struct sim_sync *sync, uint32_t lane)
{
    return (struct mark){.stamp = order->stamp,
                         .step = (uint32_t)sync->step,
                         .pc = sync->pc,
                         .warp = (uint8_t)sync->warp,
                         .lane = (uint8_t)lane,
                         .last_lane = (uint8_t)lane};
}

// An mbarrier is opaque: only mbarrier.init makes one.
static void check_lives(struct hazard_state *state, const struct sim_sync *sync, uint32_t lane)
{
    const struct order_object *object = object_find(&state->order, sync->addresses[lane]);
    if (sync->addresses[lane] < SIM_CLUSTER_PLACE && !(object && object->lives))
        find_in_shared(state, HAZARD_NO_MBARRIER, sync->pc, sync->warp * SIM_LANES + lane, UINT32_MAX, UINT32_MAX,
                       sync->addresses[lane]);
}

// fence.mbarrier_init, and then a relaxed arrival at the cluster's barrier: who has waited there comes behind what made
// the mbarrier, and behind nothing else.
static void tell_of_made(struct order *order, const struct sim_sync *sync)
{
    for (size_t i = 0; i < order->objects.count && order->has_init_fence; i++) {
        struct order_object *object = map_value(&order->objects, i);
        uint32_t lane = object->made.lane;
        bool is_maker = object->lives && object->made.warp == sync->warp && sync->mask >> lane & 1;
        if (sync->kind == SIM_SYNC_INIT_FENCE) {
            object->is_fenced |= is_maker;
        } else if (sync->kind == SIM_SYNC_MBARRIER_WAIT) {
            if (object->is_sent && object->sent_parity == (sync->parities & 1) && !object->heard[sync->warp].stamp) {
                object->heard[sync->warp].stamp = order->stamp;
                object->heard[sync->warp].step = (uint32_t)sync->step;
            }
        } else if (is_maker && object->is_fenced && !object->is_sent) {
            object->is_sent = true;
            object->sent_parity = sync->parities & 1;
        }
    }
}

// Whether the lane comes behind a wait by which somebody has heard of the mbarrier so.
static bool has_heard(const struct order *order, const struct order_object *object, uint32_t warp, uint32_t lane)
{
    bool found = false;
    for (uint32_t by = 0; by < order->warps && object->is_sent; by++)
        found |= object->heard[by].stamp &&
                 knows_step(order, warp, lane, by, object->heard[by].stamp, object->heard[by].step);
    return found;
}

const struct mark *order_made(const struct order *order, uint64_t mbarrier, uint32_t *tick)
{
    const struct order_object *object = object_find(order, mbarrier);
    if (!object || !object->lives)
        return NULL;
    *tick = object->tick;
    return &object->made;
}

// Who uses an mbarrier comes behind the one who made it: by a barrier, as a rule. Said once of each that is made, and
// once within the maker's warp; asked before the lanes learn something there.
static void check_made(struct hazard_state *state, const struct sim_sync *sync)
{
    FOR_LANES (lane, sync->mask) {
        check_lives(state, sync, lane);
        struct order_object *object = object_find(&state->order, sync->addresses[lane]);
        if (!object)
            continue;
        object->used[sync->warp] = lane_mark(&state->order, sync, lane);
        if (!object->is_made || order_is_before(&state->order, &object->made, sync->warp, lane) ||
            has_heard(&state->order, object, sync->warp, lane))
            continue;
        const struct mark *made = &object->made;
        bool in_warp = made->warp == sync->warp;
        if (in_warp && object->told_in_warp)
            continue;
        object->told_in_warp |= in_warp;
        object->is_made = in_warp;
        finding_add(state->findings, &(struct finding){.kind = in_warp ? HAZARD_WARP_RACE : HAZARD_RACE,
                                                       .pc = sync->pc,
                                                       .other_pc = made->pc,
                                                       .space = PTX_SHARED,
                                                       .block = state->block->linear,
                                                       .other_block = state->block->linear,
                                                       .thread = sync->warp * SIM_LANES + lane,
                                                       .other_thread = (uint32_t)made->warp * SIM_LANES + made->lane,
                                                       .address = sync->addresses[lane],
                                                       .count = 1});
    }
}

// Whether all lanes of the warp arrive at one mbarrier.
static bool arrive_together(const struct order *order, const struct sim_sync *sync)
{
    uint32_t live = order->by_warp[sync->warp].live, first = lane_first(sync->mask);
    bool together = (sync->mask & live) == live;
    FOR_LANES (lane, sync->mask)
        together = together && sync->addresses[lane] == sync->addresses[first];
    return together;
}

// As check_arrives_once, of an mbarrier.
static void check_phase_over(struct hazard_state *state, const struct sim_sync *sync, const struct order_object *object,
                             const struct order_carried *phase, uint32_t lane)
{
    uint32_t parity = sync->parities >> lane & 1;
    const struct order_carried *before = &object->by_parity[!parity];
    bool is_here = sync->addresses[lane] < SIM_CLUSTER_PLACE; // of another block's nobody here knows who arrives
    if (is_here && phase->number && before->number + 1 == phase->number && before->last[sync->warp] &&
        !knows_ended(&state->order, object, sync->addresses[lane], parity, sync->warp, lane))
        arrives_twice(state, sync, lane);
}

static void note_arrival(struct hazard_state *state, const struct sim_sync *sync, const struct order_object *object,
                         struct order_carried *phase, uint32_t lane)
{
    check_phase_over(state, sync, object, phase, lane);
    phase->stamp = state->order.stamp;
    phase->last[sync->warp] = (uint32_t)sync->step + 1;
    if (phase->number)
        note_seen(&state->order, sync->addresses[lane], object->life, sync->warp, phase->number - 1, sync->step);
}

// Copies arrive later than their thread goes on, and a relaxed arrival is not ordered: neither releases what the thread
// did since its last fence. Behind copies comes what their thread came behind.
static void mbarrier_arrive(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    bool is_relaxed = sync->order == SIM_RELAXED, copies = sync->kind == SIM_SYNC_ASYNC_MBARRIER;
    bool stores = sync->kind == SIM_SYNC_STORE_ARRIVE, is_early;             // bytes come, and nobody arrives
    bool releases = !is_relaxed && !copies, counts = !is_relaxed || !copies; // counts: among the arrivals expected
    bool together = releases && arrive_together(order, sync);
    check_made(state, sync);
    order->copies_arrive |= copies && counts;
    if (releases)
        note_release(order, sync->warp, sync->mask, (uint32_t)sync->step + 1);
    FOR_LANES (lane, sync->mask) {
        struct order_object *object = object_get(order, sync->addresses[lane]);
        const struct order_sender sender = sender_of(sync, lane);
        struct order_carried *phase = stores ? phase_of_bytes(order, sync->parities >> lane & 1, &sender, &is_early)
                                             : mbarrier_phase(order, object, sync->parities >> lane & 1);
        if (!stores)
            note_arrival(state, sync, object, phase, lane);
        if (together)
            phase->all[sync->warp] = (uint32_t)sync->step + 1;
        if (counts)
            drop_expects(phase, sync->warp, lane);
        if (!is_relaxed) {
            clocks_tell(order, sync->warp, UINT32_C(1) << lane, phase->clocks);
            clocks_tell(order, sync->warp, UINT32_C(1) << lane, phase->arrived);
            raise_to(&phase->clocks[releases ? sync->warp : REACHED + sync->warp], (uint32_t)sync->step + 1);
        }
        if (releases)
            raise_to(&phase->arrived[sync->warp], (uint32_t)sync->step + 1);
        else if (counts && order->fenced >> sync->warp & 1)
            speak_fenced(order, sync->warp, sync->mask, phase->clocks);
        if (counts)
            cluster_arrive(state, sync->addresses[lane], sync->parities >> lane & 1, is_relaxed);
        memcpy(phase->copied, order->copied, sizeof order->copied);
        if (copies)
            hand_over(order, sync, lane, phase_batch(order, phase, 0));
    }
}

static void mbarrier_expect(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    check_made(state, sync);
    FOR_LANES (lane, sync->mask) {
        struct order_object *object = object_get(order, sync->addresses[lane]);
        struct order_carried *phase = mbarrier_phase(order, object, sync->parities >> lane & 1);
        if (phase->expect_count == EXPECTS)
            continue;
        phase->expects[phase->expect_count++] = lane_mark(order, sync, lane);
    }
}

// Asked before the lane comes behind the phase's arrivals, which have to come behind what it did not know.
static void check_expects(struct hazard_state *state, struct order_carried *phase, uint32_t warp, uint32_t lane)
{
    const struct order *order = &state->order;
    for (uint32_t i = phase->expect_count; i-- > 0;) {
        const struct mark *mark = &phase->expects[i];
        uint32_t arrived = phase->arrived[mark->warp];
        bool is_released_there =
            mark->step < phase->arrived[REACHED + mark->warp] ||
            (mark->step < arrived && (!(order->released >> mark->warp & 1) || is_released(order, mark, arrived)));
        if (is_released_there || order_is_before(order, mark, warp, lane))
            continue; // it may still have come too late for others
        finding_add(state->findings, &(struct finding){.kind = HAZARD_BYTES_LATE,
                                                       .pc = mark->pc,
                                                       .other_pc = UINT32_MAX,
                                                       .space = PTX_SHARED,
                                                       .block = state->block->linear,
                                                       .other_block = state->block->linear,
                                                       .thread = (uint32_t)mark->warp * SIM_LANES + mark->lane,
                                                       .other_thread = UINT32_MAX,
                                                       .count = 1});
        phase->expects[i] = phase->expects[--phase->expect_count];
    }
}

bool order_meets(const struct ptx_inst *inst)
{
    enum ptx_group group = ptx_opcode_group(inst->op);
    return (group == PTX_GROUP_WARP && inst->op != PTX_OP_ACTIVEMASK) || group == PTX_GROUP_MATRIX;
}

void order_met(struct order *order, const struct sim_step *step)
{
    struct order_warp *warp = &order->by_warp[step->warp];
    if ((step->mask & warp->live) != warp->live)
        return;
    raise_to(&warp->gathered, (uint32_t)step->step);
    alone_end(order, step->warp);
}

// Where a thread's groups of bulk copies are kept: no shared memory has this address.
static uint64_t groups_of(uint32_t warp, uint32_t lane)
{
    return UINT64_C(1) << 62 | warp * SIM_LANES | lane;
}

uint32_t order_bulk(struct hazard_state *state, const struct sim_access *access, uint32_t lane)
{
    struct order *order = &state->order;
    if (access->kind == SIM_BULK_COPY && access->mbarrier == UINT64_MAX) {
        struct order_object *groups = object_get(order, groups_of(access->warp, lane));
        return phase_batch(order, mbarrier_phase(order, groups, 0), access->phase) - 1;
    }
    struct order_sender sender = {.mbarrier = access->mbarriers ? access->mbarriers[lane] : access->mbarrier,
                                  .address = access->addresses[lane],
                                  .pc = access->pc,
                                  .warp = access->warp,
                                  .lane = lane};
    uint32_t parity = access->mbarriers ? access->parities >> lane & 1 : access->phase, batch;
    struct order_carried *ends = bytes_are_sent(state, order, parity, &sender, &batch);
    // Who waits at the mbarrier knows that the copy has read its source; what the warp did just before it comes along.
    if (!access->mbarriers) {
        note_release(order, access->warp, access->mask, (uint32_t)access->step + 1);
        raise_to(&ends->clocks[access->warp], (uint32_t)access->step + 1);
    }
    return batch - 1;
}

bool order_batch_was_seen(const struct order *order, uint32_t number)
{
    const struct order_batch *batch = order_find_batch(order, number);
    return !batch || batch->waited || batch->is_ended;
}

const struct order_batch *order_left(const struct order *order, uint32_t *at)
{
    uint32_t kept = order->batch_count < BATCH_RING ? order->batch_count : BATCH_RING;
    while (order->exited == order->threads && *at < kept) {
        const struct order_batch *batch = &order->batches[(order->batch_count - kept + (*at)++) % BATCH_RING];
        if (batch->is_load && !batch->waited && !batch->is_ended)
            return batch;
    }
    return NULL;
}

static void bulk_wait(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    FOR_LANES (lane, sync->mask) {
        handover_written(state, sync->warp * SIM_LANES + lane, sync->count, (uint32_t)sync->step);
        const struct order_object *groups = object_find(order, groups_of(sync->warp, lane));
        if (groups)
            batches_wait(order, sync->warp, (uint32_t)sync->step, groups->by_parity[0].batch, sync->count);
    }
}

static void note_wait(struct order *order, uint32_t warp, const uint32_t *copied)
{
    memcpy(order->by_warp[warp].at_wait, copied, sizeof order->copied);
    order->by_warp[warp].has_waited = true;
}

void order_copy(struct order *order, const struct sim_access *access)
{
    order->copied[access->warp] = (uint32_t)access->step + 1;
}

bool order_copied_early(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    const struct order_warp *reader = &order->by_warp[warp];
    return mark->warp != warp && (mark->flags & MARK_AGAIN) && !(mark->flags & MARK_BULK) && reader->has_waited &&
           mark->step >= reader->at_wait[mark->warp] && !order_is_before(order, mark, warp, lane);
}

// Who has waited where all lanes of its warp arrived before this step comes behind all that these did before.
static void meet_own(struct order *order, uint32_t warp, uint32_t mask, uint32_t step)
{
    struct order_warp *own = &order->by_warp[warp];
    bool is_alone = order->alone >> warp & 1;
    if (!is_alone)
        raise_to(&own->met, step);
    else if (!(own->alone.lanes & ~mask)) // else others of them waited for less
        raise_to(&own->alone.met, step);
}

static void note_ended(struct order *order, const struct sim_sync *sync, const struct order_object *object,
                       struct order_carried *phase, uint32_t lane)
{
    note_seen(order, sync->addresses[lane], object->life, sync->warp, phase->number, sync->step);
    phase->seen_tick = phase->seen_tick ? phase->seen_tick : order->tick;
}

static void mbarrier_wait(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    check_made(state, sync);
    FOR_LANES (lane, sync->mask) {
        cluster_wait(state, sync->addresses[lane], sync->parities >> lane & 1, sync->order == SIM_RELAXED);
        struct order_object *object = object_find(order, sync->addresses[lane]);
        if (!object)
            continue;
        struct order_carried *phase = &object->by_parity[sync->parities >> lane & 1];
        // With the phase in between perhaps still open, it may be the end of an older one that lets the lane pass.
        uint32_t parity = sync->parities >> lane & 1;
        bool is_older = phase->number >= 2 &&
                        !knows_ended(order, object, sync->addresses[lane], parity, sync->warp, (uint32_t)lane);
        const uint32_t *clocks = is_older ? phase->older_clocks : phase->clocks;
        if (phase->expect_count && !is_older)
            check_expects(state, phase, sync->warp, lane);
        if (sync->order == SIM_RELAXED)
            acquire_later(order, sync->warp, sync->mask, clocks);
        else
            clocks_take(order, sync->warp, sync->mask, (uint32_t)sync->step, clocks);
        if (!is_older && sync->order != SIM_RELAXED)
            meet_own(order, sync->warp, sync->mask, phase->all[sync->warp]);
        if (!is_older) {
            if (phase->number || !parity) // else nobody has arrived in it
                note_ended(order, sync, object, phase, lane);
            note_wait(order, sync->warp, phase->copied);
        }
        uint32_t batch = is_older ? phase->older_batch : phase->batch;
        if (sync->order == SIM_RELAXED)
            batches_wait_relaxed(order, sync->warp, (uint32_t)sync->step, batch);
        else
            batches_wait(order, sync->warp, (uint32_t)sync->step, batch, 1);
    }
}

// Each arrival at the barrier of a cluster has a wait of its own.
static void check_waited_at_cluster(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order_warp *warp = &state->order.by_warp[sync->warp];
    uint32_t again = warp->at_cluster & sync->mask;
    if (sync->kind == SIM_SYNC_MBARRIER_WAIT) {
        warp->at_cluster &= ~sync->mask;
        return;
    }
    warp->at_cluster |= sync->mask;
    if (again)
        arrives_twice(state, sync, lane_first(again));
}

// The barrier of a cluster orders its blocks, too.
static void cluster_sync(struct hazard_state *state, const struct sim_sync *sync)
{
    uint32_t lane = lane_first(sync->mask);
    uint64_t place = sync->addresses[lane];
    if (place < SIM_CLUSTER_PLACE)
        return;
    check_waited_at_cluster(state, sync);
    tell_of_made(&state->order, sync);
    if (sync->kind == SIM_SYNC_MBARRIER_ARRIVE) {
        const struct order *order = &state->order;
        uint32_t now[CLOCKS] = {0};
        clocks_tell_all(order, sync->warp, sync->mask, (uint32_t)sync->step, now);
        struct hand_clocks clocks = {NULL, now}; // nobody else meets there
        if (sync->order == SIM_RELAXED)
            clocks.for_cluster = clocks_fenced(order, sync->warp).for_cluster;
        handover_release(state, sync->warp, lane, place, clocks, true);
    } else {
        handover_read(state, sync->warp, place, SIM_SCOPE_CLUSTER);
        handover_acquire(state, sync->warp, lane, (uint32_t)sync->step, SIM_SCOPE_CLUSTER, false);
        handover_acquire(state, sync->warp, lane, (uint32_t)sync->step, SIM_SCOPE_GPU, true); // as at other barriers
    }
}

// Who makes an mbarrier anew, or unmakes it, comes behind all other warps' uses of it.
static void check_uses(struct hazard_state *state, const struct sim_sync *sync, uint32_t lane)
{
    const struct order *order = &state->order;
    const struct order_object *object = object_find(order, sync->addresses[lane]);
    for (uint32_t warp = 0; object && warp < order->warps; warp++) {
        const struct mark *used = &object->used[warp];
        if (!used->stamp || knows_step(order, sync->warp, lane, warp, used->stamp, used->step))
            continue;
        finding_add(state->findings, &(struct finding){.kind = HAZARD_RACE,
                                                       .pc = sync->pc,
                                                       .other_pc = used->pc,
                                                       .space = PTX_SHARED,
                                                       .block = state->block->linear,
                                                       .other_block = state->block->linear,
                                                       .thread = sync->warp * SIM_LANES + lane,
                                                       .other_thread = warp * SIM_LANES + used->lane,
                                                       .address = sync->addresses[lane],
                                                       .count = 1});
        return;
    }
}

static void mbarrier_init(struct hazard_state *state, const struct sim_sync *sync)
{
    struct order *order = &state->order;
    FOR_LANES (lane, sync->mask) {
        check_uses(state, sync, lane);
        struct order_object *object = object_get(order, sync->addresses[lane]);
        bool is_end = sim_program_inst(state->checker->program, sync->pc, NULL)->op == PTX_OP_MBARRIER_INVAL;
        if (object->lives && !is_end)
            find_in_shared(state, HAZARD_MADE_TWICE, sync->pc, sync->warp * SIM_LANES + lane, UINT32_MAX, UINT32_MAX,
                           sync->addresses[lane]);
        *object = (struct order_object){.made = lane_mark(order, sync, lane),
                                        .is_made = true,
                                        .lives = !is_end,
                                        .life = object->life + 1,
                                        .tick = order->tick};
        uint64_t from = sync->addresses[lane], to = from + MBARRIER_BYTES;
        order->mbarriers_from = order->mbarriers_to && order->mbarriers_from < from ? order->mbarriers_from : from;
        order->mbarriers_to = order->mbarriers_to > to ? order->mbarriers_to : to;
    }
}

static void end_mbarriers(struct order *order, uint64_t from, uint64_t to)
{
    from = from > order->mbarriers_from ? from / MBARRIER_BYTES * MBARRIER_BYTES : order->mbarriers_from;
    to = to < order->mbarriers_to ? to : order->mbarriers_to;
    for (; from < to; from += MBARRIER_BYTES) {
        struct order_object *object = object_find(order, from);
        if (object)
            object->lives = false;
    }
}

void order_overwrites(struct hazard_state *state, const struct sim_access *told)
{
    struct order *order = &state->order;
    const struct lane_shape *shape = told->shape;
    struct sim_spread spread;
    if (shape && ((int64_t)told->first + shape->low >= (int64_t)order->mbarriers_to ||
                  (int64_t)told->first + shape->high + told->bytes <= (int64_t)order->mbarriers_from))
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    FOR_LANES (lane, access->mask)
        end_mbarriers(order, access->addresses[lane], access->addresses[lane] + access->bytes);
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
        sync_warp(state, sync);
        break;
    case SIM_SYNC_FENCE:
        sync_fence(state, sync);
        break;
    case SIM_SYNC_ASYNC_COMMIT:
        async_commit(order, sync);
        break;
    case SIM_SYNC_ASYNC_WAIT:
        note_wait(order, sync->warp, order->copied);
        async_wait(order, sync);
        break;
    case SIM_SYNC_MBARRIER_INIT:
        mbarrier_init(state, sync);
        break;
    case SIM_SYNC_MBARRIER_EXPECT:
        mbarrier_expect(state, sync);
        break;
    case SIM_SYNC_MBARRIER_ARRIVE:
        mbarrier_arrive(state, sync);
        cluster_sync(state, sync);
        break;
    case SIM_SYNC_STORE_ARRIVE: // takes along all that the thread did before
        mbarrier_arrive(state, sync);
        break;
    case SIM_SYNC_ASYNC_MBARRIER:
        mbarrier_arrive(state, sync);
        break;
    case SIM_SYNC_MBARRIER_WAIT:
        mbarrier_wait(state, sync);
        cluster_sync(state, sync);
        break;
    case SIM_SYNC_MBARRIER_ASK:
        check_made(state, sync);
        break;
    case SIM_SYNC_BULK_WAIT:
        if (!sync->reads)
            bulk_wait(state, sync);
        break;
    case SIM_SYNC_PEER_ARRIVE:
        cluster_arrive_at_peer(state, sync);
        break;
    case SIM_SYNC_PEER_COPY:
        cluster_copy(state, sync);
        break;
    case SIM_SYNC_INIT_FENCE:
        order->has_init_fence = true;
        tell_of_made(order, sync);
        cluster_fence_made(state);
        break;
    case SIM_SYNC_PROXY_FENCE: // orders nothing by itself
        break;
    case SIM_SYNC_EXIT:
        lanes_end(&order->by_warp[sync->warp], sync->mask);
        order->by_warp[sync->warp].live &= ~sync->mask;
        order->by_warp[sync->warp].gone |= sync->mask;
        FOR_LANES (lane, sync->mask)
            order->by_warp[sync->warp].gone_met[lane] = order->by_warp[sync->warp].met;
        order->exited += (uint32_t)__builtin_popcount(sync->mask);
        break;
    }
}
