// Discrete events on one SM: schedulers, pipes, L1, and the share of L2 and DRAM.
#include "model/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/banks.h"

const struct replay_constants replay_defaults = {
#define T(name, value, low, high, meaning) .name = value,
#include "model/timing.def"
#undef T
};

// ---- L1: lines of four sectors, each there or not; 16 ways, least recently used goes

enum { L1_WAYS = 16, LINE_SECTORS = 4 };

struct l1_line {
    uint64_t tag; // line + 1; 0 = empty
    uint32_t used, sectors;
    double arrives[LINE_SECTORS];
};

struct l1 {
    struct l1_line *lines;
    uint64_t sets;
    uint32_t clock;
};

// The sector's line, which holds it from now on. *hit: it did before, or it is on its way.
static struct l1_line *l1_take(struct l1 *l1, uint64_t sector, bool *hit)
{
    uint64_t tag = sector / LINE_SECTORS + 1;
    uint32_t bit = 1u << sector % LINE_SECTORS;
    struct l1_line *set = l1->lines + (tag * 0x9e3779b97f4a7c15u >> 20) % l1->sets * L1_WAYS, *line = set;
    for (struct l1_line *way = set; way < set + L1_WAYS; way++) {
        if (way->tag == tag) {
            line = way;
            break;
        }
        if (way->used < line->used)
            line = way;
    }
    if (line->tag != tag)
        *line = (struct l1_line){.tag = tag};
    *hit = line->sectors & bit;
    line->sectors |= bit;
    line->used = ++l1->clock;
    return line;
}

// ---- state

enum { COPY_GROUPS = 16 };
static const double copy_lanes = 8;

struct pending {              // what goes on by itself: asynchronous copies, products of warp groups
    double open;              // when those of the open group are complete
    double done[COPY_GROUPS]; // when each committed group is; [groups - 1] the youngest
    uint32_t groups;
};

struct replayed_warp {
    const struct replay_warp *trace;
    size_t next;
    uint32_t block; // slot
    uint32_t scheduler;
    uint32_t row; // of the log
    bool alive, at_barrier;
    double started;
    double free;            // earliest issue by the instruction before
    double memory_free;     // the same of accesses to memory
    double when;            // earliest issue of the next one by that and its operands
    enum replay_reason why; // which of them is the latest
    double *ready;          // by register
    unsigned char *reason;  // why the register is late
    double last_shared;     // when the youngest shared load's data are there: fused ones ride along
    struct pending copies, products;
    struct pending bulks, bulk_reads; // until they are written, and until they are read
    uint32_t awaits;                  // phase, 0: none
    uint32_t barriers;                // of its block that it has come to
    double spills;                    // accesses that are due
};

// Of an mbarrier or a named barrier.
struct replay_phase {
    uint32_t left;    // steps to come that arrive there, or bring bytes
    double time;      // when the last of those so far has, or will have
    bool is_for_copy; // and that is a copy
};

struct block_slot {
    bool used;
    size_t block;
    uint32_t first_warp, warps, alive, waiting;
    double barrier_time;         // when the barrier has taken in the last arrival
    struct replay_phase *phases; // by number
};

// What an instruction waits for beside its own warp: the issue slot, and with it one of these.
enum lane { LANE_NONE, LANE_ISSUE, LANE_MEMORY, LANE_STORE, LANE_PIPE, LANES = LANE_PIPE + PIPES };

// What choosing the next warp looks at, side by side.
struct issue_view {
    double when, free; // as the warp's; INFINITY: cannot issue now
    enum lane lane;    // of its next instruction
    uint32_t gate;     // scheduler * LANES + lane
};

// The warp of a scheduler that can issue first; of several the one that has waited longest, and of these the first.
// What one waits for is never there earlier than it seemed, but for stores (store_opens). So this holds until one of
// the scheduler's warps has moved on, or this one has to wait longer for what all schedulers share.
struct choice {
    uint32_t warp;     // UINT32_MAX: none can issue
    double time, free; // when it issues; as the warp's
    bool is_stale;     // or has stores among its warps
};

struct sm {
    struct arena *arena; // of all below
    const struct replay_job *job;
    const struct replay_constants *c;
    struct replay_result *result;
    struct replayed_warp *warps;
    struct issue_view *ready; // by warp
    double *landings;         // by warp: when it is where its last jump went
    double *gates;            // earliest issue through each gate
    struct choice *choices;   // by scheduler
    struct block_slot *slots;
    struct replay_phase *phases; // of the slots, one after another
    uint32_t slot_count, warps_per_block, warp_count, phases_per_block;
    double *scheduler_free;
    double *pipe_free[PIPES]; // by scheduler
    double turn[PIPES];       // cycles of a scheduler's pipe
    double lsu_free, l2_free, l2_in_free, dram_free, bulk_free;
    double fence_free[REPLAY_FENCES];
    double barrier_free;                       // the unit that all blocks' barriers share
    double launch_free;                        // when this SM may get its next block
    double l2_rate, dram_rate, bulk_dram_rate; // bytes a cycle for this SM
    struct l1 l1;
    enum lane *lanes; // by instruction
    size_t next_block, ended;
    double end;
    double lived, early; // warps' time from start to end, and to the end of their early steps
};

static double max2(double a, double b)
{
    return a > b ? a : b;
}

// ---- memory

// A load or copy on its way: what its sectors have in common.
struct l2_request {
    const struct replay_inst *inst;
    double time;    // when it is on its way to L2
    bool is_local;  // in local memory
    bool from_dram; // it waits for DRAM, not for L2 alone
    double luck;    // 0 … 1: how far away in DRAM the line is
};

// Whether this block waits for DRAM at this step. Of the SMs that want the same at about the same time the first one
// waits longest, and those after it find the sectors in L2; a block's warps wait together, for they load a tile
// together. So the step, not the warp, draws the lot. Between two barriers a block is among the first or not, for all
// of its loads.
static bool waits_for_dram(const struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step)
{
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    double part = fmin(inst->dram, 1) / pow(inst->sharing > 1 ? inst->sharing : 1, sm->c->sharing_power);
    if (step->local)
        part = sm->job->local_missed;
    uint64_t place = warp->barriers ? (uint64_t)warp->barriers << 32 : warp->next;
    uint64_t lot = (sm->slots[warp->block].block * 0x9e3779b97f4a7c15u ^ place) * 0xbf58476d1ce4e5b9u;
    lot = (lot ^ lot >> 29) * 0x94d049bb133111ebu;
    return (double)(lot >> 11) < part * 0x1p53;
}

