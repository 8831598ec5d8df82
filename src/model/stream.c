#include "model/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/banks.h"
#include "model/fusion.h"
#include "model/schedule.h"

// ---- what an instruction is to the replay

static bool has_no_result(enum ptx_opcode op)
{
    switch (op) {
    case PTX_OP_ST:
    case PTX_OP_RED:
    case PTX_OP_BRA:
    case PTX_OP_BRX_IDX:
    case PTX_OP_CALL:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_STMATRIX:
    case PTX_OP_PREFETCH:
    case PTX_OP_BAR_SYNC:
    case PTX_OP_BAR_ARRIVE:
    case PTX_OP_BARRIER_SYNC:
    case PTX_OP_BARRIER_ARRIVE:
    case PTX_OP_BAR_WARP_SYNC:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
    case PTX_OP_CP_ASYNC:
    case PTX_OP_CP_ASYNC_COMMIT_GROUP:
    case PTX_OP_CP_ASYNC_WAIT_GROUP:
    case PTX_OP_CP_ASYNC_WAIT_ALL:
    case PTX_OP_CP_ASYNC_BULK:
    case PTX_OP_MBARRIER_INIT:
    case PTX_OP_NANOSLEEP:
        return true;
    default:
        return false;
    }
}

static bool is_floating(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 ||
           type == PTX_F64;
}

static enum replay_kind memory_kind(const struct ptx_inst *inst)
{
    bool shared = inst->space == PTX_SHARED || inst->space == PTX_SHARED_CLUSTER;
    if (inst->op == PTX_OP_LD || inst->op == PTX_OP_LDU) {
        if (inst->space == PTX_PARAM || inst->space == PTX_CONST)
            return REPLAY_FREE;
        return shared ? REPLAY_SHARED_LOAD : REPLAY_GLOBAL_LOAD;
    }
    if (inst->op == PTX_OP_ST)
        return inst->space == PTX_PARAM ? REPLAY_FREE : shared ? REPLAY_SHARED_STORE : REPLAY_GLOBAL_STORE;
    return shared ? REPLAY_SHARED_ATOMIC : REPLAY_GLOBAL_ATOMIC;
}

static enum replay_kind arithmetic_kind(const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    if (type == PTX_F64)
        return REPLAY_FP64;
    return is_floating(type) ? REPLAY_FP32 : REPLAY_INT;
}

static enum replay_kind kind_of(const struct ptx_inst *inst, const struct ptx_function *function)
{
    switch (inst->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return memory_kind(inst);
    case PTX_OP_LDMATRIX:
        return REPLAY_SHARED_LOAD;
    case PTX_OP_STMATRIX:
        return REPLAY_SHARED_STORE;
    case PTX_OP_CP_ASYNC:
    case PTX_OP_CP_ASYNC_BULK:
        return REPLAY_COPY;
    case PTX_OP_CP_ASYNC_COMMIT_GROUP:
        return REPLAY_COMMIT;
    case PTX_OP_CP_ASYNC_WAIT_GROUP:
    case PTX_OP_CP_ASYNC_WAIT_ALL:
        return REPLAY_WAIT;
    case PTX_OP_BAR_SYNC:
    case PTX_OP_BAR_RED:
    case PTX_OP_BARRIER_SYNC:
    case PTX_OP_BARRIER_RED:
    case PTX_OP_BAR_CTA_SYNC:
    case PTX_OP_BARRIER_CTA_SYNC:
        return REPLAY_BARRIER;
    case PTX_OP_MOV:
        return function->operands[inst->operands + 1].kind == PTX_OPERAND_SPECIAL ? REPLAY_SPECIAL : REPLAY_FREE;
    case PTX_OP_CVTA:
    case PTX_OP_CALL:
        return REPLAY_FREE;
    case PTX_OP_CVT:
        return inst->type_count > 1 && is_floating(inst->types[0]) != is_floating(inst->types[1]) ? REPLAY_SPECIAL
               : is_floating(inst->types[0])                                                      ? REPLAY_SPECIAL
                                                                                                  : REPLAY_FREE;
    case PTX_OP_RCP:
    case PTX_OP_SQRT:
    case PTX_OP_RSQRT:
    case PTX_OP_SIN:
    case PTX_OP_COS:
    case PTX_OP_LG2:
    case PTX_OP_EX2:
    case PTX_OP_TANH:
    case PTX_OP_DIV:
    case PTX_OP_REM:
    case PTX_OP_POPC:
    case PTX_OP_BREV:
    case PTX_OP_BFIND:
    case PTX_OP_CLZ:
        return REPLAY_SPECIAL;
    case PTX_OP_SHFL_SYNC:
    case PTX_OP_VOTE_SYNC:
    case PTX_OP_MATCH_SYNC:
    case PTX_OP_REDUX_SYNC:
        return REPLAY_SHUFFLE;
    case PTX_OP_MMA:
    case PTX_OP_WMMA_MMA:
        return REPLAY_TENSOR;
    case PTX_OP_BRA:
    case PTX_OP_BRX_IDX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_BAR_WARP_SYNC:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
        return REPLAY_CONTROL;
    default:
        return arithmetic_kind(inst);
    }
}

