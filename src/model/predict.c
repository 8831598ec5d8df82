// From a replay of some blocks on one SM to the time of the whole launch, and what bounds it.
#include "model/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/liveness.h"
#include "model/stream.h"

enum { DEFAULT_STEPS = 300000, LEAST_STEPS = 400, MOST_BLOCKS = 96 };

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

// ---- from some blocks to all of them

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Cycles for each of blocks that differ, ends sorted: others take the slots of those that end early, so that slots are
// in use until the last ones end; and a pipe may be full.
static double uneven_pace(const struct replay_result *result, const double *ends, size_t count, uint32_t resident,
                          uint32_t schedulers)
{
    double lives = 0, pipes = at_least(result->issued / (double)schedulers, result->shared_busy + result->l1_busy);
    size_t slots = count < resident ? count : resident, first = count > resident ? count - resident : 0;
    for (size_t i = first; i < count; i++)
        lives += ends[i];
    return at_least(lives / (double)slots, pipes) / (double)count;
}

// Cycles until an SM has worked through `mine` blocks, given the ends of the replayed ones. *tail: cycles at the end
// in which the room of a block stands empty, on average over those that the SM has room for: others go on beside it.
// uneven: schedulers, where blocks differ; 0: they do not.
static double all_blocks(const struct replay_result *result, size_t count, uint32_t resident, double mine,
                         uint32_t uneven, double *tail)
{
    double *ends = mem_alloc(count * sizeof *ends);
    memcpy(ends, result->block_end, count * sizeof *ends);
    qsort(ends, count, sizeof *ends, by_value);
    double cycles = result->cycles;
    *tail = 0;
    for (size_t i = count - resident; count > resident && i < count; i++)
        *tail += (result->cycles - ends[i]) / (double)resident;
    if (mine > (double)count) {
        // Blocks [resident, count - resident) start and end on a full SM: their pace is the steady one.
        size_t from = resident - 1, to = count > 2 * (size_t)resident ? count - resident - 1 : count - 1;
        double pace = to > from ? (ends[to] - ends[from]) / (double)(to - from) : result->cycles / (double)count;
        if (uneven)
            pace = uneven_pace(result, ends, count, resident, uneven);
        // Stores leave a block behind while they queue for L2 and DRAM: in the long run no faster than those work.
        pace = at_least(pace, at_least(result->dram_busy, result->l2_in_busy) / (double)count);
        cycles += pace * (mine - (double)count);
    }
    free(ends);
    return cycles;
}

// ---- words

static const struct {
    const char *name, *bound, *advice;
} reasons[REPLAY_REASONS] = {
    [REPLAY_WAIT_DRAM] =
        {"DRAM", "latency of DRAM",
         "Keep more bytes in flight: 16-byte loads, several independent loads a thread, or more warps."},
    [REPLAY_WAIT_L2] = {"L2 cache", "latency of L2",
                        "Keep more bytes in flight, or keep the data closer: shared memory, registers."},
    [REPLAY_WAIT_L1] = {"L1 cache", "L1 cache",
                        "Touch fewer 128-byte lines with each load: let neighbouring lanes read neighbours."},
    [REPLAY_WAIT_SHARED] = {"shared memory", "latency of shared memory",
                            "Give each thread more independent work between its loads from shared memory."},
    [REPLAY_WAIT_BARRIER] =
        {"barrier", "barriers",
         "Smaller blocks, so that others run while one waits; or fewer barriers, with more work between them."},
    [REPLAY_WAIT_ASYNC] = {"asynchronous copy", "asynchronous copies",
                           "Start the copies earlier: one more stage, or more work for each."},
    [REPLAY_WAIT_QUEUE] =
        {"load/store queue", "load/store queue",
         "Fewer or wider memory instructions: conflicts, uncoalesced and narrow accesses fill the queue."},
    [REPLAY_WAIT_ARITHMETIC] = {"arithmetic", "dependent arithmetic",
                                "Give each thread several independent results to work on."},
    [REPLAY_WAIT_ISSUE] = {"issue slot", "issue",
                           "Fewer instructions for the same work: unroll, widen loads, hoist index arithmetic."},
};

const char *predict_reason_name(enum replay_reason reason)
{
    return reason < REPLAY_REASONS ? reasons[reason].name : "unknown";
}

