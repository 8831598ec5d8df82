// Discrete events on one SM: schedulers, pipes, L1, and the share of L2 and DRAM.
#include "model/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
};

struct l1 {
    struct l1_line *lines;
    uint64_t sets;
    uint32_t clock;
};

// Whether the sector is there; it is from now on.
static bool l1_take(struct l1 *l1, uint64_t sector)
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
    bool hit = line->sectors & bit;
    line->sectors |= bit;
    line->used = ++l1->clock;
    return hit;
}

// ---- state

enum { COPY_GROUPS = 16 };
static const double copy_lanes = 8;

struct replayed_warp {
    const struct replay_warp *trace;
    size_t next;
    uint32_t block; // slot
    uint32_t scheduler;
    uint32_t row; // of the log
    bool alive, at_barrier;
    double free;                // earliest issue by the instruction before
    double when;                // earliest issue of the next one by that and its operands
    enum replay_reason why;     // which of them is the latest
    double *ready;              // by register
    unsigned char *reason;      // why the register is late
    double last_shared;         // when the youngest shared load's data are there: fused ones ride along
    double copy_open;           // when the copies of the open group land
    double copies[COPY_GROUPS]; // when each committed group is complete; [groups - 1] the youngest
    uint32_t groups;
};

struct block_slot {
    bool used;
    size_t block;
    uint32_t first_warp, warps, alive, waiting;
    double barrier_time;
};

// What an instruction waits for beside its own warp: the issue slot, and with it one of these.
enum lane { LANE_NONE, LANE_ISSUE, LANE_INT, LANE_FP32, LANE_SLOW, LANE_MEMORY, LANE_STORE, LANES };

// Cycles of a scheduler's pipe for one warp instruction: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions", results a cycle and SM over four schedulers. Tensor cores: as if a 16x8x16 product of halves.
static const struct kind_traits {
    enum lane lane;
    uint8_t cycles;  // 0: the GPU's lanes decide
    uint8_t latency; // of results, in latencies of the ALU; memory: execute() says
} traits[] = {
    [REPLAY_FREE] = {LANE_NONE, 1, 0},
    [REPLAY_INT] = {LANE_INT, 0, 1},
    [REPLAY_FP32] = {LANE_FP32, 0, 1},
    [REPLAY_FP64] = {LANE_SLOW, 0, 3},
    [REPLAY_SPECIAL] = {LANE_SLOW, 8, 4},
    [REPLAY_TENSOR] = {LANE_SLOW, 16, 3},
    [REPLAY_CONTROL] = {LANE_ISSUE, 1, 1},
    [REPLAY_SHUFFLE] = {LANE_SLOW, 4, 4},
    [REPLAY_SHARED_LOAD] = {LANE_MEMORY, 1, 0},
    [REPLAY_SHARED_STORE] = {LANE_MEMORY, 1, 0},
    [REPLAY_SHARED_ATOMIC] = {LANE_MEMORY, 1, 0},
    [REPLAY_GLOBAL_LOAD] = {LANE_MEMORY, 1, 0},
    [REPLAY_GLOBAL_STORE] = {LANE_STORE, 1, 0},
    [REPLAY_GLOBAL_ATOMIC] = {LANE_MEMORY, 1, 0},
    [REPLAY_COPY] = {LANE_MEMORY, 1, 0},
    [REPLAY_COMMIT] = {LANE_ISSUE, 1, 0},
    [REPLAY_WAIT] = {LANE_ISSUE, 1, 1},
    [REPLAY_BARRIER] = {LANE_ISSUE, 1, 1},
};

// What choosing the next warp looks at, side by side: it looks at all warps for every instruction.
struct issue_view {
    double when, free; // as the warp's; INFINITY: cannot issue now
    enum lane lane;    // of its next instruction
    uint32_t gate;     // scheduler * LANES + lane
};

struct sm {
    struct arena *arena; // of all below
    const struct replay_job *job;
    const struct replay_constants *c;
    struct replay_result *result;
    struct replayed_warp *warps;
    struct issue_view *ready; // by warp
    double *gates;            // earliest issue through each gate
    struct block_slot *slots;
    uint32_t slot_count, warps_per_block, warp_count;
    double *scheduler_free;
    double *pipe_free[3]; // by scheduler: INT, FP32, the slow ones
    double lsu_free, l2_free, l2_in_free, dram_free;
    double l2_rate, dram_rate;    // bytes a cycle for this SM
    double lanes_int, lanes_fp32; // of one scheduler
    struct l1 l1;
    size_t next_block, ended;
    double end;
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
    bool from_dram; // it waits for DRAM, not for L2 alone
};

