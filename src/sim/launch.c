// A launch: checks its shape, spreads blocks over host threads, and lets the warps of a block take turns.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/machine.h"

enum {
    QUANTUM = 1 << 16, // steps of a warp in turn, if it does not wait before
    RANDOM_QUANTUM = 48,
    SPIN_ROUNDS = 4,        // rounds of nothing but polling before other blocks get a chance
    STALE_ROUNDS = 1 << 16, // such rounds in a row after which nothing will ever change
    MAX_RESIDENT = 512,     // blocks that run in turn when blocks wait for each other
    MAX_THREADS = 64
};
static const uint64_t DEFAULT_BUDGET = 1ull << 26;

enum turn { TURN_DONE, TURN_SPINS, TURN_STOPPED };

struct run {
    const struct sim_launch *launch;
    uint64_t first, end; // blocks
    uint64_t budget;
    _Atomic uint64_t next, failed; // failed: lowest block that did; UINT64_MAX = none
    pthread_mutex_t lock;
    enum status status;
    uint64_t failed_block;
    struct diagnostic *diagnostic;
    struct sim_result *result;
    _Atomic uint64_t blocks;
};

struct worker {
    struct run *run;
    pthread_t thread;
    struct exec x;
    struct sim_count *counts;
    struct diagnostic diagnostic;
    struct sim_result result;
};

// ---- checks

static enum status refuse(const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const struct sim_program *program = launch->program;
    const uint32_t *wanted = program->entry->reqnctapercluster;
    struct launch_shape shape = launch->shape;
    shape.static_shared = program->shared.static_size;
    enum status status = launch_check(&shape, program->entry, LAUNCH_SHARED, diagnostic);
    if (status != STATUS_OK)
        return status;
    uint64_t cluster = 1;
    for (int i = 0; i < 3; i++)
        cluster *= wanted[i] ? wanted[i] : 1;
    if (cluster > 1)
        return diagnostic_set(diagnostic, STATUS_UNSUPPORTED, "a cluster of %llu blocks needs a GPU",
                              (unsigned long long)cluster);
    if (program->functions[0]->frame_size > 512 * 1024)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "%u bytes of local memory for a thread; 524288 at most",
                              program->functions[0]->frame_size);
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
    uint32_t size = program->shared.dynamic_offset + launch->shape.dynamic_shared;
    if (program->shared.static_size > size)
        size = program->shared.static_size;
    block->shared = aligned_alloc(128, (size_t)(size + 255) / 128 * 128);
    block->view = (struct sim_block){.threads = block->threads,
                                     .warps = block->warp_count,
                                     .shape = launch->shape.block,
                                     .grid = launch->shape.grid,
                                     .shared = block->shared,
                                     .shared_size = size};
    return block;
}

static void block_free(struct block *block)
{
    if (!block)
        return;
    sim_block_async_reset(block);
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
    block->steps = 0;
    block->idle_rounds = block->stale = 0;
    block->cluster_arrived = block->cluster_phase = 0;
    block->spinning = NULL;
    block->random = launch->seed ^ linear * 0x9e3779b97f4a7c15u;
    if (block->barriers_used)
        memset(block->barriers, 0, sizeof block->barriers);
    block->barriers_used = 0;
    sim_block_async_reset(block);
    // Nobody may count on what shared memory holds at the start: all ones is a NaN, and no index.
    memset(block->shared, 0xff, block->view.shared_size);
    sim_watch_block(x, block);
    if (x->wants & SIM_WANT_NOTICE) {
        size_t bytes = block->view.shared_size / 8 + 9;
        if (!block->shared_valid)
            block->shared_valid = mem_alloc(bytes);
        memset(block->shared_valid, 0, bytes);
    }
    for (uint32_t i = 0; i < block->warp_count; i++)
        sim_warp_begin(x, block, i);
    x->block = block;
    for (size_t i = 0; i < x->watcher_count; i++)
        if (x->watchers[i].observer->block_begin)
            x->watchers[i].observer->block_begin(x->watchers[i].state, &block->view);
}

static void block_end(struct exec *x, struct block *block)
{
    for (size_t i = 0; i < x->watcher_count; i++)
        if (x->watchers[i].observer->block_end)
            x->watchers[i].observer->block_end(x->watchers[i].state, &block->view);
}