// beyond: of p->tail, what lies outside of the time that `busy` is a share of. What is busy for most of that time does
// not become faster by more blocks.
static void explain_bound(struct prediction *p, double beyond)
{
    const struct {
        double busy;
        const char *bound, *advice;
    } pipes[] = {
        {p->dram_busy, "DRAM bandwidth", "The data move at the card's bandwidth: only moving fewer bytes helps."},
        {p->shared_busy, "shared memory bandwidth",
         "Fewer wavefronts: remove bank conflicts, load 16 bytes at a time, or keep a register tile."},
        {p->l1_busy, "L1 bandwidth", "Touch fewer lines and sectors: coalesce, or stage a tile in shared memory."},
        {p->l2_busy, "L2 bandwidth",
         "Write whole 32-byte sectors and reuse what was loaded: coalesce, or stage a tile in shared memory."},
        {p->tensor_busy, "tensor cores", "The tensor cores hardly rest: only fewer products, or narrower types, help."},
        {p->issue_busy, "issue",
         "Fewer instructions for the same work: a register tile, wider loads, hoisted index arithmetic."},
    };
    size_t best = 0;
    for (size_t i = 1; i < sizeof pipes / sizeof *pipes; i++)
        if (pipes[i].busy > pipes[best].busy)
            best = i;
    p->bound_by = pipes[best].bound;
    const char *advice = pipes[best].advice;
    bool is_busy = pipes[best].busy >= 0.75;
    if (!is_busy) {
        size_t worst = 0;
        for (size_t i = 1; i < REPLAY_REASONS; i++)
            if (p->waits[i] > p->waits[worst])
                worst = i;
        p->bound_by = reasons[worst].bound;
        advice = reasons[worst].advice;
    }
    snprintf(p->advice, sizeof p->advice, "%s", advice);
    if ((is_busy ? beyond : p->tail) > 0.3) { // what the blocks themselves wait for holds on the SMs that have some
        snprintf(p->advice, sizeof p->advice,
                 "The SMs run out of blocks: use smaller tiles for this size, or split the work further. "
                 "The blocks themselves: %s. %s",
                 p->bound_by, advice);
        p->bound_by = "too few blocks";
    }
}

// ---- putting it together

// What some blocks all over the grid have to do, where the caller does not know: steps of one on average, and whether
// they differ. {0}: there is nothing to be learnt, or not in short time.
struct glance {
    uint64_t mean;
    bool uneven;
};

static struct glance glance_at(const struct predict_job *job)
{
    // Blocks to look at: SOME, or as many as take ALL steps together; where all are alike, fewer of either. Of those
    // that take too long for a FEW, nothing is learnt.
    enum { SOME = 1024, EVEN = 256, FEW = 8, BUDGET = 40000, ALL = 2000000, ALL_EVEN = 600000 };
    uint64_t blocks = launch_blocks(&job->launch->shape), all = 0, seen = 0, least = UINT64_MAX, most = 0;
    struct sim_launch one = *job->launch;
    struct sim_result result;
    one.block_count = one.host_threads = 1;
    one.counts = NULL;
    one.budget = BUDGET;
    if (job->work.mean_steps || job->work.even || blocks <= (uint64_t)MOST_BLOCKS)
        return (struct glance){.mean = job->work.mean_steps};
    for (; seen < (least == most ? EVEN : SOME) && all < (least == most ? ALL_EVEN : ALL); seen++) {
        one.first_block = stream_spread(seen, blocks);
        if (sim_run(&one, &result, NULL) != STATUS_OK || result.warp_instructions > ALL_EVEN / FEW)
            return (struct glance){0};
        all += result.warp_instructions;
        least = result.warp_instructions < least ? result.warp_instructions : least;
        most = result.warp_instructions > most ? result.warp_instructions : most;
    }
    return (struct glance){.mean = all / seen, .uneven = 2 * most > 3 * least};
}

struct plan {
    uint64_t blocks;
    double mine; // blocks of an average SM
    struct glance glance;
    struct stream_options options;
};

// The first block to be traced. Those at the edges of a grid may have less to do, and fewer neighbours.
static uint64_t first_traced(const struct predict_job *job, bool uneven)
{
    const uint32_t *grid = job->launch->shape.grid;
    if (uneven)
        return stream_spread(1, launch_blocks(&job->launch->shape));
    uint64_t middle = ((uint64_t)(grid[2] / 2) * grid[1] + grid[1] / 2) * grid[0] + grid[0] / 2;
    return job->work.even ? middle : job->work.first;
}

