// mbarriers in shared memory, bulk copies that complete on them, and the barrier of a cluster.
//
// An mbarrier is 64 bits of shared memory: phase (its parity in bit 63, in bit 62 whether it is one of the second two
// of four), pending arrivals (20 bits), expected arrivals (20 bits) and the bytes still to come (22 bits, signed). A
// phase ends when no arrival and no byte is pending. A state, as mbarrier.arrive gives it, is the upper 22 bits of the
// word before the arrival, and below them whose it is: who waits with any other is found out.
#include <stdio.h>
#include <stdlib.h>

#include "sim/decode.h"

enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1, TX_BITS = 22, TX_MOST = (1 << 20) - 1 };
// Of a state the bits in which a word counts what its phase expects: the mbarrier's block (26) and place (16, above 0).
enum { NAME_BITS = COUNT_BITS + TX_BITS, NAME_PLACE_BITS = 16 };
static const uint64_t NAME_MASK = (UINT64_C(1) << NAME_BITS) - 1;

struct mbarrier {
    bool phase, second;
    uint32_t pending, expected;
    int32_t tx;
};

static struct mbarrier mbarrier_of(uint64_t word)
{
    return (struct mbarrier){
        .phase = word >> 63,
        .second = word >> 62 & 1,
        .pending = (uint32_t)(word >> NAME_BITS) & COUNT_MASK,
        .expected = (uint32_t)(word >> TX_BITS) & COUNT_MASK,
        .tx = (int32_t)((uint32_t)word << (32 - TX_BITS)) >> (32 - TX_BITS),
    };
}

static void mbarrier_write(unsigned char *at, struct mbarrier barrier)
{
    uint64_t word = (uint64_t)barrier.phase << 63 | (uint64_t)barrier.second << 62 |
                    (uint64_t)barrier.pending << NAME_BITS | (uint64_t)barrier.expected << TX_BITS |
                    ((uint32_t)barrier.tx & ((1u << TX_BITS) - 1));
    memcpy(at, &word, 8);
}

static void mbarrier_settle(struct mbarrier *barrier)
{
    if (barrier->pending || barrier->tx)
        return;
    barrier->second ^= barrier->phase;
    barrier->phase = !barrier->phase;
    barrier->pending = barrier->expected;
}

// So many bytes of those that the mbarrier waits for have come. Returns the phase that they came in.
static bool mbarrier_bytes(unsigned char *at, uint32_t bytes)
{
    uint64_t word;
    memcpy(&word, at, 8);
    struct mbarrier barrier = mbarrier_of(word);
    bool phase = barrier.phase;
    barrier.tx -= (int32_t)bytes;
    mbarrier_settle(&barrier);
    mbarrier_write(at, barrier);
    return phase;
}

static bool is_of_peer(uint64_t shared)
{
    return shared >> CLUSTER_SHIFT;
}

// Its complement is what a state holds, so that no small number is one.
static uint64_t mbarrier_name(const struct exec *x, uint64_t shared)
{
    const struct block *block =
        is_of_peer(shared) ? x->block->cluster->blocks[(shared >> CLUSTER_SHIFT) - 1] : x->block;
    uint64_t place = (shared & ((UINT64_C(1) << CLUSTER_SHIFT) - 1)) / 8 + 1;
    return (block->view.linear << NAME_PLACE_BITS | place) & NAME_MASK;
}

// PTX ISA, mbarrier.test_wait: the state is of an arrival at the same mbarrier, in this phase or the one before. False
// after a fault.
static bool mbarrier_gave(struct exec *x, const struct op *op, uint32_t lane, uint64_t shared, uint64_t word,
                          uint64_t state)
{
    uint64_t name = ~state & NAME_MASK, differs = name ^ mbarrier_name(x, shared);
    struct mbarrier now = mbarrier_of(word), then = mbarrier_of(state);
    if (differs) {
        bool is_of_block = !(differs >> NAME_PLACE_BITS) && name & ((1u << NAME_PLACE_BITS) - 1);
        sim_fault(x, op, lane,
                  "waits at an mbarrier with a token that %s returned: wait with what the arrival at this one returned",
                  is_of_block ? "an arrival at another one" : "no arrival of this block");
        return false;
    }
    if ((2u * now.second + now.phase - 2u * then.second - then.phase) % 4 > 1) {
        sim_fault(x, op, lane,
                  "waits at an mbarrier with a token of two phases ago or more: one is good in its own phase and the "
                  "next");
        return false;
    }
    return true;
}

// The word of one lane's mbarrier; shared: its address in shared memory, perhaps that of another block of the cluster.
// NULL after a fault.
static unsigned char *mbarrier_at(struct exec *x, const struct op *op, uint64_t address, uint32_t lane,
                                  uint64_t *shared)
{
    struct place place = {0};
    unsigned char *at = sim_place_lane(x, op, (enum ptx_space)op->space, address, lane, 8, true, &place);
    if (!at)
        return NULL;
    if (place.space != PTX_SHARED && place.space != PTX_SHARED_CLUSTER) {
        sim_fault(x, op, lane, "uses an mbarrier that is not in shared memory");
        return NULL;
    }
    *shared = sim_place_shared(&place, address - place.start);
    sim_bits_set(place.mark, address - place.start, 8);
    return at;
}

