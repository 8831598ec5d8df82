// Shared memory as the asynchronous proxy sees it, which wgmma and bulk copies go through: writes of threads that no
// fence.proxy.async has shown to it, and bulk copies that may still read what somebody overwrites.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

enum { FENCES = 16, WAITS = 16, LOADS = 32 };

struct bulk_wait { // the lane's groups below `below` have read what they copy
    struct moment at;
    uint32_t lane, below;
};

struct loaded {                     // by a load that is OPEN_UNTIL_USED
    uint32_t stamp, pc, step, used; // used: a step; UINT32_MAX: not yet
};

struct proxy_warp {
    uint32_t fence_count, wait_count, load_count;
    struct { // a lane's latest copy from shared memory; groups below `waited` have read it
        uint32_t pc, group, waited;
        uint64_t source;
        bool copies;
    } lanes[SIM_LANES];
    struct order_past fences[FENCES];
    struct bulk_wait waits[WAITS];
    struct loaded loads[LOADS];
};

struct bulk_read { // of a chunk, by the latest copy; stamp 0: none
    struct moment at;
    uint32_t pc, group, batch; // batch: of the copies that end in a phase of an mbarrier, + 1; 0: the thread's group
    uint8_t warp, lane;
};

struct proxies {
    struct proxy_warp warps[SIM_MAX_WARPS];
    size_t chunk_count;
    struct chunk_write *writes;
    struct bulk_read *reads;
};

bool proxies_wanted(const struct sim_program *program)
{
    for (uint32_t pc = 0; pc < sim_program_size(program); pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, NULL);
        bool copies = inst->op == PTX_OP_CP_ASYNC_BULK || inst->op == PTX_OP_CP_ASYNC_BULK_TENSOR ||
                      inst->op == PTX_OP_CP_REDUCE_ASYNC_BULK || inst->op == PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR;
        if (inst->op == PTX_OP_WGMMA_MMA || copies)
            return true;
    }
    return false;
}

void proxies_begin(struct hazard_state *state, const struct sim_block *block)
{
    struct proxies *proxies = state->proxies;
    size_t count = block->shared_size / PROXY_CHUNK + 1;
    if (!proxies)
        proxies = state->proxies = mem_alloc(sizeof *proxies);
    if (proxies->chunk_count < count) {
        free(proxies->writes);
        free(proxies->reads);
        proxies->chunk_count = count;
        proxies->writes = mem_alloc(count * sizeof *proxies->writes);
        proxies->reads = mem_alloc(count * sizeof *proxies->reads);
    }
    for (uint32_t w = 0; w < block->warps && w < SIM_MAX_WARPS; w++)
        memset(&proxies->warps[w], 0, offsetof(struct proxy_warp, fences));
}

void proxies_free(struct proxies *proxies)
{
    if (!proxies)
        return;
    free(proxies->writes);
    free(proxies->reads);
    free(proxies);
}

struct moment moment_now(const struct hazard_state *state, uint64_t step)
{
    return (struct moment){state->order.stamp, (uint32_t)step};
}

bool moment_before(const struct order *order, struct moment moment, uint32_t by, uint32_t warp)
{
    return moment.stamp < order->stamp || by == warp || moment.step < order->by_warp[warp].known[by] ||
           ((order->alone >> warp & 1) && moment.step < order->by_warp[warp].alone.known[by]);
}

// ---- what threads wrote

// Of a lane's cp.async, as the cells remember it.
static struct mark copy_mark(const struct chunk_write *write, uint32_t lane)
{
    return (struct mark){.stamp = write->at.stamp,
                         .step = write->at.step,
                         .pc = write->pc,
                         .warp = (uint8_t)write->warp,
                         .lane = (uint8_t)lane,
                         .last_lane = (uint8_t)lane,
                         .flags = MARK_ASYNC};
}

// Whether the lane comes behind the write. If not, they race, or the copy is not waited for, which is told.
static bool write_is_before(const struct order *order, const struct chunk_write *write, uint32_t warp, uint32_t lane)
{
    bool is_before = !write->is_copy && moment_before(order, write->at, write->warp, warp);
    FOR_LANES (by, write->is_copy ? write->lanes : 0) {
        const struct mark copy = copy_mark(write, by);
        enum async_state state = order_async_state(order, &copy, warp, lane);
        is_before |= state == ASYNC_OVER || state == ASYNC_ORDERED;
    }
    return is_before;
}

// A copy that was on its way is not covered.
static bool fence_covers(const struct order *order, const struct order_past *fence, const struct chunk_write *write)
{
    bool covers = write->is_copy || order_was_before(fence, write->at, write->warp, write->lanes);
    FOR_LANES (by, write->is_copy ? write->lanes : 0) {
        const struct mark copy = copy_mark(write, by);
        covers = covers && order_was_over(order, &copy, fence);
    }
    return covers;
}