static struct plan make_plan(const struct predict_job *job, const struct replay_constants *c,
                             const struct prediction *p)
{
    const uint32_t *grid = job->launch->shape.grid, *block = job->launch->shape.block;
    struct plan plan = {.blocks = (uint64_t)grid[0] * grid[1] * grid[2]};
    uint32_t warps = (block[0] * block[1] * block[2] + SIM_LANES - 1) / SIM_LANES;
    size_t steps = job->steps ? job->steps : DEFAULT_STEPS;
    plan.mine = (double)plan.blocks / (double)p->active_sms;
    size_t wanted = 4 * (size_t)p->occupancy.blocks, most = (size_t)ceil(plan.mine);
    if (wanted > MOST_BLOCKS)
        wanted = MOST_BLOCKS;
    if (wanted > most)
        wanted = most;
    size_t each = steps / wanted / warps;
    // Long blocks: the first wave alone, each block in part.
    if (each < LEAST_STEPS && wanted > p->occupancy.blocks) {
        wanted = p->occupancy.blocks < most ? p->occupancy.blocks : most;
        each = steps / wanted / warps;
    }
    plan.glance = glance_at(job);
    plan.options = (struct stream_options){.spread = plan.glance.uneven,
                                           .gpu = job->gpu,
                                           .active_sms = p->active_sms,
                                           .resident = p->occupancy.blocks,
                                           .grid_blocks = plan.blocks,
                                           .block_count = wanted,
                                           .first = first_traced(job, plan.glance.uneven),
                                           .block_steps = job->work.busy_steps,
                                           .registers = GPU_REGISTERS / (p->occupancy.blocks * warps * SIM_LANES),
                                           .warp_steps = each < LEAST_STEPS ? LEAST_STEPS : each,
                                           .constants = c,
                                           .stop = job->stop};
    return plan;
}

// Of the average block's work to the traced ones': where blocks differ, few tell little of how much all have to do.
static double work_ratio(uint64_t mean, const struct stream *stream)
{
    enum { LITTLE = 5 }; // percent, which the blocks at the edges make
    double traced = (double)stream->steps / (double)stream->block_count * stream->whole;
    double ratio = mean && traced > 0 ? (double)mean * stream->busy / traced : 1;
    return fabs(ratio - 1) * 100 > (double)LITTLE ? ratio : 1;
}

// ---- the log

static uint32_t line_of(const void *context, uint32_t pc)
{
    const struct predict_job *job = context;
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(job->launch->program, pc, &function);
    const char *file;
    uint32_t line;
    ptx_source(function->module, inst, job->main_file, &file, &line);
    return line;
}

static void end_log(const struct predict_job *job, const struct prediction *p)
{
    struct replay_log *log = job->log;
    replay_log_end(log, line_of, job);
    log->resident = p->occupancy.blocks;
    log->us = p->us;
    log->mhz = (double)job->gpu->mhz;
    snprintf(log->gpu, sizeof log->gpu, "%s", job->gpu->name);
}

// Long blocks of equal work come in waves, and the last one takes as long as its blocks take, however few they are:
// here they are replayed by themselves. SMs drift apart, though: after many waves those ahead take what others leave
// over. first: the replay of a full wave; steady: the cycles if blocks could be divided.
static double in_waves(const struct replay_job *full, const struct replay_constants *c,
                       const struct replay_result *first, double mine, double steady)
{
    const double apart = 32; // waves after which SMs are a whole one apart
    double each = ceil(mine - 1e-9), waves = floor(each / (double)full->resident);
    double least = at_least(first->dram_busy, first->l2_in_busy) / (double)full->block_count * mine;
    struct replay_job rest = *full;
    struct replay_result result = {0};
    if (waves >= apart)
        return steady;
    rest.block_count = (size_t)(each - waves * (double)full->resident);
    rest.log = NULL;
    if (rest.block_count)
        replay_run(&rest, c, &result);
    free(result.block_end);
    double in_step = at_least(waves * first->cycles + result.cycles, least);
    return steady + (in_step - steady) * (1 - waves / apart);
}

// Warp instructions of the blocks at the end of a row and of a column; 0: not known.
struct edges {
    uint64_t row, column;
};