// Where in DRAM a line lies, as if by chance: the same for the same work, whatever its addresses.
static double luck_of(const struct sm *sm, const struct replayed_warp *warp, uint32_t number)
{
    uint64_t lot = (uint64_t)(warp - sm->warps) * 0x9e3779b97f4a7c15u ^ (sm->slots[warp->block].block << 40) ^
                   ((uint64_t)warp->next << 8) ^ number;
    lot = (lot ^ lot >> 29) * 0xbf58476d1ce4e5b9u;
    lot = (lot ^ lot >> 32) * 0x94d049bb133111ebu;
    return (double)(lot >> 11) * 0x1p-53;
}

// Isolated lines open a page of DRAM each: it moves them more slowly than long runs.
static void take_dram(struct sm *sm, const struct replay_inst *inst, double time, double bytes)
{
    double rate = inst->kind == REPLAY_BULK ? sm->bulk_dram_rate : sm->dram_rate;
    double cycles = bytes / rate * inst->burden * (1 + sm->c->dram_scatter * inst->scattered);
    if (bytes <= 0) // local memory that L2 keeps
        return;
    sm->dram_free = max2(sm->dram_free, time) + cycles;
    sm->result->dram_busy += cycles;
    sm->result->dram_bytes += bytes;
}

// A sector that L1 lacks: when it arrives.
//
// L2 takes as long for a line as for each of its sectors: whole lines come 1.6 times as fast as single sectors (the
// rows of 16 and 32 MB read in tests/golden/h200_memory.csv and h100_memory.csv). What comes to one SM has a rate, too.
static double fetch(struct sm *sm, const struct l2_request *request, bool is_line)
{
    const struct replay_inst *inst = request->inst;
    double cycles = max2(32 / sm->c->l2_bytes_cycle, (is_line ? 1 : 0.5) * 32 / sm->l2_rate);
    sm->l2_free = max2(sm->l2_free, request->time) + cycles;
    sm->result->l2_busy += cycles;
    double arrival = sm->l2_free + (double)sm->job->gpu->l2_latency;
    if (request->is_local)
        take_dram(sm, inst, request->time, 32 * sm->job->local_missed);
    else
        take_dram(sm, inst, request->time, 32 * inst->dram / (inst->sharing > 1 ? inst->sharing : 1));
    if (!request->from_dram)
        return arrival;
    // Requests queue in front of a DRAM that is in use: the fuller, the longer.
    double load = sm->dram_free > 0 ? fmin(sm->result->dram_busy / sm->dram_free, 1) : 0;
    double latency = (double)sm->job->gpu->dram_latency + sm->c->dram_spread * (request->luck - 0.5);
    return max2(arrival, sm->dram_free + latency + sm->c->dram_extra * load);
}

// Takes the load/store pipe for cycles from time on; returns when it has done so.
static double take_pipe(struct sm *sm, double time, double cycles, double *busy)
{
    sm->lsu_free = max2(sm->lsu_free, time) + cycles;
    *busy += cycles;
    return sm->lsu_free;
}

// L1 compares four lines' tags at a time.
static double tag_cycles(const struct replay_step *step)
{
    enum { TAGS = 4 };
    return (step->lines + TAGS - 1) / TAGS;
}

// What L1 does again for a load whose data come later.
static double late_cycles(const struct sm *sm, const struct replay_step *step)
{
    double few = sm->c->late_cycles * (step->lines < 2 ? step->lines : 2);
    return step->lines > 4 ? tag_cycles(step) : few;
}

static double take_l1(struct sm *sm, double time, double cycles)
{
    return take_pipe(sm, time, sm->c->access_cycles + cycles, &sm->result->l1_busy);
}

// The way to L2, for requests and for what is stored.
static void take_l2_input(struct sm *sm, double time, double cycles)
{
    sm->l2_in_free = max2(sm->l2_in_free, time) + cycles;
    sm->result->l2_in_busy += cycles;
}

// A sector of a step. A warp has local memory of its own, which it leaves to the one that takes its place.
static uint64_t sector_at(const struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step,
                          uint32_t i)
{
    const uint64_t window = (uint64_t)1 << 62, warps = (uint64_t)1 << 32;
    uint64_t sector = sm->job->sectors[step->first + i];
    return step->local ? window + (uint64_t)(warp - sm->warps) * warps + sector : sector;
}

// What is there leaves L1 while tags are compared. What is not, or not yet, is looked up now and handed out later.
static double global_load(struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step, double time,
                          bool bypass, enum replay_reason *reason)
{
    struct l2_request request = {.inst = &sm->job->insts[step->inst], .is_local = step->local};
    double looked_up = take_l1(sm, time, max2(step->data_cycles, tag_cycles(step)));
    double arrival = looked_up + (double)sm->job->gpu->l1_latency;
    uint64_t line = UINT64_MAX; // that the last request was for
    bool late = false;
    request.from_dram = waits_for_dram(sm, warp, step);
    *reason = REPLAY_WAIT_L1;
    for (uint32_t i = 0; i < step->sectors; i++) {
        uint64_t sector = sector_at(sm, warp, step, i);
        bool hit = false;
        struct l1_line *kept = bypass ? NULL : l1_take(&sm->l1, sector, &hit);
        if (!hit) {
            bool is_line = sector / LINE_SECTORS != line;
            if (is_line) {
                take_l2_input(sm, looked_up, sm->c->request_cycles);
                request.time = sm->l2_in_free; // after what was stored before
                request.luck = luck_of(sm, warp, i);
            }
            line = sector / LINE_SECTORS;
            double there = fetch(sm, &request, is_line);
            arrival = max2(arrival, there);
            if (kept)
                kept->arrives[sector % LINE_SECTORS] = there;
            *reason = request.from_dram ? REPLAY_WAIT_DRAM : REPLAY_WAIT_L2;
        } else if (kept->arrives[sector % LINE_SECTORS] > arrival) {
            // Warps that follow one another through memory spread out until few of them wait for DRAM.
            double wait = looked_up + (double)sm->job->gpu->l2_latency;
            arrival = max2(arrival, fmin(kept->arrives[sector % LINE_SECTORS], wait));
            *reason = REPLAY_WAIT_L2;
        }
        late = late || !hit || kept->arrives[sector % LINE_SECTORS] > looked_up;
    }
    if (late && !bypass)
        take_pipe(sm, looked_up, late_cycles(sm, step), &sm->result->l1_busy);
    return arrival;
}