struct register_list {
    uint16_t *items;
    uint8_t *count;
    uint8_t limit;
    uint32_t base;
};

static void add_register(const struct register_list *list, uint32_t reg)
{
    if (*list->count < list->limit)
        list->items[(*list->count)++] = (uint16_t)((list->base + reg) % REPLAY_MAX_REGISTERS);
}

static void add_operand(const struct ptx_function *function, const struct ptx_operand *operand,
                        const struct register_list *list)
{
    if (operand->kind == PTX_OPERAND_REGISTER ||
        (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER))
        add_register(list, operand->value.reg);
    if (operand->kind == PTX_OPERAND_VECTOR)
        for (uint32_t i = 0; i < operand->value.vector.count; i++)
            if (function->operands[operand->value.vector.first + i].kind == PTX_OPERAND_REGISTER)
                add_register(list, function->operands[operand->value.vector.first + i].value.reg);
}

// ptxas turns a branch over a few instructions into predicates; any other it moves nothing across.
static bool is_wall(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index)
{
    enum { PREDICATED = 16 };
    if (inst->op != PTX_OP_BRA)
        return inst->op == PTX_OP_BRX_IDX;
    const struct ptx_operand *target = &function->operands[inst->operands];
    return target->kind == PTX_OPERAND_LABEL &&
           (target->value.target <= index || target->value.target > index + PREDICATED);
}

static struct replay_inst describe(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index,
                                   uint32_t base, const struct fusion_entry *fusion)
{
    struct replay_inst out = {
        .kind = kind_of(inst, function), .sharing = 1, .dram = 1, .wall = is_wall(function, inst, index)};
    struct register_list sources = {out.sources, &out.source_count, REPLAY_SOURCES, base};
    struct register_list results = {out.results, &out.result_count, REPLAY_RESULTS, base};
    uint32_t first = has_no_result(inst->op) ? 0 : 1;
    if (inst->guard >= 0)
        add_register(&sources, (uint32_t)inst->guard);
    for (uint32_t i = 0; i < inst->operand_count; i++)
        add_operand(function, &function->operands[inst->operands + i], i < first ? &results : &sources);
    if (first && inst->operand_count && function->operands[inst->operands].pair_reg >= 0)
        add_register(&results, (uint32_t)function->operands[inst->operands].pair_reg);
    if (out.kind == REPLAY_WAIT && inst->op == PTX_OP_CP_ASYNC_WAIT_GROUP)
        out.count = (uint16_t)function->operands[inst->operands].value.bits;
    out.rides = fusion->action == FUSION_AWAY;
    return out;
}

static void describe_program(const struct sim_program *program, struct stream *stream, struct fusion_entry *fusion)
{
    const struct ptx_function *function = NULL, *planned = NULL;
    struct fusion_entry *plan = NULL;
    uint32_t base = 0, first = 0;
    stream->inst_count = sim_program_size(program);
    stream->insts = mem_alloc(stream->inst_count * sizeof *stream->insts);
    for (uint32_t pc = 0; pc < stream->inst_count; pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        if (function != planned) {
            base += planned ? planned->register_count : 0;
            free(plan);
            plan = fusion_plan(function, sim_program_shared(program));
            planned = function;
            first = pc;
        }
        fusion[pc] = plan[pc - first];
        stream->insts[pc] = describe(function, inst, pc - first, base, &fusion[pc]);
    }
    free(plan);
    stream->register_count = base + (planned ? planned->register_count : 0);
    if (stream->register_count > REPLAY_MAX_REGISTERS || stream->register_count == 0)
        stream->register_count = REPLAY_MAX_REGISTERS;
}

