#include "record/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/banks.h"
#include "model/cost_memo.h"
#include "model/fusion.h"
#include "sim/shape.h"

// What one instruction did in one space.
struct tally {
    struct shared_counts compiled, written; // of global memory: only how often it ran
    struct global_counts global;
};

// What is known of an instruction before it runs.
struct site {
    struct fusion_entry fusion;
    enum bank_kind copy_kind;
    uint32_t rows;      // of ldmatrix and stmatrix
    uint32_t preheader; // pc, if fusion.hoisted
    bool combines;      // an atomic whose lanes of one address are added up first
    bool estimate;
};

enum { TALLY_SHARED, TALLY_GLOBAL, TALLIES };

struct counter_observer {
    const struct sim_program *program;
    const char *main_file;
    uint32_t size;
    struct site *sites;
    struct tally (*tallies)[TALLIES];
    enum sim_access_kind *kinds; // as last seen
    uint32_t *bytes;             // per lane, as last seen
};

// The accesses of one instruction since their cost last changed, not yet in its tally.
struct counter_run {
    uint32_t serial, phase; // of their shape; in their unit
    uint64_t times;
    struct cost_pair cost;
    uint32_t sectors;
};

// One host thread's part.
struct counter_state {
    const struct counter_observer *observer;
    struct tally (*tallies)[TALLIES];
    struct counter_run (*runs)[TALLIES];
    enum sim_access_kind *kinds;
    uint32_t *bytes;
    struct cost_memo *memo;
};

// ---- before the run

static bool result_is_read(const struct ptx_function *function, const struct ptx_inst *atomic)
{
    const struct ptx_operand *result = &function->operands[atomic->operands];
    if (atomic->op != PTX_OP_ATOM || result->kind != PTX_OPERAND_REGISTER)
        return false;
    for (uint32_t i = 0; i < function->operand_count; i++) {
        const struct ptx_operand *operand = &function->operands[i];
        bool reads = operand->kind == PTX_OPERAND_REGISTER ||
                     (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER);
        if (reads && operand != result && operand->value.reg == result->value.reg)
            return true;
    }
    return false;
}

// Float and 64-bit atomics are loops of compare-and-swap: how often they go round depends on luck.
static bool atomic_is_estimate(const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    return (inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED) && type != PTX_U32 && type != PTX_S32 &&
           type != PTX_B32 && !ptx_has(inst, PTX_MOD_CAS) && !ptx_has(inst, PTX_MOD_EXCH);
}

// Adding the constant 1 without using the result becomes ATOMS.POPC.INC, which adds up the lanes of one address first,
// so that they share it as in a store. Only 1, and from sm_80 on (SASS); counts as in both rows of hist_shared of
// tests/golden/h200_kernels.csv.
static bool atomic_combines(const struct ptx_function *function, const struct ptx_inst *inst)
{
    bool word = inst->type_count && (inst->types[0] == PTX_U32 || inst->types[0] == PTX_S32);
    if ((inst->op != PTX_OP_ATOM && inst->op != PTX_OP_RED) || !word || !ptx_has(inst, PTX_MOD_ADD) ||
        inst->operand_count < 2 || function->module->sm < 80)
        return false;
    const struct ptx_operand *added = &function->operands[inst->operands + inst->operand_count - 1];
    return added->kind == PTX_OPERAND_INTEGER && added->value.bits == 1 && !result_is_read(function, inst);
}

static uint32_t matrix_rows(const struct ptx_inst *inst)
{
    return ptx_has(inst, PTX_MOD_X4) ? 32 : ptx_has(inst, PTX_MOD_X2) ? 16 : 8;
}