// Whether this block waits for DRAM at this step. Of the SMs that want the same at about the same time the first one
// waits longest, and those after it find the sectors in L2; a block's warps wait together, for they load a tile
// together. So the step, not the warp, draws the lot.
static bool waits_for_dram(const struct sm *sm, const struct replayed_warp *warp, const struct replay_inst *inst)
{
    double part = fmin(inst->dram, 1) / pow(inst->sharing > 1 ? inst->sharing : 1, sm->c->sharing_power);
    uint64_t lot = (sm->slots[warp->block].block * 0x9e3779b97f4a7c15u ^ warp->next) * 0xbf58476d1ce4e5b9u;
    lot = (lot ^ lot >> 29) * 0x94d049bb133111ebu;
    return (double)(lot >> 11) < part * 0x1p53;
}

// Isolated lines open a page of DRAM each: it moves them more slowly than long runs.
static void take_dram(struct sm *sm, const struct replay_inst *inst, double time, double bytes)
{
    double cycles = bytes / sm->dram_rate * (1 + sm->c->dram_scatter * inst->scattered);
    sm->dram_free = max2(sm->dram_free, time) + cycles;
    sm->result->dram_busy += cycles;
    sm->result->dram_bytes += bytes;
}

// A sector that L1 lacks: when it arrives.
static double fetch(struct sm *sm, const struct l2_request *request)
{
    const struct replay_inst *inst = request->inst;
    double cycles = 32 / sm->l2_rate;
    sm->l2_free = max2(sm->l2_free, request->time) + cycles;
    sm->result->l2_busy += cycles;
    double arrival = sm->l2_free + (double)sm->job->gpu->l2_latency;
    take_dram(sm, inst, request->time, 32 * inst->dram / (inst->sharing > 1 ? inst->sharing : 1));
    if (!request->from_dram)
        return arrival;
    // Requests queue in front of a DRAM that is in use: the fuller, the longer.
    double load = sm->dram_free > 0 ? fmin(sm->result->dram_busy / sm->dram_free, 1) : 0;
    return max2(arrival, sm->dram_free + (double)sm->job->gpu->dram_latency + sm->c->dram_extra * load);
}

// Takes the load/store pipe for cycles from time on; returns when it has done so.
static double take_pipe(struct sm *sm, double time, double cycles, double *busy)
{
    sm->lsu_free = max2(sm->lsu_free, time) + cycles;
    *busy += cycles;
    return sm->lsu_free;
}

// L1 looks up one line a cycle.
static double take_l1(struct sm *sm, const struct replay_step *step, double time)
{
    return take_pipe(sm, time, sm->c->access_cycles + step->lines, &sm->result->l1_busy);
}

// The way to L2, for requests and for what is stored.
static void take_l2_input(struct sm *sm, double time, double cycles)
{
    sm->l2_in_free = max2(sm->l2_in_free, time) + cycles;
    sm->result->l2_in_busy += cycles;
}

static double global_load(struct sm *sm, const struct replayed_warp *warp, const struct replay_step *step, double time,
                          bool bypass, enum replay_reason *reason)
{
    struct l2_request request = {.inst = &sm->job->insts[step->inst]};
    double looked_up = take_l1(sm, step, time), arrival = looked_up + (double)sm->job->gpu->l1_latency;
    uint64_t line = UINT64_MAX; // that the last request was for
    request.from_dram = waits_for_dram(sm, warp, request.inst);
    *reason = REPLAY_WAIT_L1;
    for (uint32_t i = 0; i < step->sectors; i++) {
        uint64_t sector = sm->job->sectors[step->first + i];
        if (!bypass && l1_take(&sm->l1, sector))
            continue;
        if (sector / LINE_SECTORS != line) {
            take_l2_input(sm, looked_up, sm->c->request_cycles);
            request.time = sm->l2_in_free; // after what was stored before
        }
        line = sector / LINE_SECTORS;
        arrival = max2(arrival, fetch(sm, &request));
        *reason = request.from_dram ? REPLAY_WAIT_DRAM : REPLAY_WAIT_L2;
    }
    return arrival;
}

