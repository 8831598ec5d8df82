// Where an address leads: the bytes that lanes may touch there, what is kept of them, and what a person reads where
// there are none.
#include <stdio.h>

#include "sim/machine.h"

// Whose shared memory an address of `offset` bytes is in: that of another block of the cluster, which starts at *start,
// or the block's own.
static struct block *cluster_block(const struct exec *x, uint64_t offset, uint64_t *start)
{
    const struct cluster *cluster = x->block->cluster;
    uint64_t rank = (offset >> CLUSTER_SHIFT) - 1;
    *start = rank < cluster->size && cluster->blocks[rank] ? (rank + 1) << CLUSTER_SHIFT : 0;
    return *start ? cluster->blocks[rank] : x->block;
}

bool sim_place_find(struct exec *x, enum ptx_space space, uint64_t address, struct place *place)
{
    uint64_t region = address >> REGION_SHIFT, window = 0;
    if (space == PTX_GENERIC && region && region < REGION_FIRST) {
        space = region == REGION_SHARED ? PTX_SHARED : region == REGION_LOCAL ? PTX_LOCAL : PTX_PARAM;
        window = region << REGION_SHIFT;
        if (region > REGION_PARAM)
            return false;
    }
    *place = (struct place){.space = space, .start = window};
    const struct block *block;
    uint64_t start;
    switch (space) {
    case PTX_SHARED:
    case PTX_SHARED_CLUSTER:
        block = cluster_block(x, address - window, &start);
        place->space = start ? PTX_SHARED_CLUSTER : PTX_SHARED;
        place->start += start;
        place->data = block->shared;
        place->size = block->view.shared_size;
        place->valid = place->mark = block->shared_valid;
        return true;
    case PTX_LOCAL:
        place->data = x->warp->local;
        place->size = x->fragment->frame->top;
        place->lane_stride = x->warp->local_stride;
        return true;
    case PTX_PARAM:
        place->data = (unsigned char *)(uintptr_t)x->launch->params;
        place->size = x->program->entry->param_size;
        place->read_only = true;
        return true;
    default:
        return place_global(x, address, place);
    }
}

// The shared variable whose bytes hold offset, or that ends nearest before it; NULL without any.
static const struct ptx_shared_slot *shared_variable(const struct exec *x, uint64_t offset)
{
    const struct ptx_shared_layout *layout = &x->program->shared;
    const struct ptx_shared_slot *best = NULL;
    for (uint32_t i = 0; i < layout->count; i++)
        if (layout->slots[i].offset <= offset && (!best || layout->slots[i].offset >= best->offset))
            best = &layout->slots[i];
    return best;
}

static void describe_shared(const struct exec *x, uint64_t address, char *text, size_t size)
{
    const struct ptx_shared_slot *slot = shared_variable(x, address);
    char label[160];
    uint32_t bytes = x->block->view.shared_size;
    if (!slot) {
        snprintf(text, size, "shared memory (%u bytes)", bytes);
        return;
    }
    ptx_short_name(slot->variable->name, label, sizeof label);
    if (x->program->shared.count == 1)
        snprintf(text, size, "shared memory (%u bytes, `%s`)", bytes, label);
    else
        snprintf(text, size, "shared memory (%u bytes, `%s` is last)", bytes, label);
}

