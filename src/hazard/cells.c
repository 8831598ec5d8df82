// Accesses of one block: what each place remembers, and whether the next access may follow.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

// ---- one access at work

struct cell_visit {
    struct hazard_state *state;
    struct shadow *shadow;
    const struct sim_access *access;
    uint8_t flags;                  // of the marks it leaves
    uint32_t batch;                 // of a bulk copy, or of what a lane stores asynchronously
    uint64_t address;               // of the place at hand,
    const struct shadow_cell *cell; // and what is known of it
    struct mark mark;               // that is left there
    uint32_t shift;                 // log2 of the granule
    uint64_t line;                  // the latest that cells were asked for of: its number,
    struct shadow_cell *cells;      // these; NULL: to be asked for
    bool *finds;                    // NULL: what is found is told; else it is only noted that there is something
};

static struct mark make_mark(const struct cell_visit *visit, uint32_t first, uint32_t last)
{
    const struct sim_access *access = visit->access;
    return (struct mark){visit->state->order.stamp,
                         (uint32_t)access->step,
                         access->pc,
                         (uint8_t)access->warp,
                         (uint8_t)first,
                         (uint8_t)last,
                         visit->flags};
}

static uint64_t place_key(const struct cell_visit *visit)
{
    return visit->address << 1 | (visit->access->space == PTX_SHARED);
}

// What memory holds now at the place, or NULL: the bytes that the last write left.
static const unsigned char *current_bytes(const struct cell_visit *visit)
{
    const struct hazard_state *state = visit->state;
    size_t size = (size_t)1 << visit->shift;
    if (visit->access->space == PTX_SHARED)
        return visit->address + size <= state->block->shared_size ? state->block->shared + visit->address : NULL;
    const struct sim_allocation *allocation = sim_memory_find(state->checker->memory, visit->address);
    if (!allocation || visit->address < allocation->address ||
        visit->address - allocation->address + size > allocation->size)
        return NULL;
    return allocation->data + (visit->address - allocation->address);
}

static const unsigned char *stored_bytes(const struct cell_visit *visit, uint32_t lane)
{
    const struct sim_access *access = visit->access;
    if (access->kind != SIM_STORE || !access->values)
        return NULL;
    return access->values + (size_t)lane * access->value_stride + (visit->address - access->addresses[lane]);
}

static bool same_bytes(const struct cell_visit *visit, const unsigned char *a, const unsigned char *b)
{
    return a && b && !memcmp(a, b, (size_t)1 << visit->shift);
}

// ---- one value, written by several

static struct same_writers *same_writers(const struct cell_visit *visit, uint32_t warp)
{
    uint64_t key = place_key(visit) * SIM_MAX_WARPS + warp;
    struct same_writers *writers = map_add(&visit->state->same, key, NULL);
    if (writers->stamp != visit->state->order.stamp)
        *writers = (struct same_writers){.stamp = visit->state->order.stamp};
    return writers;
}

static void same_note(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    same_writers(visit, mark->warp)->lanes |= 1u << mark->lane;
    same_writers(visit, visit->access->warp)->lanes |= 1u << lane;
}

// The lanes that this access reads the place for.
static uint32_t reading_lanes(const struct cell_visit *visit)
{
    uint32_t lanes = 0;
    FOR_LANES (lane, visit->access->mask) {
        uint64_t address = visit->access->addresses[lane];
        if (address <= visit->address && visit->address < address + visit->access->bytes)
            lanes |= 1u << lane;
    }
    return lanes;
}

// All who read wrote the same value before. They read that, whoever comes first: the write of the mark, or this one
// after the reads of the mark.
static bool reads_its_own(const struct cell_visit *visit, const struct mark *mark, uint32_t lane, bool overwrites)
{
    bool reads = visit->access->kind == SIM_LOAD;
    uint32_t warp = reads ? visit->access->warp : mark->warp;
    uint32_t lanes = reads ? reading_lanes(visit) : (UINT32_MAX >> (31 - mark->last_lane)) & (UINT32_MAX << mark->lane);
    if ((!reads && (overwrites || !same_bytes(visit, current_bytes(visit), stored_bytes(visit, lane)))) ||
        ((mark->flags | visit->flags) & MARK_ATOMIC) || !visit->state->same.count)
        return false;
    return !(lanes & ~same_writers(visit, warp)->lanes);
}

