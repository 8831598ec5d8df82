// Keeps what one block did to memory, and follows each write until it has landed.
#include "record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MAX_VALUES = 16 << 20 }; // bytes

struct recorder {
    uint64_t block;
    size_t limit;
    struct operation *operations; // by pc; NULL: not known
    struct recording recording;
};

// A copy on its way: the lanes that have not landed, each in its group.
struct flight {
    size_t index; // of the access
    uint32_t lanes, groups[SIM_LANES];
};

// What one host thread saw; only one of them meets the recorded block.
struct recorder_state {
    const struct recorder *recorder;
    struct recording recording;
    uint32_t phase;
    bool met, has_store;
    size_t store; // reported, but memory has not changed yet
    struct flight *flights;
    size_t flight_count, flight_capacity;
    size_t *arrivals; // copies that have landed, until others know it
    size_t arrival_count, arrival_capacity;
    uint32_t committed[SIM_MAX_WARPS][SIM_LANES];
    uint32_t at_barrier[SIM_MAX_WARPS], since[SIM_MAX_WARPS]; // 1 + the one where the warp is; see recorder.h
};

struct recorder *recorder_new(const struct sim_program *program, uint64_t block, size_t limit)
{
    struct recorder *recorder = mem_alloc(sizeof *recorder);
    recorder->block = block;
    recorder->limit = limit;
    recorder->operations = program ? operations_new(program) : NULL;
    return recorder;
}

static void *recorder_fork(void *context)
{
    struct recorder_state *state = mem_alloc(sizeof *state);
    state->recorder = context;
    return state;
}

static void recorder_join(void *context, void *data, bool keep)
{
    struct recorder *recorder = context;
    struct recorder_state *state = data;
    if (state->has_store) // a fault: it was not made
        state->recording.items[state->store].has_values = false;
    if (state->met && keep) {
        recording_free(&recorder->recording);
        recorder->recording = state->recording;
    } else {
        recording_free(&state->recording);
    }
    free(state->flights);
    free(state->arrivals);
    free(state);
}

// ---- values

bool recorded_writes(const struct recorded_access *access)
{
    return access->kind != SIM_LOAD && access->kind != SIM_MATRIX_LOAD;
}

const unsigned char *recorded_value(const struct recording *recording, const struct recorded_access *access, int lane)
{
    if (!access->has_values || !(access->mask >> lane & 1))
        return NULL;
    int before = __builtin_popcount(access->mask & ((1u << lane) - 1));
    return recording->values + access->values + (size_t)before * access->bytes;
}

static bool lies_inside(const struct recorded_access *access, const struct sim_block *block)
{
    FOR_LANES (lane, access->mask)
        if (access->addresses[lane] + access->bytes > block->shared_size)
            return false;
    return block->shared != NULL;
}

// Makes room for what the access writes. False: it cannot be kept.
static bool add_values(struct recorder_state *state, struct recorded_access *access, const struct sim_block *block)
{
    struct recording *recording = &state->recording;
    size_t size = (size_t)__builtin_popcount(access->mask) * access->bytes;
    if (size == 0 || recording->value_count + size > MAX_VALUES || !lies_inside(access, block))
        return false;
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + size);
    access->has_values = true;
    access->values = (uint32_t)recording->value_count;
    memset(recording->values + recording->value_count, 0, size);
    recording->value_count += size;
    return true;
}

// Copies memory's content into the access's values; whether that changed any.
static bool take_values(struct recording *recording, const struct recorded_access *access,
                        const struct sim_block *block)
{
    unsigned char *to = recording->values + access->values;
    bool changed = false;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1, to += access->bytes) {
        const unsigned char *from = block->shared + access->addresses[__builtin_ctz(rest)];
        changed |= memcmp(to, from, access->bytes) != 0;
        memcpy(to, from, access->bytes);
    }
    return changed;
}

// The store reported last has been made by now.
static void land_store(struct recorder_state *state, const struct sim_block *block)
{
    if (state->has_store)
        take_values(&state->recording, &state->recording.items[state->store], block);
    state->has_store = false;
}

static void land_flight(struct recorder_state *state, size_t index, const struct sim_block *block)
{
    struct recorded_access *access = &state->recording.items[state->flights[index].index];
    take_values(&state->recording, access, block);
    access->lands = (uint32_t)state->recording.count;
    *mem_append(state->arrivals, state->arrival_capacity, state->arrival_count) = state->flights[index].index;
    state->flights[index] = state->flights[--state->flight_count];
}

