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
    enum sim_access_kind kind; // as last seen
    uint32_t bytes;            // per lane
    bool stores;               // bulk copies: to global memory
};

enum { TALLY_SHARED, TALLY_GLOBAL, TALLY_LOCAL, TALLIES };

// The accesses of one instruction since their cost last changed, not yet in its tally.
struct counter_run {
    uint32_t serial, phase; // of their shape, 0: they have none; in their unit
    uint64_t times;
    struct tally once;
};

// What an instruction did. Few of a large program make an access, and a run may be of few blocks.
struct site {
    struct tally tallies[TALLIES];
    struct counter_run runs[TALLIES]; // of a host thread
};

struct tallied {
    struct site **by_pc; // NULL: it made no access
    struct arena *arena;
};

struct counter_observer {
    const struct sim_program *program;
    const char *main_file;
    uint32_t size;
    struct operation *operations; // by pc
    struct tallied sites;
};

struct memo {
    struct bank_cost banks;
    uint32_t sectors;
};
enum { MEMO_MAX = 768, BANK_PHASES = 16 }; // as many as stay in a core's own cache

// One host thread's part.
struct counter_state {
    const struct counter_observer *observer;
    struct tallied sites;
    struct map costs; // of accesses that have a shape
};

static struct tallied tallied_new(uint32_t size)
{
    return (struct tallied){.by_pc = mem_alloc(size * sizeof(struct site *)), .arena = arena_new()};
}

static void tallied_free(struct tallied *sites)
{
    free(sites->by_pc);
    arena_free(sites->arena);
}

static inline struct site *site_at(struct tallied *sites, uint32_t pc)
{
    if (!sites->by_pc[pc])
        sites->by_pc[pc] = arena_alloc(sites->arena, sizeof(struct site));
    return sites->by_pc[pc];
}

struct counter_observer *counter_observer_new(const struct sim_program *program, const char *main_file)
{
    struct counter_observer *observer = mem_alloc(sizeof *observer);
    uint32_t size = sim_program_size(program);
    *observer = (struct counter_observer){.program = program,
                                          .main_file = main_file,
                                          .size = size,
                                          .operations = operations_new(program),
                                          .sites = tallied_new(size)};
    return observer;
}

void counter_observer_free(struct counter_observer *observer)
{
    if (!observer)
        return;
    free(observer->operations);
    tallied_free(&observer->sites);
    free(observer);
}

// ---- during the run

static void *counter_fork(void *context)
{
    const struct counter_observer *observer = context;
    struct counter_state *state = mem_alloc(sizeof *state);
    *state = (struct counter_state){
        .observer = observer, .sites = tallied_new(observer->size), .costs = map_of(struct memo)};
    return state;
}

static void shared_add(struct shared_counts *sum, const struct shared_counts *part, uint64_t times)
{
    sum->instructions += times * part->instructions;
    sum->wavefronts += times * part->wavefronts;
    sum->conflicts += times * part->conflicts;
}

static void global_add(struct global_counts *sum, const struct global_counts *part, uint64_t times)
{
    sum->requests += times * part->requests;
    sum->sectors += times * part->sectors;
}

static void tally_add(struct tally *sum, const struct tally *part, uint64_t times)
{
    if (times == 0 || part->bytes == 0)
        return;
    shared_add(&sum->compiled, &part->compiled, times);
    shared_add(&sum->written, &part->written, times);
    global_add(&sum->global, &part->global, times);
    sum->kind = part->kind;
    sum->bytes = part->bytes;
    sum->stores = part->stores;
}

// The access is one more of the run that its instruction is in.
static inline bool run_goes_on(struct counter_run *run, const struct lane_shape *shape, uint32_t phase, uint64_t times)
{
    if (!shape || shape->serial != run->serial || phase != run->phase)
        return false;
    run->times += times;
    return true;
}

// Starts a run with this access, which costs what `once` says.
static void run_begin(struct counter_state *state, const struct sim_access *access, int space,
                      const struct lane_shape *shape, uint32_t phase, const struct tally *once)
{
    struct site *site = site_at(&state->sites, access->pc);
    struct counter_run *run = &site->runs[space];
    tally_add(&site->tallies[space], &run->once, run->times);
    *run = (struct counter_run){shape ? shape->serial : 0, phase, access->times, *once};
    run->once.kind = access->kind;
    run->once.bytes = access->bytes;
    run->once.stores = access->kind == SIM_BULK_COPY && access->space == PTX_GLOBAL;
}