static void mbarrier_tell_as(struct exec *x, const struct op *op, enum sim_sync_kind kind, uint32_t mask,
                             const uint64_t *addresses, uint32_t parities, enum sim_order order)
{
    if (!mask || !(x->wants & SIM_WANT_SYNC))
        return;
    struct sim_sync sync = {.kind = kind,
                            .mask = mask,
                            .addresses = addresses,
                            .parities = parities,
                            .order = order,
                            .scope = (enum sim_scope)op->scope};
    sim_watch_sync(x, op, &sync);
}

static void mbarrier_tell(struct exec *x, const struct op *op, enum sim_sync_kind kind, uint32_t mask,
                          const uint64_t *addresses, uint32_t parities)
{
    mbarrier_tell_as(x, op, kind, mask, addresses, parities, (enum sim_order)op->order);
}

// Bytes of the lane came in another phase than in the one that they were for.
static void tell_late_bytes(struct exec *x, uint32_t warp, uint32_t pc, uint32_t lane, uint64_t mbarrier)
{
    struct sim_notice notice = {.kind = SIM_NOTICE_BYTES_LATE,
                                .mask = 1u << lane,
                                .space = PTX_SHARED,
                                .address = mbarrier,
                                .other_pc = UINT32_MAX};
    if (x->wants & SIM_WANT_NOTICE)
        sim_watch_notice_of(x, warp, pc, &notice);
}

// ---- bulk copies on their way

// action: enum atom_action + 1, or 0 to write the bytes as they are
void sim_bulk_write(unsigned char *to, const unsigned char *from, uint32_t bytes, uint8_t action, uint8_t type)
{
    struct op element = {
        .action = (uint8_t)(action - 1), .type = type, .width = (uint8_t)ptx_type_size((enum ptx_type)type)};
    if (!action && bytes)
        memmove(to, from, bytes);
    for (uint32_t i = 0; action && i + element.width <= bytes; i += element.width) {
        uint64_t old = 0, value = 0;
        memcpy(&old, to + i, element.width);
        memcpy(&value, from + i, element.width);
        old = sim_atom_apply(&element, false, old, value, 0);
        memcpy(to + i, &old, element.width);
    }
}

static void bulk_free(struct bulk_copy *copy)
{
    free(copy->tile);
    free(copy);
}

// cp.async.mbarrier.arrive: the lanes' copies before it have ended.
static void arrivals_land(struct exec *x, const struct bulk_copy *copy)
{
    uint64_t word;
    unsigned char *at = x->block->shared + copy->mbarrier;
    sim_copies_land_before(x, &x->block->warps[copy->warp], copy->arrivals, copy->offset);
    memcpy(&word, at, 8);
    struct mbarrier barrier = mbarrier_of(word);
    barrier.pending -= (uint32_t)__builtin_popcount(copy->arrivals);
    mbarrier_settle(&barrier);
    mbarrier_write(at, barrier);
}

// A box of a tensor map, row by row.
static void tensor_land(const struct bulk_copy *copy)
{
    const struct tensor_copy *tile = copy->tile;
    struct tensor_box box = tensor_box_of(&tile->map);
    unsigned char row[TENSOR_ROW_MOST];
    for (uint32_t i = 0; i < box.rows; i++) {
        struct tensor_row part = tensor_row_of(&tile->map, &box, tile->at, i, tile->stores);
        uint64_t offset = part.address - tile->start;
        if (tile->stores) {
            tensor_row_from_tile(&tile->map, tile->tile, i * box.pitch, row, copy->source);
            sim_bulk_write(tile->data + (part.inside ? offset : 0), row + part.from, part.inside, copy->reduce,
                           copy->type);
            sim_bits_set(tile->mark, offset, part.inside);
            continue;
        }
        if (part.inside < box.row_bytes)
            tensor_fill(&tile->map, row);
        if (part.inside)
            memcpy(row + part.from, tile->data + offset, part.inside);
        tensor_row_to_tile(&tile->map, tile->tile, i * box.pitch, row, copy->target);
    }
    if (!tile->stores)
        sim_bits_set(copy->mark, copy->offset, box.span);
}

static void bulk_land(struct exec *x, struct bulk_copy *copy)
{
    if (copy->arrivals) {
        arrivals_land(x, copy);
        return;
    }
    if (copy->tile) {
        tensor_land(copy);
    } else {
        sim_bulk_write(copy->target, copy->source, copy->bytes, copy->reduce, copy->type);
        sim_bits_set(copy->mark, copy->offset, copy->bytes);
    }
    if (copy->mbarrier == UINT64_MAX || mbarrier_bytes(x->block->shared + copy->mbarrier, copy->bytes) == copy->group)
        return;
    tell_late_bytes(x, copy->warp, copy->pc, copy->lane, copy->mbarrier);
}

// Lands the copies for which due says so, oldest first.
static void bulk_land_if(struct exec *x, bool (*due)(const struct bulk_copy *copy, const void *key), const void *key)
{
    struct bulk_copy **link = &x->block->bulk;
    while (*link) {
        struct bulk_copy *copy = *link;
        if (!due(copy, key)) {
            link = &copy->next;
            continue;
        }
        *link = copy->next;
        x->bulk_count--;
        bulk_land(x, copy);
        bulk_free(copy);
    }
}