static enum hazard_kind race_kind(const struct cell_visit *visit, const struct mark *mark)
{
    bool global = visit->access->space == PTX_GLOBAL;
    if ((mark->flags | visit->flags) & MARK_ATOMIC)
        return HAZARD_ATOMIC_RACE;
    if (global)
        return HAZARD_GLOBAL_RACE;
    return mark->warp == visit->access->warp ? HAZARD_WARP_RACE : HAZARD_RACE;
}

static void report_mark(const struct cell_visit *visit, enum hazard_kind kind, const struct mark *mark, uint32_t lane,
                        bool same_value)
{
    const struct hazard_state *state = visit->state;
    if (visit->finds) {
        *visit->finds = true;
        return;
    }
    bool own = mark->warp == visit->access->warp && mark->lane == lane;
    struct finding finding = {.kind = kind,
                              .pc = visit->access->pc,
                              .other_pc = mark->pc,
                              .space = visit->access->space,
                              .block = state->block->linear,
                              .other_block = state->block->linear,
                              .thread = visit->access->warp * SIM_LANES + lane,
                              .other_thread = (uint32_t)mark->warp * SIM_LANES + (own ? mark->last_lane : mark->lane),
                              .address = visit->address,
                              .count = 1};
    if (same_value)
        finding_same_value(state->checker, &finding);
    finding_add(visit->state->findings, &finding);
}

// A copy that came before the reading lane in this run.
static void report_overwrite(const struct cell_visit *visit, const struct mark *copy, uint32_t lane)
{
    const struct hazard_state *state = visit->state;
    if (visit->finds) {
        *visit->finds = true;
        return;
    }
    struct finding finding = {.kind = HAZARD_ASYNC_OVERWRITE,
                              .pc = copy->pc,
                              .other_pc = visit->access->pc,
                              .space = visit->access->space,
                              .block = state->block->linear,
                              .other_block = state->block->linear,
                              .thread = (uint32_t)copy->warp * SIM_LANES + copy->lane,
                              .other_thread = visit->access->warp * SIM_LANES + lane,
                              .address = visit->address,
                              .count = 1};
    finding_add(state->findings, &finding);
}

// Whether the one that reads keeps what it reads.
static bool keeps_read(const struct cell_visit *visit, const struct mark *mark)
{
    const uint16_t *traits = visit->state->checker->values.traits;
    uint32_t pc = mark->flags & MARK_READ ? mark->pc : visit->access->pc;
    return (mark->flags | visit->flags) & MARK_READ && traits[pc] & VALUE_KEPT;
}

// Two strong accesses do not race: so flags are made. But strong is not ordered, and an array of data is no flag. Who
// reads its places without an order gets what was there before or after, as luck has it, unless he asks until it is
// right; and so does who keeps what a single place holds. Old warp-synchronous code needs an order of its writes, too:
// volatile orders no lanes.
static bool both_strong(const struct cell_visit *visit, const struct mark *mark, bool writes_both)
{
    uint8_t both = mark->flags & visit->flags, either = mark->flags | visit->flags;
    if (!(both & MARK_STRONG))
        return false;
    bool is_data = (both & MARK_SPREAD) || keeps_read(visit, mark);
    if ((either & MARK_ATOMIC) || !is_data || visit->access->space != PTX_SHARED)
        return true;
    if (mark->warp == visit->access->warp)
        return visit->access->order != SIM_VOLATILE || (either & MARK_POLL);
    return writes_both || (either & MARK_POLL);
}

// A thread that has seen what was written there, by a strong load or an atomic's answer, comes after that at this
// place, whatever it does next: who counts last may clear the counter by a plain store (PTX ISA, Causality Order: of
// two that overlap, what precedes in observation order what precedes in program order).
static bool has_observed(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    const struct shadow_cell *cell = visit->cell;
    uint32_t warp = visit->access->warp;
    if (!cell || !(mark->flags & MARK_STRONG) || mark->flags & (MARK_READ | MARK_ASYNC))
        return false;
    for (int i = 0; i < 2; i++) { // a write would have ended these
        const struct mark *read = &cell->reads[i];
        if (read->stamp == visit->state->order.stamp && read->flags & MARK_STRONG && read->warp == warp &&
            read->lane <= lane && lane <= read->last_lane)
            return true;
    }
    bool is_last = cell->last_warp == warp + 1 && cell->last_first <= lane && lane <= cell->last_last;
    bool has_asked = cell->observing == warp + 1 && cell->observers >> lane & 1;
    return is_last || (!(mark->flags & MARK_ATOMIC) && has_asked);
}