static void global_store(struct sm *sm, const struct replay_inst *inst, const struct replay_step *step, double time)
{
    double done = take_l1(sm, time, max2(step->data_cycles, tag_cycles(step)));
    double joined = step->partial ? inst->joined : 0, line = sm->c->request_cycles * (1 + joined);
    double part = sm->c->partial_cycles + (sm->c->joined_cycles - sm->c->partial_cycles) * joined;
    take_l2_input(sm, done, line * step->lines + (step->partial ? part : sm->c->store_cycles) * step->sectors);
    take_dram(sm, inst, done, 32 * (step->local ? sm->job->local_missed : inst->dram) * step->sectors);
}

// The lanes' data of an asynchronous copy are written to shared memory eight lanes at a time.
static void async_copy(struct sm *sm, struct replayed_warp *warp, const struct replay_step *step, double time)
{
    enum replay_reason reason;
    double arrival = global_load(sm, warp, step, time, sm->job->insts[step->inst].bypasses, &reason);
    double cycles = sm->c->copy_cycles * max2(step->wavefronts, step->active / copy_lanes);
    take_pipe(sm, time, cycles, &sm->result->shared_busy);
    warp->copies.open = max2(warp->copies.open, arrival + cycles);
    if (sm->job->log)
        replay_log_place(sm->job->log, warp->row, time, arrival + cycles, USE_COPY, step->place,
                         step->place_end - step->place, sm->job->insts[step->inst].origin);
}

// What L2 takes for a bulk copy when all SMs want something, for this SM's share of them.
static double bulk_l2(const struct sm *sm, const struct replay_step *step, double each_line, double each_sector)
{
    double part = (double)sm->job->active_sms / (double)sm->job->gpu->sms;
    return part * (each_line * step->lines + each_sector * step->sectors);
}

// When what a bulk copy brings from global memory is there. It passes by L1; the last of its lines counts.
static double bulk_load(struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step, double start)
{
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    const struct replay_constants *c = sm->c;
    double few = inst->sharing > 1 ? inst->sharing : 1;
    double cycles = bulk_l2(sm, step, c->bulk_line, c->bulk_sector) * (inst->crowd > 1 ? c->bulk_shared : 1);
    sm->l2_free = max2(sm->l2_free, start) + cycles;
    sm->result->l2_busy += cycles;
    take_dram(sm, inst, start, 32 * inst->dram * step->sectors / few);
    double arrival = max2(sm->l2_free, sm->bulk_free) + (double)sm->job->gpu->l2_latency + c->bulk_latency;
    if (!waits_for_dram(sm, warp, step))
        return arrival;
    const double many = 10; // lines, of which the last comes half as late as the last of all
    double load = sm->dram_free > 0 ? fmin(sm->result->dram_busy / sm->dram_free, 1) : 0;
    double last = c->dram_spread / 2 * step->lines / (step->lines + many);
    double latency = (double)sm->job->gpu->dram_latency + last + c->bulk_latency;
    return max2(arrival, max2(sm->dram_free, sm->bulk_free) + latency + c->dram_extra * load);
}

// The unit that makes bulk copies takes them one after another. Returns when the bytes are there; of those that go to
// global memory, when they have been read.
static double bulk_copy(struct sm *sm, struct replayed_warp *warp, const struct replay_step *step, double time)
{
    const struct replay_constants *c = sm->c;
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    double start = max2(sm->bulk_free, time + c->bulk_issue), more = inst->adds ? c->bulk_add : 1, done;
    double cycles = inst->stores ? step->sectors * (step->partial ? 2 : 1) * more
                                 : max2(step->lines, 32.0 * step->sectors / c->bulk_bytes_cycle);
    sm->bulk_free = start + c->bulk_start * step->rounds + cycles;
    sm->result->bulk_busy += sm->bulk_free - start;
    take_pipe(sm, start, c->bulk_write * step->wavefronts, &sm->result->shared_busy);
    if (inst->stores) {
        take_l2_input(sm, start, more * bulk_l2(sm, step, c->bulk_out_line, c->bulk_out_sector));
        take_dram(sm, inst, start, 32 * inst->dram * step->sectors);
        done = max2(sm->bulk_free + c->bulk_out_latency, sm->l2_in_free);
        warp->bulk_reads.open = max2(warp->bulk_reads.open, done);
    } else {
        done = bulk_load(sm, warp, step, start);
    }
    warp->bulks.open = max2(warp->bulks.open, done);
    if (sm->job->log)
        replay_log_place(sm->job->log, warp->row, time, done, USE_COPY, step->place, step->place_end - step->place,
                         step->inst);
    return done;
}

// When all that the warp copies has come.
static double copies_done(const struct replayed_warp *warp, double time)
{
    time = max2(time, warp->copies.open);
    for (uint32_t i = 0; i < warp->copies.groups; i++)
        time = max2(time, warp->copies.done[i]);
    return time;
}

// ---- issue

static const struct replay_inst *next_inst(const struct sm *sm, const struct replayed_warp *warp)
{
    return &sm->job->insts[warp->trace->steps[warp->next].inst];
}

static bool is_memory(enum replay_kind kind)
{
    return kind >= REPLAY_SHARED_LOAD && kind <= REPLAY_COPY;
}

// The pipe that the instruction takes for longest; PIPES: none for longer than the issue slot.
static enum sass_pipe main_pipe(const struct sm *sm, const struct sass_cost *cost)
{
    enum sass_pipe best = PIPES;
    double most = 1;
    for (int pipe = 0; pipe < PIPES; pipe++)
        if (cost->turns[pipe] * sm->turn[pipe] > most) {
            most = cost->turns[pipe] * sm->turn[pipe];
            best = (enum sass_pipe)pipe;
        }
    return best;
}