struct counter_observer *counter_observer_new(const struct sim_program *program, const char *main_file)
{
    struct counter_observer *observer = mem_alloc(sizeof *observer);
    uint32_t size = sim_program_size(program);
    *observer = (struct counter_observer){.program = program,
                                          .main_file = main_file,
                                          .size = size,
                                          .sites = mem_alloc(size * sizeof *observer->sites),
                                          .tallies = mem_alloc(size * sizeof *observer->tallies),
                                          .kinds = mem_alloc(size * sizeof *observer->kinds),
                                          .bytes = mem_alloc(size * sizeof *observer->bytes)};
    const struct ptx_function *planned = NULL;
    struct fusion_entry *plan = NULL;
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        if (function != planned) {
            free(plan);
            plan = fusion_plan(function, sim_program_shared(program));
            planned = function;
        }
        observer->sites[pc] =
            (struct site){.fusion = plan[inst - function->insts],
                          .copy_kind = ptx_has(inst, PTX_MOD_CG) ? BANK_COPY_BYPASS : BANK_COPY,
                          .rows = matrix_rows(inst),
                          .preheader = sim_program_pc(program, function, plan[inst - function->insts].preheader),
                          .combines = atomic_combines(function, inst),
                          .estimate = inst->op == PTX_OP_CP_ASYNC_BULK || atomic_is_estimate(inst)};
    }
    free(plan);
    return observer;
}

void counter_observer_free(struct counter_observer *observer)
{
    if (!observer)
        return;
    free(observer->sites);
    free(observer->tallies);
    free(observer->kinds);
    free(observer->bytes);
    free(observer);
}

// ---- during the run

static void *counter_fork(void *context)
{
    const struct counter_observer *observer = context;
    struct counter_state *state = mem_alloc(sizeof *state);
    *state = (struct counter_state){.observer = observer,
                                    .tallies = mem_alloc(observer->size * sizeof *state->tallies),
                                    .runs = mem_alloc(observer->size * sizeof *state->runs),
                                    .kinds = mem_alloc(observer->size * sizeof *state->kinds),
                                    .bytes = mem_alloc(observer->size * sizeof *state->bytes),
                                    .memo = cost_memo_new()};
    return state;
}

static const char *const kind_names[COUNTER_KINDS] = {
    [COUNT_LOAD] = "load", [COUNT_STORE] = "store", [COUNT_ATOMIC] = "atomic", [COUNT_COPY] = "copy"};

static void shared_add(struct shared_counts *sum, const struct shared_counts *part)
{
    sum->instructions += part->instructions;
    sum->wavefronts += part->wavefronts;
    sum->conflicts += part->conflicts;
}

static void global_add(struct global_counts *sum, const struct global_counts *part)
{
    sum->requests += part->requests;
    sum->sectors += part->sectors;
}

static void tally_add(struct tally *sum, const struct tally *part)
{
    shared_add(&sum->compiled, &part->compiled);
    shared_add(&sum->written, &part->written);
    global_add(&sum->global, &part->global);
}

// Counts accesses of one cost; times 0: none.
static void tally_shared(struct tally *tally, const struct site *site, const struct cost_pair *cost, uint64_t times)
{
    tally->written.instructions += times;
    tally->written.wavefronts += times * cost->written.wavefronts;
    tally->written.conflicts += times * cost->written.conflicts;
    if (site->fusion.action == FUSION_AWAY)
        return;
    tally->compiled.instructions += times;
    tally->compiled.wavefronts += times * cost->compiled.wavefronts;
    tally->compiled.conflicts += times * cost->compiled.conflicts;
}

static void tally_global(struct tally *tally, uint64_t sectors, uint64_t times)
{
    tally->compiled.instructions += times;
    tally->written.instructions += times;
    tally->global.requests += times;
    tally->global.sectors += times * sectors;
}

static void run_end(struct counter_state *state, uint32_t pc, int space)
{
    struct counter_run *run = &state->runs[pc][space];
    struct tally *tally = &state->tallies[pc][space];
    if (space == TALLY_SHARED)
        tally_shared(tally, &state->observer->sites[pc], &run->cost, run->times);
    else
        tally_global(tally, run->sectors, run->times);
    run->times = 0;
}

// The access is one more of the run that its instruction is in.
static inline bool run_goes_on(struct counter_run *run, const struct lane_shape *shape, uint32_t phase, uint64_t times)
{
    if (!shape || shape->serial != run->serial || phase != run->phase)
        return false;
    run->times += times;
    return true;
}