static void note_observers(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    uint8_t warp = (uint8_t)(visit->access->warp + 1);
    bool answers = visit->access->kind == SIM_ATOMIC;
    cell->last_warp = answers ? warp : 0;
    cell->last_first = (uint8_t)first;
    cell->last_last = (uint8_t)last;
    if (!answers)
        return;
    if (cell->observing != warp)
        cell->observers = 0;
    cell->observing = warp;
    cell->observers |= (UINT32_MAX << first) & (UINT32_MAX >> (SIM_LANES - 1 - last));
}

// May `lane` go on after the marked plain or atomic access? If not, says so; a store after a store (overwrites) may
// change nothing.
static void check_mark(const struct cell_visit *visit, const struct mark *mark, uint32_t lane, bool overwrites)
{
    const struct order *order = &visit->state->order;
    if (mark->stamp != order->stamp || both_strong(visit, mark, overwrites && visit->access->kind != SIM_LOAD) ||
        order_is_before(order, mark, visit->access->warp, lane) || has_observed(visit, mark, lane))
        return;
    if (visit->finds) {
        *visit->finds = true; // perhaps: by the value
        return;
    }
    bool same_value = overwrites && same_bytes(visit, current_bytes(visit), stored_bytes(visit, lane));
    if (same_value)
        same_note(visit, mark, lane);
    else if (reads_its_own(visit, mark, lane, overwrites))
        return;
    report_mark(visit, race_kind(visit, mark), mark, lane, same_value);
}

// Of a copy that its thread has waited for: whether that wait stands behind a barrier that this lane has passed without
// a wait behind it; or whether the lane has made its own of that group and not waited for that. The other has only run
// ahead then: in the source, the wait stands behind what reads.
static bool waits_behind(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane)
{
    const struct order_warp *copier = &order->by_warp[mark->warp], *reader = &order->by_warp[warp];
    if (mark->flags & MARK_BULK)
        return false;
    if (mark->stamp != order->stamp && mark->step < copier->done[mark->lane] &&
        reader->wait_stamps[lane] != order->stamp)
        return true;
    uint32_t commits = copier->commits[mark->lane], own = reader->commits[lane], group = commits;
    while (group > 0 && commits - group < ASYNC_RING &&
           copier->commit_steps[mark->lane][(group - 1) % ASYNC_RING] > mark->step)
        group--;
    if ((group > 0 && commits - group == ASYNC_RING) || (own > group && own - group > ASYNC_RING))
        return false; // that is forgotten
    if (own > group)
        return reader->done[lane] < reader->commit_steps[lane][group % ASYNC_RING];
    uint32_t since = own > 0 ? reader->commit_steps[lane][(own - 1) % ASYNC_RING] : 0;
    return own == group && order->copied[warp] > since && order->copied[warp] > reader->done[lane];
}

// The same for a mark of an asynchronous copy, which lives until it was waited for. False: it says so.
static bool check_async(const struct cell_visit *visit, struct mark *mark, uint32_t lane)
{
    const struct order *order = &visit->state->order;
    uint8_t both = mark->flags & visit->flags;
    if (both & MARK_STRONG && (both & MARK_BULK || mark->flags & MARK_ATOMIC)) // two reductions; red.async and another
        return true;
    switch (order_async_state(order, mark, visit->access->warp, lane)) {
    case ASYNC_PENDING:
        if (order_copied_early(order, mark, visit->access->warp, lane))
            report_overwrite(visit, mark, lane);
        else
            report_mark(visit, HAZARD_ASYNC_NOT_WAITED, mark, lane, false);
        mark->flags |= MARK_TOLD;
        return false;
    case ASYNC_UNSYNCED:
        report_mark(visit,
                    waits_behind(order, mark, visit->access->warp, lane) ? HAZARD_ASYNC_NOT_WAITED
                                                                         : HAZARD_ASYNC_NO_BARRIER,
                    mark, lane, false);
        return false;
    case ASYNC_OVER:
        if (mark->stamp != order->stamp)
            mark->flags &= (uint8_t)~MARK_ASYNC;
        break;
    case ASYNC_ORDERED:
        break;
    }
    return true;
}

static bool is_current(const struct order *order, const struct mark *mark)
{
    if (mark->flags & MARK_ASYNC)
        return mark->stamp >= order->block_stamp && !(mark->flags & MARK_TOLD);
    return mark->stamp == order->stamp;
}

// Of lanes first … last of one instruction, one that a mark of this warp's `lane` does not belong to.
static uint32_t foreign_lane(const struct cell_visit *visit, const struct mark *mark, uint32_t first, uint32_t last)
{
    return mark->warp == visit->access->warp && mark->lane == first ? last : first;
}

