// A launch: checks its shape, spreads blocks over host threads, and lets the warps of a block take turns.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/machine.h"

enum {
    QUANTUM = 1 << 16, // steps of a warp in turn, if it does not wait before
    RANDOM_QUANTUM = 48,
    MIXED_QUANTUM = 6, // … half of the time where others are polled: what is unguarded may be short
    KEPT = 4,          // … after one in so many of these a warp is kept back, before what others look at,
    KEPT_WAY = 64,     // if that is so many steps away at most;
    KEPT_ROUNDS = 128, // for so many rounds at most, as those who wait may look at what changes,
    KEPT_LONG = 16,    // and in a block where that was too short so often, no more
    KEPT_LATE = 16,    // behind a store that comes late and the load that went ahead, after fewer steps than these
    LOOKS_PER_CLOCK = 8,
    SPIN_ROUNDS = 4,        // rounds of nothing but polling before other blocks get a chance
    STALE_ROUNDS = 1 << 16, // such rounds in a row after which nothing will ever change
    MAX_RESIDENT = 512,     // blocks that run in turn when blocks wait for each other; a cooperative launch: all
    MIXED = 8,              // blocks that take turns at random even when none waits,
    POLLED = 4,             // one turn in so many may be that of a block that only polled
    MIXED_ROUNDS = 8        // each for so many rounds at most, and half of the time for one
};
static const uint64_t DEFAULT_BUDGET = 1ull << 26;
static const uint64_t OVERLAP_BYTES = 1ull << 30; // to keep what the host threads touch

enum turn { TURN_DONE, TURN_SPINS, TURN_PAUSED, TURN_STOPPED };

struct crew { // a launch and the host threads that run its blocks
    const struct sim_launch *launch;
    struct overlap *overlap; // NULL: there is one thread, and its blocks run in order
    uint64_t first, end;     // blocks
    uint64_t budget;
    _Atomic uint64_t next;
    enum status status;
    struct diagnostic *diagnostic;
};

struct worker { // one host thread
    struct crew *crew;
    pthread_t thread;
    struct exec x;
    struct sim_count *counts;
    uint64_t blocks, longest; // longest: the work of one
    unsigned looks;           // whether it is cancelled
    struct diagnostic diagnostic;
    struct sim_result result; // of a fault
};

// ---- checks

static enum status launch_refuse(const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const struct sim_program *program = launch->program;
    struct launch_shape shape = launch->shape;
    shape.static_shared = program->shared.static_size;
    enum status status = launch_check(&shape, program->entry, LAUNCH_SHARED, diagnostic);
    if (status != STATUS_OK)
        return status;
    if (program->functions[0]->frame_size > SIM_LOCAL_MOST)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "%u bytes of local memory for a thread; %d at most",
                              program->functions[0]->frame_size, SIM_LOCAL_MOST);
    if (program->entry->param_size && !launch->params)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "the kernel's %u bytes of parameters are missing",
                              program->entry->param_size);
    return STATUS_OK;
}

// ---- one block

static struct block *block_new(const struct sim_launch *launch)
{
    const struct sim_program *program = launch->program;
    struct block *block = mem_alloc(sizeof *block);
    block->threads = (uint32_t)launch_threads(&launch->shape);
    block->warp_count = (block->threads + SIM_LANES - 1) / SIM_LANES;
    block->warps = mem_alloc(block->warp_count * sizeof *block->warps);
    // To the byte: what lies between the last array and a multiple of 16 is nobody's.
    uint32_t dynamic = launch->shape.dynamic_shared;
    uint32_t size = dynamic ? program->shared.dynamic_offset + dynamic : program->shared.static_size;
    if (sim_program_uses_reserved(program)) {
        block->reserved_at = (size + 15) / 16 * 16;
        size = block->reserved_at + RESERVED_SHARED;
    }
    block->shared = mem_aligned(128, (size_t)(size + 255) / 128 * 128);
    block->view = (struct sim_block){.threads = block->threads,
                                     .warps = block->warp_count,
                                     .shape = launch->shape.block,
                                     .grid = launch->shape.grid,
                                     .shared = block->shared,
                                     .shared_size = size};
    return block;
}

// As if it had never been, for its cluster.
static void block_leave(struct block *block)
{
    struct cluster *cluster = block->cluster;
    bool is_last = true;
    cluster->blocks[block->rank] = NULL;
    cluster->exit_pcs[block->rank] = block->warps[0].exit_pc;
    cluster->ended += block->threads;
    for (uint32_t i = 0; i < cluster->size; i++)
        is_last &= !cluster->blocks[i];
    if (is_last)
        free(cluster);
    block->cluster = NULL;
}