static bool due_mbarrier(const struct bulk_copy *copy, const void *key)
{
    return copy->mbarrier == *(const uint64_t *)key;
}

struct group_key {
    uint32_t warp, lane, below;
};

static bool due_group(const struct bulk_copy *copy, const void *key)
{
    const struct group_key *group = key;
    return copy->mbarrier == UINT64_MAX && copy->warp == group->warp && copy->lane == group->lane &&
           copy->group < group->below;
}

void sim_bulk_land_exit(struct exec *x, uint32_t lanes)
{
    if (!x->block->bulk)
        return;
    FOR_LANES (lane, lanes) {
        struct group_key key = {x->warp->number, lane, UINT32_MAX};
        bulk_land_if(x, due_group, &key);
    }
}

void sim_block_async_reset(struct block *block)
{
    for (struct bulk_copy *copy = block->bulk, *next; copy; copy = next) {
        next = copy->next;
        bulk_free(copy);
    }
    block->bulk = NULL;
    memset(block->bulk_groups, 0, sizeof block->bulk_groups);
}

struct block *sim_bulk_block(const struct exec *x, const struct place *place)
{
    return place->space == PTX_SHARED_CLUSTER
               ? x->block->cluster->blocks[(place->start >> CLUSTER_SHIFT) % (2 * CLUSTER_MOST) - 1]
               : x->block;
}

bool sim_bulk_ends(struct exec *x, const struct op *op, uint32_t lane, uint64_t address, const struct block *target,
                   struct bulk_copy *copy)
{
    struct place place = {0};
    uint64_t word;
    copy->warp = x->warp->number;
    copy->pc = op_pc(x, op);
    copy->lane = lane;
    copy->mbarrier = UINT64_MAX;
    copy->group = x->block->bulk_groups[x->warp->number][lane];
    if (address == UINT64_MAX)
        return true;
    const unsigned char *at = sim_place_lane(x, op, PTX_SHARED, address, lane, 8, true, &place);
    if (!at)
        return false;
    if (sim_bulk_block(x, &place) != target) {
        sim_fault(x, op, lane,
                  "copies in bulk to one block of the cluster and notifies an mbarrier of another: both must "
                  "be of the block that is copied to");
        return false;
    }
    memcpy(&word, at, 8);
    copy->mbarrier = address - place.start;
    copy->group = mbarrier_of(word).phase;
    sim_bits_set(place.mark, copy->mbarrier, 8);
    return true;
}

void sim_bulk_add(struct exec *x, struct block *block, const struct bulk_copy *copy)
{
    struct bulk_copy *added = mem_alloc(sizeof *added), **last = &block->bulk;
    *added = *copy;
    if (copy->tile) {
        added->tile = mem_alloc(sizeof *added->tile);
        *added->tile = *copy->tile;
    }
    while (*last)
        last = &(*last)->next;
    *last = added;
    x->bulk_count++;
}

// What goes to another block of the cluster is told as PEER_COPY.
static void bulk_tell(struct exec *x, const struct op *op, const struct bulk_copy *copy, const struct place *to,
                      uint64_t target, const struct place *from, uint64_t source)
{
    uint64_t targets[SIM_LANES] = {0}, sources[SIM_LANES] = {0};
    bool is_shared = to->space != PTX_GLOBAL, is_own = sim_bulk_block(x, to) == x->block;
    targets[copy->lane] = is_shared ? target - to->start : target;
    sources[copy->lane] = from->space == PTX_SHARED ? source - from->start : source;
    struct sim_access access = {.kind = SIM_BULK_COPY,
                                .space = is_shared ? PTX_SHARED : PTX_GLOBAL,
                                .mask = 1u << copy->lane,
                                .bytes = copy->bytes,
                                .addresses = targets,
                                .sources = sources,
                                .source_space = from->space,
                                .source_mask = 1u << copy->lane,
                                .source_bytes = copy->bytes,
                                .combines = copy->reduce != 0,
                                .mbarrier = copy->mbarrier,
                                .phase = copy->group,
                                .values = is_shared || copy->reduce ? NULL : copy->source};
    if (x->wants & (SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL) && is_own)
        sim_watch_access(x, op, &access);
}

static void peer_copy_tell(struct exec *x, const struct op *op, const struct bulk_copy *copy, uint32_t rank)
{
    uint64_t mbarriers[SIM_LANES] = {0}, start = (rank + UINT64_C(1)) << CLUSTER_SHIFT;
    mbarriers[copy->lane] = start | copy->mbarrier;
    struct sim_sync sync = {.kind = SIM_SYNC_PEER_COPY,
                            .mask = 1u << copy->lane,
                            .place = start | copy->offset,
                            .count = copy->bytes,
                            .addresses = mbarriers,
                            .parities = (copy->group & 1) << copy->lane,
                            .order = (enum sim_order)op->order,
                            .scope = (enum sim_scope)op->scope};
    if (x->wants & SIM_WANT_SYNC)
        sim_watch_sync(x, op, &sync);
}