static void counter_join(void *context, void *data)
{
    struct counter_observer *observer = context;
    struct counter_state *state = data;
    for (uint32_t pc = 0; pc < observer->size; pc++) {
        for (int space = 0; space < TALLIES; space++)
            run_end(state, pc, space);
        for (int space = 0; space < TALLIES; space++)
            tally_add(&observer->tallies[pc][space], &state->tallies[pc][space]);
        if (state->bytes[pc]) {
            observer->kinds[pc] = state->kinds[pc];
            observer->bytes[pc] = state->bytes[pc];
        }
    }
    free(state->tallies);
    free(state->runs);
    free(state->kinds);
    free(state->bytes);
    cost_memo_free(state->memo);
    free(state);
}

static enum bank_kind bank_kind_of(const struct sim_access *access, const struct site *site)
{
    switch (access->kind) {
    case SIM_STORE:
        return BANK_STORE;
    case SIM_ATOMIC:
    case SIM_REDUCE:
        return site->combines ? BANK_STORE : BANK_ATOMIC;
    case SIM_ASYNC_COPY:
        return site->copy_kind;
    case SIM_MATRIX_LOAD:
    case SIM_MATRIX_STORE:
        return BANK_MATRIX;
    default:
        return BANK_LOAD;
    }
}

// One wavefront moves the banks' 128 bytes: an estimate, nobody measured bulk copies.
static struct bank_cost bulk_cost(const struct sim_access *access)
{
    return (struct bank_cost){access->mask ? (access->bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES) : 0, 0};
}

// Lanes that only write zeros are served apart from those that bring data (the same file).
static struct cost_pair copy_cost(struct counter_state *state, const struct sim_access *access, uint32_t serial,
                                  enum bank_kind kind)
{
    uint32_t zeros = access->mask & ~access->source_mask;
    if (!zeros || !access->source_mask || kind != BANK_COPY)
        return cost_memo_banks(state->memo, serial, kind, access->bytes, access->mask, access->addresses, 0, 0);
    struct cost_pair sum =
        cost_memo_banks(state->memo, 0, kind, access->bytes, access->source_mask, access->addresses, 0, 0);
    struct cost_pair more = cost_memo_banks(state->memo, 0, kind, access->bytes, zeros, access->addresses, 0, 0);
    sum.written.wavefronts += more.written.wavefronts;
    sum.written.conflicts += more.written.conflicts;
    sum.compiled = sum.written;
    return sum;
}

static struct cost_pair shared_cost(struct counter_state *state, const struct sim_access *told, uint32_t serial)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    const struct site *site = &state->observer->sites[access->pc];
    enum bank_kind kind = bank_kind_of(access, site);
    uint32_t mask = access->mask;
    bool wide = site->fusion.action == FUSION_WIDE;
    if (access->kind == SIM_BULK_COPY) {
        struct bank_cost cost = bulk_cost(access);
        return (struct cost_pair){cost, cost};
    }
    if (access->kind == SIM_ASYNC_COPY)
        return copy_cost(state, access, serial, kind);
    if (kind == BANK_MATRIX && mask) { // rows that no active lane names cost, too
        mask = UINT32_MAX >> (WARP_LANES - site->rows);
        serial = mask & ~access->mask ? 0 : serial;
    }
    return cost_memo_banks(state->memo, serial, kind, access->bytes, mask, access->addresses,
                           wide ? site->fusion.bytes : 0, wide ? site->fusion.delta : 0);
}

static void count_shared(struct counter_state *state, const struct sim_access *access)
{
    struct counter_run *run = &state->runs[access->pc][TALLY_SHARED];
    bool copies = access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY;
    const struct lane_shape *shape = copies && access->source_mask != access->mask ? NULL : access->shape;
    uint32_t phase = (uint32_t)(access->first % BANK_PHASES);
    if (run_goes_on(run, shape, phase, access->times))
        return;
    struct cost_pair cost = shared_cost(state, access, shape ? shape->serial : 0);
    if (shape) {
        run_end(state, access->pc, TALLY_SHARED);
        *run = (struct counter_run){.serial = shape->serial, .phase = phase, .times = access->times, .cost = cost};
    } else {
        tally_shared(&state->tallies[access->pc][TALLY_SHARED], &state->observer->sites[access->pc], &cost,
                     access->times);
    }
}