// Copies that somebody waited for by their groups (PTX ISA, cp.async.wait_group), as the machine lands them.
static void land_groups(struct recorder_state *state, const struct sim_sync *sync)
{
    const uint32_t *committed = state->committed[sync->warp];
    for (size_t i = state->flight_count; i-- > 0;) {
        struct flight *flight = &state->flights[i];
        if (state->recording.items[flight->index].warp != sync->warp)
            continue;
        FOR_LANES (lane, flight->lanes & sync->mask) {
            uint32_t group = flight->groups[lane];
            if (sync->all || (group < committed[lane] && committed[lane] - group > sync->count))
                flight->lanes &= ~(1u << lane);
        }
        if (!flight->lanes)
            land_flight(state, i, sync->block);
    }
}

// Others (bulk copies, copies that an mbarrier counts) have landed when memory shows it.
static void land_seen(struct recorder_state *state, const struct sim_block *block, bool bulk_only)
{
    for (size_t i = state->flight_count; i-- > 0;) {
        const struct recorded_access *access = &state->recording.items[state->flights[i].index];
        if (!(bulk_only && access->kind != SIM_BULK_COPY) && take_values(&state->recording, access, block))
            land_flight(state, i, block);
    }
}

static void follow_write(struct recorder_state *state, struct recorded_access *access, const struct sim_block *block)
{
    size_t index = state->recording.count - 1;
    if (access->space != PTX_SHARED || !recorded_writes(access) || !add_values(state, access, block))
        return;
    if (!sim_is_copy(access->kind)) {
        state->has_store = true;
        state->store = index;
        return;
    }
    take_values(&state->recording, access, block);
    access->lands = access->told = UINT32_MAX;
    access->since = state->since[access->warp];
    struct flight *flight = mem_append(state->flights, state->flight_capacity, state->flight_count);
    flight->index = index;
    flight->lanes = access->mask;
    memcpy(flight->groups, state->committed[access->warp], sizeof flight->groups);
}

// ---- events

static void recorder_block_begin(void *data, const struct sim_block *block)
{
    struct recorder_state *state = data;
    if (block->linear != state->recorder->block)
        return;
    state->met = true;
    memcpy(state->recording.block, block->index, sizeof block->index);
}

static struct recorded_access *add_access(struct recorder_state *state, const struct sim_access *access,
                                          enum ptx_space space, uint32_t mask, const uint64_t *addresses)
{
    struct recording *recording = &state->recording;
    recording->total++;
    if (recording->count >= state->recorder->limit) {
        recording->truncated = true;
        return NULL;
    }
    struct recorded_access *item = mem_append(recording->items, recording->capacity, recording->count);
    *item = (struct recorded_access){.pc = access->pc,
                                     .warp = access->warp,
                                     .mask = mask,
                                     .bytes = space == access->space ? access->bytes : access->source_bytes,
                                     .step = access->step,
                                     .phase = state->phase,
                                     .kind = access->kind,
                                     .space = space,
                                     .lands = (uint32_t)(recording->count - 1)};
    if (state->recorder->operations && space == PTX_SHARED)
        item->operation = state->recorder->operations[access->pc];
    if (access->kind == SIM_ASYNC_COPY && space == PTX_SHARED)
        item->zeros = mask & ~access->source_mask;
    FOR_LANES (lane, mask)
        item->addresses[lane] = addresses[lane];
    return item;
}

static void recorder_access(void *data, const struct sim_access *access)
{
    struct recorder_state *state = data;
    struct sim_spread spread;
    if (access->block->linear != state->recorder->block)
        return;
    land_store(state, access->block);
    access = sim_access_spread(access, &spread);
    if (access->sources && access->source_mask && access->source_space == PTX_GLOBAL && access->space != PTX_GLOBAL)
        add_access(state, access, PTX_GLOBAL, access->source_mask, access->sources);
    struct recorded_access *item = add_access(state, access, access->space, access->mask, access->addresses);
    if (item)
        follow_write(state, item, access->block);
}

// The warp is where others learn of its copies, and it of what they did.
static void pass_barrier(struct recorder_state *state, uint32_t warp, bool tells, bool learns)
{
    uint32_t now = (uint32_t)state->recording.count;
    for (size_t i = state->arrival_count; tells && i-- > 0;) {
        struct recorded_access *copy = &state->recording.items[state->arrivals[i]];
        if (copy->warp != warp)
            continue;
        copy->told = now;
        state->arrivals[i] = state->arrivals[--state->arrival_count];
    }
    if (learns)
        state->since[warp] = now;
}

