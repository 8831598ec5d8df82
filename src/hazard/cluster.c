// Shared memory that other blocks of a cluster reach: who met whom there unordered, blocks that may not have begun yet,
// and blocks that may have ended.
//
// The blocks of a cluster run on one host thread, in turn, so that clocks can be kept while they run. The unit is the
// block: what one of its threads learns of another block, or does before a release, counts for all of them. That can
// only hide a hazard. A block's clock is order.tick. Threads of one block that meet in another's memory are told apart
// until the block has learnt of itself: that may order them by way of another block.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

struct cluster_mark { // tick 0: none
    uint32_t tick, pc;
    uint32_t stamp, step; // as the block's own marks have them
    uint32_t batch;       // number + 1, in the order of the block whose memory it is, of what is sent there; 0: none
    uint16_t thread;
    uint8_t rank;
    bool strong, wide; // wide: for other blocks of the cluster, too
    uint8_t seen;      // by strong reads of these blocks, bits by rank: of a strong write
};

// What is remembered of one place: the latest of each. Strong accesses that only read are reads.
struct cluster_cell {
    struct cluster_mark write, strong, own_read, peer_read;
};

struct cluster_clocks { // by rank: what these blocks did before these ticks happened before
    uint32_t ticks[SIM_CLUSTER_BLOCKS];
};

struct cluster {
    struct cluster_part *parts[SIM_CLUSTER_BLOCKS]; // by rank; NULL: it has ended
    struct map released;                            // by place: struct cluster_clocks
};

struct cluster_part {        // of one block
    struct cluster *cluster; // NULL: the block has ended
    struct hazard_state *state;
    uint32_t rank;
    bool next;      // parity of the phase of the cluster's barrier that it has not arrived in
    bool all_begun; // it has waited there, behind arrivals of whatever order
    struct cluster_clocks known, fenced, pending;   // pending: read from places, not yet fenced
    struct cluster_clocks made, fenced_made;        // the mbarriers that were made before are known; are fenced
    struct cluster_mark latest[SIM_CLUSTER_BLOCKS]; // that others did here; their blocks:
    uint64_t blocks[SIM_CLUSTER_BLOCKS];
    bool met[SIM_CLUSTER_BLOCKS]; // it was told that they may not have begun
    struct cluster_cell *cells;
    size_t count, capacity;
};

bool cluster_wanted(const struct sim_program *program)
{
    bool wanted = false;
    for (uint32_t pc = 0; pc < sim_program_size(program); pc++)
        wanted |= sim_program_inst(program, pc, NULL)->op == PTX_OP_MAPA ||
                  ptx_has(sim_program_inst(program, pc, NULL), PTX_MOD_MULTICAST__CLUSTER);
    return wanted;
}

// ---- blocks

void cluster_begin(struct hazard_state *state, const struct sim_block *block, struct hazard_state *peer)
{
    struct cluster_part *part = state->cluster;
    size_t count = (block->shared_size >> state->checker->shared_shift) + 1;
    if (!part)
        part = state->cluster = mem_alloc(sizeof *part);
    if (part->capacity < count) {
        free(part->cells);
        part->cells = mem_alloc(count * sizeof *part->cells);
        part->capacity = count;
    }
    memset(part->cells, 0, count * sizeof *part->cells);
    *part = (struct cluster_part){
        .state = state, .rank = block->rank, .cells = part->cells, .count = count, .capacity = part->capacity};
    part->cluster = peer && peer->cluster ? peer->cluster->cluster : NULL;
    if (!part->cluster) {
        part->cluster = mem_alloc(sizeof *part->cluster);
        part->cluster->released = map_of(struct cluster_clocks);
    }
    part->cluster->parts[part->rank % SIM_CLUSTER_BLOCKS] = part;
}

static void cluster_leave(struct cluster_part *part)
{
    struct cluster *cluster = part->cluster;
    bool is_last = true;
    part->cluster = NULL;
    if (!cluster)
        return;
    cluster->parts[part->rank] = NULL;
    for (uint32_t rank = 0; rank < SIM_CLUSTER_BLOCKS; rank++)
        is_last &= !cluster->parts[rank];
    if (!is_last)
        return;
    map_free(&cluster->released);
    free(cluster);
}