// The same copy into each block of the cluster that the mask names, at the same place, with an mbarrier there.
bool sim_bulk_spread(struct exec *x, const struct op *op, const struct bulk_copy *copy, uint32_t blocks)
{
    const struct cluster *cluster = x->block->cluster;
    FOR_LANES (rank, blocks) {
        struct block *block = rank < cluster->size ? cluster->blocks[rank] : NULL;
        struct bulk_copy one = *copy;
        uint64_t word;
        if (!block)
            return sim_fault(x, op, copy->lane, "copies to block %u of the cluster, which %s", rank,
                             rank < cluster->size ? "has ended" : "does not exist") != NULL;
        one.target = block->shared + copy->offset;
        one.mark = block->shared_valid;
        memcpy(&word, block->shared + copy->mbarrier, 8);
        one.group = mbarrier_of(word).phase;
        if (block != x->block)
            peer_copy_tell(x, op, &one, rank);
        sim_bulk_add(x, block, &one);
    }
    return true;
}

// What goes from shared memory into a cluster's, asynchronously, is an illegal instruction on an H200 (driver
// 580.159.04) where the launch names no clusters, be it for the block itself; __cluster_dims__(1, 1, 1) is enough.
// Loads, plain stores, atomics and arrivals there, copies from global memory and mapa need none.
static bool is_in_cluster(struct exec *x, const struct op *op, uint32_t mask)
{
    if (!mask || launch_is_clustered(&x->launch->shape, x->launch->program->entry))
        return true;
    return sim_fault(
               x, op, lane_first(mask),
               "sends data of its block to a cluster's shared memory in a launch without clusters, an illegal "
               "instruction on a GPU: __cluster_dims__(1, 1, 1), or trace --cluster 1, makes each block a cluster") !=
           NULL;
}

// slots: 0 destination, 1 source, 2 size, 3 mbarrier (count: there is one), 4 blocks of the cluster (extra: there are);
// list: the offsets of the addresses
static const struct op *run_bulk(struct exec *x, const struct op *op, uint32_t mask)
{
    if (op->space == PTX_SHARED && op->type2 == PTX_SHARED && !is_in_cluster(x, op, mask))
        return NULL;
    FOR_LANES (lane, mask) {
        uint64_t target = slot_get(x, op, 0, lane) + op->list[0], source = slot_get(x, op, 1, lane) + op->list[1];
        uint64_t bytes = slot_get(x, op, 2, lane) & UINT32_MAX;
        struct place to, from;
        if (bytes % 16 || (target | source) % 16)
            return sim_fault(x, op, lane, "copies %llu bytes in bulk: size and addresses must be multiples of 16",
                             (unsigned long long)bytes);
        if (!bytes)
            continue;
        unsigned char *write =
            sim_place_span(x, op, (enum ptx_space)op->space, target, lane, (uint32_t)bytes, true, &to);
        unsigned char *read =
            write ? sim_place_span(x, op, (enum ptx_space)op->type2, source, lane, (uint32_t)bytes, false, &from)
                  : NULL;
        if (!read)
            return NULL;
        struct bulk_copy copy = {.target = write,
                                 .source = read,
                                 .bytes = (uint32_t)bytes,
                                 .mark = to.mark,
                                 .offset = target - to.start,
                                 .reduce = op->action,
                                 .type = op->type};
        struct block *block = sim_bulk_block(x, &to);
        uint64_t notified = op->count ? slot_get(x, op, 3, lane) + op->list[2] : UINT64_MAX;
        uint32_t blocks = op->extra ? (uint32_t)slot_get(x, op, 4, lane) & UINT16_MAX : 1u << x->block->rank;
        if (!sim_bulk_ends(x, op, lane, notified, block, &copy))
            return NULL;
        if (blocks >> x->block->rank & 1)
            bulk_tell(x, op, &copy, &to, target, &from, source);
        if (!op->extra && block != x->block)
            peer_copy_tell(x, op, &copy, block->rank);
        if (!op->extra)
            sim_bulk_add(x, block, &copy);
        else if (!sim_bulk_spread(x, op, &copy, blocks))
            return NULL;
    }
    return op + 1;
}

// slots: 0 source, 1 size; extra: the offset of the address
static const struct op *run_bulk_prefetch(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint64_t bytes = slot_get(x, op, 1, lane) & UINT32_MAX;
        if ((slot_get(x, op, 0, lane) + op->extra) % 16 || bytes % 16)
            return sim_fault(x, op, lane, "prefetches %llu bytes in bulk: size and address must be multiples of 16",
                             (unsigned long long)bytes);
    }
    return op + 1;
}

const struct op *run_bulk_commit(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask)
        x->block->bulk_groups[x->warp->number][lane]++;
    return op + 1;
}

// action: only what was read is free again; nothing is there yet
static const struct op *run_bulk_wait(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint32_t groups = x->block->bulk_groups[x->warp->number][lane];
        struct group_key key = {x->warp->number, lane, groups > op->imm ? groups - (uint32_t)op->imm : 0};
        bulk_land_if(x, due_group, &key);
        struct sim_sync sync = {
            .kind = SIM_SYNC_BULK_WAIT, .mask = 1u << lane, .count = key.below, .reads = op->action};
        if (x->wants & SIM_WANT_SYNC)
            sim_watch_sync(x, op, &sync);
    }
    return op + 1;
}