static enum lane find_lane(const struct sm *sm, const struct replay_inst *inst)
{
    if (inst->rides || inst->kind == REPLAY_FREE)
        return LANE_NONE;
    if (inst->kind == REPLAY_GLOBAL_STORE)
        return LANE_STORE;
    if (is_memory(inst->kind))
        return LANE_MEMORY;
    enum sass_pipe pipe = main_pipe(sm, &inst->cost);
    return pipe == PIPES ? LANE_ISSUE : (enum lane)(LANE_PIPE + (int)pipe);
}

// All groups but the last `keep`.
static void wait_for(struct replayed_warp *warp, const struct pending *pending, uint32_t keep, enum replay_reason why)
{
    for (uint32_t i = 0; i + keep < pending->groups; i++)
        if (pending->done[i] > warp->when) {
            warp->when = pending->done[i];
            warp->why = why;
        }
}

// Finds when the operands of the next instruction are there, which no other warp changes.
static void look_ahead(const struct sm *sm, struct replayed_warp *warp)
{
    const struct replay_inst *inst = next_inst(sm, warp);
    warp->when = warp->free;
    warp->why = REPLAY_WAIT_ISSUE;
    double more = inst->guarded ? sm->c->guard_cycles : 0; // of the first
    for (uint32_t i = 0; i < inst->source_count; i++, more = 0)
        if (warp->ready[inst->sources[i]] + more > warp->when) {
            warp->when = warp->ready[inst->sources[i]] + more;
            warp->why = (enum replay_reason)warp->reason[inst->sources[i]];
        }
    if (inst->kind == REPLAY_WAIT)
        wait_for(warp, &warp->copies, inst->count, REPLAY_WAIT_ASYNC);
    if (inst->kind == REPLAY_PRODUCT_WAIT)
        wait_for(warp, &warp->products, inst->count, REPLAY_WAIT_ARITHMETIC);
    if (inst->kind == REPLAY_BULK_WAIT)
        wait_for(warp, inst->reads ? &warp->bulk_reads : &warp->bulks, inst->count, REPLAY_WAIT_ASYNC);
    if (is_memory(inst->kind) && !inst->rides && warp->memory_free > warp->when) {
        warp->when = warp->memory_free;
        warp->why = REPLAY_WAIT_QUEUE;
    }
    enum lane lane = sm->lanes[warp->trace->steps[warp->next].inst];
    sm->ready[warp - sm->warps] = (struct issue_view){
        .when = warp->when, .free = warp->free, .lane = lane, .gate = warp->scheduler * LANES + lane};
    sm->choices[warp->scheduler].is_stale = true;
}

// The warp cannot issue until look_ahead is called again.
static void hold(const struct sm *sm, const struct replayed_warp *warp)
{
    sm->ready[warp - sm->warps].when = INFINITY;
    sm->choices[warp->scheduler].is_stale = true;
}

// The cycle from which a scheduler can issue an instruction of this lane; a store may have to wait longer.
static double gate_opens(const struct sm *sm, uint32_t scheduler, enum lane lane)
{
    double slot = sm->scheduler_free[scheduler];
    if (lane >= LANE_PIPE)
        return max2(slot, sm->pipe_free[lane - LANE_PIPE][scheduler]);
    return lane == LANE_NONE ? 0 : lane == LANE_MEMORY ? max2(slot, sm->lsu_free - sm->c->queue_depth) : slot;
}

// L2's input backs up into the queue in front of the load/store pipe.
static double store_opens(const struct sm *sm, double time)
{
    double queue = sm->lsu_free - sm->c->queue_depth, input = sm->l2_in_free - 16 * sm->c->queue_depth;
    return queue > time ? queue : max2(input, time);
}

// What the warp waits for from the time on that its operands are there, until time, in which it issues.
static enum replay_reason reason_for(const struct sm *sm, const struct replayed_warp *warp, enum lane lane, double time)
{
    bool is_queue = (lane == LANE_MEMORY || lane == LANE_STORE) && time > sm->scheduler_free[warp->scheduler];
    if (next_inst(sm, warp)->kind == REPLAY_PRODUCT)
        return REPLAY_WAIT_ARITHMETIC;
    return is_queue ? REPLAY_WAIT_QUEUE : REPLAY_WAIT_ISSUE;
}

static void commit(struct pending *pending)
{
    if (pending->groups == COPY_GROUPS) {
        memmove(pending->done, pending->done + 1, (COPY_GROUPS - 1) * sizeof *pending->done);
        pending->groups--;
    }
    pending->done[pending->groups++] = pending->open;
    pending->open = 0;
}

// A loop of compare-and-swap keeps its warp until each lane has come through: one at a time on a word.
static double shared_atomic(struct sm *sm, struct replayed_warp *warp, const struct replay_inst *inst,
                            const struct replay_step *step, double time)
{
    const struct replay_constants *c = sm->c;
    double each = inst->swaps ? c->swap_cycles : 1, cycles = each * max2(step->wavefronts, 1);
    double done = take_pipe(sm, time, cycles + c->round_cycles * step->rounds, &sm->result->shared_busy);
    if (step->rounds)
        warp->free = max2(warp->free, max2(done, time + c->round_latency * step->rounds));
    return max2(done + c->shared_latency, warp->free);
}

// Fences of one kind follow one another; each keeps its own warp only.
static void fence(struct sm *sm, struct replayed_warp *warp, const struct replay_inst *inst, double time)
{
    const struct replay_constants *c = sm->c;
    const double units[REPLAY_FENCES] = {0, c->fence_block_unit, c->fence_gpu_unit, c->fence_system_unit};
    const double latencies[REPLAY_FENCES] = {0, c->fence_block, c->fence_gpu, c->fence_system};
    double *unit = &sm->fence_free[inst->fence], start = max2(time, *unit);
    *unit = start + units[inst->fence];
    warp->free = max2(warp->free, start + latencies[inst->fence]);
}

// A warp that jumps waits for other instructions. Its scheduler's warps get theirs in turn, and wait for half a round
// of those that jump at the time: 14, 18, 22 and 28.5 cycles with 1, 2, 4 and 8 that jump again and again
// (docs/hardware.md 8).
static void jump(struct sm *sm, struct replayed_warp *warp, const struct replay_inst *inst, double time)
{
    uint32_t served = 1;
    for (uint32_t i = warp->scheduler; i < sm->warp_count; i += sm->job->gpu->schedulers)
        served += sm->landings[i] > time;
    double there = time + sm->c->jump_cycles + (served > 1 ? sm->c->jump_unit * served / 2 : 0);
    if (there <= warp->free)
        return;
    sm->result->waits[REPLAY_WAIT_ISSUE] += there - warp->free;
    if (sm->job->log)
        replay_log_span(sm->job->log, warp->row, time + 1, there, STATE_OTHER, inst->origin);
    warp->free = sm->landings[warp - sm->warps] = there;
}