void cluster_free(struct cluster_part *part)
{
    if (!part)
        return;
    cluster_leave(part);
    free(part->cells);
    free(part);
}

// ---- order

static void clocks_of_blocks_join(struct cluster_clocks *into, const struct cluster_clocks *from)
{
    for (uint32_t rank = 0; rank < SIM_CLUSTER_BLOCKS; rank++)
        into->ticks[rank] = into->ticks[rank] > from->ticks[rank] ? into->ticks[rank] : from->ticks[rank];
}

// A place through which blocks release and acquire, of the cluster or of global memory.
static uint64_t cluster_key(const struct cluster_part *part, enum ptx_space space, uint64_t address, bool parity)
{
    if (space == PTX_GLOBAL)
        return address << 2 | 2;
    uint64_t rank = address >> SIM_RANK_SHIFT ? 0 : part->rank + UINT64_C(1); // of its own memory
    return (rank << SIM_RANK_SHIFT | address) << 2 | parity;
}

static void release_all(struct hazard_state *state, uint64_t key)
{
    struct cluster_part *part = state->cluster;
    struct cluster_clocks *clocks = map_add(&part->cluster->released, key, NULL);
    clocks_of_blocks_join(clocks, &part->known);
    clocks->ticks[part->rank] = ++state->order.tick;
}

static void acquire_into(const struct cluster_part *part, struct cluster_clocks *into, uint64_t key)
{
    const struct cluster_clocks *clocks = map_find(&part->cluster->released, key);
    if (clocks)
        clocks_of_blocks_join(into, clocks);
}

static struct cluster_part *part_of_cluster(const struct hazard_state *state)
{
    return state->cluster && state->cluster->cluster ? state->cluster : NULL;
}

void cluster_fence(struct hazard_state *state)
{
    struct cluster_part *part = part_of_cluster(state);
    if (!part)
        return;
    clocks_of_blocks_join(&part->known, &part->pending);
    part->fenced = part->known;
    part->fenced.ticks[part->rank] = ++state->order.tick;
}

// What was fenced before.
static void release_fenced(const struct cluster_part *part, uint64_t key)
{
    if (part->fenced.ticks[part->rank])
        clocks_of_blocks_join(map_add(&part->cluster->released, key, NULL), &part->fenced);
}

static struct cluster_part *owner_in_cluster(const struct cluster_part *part, uint64_t address)
{
    uint64_t rank = address >> SIM_RANK_SHIFT;
    return rank ? part->cluster->parts[(rank - 1) % SIM_CLUSTER_BLOCKS] : part->cluster->parts[part->rank];
}

// The block reads what a strong write left there: that has been done. Where it was the other block's last use of this
// one's memory, this one cannot end before.
static void see_strong(const struct cluster_part *part, uint64_t address, uint32_t bytes)
{
    struct cluster_part *owner = owner_in_cluster(part, address);
    uint32_t shift = part->state->checker->shared_shift;
    uint64_t first = address & ((UINT64_C(1) << SIM_RANK_SHIFT) - 1);
    for (uint64_t at = first >> shift; owner && at << shift < first + bytes && at < owner->count; at++) {
        struct cluster_mark *write = &owner->cells[at].strong, *latest = &owner->latest[write->rank];
        if (!write->wide)
            continue;
        write->seen |= (uint8_t)(1u << part->rank);
        if (owner == part && latest->tick == write->tick && latest->pc == write->pc && latest->thread == write->thread)
            latest->tick = 0;
    }
}

void cluster_strong(struct hazard_state *state, const struct sim_access *access, uint64_t address, bool reads,
                    bool writes)
{
    struct cluster_part *part = part_of_cluster(state);
    if (!part || access->scope < SIM_SCOPE_CLUSTER) // PTX: each scope has to include the other thread
        return;
    bool acquires = access->order == SIM_ACQUIRE || access->order == SIM_ACQ_REL;
    bool releases = access->order == SIM_RELEASE || access->order == SIM_ACQ_REL;
    uint64_t key = cluster_key(part, access->space, address, false);
    if (reads && access->kind != SIM_REDUCE && access->space != PTX_GLOBAL)
        see_strong(part, address, access->bytes);
    if (reads)
        acquire_into(part, acquires ? &part->known : &part->pending, key);
    if (writes && releases)
        release_all(state, key);
    else if (writes)
        release_fenced(part, key);
}