static void block_free(struct block *block)
{
    if (!block)
        return;
    if (block->cluster)
        block_leave(block);
    sim_block_async_reset(block);
    sim_groups_free(block);
    for (uint32_t i = 0; i < block->warp_count; i++)
        sim_warp_free(&block->warps[i]);
    free(block->warps);
    free(block->shared);
    free(block->shared_valid);
    free(block);
}

static void block_begin(struct exec *x, struct block *block, uint64_t linear)
{
    const struct sim_launch *launch = x->launch;
    uint64_t width = launch->shape.grid[0], height = launch->shape.grid[1];
    block->index[0] = (uint32_t)(linear % width);
    block->index[1] = (uint32_t)(linear / width % height);
    block->index[2] = (uint32_t)(linear / width / height);
    memcpy(block->view.index, block->index, sizeof block->index);
    block->view.linear = linear;
    block->exited = 0;
    block->steps = block->heavy = block->heap = 0;
    block->idle_rounds = block->stale = 0;
    block->polls = false;
    block->held = block->held_rounds = block->held_long = 0;
    block->late.op = NULL;
    block->spinning = NULL;
    block->random = launch->seed ^ linear * 0x9e3779b97f4a7c15u;
    uint64_t place = ~block->random;
    block->place = random_next(&place);
    if (block->barriers_used)
        memset(block->barriers, 0, sizeof block->barriers);
    block->barriers_used = 0;
    sim_block_async_reset(block);
    sim_groups_reset(block);
    // Nobody may count on what shared memory holds at the start: all ones is a NaN, and no index.
    memset(block->shared, 0xff, block->view.shared_size);
    sim_watch_block(x, block);
    if (x->wants & SIM_WANT_NOTICE) {
        size_t bytes = block->view.shared_size / 8 + 9;
        if (!block->shared_valid)
            block->shared_valid = mem_alloc(bytes);
        memset(block->shared_valid, 0, bytes);
    }
    uint32_t first = launch->lone_warp ? launch->lone_warp - 1 : 0,
             last = launch->lone_warp ? first + 1 : block->warp_count;
    for (uint32_t i = first; i < last; i++)
        sim_warp_begin(x, block, i);
    if (launch->lone_warp)
        block->exited = block->threads - (uint32_t)__builtin_popcount(block->warps[first].lanes);
    x->block = block;
    for (size_t i = 0; i < x->watcher_count; i++)
        if (x->watchers[i].observer->block_begin)
            x->watchers[i].observer->block_begin(x->watchers[i].state, &block->view);
}

static void block_end(struct exec *x, struct block *block)
{
    block_leave(block);
    for (size_t i = 0; i < x->watcher_count; i++)
        if (x->watchers[i].observer->block_end)
            x->watchers[i].observer->block_end(x->watchers[i].state, &block->view);
}

static bool launch_cancelled(struct worker *worker)
{
    const struct sim_launch *launch = worker->x.launch;
    bool is_late = worker->looks++ % LOOKS_PER_CLOCK == 0 && clock_limit_passed(&launch->limit);
    return is_late || (launch->cancel && atomic_load_explicit(launch->cancel, memory_order_relaxed));
}

static bool block_stopped(struct worker *worker, struct block *block, struct warp *warp)
{
    struct exec *x = &worker->x;
    if (x->status != STATUS_OK)
        return true;
    if (launch_cancelled(worker)) {
        x->status = diagnostic_set(x->diagnostic, STATUS_CANCELLED, "cancelled");
        return true;
    }
    if (x->overlap && sim_overlap_abandoned(x->overlap)) {
        x->status = STATUS_CANCELLED;
        return true;
    }
    if (!warp->fragment_count || (block->steps + block->heavy < worker->crew->budget && block->stale < STALE_ROUNDS))
        return false;
    const struct fragment *fragment = &warp->fragments[0];
    for (uint32_t i = 0; i < warp->fragment_count && fragment->state != FRAGMENT_READY; i++)
        fragment = &warp->fragments[i];
    const struct op *op = block->spinning && sim_warp_spins(warp) ? block->spinning : fragment->op;
    char why[200] = "";
    if (fragment == x->fragment)
        sim_mbarrier_lacks(x, op, lane_first(fragment->mask), why, sizeof why);
    if (sim_registers_lack(x, fragment->op, why, sizeof why))
        op = fragment->op;
    sim_block_fault(x, STATUS_TIMEOUT, op, warp, lane_first(fragment->mask),
                    "is still running after %llu warp instructions of its block%s", (unsigned long long)block->steps,
                    why);
    return true;
}