static const struct op *fault_address(struct exec *x, const struct op *op, uint32_t lane, enum ptx_space space,
                                      uint64_t address, uint32_t bytes, bool writes)
{
    const char *verb = writes ? "writes" : "reads";
    struct place place;
    char name[256];
    x->result->address = address;
    x->result->writes = writes;
    if (!sim_place_find(x, space, address, &place)) {
        if (space != PTX_SHARED && address < 1u << 16)
            return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes through a null pointer (address 0x%llx)%s",
                                verb, bytes, (unsigned long long)address,
                                x->heap_ran_out ? "; malloc gave 0, for the heap has 8 MB for all blocks together"
                                                : "");
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes at address 0x%llx, where there is nothing",
                            verb, bytes, (unsigned long long)address);
    }
    uint64_t rank = ((address - place.start) >> CLUSTER_SHIFT) - 1;
    uint32_t blocks = x->block->cluster->size;
    if (place.space == PTX_SHARED && x->program->maps_ranks && rank >= blocks && rank <= RANK_MOST)
        return sim_fault(x, op, lane, "%s %u bytes of the shared memory of block %llu%s of a cluster of %u", verb,
                         bytes, (unsigned long long)rank, rank == RANK_MOST ? " or above" : "", blocks);
    if (place.space == PTX_SHARED && blocks > 1 && rank < blocks)
        return sim_fault(x, op, lane,
                         "%s %u bytes of the shared memory of block %llu of its cluster, which has ended: a "
                         "cluster.sync() at its end keeps it",
                         verb, bytes, (unsigned long long)rank);
    x->result->space = place.space;
    int64_t offset = (int64_t)(address - place.start);
    if (place.space == PTX_SHARED && space == PTX_SHARED)
        offset = (int32_t)address; // 32-bit addresses: a negative index wraps
    if (place.space == PTX_SHARED || place.space == PTX_SHARED_CLUSTER)
        describe_shared(x, offset < 0 ? 0 : place.size ? place.size - 1 : 0, name, sizeof name);
    else if (place.space == PTX_LOCAL)
        snprintf(name, sizeof name, "the thread's local memory (%llu bytes)", (unsigned long long)place.size);
    else if (place.space == PTX_PARAM)
        snprintf(name, sizeof name, "the kernel's parameters (%llu bytes)", (unsigned long long)place.size);
    else {
        char label[200];
        const struct sim_allocation *allocation = sim_memory_find(x->memory, address);
        ptx_short_name(allocation->name, label, sizeof label);
        snprintf(name, sizeof name, "`%s`", label);
    }
    if (place.space == PTX_SHARED && offset < 0)
        snprintf(name, sizeof name, "shared memory");
    uint64_t end = place.size;
    if (offset < 0)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, %llu bytes before the start of %s", verb,
                            bytes, (unsigned long long)-offset, name);
    if ((uint64_t)offset == end)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes just past the end of %s", verb, bytes, name);
    if ((uint64_t)offset >= end)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, %llu bytes past the end of %s", verb, bytes,
                            (unsigned long long)((uint64_t)offset - end), name);
    if (end - (uint64_t)offset < bytes)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, the last %llu of them past the end of %s",
                            verb, bytes, (unsigned long long)(bytes - (end - (uint64_t)offset)), name);
    if (writes && place.read_only)
        return sim_fault(x, op, lane, "writes %u bytes to constant memory, %s", bytes, name);
    return sim_fault_as(x, SIM_FAULT_MISALIGNED, op, lane,
                        "%s %u bytes at a misaligned address, byte %llu of %s is not a multiple of %u", verb, bytes,
                        (unsigned long long)offset, name, bytes);
}

static bool place_holds(const struct place *place, uint64_t address, uint32_t bytes, bool writes)
{
    uint64_t offset = address - place->start;
    return !(writes && place->read_only) && place->size >= bytes && offset <= place->size - bytes &&
           !(offset & (bytes - 1));
}

unsigned char *sim_place_lane(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place)
{
    bool is_there = place->data && place_holds(place, address, bytes, writes);
    if (!is_there && (!sim_place_find(x, space, address, place) || !place_holds(place, address, bytes, writes))) {
        fault_address(x, op, lane, space, address, bytes, writes);
        return NULL;
    }
    place_note(x, place, address - place->start, bytes, writes);
    return place->data + (address - place->start) + lane * place->lane_stride;
}

bool sim_place_lanes(struct exec *x, enum ptx_space space, uint32_t mask, const uint64_t *addresses, uint32_t bytes,
                     bool writes, struct place *place)
{
    uint64_t first = addresses[lane_first(mask)], odd = 0;
    if (!sim_place_find(x, space, first, place) || place->lane_stride || !place_holds(place, first, bytes, writes))
        return false;
    // Its top bit: some lane's bytes lie outside, below or above. The low ones: some are not aligned.
    const uint64_t start = place->start, last = place->size - bytes, low = bytes - 1;
    if (mask == UINT32_MAX)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t offset = addresses[lane] - start;
            odd |= offset | ((last - offset) & (uint64_t)INT64_MIN);
        }
    else
        FOR_LANES (lane, mask) {
            uint64_t offset = addresses[lane] - start;
            odd |= offset | ((last - offset) & (uint64_t)INT64_MIN);
        }
    bool is_one = !(odd & ((uint64_t)INT64_MIN | low));
    FOR_LANES (lane, is_one && place->trail ? mask : 0)
        place_note(x, place, addresses[lane] - place->start, bytes, writes);
    return is_one;
}

unsigned char *sim_place_span(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place)
{
    bool found = sim_place_find(x, space, address, place) && !(writes && place->read_only) && place->size >= bytes &&
                 address - place->start <= place->size - bytes;
    if (!found) {
        fault_address(x, op, lane, space, address, bytes, writes);
        return NULL;
    }
    place_note(x, place, address - place->start, bytes, writes);
    return place->data + (address - place->start) + lane * place->lane_stride;
}

void sim_addresses(struct exec *x, const struct op *op, uint32_t slot, uint64_t addresses[SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] = op->flags & OP_ADDRESS64 ? ((const uint64_t *)slot_at(x, slot))[lane] + (uint64_t)op->offset
                                                   : ((const uint32_t *)slot_at(x, slot))[lane] + (uint32_t)op->offset;
}