// st.async, red.async: here the bytes arrive at once.
static const struct op *run_async_store(struct exec *x, const struct op *op, uint32_t mask)
{
    enum { MOST = 32 }; // bytes of a lane
    if (!is_in_cluster(x, op, mask))
        return NULL;
    uint32_t bytes = (uint32_t)op->width * op->count, own = 0, parities = 0;
    uint64_t addresses[SIM_LANES], shared[SIM_LANES], barriers[SIM_LANES];
    unsigned char *at[SIM_LANES], *told[SIM_LANES], *mark[SIM_LANES], values[SIM_LANES * MOST];
    sim_addresses(x, op, op->slot[0], addresses);
    struct place place = {0};
    FOR_LANES (lane, mask) {
        uint64_t word;
        at[lane] = sim_place_lane(x, op, (enum ptx_space)op->space, addresses[lane], lane, bytes, true, &place);
        told[lane] = at[lane] ? mbarrier_at(x, op, slot_get(x, op, 2, lane) + op->extra, lane, &barriers[lane]) : NULL;
        if (!told[lane])
            return NULL;
        memcpy(&word, told[lane], 8);
        parities |= (uint32_t)mbarrier_of(word).phase << lane;
        addresses[lane] -= place.start;
        shared[lane] = sim_place_shared(&place, addresses[lane]);
        mark[lane] = place.mark;
        own |= (place.space == PTX_SHARED ? 1u : 0u) << lane;
        for (uint32_t e = 0; e < op->count; e++) {
            uint64_t value = lane_get(slot_at(x, op->list[e]), op->width == 8, lane);
            memcpy(values + lane * MOST + e * op->width, &value, op->width);
        }
    }
    struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                .space = PTX_SHARED,
                                .mask = own,
                                .bytes = bytes,
                                .addresses = shared,
                                .order = (enum sim_order)op->order,
                                .mbarriers = barriers,
                                .parities = parities,
                                .values = op->kind == SIM_STORE ? values : NULL,
                                .value_stride = MOST};
    if (own && x->wants & SIM_WANT_ACCESS_SHARED)
        sim_watch_access(x, op, &access);
    access.space = PTX_SHARED_CLUSTER;
    access.mask = mask & ~own;
    access.shape = NULL;
    if (access.mask && x->wants & SIM_WANT_ACCESS_OTHER)
        sim_watch_access(x, op, &access);
    // The bytes come with a release, however what they bring is ordered.
    mbarrier_tell_as(x, op, SIM_SYNC_PEER_ARRIVE, mask & ~own, barriers, parities, SIM_RELEASE);
    mbarrier_tell_as(x, op, SIM_SYNC_STORE_ARRIVE, own, barriers, parities, SIM_RELEASE);
    FOR_LANES (lane, mask) {
        sim_bulk_write(at[lane], values + lane * MOST, bytes, op->action, op->type);
        sim_bits_set(mark[lane], addresses[lane], bytes);
        if (mbarrier_bytes(told[lane], bytes) != (parities >> lane & 1))
            tell_late_bytes(x, x->warp->number, op_pc(x, op), lane, barriers[lane]);
    }
    return op + 1;
}

// ---- mbarriers

static bool mbarrier_count(struct exec *x, const struct op *op, uint32_t lane, struct mbarrier *barrier, uint64_t count)
{
    if (!barrier->expected || count > barrier->pending) {
        sim_fault_as(x, SIM_FAULT_ARRIVAL, op, lane, "arrives at an mbarrier that %s",
                     barrier->expected ? "expects no more arrivals in this phase" : "was not initialised");
        return false;
    }
    barrier->pending -= (uint32_t)count;
    return true;
}

// Whether the address leads to a block of the cluster that has ended. Nobody misses an arrival there, but its shared
// memory may be another block's by now.
static bool leads_to_ended_block(struct exec *x, const struct op *op, uint64_t address, uint32_t lane)
{
    const struct cluster *cluster = x->block->cluster;
    struct place place;
    if (cluster->size < 2 || !sim_place_find(x, (enum ptx_space)op->space, address, &place) ||
        place.space != PTX_SHARED)
        return false;
    uint64_t rank = ((address - place.start) >> CLUSTER_SHIFT) - 1;
    if (rank >= cluster->size || cluster->blocks[rank])
        return false;
    struct sim_notice notice = {.kind = SIM_NOTICE_PEER_ENDED,
                                .mask = 1u << lane,
                                .space = PTX_SHARED,
                                .address = address,
                                .other_pc = cluster->exit_pcs[rank]};
    if (x->wants & SIM_WANT_NOTICE)
        sim_watch_notice(x, op, &notice);
    return true;
}

// Arrivals that copies have yet to make hold the phase open. Where they alone do, and somebody arrives once more
// without having looked, they were quick; so they are before an mbarrier is made anew.
static void arrivals_make_room(struct exec *x, uint64_t shared, const unsigned char *at, bool anew)
{
    uint64_t word;
    uint32_t waiting = 0;
    for (const struct bulk_copy *copy = x->block->bulk; copy; copy = copy->next)
        waiting += copy->mbarrier == shared ? (uint32_t)__builtin_popcount(copy->arrivals) : 0;
    memcpy(&word, at, 8);
    if (waiting && (anew || waiting >= mbarrier_of(word).pending))
        bulk_land_if(x, due_mbarrier, &shared);
}