// What a block has to do, as a part of `busy` warp instructions.
static double part_of_block(const struct predict_job *job, uint64_t block, uint64_t busy, uint64_t *steps)
{
    enum { MOST_WORK = 300000 };
    struct sim_launch one = *job->launch;
    struct sim_result result;
    if (*steps)
        return fmin((double)*steps / (double)busy, 1);
    one.first_block = block;
    one.block_count = one.host_threads = 1;
    one.counts = NULL;
    one.observers = NULL;
    one.observer_count = 0;
    one.budget = MOST_WORK;
    if (sim_run(&one, &result, NULL) != STATUS_OK)
        return 1;
    *steps = result.warp_instructions;
    return fmin((double)*steps / (double)busy, 1);
}

// A place that takes a block until `ends[0]`, the first of all in a heap, is busy for longer.
static void take_first(double *ends, size_t count, double longer)
{
    double end = ends[0] + longer;
    size_t at = 0;
    for (size_t next = 1; next < count; next = 2 * at + 1) {
        if (next + 1 < count && ends[next + 1] < ends[next])
            next++;
        if (ends[next] >= end)
            break;
        ends[at] = ends[next];
        at = next;
    }
    ends[at] = end;
}

// Waves that blocks take, where those at the end of a row or a column of the grid have less to do: whoever is done with
// one of these takes the next.
static double uneven_waves(const struct predict_job *job, struct edges *edges, uint64_t slots)
{
    const uint32_t *grid = job->launch->shape.grid;
    uint64_t row = grid[0], rows = grid[1], blocks = launch_blocks(&job->launch->shape), busy = job->work.busy_steps;
    double last_in_row = row > 1 ? part_of_block(job, row - 1, busy, &edges->row) : 1;
    double last_row = rows > 1 ? part_of_block(job, row * (rows - 1), busy, &edges->column) : 1;
    double *ends = mem_alloc(slots * sizeof *ends), longest = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        double part = (i % row == row - 1 ? last_in_row : 1) * (i / row % rows == rows - 1 ? last_row : 1);
        longest = at_least(longest, ends[0] + part);
        take_first(ends, slots, part);
    }
    free(ends);
    return longest;
}

// The cycles of an SM with as many blocks as one has at most, where others may have less to do. full: those of a wave
// of whole blocks; it takes no less than if those could be divided.
static double spare_uneven(const struct predict_job *job, const struct prediction *p, struct edges *edges, double full,
                           double mine, double cycles)
{
    const double little = 1.05, many = 32; // waves
    double waves = mine / (double)p->occupancy.blocks, least = full * waves;
    if (waves <= 1 || waves >= many || !job->work.busy_steps || cycles <= little * least)
        return cycles;
    double uneven = uneven_waves(job, edges, (uint64_t)p->active_sms * p->occupancy.blocks);
    return fmin(cycles, at_least(at_least(full * uneven, cycles * uneven / ceil(waves)), least));
}

// The clock falls as soon as warp groups multiply, and a little more the busier the tensor cores of all SMs are.
static double clock_of(const struct predict_job *job, const struct replay_constants *c,
                       const struct replay_result *result, const struct prediction *p)
{
    double schedulers = (double)job->gpu->schedulers, mhz = (double)job->gpu->mhz;
    double busy = result->tensor_busy / at_least(result->cycles, 1) / schedulers;
    double part = (double)p->active_sms / (double)job->gpu->sms;
    return busy > 0 ? mhz * (c->product_clock - c->product_clock_full * fmin(busy, 1) * part) : mhz;
}

// A block that has far more to do than the others: until when it keeps the launch from ending.
struct longest {
    uint64_t block, steps; // warp instructions; 0: there is none
    double cycles;         // by itself on an SM
};

struct predict_trace {
    struct prediction fit;
    struct longest longest;
    struct predict_work work; // that was known
    const struct replay_constants *constants;
    struct plan plan;
    struct stream stream;
    struct edges edges; // as far as a time followed from it
};

static uint64_t steps_of(const struct predict_job *job, uint64_t block, uint64_t most)
{
    struct sim_launch one = *job->launch;
    struct sim_result result = {0};
    one.first_block = block;
    one.block_count = one.host_threads = 1;
    one.counts = NULL;
    one.budget = most;
    enum status status = sim_run(&one, &result, NULL);
    return status == STATUS_OK || status == STATUS_TIMEOUT ? result.warp_instructions : 0;
}