static void group_note(struct exec *x, const struct op *op, struct group *group, uint32_t bytes, bool writes)
{
    struct place *place = &group->place;
    struct trail *trail = place->trail;
    bool reduces = op->kind == SIM_ATOMIC || op->kind == SIM_REDUCE;
    uint32_t reduction = (uint32_t)op->action << 16 | (uint32_t)op->type << 8 | op->width;
    if (!trail)
        return;
    if (reduces && (!(trail->touched & TOUCH_REDUCE) || trail->reduction != reduction))
        sim_touch_first(x, trail, TOUCH_REDUCE, reduction);
    place_touch(x, place, reduces ? TOUCH_REDUCE : writes ? TOUCH_WRITE : TOUCH_READ);
    FOR_LANES (lane, reduces || !writes ? group->mask : 0)
        sim_bits_set(trail->read, group->offsets[lane], bytes);
}

// Atomics of one or two bytes are made of the word around them. It may lie across the end of shared memory, which ends
// at a multiple of more on hardware.
static bool is_last_word(const struct op *op, const struct place *place, uint64_t address, uint32_t bytes)
{
    bool is_strong = op->order != SIM_WEAK || op->kind == SIM_ATOMIC || op->kind == SIM_REDUCE;
    uint64_t offset = address - place->start;
    return place->space == PTX_SHARED && is_strong && bytes == 4 && !(offset & 3) && offset < place->size;
}

// The lanes of left that lead to the same place as the first of them, checked; false after a fault.
bool sim_group_next(struct exec *x, const struct op *op, uint32_t left, const uint64_t *addresses, uint32_t bytes,
                    bool writes, struct group *group)
{
    enum ptx_space space = (enum ptx_space)op->space;
    uint64_t first = addresses[lane_first(left)];
    group->mask = 0;
    if (!sim_place_find(x, space, first, &group->place)) {
        fault_address(x, op, lane_first(left), space, first, bytes, writes);
        return false;
    }
    bool by_region = space == PTX_GENERIC || space == PTX_GLOBAL || space == PTX_CONST;
    bool by_block =
        group->place.space == PTX_SHARED_CLUSTER || (x->block->cluster->size > 1 && group->place.space == PTX_SHARED);
    FOR_LANES (lane, left) {
        if (by_region && addresses[lane] >> REGION_SHIFT != first >> REGION_SHIFT)
            continue;
        if (by_block && addresses[lane] >> CLUSTER_SHIFT != first >> CLUSTER_SHIFT)
            continue;
        if (!place_holds(&group->place, addresses[lane], bytes, writes) &&
            !is_last_word(op, &group->place, addresses[lane], bytes)) {
            fault_address(x, op, lane, space, addresses[lane], bytes, writes);
            return false;
        }
        group->mask |= 1u << lane;
        group->offsets[lane] = addresses[lane] - group->place.start;
    }
    group_note(x, op, group, bytes, writes);
    return true;
}

unsigned char *sim_group_at(const struct group *group, uint32_t lane)
{
    return group->place.data + group->offsets[lane] + lane * group->place.lane_stride;
}

void sim_group_tell(struct exec *x, const struct op *op, const struct group *group, const uint64_t *addresses,
                    struct sim_access *access)
{
    if (!(x->wants & sim_space_wanted(group->place.space)))
        return;
    uint64_t peer[SIM_LANES];
    access->space = group->place.space;
    access->mask = group->mask;
    access->addresses = group->place.space == PTX_GLOBAL || group->place.space == PTX_CONST ? addresses
                        : group->place.space == PTX_SHARED_CLUSTER                          ? peer
                                                                                            : group->offsets;
    FOR_LANES (lane, group->mask)
        peer[lane] = sim_place_shared(&group->place, group->offsets[lane]);
    sim_watch_access(x, op, access);
}

void sim_group_check_valid(struct exec *x, const struct op *op, const struct group *group, uint32_t bytes)
{
    if (!group->place.valid || !(x->wants & SIM_WANT_NOTICE))
        return;
    uint32_t bad = 0;
    FOR_LANES (lane, group->mask)
        if (!sim_valid_get(&group->place, group->offsets[lane], bytes))
            bad |= 1u << lane;
    if (!bad)
        return;
    if (group->place.trail && group->place.trail->touched & TOUCH_REDUCE)
        sim_overlap_abandon(x); // another thread's blocks may have written it
    uint64_t address = group->offsets[lane_first(bad)] + (group->place.space == PTX_GLOBAL ? group->place.start : 0);
    enum ptx_space space = group->place.space == PTX_SHARED_CLUSTER ? PTX_SHARED : group->place.space;
    sim_watch_unset(x, op, bad, space, address);
}