// Has a fence.proxy.async come between the write and what `warp` does now? What is forgotten counts as one.
static bool write_is_fenced(const struct hazard_state *state, const struct chunk_write *write, uint32_t warp)
{
    const struct order *order = &state->order;
    for (uint32_t u = 0; u < order->warps; u++) {
        const struct proxy_warp *by = &state->proxies->warps[u];
        uint32_t kept = by->fence_count < FENCES ? by->fence_count : FENCES;
        for (uint32_t i = 0; i < kept; i++) {
            const struct order_past *fence = &by->fences[(by->fence_count - 1 - i) % FENCES];
            bool is_known = moment_before(order, fence->at, u, warp) || (kept == FENCES && i == FENCES - 1);
            if (is_known && fence_covers(order, fence, write))
                return true;
        }
    }
    return false;
}

void proxies_look(struct hazard_state *state, struct proxy_look *look, uint32_t at)
{
    const struct chunk_write *write = &state->proxies->writes[at / PROXY_CHUNK];
    uint32_t warp = look->thread / SIM_LANES;
    if (write->at.stamp < state->order.block_stamp || !write->at.stamp)
        return;
    if (memcmp(write, &look->last, sizeof look->last) != 0)
        look->is_hidden = write_is_before(&state->order, write, warp, look->thread % SIM_LANES) &&
                          !write_is_fenced(state, write, warp);
    look->last = *write;
    if (look->is_hidden)
        find_in_shared(state, HAZARD_PROXY_FENCE, look->pc, look->thread, write->pc,
                       write->warp * SIM_LANES + lane_first(write->lanes), at);
}

void proxies_fence(struct hazard_state *state, const struct sim_sync *sync)
{
    struct proxy_warp *warp = &state->proxies->warps[sync->warp];
    struct order_past *fence = &warp->fences[warp->fence_count++ % FENCES];
    fence->at = moment_now(state, sync->step);
    fence->warp = sync->warp;
    fence->lanes = sync->mask;
    for (uint32_t by = 0; by < SIM_MAX_WARPS; by++)
        fence->known[by] = order_known(&state->order, sync->warp, lane_first(sync->mask), by);
}

// ---- what bulk copies read

void proxies_wait(struct hazard_state *state, const struct sim_sync *sync)
{
    struct proxy_warp *warp = &state->proxies->warps[sync->warp];
    warp->waits[warp->wait_count++ % WAITS] =
        (struct bulk_wait){moment_now(state, sync->step), lane_first(sync->mask), sync->count};
    warp->lanes[lane_first(sync->mask)].waited = sync->count;
}

void proxies_exit(struct hazard_state *state, const struct sim_sync *sync)
{
    const struct proxy_warp *warp = &state->proxies->warps[sync->warp];
    FOR_LANES (lane, sync->mask)
        if (warp->lanes[lane].copies && warp->lanes[lane].group >= warp->lanes[lane].waited)
            find_in_shared(state, HAZARD_BULK_EXIT, warp->lanes[lane].pc, sync->warp * SIM_LANES + lane, UINT32_MAX,
                           UINT32_MAX, warp->lanes[lane].source);
}

// Whether the copy's thread, or somebody at its mbarrier, has waited for it before what this lane does now. What is
// forgotten counts as waited for.
static bool read_is_over(const struct hazard_state *state, const struct bulk_read *read, uint32_t warp, uint32_t lane)
{
    if (read->batch)
        return order_batch_is_over(&state->order, read->batch - 1, warp, lane);
    const struct proxy_warp *by = &state->proxies->warps[read->warp];
    uint32_t kept = by->wait_count < WAITS ? by->wait_count : WAITS;
    for (uint32_t i = 0; i < kept; i++) {
        const struct bulk_wait *wait = &by->waits[i];
        if (wait->lane == read->lane && wait->below > read->group &&
            moment_before(&state->order, wait->at, read->warp, warp))
            return true;
    }
    const struct moment *oldest = &by->waits[by->wait_count % WAITS].at;
    return kept == WAITS &&
           (read->at.stamp < oldest->stamp || (read->at.stamp == oldest->stamp && read->at.step < oldest->step));
}

static void write_chunk(struct hazard_state *state, const struct sim_access *access, uint32_t lane, uint32_t chunk)
{
    struct chunk_write *write = &state->proxies->writes[chunk];
    struct bulk_read *read = &state->proxies->reads[chunk];
    struct moment now = moment_now(state, access->step);
    uint32_t lanes = 1u << lane;
    if (read->at.stamp >= state->order.block_stamp && read->at.stamp) {
        bool is_ordered = moment_before(&state->order, read->at, read->warp, access->warp); // else they race
        if (is_ordered && !read_is_over(state, read, access->warp, lane))
            find_in_shared(state, HAZARD_BULK_OVERWRITE, access->pc, access->warp * SIM_LANES + lane, read->pc,
                           (uint32_t)read->warp * SIM_LANES + read->lane, (uint64_t)chunk * PROXY_CHUNK);
        read->at.stamp = 0;
    }
    if (write->at.stamp == now.stamp && write->at.step == now.step && write->warp == access->warp)
        lanes |= write->lanes;
    *write = (struct chunk_write){now, access->pc, lanes, access->warp, access->kind == SIM_ASYNC_COPY};
    if (access->kind == SIM_BULK_COPY)
        *write = (struct chunk_write){0};
}