// Every warp waits: lanes parked at joins go on, then warp-wide waits are given up, then it is a deadlock.
static bool block_unstick(struct exec *x, struct block *block)
{
    bool any = false;
    for (uint32_t i = 0; i < block->warp_count; i++)
        any |= sim_warp_release(x, &block->warps[i]);
    for (uint32_t i = 0; i < block->warp_count && !any; i++)
        any |= sim_warp_force(x, &block->warps[i]);
    return any;
}

// A lane that spins may wait for one that is parked at a join.
static void block_release_spinning(struct exec *x, struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (sim_warp_spins(&block->warps[i]))
            sim_warp_release(x, &block->warps[i]);
}

static uint32_t warp_in_turn(const struct exec *x, const struct block *block, uint32_t turn)
{
    if (x->launch->schedule != SIM_ONE_AHEAD)
        return turn;
    uint32_t ahead = (uint32_t)(x->launch->seed % block->warp_count);
    if (turn == 0)
        return ahead;
    uint32_t warp = block->warp_count - turn;
    return warp <= ahead ? warp - 1 : warp;
}

// An atomic whose answer nobody takes is one, too.
static bool is_reduction(const struct op *op)
{
    return op->kind == SIM_REDUCE || (op->kind == SIM_ATOMIC && !(op->flags & OP_POLL));
}

// What a warp has done so far is seen, and what it is about to do is not until the others have nothing left to do but
// to wait for it. It matters before what they look at.
static bool goes_up_to_strong(struct exec *x, struct warp *warp, bool store)
{
    for (uint32_t i = 0; i < KEPT_WAY && sim_warp_ready(warp) && !warp->polls && x->status == STATUS_OK; i++) {
        const struct op *op = warp->fragments[0].op;
        if (op->order != SIM_WEAK && (!store || op->kind == SIM_STORE || is_reduction(op)))
            return true;
        sim_warp_run(x, warp, 1);
    }
    return false;
}

// ---- a store that comes late
//
// What a thread stores and what it loads afterwards from elsewhere, others may see the other way round, unless fence.sc
// lies between (PTX ISA, Memory Consistency Model): two who set a flag and look at the other's may both find it unset.
// And of two strong stores or reductions without a fence between them, others may see the second one first. So the
// first is taken back and done when its warp, which went on beyond the second access, may run again.

// The lane's bytes in memory, which only this host thread changes meanwhile. NULL: they are not such.
static unsigned char *bytes_in(struct exec *x, const struct op *op, uint64_t address, uint32_t bytes,
                               struct place *place)
{
    if (!sim_place_find(x, (enum ptx_space)op->space, address, place) || place->trail || !place->data ||
        (place->space != PTX_SHARED && place->space != PTX_GLOBAL) || place->size < bytes ||
        address - place->start > place->size - bytes)
        return NULL;
    return place->data + (address - place->start);
}

static unsigned char *late_bytes(struct exec *x, const struct op *op, uint64_t address, uint32_t bytes)
{
    struct place place;
    return bytes_in(x, op, address, bytes, &place);
}

// Of the op that the warp's only fragment is about to execute: its lanes, and where they go.
static uint32_t next_access(struct exec *x, struct warp *warp, uint64_t addresses[SIM_LANES])
{
    const struct op *op = warp->fragments[0].op;
    x->warp = warp;
    x->base[BASE_WARP] = warp->area;
    sim_fragment_enter(x, &warp->fragments[0]);
    sim_addresses(x, op, op->slot[op->kind == SIM_STORE ? 0 : 1], addresses);
    return x->active & (*(const uint32_t *)slot_at(x, op->guard) ^ op->guard_flip);
}

static void late_store_comes(struct exec *x, struct block *block)
{
    const struct late_store *late = &block->late;
    const struct op *op = late->op;
    FOR_LANES (lane, op ? late->mask : 0) {
        uint64_t old = 0, value;
        struct place place;
        unsigned char *at = bytes_in(x, op, late->addresses[lane], late->bytes, &place);
        if (!at)
            continue;
        if (is_reduction(op)) {
            memcpy(&old, at, late->bytes);
            memcpy(&value, late->values[lane], sizeof value);
            value = sim_atom_apply(op, place.space == PTX_GLOBAL, old, value, 0);
            memcpy(at, &value, late->bytes);
        } else {
            memcpy(at, late->values[lane], late->bytes);
        }
    }
    block->late.op = NULL;
}