// Of the grid's blocks near either end, the one with most to do, if that is several times what others have. Those who
// give blocks different lots of work by their place have the largest there.
static struct longest find_longest(const struct predict_job *job, uint64_t usual)
{
    enum { TIMES = 4, LONG = 50000, ALL = 600000, MOST = 8000000 };
    uint64_t blocks = launch_blocks(&job->launch->shape), all = 0, several = TIMES * usual + 1;
    struct longest longest = {0};
    if (usual > LONG) // it would take too long to look at some
        return longest;
    for (uint64_t from_end = 0; 2 * from_end < blocks && all < ALL; from_end = 2 * from_end + 1)
        for (int side = 0; side < 2; side++) {
            uint64_t block = side ? from_end : blocks - 1 - from_end, steps = steps_of(job, block, several);
            if (steps >= several)
                steps = steps_of(job, block, MOST);
            all += steps;
            if (steps > longest.steps)
                longest = (struct longest){.block = block, .steps = steps};
        }
    return longest.steps >= several ? longest : (struct longest){0};
}

static void replay_longest(const struct predict_job *job, struct predict_trace *trace)
{
    struct stream_options options = trace->plan.options;
    struct stream stream;
    struct replay_result result;
    options.lone = true;
    options.spread = false;
    options.block_count = options.resident = 1;
    options.first = trace->longest.block;
    options.block_steps = trace->longest.steps;
    if (stream_trace(job->launch, &options, &stream, NULL) == STATUS_OK) {
        struct replay_job replay = {.gpu = job->gpu,
                                    .insts = stream.insts,
                                    .inst_count = stream.all_count,
                                    .register_count = stream.register_count,
                                    .blocks = stream.blocks,
                                    .block_count = stream.block_count,
                                    .resident = 1,
                                    .active_sms = options.active_sms,
                                    .sectors = stream.sectors};
        replay_run(&replay, trace->constants, &result);
        trace->longest.cycles = result.cycles * (result.early + (1 - result.early) * stream.rest);
        free(result.block_end);
    }
    stream_free(&stream);
}

// Blocks begin in the order of the grid, and the longest when those before it have left it a place.
static double until_longest(const struct predict_trace *trace, const struct plan *plan, const struct prediction *p,
                            double cycles)
{
    double blocks = (double)plan->blocks, wave = (double)p->active_sms * (double)p->occupancy.blocks;
    double before = (double)trace->longest.block + 1 - wave;
    return trace->longest.cycles + (before > 0 ? cycles * before / blocks : 0);
}

// Of each instruction of the text, SASS being as long as its costs say.
static double spills_each(const struct predict_job *job, const struct stream *stream)
{
    double length = 0;
    for (uint32_t i = 0; i < stream->inst_count; i++)
        length += stream->insts[i].kind != REPLAY_FREE ? stream->insts[i].cost.instructions : 0;
    return length > 0 ? job->spilled / (double)sizeof(uint32_t) / length : 0;
}