// ---- sectors seen, with the bytes touched of each

struct sector_entry {
    uint64_t key;   // sector + 1
    uint32_t bytes; // one bit a byte
    uint32_t times;
};

struct sector_set {
    struct sector_entry *items;
    size_t count, capacity; // a power of two
};

static struct sector_entry *sector_find(struct sector_set *set, uint64_t sector)
{
    if (2 * set->count >= set->capacity) {
        struct sector_set larger = {.capacity = set->capacity ? 2 * set->capacity : 256, .count = set->count};
        larger.items = mem_alloc(larger.capacity * sizeof *larger.items);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->items[i].key)
                *sector_find(&(struct sector_set){.items = larger.items, .capacity = larger.capacity},
                             set->items[i].key - 1) = set->items[i];
        free(set->items);
        *set = larger;
    }
    size_t at = (size_t)(sector * 0x9e3779b97f4a7c15u >> 32) & (set->capacity - 1);
    while (set->items[at].key && set->items[at].key != sector + 1)
        at = (at + 1) & (set->capacity - 1);
    if (!set->items[at].key) {
        set->items[at].key = sector + 1;
        set->count++;
    }
    return &set->items[at];
}

static bool sector_has(const struct sector_set *set, uint64_t sector)
{
    size_t at = (size_t)(sector * 0x9e3779b97f4a7c15u >> 32) & (set->capacity - 1);
    while (set->items[at].key && set->items[at].key != sector + 1)
        at = (at + 1) & (set->capacity - 1);
    return set->items[at].key != 0;
}

static void sector_touch(struct sector_set *set, uint64_t address, uint32_t bytes)
{
    while (bytes) {
        uint32_t offset = (uint32_t)(address % SECTOR_BYTES);
        uint32_t part = bytes < SECTOR_BYTES - offset ? bytes : SECTOR_BYTES - offset;
        struct sector_entry *entry = sector_find(set, address / SECTOR_BYTES);
        entry->bytes |= (part == SECTOR_BYTES ? UINT32_MAX : (1u << part) - 1) << offset;
        address += part;
        bytes -= part;
    }
}

// ---- recording

enum { PROBES = 3 }; // blocks (0,0,0), (1,0,0), (0,1,0): do they want the same?

struct tracer {
    struct stream *stream;
    const struct stream_options *options;
    const struct fusion_entry *fusion;
    const struct sim_memory *memory;
    struct replay_step **steps; // of the block being traced, by warp
    size_t *counts, *capacities;
    uint32_t warps, full; // full: warps with as many steps as wanted
    bool keep;
    size_t limit;
    struct sector_set *touched; // by pc; NULL while not wanted
    struct sector_set atomics;  // words, by address / 4
    uint64_t *arrays;           // by pc: bytes of the allocation that it touches
    uint64_t *probe;            // by pc: the first sector of warp 0, + 1
    const atomic_bool *abandon; // the caller's wish to stop
    atomic_bool cancel;
};

static void put_sectors(struct stream *stream, struct replay_step *step, const struct sim_access *access,
                        const uint64_t *addresses, uint32_t bytes)
{
    uint64_t lines[64];
    uint32_t line_count = 0;
    step->first = (uint32_t)stream->sector_count;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        for (uint64_t sector = addresses[lane] / SECTOR_BYTES; sector <= (addresses[lane] + bytes - 1) / SECTOR_BYTES;
             sector++) {
            size_t at = step->first;
            while (at < stream->sector_count && stream->sectors[at] != sector)
                at++;
            if (at < stream->sector_count)
                continue;
            mem_reserve((void **)&stream->sectors, &stream->sector_capacity, stream->sector_count,
                        sizeof *stream->sectors);
            stream->sectors[stream->sector_count++] = sector;
            uint32_t line = 0;
            while (line < line_count && lines[line] != sector / 4)
                line++;
            if (line == line_count && line_count < 64)
                lines[line_count++] = sector / 4;
        }
    }
    step->sectors = (uint16_t)(stream->sector_count - step->first);
    step->lines = (uint16_t)line_count;
}