static void global_store(struct sm *sm, const struct replay_inst *inst, const struct replay_step *step, double time)
{
    double done = take_l1(sm, step, time);
    double each = step->partial ? sm->c->partial_cycles : sm->c->store_cycles;
    take_l2_input(sm, done, sm->c->request_cycles * step->lines + each * step->sectors);
    take_dram(sm, inst, done, 32 * inst->dram * step->sectors);
}

// The lanes' data of an asynchronous copy are written to shared memory eight lanes at a time.
static void async_copy(struct sm *sm, struct replayed_warp *warp, const struct replay_step *step, double time)
{
    enum replay_reason reason;
    double arrival = global_load(sm, warp, step, time, true, &reason);
    double cycles = sm->c->copy_cycles * max2(step->wavefronts, step->active / copy_lanes);
    take_pipe(sm, time, cycles, &sm->result->shared_busy);
    warp->copy_open = max2(warp->copy_open, arrival + cycles);
    if (sm->job->log)
        replay_log_place(sm->job->log, warp->row, time, arrival + cycles, USE_COPY, step->place,
                         step->place_end - step->place);
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

static enum lane lane_of(const struct replay_inst *inst)
{
    return inst->rides ? LANE_NONE : traits[inst->kind].lane;
}

// Finds when the operands of the next instruction are there, which no other warp changes.
static void look_ahead(const struct sm *sm, struct replayed_warp *warp)
{
    const struct replay_inst *inst = next_inst(sm, warp);
    warp->when = warp->free;
    warp->why = REPLAY_WAIT_ISSUE;
    for (uint32_t i = 0; i < inst->source_count; i++)
        if (warp->ready[inst->sources[i]] > warp->when) {
            warp->when = warp->ready[inst->sources[i]];
            warp->why = (enum replay_reason)warp->reason[inst->sources[i]];
        }
    if (inst->kind == REPLAY_WAIT)
        for (uint32_t i = 0; i + inst->count < warp->groups; i++)
            if (warp->copies[i] > warp->when) {
                warp->when = warp->copies[i];
                warp->why = REPLAY_WAIT_ASYNC;
            }
    enum lane lane = lane_of(inst);
    sm->ready[warp - sm->warps] = (struct issue_view){
        .when = warp->when, .free = warp->free, .lane = lane, .gate = warp->scheduler * LANES + lane};
}

// The warp cannot issue until look_ahead is called again.
static void hold(const struct sm *sm, const struct replayed_warp *warp)
{
    sm->ready[warp - sm->warps].when = INFINITY;
}

// The cycle from which a scheduler can issue an instruction of this lane; a store may have to wait longer.
static double gate_opens(const struct sm *sm, uint32_t scheduler, enum lane lane)
{
    double slot = sm->scheduler_free[scheduler];
    switch (lane) {
    case LANE_NONE:
        return 0;
    case LANE_INT:
    case LANE_FP32:
        return max2(slot, sm->pipe_free[lane == LANE_FP32][scheduler]);
    case LANE_SLOW:
        return max2(slot, sm->pipe_free[2][scheduler]);
    case LANE_MEMORY:
        return max2(slot, sm->lsu_free - sm->c->queue_depth);
    default:
        return slot;
    }
}

// L2's input backs up into the queue in front of the load/store pipe.
static double store_opens(const struct sm *sm, double time)
{
    double queue = sm->lsu_free - sm->c->queue_depth, input = sm->l2_in_free - 16 * sm->c->queue_depth;
    return queue > time ? queue : max2(input, time);
}

// What the warp waits for until time, in which its next instruction issues.
static enum replay_reason reason_for(const struct sm *sm, const struct replayed_warp *warp, enum lane lane, double time)
{
    if (time <= warp->when)
        return warp->why;
    bool is_queue = (lane == LANE_MEMORY || lane == LANE_STORE) && time > sm->scheduler_free[warp->scheduler];
    return is_queue ? REPLAY_WAIT_QUEUE : REPLAY_WAIT_ISSUE;
}

static double pipe_cycles(const struct sm *sm, enum replay_kind kind)
{
    unsigned arch = sm->job->gpu->sm;
    switch (kind) {
    case REPLAY_INT:
        return 32 / sm->lanes_int;
    case REPLAY_FP32:
        return 32 / sm->lanes_fp32;
    case REPLAY_FP64:
        return arch >= 90 && arch <= 100 ? 2 : arch == 70 || arch == 80 ? 4 : 64;
    default:
        return traits[kind].cycles;
    }
}

static void commit(struct replayed_warp *warp)
{
    if (warp->groups == COPY_GROUPS) {
        memmove(warp->copies, warp->copies + 1, (COPY_GROUPS - 1) * sizeof *warp->copies);
        warp->groups--;
    }
    warp->copies[warp->groups++] = warp->copy_open;
    warp->copy_open = 0;
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
        return max2(warp->last_shared, time);
    case REPLAY_SHARED_STORE:
        if (inst->rides)
            return time;
        take_pipe(sm, time, max2(step->wavefronts, 1), &sm->result->shared_busy);
        return time;
    case REPLAY_SHARED_ATOMIC:
        *reason = REPLAY_WAIT_SHARED;
        return take_pipe(sm, time, c->atomic_cycles * max2(step->wavefronts, 1), &sm->result->shared_busy) +
               c->shared_latency;
    case REPLAY_GLOBAL_LOAD:
        return step->sectors ? global_load(sm, warp, step, time, false, reason) : time;
    case REPLAY_GLOBAL_STORE:
        if (step->sectors)
            global_store(sm, inst, step, time);
        return time;
    case REPLAY_GLOBAL_ATOMIC:
        *reason = REPLAY_WAIT_L2;
        if (step->sectors)
            global_store(sm, inst, step, time);
        return time + (double)sm->job->gpu->l2_latency;
    case REPLAY_COPY:
        if (step->sectors)
            async_copy(sm, warp, step, time);
        return time;
    case REPLAY_COMMIT:
        commit(warp);
        return time;
    default:
        return time + traits[inst->kind].latency * c->alu_latency;
    }
}