// mask: the lanes that read or write there. A warp that copies nothing but zeros asks for nothing (measured on the
// H200: tests/golden/h200_requests.csv).
static void count_global(struct counter_state *state, const struct sim_access *access, uint32_t mask,
                         const uint64_t *addresses, const struct lane_shape *shape, uint32_t bytes)
{
    struct tally *tally = &state->tallies[access->pc][TALLY_GLOBAL];
    struct counter_run *run = &state->runs[access->pc][TALLY_GLOBAL];
    if (!mask) {
        tally->compiled.instructions++;
        tally->written.instructions++;
        return;
    }
    uint64_t first = addresses[__builtin_ctz(mask)];
    if (access->kind == SIM_BULK_COPY) {
        tally_global(tally, (first + bytes - 1) / SECTOR_BYTES - first / SECTOR_BYTES + 1, 1);
        return;
    }
    uint32_t phase = (uint32_t)(first % SECTOR_BYTES);
    if (run_goes_on(run, shape, phase, access->times))
        return;
    uint32_t sectors = cost_memo_sectors(state->memo, shape ? shape->serial : 0, bytes, mask, addresses);
    if (shape) {
        run_end(state, access->pc, TALLY_GLOBAL);
        *run =
            (struct counter_run){.serial = shape->serial, .phase = phase, .times = access->times, .sectors = sectors};
    } else {
        tally_global(tally, sectors, access->times);
    }
}

static void counter_access(void *data, const struct sim_access *access)
{
    struct counter_state *state = data;
    state->kinds[access->pc] = access->kind;
    state->bytes[access->pc] = access->bytes;
    if (access->space == PTX_SHARED)
        count_shared(state, access);
    else if (access->space == PTX_GLOBAL)
        count_global(state, access, access->mask, access->addresses, access->shape, access->bytes);
    bool copies = access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY;
    if (copies && access->source_space == PTX_GLOBAL)
        count_global(state, access, access->source_mask, access->sources, access->source_shape, access->source_bytes);
}

struct sim_observer counter_observer_get(struct counter_observer *observer)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_TAKES_SHAPES |
                                          SIM_TAKES_RUNS,
                                 .context = observer,
                                 .fork = counter_fork,
                                 .join = counter_join,
                                 .access = counter_access};
}

// ---- after the run

// A load that ptxas takes out of its loop costs what it costs once for each time that the loop is entered.
static void apply_hoisting(struct counter_observer *observer, const struct sim_count *counts)
{
    for (uint32_t pc = 0; counts && pc < observer->size; pc++) {
        const struct site *site = &observer->sites[pc];
        struct shared_counts *tally = &observer->tallies[pc][TALLY_SHARED].compiled;
        uint64_t executed = tally->instructions;
        if (!site->fusion.hoisted || !executed || counts[site->preheader].warps >= executed)
            continue;
        tally->instructions = counts[site->preheader].warps;
        tally->wavefronts = tally->wavefronts * tally->instructions / executed;
        tally->conflicts = tally->conflicts * tally->instructions / executed;
    }
}

static bool is_block_barrier(enum ptx_opcode op)
{
    return op >= PTX_OP_BAR_SYNC && op <= PTX_OP_BARRIER_CTA_RED;
}

// What an access counts as.
static enum counter_kind counted_as(enum sim_access_kind kind)
{
    static const enum counter_kind kinds[] = {
        [SIM_LOAD] = COUNT_LOAD,          [SIM_MATRIX_LOAD] = COUNT_LOAD, [SIM_STORE] = COUNT_STORE,
        [SIM_MATRIX_STORE] = COUNT_STORE, [SIM_ATOMIC] = COUNT_ATOMIC,    [SIM_REDUCE] = COUNT_ATOMIC,
        [SIM_ASYNC_COPY] = COUNT_COPY,    [SIM_BULK_COPY] = COUNT_COPY,
    };
    return kinds[kind];
}