static bool may_come_late(const struct op *op, const struct ptx_inst *inst)
{
    bool is_simple = op->count == 1 && op->type != PTX_B128 && op->action != ATOM_CAS;
    return inst->op == PTX_OP_ST ? op->order != SIM_WEAK
                                 : (inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED) && is_reduction(op) && is_simple;
}

// The warp's next instruction is a store or reduction and is executed, and nobody sees it.
static bool takes_store_back(struct exec *x, struct block *block, struct warp *warp)
{
    struct late_store *late = &block->late;
    const struct op *op = warp->fragments[0].op;
    if (!may_come_late(op, sim_program_inst(x->program, (uint32_t)(op - x->ops), NULL)) || warp->fragment_count != 1)
        return false;
    late->bytes = (uint32_t)op->width * op->count;
    late->mask = next_access(x, warp, late->addresses);
    late->is_fenced = false;
    if (op == x->join_op || !late->mask)
        return false;
    unsigned char before[SIM_LANES][LATE_MOST];
    FOR_LANES (lane, late->mask) {
        const unsigned char *at = late_bytes(x, op, late->addresses[lane], late->bytes);
        if (!at)
            return false;
        memcpy(before[lane], at, late->bytes);
        if (is_reduction(op)) {
            uint64_t value = lane_get(slot_at(x, op->list[1]), op->width == 8, lane);
            memcpy(late->values[lane], &value, sizeof value);
        }
    }
    sim_warp_run(x, warp, 1);
    if (x->status != STATUS_OK)
        return false;
    late->op = op;
    FOR_LANES (lane, is_reduction(op) ? 0 : late->mask)
        memcpy(late->values[lane], late_bytes(x, op, late->addresses[lane], late->bytes), late->bytes);
    FOR_LANES (lane, late->mask)
        memcpy(late_bytes(x, op, late->addresses[lane], late->bytes), before[lane], late->bytes);
    return true;
}

// Whether an access of the warp may pass its late store, or whether that can wait no longer.
static bool passes_late(struct exec *x, struct late_store *late, struct warp *warp)
{
    const struct op *op = warp->fragments[0].op;
    uint32_t bytes = (uint32_t)op->width * op->count;
    uint64_t addresses[SIM_LANES];
    if (op->space == PTX_LOCAL || op->space == PTX_PARAM || op->space == PTX_CONST)
        return true;
    uint32_t mask = next_access(x, warp, addresses);
    if (op == x->join_op || (op->kind != SIM_LOAD && (late->is_fenced || op->order >= SIM_RELEASE)))
        return false;
    FOR_LANES (lane, mask) {
        const unsigned char *at = late_bytes(x, op, addresses[lane], bytes);
        if (!at)
            return false;
        FOR_LANES (other, late->mask) {
            const unsigned char *stored = late_bytes(x, late->op, late->addresses[other], late->bytes);
            if (!stored || (at < stored + late->bytes && stored < at + bytes))
                return false;
        }
    }
    return true;
}

static bool may_go_ahead(struct exec *x, struct late_store *late, struct warp *warp)
{
    const struct ptx_inst *inst = sim_program_inst(x->program, (uint32_t)(warp->fragments[0].op - x->ops), NULL);
    if (ptx_only_computes(inst->op) || inst->op == PTX_OP_BRA || inst->op == PTX_OP_BAR_WARP_SYNC)
        return true;
    late->is_fenced |= inst->op == PTX_OP_FENCE;
    if (inst->op == PTX_OP_FENCE) // membar is fence.sc
        return !ptx_has(inst, PTX_MOD_SC);
    bool is_access =
        inst->op == PTX_OP_LD || inst->op == PTX_OP_ST || inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED;
    return is_access && passes_late(x, late, warp);
}

// Runs the warp on from its late store. False: it cannot go beyond a strong access, and the store is done.
static bool goes_ahead(struct exec *x, struct block *block, struct warp *warp)
{
    uint32_t left = KEPT_WAY;
    bool has_looked = false;
    while (left-- && x->status == STATUS_OK && warp->fragment_count == 1 && sim_warp_ready(warp) && !warp->polls &&
           may_go_ahead(x, &block->late, warp)) {
        const struct op *op = warp->fragments[0].op;
        if (op->flags & OP_MEMORY && op->order != SIM_WEAK && !has_looked) {
            has_looked = true;
            left = (uint32_t)(random_next(&block->random) % KEPT_LATE);
        }
        sim_warp_run(x, warp, 1);
    }
    if (!has_looked)
        late_store_comes(x, block);
    return has_looked;
}