// One entry for the lanes of an instruction that arrive at one mbarrier.
static void arrivals_add(struct exec *x, uint32_t lane, uint64_t shared)
{
    for (struct bulk_copy *copy = x->block->bulk; copy; copy = copy->next)
        if (copy->arrivals && copy->mbarrier == shared && copy->warp == x->warp->number && copy->offset == x->step) {
            copy->arrivals |= 1u << lane;
            return;
        }
    struct bulk_copy copy = {
        .arrivals = 1u << lane, .mbarrier = shared, .warp = x->warp->number, .lane = lane, .offset = x->step};
    sim_bulk_add(x, x->block, &copy);
}

// slots: 0 state, 1 address, 2 count or bytes (extra: bytes to expect, before arriving); count: .noComplete
static const struct op *run_mbarrier(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES], shared[SIM_LANES] = {0};
    uint32_t parities = 0, own = 0, told = 0;
    sim_addresses(x, op, op->slot[1], addresses);
    FOR_LANES (lane, mask) {
        uint64_t word, value = slot_get(x, op, 2, lane) & UINT32_MAX;
        if (op->action == MB_ARRIVE && leads_to_ended_block(x, op, addresses[lane], lane))
            continue;
        unsigned char *at = mbarrier_at(x, op, addresses[lane], lane, &shared[lane]);
        if (!at)
            return NULL;
        if (x->block->bulk && op->action != MB_EXPECT && op->action != MB_COMPLETE)
            arrivals_make_room(x, shared[lane], at, op->action < MB_EXPECT);
        memcpy(&word, at, 8);
        struct mbarrier barrier = mbarrier_of(word);
        parities |= (uint32_t)barrier.phase << lane;
        told |= 1u << lane;
        bool fine = true;
        switch (op->action) {
        case MB_INIT:
            if (!value || value > COUNT_MASK)
                return sim_fault(x, op, lane, "initialises an mbarrier for %llu arrivals", (unsigned long long)value);
            barrier = (struct mbarrier){.pending = (uint32_t)value, .expected = (uint32_t)value};
            break;
        case MB_INVAL:
            barrier = (struct mbarrier){0};
            break;
        case MB_EXPECT:
            barrier.tx += (int32_t)value;
            break;
        case MB_COMPLETE:
            barrier.tx -= (int32_t)value;
            mbarrier_settle(&barrier);
            break;
        case MB_DROP:
        case MB_ARRIVE:
            barrier.tx += op->extra ? (int32_t)value : 0;
            if (op->action == MB_DROP && barrier.expected)
                barrier.expected--;
            fine = op->action == MB_DROP && !barrier.expected
                       ? barrier.pending-- > 0
                       : mbarrier_count(x, op, lane, &barrier, op->extra ? 1 : value);
            break;
        default: // cp.async.mbarrier.arrive: without .noinc the arrival is one more
            if (is_of_peer(shared[lane]))
                return sim_fault(x, op, lane, "lets copies arrive at an mbarrier of another block");
            fine = mbarrier_count(x, op, lane, &barrier, 0);
            barrier.pending += !op->extra;
            arrivals_add(x, lane, shared[lane]);
        }
        if (!fine)
            return NULL;
        if (barrier.tx > TX_MOST || barrier.tx < -TX_MOST)
            return sim_fault(x, op, lane, "makes an mbarrier wait for %d bytes: it counts up to %d", barrier.tx,
                             TX_MOST);
        if (op->count && !barrier.pending && !barrier.tx)
            return sim_fault(x, op, lane,
                             "ends a phase by mbarrier.arrive.noComplete; what becomes of it is undefined");
        if (op->action >= MB_ARRIVE)
            mbarrier_settle(&barrier);
        if (op->action == MB_ARRIVE || op->action == MB_DROP)
            slot_put(x, op, 0, lane, (word & ~NAME_MASK) | (mbarrier_name(x, shared[lane]) ^ NAME_MASK));
        mbarrier_write(at, barrier);
        own |= (uint32_t)!is_of_peer(shared[lane]) << lane;
    }
    static const uint8_t kinds[] = {[MB_INIT] = SIM_SYNC_MBARRIER_INIT,     [MB_INVAL] = SIM_SYNC_MBARRIER_INIT,
                                    [MB_EXPECT] = SIM_SYNC_MBARRIER_EXPECT, [MB_ARRIVE] = SIM_SYNC_MBARRIER_ARRIVE,
                                    [MB_DROP] = SIM_SYNC_MBARRIER_ARRIVE,   [MB_COPIES] = SIM_SYNC_ASYNC_MBARRIER};
    if (op->action != MB_COMPLETE)
        mbarrier_tell(x, op, (enum sim_sync_kind)kinds[op->action], own, shared, parities);
    if (op->action == MB_ARRIVE || op->action == MB_DROP)
        mbarrier_tell(x, op, SIM_SYNC_PEER_ARRIVE, told & ~own, shared, parities);
    return op + 1;
}