static void counter_join(void *context, void *data, bool keep)
{
    struct counter_observer *observer = context;
    struct counter_state *state = data;
    for (uint32_t pc = 0; keep && pc < observer->size; pc++) {
        const struct site *seen = state->sites.by_pc[pc];
        for (int space = 0; seen && space < TALLIES; space++) {
            struct tally *sum = &site_at(&observer->sites, pc)->tallies[space];
            tally_add(sum, &seen->tallies[space], 1);
            tally_add(sum, &seen->runs[space].once, seen->runs[space].times);
        }
    }
    tallied_free(&state->sites);
    map_free(&state->costs);
    free(state);
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

// turns: lanes of an atomic that want one place take turns.
static uint32_t sectors_of(struct counter_state *state, const struct lane_shape *shape, uint32_t bytes, uint32_t mask,
                           const uint64_t *addresses, uint32_t phase, bool turns)
{
    bool fresh;
    if (!shape)
        return turns ? sectors_in_turns(mask, addresses) : sectors_count(bytes, mask, addresses);
    struct memo *memo = memo_find(state, shape, BANK_KINDS, turns, phase, &fresh);
    if (fresh)
        memo->sectors = turns ? sectors_in_turns(mask, addresses) : sectors_count(bytes, mask, addresses);
    return memo->sectors;
}

// A tensor copy's rows are told one by one, and it is one copy: the rows after the first count for their banks and
// sectors alone. They are no part of the same run.
static uint32_t row_phase(const struct sim_access *access)
{
    enum { PART = 1 << 7 };
    return access->is_part ? PART : 0;
}

static void count_shared(struct counter_state *state, const struct sim_access *access)
{
    uint32_t zeros = sim_is_copy(access->kind) ? access->mask & ~access->source_mask : 0;
    const struct lane_shape *shape = zeros ? NULL : access->shape;
    uint32_t phase = (uint32_t)(access->first % BANK_PHASES) | row_phase(access);
    if (run_goes_on(&site_at(&state->sites, access->pc)->runs[TALLY_SHARED], shape, phase, access->times))
        return;
    struct sim_spread spread;
    const uint64_t *addresses = sim_access_spread(access, &spread)->addresses;
    const struct operation *operation = &state->observer->operations[access->pc];
    struct bank_access as_written = operation_access(operation, false, access->bytes, access->mask, zeros, addresses);
    struct bank_access as_compiled = operation_access(operation, true, access->bytes, access->mask, zeros, addresses);
    struct bank_cost written = bank_cost_of(state, shape, &as_written), compiled = written;
    if (operation->wide)
        compiled = bank_cost_of(state, shape, &as_compiled);
    uint32_t times = !access->is_part, each = operation->twice ? 2 : 1;
    struct tally once = {.written = {times, written.wavefronts, written.conflicts}};
    if (!operation->fused_away)
        once.compiled = (struct shared_counts){each * times, each * compiled.wavefronts, each * compiled.conflicts};
    run_begin(state, access, TALLY_SHARED, shape, phase, &once);
}

// mask: the lanes that read or write there. A warp that copies nothing but zeros asks for nothing (measured on the
// H200: tests/golden/h200_requests.csv).
static void count_global(struct counter_state *state, const struct sim_access *access, uint32_t mask,
                         const uint64_t *addresses, const struct lane_shape *shape, uint32_t bytes)
{
    const struct operation *operation = &state->observer->operations[access->pc];
    bool is_load = access->kind == SIM_LOAD;
    uint32_t times = !access->is_part, each = is_load && operation->twice ? 2 : 1;
    struct tally once = {.written = {.instructions = times}, .compiled = {.instructions = each * times}};
    uint32_t phase = (mask ? (uint32_t)(addresses[__builtin_ctz(mask)] % SECTOR_BYTES) : 0) | row_phase(access);
    bool is_atomic = access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE;
    bool turns = is_atomic && !operation->adds_up;
    shape = mask ? shape : NULL;
    if (run_goes_on(&site_at(&state->sites, access->pc)->runs[TALLY_GLOBAL], shape, phase, access->times))
        return;
    if (mask)
        once.global =
            (struct global_counts){each * times, each * sectors_of(state, shape, bytes, mask, addresses, phase, turns)};
    else if (access->kind == SIM_BULK_COPY) // a box's first row that lies outside
        once.global.requests = times;
    run_begin(state, access, TALLY_GLOBAL, shape, phase, &once);
}

static void count_bypassing(struct counter_state *state, const struct sim_access *access)
{
    struct sim_spread spread;
    const uint64_t *targets = sim_access_spread(access, &spread)->addresses;
    struct tally once = {.written = {.instructions = 1}, .compiled = {.instructions = 1}};
    once.global = (struct global_counts){1, sectors_bypassing(access->source_mask, access->sources, targets)};
    run_begin(state, access, TALLY_GLOBAL, NULL, 0, &once);
}

// Local memory is interleaved: a word of 32 neighbouring lanes fills four sectors, so lanes that want the same word of
// theirs want neighbours. Source: CUDA C++ Programming Guide, "Local Memory".
static uint32_t local_sectors(const struct sim_access *access, const uint64_t *addresses)
{
    enum { LANES_PER_SECTOR = SECTOR_BYTES / BANK_BYTES, MOST = 5 * SIM_LANES };
    uint64_t found[MOST];
    uint32_t count = 0;
    FOR_LANES (lane, access->mask) {
        uint64_t last = (addresses[lane] + access->bytes - 1) / BANK_BYTES;
        for (uint64_t word = addresses[lane] / BANK_BYTES; word <= last && count < MOST; word++) {
            uint64_t sector = word * LANES_PER_SECTOR + lane / LANES_PER_SECTOR;
            uint32_t i = 0;
            while (i < count && found[i] != sector)
                i++;
            if (i == count)
                found[count++] = sector;
        }
    }
    return count;
}

static void count_local(struct counter_state *state, const struct sim_access *access)
{
    struct sim_spread spread;
    const uint64_t *addresses = sim_access_spread(access, &spread)->addresses;
    struct tally once = {.written = {.instructions = 1}, .compiled = {.instructions = 1}};
    if (access->mask)
        once.global = (struct global_counts){1, local_sectors(access, addresses)};
    run_begin(state, access, TALLY_LOCAL, NULL, 0, &once);
}

static void counter_access(void *data, const struct sim_access *access)
{
    struct counter_state *state = data;
    if (access->space == PTX_SHARED)
        count_shared(state, access);
    else if (access->space == PTX_GLOBAL)
        count_global(state, access, access->mask, access->addresses, access->shape, access->bytes);
    else if (access->space == PTX_LOCAL)
        count_local(state, access);
    if (!sim_is_copy(access->kind) || access->source_space != PTX_GLOBAL)
        return;
    if (access->source_mask && state->observer->operations[access->pc].kind == BANK_COPY_BYPASS)
        count_bypassing(state, access);
    else
        count_global(state, access, access->source_mask, access->sources, access->source_shape, access->source_bytes);
}

// The operands that a warp group's product reads from shared memory, 128 bytes a wavefront and no conflicts whatever
// the layout (measured on an H200: docs/coverage.md). Each warp reads its own rows of A; B is read once for all four.
static void counter_group(void *data, const struct sim_group *group)
{
    enum { CHUNK = 16, CHUNKS = 8, GROUP_WARPS = 4 }; // of a wavefront
    struct counter_state *state = data;
    if (group->kind != SIM_GROUP_PRODUCT)
        return;
    uint32_t chunks = group->counts[0] + (group->warp % GROUP_WARPS ? 0 : group->counts[1]);
    struct tally once = {.compiled = {1, chunks / CHUNKS, 0}, .kind = SIM_MATRIX_LOAD, .bytes = CHUNK};
    once.written = once.compiled;
    tally_add(&site_at(&state->sites, group->pc)->tallies[TALLY_SHARED], &once, 1);
}

struct sim_observer counter_observer_get(struct counter_observer *observer)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_ACCESS_OTHER |
                                          SIM_TAKES_SHAPES | SIM_TAKES_RUNS | SIM_WANT_GROUP,
                                 .context = observer,
                                 .fork = counter_fork,
                                 .join = counter_join,
                                 .access = counter_access,
                                 .group = counter_group};
}