static void run_held(struct exec *x, struct block *block)
{
    late_store_comes(x, block);
    block->held = 0;
}

static bool keep_back(struct exec *x, struct block *block, struct warp *warp, uint64_t drawn)
{
    bool is_late = drawn % KEPT == 1;
    if ((!is_late && drawn % KEPT) || !goes_up_to_strong(x, warp, is_late))
        return false;
    return !is_late || (takes_store_back(x, block, warp) && goes_ahead(x, block, warp));
}

// The others wait for the warp that is kept back. It goes on, or half of the time no farther than to the next such
// place.
static void go_a_step(struct exec *x, struct block *block)
{
    uint32_t held = block->held;
    run_held(x, block);
    if (!held || random_next(&block->random) & 1)
        return;
    struct warp *warp = &block->warps[held - 1];
    sim_warp_run(x, warp, 1);
    if (goes_up_to_strong(x, warp, false))
        block->held = held;
}

static bool block_run_random(struct worker *worker, struct block *block, bool *progress)
{
    struct exec *x = &worker->x;
    const struct sim_program *program = x->launch->program;
    bool ran = false;
    if (block->held && ++block->held_rounds > KEPT_ROUNDS) {
        run_held(x, block);
        block->held_long++;
    }
    if (block->idle_rounds)
        go_a_step(x, block);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint32_t first = (uint32_t)(random_next(&block->random) % block->warp_count);
        for (uint32_t k = 0; k < block->warp_count; k++) {
            uint32_t number = (first + k) % block->warp_count;
            struct warp *warp = &block->warps[number];
            if (number + 1 == block->held || !sim_warp_ready(warp))
                continue;
            uint64_t drawn = random_next(&block->random);
            bool is_short = (program->hands_over || program->polls) && drawn >> 32 & 1;
            sim_warp_run(x, warp, 1 + drawn % (is_short ? MIXED_QUANTUM : RANDOM_QUANTUM));
            if (is_short && !block->held && block->held_long < KEPT_LONG && keep_back(x, block, warp, drawn >> 33)) {
                block->held = number + 1;
                block->held_rounds = 0;
            }
            ran = true;
            *progress |= !sim_warp_spins(warp);
            if (block_stopped(worker, block, warp))
                return ran;
            break;
        }
    }
    if (!ran && block->held) {
        run_held(x, block);
        return block_run_random(worker, block, progress);
    }
    return ran;
}

static bool block_run_turns(struct worker *worker, struct block *block, bool *progress)
{
    struct exec *x = &worker->x;
    bool ran = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *warp = &block->warps[warp_in_turn(x, block, i)];
        if (!sim_warp_ready(warp))
            continue;
        sim_warp_run(x, warp, QUANTUM);
        ran = true;
        *progress |= !sim_warp_spins(warp);
        if (block_stopped(worker, block, warp))
            return ran;
        const struct warp *ahead = &block->warps[warp_in_turn(x, block, 0)];
        if (x->launch->schedule == SIM_ONE_AHEAD && i > 0 && sim_warp_ready(ahead) && !sim_warp_spins(ahead))
            break; // it may go on
    }
    return ran;
}

// rounds: after so many it pauses; 0: it goes on until it waits.
static enum turn block_run(struct worker *worker, struct block *block, uint64_t rounds)
{
    struct exec *x = &worker->x;
    x->block = block;
    sim_watch_block(x, block);
    block->idle_rounds = 0;
    while (block->exited < block->threads) {
        bool progress = false;
        bool ran = x->launch->schedule == SIM_RANDOM ? block_run_random(worker, block, &progress)
                                                     : block_run_turns(worker, block, &progress);
        if (x->status != STATUS_OK)
            return TURN_STOPPED;
        if (!ran && !block_unstick(x, block)) {
            sim_barrier_stalled(x);
            return TURN_STOPPED;
        }
        block->idle_rounds = progress ? 0 : block->idle_rounds + 1;
        block->stale = progress ? 0 : block->stale + 1;
        if (!progress)
            block_release_spinning(x, block);
        if (block->idle_rounds >= SPIN_ROUNDS)
            return TURN_SPINS;
        if (rounds && --rounds == 0 && block->exited < block->threads)
            return block->idle_rounds ? TURN_SPINS : TURN_PAUSED;
    }
    return sim_groups_ended(x, block) ? TURN_DONE : TURN_STOPPED;
}