// slots: 0 predicate, 1 address, 2 state or parity (extra: parity); action: try_wait
static const struct op *run_mbarrier_wait(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES], shared[SIM_LANES] = {0}, values[SIM_LANES] = {0};
    uint32_t done = 0, parities = 0;
    sim_addresses(x, op, op->slot[1], addresses);
    FOR_LANES (lane, mask) {
        uint64_t word, state = slot_get(x, op, 2, lane);
        unsigned char *at = mbarrier_at(x, op, addresses[lane], lane, &shared[lane]);
        if (!at)
            return NULL;
        bulk_land_if(x, due_mbarrier, &shared[lane]);
        memcpy(&word, at, 8);
        if (!op->extra && !x->launch->lone_warp && !mbarrier_gave(x, op, lane, shared[lane], word, state))
            return NULL;
        bool asked = op->extra ? state & 1 : state >> 63;
        done |= (uint32_t)(x->launch->lone_warp != 0) << lane; // the others would have arrived
        done |= (uint32_t)((bool)(word >> 63) != asked) << lane;
        parities |= (uint32_t)asked << lane;
        values[lane] = word;
    }
    pred_put(slot_at(x, op->slot[0]), mask, done);
    mbarrier_tell(x, op, SIM_SYNC_MBARRIER_WAIT, done, shared, parities);
    mbarrier_tell(x, op, SIM_SYNC_MBARRIER_ASK, mask & ~done, shared, parities);
    if (mask & ~done && sim_poll(x, op, mask, shared, values))
        return sim_yield(x, op + 1);
    if (mask & ~done && op->action) { // try_wait suspends the thread for a while
        x->yield = true;
        x->block->spinning = op;
        return sim_yield(x, op + 1);
    }
    return op + 1;
}

void sim_mbarrier_lacks(struct exec *x, const struct op *op, uint32_t lane, char *text, size_t size)
{
    uint64_t word, addresses[SIM_LANES];
    struct place place;
    if (op->run != run_mbarrier_wait)
        return;
    sim_addresses(x, op, op->slot[1], addresses);
    if (!sim_place_find(x, (enum ptx_space)op->space, addresses[lane], &place) || !place.data || place.size < 8 ||
        addresses[lane] - place.start > place.size - 8)
        return;
    memcpy(&word, place.data + (addresses[lane] - place.start), 8);
    struct mbarrier barrier = mbarrier_of(word);
    if (barrier.tx > 0) {
        snprintf(text, size, ": it waits at an mbarrier for %d bytes more than copies have brought (expect_tx)",
                 barrier.tx);
    } else if (barrier.tx < 0) {
        x->result->fault = SIM_FAULT_SURPLUS;
        snprintf(text, size,
                 ": it waits at an mbarrier to which copies have brought %d bytes more than it was told (expect_tx)",
                 -barrier.tx);
    } else {
        snprintf(text, size, ": it waits at an mbarrier for %u of %u arrivals", barrier.pending, barrier.expected);
    }
}

uint64_t scalar_pending(const struct op *op, const uint64_t *v)
{
    (void)op;
    return mbarrier_of(v[1]).pending;
}

// ---- the barrier of a cluster

// Threads that have ended count as arrived.
static void cluster_settle(struct cluster *cluster, uint32_t block_threads)
{
    uint32_t gone = cluster->ended;
    for (uint32_t rank = 0; rank < cluster->size; rank++)
        gone += cluster->blocks[rank] ? cluster->blocks[rank]->exited : 0;
    if (cluster->arrived && cluster->arrived + gone >= cluster->size * block_threads) {
        cluster->arrived = 0;
        cluster->phase++;
    }
}

// For the observers it is an mbarrier at a place of its own.
static void cluster_tell(struct exec *x, const struct op *op, enum sim_sync_kind kind, uint32_t mask, uint32_t phase)
{
    uint64_t places[SIM_LANES];
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        places[lane] = SIM_CLUSTER_PLACE + x->block->cluster->number * 8;
    mbarrier_tell(x, op, kind, mask, places, phase & 1 ? UINT32_MAX : 0);
}

static const struct op *run_cluster_arrive(struct exec *x, const struct op *op, uint32_t mask)
{
    struct cluster *cluster = x->block->cluster;
    cluster->arrived += (uint32_t)__builtin_popcount(mask);
    FOR_LANES (lane, mask)
        x->warp->kept.cluster_phase[lane] = cluster->phase;
    cluster_tell(x, op, SIM_SYNC_MBARRIER_ARRIVE, mask, cluster->phase);
    cluster_settle(cluster, x->block->threads);
    return op + 1;
}

const struct op *run_cluster_wait(struct exec *x, const struct op *op, uint32_t mask)
{
    struct cluster *cluster = x->block->cluster;
    const uint32_t *phases = x->warp->kept.cluster_phase;
    cluster_settle(cluster, x->block->threads);
    FOR_LANES (lane, mask)
        if (phases[lane] == cluster->phase) {
            x->yield = true;
            x->warp->polls++;
            x->block->spinning = op;
            return sim_yield(x, op);
        }
    if (mask)
        cluster_tell(x, op, SIM_SYNC_MBARRIER_WAIT, mask, phases[lane_first(mask)]);
    return op + 1;
}

// ---- decoding

static void decode_mbarrier_space(struct decoder *d)
{
    enum ptx_space space = d->inst->has_space ? d->inst->space : PTX_GENERIC;
    d->op->space = space == PTX_SHARED_CLUSTER ? PTX_SHARED : (uint8_t)space;
    d->op->order = (uint8_t)decode_order(d);
    d->op->scope = (uint8_t)(decode_has(d, PTX_MOD_CLUSTER) ? SIM_SCOPE_CLUSTER : SIM_SCOPE_CTA);
}