// Issues at time; returns when results are there.
static double execute(struct sm *sm, struct replayed_warp *warp, const struct replay_inst *inst,
                      const struct replay_step *step, double time, enum replay_reason *reason)
{
    const struct replay_constants *c = sm->c;
    *reason = REPLAY_WAIT_ARITHMETIC;
    switch (inst->kind) {
    case REPLAY_SHARED_LOAD:
        *reason = REPLAY_WAIT_SHARED;
        if (!inst->rides)
            warp->last_shared =
                take_pipe(sm, time, max2(step->wavefronts, 1), &sm->result->shared_busy) + c->shared_latency;
        return step->active ? max2(warp->last_shared, time) : time;
    case REPLAY_SHARED_STORE:
        if (inst->rides)
            return time;
        take_pipe(sm, time, max2(step->wavefronts, 1), &sm->result->shared_busy);
        return time;
    case REPLAY_SHARED_ATOMIC:
        *reason = REPLAY_WAIT_SHARED;
        return shared_atomic(sm, warp, inst, step, time);
    case REPLAY_GLOBAL_LOAD:
        if (step->sectors)
            return global_load(sm, warp, step, time, inst->bypasses, reason);
        take_l1(sm, time, 1);
        return time;
    case REPLAY_GLOBAL_STORE:
        if (step->sectors)
            global_store(sm, inst, step, time);
        return time;
    case REPLAY_GLOBAL_ATOMIC:
        *reason = REPLAY_WAIT_L2;
        if (step->sectors)
            take_l2_input(sm, take_l1(sm, time, step->data_cycles),
                          c->atomic_cycles * max2(step->sectors, step->rounds));
        return max2(time, sm->l2_in_free) + (double)sm->job->gpu->l2_latency;
    case REPLAY_COPY:
        if (step->sectors)
            async_copy(sm, warp, step, time);
        return time;
    case REPLAY_COMMIT:
        commit(&warp->copies);
        return time;
    case REPLAY_PRODUCT: // issued when its scheduler's pipe is free
        sm->result->tensor_busy += inst->cost.turns[PIPE_TENSOR] * sm->turn[PIPE_TENSOR];
        warp->products.open =
            max2(warp->products.open, sm->pipe_free[PIPE_TENSOR][warp->scheduler] + inst->cost.latency);
        return time;
    case REPLAY_PRODUCT_COMMIT:
        commit(&warp->products);
        return time;
    case REPLAY_BULK:
        return step->rounds ? bulk_copy(sm, warp, step, time) : time;
    case REPLAY_BULK_COMMIT:
        commit(&warp->bulks);
        commit(&warp->bulk_reads);
        return time;
    case REPLAY_ARRIVE:
        return inst->copies ? copies_done(warp, time) : time;
    default:
        return time + inst->cost.latency + (inst->kind == REPLAY_SHUFFLE ? c->match_latency * step->rounds : 0);
    }
}

// Blocks are handed out one after another over the whole GPU.
static void start_block(struct sm *sm, uint32_t index, double freed)
{
    double time = max2(freed, sm->launch_free);
    sm->launch_free = time + sm->c->block_launch * (double)sm->job->active_sms;
    struct block_slot *slot = &sm->slots[index];
    const struct replay_block *block = &sm->job->blocks[sm->next_block];
    *slot = (struct block_slot){.used = true,
                                .block = sm->next_block++,
                                .first_warp = index * sm->warps_per_block,
                                .warps = block->warp_count,
                                .alive = block->warp_count};
    slot->phases = sm->phases + (size_t)index * sm->phases_per_block;
    for (uint32_t i = 0; i < block->phase_count; i++)
        slot->phases[i] = (struct replay_phase){.left = block->phases[i]};
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct replayed_warp *warp = &sm->warps[slot->first_warp + i];
        double *ready = warp->ready;
        unsigned char *reason = warp->reason;
        memset(ready, 0, sm->job->register_count * sizeof *ready);
        *warp = (struct replayed_warp){.trace = &block->warps[i],
                                       .block = index,
                                       .alive = true,
                                       .ready = ready,
                                       .reason = reason,
                                       .started = time,
                                       .free = time + sm->c->block_start + i * sm->c->warp_start};
        warp->scheduler = (slot->first_warp + i) % sm->job->gpu->schedulers;
        warp->row = sm->job->log ? replay_log_row(sm->job->log, (uint32_t)slot->block, i) : UINT32_MAX;
        look_ahead(sm, warp);
    }
}

// ---- the log

static enum replay_state doing(enum replay_kind kind)
{
    switch (kind) {
    case REPLAY_FP32:
    case REPLAY_FP64:
    case REPLAY_SPECIAL:
    case REPLAY_TENSOR:
    case REPLAY_PRODUCT:
    case REPLAY_PRODUCT_WAIT:
        return STATE_MATH;
    case REPLAY_SHARED_LOAD:
    case REPLAY_SHARED_STORE:
    case REPLAY_SHARED_ATOMIC:
        return STATE_SHARED;
    case REPLAY_GLOBAL_LOAD:
    case REPLAY_GLOBAL_STORE:
    case REPLAY_GLOBAL_ATOMIC:
        return STATE_GLOBAL;
    case REPLAY_COPY:
    case REPLAY_COMMIT:
    case REPLAY_BULK:
    case REPLAY_BULK_COMMIT:
        return STATE_COPY;
    default:
        return STATE_OTHER;
    }
}