// ---- many blocks

// Blocks start cluster by cluster: which one the block `rank` of the cluster is.
static uint64_t cluster_linear(const struct sim_launch *launch, const struct cluster *cluster, uint32_t rank)
{
    const uint32_t *grid = launch->shape.grid, *dims = cluster->dims;
    uint64_t at = cluster->number, linear = 0, width = 1;
    for (int i = 0; i < 3; i++) {
        linear += (at % (grid[i] / dims[i]) * dims[i] + rank % dims[i]) * width;
        at /= grid[i] / dims[i];
        rank /= dims[i];
        width *= grid[i];
    }
    return linear;
}

static bool mixes_blocks(const struct sim_launch *launch)
{
    return launch->schedule == SIM_RANDOM && launch->program->hands_over;
}

// No block may count on those of lower number having begun. Where none hands over anything, the random schedule begins
// with the last one; where some do, they take turns, and who waits for a block that is not there yet waits for ever.
static uint64_t in_schedule(const struct crew *crew, uint64_t number)
{
    const struct sim_launch *launch = crew->launch;
    bool is_backward = (launch->backward || launch->schedule == SIM_RANDOM) && !launch->program->hands_over &&
                       !launch->shape.cooperative;
    return is_backward ? crew->first + (crew->end - 1 - number) : number;
}

// The next cluster's blocks, all of them at once. Of a launch that runs only some blocks, each is a cluster of its own.
static size_t start_cluster(struct worker *worker, struct block **resident, struct block **spare)
{
    const struct sim_launch *launch = worker->x.launch;
    struct crew *crew = worker->crew;
    struct cluster any = {.size = 1, .dims = {1, 1, 1}};
    bool is_whole = crew->end - crew->first == launch_blocks(&launch->shape);
    if (is_whole)
        any.size = launch_cluster(&launch->shape, launch->program->entry, any.dims);
    uint64_t next = atomic_fetch_add(&crew->next, any.size);
    if (next >= crew->end)
        return 0;
    any.number = next / any.size;
    struct cluster *cluster = mem_alloc(sizeof *cluster);
    *cluster = any;
    for (uint32_t rank = 0; rank < any.size; rank++) {
        struct block *block = *spare ? *spare : block_new(launch);
        *spare = NULL;
        resident[rank] = cluster->blocks[rank] = block;
        block->cluster = cluster;
        block->rank = block->view.rank = rank;
        block->view.cluster = any.number;
        block->view.cluster_size = any.size;
    }
    for (uint32_t rank = 0; rank < any.size; rank++)
        block_begin(&worker->x, resident[rank],
                    any.size > 1 ? cluster_linear(launch, cluster, rank) : in_schedule(crew, next));
    return any.size;
}

// The blocks that run on one host thread.
struct residents {
    struct block **blocks, *spare;
    size_t count, most, turn;
    size_t stuck, polling; // turns in a row in which a block only polled; blocks that did so in their last turn
    bool mixes;            // they take turns at random,
    uint64_t random;       // by this
};

static void residents_start(struct worker *worker, struct residents *residents)
{
    residents->count += start_cluster(worker, residents->blocks + residents->count, &residents->spare);
}

// One that only polls lets others run, in turn; a new one starts when all that are here poll.
static void turn_in_order(struct worker *worker, struct residents *residents)
{
    if (residents->turn == residents->count && residents->count < residents->most)
        residents_start(worker, residents);
    residents->turn = residents->count ? residents->turn % residents->count : 0;
}

// Any that did not only poll in its last turn, or sometimes any, so that no block is always ahead of another one.
static void turn_at_random(struct worker *worker, struct residents *residents)
{
    size_t polling = residents->polling;
    bool starts =
        residents->stuck >= residents->count || (residents->count < MIXED && random_next(&residents->random) % 2);
    if (starts && residents->count < residents->most) {
        // Where all wait, for others that have not begun: as many again.
        size_t before = residents->count, more = polling == before && before ? before : 1;
        for (size_t i = 0; i < more && residents->count < residents->most; i++)
            residents_start(worker, residents);
        if (residents->count > before) {
            residents->turn = before;
            residents->stuck = 0;
            return;
        }
    }
    if (!residents->count)
        return;
    if (polling == residents->count) {
        residents->turn = (residents->turn + 1) % residents->count;
        return;
    }
    residents->turn = random_next(&residents->random) % residents->count;
    if (random_next(&residents->random) % POLLED)
        while (residents->blocks[residents->turn]->polls)
            residents->turn = (residents->turn + 1) % residents->count;
}