void cluster_fence_made(struct hazard_state *state)
{
    struct cluster_part *part = part_of_cluster(state);
    if (part)
        part->fenced_made.ticks[part->rank] = ++state->order.tick;
}

// Of the cluster's barrier: where what fence.mbarrier_init lets its arrivals tell is kept.
static uint64_t key_of_made(const struct cluster_part *part, uint64_t barrier, bool parity)
{
    return cluster_key(part, PTX_SHARED, barrier, parity) | 2;
}

static void release_at(struct hazard_state *state, uint64_t mbarrier, bool parity, bool is_relaxed)
{
    uint64_t key = cluster_key(state->cluster, PTX_SHARED, mbarrier, parity);
    if (is_relaxed)
        release_fenced(state->cluster, key);
    else
        release_all(state, key);
}

void cluster_arrive(struct hazard_state *state, uint64_t mbarrier, bool parity, bool is_relaxed)
{
    struct cluster_part *part = part_of_cluster(state);
    if (!part)
        return;
    release_at(state, mbarrier, parity, is_relaxed);
    if (mbarrier < SIM_CLUSTER_PLACE)
        return;
    part->next = !parity;
    clocks_of_blocks_join(map_add(&part->cluster->released, key_of_made(part, mbarrier, parity), NULL),
                          &part->fenced_made);
}

void cluster_wait(struct hazard_state *state, uint64_t mbarrier, bool parity, bool is_relaxed)
{
    struct cluster_part *part = part_of_cluster(state);
    if (!part)
        return;
    acquire_into(part, is_relaxed ? &part->pending : &part->known, cluster_key(part, PTX_SHARED, mbarrier, parity));
    if (mbarrier < SIM_CLUSTER_PLACE)
        return;
    part->all_begun = true;
    acquire_into(part, &part->made, key_of_made(part, mbarrier, parity));
}

void cluster_meet(struct hazard_state *state)
{
    struct cluster_part *part = part_of_cluster(state);
    for (uint32_t rank = 0; part && rank < SIM_CLUSTER_BLOCKS; rank++) {
        const struct cluster_part *peer = part->cluster->parts[rank];
        if (peer && peer != part)
            part->known.ticks[rank] = peer->state->order.tick + 1;
    }
}

// ---- accesses

struct cluster_visit {
    struct hazard_state *state;
    const struct sim_access *access;
    struct cluster_part *owner;
    struct cluster_mark mark;
    uint64_t offset; // of the place, in the owner's shared memory
    uint32_t lane;
};

static const unsigned char *bytes_stored(const struct cluster_visit *visit, uint64_t at)
{
    const struct sim_access *access = visit->access;
    return access->values ? access->values + (size_t)visit->lane * access->value_stride + at : NULL;
}

static void report(const struct cluster_visit *visit, const struct cluster_mark *other, bool same_value)
{
    const struct hazard_state *state = visit->state;
    const struct cluster_part *peer = state->cluster->cluster->parts[other->rank];
    struct finding finding = {.kind = HAZARD_CLUSTER_RACE,
                              .pc = visit->mark.pc,
                              .other_pc = other->pc,
                              .several_blocks = true,
                              .space = PTX_SHARED,
                              .block = state->block->linear,
                              .other_block = peer ? peer->state->block->linear : visit->owner->blocks[other->rank],
                              .thread = visit->mark.thread,
                              .other_thread = other->thread,
                              .address = visit->offset,
                              .count = 1};
    if (same_value)
        finding_same_value(state->checker, &finding);
    if (finding.pc > finding.other_pc) { // who comes first in this run makes no other finding
        struct finding turned = finding;
        turned.pc = finding.other_pc;
        turned.block = finding.other_block;
        turned.thread = finding.other_thread;
        turned.other_pc = finding.pc;
        turned.other_block = finding.block;
        turned.other_thread = finding.thread;
        finding = turned;
    }
    finding_add(state->findings, &finding);
}