// What the warp waited for, which is what it does itself where nothing but its turn was missing.
static enum replay_state waiting(enum replay_reason why, enum replay_state state)
{
    static const enum replay_state states[REPLAY_REASONS] = {
        [REPLAY_WAIT_DRAM] = STATE_WAIT_DRAM,    [REPLAY_WAIT_L2] = STATE_WAIT_CACHE,
        [REPLAY_WAIT_L1] = STATE_WAIT_CACHE,     [REPLAY_WAIT_SHARED] = STATE_WAIT_SHARED,
        [REPLAY_WAIT_ASYNC] = STATE_WAIT_COPIES, [REPLAY_WAIT_BARRIER] = STATE_WAIT_BARRIER,
        [REPLAY_WAIT_QUEUE] = STATE_WAIT_QUEUE};
    return why == REPLAY_WAIT_ISSUE || why == REPLAY_WAIT_ARITHMETIC ? state : states[why];
}

static void log_issue(const struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step,
                      double there, double time, enum replay_reason why)
{
    struct replay_log *log = sm->job->log;
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    enum replay_state state = doing(inst->kind);
    bool is_work =
        inst->kind != REPLAY_FREE && !inst->rides && inst->kind != REPLAY_WAIT && inst->kind != REPLAY_BULK_WAIT;
    replay_log_span(log, warp->row, warp->free, there, waiting(warp->why, state), inst->origin);
    replay_log_span(log, warp->row, there, time, waiting(why, state), inst->origin);
    if (is_work)
        replay_log_span(log, warp->row, time, time + 1, state, inst->origin);
    if (inst->kind == REPLAY_SHARED_LOAD || inst->kind == REPLAY_SHARED_STORE)
        replay_log_place(log, warp->row, time, time + max2(step->wavefronts, 1),
                         inst->kind == REPLAY_SHARED_LOAD ? USE_READ : USE_WRITE, step->place,
                         step->place_end - step->place, inst->origin);
    if (inst->kind == REPLAY_COMMIT)
        replay_log_pause(log, warp->row);
    const struct replay_result *result = sm->result;
    replay_log_load(log, time,
                    (double[]){[LOAD_ISSUE] = result->issued / (double)sm->job->gpu->schedulers,
                               [LOAD_SHARED] = result->shared_busy,
                               [LOAD_L1] = result->l1_busy,
                               [LOAD_L2] = result->l2_busy,
                               [LOAD_DRAM] = result->dram_busy});
}

// A warp that stands at a barrier since its last instruction, until time.
static void log_barrier(const struct sm *sm, const struct replayed_warp *warp, double time, enum replay_state state)
{
    const struct replay_inst *inst = &sm->job->insts[warp->trace->steps[warp->next - 1].inst];
    replay_log_span(sm->job->log, warp->row, warp->free, time, state, inst->origin);
    replay_log_pause(sm->job->log, warp->row);
}

static void release_barrier(struct sm *sm, struct block_slot *slot)
{
    if (slot->waiting == 0 || slot->waiting < slot->alive)
        return;
    double time = slot->barrier_time + sm->c->barrier_latency;
    for (uint32_t i = 0; i < slot->warps; i++) {
        struct replayed_warp *warp = &sm->warps[slot->first_warp + i];
        if (!warp->alive || !warp->at_barrier)
            continue;
        warp->at_barrier = false;
        sm->result->waits[REPLAY_WAIT_BARRIER] += max2(time - warp->free, 0);
        if (sm->job->log)
            log_barrier(sm, warp, time, STATE_WAIT_BARRIER);
        warp->free = max2(warp->free, time);
        if (warp->next < warp->trace->count)
            look_ahead(sm, warp);
    }
    slot->waiting = 0;
}

static void end_warp(struct sm *sm, struct replayed_warp *warp)
{
    struct block_slot *slot = &sm->slots[warp->block];
    warp->alive = false;
    sm->lived += warp->free - warp->started;
    hold(sm, warp);
    slot->alive--;
    slot->barrier_time = max2(slot->barrier_time, warp->free);
    if (slot->alive) {
        release_barrier(sm, slot);
        return;
    }
    double time = slot->barrier_time;
    sm->result->block_end[slot->block] = time;
    sm->end = max2(sm->end, time);
    slot->used = false;
    sm->ended++;
    if (sm->next_block < sm->job->block_count)
        start_block(sm, warp->block, time);
}

// ---- mbarriers and named barriers: phases

// The phase that the warp awaits has ended, or will when its last copy is there.
static void end_await(struct sm *sm, struct replayed_warp *warp)
{
    const struct replay_phase *phase = &sm->slots[warp->block].phases[warp->awaits];
    const struct replay_inst *inst = &sm->job->insts[warp->trace->steps[warp->next - 1].inst];
    double latency = inst->kind == REPLAY_BARRIER ? sm->c->barrier_latency + sm->c->barrier_warp
                     : phase->is_for_copy         ? sm->c->mbarrier_bytes
                                                  : sm->c->mbarrier_wake;
    double time = phase->time + latency;
    enum replay_reason why = phase->is_for_copy ? REPLAY_WAIT_ASYNC : REPLAY_WAIT_BARRIER;
    warp->awaits = 0;
    if (time <= warp->free)
        return;
    sm->result->waits[why] += time - warp->free;
    if (sm->job->log)
        log_barrier(sm, warp, time, phase->is_for_copy ? STATE_WAIT_COPIES : STATE_WAIT_BARRIER);
    warp->free = time;
}

// One more of those that the phase is made of: with the last one those go on that await it.
static void end_part(struct sm *sm, struct block_slot *slot, uint32_t number, double time, bool is_copy)
{
    struct replay_phase *phase = &slot->phases[number];
    if (time >= phase->time) {
        phase->time = time;
        phase->is_for_copy = is_copy;
    }
    if (--phase->left > 0)
        return;
    for (uint32_t i = 0; i < slot->warps; i++) {
        struct replayed_warp *warp = &sm->warps[slot->first_warp + i];
        if (!warp->alive || warp->awaits != number)
            continue;
        end_await(sm, warp);
        if (warp->next < warp->trace->count)
            look_ahead(sm, warp);
        else
            end_warp(sm, warp);
    }
}

// time: when it has arrived, or its bytes have come.
static void meet_phase(struct sm *sm, struct replayed_warp *warp, const struct replay_inst *inst,
                       const struct replay_step *step, double time)
{
    struct block_slot *slot = &sm->slots[warp->block];
    if (inst->kind != REPLAY_AWAIT)
        end_part(sm, slot, step->first, time, inst->kind == REPLAY_BULK || inst->copies);
    if (inst->kind != REPLAY_AWAIT && inst->kind != REPLAY_BARRIER)
        return;
    warp->awaits = step->first;
    if (slot->phases[step->first].left == 0)
        end_await(sm, warp);
}