// True: a copy's mark that may be followed.
static bool check_write_mark(const struct cell_visit *visit, struct mark *mark, uint32_t first, uint32_t last)
{
    if (!is_current(&visit->state->order, mark))
        return false;
    uint32_t lane = foreign_lane(visit, mark, first, last);
    if (mark->flags & MARK_ASYNC)
        return check_async(visit, mark, lane);
    check_mark(visit, mark, lane, true);
    return false;
}

// ---- marks of a place

static bool mark_replaces(const struct order *order, const struct mark *old, const struct mark *new)
{
    if (old->stamp != order->stamp)
        return true;
    if (old->warp != new->warp)
        return false;
    return (new->lane <= old->lane &&new->last_lane >= old->last_lane) ||
           old->step < order->by_warp[new->warp].known[new->warp];
}

static bool remember_in_mark(const struct order *order, struct mark *mark, const struct mark *new)
{
    if (mark_replaces(order, mark, new)) {
        *mark = *new;
        return true;
    }
    if (mark->warp != new->warp)
        return false;
    unsigned merged = mark->flags & MARK_MERGED || mark->step != new->step ? MARK_MERGED : 0;
    mark->step = new->step;
    mark->pc = new->pc;
    mark->lane = mark->lane < new->lane ? mark->lane : new->lane;
    mark->last_lane = mark->last_lane > new->last_lane ? mark->last_lane : new->last_lane;
    mark->flags = (uint8_t)((mark->flags & new->flags) | merged);
    return true;
}

static bool is_rest_here(const struct cell_visit *visit, uint32_t number)
{
    const struct cell_rests *rests = &visit->state->rests;
    return number && rests->stamp == visit->state->order.stamp && number <= rests->count &&
           rests->items[number - 1].place == place_key(visit);
}

// Holds until rest_keep. NULL: there are none.
static struct cell_rest *rest_find(const struct cell_visit *visit, const struct shadow_cell *cell, enum rest_kind kind)
{
    for (uint32_t number = cell->rest; is_rest_here(visit, number);) {
        struct cell_rest *rest = &visit->state->rests.items[number - 1];
        if (rest->kind == kind)
            return rest;
        number = rest->next;
    }
    return NULL;
}

static struct cell_rest *rest_get(const struct cell_visit *visit, struct shadow_cell *cell, enum rest_kind kind)
{
    struct cell_rests *rests = &visit->state->rests;
    struct cell_rest *rest = rest_find(visit, cell, kind);
    if (rests->stamp != visit->state->order.stamp)
        rests->count = 0;
    rests->stamp = visit->state->order.stamp;
    if (rest || rests->count == RESTS_MOST)
        return rest;
    uint32_t next = is_rest_here(visit, cell->rest) ? cell->rest : 0;
    rest = mem_append(rests->items, rests->capacity, rests->count);
    rest->place = place_key(visit);
    rest->kind = kind;
    rest->warps = 0;
    rest->next = next;
    cell->rest = (uint32_t)rests->count;
    return rest;
}

static void rest_keep(const struct cell_visit *visit, struct shadow_cell *cell, enum rest_kind kind,
                      const struct mark *mark)
{
    struct cell_rest *rest = rest_get(visit, cell, kind);
    uint32_t bit = UINT32_C(1) << mark->warp;
    if (!rest)
        return;
    if (!(rest->warps & bit))
        rest->marks[mark->warp] = *mark;
    else
        remember_in_mark(&visit->state->order, &rest->marks[mark->warp], mark);
    rest->warps |= bit;
}

// ---- reads and atomics

static void remember_mark(const struct cell_visit *visit, struct shadow_cell *cell, enum rest_kind kind)
{
    const struct order *order = &visit->state->order;
    const struct mark *new = &visit->mark;
    struct mark *marks = kind == REST_READS ? cell->reads : cell->atomics;
    if (remember_in_mark(order, &marks[0], new) || remember_in_mark(order, &marks[1], new))
        return;
    rest_keep(visit, cell, kind, &marks[1]);
    marks[1] = *new;
}

static void check_atomics(const struct cell_visit *visit, const struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    if (visit->state->atomics != visit->state->order.stamp)
        return;
    for (int i = 0; i < 2; i++)
        if (cell->atomics[i].stamp == visit->state->order.stamp)
            check_mark(visit, &cell->atomics[i], foreign_lane(visit, &cell->atomics[i], first, last), false);
    const struct cell_rest *rest = rest_find(visit, cell, REST_ATOMICS);
    FOR_LANES (warp, rest ? rest->warps : 0)
        check_mark(visit, &rest->marks[warp], foreign_lane(visit, &rest->marks[warp], first, last), false);
}