// What another block sent there is over for who comes after a wait at its mbarrier, which is the owner's to do: no
// barrier, and no release of who sent it, stands for that.
static bool has_come(const struct cluster_visit *visit, const struct cluster_mark *sent)
{
    const struct order *order = &visit->owner->state->order;
    if (!sent->tick || !sent->batch || sent->rank == visit->mark.rank || (sent->wide && visit->mark.wide))
        return true;
    return visit->owner == visit->state->cluster
               ? order_batch_is_over(order, sent->batch - 1, visit->mark.thread / SIM_LANES, visit->lane)
               : order_batch_was_seen(order, sent->batch - 1);
}

static void report_unwaited(const struct cluster_visit *visit, const struct cluster_mark *sent)
{
    const struct hazard_state *state = visit->state;
    const struct cluster_part *peer = state->cluster->cluster->parts[sent->rank];
    finding_add(state->findings,
                &(struct finding){.kind = HAZARD_ASYNC_NOT_WAITED,
                                  .pc = visit->mark.pc,
                                  .other_pc = sent->pc,
                                  .several_blocks = true,
                                  .space = PTX_SHARED,
                                  .block = state->block->linear,
                                  .other_block = peer ? peer->state->block->linear : visit->owner->blocks[sent->rank],
                                  .thread = visit->mark.thread,
                                  .other_thread = sent->thread,
                                  .address = visit->offset,
                                  .count = 1});
}

static bool meets(const struct cluster_visit *visit, const struct cluster_mark *other)
{
    return other->tick && other->rank != visit->mark.rank && !(other->wide && visit->mark.wide) &&
           !(other->seen >> visit->mark.rank & 1) && other->tick >= visit->state->cluster->known.ticks[other->rank];
}

// Two threads of this block, in another's memory.
static void check_own(const struct cluster_visit *visit, const struct cluster_mark *other)
{
    const struct hazard_state *state = visit->state;
    uint32_t warp = visit->mark.thread / SIM_LANES, by = other->thread / SIM_LANES;
    struct mark before = {.stamp = other->stamp,
                          .step = other->step,
                          .pc = other->pc,
                          .warp = (uint8_t)by,
                          .lane = other->thread % SIM_LANES,
                          .last_lane = other->thread % SIM_LANES};
    bool is_one = by == warp && other->step == visit->mark.step; // instruction
    if (visit->owner == state->cluster || other->rank != visit->mark.rank ||
        other->tick < state->cluster->known.ticks[other->rank] || is_one || other->thread == visit->mark.thread ||
        (other->strong && visit->mark.strong) || order_is_before(&state->order, &before, warp, visit->lane))
        return;
    find_in_shared(visit->state, by == warp ? HAZARD_WARP_RACE : HAZARD_RACE, visit->mark.pc, visit->mark.thread,
                   other->pc, other->thread, visit->offset);
}

static void check_as(const struct cluster_visit *visit, const struct cluster_mark *other, bool same_value)
{
    const struct cluster_part *part = visit->state->cluster;
    bool is_there = has_come(visit, other), knows = other->tick < part->known.ticks[other->rank];
    check_own(visit, other);
    if (!is_there && knows && visit->owner == part) // it was sent before, and may be under way
        report_unwaited(visit, other);
    else if (!is_there || meets(visit, other))
        report(visit, other, same_value);
}

static void check(const struct cluster_visit *visit, const struct cluster_mark *other)
{
    check_as(visit, other, false);
}

static void check_write(const struct cluster_visit *visit, const struct cluster_mark *other, uint64_t at)
{
    const unsigned char *now = visit->owner->state->block->shared + visit->offset, *new = bytes_stored(visit, at);
    check_as(visit, other, new && !memcmp(now, new, (size_t)1 << visit->state->checker->shared_shift));
}

// at: the place's distance from the address of the lane
static void visit_cell(const struct cluster_visit *visit, struct cluster_cell *cell, uint64_t at)
{
    bool reads = visit->access->kind == SIM_LOAD || visit->access->kind == SIM_MATRIX_LOAD;
    if (reads)
        check(visit, &cell->write);
    else
        check_write(visit, &cell->write, at);
    check(visit, &cell->strong);
    if (reads) {
        *(visit->owner == visit->state->cluster ? &cell->own_read : &cell->peer_read) = visit->mark;
        return;
    }
    check(visit, &cell->own_read);
    check(visit, &cell->peer_read);
    *(visit->mark.strong ? &cell->strong : &cell->write) = visit->mark;
}