static void start_block(struct sm *sm, uint32_t index, double time)
{
    struct block_slot *slot = &sm->slots[index];
    const struct replay_block *block = &sm->job->blocks[sm->next_block];
    *slot = (struct block_slot){.used = true,
                                .block = sm->next_block++,
                                .first_warp = index * sm->warps_per_block,
                                .warps = block->warp_count,
                                .alive = block->warp_count};
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
                                       .free = time + sm->c->block_start};
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
                      double since, double time, enum replay_reason why)
{
    struct replay_log *log = sm->job->log;
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    enum replay_state state = doing(inst->kind);
    bool is_work = inst->kind != REPLAY_FREE && !inst->rides && inst->kind != REPLAY_WAIT;
    replay_log_span(log, warp->row, since, time, waiting(why, state), step->inst);
    if (is_work)
        replay_log_span(log, warp->row, time, time + 1, state, step->inst);
    if (inst->kind == REPLAY_SHARED_LOAD || inst->kind == REPLAY_SHARED_STORE)
        replay_log_place(log, warp->row, time, time + max2(step->wavefronts, 1),
                         inst->kind == REPLAY_SHARED_LOAD ? USE_READ : USE_WRITE, step->place,
                         step->place_end - step->place);
    const struct replay_result *result = sm->result;
    replay_log_load(log, time,
                    (double[]){[LOAD_ISSUE] = result->issued / (double)sm->job->gpu->schedulers,
                               [LOAD_SHARED] = result->shared_busy,
                               [LOAD_L1] = result->l1_busy,
                               [LOAD_L2] = result->l2_busy,
                               [LOAD_DRAM] = result->dram_busy});
}