static enum bank_kind bank_kind(const struct sim_access *access)
{
    switch (access->kind) {
    case SIM_LOAD:
        return BANK_LOAD;
    case SIM_STORE:
        return BANK_STORE;
    case SIM_ATOMIC:
    case SIM_REDUCE:
        return BANK_ATOMIC;
    case SIM_MATRIX_LOAD:
    case SIM_MATRIX_STORE:
        return BANK_MATRIX;
    default:
        return BANK_COPY;
    }
}

static uint16_t wavefronts(const struct tracer *tracer, const struct sim_access *access)
{
    uint64_t addresses[SIM_LANES];
    const struct fusion_entry *fusion = &tracer->fusion[access->pc];
    uint32_t bytes = fusion->action == FUSION_WIDE ? fusion->bytes : access->bytes;
    if (fusion->action == FUSION_AWAY || !access->mask)
        return 0;
    if (access->kind == SIM_BULK_COPY)
        return (uint16_t)(access->bytes / 128 + 1);
    for (int lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] =
            access->mask >> lane & 1
                ? access->addresses[lane] + (uint64_t)(int64_t)(fusion->action == FUSION_WIDE ? fusion->delta : 0)
                : 0;
    uint32_t rows = access->kind == SIM_MATRIX_LOAD || access->kind == SIM_MATRIX_STORE ? 32 : 0;
    return (uint16_t)banks_count(bank_kind(access), bytes, access->mask, addresses, rows).wavefronts;
}

static void note_touched(struct tracer *tracer, const struct sim_access *access, const struct replay_step *step,
                         const uint64_t *addresses, uint32_t bytes)
{
    const struct sim_allocation *array = sim_memory_find(tracer->memory, addresses[__builtin_ctz(access->mask)]);
    tracer->arrays[access->pc] = array ? array->size : 0;
    for (uint32_t i = 0; i < step->sectors; i++)
        sector_find(&tracer->touched[access->pc], tracer->stream->sectors[step->first + i])->times++;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1)
            sector_touch(&tracer->touched[access->pc], addresses[lane], bytes);
    if (access->kind != SIM_ATOMIC && access->kind != SIM_REDUCE)
        return;
    // L2 works on one atomic of a sector at a time.
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1)
            sector_find(&tracer->atomics, addresses[lane] / SECTOR_BYTES)->times++;
}

static void fill_step(struct tracer *tracer, struct replay_step *out, const struct sim_access *access)
{
    bool copies = access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY;
    const uint64_t *global = copies ? access->sources : access->space == PTX_GLOBAL ? access->addresses : NULL;
    uint32_t bytes = copies ? access->source_bytes : access->bytes;
    struct sim_access side = *access; // the global one
    if (copies)
        side.mask = access->source_mask;
    if (access->space == PTX_SHARED)
        out->wavefronts = wavefronts(tracer, access);
    if (!global || !side.mask || access->kind == SIM_BULK_COPY)
        return;
    if (tracer->probe && access->warp == 0 && !tracer->probe[access->pc])
        tracer->probe[access->pc] = global[__builtin_ctz(side.mask)] / SECTOR_BYTES + 1;
    if (!tracer->keep)
        return;
    put_sectors(tracer->stream, out, &side, global, bytes);
    if (tracer->touched)
        note_touched(tracer, &side, out, global, bytes);
    out->partial = access->kind == SIM_STORE &&
                   (uint32_t)__builtin_popcount(access->mask) * bytes < (uint32_t)out->sectors * SECTOR_BYTES;
}