// A thread of this block reaches into the owner's memory; mbarriers there are no places.
static void note_peer(const struct cluster_visit *visit)
{
    struct cluster_part *owner = visit->owner, *part = visit->state->cluster;
    if (owner == part)
        return;
    owner->latest[part->rank] = visit->mark;
    owner->blocks[part->rank] = visit->state->block->linear;
    if (part->all_begun || part->known.ticks[owner->rank] || part->met[owner->rank])
        return;
    part->met[owner->rank] = true;
    find_in_shared(visit->state, HAZARD_PEER_UNMET, visit->mark.pc, visit->mark.thread, UINT32_MAX, UINT32_MAX,
                   visit->offset);
}

static struct cluster_mark mark_of_use(const struct hazard_state *state, uint32_t pc, uint32_t warp, uint32_t lane,
                                       uint64_t step)
{
    return (struct cluster_mark){.tick = state->order.tick,
                                 .pc = pc,
                                 .stamp = state->order.stamp,
                                 .step = (uint32_t)step,
                                 .thread = (uint16_t)(warp * SIM_LANES + lane),
                                 .rank = (uint8_t)state->cluster->rank};
}

// The number + 1 of the batch that it belongs to, in the order of the block that it goes to; 0: the mbarrier is of
// another one.
static uint32_t batch_at_peer(const struct cluster_visit *visit, uint64_t mbarrier, uint32_t parity)
{
    struct cluster_part *owner = visit->owner;
    if (owner_in_cluster(visit->state->cluster, mbarrier) != owner)
        return 0;
    struct order_sender sender = {.mbarrier = mbarrier & ((UINT64_C(1) << SIM_RANK_SHIFT) - 1),
                                  .address = visit->offset,
                                  .pc = visit->mark.pc,
                                  .warp = visit->mark.thread / SIM_LANES,
                                  .lane = visit->lane,
                                  .known = visit->state->cluster->known.ticks[owner->rank],
                                  .is_peer = true};
    return order_bytes(visit->state, &owner->state->order, parity, &sender) + 1;
}

// The same of a lane's access, of its own block, too; 0: it sends nothing to an mbarrier.
static uint32_t batch_of_access(const struct cluster_visit *visit)
{
    const struct sim_access *access = visit->access;
    bool is_copy = access->kind == SIM_BULK_COPY && access->mbarrier != UINT64_MAX;
    if (!access->mbarriers && !is_copy)
        return 0;
    if (visit->owner == visit->state->cluster)
        return order_bulk(visit->state, access, visit->lane) + 1;
    return batch_at_peer(visit, access->mbarriers[visit->lane], access->parities >> visit->lane & 1);
}

void cluster_access(struct hazard_state *state, const struct sim_access *told)
{
    struct cluster_part *part = part_of_cluster(state);
    struct sim_spread spread;
    if (!part || (told->space != PTX_SHARED && told->space != PTX_SHARED_CLUSTER))
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    uint32_t shift = state->checker->shared_shift;
    FOR_LANES (lane, access->mask) {
        struct cluster_visit visit = {.state = state, .access = access, .lane = lane};
        visit.owner = owner_in_cluster(part, access->addresses[lane]);
        visit.mark = mark_of_use(state, access->pc, access->warp, lane, access->step);
        visit.mark.strong = access->order != SIM_WEAK || access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE;
        visit.mark.wide = visit.mark.strong && access->scope >= SIM_SCOPE_CLUSTER;
        uint64_t first = access->addresses[lane] & ((UINT64_C(1) << SIM_RANK_SHIFT) - 1);
        if (!visit.owner)
            continue;
        visit.offset = first;
        visit.mark.batch = batch_of_access(&visit);
        for (uint64_t at = 0; at < access->bytes; at += UINT64_C(1) << shift) {
            visit.offset = (first + at) >> shift << shift;
            if (visit.offset >> shift < visit.owner->count)
                visit_cell(&visit, &visit.owner->cells[visit.offset >> shift], at);
        }
        note_peer(&visit);
    }
}

