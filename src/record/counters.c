// Counts what the instructions of a launch did, and sums it up by instruction and by kind.
#include "record/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/operation.h"
#include "sim/shape.h"

// What one instruction did in one space.
struct tally {
    struct shared_counts compiled, written; // of global memory: only how often it ran
    struct global_counts global;
};

enum { TALLY_SHARED, TALLY_GLOBAL, TALLIES };

struct counter_observer {
    const struct sim_program *program;
    const char *main_file;
    uint32_t size;
    struct operation *operations; // by pc, as all below
    struct tally (*tallies)[TALLIES];
    enum sim_access_kind *kinds; // as last seen
    uint32_t *bytes;             // per lane, as last seen
};

// The accesses of one instruction since their cost last changed, not yet in its tally.
struct counter_run {
    uint32_t serial, phase; // of their shape; in their unit
    uint64_t times;
    struct bank_cost written, compiled;
    uint32_t sectors;
};

struct memo {
    struct bank_cost banks;
    uint32_t sectors;
};
enum { MEMO_MAX = 768, BANK_PHASES = 16 }; // as many as stay in a core's own cache

// One host thread's part.
struct counter_state {
    const struct counter_observer *observer;
    struct tally (*tallies)[TALLIES];
    struct counter_run (*runs)[TALLIES];
    enum sim_access_kind *kinds;
    uint32_t *bytes;
    struct map costs; // of accesses that have a shape
};

struct counter_observer *counter_observer_new(const struct sim_program *program, const char *main_file)
{
    struct counter_observer *observer = mem_alloc(sizeof *observer);
    uint32_t size = sim_program_size(program);
    *observer = (struct counter_observer){.program = program,
                                          .main_file = main_file,
                                          .size = size,
                                          .operations = operations_new(program),
                                          .tallies = mem_alloc(size * sizeof *observer->tallies),
                                          .kinds = mem_alloc(size * sizeof *observer->kinds),
                                          .bytes = mem_alloc(size * sizeof *observer->bytes)};
    return observer;
}

void counter_observer_free(struct counter_observer *observer)
{
    if (!observer)
        return;
    free(observer->operations);
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
                                    .costs = map_of(struct memo)};
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

// Counts the accesses of a run; times 0: none.
static void tally_shared(struct tally *tally, const struct operation *operation, const struct counter_run *run)
{
    tally->written.instructions += run->times;
    tally->written.wavefronts += run->times * run->written.wavefronts;
    tally->written.conflicts += run->times * run->written.conflicts;
    if (operation->fused_away)
        return;
    tally->compiled.instructions += run->times;
    tally->compiled.wavefronts += run->times * run->compiled.wavefronts;
    tally->compiled.conflicts += run->times * run->compiled.conflicts;
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
        tally_shared(tally, &state->observer->operations[pc], run);
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

static void counter_join(void *context, void *data, bool keep)
{
    struct counter_observer *observer = context;
    struct counter_state *state = data;
    for (uint32_t pc = 0; keep && pc < observer->size; pc++) {
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
    map_free(&state->costs);
    free(state);
}

static bool is_copy(const struct sim_access *access)
{
    return access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY;
}

// What an access of this shape costs. Costs do not change when all addresses move by a whole number of units, of up to
// BANK_PHASES bytes for banks and SECTOR_BYTES for sectors: phase is the first address's place in its unit. Serials of
// shapes are never 0; an access without one is not remembered.
static struct memo *memo_find(struct counter_state *state, const struct lane_shape *shape, unsigned kind,
                              uint32_t bytes, uint64_t phase, bool *fresh)
{
    if (state->costs.count == MEMO_MAX)
        map_clear(&state->costs);
    return map_add(&state->costs, (uint64_t)shape->serial << 32 | bytes << 16 | kind << 8 | phase, fresh);
}

static struct bank_cost bank_cost_of(struct counter_state *state, const struct lane_shape *shape,
                                     const struct bank_access *access)
{
    bool fresh;
    if (!shape || !access->mask || access->kind == BANK_BULK)
        return banks_count(access);
    uint64_t first = access->addresses[__builtin_ctz(access->mask)] + (uint64_t)(int64_t)access->delta;
    struct memo *memo = memo_find(state, shape, access->kind, access->bytes, first % BANK_PHASES, &fresh);
    if (fresh)
        memo->banks = banks_count(access);
    return memo->banks;
}

static uint32_t sectors_of(struct counter_state *state, const struct lane_shape *shape, uint32_t bytes, uint32_t mask,
                           const uint64_t *addresses, uint32_t phase)
{
    bool fresh;
    if (!shape)
        return sectors_count(bytes, mask, addresses);
    struct memo *memo = memo_find(state, shape, BANK_KINDS, 0, phase, &fresh);
    if (fresh)
        memo->sectors = sectors_count(bytes, mask, addresses);
    return memo->sectors;
}

static void count_shared(struct counter_state *state, const struct sim_access *access)
{
    struct counter_run *run = &state->runs[access->pc][TALLY_SHARED];
    uint32_t zeros = is_copy(access) ? access->mask & ~access->source_mask : 0;
    const struct lane_shape *shape = zeros ? NULL : access->shape;
    uint32_t phase = (uint32_t)(access->first % BANK_PHASES), serial = shape ? shape->serial : 0;
    if (run_goes_on(run, shape, phase, access->times))
        return;
    struct sim_spread spread;
    const uint64_t *addresses = sim_access_spread(access, &spread)->addresses;
    const struct operation *operation = &state->observer->operations[access->pc];
    struct bank_access written = operation_access(operation, false, access->bytes, access->mask, zeros, addresses);
    struct bank_access compiled = operation_access(operation, true, access->bytes, access->mask, zeros, addresses);
    struct counter_run next = {.serial = serial, .phase = phase, .times = access->times};
    next.written = bank_cost_of(state, shape, &written);
    next.compiled = operation->wide ? bank_cost_of(state, shape, &compiled) : next.written;
    if (!shape) {
        tally_shared(&state->tallies[access->pc][TALLY_SHARED], operation, &next);
        return;
    }
    run_end(state, access->pc, TALLY_SHARED);
    *run = next;
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
    uint32_t phase = (uint32_t)(addresses[__builtin_ctz(mask)] % SECTOR_BYTES);
    if (run_goes_on(run, shape, phase, access->times))
        return;
    uint32_t sectors = sectors_of(state, shape, bytes, mask, addresses, phase);
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
    if (is_copy(access) && access->source_space == PTX_GLOBAL)
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
        const struct operation *operation = &observer->operations[pc];
        struct shared_counts *tally = &observer->tallies[pc][TALLY_SHARED].compiled;
        uint64_t executed = tally->instructions;
        if (!operation->hoisted || !executed || counts[operation->preheader].warps >= executed)
            continue;
        tally->instructions = counts[operation->preheader].warps;
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
    static const struct operation plain;
    const struct operation *operation = space == TALLY_SHARED ? &observer->operations[pc] : &plain;
    struct counter_line line = {.pc = pc,
                                .space = space == TALLY_SHARED ? PTX_SHARED : PTX_GLOBAL,
                                .kind = observer->kinds[pc],
                                .op = kind_names[counted_as(observer->kinds[pc])],
                                .bytes = operation->wide ? operation->wide : observer->bytes[pc],
                                .bytes_written = observer->bytes[pc],
                                .fused_away = operation->fused_away,
                                .estimate = operation->estimate,
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