// Lanes first … last (perhaps not all between) read the place.
static void read_cell(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    check_write_mark(visit, &cell->write, first, last);
    check_atomics(visit, cell, first, last);
    remember_mark(visit, cell, REST_READS);
}

// ---- writes

// Two lanes of one instruction that copy one place to one place: cooperative groups' memcpy_async keeps the lanes that
// have no piece of their own busy so.
static bool same_source(const struct cell_visit *visit, uint32_t a, uint32_t b)
{
    const struct sim_access *access = visit->access;
    return access->kind == SIM_ASYNC_COPY && access->sources && (access->source_mask >> a & 1) &&
           (access->source_mask >> b & 1) &&
           access->sources[a] - access->addresses[a] == access->sources[b] - access->addresses[b];
}

static bool is_same_instruction(const struct cell_visit *visit, const struct mark *mark)
{
    const struct sim_access *access = visit->access;
    return mark->warp == access->warp && mark->step == (uint32_t)access->step &&
           mark->stamp == visit->state->order.stamp && !(mark->flags & MARK_BULK);
}

// Lanes of one instruction that write one place: which value stays is undefined unless all write the same. Who asks for
// an atomic store asks for one of these values; volatile asks for none. In shared memory an array's are told even so,
// as in both_strong.
static bool check_same_instruction(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    const struct sim_access *access = visit->access;
    if (!is_same_instruction(visit, mark))
        return false;
    if (mark->lane != lane && !same_source(visit, mark->lane, lane)) {
        bool same_value = same_bytes(visit, stored_bytes(visit, mark->lane), stored_bytes(visit, lane));
        bool is_strong = mark->flags & visit->flags & MARK_STRONG;
        bool is_asked_for = access->space != PTX_SHARED && access->order != SIM_VOLATILE;
        if (is_strong && (same_value || is_asked_for))
            return true;
        if (same_value)
            same_note(visit, mark, lane);
        report_mark(visit, race_kind(visit, mark), mark, lane, same_value);
    }
    return true;
}

// A load that may still be fetching when another proxy overwrites the place: its thread has arrived at an mbarrier
// since, and nothing had used the value.
static bool load_is_open(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    const struct hazard_state *state = visit->state;
    const unsigned char *open = state->checker->values.open;
    if (!open || !open[mark->pc] || proxies_fenced(state, mark->warp, mark->step))
        return false;
    uint32_t warp = visit->access->warp;
    uint32_t known =
        mark->warp == warp ? UINT32_MAX - 1 : order_known(&state->order, warp, lane, mark->warp); // its own: all
    return open[mark->pc] == OPEN || proxies_under_way(state, mark, known);
}

// The read is that of a cp.async which is over, as its thread's arrivals need not tell.
static bool is_copied(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    const struct hazard_state *state = visit->state;
    struct mark last = *mark;
    last.lane = mark->last_lane;
    if (sim_program_inst(state->checker->program, mark->pc, NULL)->op != PTX_OP_CP_ASYNC)
        return false;
    enum async_state states[] = {order_async_state(&state->order, mark, visit->access->warp, lane),
                                 order_async_state(&state->order, &last, visit->access->warp, lane)};
    return (states[0] == ASYNC_OVER || states[0] == ASYNC_ORDERED) &&
           (states[1] == ASYNC_OVER || states[1] == ASYNC_ORDERED);
}

static void check_read(const struct cell_visit *visit, const struct mark *mark, uint32_t first, uint32_t last)
{
    const struct order *order = &visit->state->order;
    if (mark->stamp != order->stamp)
        return;
    uint32_t lane = foreign_lane(visit, mark, first, last);
    if (order->copies_arrive && is_copied(visit, mark, lane))
        return;
    if (sim_is_copy(visit->access->kind) && !order_is_before(order, mark, visit->access->warp, lane))
        report_mark(visit, HAZARD_ASYNC_OVERWRITE, mark, lane, false);
    else if (visit->access->kind == SIM_BULK_COPY && load_is_open(visit, mark, lane))
        report_mark(visit, HAZARD_COPY_OVERTAKES, mark, lane, false);
    else
        check_mark(visit, mark, lane, false);
}