static bool stopped(struct worker *worker, struct block *block, struct warp *warp)
{
    struct exec *x = &worker->x;
    const struct sim_launch *launch = x->launch;
    if (x->status != STATUS_OK)
        return true;
    if (launch->cancel && atomic_load_explicit(launch->cancel, memory_order_relaxed)) {
        x->status = diagnostic_set(x->diagnostic, STATUS_CANCELLED, "cancelled");
        return true;
    }
    if (block->view.linear > atomic_load_explicit(&worker->run->failed, memory_order_relaxed)) {
        x->status = STATUS_CANCELLED; // an earlier block failed: this one does not matter
        return true;
    }
    if (!warp->fragment_count || (block->steps < worker->run->budget && block->stale < STALE_ROUNDS))
        return false;
    const struct fragment *fragment = &warp->fragments[0];
    for (uint32_t i = 0; i < warp->fragment_count && fragment->state != FRAGMENT_READY; i++)
        fragment = &warp->fragments[i];
    const struct op *op = block->spinning && sim_warp_spins(warp) ? block->spinning : fragment->op;
    sim_block_fault(x, STATUS_TIMEOUT, op, warp, lane_first(fragment->mask),
                    "is still running after %llu warp instructions of its block", (unsigned long long)block->steps);
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

static bool block_run_random(struct worker *worker, struct block *block, bool *progress)
{
    struct exec *x = &worker->x;
    bool ran = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint32_t first = (uint32_t)(random_next(&block->random) % block->warp_count);
        for (uint32_t k = 0; k < block->warp_count; k++) {
            struct warp *warp = &block->warps[(first + k) % block->warp_count];
            if (!sim_warp_ready(warp))
                continue;
            sim_warp_run(x, warp, 1 + random_next(&block->random) % RANDOM_QUANTUM);
            ran = true;
            *progress |= !sim_warp_spins(warp);
            if (stopped(worker, block, warp))
                return ran;
            break;
        }
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
        if (stopped(worker, block, warp))
            return ran;
        const struct warp *ahead = &block->warps[warp_in_turn(x, block, 0)];
        if (x->launch->schedule == SIM_ONE_AHEAD && i > 0 && sim_warp_ready(ahead) && !sim_warp_spins(ahead))
            break; // it may go on
    }
    return ran;
}

static enum turn block_run(struct worker *worker, struct block *block)
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
    }
    return TURN_DONE;
}

// ---- many blocks

static void run_failed(struct worker *worker, uint64_t linear)
{
    struct run *run = worker->run;
    pthread_mutex_lock(&run->lock);
    bool cancelled = worker->x.status == STATUS_CANCELLED && !worker->diagnostic.message[0];
    if (!cancelled && linear < run->failed_block) {
        run->failed_block = linear;
        run->status = worker->x.status;
        if (run->diagnostic)
            *run->diagnostic = worker->diagnostic;
        *run->result = worker->result;
        atomic_store(&run->failed, linear);
    }
    pthread_mutex_unlock(&run->lock);
}

// Blocks one after another; one that only polls lets others run, in turn, on this thread.
static void run_blocks(struct worker *worker)
{
    struct run *run = worker->run;
    struct exec *x = &worker->x;
    struct block **resident = mem_alloc(MAX_RESIDENT * sizeof *resident);
    size_t count = 0, turn = 0;
    struct block *spare = NULL;
    while (x->status == STATUS_OK) {
        if (turn == count && (!count || count < MAX_RESIDENT)) {
            uint64_t linear = atomic_fetch_add(&run->next, 1);
            if (linear < run->end && linear < atomic_load(&run->failed)) {
                resident[count] = spare ? spare : block_new(x->launch);
                spare = NULL;
                block_begin(x, resident[count++], linear);
            }
        }
        if (!count)
            break;
        turn %= count;
        struct block *block = resident[turn];
        enum turn outcome = block_run(worker, block);
        if (outcome == TURN_SPINS) {
            turn++;
            continue;
        }
        block_end(x, block);
        if (outcome == TURN_STOPPED) {
            run_failed(worker, block->view.linear);
            break;
        }
        atomic_fetch_add(&run->blocks, 1);
        block_free(spare);
        spare = block;
        memmove(&resident[turn], &resident[turn + 1], (count - turn - 1) * sizeof *resident);
        count--;
        // The oldest goes on first; a new block starts only when all that are here spin.
        turn = 0;
    }
    for (size_t i = 0; i < count; i++)
        block_free(resident[i]);
    block_free(spare);
    free(resident);
}