static void measure_replay(const struct predict_job *job, struct predict_trace *trace, const struct plan *plan,
                           struct prediction *p)
{
    const struct replay_constants *c = job->constants ? job->constants : trace->constants;
    const struct stream *stream = &trace->stream;
    struct replay_job replay = {.gpu = job->gpu,
                                .insts = stream->insts,
                                .inst_count = stream->all_count,
                                .register_count = stream->register_count,
                                .blocks = stream->blocks,
                                .block_count = stream->block_count,
                                .resident = p->occupancy.blocks,
                                .active_sms = p->active_sms,
                                .shared_bytes = sim_program_shared(job->launch->program)->static_size +
                                                job->launch->shape.dynamic_shared,
                                .sectors = stream->sectors,
                                .local_missed = stream->local_missed,
                                .spills = spills_each(job, stream),
                                .log = job->log};
    struct replay_result result;
    double tail = 0, waits = 0;
    replay_run(&replay, c, &result);
    double stretch = result.early + (1 - result.early) * stream->rest;
    double cycles = all_blocks(&result, stream->block_count, p->occupancy.blocks, plan->mine,
                               plan->glance.uneven ? job->gpu->schedulers : 0, &tail);
    if (stream->rest > 1 && stream->block_count == p->occupancy.blocks)
        cycles = in_waves(&replay, c, &result, plan->mine, cycles);
    double wave = 0; // until the first blocks have ended
    for (size_t i = 0; i < stream->block_count && i < p->occupancy.blocks; i++)
        wave = at_least(wave, result.block_end[i]);
    cycles *= work_ratio(plan->glance.mean, stream);
    cycles = spare_uneven(job, p, &trace->edges, wave, plan->mine, cycles) * stretch;
    double even = cycles;
    if (trace->longest.cycles > 0)
        cycles = at_least(cycles, until_longest(trace, plan, p, cycles));
    double atomics = stream->hot_line_ns * stream->whole * stream->hot_blocks * stream->hot_turns * 1e-3;
    // The last wave's atomics wait for its work; those before them go on beside it. Where lines come in turns no line
    // always has some to serve: blocks that want what was there wait for it in every wave.
    double mhz = clock_of(job, c, &result, p);
    double last = atomics * fmin(1, (double)p->active_sms * (double)p->occupancy.blocks / (double)plan->blocks);
    if (stream->hot_waits && stream->hot_turns > 1)
        last = atomics;
    p->us = c->launch_us + at_least(cycles / mhz, atomics - last) + last;
    p->instructions = result.issued * stream->whole * (double)plan->blocks / (double)stream->block_count;
    for (int i = 0; i < REPLAY_REASONS; i++)
        waits += result.waits[i];
    double all = waits + result.issued;
    for (int i = 0; i < REPLAY_REASONS && all > 0; i++)
        p->waits[i] = result.waits[i] / all;
    p->issued = all > 0 ? result.issued / all : 0;
    double span = at_least(result.cycles, 1);
    p->issue_busy = result.issued / span / (double)job->gpu->schedulers;
    p->tensor_busy = result.tensor_busy / span / (double)job->gpu->schedulers;
    p->shared_busy = result.shared_busy / span;
    p->l1_busy = result.l1_busy / span;
    p->l2_busy = at_least(result.l2_busy, result.l2_in_busy) / span;
    p->dram_busy = result.dram_busy / span;
    p->dram_gbps = result.dram_bytes / span * mhz * 1e-3 * (double)p->active_sms;
    double beyond = (cycles - even) / at_least(cycles, 1);
    p->tail = at_least(tail * stretch / at_least(cycles, 1), beyond);
    if (p->active_sms < job->gpu->sms)
        p->tail = beyond = 1 - (double)p->active_sms / (double)job->gpu->sms;
    explain_bound(p, beyond);
    if (atomics > cycles / mhz) {
        p->bound_by = "atomics on one address";
        snprintf(p->advice, sizeof p->advice,
                 "All blocks add to the same word one after another: collect in shared memory or by shuffles first.");
    }
    free(result.block_end);
}

enum status predict_fit(const struct predict_job *job, struct prediction *prediction, struct diagnostic *diagnostic)
{
    const struct sim_launch *launch = job->launch;
    const struct ptx_function *entry = NULL;
    sim_program_inst(launch->program, 0, &entry);
    *prediction = (struct prediction){.registers = job->registers};
    if (!job->registers) {
        prediction->registers = liveness_registers(entry);
        prediction->registers_estimated = true;
    }
    uint32_t threads = (uint32_t)launch_threads(&launch->shape);
    uint32_t shared = sim_program_shared(launch->program)->static_size + launch->shape.dynamic_shared;
    // ptxas keeps within what a block of this size can have.
    if (prediction->registers_estimated && threads && prediction->registers > GPU_REGISTERS / threads)
        prediction->registers = GPU_REGISTERS / threads;
    prediction->registers_most = prediction->registers;
    if (prediction->registers_estimated && job->is_lenient)
        prediction->registers = liveness_registers_least(prediction->registers);
    const struct occupancy *fits = &prediction->occupancy;
    prediction->occupancy = occupancy_of(job->gpu, threads, prediction->registers, shared);
    if (!fits->blocks) {
        char cure[160] = "";
        if (fits->limit == fits->shares[OCCUPANCY_REGISTERS].name)
            snprintf(
                cure, sizeof cure,
                "; __global__ void __launch_bounds__(%u) NAME(...) keeps the compiler within what such a block has",
                threads);
        return diagnostic_set(
            diagnostic, STATUS_LAUNCH,
            "a block of %u threads, %u registers each and %u bytes of shared memory does not fit on an "
            "SM of the %s: %s (cudaErrorLaunchOutOfResources)%s",
            threads, prediction->registers, shared, job->gpu->name, fits->limit, cure);
    }
    uint64_t blocks = launch_blocks(&launch->shape), room = (uint64_t)fits->blocks * job->gpu->sms;
    if (launch->shape.cooperative && blocks > room)
        return diagnostic_set(
            diagnostic, STATUS_LAUNCH,
            "all blocks of a cooperative launch have to be resident at once: the grid has %llu, and the %s has room "
            "for "
            "%llu of them (%u SMs with %u each; limit: %s; %u registers a thread%s): launch fewer and let each do more "
            "(cudaErrorCooperativeLaunchTooLarge)",
            (unsigned long long)blocks, job->gpu->name, (unsigned long long)room, job->gpu->sms, fits->blocks,
            fits->limit, prediction->registers, prediction->registers_estimated ? ", estimated" : "");
    prediction->active_sms = blocks < job->gpu->sms ? (uint32_t)blocks : job->gpu->sms;
    uint64_t wave = (uint64_t)prediction->active_sms * fits->blocks;
    prediction->waves = (blocks + wave - 1) / wave;
    return STATUS_OK;
}