// ---- after the run

// A load that ptxas takes out of its loop costs what it costs once for each time that the loop is entered.
static void apply_hoisting(struct counter_observer *observer, const struct sim_count *counts)
{
    for (uint32_t pc = 0; counts && pc < observer->size; pc++) {
        const struct operation *operation = &observer->operations[pc];
        if (!observer->sites.by_pc[pc] || !operation->hoisted)
            continue;
        struct shared_counts *tally = &observer->sites.by_pc[pc]->tallies[TALLY_SHARED].compiled;
        struct global_counts *global = &observer->sites.by_pc[pc]->tallies[TALLY_GLOBAL].global;
        uint64_t entered = counts[operation->preheader].warps, executed = tally->instructions;
        if (executed && entered < executed) {
            tally->instructions = entered;
            tally->wavefronts = tally->wavefronts * entered / executed;
            tally->conflicts = tally->conflicts * entered / executed;
        }
        if (global->requests && entered < global->requests) {
            global->sectors = global->sectors * entered / global->requests;
            global->requests = entered;
        }
    }
}

// What the instruction's accesses count as.
static enum counter_kind counted_as(const struct counter_observer *observer, uint32_t pc, enum sim_access_kind kind)
{
    static const enum counter_kind kinds[] = {
        [SIM_LOAD] = COUNT_LOAD,          [SIM_MATRIX_LOAD] = COUNT_LOAD, [SIM_STORE] = COUNT_STORE,
        [SIM_MATRIX_STORE] = COUNT_STORE, [SIM_ATOMIC] = COUNT_ATOMIC,    [SIM_REDUCE] = COUNT_ATOMIC,
        [SIM_ASYNC_COPY] = COUNT_COPY,    [SIM_BULK_COPY] = COUNT_COPY,
    };
    return sim_program_inst(observer->program, pc, NULL)->op == PTX_OP_WGMMA_MMA ? COUNT_WGMMA : kinds[kind];
}