static void residents_end(struct worker *worker, struct residents *residents)
{
    struct block **blocks = residents->blocks;
    uint64_t work = blocks[residents->turn]->steps + blocks[residents->turn]->heavy;
    worker->longest = work > worker->longest ? work : worker->longest;
    worker->blocks++;
    residents->polling -= blocks[residents->turn]->polls;
    block_free(residents->spare);
    residents->spare = blocks[residents->turn];
    memmove(&blocks[residents->turn], &blocks[residents->turn + 1],
            (residents->count - residents->turn - 1) * sizeof *blocks);
    residents->count--;
    residents->turn = 0; // the oldest goes on first
}

static void worker_run(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct exec *x = &worker->x;
    const struct sim_launch *launch = crew->launch;
    struct residents residents = {.most = launch->shape.cooperative ? (size_t)(crew->end - crew->first) : MAX_RESIDENT};
    residents.blocks = mem_alloc((residents.most + CLUSTER_MOST) * sizeof *residents.blocks);
    residents.mixes = mixes_blocks(launch);
    residents.random = ~launch->seed;
    while (x->status == STATUS_OK) {
        uint64_t rounds = 0;
        if (residents.mixes) {
            turn_at_random(worker, &residents);
            rounds = random_next(&residents.random) % 2 ? 1 : 1 + random_next(&residents.random) % MIXED_ROUNDS;
        } else {
            turn_in_order(worker, &residents);
        }
        if (!residents.count)
            break;
        struct block *block = residents.blocks[residents.turn];
        enum turn outcome = block_run(worker, block, rounds);
        if (outcome != TURN_DONE && x->overlap) {
            sim_overlap_abandon(x);
            block_end(x, block);
            break;
        }
        residents.polling -= block->polls;
        block->polls = outcome == TURN_SPINS;
        residents.polling += block->polls;
        residents.stuck = block->polls ? residents.stuck + 1 : 0;
        if (outcome == TURN_SPINS || outcome == TURN_PAUSED) {
            residents.turn += !residents.mixes;
            continue;
        }
        block_end(x, block);
        if (outcome == TURN_STOPPED)
            break;
        residents_end(worker, &residents);
    }
    for (size_t i = 0; i < residents.count; i++)
        block_free(residents.blocks[i]);
    block_free(residents.spare);
    free(residents.blocks);
}

static void *worker_main(void *argument)
{
    worker_run(argument);
    return NULL;
}

static void worker_begin(struct worker *worker, struct crew *crew)
{
    const struct sim_launch *launch = crew->launch;
    struct exec *x = &worker->x;
    worker->crew = crew;
    worker->counts = mem_alloc((launch->program->op_count + 1) * sizeof *worker->counts);
    *x = (struct exec){.launch = launch,
                       .program = launch->program,
                       .memory = launch->memory,
                       .ops = launch->program->ops,
                       .counts = worker->counts,
                       .overlap = crew->overlap,
                       .trails = crew->overlap ? sim_overlap_join(crew->overlap) : NULL,
                       .diagnostic = &worker->diagnostic,
                       .result = &worker->result,
                       .watcher_count = launch->observer_count};
    x->base[BASE_POOL] = launch->program->pool;
    x->shapes = shape_table_new();
    x->hints = mem_alloc((launch->program->op_count + 1) * sizeof *x->hints);
    for (uint32_t pc = 0; pc < launch->program->op_count; pc++)
        x->hints[pc] = (struct shape_hint){.shape = &shape_none, .source = &shape_none};
    x->watchers = mem_alloc((launch->observer_count + 1) * sizeof *x->watchers);
    for (size_t i = 0; i < launch->observer_count; i++) {
        const struct sim_observer *observer = &launch->observers[i];
        x->watchers[i].observer = observer;
        x->watchers[i].state = observer->fork ? observer->fork(observer->context) : observer->context;
    }
}