static struct counter_line make_line(const struct counter_observer *observer, uint32_t pc, int space)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(observer->program, pc, &function);
    const struct tally *tally = &observer->tallies[pc][space];
    const struct site *site = &observer->sites[pc];
    bool wide = space == TALLY_SHARED && site->fusion.action == FUSION_WIDE;
    struct counter_line line = {.pc = pc,
                                .space = space == TALLY_SHARED ? PTX_SHARED : PTX_GLOBAL,
                                .kind = observer->kinds[pc],
                                .op = kind_names[counted_as(observer->kinds[pc])],
                                .bytes = wide ? site->fusion.bytes : observer->bytes[pc],
                                .bytes_written = observer->bytes[pc],
                                .fused_away = space == TALLY_SHARED && site->fusion.action == FUSION_AWAY,
                                .estimate = space == TALLY_SHARED && site->estimate,
                                .instructions = tally->compiled.instructions,
                                .wavefronts = tally->compiled.wavefronts,
                                .conflicts = tally->compiled.conflicts,
                                .requests = tally->global.requests,
                                .sectors = tally->global.sectors,
                                .written_wavefronts = tally->written.wavefronts,
                                .written_conflicts = tally->written.conflicts};
    ptx_source(function->module, inst, observer->main_file, &line.file, &line.line);
    return line;
}

static int line_compare(const void *a, const void *b)
{
    const struct counter_line *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return x->space < y->space ? -1 : x->space > y->space;
}

void counter_observer_take(struct counter_observer *observer, const struct sim_count *counts,
                           struct counter_table *table)
{
    size_t capacity = 0;
    *table = (struct counter_table){0};
    apply_hoisting(observer, counts);
    for (uint32_t pc = 0; pc < observer->size; pc++) {
        const struct tally *tallies = observer->tallies[pc];
        enum counter_kind kind = counted_as(observer->kinds[pc]);
        const struct ptx_inst *inst = sim_program_inst(observer->program, pc, NULL);
        if (counts) {
            table->compiled.warp_instructions += counts[pc].warps;
            table->compiled.thread_instructions += counts[pc].threads;
            table->compiled.barriers += is_block_barrier(inst->op) ? counts[pc].warps : 0;
        }
        shared_add(&table->compiled.shared[kind], &tallies[TALLY_SHARED].compiled);
        shared_add(&table->written.shared[kind], &tallies[TALLY_SHARED].written);
        global_add(&table->compiled.global[kind == COUNT_COPY ? COUNT_LOAD : kind], &tallies[TALLY_GLOBAL].global);
        for (int space = 0; space < TALLIES; space++) {
            if (!tallies[space].written.instructions)
                continue;
            mem_reserve(&table->lines, &capacity, table->count);
            table->lines[table->count++] = make_line(observer, pc, space);
        }
    }
    table->written.warp_instructions = table->compiled.warp_instructions;
    table->written.thread_instructions = table->compiled.thread_instructions;
    table->written.barriers = table->compiled.barriers;
    memcpy(table->written.global, table->compiled.global, sizeof table->written.global);
    if (table->count)
        qsort(table->lines, table->count, sizeof *table->lines, line_compare);
    memset(observer->tallies, 0, observer->size * sizeof *observer->tallies);
}

void counter_table_free(struct counter_table *table)
{
    free(table->lines);
    *table = (struct counter_table){0};
}

struct shared_counts counters_shared(const struct counters *counters)
{
    struct shared_counts sum = {0};
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        shared_add(&sum, &counters->shared[kind]);
    return sum;
}

// ---- by name

static const struct field counter_rows[] = {
#define C(name, field) FIELD(counters, U64, #name, field),
#include "record/counters.def"
#undef C
};
const struct fields counter_fields = FIELDS(counters, counter_rows);

uint64_t *counters_at(struct counters *counters, const char *name)
{
    for (size_t i = 0; i < counter_fields.count; i++)
        if (strcmp(counter_rows[i].key, name) == 0)
            return (uint64_t *)((char *)counters + counter_rows[i].offset);
    return NULL;
}

bool counters_get(const struct counters *counters, const char *name, uint64_t *value)
{
    struct counters copy = *counters;
    const uint64_t *found = counters_at(&copy, name);
    if (found)
        *value = *found;
    return found != NULL;
}