static void *worker_main(void *argument)
{
    run_blocks(argument);
    return NULL;
}

static void worker_begin(struct worker *worker, struct run *run, bool parallel)
{
    const struct sim_launch *launch = run->launch;
    struct exec *x = &worker->x;
    worker->run = run;
    worker->counts = mem_alloc((launch->program->op_count + 1) * sizeof *worker->counts);
    *x = (struct exec){.launch = launch,
                       .program = launch->program,
                       .memory = launch->memory,
                       .ops = launch->program->ops,
                       .counts = worker->counts,
                       .parallel = parallel,
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

static void worker_end(struct worker *worker, struct sim_result *result)
{
    const struct sim_launch *launch = worker->run->launch;
    for (uint32_t pc = 0; pc < launch->program->op_count; pc++)
        sim_watch_runs(&worker->x, pc);
    for (size_t i = 0; i < launch->observer_count; i++) {
        const struct sim_observer *observer = &launch->observers[i];
        if (observer->fork && observer->join)
            observer->join(observer->context, worker->x.watchers[i].state);
    }
    for (uint32_t pc = 0; pc < launch->program->op_count; pc++) {
        const struct sim_count *count = &worker->counts[pc];
        result->warp_instructions += count->warps;
        result->thread_instructions += count->threads;
        if (launch->counts) {
            launch->counts[pc].warps += count->warps;
            launch->counts[pc].threads += count->threads;
        }
    }
    shape_table_free(worker->x.shapes);
    free(worker->x.hints);
    free(worker->counts);
    free(worker->x.watchers);
}

static unsigned worker_count(const struct sim_launch *launch, uint64_t blocks)
{
    long cores = launch->host_threads ? (long)launch->host_threads : sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1 || sim_order_matters(launch))
        return 1;
    if (cores > MAX_THREADS)
        cores = MAX_THREADS;
    return (uint64_t)cores < blocks ? (unsigned)cores : (unsigned)blocks;
}

enum status sim_run(const struct sim_launch *launch, struct sim_result *result, struct diagnostic *diagnostic)
{
    *result = (struct sim_result){0};
    enum status status = refuse(launch, diagnostic);
    if (status != STATUS_OK)
        return status;
    uint64_t blocks = launch_blocks(&launch->shape);
    struct run run = {.launch = launch,
                      .diagnostic = diagnostic,
                      .failed_block = UINT64_MAX,
                      .budget = launch->budget ? launch->budget : DEFAULT_BUDGET};
    struct sim_result place = {0};
    run.result = &place;
    run.first = launch->first_block < blocks ? launch->first_block : blocks;
    run.end =
        launch->block_count && launch->block_count < blocks - run.first ? run.first + launch->block_count : blocks;
    atomic_init(&run.next, run.first);
    atomic_init(&run.failed, UINT64_MAX);
    atomic_init(&run.blocks, 0);
    pthread_mutex_init(&run.lock, NULL);
    unsigned count = worker_count(launch, run.end - run.first);
    struct worker *workers = mem_alloc((count + 1) * sizeof *workers);
    for (unsigned i = 0; i < count; i++)
        worker_begin(&workers[i], &run, count > 1);
    unsigned started = 0;
    for (unsigned i = 1; i < count; i++, started++)
        if (pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]))
            break;
    if (count)
        run_blocks(&workers[0]);
    for (unsigned i = 1; i <= started; i++)
        pthread_join(workers[i].thread, NULL);
    *result = place;
    for (unsigned i = 0; i < count; i++)
        worker_end(&workers[i], result);
    result->blocks = atomic_load(&run.blocks);
    free(workers);
    pthread_mutex_destroy(&run.lock);
    return run.status;
}