static void check_reads(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    struct cell_rest *rest = rest_find(visit, cell, REST_READS);
    for (int i = 0; i < 2; i++) {
        check_read(visit, &cell->reads[i], first, last);
        cell->reads[i].stamp = 0;
    }
    FOR_LANES (warp, rest ? rest->warps : 0)
        check_read(visit, &rest->marks[warp], first, last);
    if (rest && !visit->finds)
        rest->warps = 0;
}

// A write with no order to this one, of the same value: it may still come last, and overwrite what follows this one.
static bool may_come_last(const struct cell_visit *visit, const struct mark *mark, uint32_t lane)
{
    if (mark->stamp != visit->state->order.stamp || mark->flags & MARK_ASYNC || visit->access->kind != SIM_STORE ||
        order_is_before(&visit->state->order, mark, visit->access->warp, lane))
        return false;
    const unsigned char *its =
        is_same_instruction(visit, mark) ? stored_bytes(visit, mark->lane) : current_bytes(visit);
    return same_bytes(visit, its, stored_bytes(visit, lane));
}

// What else was written there, with the value that the cell's latest write left.
static void check_other_writes(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    struct cell_rest *rest = rest_find(visit, cell, REST_WRITES);
    FOR_LANES (warp, rest ? rest->warps : 0) {
        struct mark *mark = &rest->marks[warp];
        if (is_same_instruction(visit, mark) || may_come_last(visit, mark, foreign_lane(visit, mark, first, last)))
            continue;
        check_write_mark(visit, mark, first, last);
        if (visit->access->kind == SIM_STORE && !visit->finds)
            rest->warps &= ~(UINT32_C(1) << warp);
    }
}

// One lane writes; or one of first … last, and nobody knows which.
static void write_cell(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    bool both_stay = may_come_last(visit, &cell->write, foreign_lane(visit, &cell->write, first, last));
    if (!check_same_instruction(visit, &cell->write, first))
        check_write_mark(visit, &cell->write, first, last);
    check_other_writes(visit, cell, first, last);
    check_atomics(visit, cell, first, last);
    check_reads(visit, cell, first, last);
    if (both_stay)
        rest_keep(visit, cell, REST_WRITES, &cell->write);
    bool again = cell->write.stamp >= visit->state->order.block_stamp;
    cell->write = visit->mark;
    if (again && visit->flags & MARK_ASYNC)
        cell->write.flags |= MARK_AGAIN;
    if (visit->flags & MARK_BULK)
        cell->write.step = visit->batch;
    cell->observers = cell->last_warp = 0;
}

static void atomic_cell(const struct cell_visit *visit, struct shadow_cell *cell, uint32_t first, uint32_t last)
{
    check_write_mark(visit, &cell->write, first, last);
    check_other_writes(visit, cell, first, last);
    check_reads(visit, cell, first, last);
    remember_mark(visit, cell, REST_ATOMICS);
    note_observers(visit, cell, first, last);
    visit->state->atomics = visit->state->order.stamp;
}

// ---- walking over an access

enum cell_role { ROLE_READ, ROLE_WRITE, ROLE_ATOMIC };

static enum cell_role role_of(const struct sim_access *access)
{
    if (access->mbarriers) // as copies
        return ROLE_WRITE;
    switch (access->kind) {
    case SIM_LOAD:
    case SIM_MATRIX_LOAD:
        return ROLE_READ;
    case SIM_ATOMIC:
    case SIM_REDUCE:
        return ROLE_ATOMIC;
    default:
        return ROLE_WRITE;
    }
}

static void visit_as(const struct cell_visit *visit, enum cell_role role, struct shadow_cell *cell, uint32_t first,
                     uint32_t last)
{
    if (role == ROLE_READ)
        read_cell(visit, cell, first, last);
    else if (role == ROLE_WRITE)
        write_cell(visit, cell, first, last);
    else
        atomic_cell(visit, cell, first, last);
}

// The cell of a place; NULL: beyond shared memory.
static struct shadow_cell *find_cell(struct cell_visit *visit, uint64_t at)
{
    uint64_t line = at / COVER_BYTES;
    if (!visit->cells || line != visit->line)
        visit->cells = shadow_cells(visit->shadow, &visit->state->order, at);
    visit->line = line;
    return visit->cells ? visit->cells + (at % COVER_BYTES >> visit->shift) : NULL;
}