void decode_arrive(struct decoder *d)
{
    struct op *op = d->op;
    decode_mbarrier_space(d);
    op->order = decode_has(d, PTX_MOD_RELAXED) ? SIM_RELAXED : SIM_RELEASE;
    op->extra = decode_has(d, PTX_MOD_EXPECT_TX);
    op->count = decode_has(d, PTX_MOD_NOCOMPLETE);
    uint32_t address = decode_operand(d, 0)->kind == PTX_OPERAND_ADDRESS ? 0 : 1;
    if (address)
        decode_dest(d, 0, 0, PTX_B64);
    else
        op->slot[0] = (uint32_t)BASE_WARP << SLOT_SHIFT | WARP_SINK;
    op->wide |= 1;
    decode_address(d, 1, address);
    if (d->inst->operand_count > address + 1)
        decode_source(d, 2, address + 1, PTX_U32);
    else
        op->slot[2] = decode_constant(d->program, 1, false);
    op->run = run_mbarrier;
}

void decode_mbarrier(struct decoder *d)
{
    decode_mbarrier_space(d);
    decode_address(d, 1, 0);
    d->op->slot[2] = decode_constant(d->program, 0, false);
    if (d->inst->operand_count > 1)
        decode_source(d, 2, 1, PTX_U32);
    d->op->run = run_mbarrier;
}

void decode_copies_arrive(struct decoder *d)
{
    d->op->extra = d->op->action; // .noinc
    d->op->action = MB_COPIES;
    decode_mbarrier_space(d);
    d->op->order = d->op->extra ? SIM_RELEASE : SIM_RELAXED; // one more arrival, which nobody waited for, tells nothing
    decode_address(d, 1, 0);
    d->op->slot[2] = decode_constant(d->program, 1, false);
    d->op->run = run_mbarrier;
}

void decode_cluster_arrive(struct decoder *d)
{
    d->op->order = decode_has(d, PTX_MOD_RELAXED) ? SIM_RELAXED : SIM_RELEASE;
    d->op->run = run_cluster_arrive;
}

void decode_wait(struct decoder *d)
{
    struct op *op = d->op;
    decode_mbarrier_space(d);
    op->extra = decode_has(d, PTX_MOD_PARITY);
    op->order = decode_has(d, PTX_MOD_RELAXED) ? SIM_RELAXED : SIM_ACQUIRE;
    decode_dest(d, 0, 0, PTX_PRED);
    decode_address(d, 1, 1);
    decode_source(d, 2, 2, op->extra ? PTX_U32 : PTX_B64);
    op->run = run_mbarrier_wait;
}

// The address operand `number` as a slot and an offset, both 64 or 32 bits wide.
void decode_bulk_address(struct decoder *d, uint32_t k, uint32_t number, uint32_t *offset)
{
    decode_address(d, k, number);
    if (d->op->offset < 0 || d->op->offset > INT32_MAX)
        decode_refuse(d, "an offset beyond 31 bits");
    *offset = (uint32_t)d->op->offset;
}

void decode_bulk(struct decoder *d)
{
    struct op *op = d->op;
    uint32_t *offsets = arena_alloc(d->program->arena, 3 * sizeof *offsets);
    op->count = decode_has(d, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    op->space = d->inst->space == PTX_SHARED_CLUSTER ? PTX_SHARED : (uint8_t)d->inst->space;
    op->type2 = d->inst->space2 == PTX_SHARED_CLUSTER ? PTX_SHARED : (uint8_t)d->inst->space2;
    decode_bulk_address(d, 0, 0, &offsets[0]);
    decode_bulk_address(d, 1, 1, &offsets[1]);
    decode_source(d, 2, 2, PTX_U32);
    if (op->count)
        decode_bulk_address(d, 3, 3, &offsets[2]);
    op->extra = decode_has(d, PTX_MOD_MULTICAST__CLUSTER);
    if (op->extra)
        decode_source(d, 4, 4, PTX_U16);
    op->list = offsets;
    op->kind = SIM_BULK_COPY;
    op->order = op->action ? SIM_RELAXED : SIM_WEAK; // a reduction adds as atomics do
    op->scope = SIM_SCOPE_GPU;
    if (op->action && op->space == PTX_GLOBAL)
        d->program->ordered = true;
    op->run = run_bulk;
}

void decode_bulk_prefetch(struct decoder *d)
{
    decode_bulk_address(d, 0, 0, &d->op->extra);
    decode_source(d, 1, 1, PTX_U32);
    d->op->run = run_bulk_prefetch;
}

void decode_async_store(struct decoder *d)
{
    struct op *op = d->op;
    uint32_t wide;
    enum ptx_type type = decode_type(d, 0);
    decode_bulk_address(d, 2, 2, &op->extra);
    op->flags &= (uint16_t)~OP_ADDRESS64;
    decode_address(d, 0, 0);
    op->space = PTX_SHARED;
    op->width = (uint8_t)ptx_type_size(type);
    op->count = (uint8_t)decode_list(d, 1, type, false, &wide);
    op->kind = op->action ? SIM_REDUCE : SIM_STORE;
    op->order = op->action ? SIM_RELAXED : SIM_WEAK;
    op->scope = SIM_SCOPE_CLUSTER;
    op->run = run_async_store;
}

void decode_bulk_wait(struct decoder *d)
{
    decode_group_count(d);
    d->op->action = decode_has(d, PTX_MOD_READ);
    d->op->run = run_bulk_wait;
}