// match.any takes its pipe for each value that the lanes have; its cost is that of a warp in which all differ. So do
// loads from constant memory for each address; their cost is that of one.
static double part_of_turns(const struct replay_inst *inst, const struct replay_step *step)
{
    if (inst->kind == REPLAY_CONSTANT)
        return step->active ? max2(step->rounds, 1) : 0;
    return inst->kind == REPLAY_SHUFFLE && step->rounds ? step->rounds / (double)WARP_LANES : 1;
}

// What PTX does not show: ptxas stores and loads registers all over its text. They are taken to be in L1, and in time.
static void spill(struct sm *sm, struct replayed_warp *warp, double time)
{
    for (; warp->spills >= 1; warp->spills--) {
        sm->scheduler_free[warp->scheduler] = max2(sm->scheduler_free[warp->scheduler], time) + 1;
        warp->free = max2(warp->free, time) + sm->c->issue_gap;
        warp->memory_free = max2(warp->memory_free, time) + sm->c->memory_gap;
        take_l1(sm, time, 1);
        sm->result->issued++;
    }
}

static void issue(struct sm *sm, struct replayed_warp *warp, double time, enum replay_reason why)
{
    const struct replay_step *step = &warp->trace->steps[warp->next++];
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    double there = warp->when < time ? max2(warp->when, warp->free) : time; // its operands; then it waits for its turn
    sm->result->waits[warp->why] += max2(there - warp->free, 0);
    sm->result->waits[why] += max2(time - there, 0);
    if (sm->job->log)
        log_issue(sm, warp, step, there, time, why);
    if (warp->next == warp->trace->early)
        sm->early += time - warp->started;
    if (inst->kind != REPLAY_FREE && !inst->rides) {
        double issues = is_memory(inst->kind) ? 1 : inst->cost.instructions, part = part_of_turns(inst, step);
        sm->scheduler_free[warp->scheduler] = time + issues;
        for (int pipe = 0; pipe < PIPES && !is_memory(inst->kind); pipe++)
            if (inst->cost.turns[pipe] > 0)
                sm->pipe_free[pipe][warp->scheduler] =
                    max2(sm->pipe_free[pipe][warp->scheduler], time) + part * inst->cost.turns[pipe] * sm->turn[pipe];
        warp->free = time + sm->c->issue_gap * issues;
        sm->result->issued += issues;
        warp->spills += sm->job->spills * issues;
        spill(sm, warp, time);
    }
    if (is_memory(inst->kind) && !inst->rides)
        warp->memory_free = time + max2(sm->c->memory_gap, sm->c->warp_wavefronts * step->wavefronts);
    if (inst->sleeps)
        warp->free = max2(warp->free, time + (double)step->sleep);
    if (inst->fence)
        fence(sm, warp, inst, time);
    if (step->jumps && inst->kind == REPLAY_CONTROL)
        jump(sm, warp, inst, time);
    enum replay_reason reason;
    double ready = execute(sm, warp, inst, step, time, &reason);
    // What no lane does leaves what is on its way to the same place, which others wait for.
    for (uint32_t i = 0; i < inst->result_count; i++) {
        double *until = &warp->ready[inst->results[i]];
        if (!step->active && *until >= ready)
            continue;
        *until = ready;
        warp->reason[inst->results[i]] = (unsigned char)reason;
    }
    if (inst->kind == REPLAY_AWAIT)
        warp->free = max2(warp->free, time + sm->c->mbarrier_ask);
    if (inst->kind >= REPLAY_BARRIER && step->first) {
        meet_phase(sm, warp, inst, step, ready);
    } else if (inst->kind == REPLAY_BARRIER) {
        struct block_slot *slot = &sm->slots[warp->block];
        warp->at_barrier = true;
        warp->barriers++;
        sm->barrier_free = max2(sm->barrier_free, time) + sm->c->barrier_unit;
        slot->barrier_time = max2(slot->waiting++ ? slot->barrier_time : 0, sm->barrier_free) + sm->c->barrier_warp;
        release_barrier(sm, slot);
    }
    if (warp->next == warp->trace->count && !warp->awaits) {
        end_warp(sm, warp);
        return;
    }
    if (warp->next < warp->trace->count)
        look_ahead(sm, warp);
    if (warp->at_barrier || warp->awaits)
        hold(sm, warp);
}

static bool is_before(const struct choice *a, const struct choice *b)
{
    if (a->time < b->time || b->warp == UINT32_MAX)
        return a->time < b->time;
    bool is_equal = a->time <= b->time;
    return is_equal && (a->free < b->free || (a->free <= b->free && a->warp < b->warp));
}

static double issues_at(const struct sm *sm, const struct issue_view *ready)
{
    double when = max2(ready->when, sm->gates[ready->gate]);
    return ready->lane == LANE_STORE ? store_opens(sm, when) : when;
}

static void choose_of(struct sm *sm, uint32_t scheduler)
{
    uint32_t schedulers = sm->job->gpu->schedulers;
    struct choice best = {.warp = UINT32_MAX, .time = INFINITY};
    bool has_stores = false;
    for (uint32_t i = scheduler; i < sm->warp_count; i += schedulers) {
        const struct issue_view *ready = &sm->ready[i];
        has_stores |= ready->lane == LANE_STORE;
        if (ready->when > best.time)
            continue;
        double when = issues_at(sm, ready);
        if (when < best.time || (when <= best.time && best.warp != UINT32_MAX && ready->free < best.free))
            best = (struct choice){.warp = i, .time = when, .free = ready->free};
    }
    best.is_stale = has_stores;
    sm->choices[scheduler] = best;
}

static struct replayed_warp *choose(struct sm *sm, double *time, enum replay_reason *why)
{
    struct choice best = {.warp = UINT32_MAX, .time = INFINITY};
    for (uint32_t i = 0; i < sm->job->gpu->schedulers; i++) {
        const struct choice *choice = &sm->choices[i];
        uint32_t first = choice->is_stale ? 0 : LANE_MEMORY, end = choice->is_stale ? LANES : LANE_STORE;
        for (uint32_t lane = first; lane < end; lane++)
            sm->gates[i * LANES + lane] = gate_opens(sm, i, (enum lane)lane);
        if (choice->is_stale || (choice->warp != UINT32_MAX && issues_at(sm, &sm->ready[choice->warp]) > choice->time))
            choose_of(sm, i);
        if (is_before(choice, &best))
            best = *choice;
    }
    if (best.warp == UINT32_MAX)
        return NULL;
    *time = best.time;
    *why = reason_for(sm, &sm->warps[best.warp], sm->ready[best.warp].lane, *time);
    return &sm->warps[best.warp];
}