// A warp that stands at a barrier since its last instruction, until time.
static void log_barrier(const struct sm *sm, const struct replayed_warp *warp, double time)
{
    replay_log_span(sm->job->log, warp->row, warp->free, time, STATE_WAIT_BARRIER,
                    warp->trace->steps[warp->next - 1].inst);
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
            log_barrier(sm, warp, time);
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

static void issue(struct sm *sm, struct replayed_warp *warp, double time, enum replay_reason why)
{
    const struct replay_step *step = &warp->trace->steps[warp->next++];
    const struct replay_inst *inst = &sm->job->insts[step->inst];
    sm->result->waits[why] += max2(time - warp->free, 0);
    if (sm->job->log)
        log_issue(sm, warp, step, warp->free, time, why);
    if (inst->kind != REPLAY_FREE && !inst->rides) {
        double scale = is_memory(inst->kind) ? 1 : sm->c->issue_scale;
        sm->scheduler_free[warp->scheduler] = time + scale;
        double cycles = scale * pipe_cycles(sm, inst->kind);
        if (inst->kind == REPLAY_FP32 || inst->kind == REPLAY_INT)
            sm->pipe_free[inst->kind == REPLAY_FP32][warp->scheduler] = time + cycles;
        else if (cycles > 1)
            sm->pipe_free[2][warp->scheduler] = time + cycles;
        warp->free = time + sm->c->issue_gap * scale;
        sm->result->issued += scale;
    }
    enum replay_reason reason;
    double ready = execute(sm, warp, inst, step, time, &reason);
    for (uint32_t i = 0; i < inst->result_count; i++) {
        warp->ready[inst->results[i]] = ready;
        warp->reason[inst->results[i]] = (unsigned char)reason;
    }
    if (inst->kind == REPLAY_BARRIER) {
        struct block_slot *slot = &sm->slots[warp->block];
        warp->at_barrier = true;
        slot->barrier_time = slot->waiting++ ? max2(slot->barrier_time, time) : time;
        release_barrier(sm, slot);
    }
    if (warp->next == warp->trace->count) {
        end_warp(sm, warp);
        return;
    }
    look_ahead(sm, warp);
    if (warp->at_barrier)
        hold(sm, warp);
}

// The warp that can issue first; among equals the one that has waited longest.
static struct replayed_warp *choose(struct sm *sm, double *time, enum replay_reason *why)
{
    uint32_t best = UINT32_MAX;
    double best_free = 0;
    *time = INFINITY;
    for (uint32_t i = 0; i < sm->job->gpu->schedulers * LANES; i++)
        sm->gates[i] = gate_opens(sm, i / LANES, (enum lane)(i % LANES));
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        const struct issue_view *ready = &sm->ready[i];
        double when = max2(ready->when, sm->gates[ready->gate]);
        if (ready->lane == LANE_STORE)
            when = store_opens(sm, when);
        if (when < *time || (when <= *time && best != UINT32_MAX && ready->free < best_free)) {
            best = i;
            best_free = ready->free;
            *time = when;
        }
    }
    if (best == UINT32_MAX)
        return NULL;
    *why = reason_for(sm, &sm->warps[best], sm->ready[best].lane, *time);
    return &sm->warps[best];
}

static void setup(struct sm *sm)
{
    const struct replay_job *job = sm->job;
    const struct gpu_profile *gpu = job->gpu;
    sm->slot_count = job->resident;
    for (size_t i = 0; i < job->block_count; i++)
        if (job->blocks[i].warp_count > sm->warps_per_block)
            sm->warps_per_block = job->blocks[i].warp_count;
    sm->warp_count = sm->slot_count * sm->warps_per_block;
    sm->warps = arena_alloc(sm->arena, sm->warp_count * sizeof *sm->warps);
    sm->ready = arena_alloc(sm->arena, sm->warp_count * sizeof *sm->ready);
    sm->gates = arena_alloc(sm->arena, gpu->schedulers * LANES * sizeof *sm->gates);
    sm->slots = arena_alloc(sm->arena, sm->slot_count * sizeof *sm->slots);
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        sm->warps[i].ready = arena_alloc(sm->arena, job->register_count * sizeof(double));
        sm->warps[i].reason = arena_alloc(sm->arena, job->register_count);
        hold(sm, &sm->warps[i]);
    }
    sm->scheduler_free = arena_alloc(sm->arena, gpu->schedulers * sizeof(double));
    for (int i = 0; i < 3; i++)
        sm->pipe_free[i] = arena_alloc(sm->arena, gpu->schedulers * sizeof(double));
    sm->lanes_int = (double)gpu->int32_lanes / (double)gpu->schedulers;
    sm->lanes_fp32 = (double)gpu->fp32_lanes / (double)gpu->schedulers;
    double mhz = (double)gpu->mhz, sms = (double)job->active_sms;
    // The H200's L2 figure, in proportion to SMs and clock: 132 SMs at 1980 MHz.
    double l2_total = sm->c->l2_total_gbps * (double)gpu->sms * mhz / (132.0 * 1980.0);
    sm->l2_rate = fmin(sm->c->l2_bytes_cycle, 1e3 * l2_total / mhz / sms);
    sm->dram_rate = fmin(sm->c->l2_bytes_cycle, 1e3 * sm->c->dram_efficiency * gpu->dram_gbps / mhz / sms);
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
    arena_free(sm.arena);
}