static void visit_place(struct cell_visit *visit, enum cell_role role, uint64_t address, uint32_t bytes, uint32_t first,
                        uint32_t last)
{
    uint64_t end = address + (bytes ? bytes : 1);
    for (uint64_t at = address, line_end; at < end;) {
        struct shadow_cell *cell = find_cell(visit, at);
        if (!cell)
            return;
        visit->mark = make_mark(visit, first, last);
        line_end = (at / COVER_BYTES + 1) * COVER_BYTES;
        for (; at < end && at < line_end; at += UINT64_C(1) << visit->shift) {
            visit->address = at >> visit->shift << visit->shift;
            visit->cell = cell;
            visit_as(visit, role, cell++, first, last);
        }
    }
}

// A whole line whose cells are alike. What is asked of an access depends on the place only where something is found:
// false then, and nothing has been done.
static bool visit_even(struct cell_visit *visit, enum cell_role role, uint64_t line, uint32_t lane)
{
    struct shadow_cell *cell = shadow_even_cell(visit->shadow, &visit->state->order, line);
    bool finds = false;
    if (!cell)
        return false;
    struct shadow_cell visited = *cell;
    visit->address = line;
    visit->mark = make_mark(visit, lane, lane);
    visit->finds = &finds;
    visit->cell = &visited;
    visit_as(visit, role, &visited, lane, lane);
    visit->finds = NULL;
    if (!finds)
        *cell = visited;
    return !finds;
}

// Of a bulk copy.
static void visit_lines(struct cell_visit *visit, enum cell_role role, uint64_t address, uint32_t bytes, uint32_t lane)
{
    for (uint64_t at = address, end = address + bytes, next; at < end; at = next) {
        next = (at / COVER_BYTES + 1) * COVER_BYTES;
        next = next < end ? next : end;
        bool is_whole = next - at == COVER_BYTES;
        if (is_whole && visit_even(visit, role, at, lane))
            continue;
        visit_place(visit, role, at, (uint32_t)(next - at), lane, lane);
        if (is_whole && role == ROLE_WRITE)
            shadow_even_out(visit->shadow, &visit->state->order, at);
        visit->cells = NULL; // one of them may stand for all now
    }
}

// Neighbouring lanes that reach one address are visited as one, except for writers.
static void visit_lanes(struct cell_visit *visit, enum cell_role role, const uint64_t *addresses, uint32_t bytes)
{
    for (uint32_t rest = visit->access->mask; rest;) {
        uint32_t first = (uint32_t)__builtin_ctz(rest), last = first;
        rest &= rest - 1;
        while (role != ROLE_WRITE && rest && addresses[__builtin_ctz(rest)] == addresses[first]) {
            last = (uint32_t)__builtin_ctz(rest);
            rest &= rest - 1;
        }
        if (visit->access->mbarriers)
            visit->batch = order_bulk(visit->state, visit->access, first);
        visit_place(visit, role, addresses[first], bytes, first, last);
    }
}

// Each address as one of any lane of the warp.
static void visit_any_lane(struct cell_visit *visit, enum cell_role role)
{
    FOR_LANES (lane, visit->access->mask)
        visit_place(visit, role, visit->access->addresses[lane], visit->access->bytes, 0, SIM_LANES - 1);
}

// Lane i names row i of stmatrix; whose element goes there is the layout's choice (PTX ISA, "stmatrix").
static void visit_stored_row(struct cell_visit *visit, uint32_t row, bool is_transposed)
{
    uint32_t granule = 1u << visit->shift;
    for (uint32_t at = 0; at < 16; at += granule) {
        uint32_t column = at / 2, lane = is_transposed ? column * 4 + row % 8 / 2 : row % 8 * 4 + column / 2;
        visit_place(visit, ROLE_WRITE, visit->access->addresses[row] + at, granule, lane, lane);
    }
}

// ldmatrix: all lanes take part in each row.
static void visit_rows(struct cell_visit *visit, enum cell_role role)
{
    const struct ptx_inst *inst = sim_program_inst(visit->state->checker->program, visit->access->pc, NULL);
    bool is_transposed = ptx_has(inst, PTX_MOD_TRANS);
    FOR_LANES (row, visit->access->mask) {
        if (role == ROLE_READ)
            visit_place(visit, role, visit->access->addresses[row], 16, 0, SIM_LANES - 1);
        else
            visit_stored_row(visit, row, is_transposed);
    }
}