static const char *const kind_names[COUNTER_KINDS] = {[COUNT_LOAD] = "load",
                                                      [COUNT_STORE] = "store",
                                                      [COUNT_ATOMIC] = "atomic",
                                                      [COUNT_COPY] = "copy",
                                                      [COUNT_WGMMA] = "wgmma"};

static struct counter_line make_line(const struct counter_observer *observer, uint32_t pc, int space)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(observer->program, pc, &function);
    const struct tally *tally = &observer->sites.by_pc[pc]->tallies[space];
    static const struct operation plain;
    const struct operation *operation = space == TALLY_SHARED ? &observer->operations[pc] : &plain;
    struct counter_line line = {.pc = pc,
                                .space = space == TALLY_SHARED ? PTX_SHARED : PTX_GLOBAL,
                                .kind = tally->kind,
                                .op = kind_names[counted_as(observer, pc, tally->kind)],
                                .bytes = operation->wide ? operation->wide : tally->bytes,
                                .bytes_written = tally->bytes,
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
    const int64_t differ[] = {(int64_t)x->line - y->line, (int64_t)x->pc - y->pc, (int)x->space - (int)y->space};
    size_t i = 0;
    while (i < 2 && differ[i] == 0)
        i++;
    return (differ[i] > 0) - (differ[i] < 0);
}

static bool is_arrival(enum ptx_opcode op)
{
    return op == PTX_OP_MBARRIER_ARRIVE || op == PTX_OP_MBARRIER_ARRIVE_DROP || op == PTX_OP_BARRIER_CLUSTER_ARRIVE ||
           op == PTX_OP_ST_ASYNC || op == PTX_OP_RED_ASYNC;
}

static bool is_lane_exchange(enum ptx_opcode op)
{
    return op == PTX_OP_SHFL_SYNC || op == PTX_OP_VOTE_SYNC || op == PTX_OP_MATCH_SYNC || op == PTX_OP_REDUX_SYNC ||
           op == PTX_OP_MOVMATRIX || op == PTX_OP_MMA || op == PTX_OP_WMMA_MMA;
}