static void on_step(void *state, const struct sim_step *step)
{
    struct tracer *tracer = state;
    if (tracer->abandon && atomic_load_explicit(tracer->abandon, memory_order_relaxed))
        atomic_store(&tracer->cancel, true);
    if (step->warp >= tracer->warps || tracer->counts[step->warp] >= tracer->limit)
        return;
    struct replay_step out = {.inst = step->pc, .active = (uint8_t)__builtin_popcount(step->mask)};
    if (step->access)
        fill_step(tracer, &out, step->access);
    size_t *count = &tracer->counts[step->warp];
    if (tracer->keep) {
        mem_reserve((void **)&tracer->steps[step->warp], &tracer->capacities[step->warp], *count, sizeof out);
        tracer->steps[step->warp][*count] = out;
    }
    if (++*count == tracer->limit && ++tracer->full == tracer->warps)
        atomic_store(&tracer->cancel, true);
}

static struct sim_launch one_block(const struct sim_launch *launch, uint64_t block)
{
    struct sim_launch one = *launch;
    one.first_block = block;
    one.block_count = 1;
    one.host_threads = 1;
    one.observers = NULL;
    one.observer_count = 0;
    one.counts = NULL;
    return one;
}

// Until every warp has as many steps as wanted.
static enum status run_block(struct tracer *tracer, const struct sim_launch *launch, uint64_t block,
                             struct diagnostic *diagnostic)
{
    struct sim_observer observer = {
        .wants = SIM_WANT_STEP | SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL, .context = tracer, .step = on_step};
    struct sim_launch one = one_block(launch, block);
    struct sim_result result;
    one.observers = &observer;
    one.observer_count = 1;
    one.cancel = &tracer->cancel;
    atomic_store(&tracer->cancel, false);
    tracer->full = 0;
    memset(tracer->counts, 0, tracer->warps * sizeof *tracer->counts);
    enum status status = sim_run(&one, &result, diagnostic);
    return status == STATUS_CANCELLED && tracer->full == tracer->warps ? STATUS_OK : status;
}

// Steps of block 0 over those kept of it. Counting alone is several times as fast as tracing.
static enum status count_whole(const struct tracer *tracer, const struct sim_launch *launch, uint64_t kept,
                               struct diagnostic *diagnostic)
{
    struct sim_launch one = one_block(launch, 0);
    struct sim_result result;
    enum status status = sim_run(&one, &result, diagnostic);
    if (status == STATUS_OK && kept)
        tracer->stream->whole = (double)result.warp_instructions / (double)kept;
    return status;
}

static void keep_block(struct tracer *tracer)
{
    struct stream *stream = tracer->stream;
    struct replay_warp *warps = mem_alloc(tracer->warps * sizeof *warps);
    for (uint32_t i = 0; i < tracer->warps; i++) {
        schedule_steps(stream->insts, tracer->steps[i], tracer->counts[i], tracer->options->window);
        warps[i] = (struct replay_warp){tracer->steps[i], tracer->counts[i]};
        stream->steps += tracer->counts[i];
        tracer->steps[i] = NULL;
        tracer->capacities[i] = 0;
    }
    stream->blocks[stream->block_count++] = (struct replay_block){warps, tracer->warps};
}

// ---- who shares what, and what reaches DRAM

struct sharing {
    bool in_x, in_y;
};

static double shared_by(const struct sharing *sharing, const uint32_t grid[3], double wave)
{
    double x = (double)grid[0] < wave ? (double)grid[0] : wave, y = wave / (double)grid[0];
    y = y < 1 ? 1 : y > (double)grid[1] ? (double)grid[1] : y;
    return (sharing->in_x ? x : 1) * (sharing->in_y ? y : 1);
}

// Sectors that block 0 touched by this instruction, the part of them that DRAM moves for nothing because it reads and
// writes 64 bytes at a time, and the part that is written in part.
//
// scattered: those in lines of 128 bytes that stand alone.
struct footprint {
    double sectors, times, waste, partial, scattered;
};

static bool line_has(const struct sector_set *set, uint64_t line)
{
    return sector_has(set, 4 * line) || sector_has(set, 4 * line + 1) || sector_has(set, 4 * line + 2) ||
           sector_has(set, 4 * line + 3);
}