static void note_barrier(struct recorder_state *state, const struct sim_sync *sync)
{
    if (sync->kind == SIM_SYNC_ARRIVE)
        state->at_barrier[sync->warp] = 1 + sync->id;
    else if (sync->kind == SIM_SYNC_MBARRIER_ARRIVE || sync->kind == SIM_SYNC_MBARRIER_WAIT)
        pass_barrier(state, sync->warp, sync->kind == SIM_SYNC_MBARRIER_ARRIVE, sync->kind == SIM_SYNC_MBARRIER_WAIT);
    for (uint32_t warp = 0; warp < SIM_MAX_WARPS && sync->kind == SIM_SYNC_COMPLETE; warp++) {
        if (state->at_barrier[warp] != 1 + sync->id)
            continue;
        state->at_barrier[warp] = 0;
        pass_barrier(state, warp, true, true);
    }
}

// Barrier 0 is the one that __syncthreads() uses: its openings divide the block's life into phases.
static void recorder_sync(void *data, const struct sim_sync *sync)
{
    struct recorder_state *state = data;
    if (sync->block->linear != state->recorder->block)
        return;
    land_store(state, sync->block);
    if (sync->kind == SIM_SYNC_COMPLETE && sync->id == 0)
        state->phase++;
    if (sync->kind == SIM_SYNC_ASYNC_COMMIT)
        FOR_LANES (lane, sync->mask)
            state->committed[sync->warp][lane]++;
    if (sync->kind == SIM_SYNC_ASYNC_WAIT)
        land_groups(state, sync);
    note_barrier(state, sync);
    if (sync->kind == SIM_SYNC_MBARRIER_WAIT || sync->kind == SIM_SYNC_COMPLETE)
        land_seen(state, sync->block, sync->kind == SIM_SYNC_COMPLETE);
}

static void recorder_group(void *data, const struct sim_group *group)
{
    struct recorder_state *state = data;
    struct recording *recording = &state->recording;
    if (group->block->linear != state->recorder->block || group->kind != SIM_GROUP_PRODUCT)
        return;
    if (recording->product_count >= state->recorder->limit) {
        recording->truncated = true;
        return;
    }
    *mem_append(recording->products, recording->product_capacity, recording->product_count) =
        (struct recorded_product){group->warp, recording->count};
}

static void recorder_block_end(void *data, const struct sim_block *block)
{
    struct recorder_state *state = data;
    if (block->linear != state->recorder->block)
        return;
    land_store(state, block);
    while (state->flight_count)
        land_flight(state, state->flight_count - 1, block);
}

struct sim_observer recorder_observer(struct recorder *recorder)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC |
                                          SIM_WANT_GROUP | SIM_TAKES_SHAPES,
                                 .context = recorder,
                                 .one_block = true,
                                 .block = recorder->block,
                                 .fork = recorder_fork,
                                 .join = recorder_join,
                                 .block_begin = recorder_block_begin,
                                 .block_end = recorder_block_end,
                                 .access = recorder_access,
                                 .sync = recorder_sync,
                                 .group = recorder_group};
}

void recorder_take(struct recorder *recorder, struct recording *recording)
{
    *recording = recorder->recording;
    recorder->recording = (struct recording){0};
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    recording_free(&recorder->recording);
    free(recorder->operations);
    free(recorder);
}

void recording_free(struct recording *recording)
{
    free(recording->items);
    free(recording->values);
    free(recording->products);
    *recording = (struct recording){0};
}

uint64_t recorded_range(const struct recorded_access *access, int lane, uint64_t *first)
{
    *first = access->addresses[lane];
    return access->mask >> lane & 1 ? *first + (access->bytes ? access->bytes : 1) : *first;
}

int recorded_lane_at(const struct recorded_access *access, uint64_t address, uint64_t bytes)
{
    uint64_t first;
    for (int lane = 0; lane < SIM_LANES; lane++)
        if (recorded_range(access, lane, &first) > address && first < address + bytes && (access->mask >> lane & 1))
            return lane;
    return -1;
}

uint64_t recorded_end(const struct recorded_access *access)
{
    uint64_t last = 0, first;
    for (int lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1 && recorded_range(access, lane, &first) > last)
            last = recorded_range(access, lane, &first);
    return last;
}