static bool is_bulk_reduction(enum ptx_opcode op)
{
    return op == PTX_OP_CP_REDUCE_ASYNC_BULK || op == PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR;
}

static void sum_counts(const struct counter_observer *observer, const struct sim_count *counts, struct counters *sum)
{
    for (uint32_t pc = 0; counts && pc < observer->size; pc++) {
        sum->warp_instructions += counts[pc].warps;
        sum->thread_instructions += counts[pc].threads;
        enum ptx_opcode op = sim_program_inst(observer->program, pc, NULL)->op;
        sum->barriers += ptx_is_block_barrier(op) ? counts[pc].warps : 0;
        sum->arrivals += is_arrival(op) ? counts[pc].warps : 0;
        sum->lane_exchanges += is_lane_exchange(op) ? counts[pc].warps : 0;
        sum->bulk_reductions += is_bulk_reduction(op) ? counts[pc].threads : 0;
    }
}

// Where an instruction's requests and sectors are added up.
static struct global_counts *requests_of(struct counters *sum, const struct tally *tally, enum counter_kind kind,
                                         int space)
{
    if (space == TALLY_LOCAL)
        return &sum->local[kind == COUNT_LOAD ? COUNT_LOAD : COUNT_STORE];
    if (tally->kind == SIM_BULK_COPY)
        return &sum->bulk[tally->stores ? COUNT_STORE : COUNT_LOAD];
    return &sum->global[kind < COUNT_COPY ? kind : COUNT_LOAD]; // wgmma has none
}

void counter_observer_take(struct counter_observer *observer, const struct sim_count *counts,
                           struct counter_table *table)
{
    size_t capacity = 0;
    *table = (struct counter_table){0};
    apply_hoisting(observer, counts);
    sum_counts(observer, counts, &table->compiled);
    table->written = table->compiled;
    for (uint32_t pc = 0; pc < observer->size; pc++) {
        const struct site *site = observer->sites.by_pc[pc];
        for (int space = 0; site && space < TALLIES; space++) {
            const struct tally *tally = &site->tallies[space];
            if (!tally->written.instructions)
                continue;
            enum counter_kind kind = counted_as(observer, pc, tally->kind);
            if (space == TALLY_SHARED) {
                shared_add(&table->compiled.shared[kind], &tally->compiled, 1);
                shared_add(&table->written.shared[kind], &tally->written, 1);
            }
            global_add(requests_of(&table->compiled, tally, kind, space), &tally->global, 1);
            global_add(requests_of(&table->written, tally, kind, space), &tally->global, 1);
            if (space != TALLY_LOCAL)
                *mem_append(table->lines, capacity, table->count) = make_line(observer, pc, space);
        }
    }
    if (table->count)
        qsort(table->lines, table->count, sizeof *table->lines, line_compare);
    tallied_free(&observer->sites);
    observer->sites = tallied_new(observer->size);
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
        shared_add(&sum, &counters->shared[kind], 1);
    return sum;
}

static struct global_counts with_atomics(const struct counters *counters, enum counter_kind kind)
{
    struct global_counts sum = counters->global[kind];
    global_add(&sum, &counters->global[COUNT_ATOMIC], 1);
    sum.sectors += counters->bulk[kind].sectors;
    return sum;
}

struct global_counts counters_global_read(const struct counters *counters)
{
    return with_atomics(counters, COUNT_LOAD);
}

struct global_counts counters_global_written(const struct counters *counters)
{
    return with_atomics(counters, COUNT_STORE);
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

void counters_add(struct counters *sum, const struct counters *part, double times)
{
    for (size_t i = 0; i < counter_fields.count; i++) {
        uint64_t *to = (uint64_t *)((char *)sum + counter_rows[i].offset);
        *to += (uint64_t)(times * (double)*(const uint64_t *)((const char *)part + counter_rows[i].offset) + 0.5);
    }
}

bool counters_get(const struct counters *counters, const char *name, uint64_t *value)
{
    struct counters copy = *counters;
    const uint64_t *found = counters_at(&copy, name);
    if (found)
        *value = *found;
    return found != NULL;
}