// Cycles of a scheduler's pipe for one warp instruction: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions", results a cycle and SM over four schedulers; of tensor cores on sm_90 docs/hardware.md 8.
static void set_pipes(struct sm *sm)
{
    const struct gpu_profile *gpu = sm->job->gpu;
    double schedulers = (double)gpu->schedulers;
    unsigned arch = gpu->sm;
    sm->turn[PIPE_FP32] = 32 * schedulers / (double)gpu->fp32_lanes;
    sm->turn[PIPE_HEAVY] = 2;
    sm->turn[PIPE_INT] = 32 * schedulers / (double)gpu->int32_lanes;
    sm->turn[PIPE_SPECIAL] = 8;
    sm->turn[PIPE_FP64] = arch >= 90 && arch <= 100 ? 2 : arch == 70 || arch == 80 ? 4 : 64;
    sm->turn[PIPE_TENSOR] = arch >= 90 ? (int)REPLAY_TENSOR_TURN : arch == 80 ? 8 : 16;
    sm->turn[PIPE_SHUFFLE] = 4;
    sm->turn[PIPE_CONSTANT] = schedulers * sm->c->constant_cycles;
    for (int pipe = 0; pipe < PIPES; pipe++)
        sm->pipe_free[pipe] = arena_alloc(sm->arena, gpu->schedulers * sizeof(double));
    sm->lanes = arena_alloc(sm->arena, (sm->job->inst_count + 1) * sizeof *sm->lanes);
    for (uint32_t i = 0; i < sm->job->inst_count; i++)
        sm->lanes[i] = find_lane(sm, &sm->job->insts[i]);
}

static void setup(struct sm *sm)
{
    const struct replay_job *job = sm->job;
    const struct gpu_profile *gpu = job->gpu;
    sm->slot_count = job->resident;
    for (size_t i = 0; i < job->block_count; i++) {
        if (job->blocks[i].warp_count > sm->warps_per_block)
            sm->warps_per_block = job->blocks[i].warp_count;
        if (job->blocks[i].phase_count > sm->phases_per_block)
            sm->phases_per_block = job->blocks[i].phase_count;
    }
    sm->phases = arena_alloc(sm->arena, ((size_t)sm->slot_count * sm->phases_per_block + 1) * sizeof *sm->phases);
    sm->warp_count = sm->slot_count * sm->warps_per_block;
    sm->warps = arena_alloc(sm->arena, sm->warp_count * sizeof *sm->warps);
    sm->ready = arena_alloc(sm->arena, sm->warp_count * sizeof *sm->ready);
    sm->landings = arena_alloc(sm->arena, sm->warp_count * sizeof *sm->landings);
    sm->gates = arena_alloc(sm->arena, gpu->schedulers * LANES * sizeof *sm->gates);
    sm->choices = arena_alloc(sm->arena, gpu->schedulers * sizeof *sm->choices);
    for (uint32_t i = 0; i < gpu->schedulers; i++)
        sm->choices[i] = (struct choice){.warp = UINT32_MAX, .time = INFINITY};
    sm->slots = arena_alloc(sm->arena, sm->slot_count * sizeof *sm->slots);
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        sm->warps[i].ready = arena_alloc(sm->arena, job->register_count * sizeof(double));
        sm->warps[i].reason = arena_alloc(sm->arena, job->register_count);
        hold(sm, &sm->warps[i]);
    }
    sm->scheduler_free = arena_alloc(sm->arena, gpu->schedulers * sizeof(double));
    set_pipes(sm);
    double mhz = (double)gpu->mhz, sms = (double)job->active_sms;
    // The H200's L2 figure, in proportion to SMs and clock: 132 SMs at 1980 MHz.
    double in_proportion = sm->c->l2_total_gbps * (double)gpu->sms * mhz / (132.0 * 1980.0);
    double l2_total = gpu->l2_gbps > 0 ? gpu->l2_gbps : in_proportion;
    sm->l2_rate = 1e3 * l2_total / mhz / sms;
    double dram_total = 1e3 * sm->c->dram_efficiency * gpu->dram_gbps / mhz;
    sm->dram_rate = fmin(sm->c->l2_bytes_cycle, dram_total / sms);
    sm->bulk_dram_rate = fmin(sm->c->bulk_bytes_cycle, dram_total / sms);
    uint64_t shared = (uint64_t)(job->shared_bytes + gpu->shared_reserved) * job->resident;
    uint64_t l1_bytes = gpu->l1_bytes > shared ? gpu->l1_bytes - shared : 16 * 1024;
    sm->l1.sets = l1_bytes < LINE_SECTORS * 32 * L1_WAYS ? 1 : l1_bytes / (LINE_SECTORS * 32 * L1_WAYS);
    sm->l1.lines = arena_alloc(sm->arena, sm->l1.sets * L1_WAYS * sizeof *sm->l1.lines);
}

void replay_run(const struct replay_job *job, const struct replay_constants *constants, struct replay_result *result)
{
    *result = (struct replay_result){0};
    result->block_end = mem_alloc(job->block_count * sizeof *result->block_end);
    struct sm sm = {.job = job, .c = constants, .result = result, .arena = arena_new()};
    setup(&sm);
    for (uint32_t i = 0; i < sm.slot_count && sm.next_block < job->block_count; i++)
        start_block(&sm, i, 0);
    for (;;) {
        double time = 0;
        enum replay_reason why = REPLAY_WAIT_ISSUE;
        struct replayed_warp *warp = choose(&sm, &time, &why);
        if (!warp)
            break;
        issue(&sm, warp, time, why);
    }
    // What is still on its way out counts too.
    result->cycles = max2(max2(sm.end, sm.l2_in_free), sm.dram_free);
    result->early = sm.lived > 0 ? sm.early / sm.lived : 0;
    arena_free(sm.arena);
}