// All that the registers decide is how many blocks an SM holds.
bool predict_holds(const struct predict_job *job, struct prediction *prediction)
{
    struct prediction fit;
    if (predict_fit(job, &fit, NULL) != STATUS_OK || fit.occupancy.blocks != prediction->occupancy.blocks)
        return false;
    prediction->registers = fit.registers;
    prediction->registers_most = fit.registers_most;
    prediction->registers_estimated = fit.registers_estimated;
    prediction->occupancy = fit.occupancy;
    return true;
}

enum status predict_trace(const struct predict_job *job, struct predict_trace **trace, struct diagnostic *diagnostic)
{
    struct prediction fit;
    *trace = NULL;
    enum status status = predict_fit(job, &fit, diagnostic);
    if (status != STATUS_OK)
        return status;
    struct predict_trace *made = *trace = mem_alloc(sizeof *made);
    *made = (struct predict_trace){.fit = fit, .work = job->work};
    made->constants = job->constants ? job->constants : job->gpu->constants ? job->gpu->constants : &replay_defaults;
    made->plan = make_plan(job, made->constants, &fit);
    made->plan.options.places = job->log != NULL;
    status = stream_trace(job->launch, &made->plan.options, &made->stream, diagnostic);
    bool is_known = job->work.mean_steps || job->work.even || made->plan.blocks <= (uint64_t)MOST_BLOCKS;
    if (status != STATUS_OK || is_known)
        return status;
    const struct stream *stream = &made->stream;
    made->longest =
        find_longest(job, (uint64_t)((double)stream->steps * stream->whole / (double)stream->block_count) + 1);
    if (made->longest.steps)
        replay_longest(job, made);
    return STATUS_OK;
}

void predict_trace_free(struct predict_trace *trace)
{
    if (!trace)
        return;
    stream_free(&trace->stream);
    free(trace);
}

static bool is_same_work(const struct predict_work *one, const struct predict_work *other)
{
    return one->first == other->first && one->busy_steps == other->busy_steps && one->mean_steps == other->mean_steps &&
           one->even == other->even;
}

bool predict_from(const struct predict_job *job, struct predict_trace *trace, struct prediction *prediction)
{
    const struct predict_work *work = &job->work;
    struct plan plan = trace->plan;
    *prediction = trace->fit;
    if (!predict_holds(job, prediction))
        return false;
    if (!is_same_work(work, &trace->work)) {
        bool is_known = work->mean_steps && trace->work.mean_steps && work->first == trace->work.first;
        if (!is_known || work->busy_steps < trace->stream.least || work->busy_steps > trace->stream.most)
            return false;
        plan.glance.mean = work->mean_steps;
    }
    measure_replay(job, trace, &plan, prediction);
    return true;
}

enum status predict_run(const struct predict_job *job, struct prediction *prediction, struct diagnostic *diagnostic)
{
    struct predict_trace *trace;
    if (job->log)
        replay_log_begin(job->log);
    enum status status = predict_trace(job, &trace, diagnostic);
    if (trace)
        *prediction = trace->fit;
    if (status == STATUS_OK)
        measure_replay(job, trace, &trace->plan, prediction);
    if (job->log && trace)
        end_log(job, prediction);
    predict_trace_free(trace);
    return status;
}