// Whether a strong access belongs to an array: its lanes, or its executions so far, reach several places. Of what
// reads, those of one warp do: of an array with a flag for each warp, a warp that looks at one of them looks at a flag.
static bool access_is_spread(struct hazard_state *state, const struct sim_access *access)
{
    bool fresh, spread = false;
    uint32_t of = role_of(access) == ROLE_READ ? access->warp + 1 : 0;
    uint64_t *first = map_add(&state->arrays, (uint64_t)of << 32 | access->pc, &fresh);
    if (fresh)
        *first = access->addresses[lane_first(access->mask)];
    FOR_LANES (lane, access->mask)
        spread |= access->addresses[lane] != *first;
    return spread;
}

static uint8_t access_flags(struct hazard_state *state, const struct sim_access *access)
{
    unsigned flags = 0;
    if (access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE)
        flags |= MARK_ATOMIC | MARK_STRONG;
    else if (access->order != SIM_WEAK)
        flags |= MARK_STRONG;
    if (role_of(access) == ROLE_READ)
        flags |= MARK_READ;
    if (access->kind == SIM_ASYNC_COPY)
        flags |= MARK_ASYNC;
    else if (access->kind == SIM_BULK_COPY || access->mbarriers)
        flags |= MARK_ASYNC | MARK_BULK;
    if (flags & MARK_STRONG && access->mask && access_is_spread(state, access))
        flags |= MARK_SPREAD;
    if (state->checker->values.traits[access->pc] & VALUE_POLLED)
        flags |= MARK_POLL;
    return (uint8_t)flags;
}

void cells_access(struct hazard_state *state, struct shadow *shadow, const struct sim_access *told)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    struct cell_visit visit = {
        .state = state,
        .shadow = shadow,
        .access = access,
        .flags = access_flags(state, access),
        .batch = access->kind == SIM_BULK_COPY ? order_bulk(state, access, lane_first(access->mask)) : 0,
        .shift = access->space == PTX_SHARED ? state->checker->shared_shift : state->checker->global_shift};
    enum cell_role role = role_of(access);
    if (state->checker->values.traits[access->pc] & VALUE_ANY_LANE)
        visit_any_lane(&visit, role);
    else if (access->kind == SIM_MATRIX_LOAD || access->kind == SIM_MATRIX_STORE)
        visit_rows(&visit, role);
    else if (access->bytes >= COVER_BYTES)
        FOR_LANES (lane, access->mask)
            visit_lines(&visit, role, access->addresses[lane], access->bytes, lane);
    else
        visit_lanes(&visit, role, access->addresses, access->bytes);
    if (access->kind == SIM_ASYNC_COPY && access->space == PTX_SHARED)
        order_copy(&state->order, access);
    if (access->kind == SIM_BULK_COPY && access->mbarrier != UINT64_MAX && access->space == PTX_SHARED &&
        access->source_mask && access->source_space == PTX_SHARED && state->proxies)
        proxies_reading(state, access, visit.batch + 1);
    if (sim_is_copy(access->kind) && access->space == PTX_SHARED && access->source_mask &&
        access->source_space == PTX_GLOBAL)
        sources_reading(state, access, visit.batch);
}

static void ask_cell(const struct cell_visit *visit, struct shadow_cell *cell, struct mark *ordered)
{
    if (memcmp(&cell->write, ordered, sizeof *ordered) != 0 && check_write_mark(visit, &cell->write, 0, SIM_LANES - 1))
        *ordered = cell->write;
    check_atomics(visit, cell, 0, SIM_LANES - 1);
}

// A line whose cells are alike, as long as nothing is found (visit_even).
static bool ask_even(struct cell_visit *visit, uint64_t address, struct mark *ordered)
{
    struct shadow_cell *cell = shadow_even_cell(visit->shadow, &visit->state->order, address);
    bool finds = false;
    if (!cell)
        return false;
    struct shadow_cell seen = *cell;
    struct mark latest = *ordered;
    visit->finds = &finds;
    ask_cell(visit, &seen, &latest);
    visit->finds = NULL;
    if (!finds) {
        *cell = seen;
        *ordered = latest;
    }
    return !finds;
}

void cells_look(struct hazard_state *state, struct shadow *shadow, const struct sim_access *access,
                struct mark *ordered)
{
    struct cell_visit visit = {
        .state = state, .shadow = shadow, .access = access, .shift = state->checker->shared_shift};
    if (ask_even(&visit, access->addresses[0], ordered))
        return;
    for (uint64_t at = access->addresses[0]; at < access->addresses[0] + access->bytes;
         at += UINT64_C(1) << visit.shift) {
        struct shadow_cell *cell = find_cell(&visit, at);
        visit.address = at;
        if (!cell)
            return;
        ask_cell(&visit, cell, ordered);
    }
}