void proxies_reading(struct hazard_state *state, const struct sim_access *access, uint32_t batch)
{
    uint32_t lane = lane_first(access->mask);
    uint64_t first = access->sources[lane] / PROXY_CHUNK;
    uint64_t end = (access->sources[lane] + access->source_bytes + PROXY_CHUNK - 1) / PROXY_CHUNK;
    for (uint64_t chunk = first; chunk < end && chunk < state->proxies->chunk_count; chunk++)
        state->proxies->reads[chunk] = (struct bulk_read){
            moment_now(state, access->step), access->pc, access->phase, batch, (uint8_t)access->warp, (uint8_t)lane};
}

// A bulk copy reads a part of shared memory.
static void copy_reads(struct hazard_state *state, const struct sim_access *access)
{
    uint32_t lane = lane_first(access->mask);
    uint64_t first = access->sources[lane] / PROXY_CHUNK;
    uint64_t end = (access->sources[lane] + access->source_bytes + PROXY_CHUNK - 1) / PROXY_CHUNK;
    struct proxy_look look = {.pc = access->pc, .thread = access->warp * SIM_LANES + lane};
    struct proxy_warp *warp = &state->proxies->warps[access->warp];
    if (access->mbarrier == UINT64_MAX) {
        warp->lanes[lane].pc = access->pc;
        warp->lanes[lane].group = access->phase;
        warp->lanes[lane].source = access->sources[lane];
        warp->lanes[lane].copies = true;
    }
    for (uint64_t chunk = first; chunk < end && chunk < state->proxies->chunk_count; chunk++)
        proxies_look(state, &look, (uint32_t)chunk * PROXY_CHUNK);
    if (access->mbarrier == UINT64_MAX)
        proxies_reading(state, access, 0);
}

// ---- loads under way

static void note_loaded(struct hazard_state *state, const struct sim_access *access)
{
    struct proxy_warp *warp = &state->proxies->warps[access->warp];
    warp->loads[warp->load_count++ % LOADS] =
        (struct loaded){state->order.stamp, access->pc, (uint32_t)access->step, UINT32_MAX};
}

void proxies_use(struct hazard_state *state, const struct sim_step *step)
{
    if (step->warp >= SIM_MAX_WARPS)
        return;
    struct proxy_warp *warp = &state->proxies->warps[step->warp];
    for (uint32_t i = 0; i < LOADS && i < warp->load_count; i++) {
        struct loaded *loaded = &warp->loads[i];
        if (loaded->used == UINT32_MAX && values_reads(&state->checker->values, loaded->pc, step->pc))
            loaded->used = (uint32_t)step->step;
    }
}

bool proxies_under_way(const struct hazard_state *state, const struct mark *load, uint32_t known)
{
    const struct proxy_warp *warp = state->proxies ? &state->proxies->warps[load->warp] : NULL;
    for (uint32_t i = 0; warp && i < LOADS && i < warp->load_count; i++) {
        const struct loaded *loaded = &warp->loads[i];
        if (loaded->stamp == load->stamp && loaded->pc == load->pc && loaded->step == load->step)
            return known <= loaded->used;
    }
    return false; // too long ago
}

// ---- all accesses

void proxies_access(struct hazard_state *state, const struct sim_access *told)
{
    struct sim_spread spread;
    if (told->kind == SIM_BULK_COPY && told->source_space == PTX_SHARED && told->source_mask)
        copy_reads(state, told);
    bool loads = told->kind == SIM_LOAD || told->kind == SIM_MATRIX_LOAD;
    if (told->space == PTX_SHARED && loads && state->checker->values.open[told->pc] == OPEN_UNTIL_USED)
        note_loaded(state, told);
    if (told->space != PTX_SHARED || loads)
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    FOR_LANES (lane, access->mask) {
        uint64_t first = access->addresses[lane] / PROXY_CHUNK;
        uint64_t last = (access->addresses[lane] + access->bytes - 1) / PROXY_CHUNK;
        struct proxy_look look = {.pc = access->pc, .thread = access->warp * SIM_LANES + lane};
        for (uint64_t chunk = first; access->bytes && chunk <= last && chunk < state->proxies->chunk_count; chunk++) {
            if (access->kind == SIM_BULK_COPY) // the write may come behind the copy
                proxies_look(state, &look, (uint32_t)chunk * PROXY_CHUNK);
            write_chunk(state, access, lane, (uint32_t)chunk);
        }
    }
}

bool proxies_fenced(const struct hazard_state *state, uint32_t warp, uint32_t step)
{
    const struct proxy_warp *by = state->proxies ? &state->proxies->warps[warp] : NULL;
    const struct order_past *latest = by && by->fence_count ? &by->fences[(by->fence_count - 1) % FENCES] : NULL;
    return latest && latest->at.stamp == state->order.stamp && latest->at.step > step;
}