static void worker_end(struct worker *worker, bool keep, struct sim_result *result)
{
    const struct sim_launch *launch = worker->crew->launch;
    for (uint32_t pc = 0; pc < launch->program->op_count; pc++) {
        sim_watch_runs(&worker->x, pc);
        free(worker->x.hints[pc].times);
    }
    for (size_t i = 0; i < launch->observer_count; i++) {
        const struct sim_observer *observer = &launch->observers[i];
        if (observer->fork && observer->join)
            observer->join(observer->context, worker->x.watchers[i].state, keep);
    }
    for (uint32_t pc = 0; keep && pc < launch->program->op_count; pc++) {
        const struct sim_count *count = &worker->counts[pc];
        result->warp_instructions += count->warps;
        result->work += count->warps;
        result->thread_instructions += count->threads;
        if (launch->counts) {
            launch->counts[pc].warps += count->warps;
            launch->counts[pc].threads += count->threads;
        }
    }
    result->work += keep ? worker->x.heavy : 0;
    result->longest = keep && worker->longest > result->longest ? worker->longest : result->longest;
    result->blocks += keep ? worker->blocks : 0;
    shape_table_free(worker->x.shapes);
    free(worker->x.hints);
    free(worker->x.product);
    free(worker->counts);
    free(worker->x.watchers);
}

// One where the order of the blocks shows for sure, or an observer cannot take back what it saw.
static unsigned crew_size(const struct sim_launch *launch, uint64_t blocks)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t cores = launch->host_threads ? launch->host_threads : online > 0 ? (uint64_t)online : 1;
    uint64_t room = OVERLAP_BYTES / (sim_memory_bytes(launch->memory) / 4 + 1); // two bits a byte for each thread
    uint32_t dims[3];
    bool alone = launch->program->ordered || mixes_blocks(launch) ||
                 launch_cluster(&launch->shape, launch->program->entry, dims) > 1 ||
                 (launch->shape.cooperative && launch->program->grid_workspace);
    for (size_t i = 0; i < launch->observer_count; i++)
        alone |= !launch->observers[i].fork || launch->observers[i].in_order;
    if (cores > SIM_MAX_THREADS)
        cores = SIM_MAX_THREADS;
    cores = cores < room ? cores : room;
    cores = cores < blocks ? cores : blocks;
    return alone || !cores ? 1 : (unsigned)cores;
}

// Runs all blocks on so many host threads. Unless OVERLAP_UNSEEN is the answer, nothing has happened.
static enum overlap_outcome crew_run(struct crew *crew, unsigned size, struct sim_result *result)
{
    struct worker *workers = mem_alloc(size * sizeof *workers);
    atomic_store(&crew->next, crew->first);
    for (unsigned i = 0; i < size; i++)
        worker_begin(&workers[i], crew);
    unsigned started = 1;
    for (; started < size; started++)
        if (pthread_create(&workers[started].thread, NULL, worker_main, &workers[started]))
            break;
    worker_run(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    const struct worker *stopped = &workers[0]; // with a diagnostic, if any was
    for (unsigned i = 1; i < size && !stopped->diagnostic.message[0]; i++)
        stopped = &workers[i];
    bool cut = stopped->x.status == STATUS_CANCELLED && stopped->diagnostic.message[0]; // by who wants what there is
    enum overlap_outcome outcome = crew->overlap ? sim_overlap_settle(crew->overlap, cut) : OVERLAP_UNSEEN;
    if (outcome == OVERLAP_UNSEEN) {
        crew->status = stopped->x.status;
        *result = stopped->result;
        if (crew->status != STATUS_OK && crew->diagnostic)
            *crew->diagnostic = stopped->diagnostic;
    }
    for (unsigned i = 0; i < size; i++)
        worker_end(&workers[i], outcome == OVERLAP_UNSEEN, result);
    free(workers);
    return outcome;
}

enum status sim_run(const struct sim_launch *launch, struct sim_result *result, struct diagnostic *diagnostic)
{
    *result = (struct sim_result){0};
    enum status status = launch_refuse(launch, diagnostic);
    if (status != STATUS_OK)
        return status;
    uint64_t blocks = launch_blocks(&launch->shape);
    struct crew crew = {
        .launch = launch, .diagnostic = diagnostic, .budget = launch->budget ? launch->budget : DEFAULT_BUDGET};
    crew.first = launch->first_block < blocks ? launch->first_block : blocks;
    crew.end =
        launch->block_count && launch->block_count < blocks - crew.first ? crew.first + launch->block_count : blocks;
    unsigned size = crew_size(launch, crew.end - crew.first);
    crew.overlap = size > 1 ? sim_memory_overlap(launch->memory) : NULL;
    enum overlap_outcome outcome = OVERLAP_AGAIN;
    while (outcome == OVERLAP_AGAIN)
        outcome = crew_run(&crew, size, result);
    if (outcome == OVERLAP_MATTERS) {
        crew.overlap = NULL;
        crew_run(&crew, 1, result);
    }
    return crew.status;
}