// A thread of this block uses an mbarrier of the owner's: it has to know that it was made. Where not even the owner's
// beginning was known, that has been told.
static void check_peer_made(const struct cluster_visit *visit, uint64_t mbarrier)
{
    const struct cluster_part *owner = visit->owner, *part = visit->state->cluster;
    uint64_t offset = mbarrier & ((UINT64_C(1) << SIM_RANK_SHIFT) - 1);
    uint32_t tick = 0;
    const struct mark *made = owner == part ? NULL : order_made(&owner->state->order, offset, &tick);
    if (!made || part->met[owner->rank] || tick < part->known.ticks[owner->rank] ||
        tick < part->made.ticks[owner->rank])
        return;
    struct cluster_visit use = *visit;
    use.offset = offset;
    report(&use,
           &(struct cluster_mark){
               .pc = made->pc, .thread = (uint16_t)(made->warp * SIM_LANES + made->lane), .rank = (uint8_t)owner->rank},
           false);
}

void cluster_copy(struct hazard_state *state, const struct sim_sync *sync)
{
    const struct cluster_part *part = part_of_cluster(state);
    uint32_t shift = state->checker->shared_shift, lane = lane_first(sync->mask);
    struct sim_access access = {.kind = SIM_BULK_COPY};
    struct cluster_visit visit = {.state = state, .access = &access, .lane = lane};
    visit.owner = part ? owner_in_cluster(part, sync->place) : NULL;
    if (!visit.owner)
        return;
    visit.mark = mark_of_use(state, sync->pc, sync->warp, lane, sync->step);
    visit.mark.strong = sync->order != SIM_WEAK; // a reduction
    visit.mark.wide = visit.mark.strong && sync->scope >= SIM_SCOPE_CLUSTER;
    uint64_t first = sync->place & ((UINT64_C(1) << SIM_RANK_SHIFT) - 1);
    visit.offset = first;
    visit.mark.batch = batch_at_peer(&visit, sync->addresses[lane], sync->parities >> lane & 1);
    for (uint64_t at = first >> shift; at << shift < first + sync->count && at < visit.owner->count; at++) {
        visit.offset = at << shift;
        visit_cell(&visit, &visit.owner->cells[at], 0);
    }
    note_peer(&visit);
    check_peer_made(&visit, sync->addresses[lane]);
    release_at(state, sync->addresses[lane], sync->parities >> lane & 1, false); // whoever waits for its bytes
}

void cluster_arrive_at_peer(struct hazard_state *state, const struct sim_sync *sync)
{
    const struct cluster_part *part = part_of_cluster(state);
    FOR_LANES (lane, part ? sync->mask : 0) {
        struct cluster_visit visit = {.state = state, .owner = owner_in_cluster(part, sync->addresses[lane])};
        visit.mark = mark_of_use(state, sync->pc, sync->warp, lane, sync->step);
        if (visit.owner) {
            note_peer(&visit);
            check_peer_made(&visit, sync->addresses[lane]);
        }
        release_at(state, sync->addresses[lane], sync->parities >> lane & 1, sync->order == SIM_RELAXED);
    }
}

// What others did here has to have happened before this block ends. Who ends arrives at the cluster's barrier.
void cluster_end(struct hazard_state *state)
{
    struct cluster_part *part = part_of_cluster(state);
    if (!part)
        return;
    for (uint32_t rank = 0; rank < SIM_CLUSTER_BLOCKS; rank++) {
        const struct cluster_mark *latest = &part->latest[rank];
        struct finding finding = {.kind = HAZARD_PEER_LEAVES,
                                  .pc = latest->pc,
                                  .other_pc = UINT32_MAX,
                                  .space = PTX_SHARED,
                                  .block = part->blocks[rank],
                                  .other_block = state->block->linear,
                                  .thread = latest->thread,
                                  .other_thread = UINT32_MAX,
                                  .count = 1};
        if (latest->tick && latest->tick >= part->known.ticks[rank])
            finding_add(state->findings, &finding);
    }
    cluster_arrive(state, SIM_CLUSTER_PLACE + state->block->cluster * 8, part->next, false);
    cluster_leave(part);
}