static struct footprint footprint_of(const struct sector_set *set)
{
    struct footprint f = {0};
    for (size_t i = 0; i < set->capacity; i++) {
        const struct sector_entry *entry = &set->items[i];
        if (!entry->key)
            continue;
        f.sectors++;
        f.times += entry->times;
        f.partial += entry->bytes != UINT32_MAX;
        f.waste += !sector_has(set, (entry->key - 1) ^ 1);
        f.scattered += !line_has(set, ((entry->key - 1) / 4) ^ 1);
    }
    return f;
}

// What an instruction wants from L2 over the whole grid, in sectors.
struct reuse {
    struct footprint f;
    double all;     // wanted, each block's own repetitions aside
    double whole;   // distinct ones
    double in_wave; // SMs that want the same at about the same time
};

// Data that are gone through again and again in a cache that drops lines at random: the part that is missed when they
// are `ratio` times as large as the cache. A line comes back after having survived the misses m of all others, so
// m = 1 - exp(-m ratio), which has no other solution than 0 up to ratio 1.
static double missed_part(double ratio)
{
    double m = 1;
    for (int i = 0; i < 60; i++)
        m = 1 - exp(-m * ratio);
    return ratio > 1 ? m : 0;
}

static struct reuse reuse_of(const struct tracer *tracer, const struct sim_launch *launch,
                             uint64_t *const probes[PROBES], uint32_t pc)
{
    const struct stream_options *options = tracer->options;
    struct reuse reuse = {.f = footprint_of(&tracer->touched[pc]), .in_wave = 1};
    double array = (double)tracer->arrays[pc] / (double)SECTOR_BYTES, in_grid = 1;
    reuse.all = reuse.f.sectors * tracer->stream->whole * (double)options->grid_blocks;
    if (tracer->stream->insts[pc].kind != REPLAY_GLOBAL_STORE) {
        struct sharing sharing = {.in_x = launch->grid[0] > 1 && probes[1][pc] == probes[0][pc],
                                  .in_y = launch->grid[1] > 1 && probes[2][pc] == probes[0][pc]};
        reuse.in_wave = shared_by(&sharing, launch->grid, (double)options->active_sms * (double)options->resident);
        in_grid = shared_by(&sharing, launch->grid, (double)options->grid_blocks);
    }
    reuse.whole = fmin(reuse.all / in_grid, array);
    return reuse;
}

// missed: the part of what comes again that L2 no longer has.
static void set_traffic(struct replay_inst *inst, const struct reuse *reuse, double missed)
{
    const struct footprint *f = &reuse->f;
    double first = fmin(1, reuse->whole * reuse->in_wave / reuse->all);
    inst->scattered = f->scattered / f->sectors;
    inst->sharing = reuse->in_wave;
    if (inst->kind != REPLAY_GLOBAL_STORE) {
        inst->dram = (first + (1 - first) * missed) * (1 + missed * f->waste / f->sectors);
        return;
    }
    // A sector written in part has to be read before it can be written back, unless the rest comes while it is in L2.
    double stays = f->sectors * first, goes = f->sectors + f->partial + (f->partial > 0 ? 2 * f->waste : 0);
    inst->dram = ((1 - missed) * stays + missed * goes) / f->times;
}

static void conclude(struct tracer *tracer, const struct sim_launch *launch, uint64_t *const probes[PROBES])
{
    struct replay_inst *insts = tracer->stream->insts;
    struct reuse *reuses = mem_alloc(tracer->stream->inst_count * sizeof *reuses);
    double traffic = 0, l2 = tracer->options->l2_part * (double)tracer->options->gpu->l2_bytes / (double)SECTOR_BYTES;
    for (uint32_t pc = 0; pc < tracer->stream->inst_count; pc++) {
        if (!tracer->touched[pc].count || insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            continue;
        reuses[pc] = reuse_of(tracer, launch, probes, pc);
        traffic += reuses[pc].all / reuses[pc].in_wave;
    }
    for (uint32_t pc = 0; pc < tracer->stream->inst_count; pc++) {
        const struct reuse *reuse = &reuses[pc];
        if (insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            insts[pc].dram = 0;
        if (reuse->all <= 0)
            continue;
        // What others bring in between takes its room too.
        double ratio = reuse->whole * traffic / (reuse->all / reuse->in_wave) / l2;
        set_traffic(&insts[pc], reuse, missed_part(ratio));
    }
    free(reuses);
    for (size_t i = 0; i < tracer->atomics.capacity; i++)
        if (tracer->atomics.items[i].times > tracer->stream->hot_atomics)
            tracer->stream->hot_atomics = tracer->atomics.items[i].times;
    tracer->stream->atomic_blocks = 1;
}

static enum status trace_all(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const struct stream_options *options = tracer->options;
    struct stream *stream = tracer->stream;
    uint64_t *probes[PROBES];
    const uint64_t probe_blocks[PROBES] = {0, launch->grid[0] > 1 ? 1 : 0, launch->grid[1] > 1 ? launch->grid[0] : 0};
    enum status status = STATUS_OK;
    for (int i = 0; i < PROBES; i++)
        probes[i] = mem_alloc(stream->inst_count * sizeof *probes[i]);
    struct sector_set *touched = mem_alloc(stream->inst_count * sizeof *touched);
    for (size_t i = 0; i < options->block_count && status == STATUS_OK; i++) {
        uint64_t block = i * options->active_sms % options->grid_blocks;
        tracer->keep = true;
        tracer->limit = options->warp_steps;
        tracer->probe = i == 0 ? probes[0] : NULL;
        tracer->touched = i == 0 ? touched : NULL;
        status = run_block(tracer, launch, block, diagnostic);
        uint64_t kept = 0;
        for (uint32_t warp = 0; warp < tracer->warps; warp++)
            kept += tracer->counts[warp];
        if (i == 0 && status == STATUS_OK && tracer->full)
            status = count_whole(tracer, launch, kept, diagnostic);
        if (status == STATUS_OK)
            keep_block(tracer);
    }
    tracer->keep = false;
    tracer->touched = NULL;
    tracer->limit = options->warp_steps < 2000 ? options->warp_steps : 2000;
    for (int i = 1; i < PROBES && status == STATUS_OK; i++) {
        tracer->probe = probes[i];
        status = run_block(tracer, launch, probe_blocks[i], diagnostic);
    }
    tracer->touched = touched;
    if (status == STATUS_OK)
        conclude(tracer, launch, probes);
    for (uint32_t pc = 0; pc < stream->inst_count; pc++)
        free(touched[pc].items);
    free(touched);
    for (int i = 0; i < PROBES; i++)
        free(probes[i]);
    return status;
}

enum status stream_trace(const struct sim_launch *launch, const struct stream_options *options, struct stream *stream,
                         struct diagnostic *diagnostic)
{
    *stream = (struct stream){.whole = 1};
    struct tracer tracer = {.stream = stream, .options = options, .abandon = launch->cancel};
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct fusion_entry *fusion = mem_alloc(sim_program_size(launch->program) * sizeof *fusion);
    describe_program(launch->program, stream, fusion);
    tracer.fusion = fusion;
    tracer.memory = launch->memory;
    tracer.arrays = mem_alloc(stream->inst_count * sizeof *tracer.arrays);
    tracer.warps = (threads + SIM_LANES - 1) / SIM_LANES;
    tracer.steps = mem_alloc(tracer.warps * sizeof *tracer.steps);
    tracer.counts = mem_alloc(tracer.warps * sizeof *tracer.counts);
    tracer.capacities = mem_alloc(tracer.warps * sizeof *tracer.capacities);
    stream->blocks = mem_alloc(options->block_count * sizeof *stream->blocks);
    enum status status = trace_all(&tracer, launch, diagnostic);
    for (uint32_t i = 0; i < tracer.warps; i++)
        free(tracer.steps[i]);
    free(tracer.steps);
    free(tracer.counts);
    free(tracer.capacities);
    free(tracer.atomics.items);
    free(tracer.arrays);
    free(fusion);
    return status;
}

void stream_free(struct stream *stream)
{
    for (size_t i = 0; i < stream->block_count; i++) {
        for (uint32_t warp = 0; warp < stream->blocks[i].warp_count; warp++)
            free((void *)(uintptr_t)stream->blocks[i].warps[warp].steps);
        free((void *)(uintptr_t)stream->blocks[i].warps);
    }
    free(stream->blocks);
    free(stream->insts);
    free(stream->sectors);
    *stream = (struct stream){0};
}
