// Traces a few blocks of a launch on the simulator into the steps that the replay takes.
#include "model/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/describe.h"
#include "model/liveness.h"
#include "model/operation.h"
#include "model/phases.h"
#include "model/sass.h"
#include "model/schedule.h"
#include "model/traffic.h"
#include "model/unroll.h"

static void describe_program(const struct sim_program *program, const struct operation *operations, unsigned arch,
                             struct stream *stream)
{
    const struct ptx_function *function = NULL, *before = NULL;
    uint32_t base = 0;
    stream->inst_count = sim_program_size(program);
    stream->insts = mem_alloc(stream->inst_count * sizeof *stream->insts);
    for (uint32_t pc = 0; pc < stream->inst_count; pc++, before = function) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        if (before && function != before)
            base += before->register_count;
        stream->insts[pc] = describe_inst(function, (uint32_t)(inst - function->insts), base, arch);
        stream->insts[pc].origin = pc;
        stream->insts[pc].rides = operations[pc].fused_away;
        stream->insts[pc].swaps = operations[pc].swaps;
        if (inst == function->insts + function->inst_count - 1)
            sass_join(function, arch, &stream->insts[pc + 1 - function->inst_count]);
    }
    stream->register_count = base + (function ? function->register_count : 0);
    if (stream->register_count > REPLAY_MAX_REGISTERS || stream->register_count == 0)
        stream->register_count = REPLAY_MAX_REGISTERS;
}

// The instructions and registers of unrolled loops follow the program's.
static void unroll_program(const struct sim_program *program, struct stream *stream, struct unrolling *unrolling)
{
    const struct ptx_function *function = NULL;
    *unrolling = (struct unrolling){.insts = stream->insts,
                                    .inst_count = stream->inst_count,
                                    .inst_capacity = stream->inst_count,
                                    .register_count = stream->register_count};
    uint8_t *words = stream->register_words = mem_alloc(REPLAY_MAX_REGISTERS);
    uint32_t base = 0;
    for (uint32_t pc = 0; pc < stream->inst_count; pc += function->inst_count, base += function->register_count) {
        sim_program_inst(program, pc, &function);
        if (base + function->register_count <= REPLAY_MAX_REGISTERS)
            liveness_register_words(function, words + base);
        unroll_function(unrolling, function, pc);
    }
    for (uint32_t i = stream->inst_count; i < unrolling->inst_count; i++)
        for (uint32_t k = 0; k < unrolling->insts[i].result_count; k++)
            words[unrolling->insts[i].results[k]] = words[unrolling->insts[unrolling->insts[i].origin].results[k]];
    stream->insts = unrolling->insts;
    stream->register_count = unrolling->register_count;
    stream->all_count = (uint32_t)unrolling->inst_count;
}

// ---- recording

// A long block is kept in windows: its beginning, and parts of what comes after. FORWARD: steps between them, of all
// blocks together, since even steps that nobody keeps take time.
enum { SKIPPED = 8 }; // blocks without work for each that is wanted
enum { PROBE_STEPS = 2000, WINDOWS = 4, FORWARD = 1500000 };

// A warp's atomic in shared memory that is a loop: all warps of the block are taken to come to it together, each as
// often as it has been there before.
struct meeting {
    uint32_t warp, mask;
    size_t step;
    uint64_t words[SIM_LANES]; // keys of tracer.meeting_lanes
};

// What a warp does from an mbarrier wait that was too early until it asks again: on a GPU it sleeps in the meantime.
struct poll {
    bool is_open;
    uint32_t pc;
    size_t count;                // of its steps kept before it
    uint64_t steps, executed[2]; // since, as tracer.clock and tracer.executed count them
};

// The bulk copies of the step that a warp is executing.
struct bulk_step {
    uint32_t sectors, lines, copies, wavefronts;
    bool is_partial;           // some sectors are written in part
    uint32_t place, place_end; // in shared memory
};

// The accesses of an instruction that makes several (wmma.load, wmma.store), until its step is told.
enum { PARTS_MOST = 32 };
struct parts {
    struct sim_access accesses[PARTS_MOST];
    uint64_t addresses[PARTS_MOST][SIM_LANES];
    size_t count;
};

// A branch that ptxas turns into predicates, and at which a warp's lanes go two ways: until they are together again,
// each way is executed by some of them.
struct parting {
    uint32_t pc, lanes; // lanes: that came there; 0: none
};

// A sector that the first block writes, and how many its warp had touched by then.
struct fill {
    uint32_t warp, first, last;
    uint32_t bytes; // written, one bit a byte; put in at the end
    bool many;      // warps
    bool halves;    // written 16 bytes at a time
};

struct tracer {
    struct stream *stream;
    const struct stream_options *options;
    const struct operation *operations; // by pc
    const struct sim_memory *memory;
    struct scheduler *scheduler;
    struct unrolling unrolling;
    struct replay_step **steps; // of the block being traced, by warp
    size_t *counts, *capacities;
    uint32_t *last;           // by warp: pc of the step before, UINT32_MAX: none
    uint32_t *last_lanes;     // by warp: the mask of that step
    struct parting *partings; // by warp: the latest
    uint32_t warps, full;     // full: warps with as many steps as wanted
    bool *is_full;            // by warp
    bool keep;
    size_t wave;                  // blocks to trace
    uint64_t limit, period, stop; // of each `period` of a warp's steps the first `limit` are kept, up to `stop`
    size_t *early;                // by warp: steps in the first window
    uint64_t executed[2];         // of the steps kept, those that were not jumped over: first window, others
    // Barriers are kept or left out by all warps alike: as the first warp that came there did.
    size_t *barriers; // by warp: passed
    bool *kept_barriers;
    size_t barrier_count, barrier_capacity;
    struct phases *phases;    // NULL: it has neither mbarriers nor bulk copies nor named barriers
    struct poll *polls;       // by warp
    struct bulk_step *bulks;  // by warp
    struct parts *parts;      // NULL: no instruction makes several accesses
    uint64_t clock, idle;     // of the block: steps but those of polls, and those
    struct meeting *meetings; // of the block
    size_t meeting_count, meeting_capacity;
    struct map meeting_turns;    // by pc and warp: how often it has been there
    struct map meeting_lanes;    // by pc, turn and word
    struct traffic_site *sites;  // by pc
    uint32_t probe;              // index of the block being traced, TRAFFIC_PROBES: none of these
    struct map seen;             // by the first block: sectors
    struct map filled;           // by it: struct fill by sector
    struct map locals;           // by it: sectors of local memory, by warp
    uint32_t *touched;           // by warp: sectors that no warp had touched before
    bool is_second;              // the second block is being traced
    bool surveys;                // blocks all over the grid are run for the sake of what they touch
    bool is_surveyed;            // … and were, to their ends
    unsigned char *asked;        // by pc: where nothing is kept, the steps that are still looked at; NULL: all
    uint64_t first;              // block to trace
    struct map atomics[2];       // of the first one: lines, slices
    struct map meets;            // of the block being looked at beside it: lines
    double meet_part[2];         // of the first one's lines, what its neighbours in x and y go to
    uint32_t alike[2];           // blocks in x and y of which that can be said
    const atomic_bool *stops[2]; // whose wish to stop it is; NULL: nobody's
    atomic_bool cancel;
};

// Appends a sector of a step that has not touched it before, and counts the lines that its sectors lie in.
static void put_sector(struct stream *stream, struct replay_step *step, uint64_t sector)
{
    bool is_new = true, is_line = true;
    for (size_t at = step->first; at < stream->sector_count && is_new; at++) {
        is_new = stream->sectors[at] != sector;
        is_line &= stream->sectors[at] / 4 != sector / 4;
    }
    if (!is_new)
        return;
    *mem_append(stream->sectors, stream->sector_capacity, stream->sector_count) = sector;
    step->sectors++;
    step->lines += is_line;
    step->odd_lines = (uint16_t)(step->odd_lines + (is_line && sector / 4 % 2));
}

// Those that the lanes touch.
static void put_sectors(struct stream *stream, struct replay_step *step, const struct sim_access *access,
                        const uint64_t *addresses, uint32_t bytes)
{
    step->first = (uint32_t)stream->sector_count;
    FOR_LANES (lane, access->mask) {
        uint64_t address = addresses[lane], last = (address + bytes - 1) / SECTOR_BYTES;
        for (uint64_t sector = address / SECTOR_BYTES; sector <= last; sector++)
            put_sector(stream, step, sector);
    }
}

static uint16_t wavefronts_of(const struct tracer *tracer, const struct sim_access *access)
{
    uint32_t zeros = access->kind == SIM_ASYNC_COPY ? access->mask & ~access->source_mask : 0;
    struct bank_access compiled =
        operation_access(&tracer->operations[access->pc], true, access->bytes, access->mask, zeros, access->addresses);
    return (uint16_t)(banks_count(&compiled).wavefronts * (tracer->operations[access->pc].twice ? 2 : 1));
}

// What L1 holds leaves it as from the banks of shared memory, and an even and an odd line are looked up in a cycle
// (docs/hardware.md 8: a row of words that straddles two lines costs no more than one that does not).
static uint16_t data_cycles_of(const struct sim_access *access, const uint64_t *addresses, uint32_t bytes,
                               const struct replay_step *step)
{
    struct bank_access data = {.kind = BANK_LOAD, .bytes = bytes, .mask = access->mask, .addresses = addresses};
    uint32_t odd = step->odd_lines, even = step->lines - odd, least = odd > even ? odd : even;
    uint32_t wavefronts = banks_count(&data).wavefronts;
    return (uint16_t)(wavefronts > least ? wavefronts : least);
}

static void note_touched(struct tracer *tracer, const struct sim_access *access, const struct replay_step *step,
                         const uint64_t *addresses, uint32_t bytes)
{
    struct traffic_site *site = &tracer->sites[access->pc];
    const struct sim_allocation *array = sim_memory_find(tracer->memory, addresses[__builtin_ctz(access->mask)]);
    site->array_bytes = array ? array->size : 0;
    for (uint32_t i = 0; i < step->sectors; i++)
        sector_find(&site->touched, tracer->stream->sectors[step->first + i])->times++;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1)
            sector_touch(&site->touched, addresses[lane], bytes);
    if (access->kind != SIM_ATOMIC && access->kind != SIM_REDUCE)
        return;
    atomics_serve(&tracer->atomics[0], &tracer->atomics[1], access->mask, addresses,
                  tracer->operations[access->pc].floating, tracer->options->constants);
}

static void note_fill(struct tracer *tracer, const struct sim_access *access, const struct replay_step *step)
{
    uint32_t *touched = &tracer->touched[access->warp];
    tracer->filled.value_size = sizeof(struct fill);
    for (uint32_t i = 0; i < step->sectors; i++) {
        uint64_t sector = tracer->stream->sectors[step->first + i];
        bool fresh;
        map_add(&tracer->seen, sector, &fresh);
        *touched += fresh;
        if (access->kind != SIM_STORE)
            continue;
        struct fill *fill = map_add(&tracer->filled, sector, &fresh);
        if (fresh)
            *fill = (struct fill){.warp = access->warp, .first = *touched};
        fill->last = *touched;
        fill->many |= fill->warp != access->warp;
        fill->halves |= access->bytes >= SECTOR_BYTES / 2;
    }
}

// Sectors that a block touches between its first store to one of its own and the last, on average. Warps keep step,
// but where several fill a sector that is taken to last as long as the block.
static double filling_of(const struct tracer *tracer)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < tracer->filled.count; i++) {
        const struct fill *fill = map_value(&tracer->filled, i);
        if (!fill->many && fill->first == fill->last)
            continue;
        sum += fill->many ? (double)tracer->filled.count * tracer->stream->whole
                          : (double)(fill->last - fill->first) * tracer->warps;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

// What the neighbours of the first block touch.
static void note_near(struct tracer *tracer, const struct sim_access *access, const uint64_t *addresses, uint32_t bytes)
{
    uint32_t neighbour = tracer->probe - 1;
    enum replay_kind kind = tracer->stream->insts[access->pc].kind;
    FOR_LANES (lane, access->mask) {
        if (kind == REPLAY_GLOBAL_ATOMIC)
            atomics_touch(&tracer->meets, addresses[lane]);
        else if (neighbour < 2)
            sector_touch(&tracer->sites[access->pc].near[neighbour], addresses[lane], bytes);
    }
}

// The bytes of shared memory that the lanes touch, from the first to the last.
static void put_place(struct replay_step *step, const struct sim_access *access)
{
    step->place = UINT32_MAX;
    FOR_LANES (lane, access->mask) {
        uint32_t first = (uint32_t)access->addresses[lane], end = first + access->bytes;
        step->place = first < step->place ? first : step->place;
        step->place_end = end > step->place_end ? end : step->place_end;
    }
    if (step->place > step->place_end)
        step->place = step->place_end;
}

static void note_meeting(struct tracer *tracer, const struct sim_access *access)
{
    tracer->meeting_turns.value_size = tracer->meeting_lanes.value_size = sizeof(uint32_t);
    uint32_t *turn = map_add(&tracer->meeting_turns, (uint64_t)access->pc << 32 | access->warp, NULL);
    struct meeting *meeting = mem_append(tracer->meetings, tracer->meeting_capacity, tracer->meeting_count);
    *meeting = (struct meeting){.warp = access->warp, .mask = access->mask, .step = tracer->counts[access->warp]};
    FOR_LANES (lane, access->mask) {
        uint64_t key[3] = {access->pc, *turn, access->addresses[lane]};
        meeting->words[lane] = map_hash(MAP_HASH_START, key, sizeof key);
        ++*(uint32_t *)map_add(&tracer->meeting_lanes, meeting->words[lane], NULL);
    }
    ++*turn;
}

static void forget_meetings(struct tracer *tracer)
{
    tracer->meeting_count = 0;
    map_clear(&tracer->meeting_turns);
    map_clear(&tracer->meeting_lanes);
}

// As many rounds as lanes want the word that most of them want.
static void count_rounds(struct tracer *tracer)
{
    for (size_t i = 0; i < tracer->meeting_count; i++) {
        const struct meeting *meeting = &tracer->meetings[i];
        uint32_t most = 1;
        FOR_LANES (lane, meeting->mask) {
            const uint32_t *lanes = map_find(&tracer->meeting_lanes, meeting->words[lane]);
            most = *lanes > most ? *lanes : most;
        }
        tracer->steps[meeting->warp][meeting->step].rounds = (uint16_t)most;
    }
    forget_meetings(tracer);
}

static void note_range(struct traffic_site *site, uint64_t address, uint32_t bytes)
{
    uint64_t first = address / SECTOR_BYTES, end = (address + bytes - 1) / SECTOR_BYTES + 1;
    site->low = site->high && site->low < first ? site->low : first;
    site->high = site->high > end ? site->high : end;
}

// What a row of a bulk copy touches of global memory.
static void note_bulk(struct tracer *tracer, const struct sim_access *access, uint64_t global, uint32_t bytes)
{
    struct traffic_site *site = &tracer->sites[access->pc];
    bool is_probe = tracer->probe < TRAFFIC_PROBES;
    note_range(site, global, bytes);
    if (is_probe && !site->first[tracer->probe])
        site->first[tracer->probe] = global / SECTOR_BYTES + 1;
    if (is_probe && !tracer->keep && access->space != PTX_GLOBAL)
        sector_touch(&site->near[tracer->probe - 1], global, bytes);
    if (!tracer->keep || (tracer->probe && !tracer->is_second))
        return;
    const struct sim_allocation *array = sim_memory_find(tracer->memory, global);
    site->array_bytes = array ? array->size : 0;
    for (uint64_t sector = global / SECTOR_BYTES; sector <= (global + bytes - 1) / SECTOR_BYTES; sector++)
        sector_find(tracer->probe == 0 ? &site->touched : &site->others, sector)->times++;
    if (tracer->probe == 0)
        sector_touch(&site->touched, global, bytes);
}

// A row of a bulk copy. Boxes come row by row; what lies outside the tensor moves nothing.
static void note_bulk_row(struct tracer *tracer, const struct sim_access *access)
{
    struct bulk_step *bulk = &tracer->bulks[access->warp];
    bool stores = access->space == PTX_GLOBAL, loads = access->source_space == PTX_GLOBAL;
    uint32_t lane = lane_first(access->mask), bytes = stores ? access->bytes : access->source_bytes;
    uint64_t global = stores ? access->addresses[lane] : loads ? access->sources[lane] : 0;
    const uint64_t *shared = access->space == PTX_SHARED ? access->addresses : access->sources;
    phases_copy(tracer->phases, access);
    bulk->copies += !access->is_part;
    bulk->wavefronts += (access->bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES);
    if (!bulk->place_end || shared[lane] < bulk->place)
        bulk->place = (uint32_t)shared[lane];
    if (shared[lane] + access->bytes > bulk->place_end)
        bulk->place_end = (uint32_t)shared[lane] + access->bytes;
    if (!bytes || (!stores && (!loads || !access->source_mask)))
        return;
    uint64_t first = global / SECTOR_BYTES, last = (global + bytes - 1) / SECTOR_BYTES;
    bulk->sectors += (uint32_t)(last - first) + 1;
    bulk->lines += (uint32_t)(last / 4 - first / 4) + 1;
    bulk->is_partial |= global % SECTOR_BYTES || bytes % SECTOR_BYTES;
    note_bulk(tracer, access, global, bytes);
}

static void note_part(struct parts *parts, const struct sim_access *access)
{
    if (parts->count == PARTS_MOST)
        return;
    parts->accesses[parts->count] = *access;
    parts->accesses[parts->count].addresses = parts->addresses[parts->count];
    memcpy(parts->addresses[parts->count++], access->addresses, sizeof *parts->addresses);
}

static size_t take_parts(struct parts *parts)
{
    size_t count = parts ? parts->count : 0;
    if (parts)
        parts->count = 0;
    return count;
}

static void trace_access(void *state, const struct sim_access *access)
{
    struct tracer *tracer = state;
    if (access->warp >= tracer->warps)
        return;
    if (access->kind == SIM_BULK_COPY)
        note_bulk_row(tracer, access);
    else if (tracer->stream->insts[access->pc].parted)
        note_part(tracer->parts, access);
}

// Different ones of its lanes.
static uint16_t addresses_of(const struct sim_access *access)
{
    uint32_t left = access->mask;
    uint16_t count = 0;
    for (; left; count++) {
        uint64_t address = access->addresses[__builtin_ctz(left)];
        FOR_LANES (lane, left)
            left &= access->addresses[lane] == address ? ~(1u << lane) : UINT32_MAX;
    }
    return count;
}

// A word of 32 lanes is a line of local memory: lanes that want different words of theirs want as many lines, and each
// finds its own in a bank of its own. Stored words go to L2 as those of global memory do, in part of a sector unless
// eight neighbours store the same one. Source: CUDA C++ Programming Guide, "Local Memory"; bins_local and stack_local
// of the eighth ladder for what it costs.
static void put_local(struct tracer *tracer, struct replay_step *step, const struct sim_access *access)
{
    enum { SECTOR_WORDS = SECTOR_BYTES / BANK_BYTES };
    step->local = true;
    step->first = (uint32_t)tracer->stream->sector_count;
    FOR_LANES (lane, access->mask) {
        uint64_t last = (access->addresses[lane] + access->bytes - 1) / BANK_BYTES;
        for (uint64_t word = access->addresses[lane] / BANK_BYTES; word <= last; word++)
            put_sector(tracer->stream, step, word * (SIM_LANES / SECTOR_WORDS) + lane / SECTOR_WORDS);
    }
    uint32_t odd = step->odd_lines, even = step->lines - odd, words = (access->bytes + BANK_BYTES - 1) / BANK_BYTES;
    uint32_t least = odd > even ? odd : even, stored = (uint32_t)__builtin_popcount(access->mask) * access->bytes;
    step->data_cycles = (uint16_t)(words > least ? words : least);
    step->partial = access->kind == SIM_STORE && stored < (uint32_t)step->sectors * SECTOR_BYTES;
    for (uint32_t i = 0; i < step->sectors && tracer->probe == 0; i++)
        map_add(&tracer->locals, (uint64_t)access->warp << 32 | tracer->stream->sectors[step->first + i], NULL);
}

static void fill_step(struct tracer *tracer, struct replay_step *out, const struct sim_access *access)
{
    bool copies = sim_is_copy(access->kind);
    enum replay_kind kind = tracer->stream->insts[access->pc].kind;
    const uint64_t *global = copies ? access->sources : access->space == PTX_GLOBAL ? access->addresses : NULL;
    uint32_t bytes = copies ? access->source_bytes : access->bytes;
    struct sim_access side = *access; // the global one
    if (copies)
        side.mask = access->source_mask;
    if (access->space == PTX_SHARED && tracer->keep)
        out->wavefronts = wavefronts_of(tracer, access);
    if (access->space == PTX_SHARED && tracer->keep && tracer->operations[access->pc].loops)
        note_meeting(tracer, access);
    if (kind == REPLAY_CONSTANT)
        out->rounds = addresses_of(access);
    if (access->space == PTX_SHARED && tracer->options->places)
        put_place(out, access);
    bool is_local = access->space == PTX_LOCAL && (kind == REPLAY_GLOBAL_LOAD || kind == REPLAY_GLOBAL_STORE);
    if (is_local && access->mask && tracer->keep)
        put_local(tracer, out, access);
    if (!global || !side.mask || access->kind == SIM_BULK_COPY)
        return;
    if (tracer->probe < TRAFFIC_PROBES && !tracer->sites[access->pc].first[tracer->probe])
        tracer->sites[access->pc].first[tracer->probe] = global[__builtin_ctz(access->mask)] / SECTOR_BYTES + 1;
    FOR_LANES (lane, side.mask)
        note_range(&tracer->sites[access->pc], global[lane], bytes);
    if (tracer->surveys)
        return;
    if (!tracer->keep) {
        note_near(tracer, &side, global, bytes);
        return;
    }
    put_sectors(tracer->stream, out, &side, global, bytes);
    if (tracer->probe == 0) {
        note_touched(tracer, &side, out, global, bytes);
        note_fill(tracer, &side, out);
    }
    if (tracer->is_second)
        for (uint32_t i = 0; i < out->sectors; i++)
            sector_find(&tracer->sites[access->pc].others, tracer->stream->sectors[out->first + i])->times++;
    out->data_cycles = data_cycles_of(&side, global, bytes, out);
    if (kind == REPLAY_GLOBAL_ATOMIC)
        out->rounds =
            tracer->operations[access->pc].adds_up ? out->sectors : (uint16_t)sectors_in_turns(side.mask, global);
    out->partial = access->kind == SIM_STORE &&
                   (uint32_t)__builtin_popcount(access->mask) * bytes < (uint32_t)out->sectors * SECTOR_BYTES;
}

// An H200 sleeps for the next power of two of the nanoseconds asked for; a millisecond at most (PTX ISA, nanosleep).
static float sleep_of(const struct tracer *tracer, const struct sim_step *step)
{
    double ns = 1;
    while (ns < (double)step->sleep && ns < 1e6)
        ns *= 2;
    return (float)fmax(tracer->options->constants->sleep_least, ns * 1e-3 * (double)tracer->options->gpu->mhz);
}

static void keep_step(struct tracer *tracer, uint32_t warp, const struct replay_step *step)
{
    size_t *count = &tracer->counts[warp];
    if (!tracer->keep)
        return;
    mem_reserve(&tracer->steps[warp], &tracer->capacities[warp], *count);
    tracer->steps[warp][(*count)++] = *step;
}

// ptxas turns a branch over a few instructions into predicates: a warp that jumps over them executes them all the same,
// each with its issue slot and, if it accesses memory, a cycle of the load/store pipe (SASS, and the wavefronts of
// scan_blelloch<0> in tests/golden/h200_ladder_b.csv).
static void keep_skipped(struct tracer *tracer, uint32_t warp, uint32_t from, uint32_t to)
{
    const struct replay_inst *insts = tracer->stream->insts;
    if (from == UINT32_MAX || to <= from + 1 || to - from > SASS_PREDICATED + 1 || insts[from].wall ||
        insts[from].kind != REPLAY_CONTROL)
        return;
    if (tracer->partings[warp].lanes)
        return;
    for (uint32_t pc = from + 1; pc < to; pc++)
        if (insts[pc].kind >= REPLAY_COMMIT)
            return;
    for (uint32_t pc = from + 1; pc < to; pc++)
        keep_step(tracer, warp, &(struct replay_step){.inst = pc});
}

// Before what was jumped over is kept: the step is where some lanes are, or all that came to the branch.
static void note_together(struct tracer *tracer, const struct sim_step *step)
{
    enum { BOTH_WAYS = 2 * SASS_PREDICATED + 4 }; // the two ways, and the jumps between them
    struct parting *parting = &tracer->partings[step->warp];
    bool is_over = step->pc <= parting->pc || step->pc > parting->pc + BOTH_WAYS;
    if ((step->active & parting->lanes) == parting->lanes || is_over)
        parting->lanes = 0;
}

static void note_parting(struct tracer *tracer, const struct sim_step *step)
{
    const struct replay_inst *inst = &tracer->stream->insts[step->pc];
    struct parting *parting = &tracer->partings[step->warp];
    bool parts =
        inst->kind == REPLAY_CONTROL && inst->guarded && !inst->wall && step->mask && step->mask != step->active;
    if (parts && !parting->lanes)
        *parting = (struct parting){.pc = step->pc, .lanes = step->active};
}

// Whether the step before was a branch that is taken. Where lanes part one of the ways begins with a jump.
static void note_jump(struct tracer *tracer, const struct sim_step *step)
{
    uint32_t warp = step->warp, last = tracer->last[warp];
    if (last == UINT32_MAX || !tracer->stream->insts[last].jumps || !tracer->counts[warp])
        return;
    struct replay_step *branch = &tracer->steps[warp][tracer->counts[warp] - 1];
    branch->jumps = branch->inst == last && (step->pc != last + 1 || step->mask != tracer->last_lanes[warp]);
}

// Whether the step lies in a window. A barrier does if it did for the first warp that came there: all keep as many.
static bool is_in_window(struct tracer *tracer, uint32_t warp, uint64_t number, uint32_t pc)
{
    bool inside = number % tracer->period < tracer->limit;
    if (tracer->stream->insts[pc].kind != REPLAY_BARRIER)
        return inside;
    size_t barrier = tracer->barriers[warp]++;
    if (barrier == tracer->barrier_count)
        *mem_append(tracer->kept_barriers, tracer->barrier_capacity, tracer->barrier_count) = inside;
    return tracer->kept_barriers[barrier];
}

// Of a block with phases all warps have the same clock.
static void end_when_full(struct tracer *tracer, uint32_t warp, uint64_t number)
{
    if (number + 1 < tracer->stop)
        return;
    uint32_t first = tracer->phases ? 0 : warp, end = tracer->phases ? tracer->warps : warp + 1;
    for (uint32_t i = first; i < end; i++) {
        tracer->full += !tracer->is_full[i];
        tracer->is_full[i] = true;
    }
    if (tracer->full == tracer->warps)
        atomic_store(&tracer->cancel, true);
}

static void fill_bulk(struct replay_step *out, const struct bulk_step *bulk)
{
#define FIT(number) (uint16_t)((number) < UINT16_MAX ? (number) : UINT16_MAX)
    out->sectors = FIT(bulk->sectors);
    out->lines = FIT(bulk->lines);
    out->partial = bulk->is_partial;
    out->rounds = FIT(bulk->copies);
    out->wavefronts = FIT(bulk->wavefronts);
#undef FIT
    out->place = bulk->place;
    out->place_end = bulk->place_end;
}

// A warp that asks an mbarrier again and again is taken to ask once, when its phase has ended: what it did in between
// is forgotten, as long as it is nothing but the loop around its question.
static void follow_poll(struct tracer *tracer, uint32_t warp, uint32_t pc, bool is_early)
{
    struct poll *poll = &tracer->polls[warp];
    enum replay_kind kind = tracer->stream->insts[pc].kind;
    if (poll->is_open && poll->pc == pc) {
        tracer->counts[warp] = poll->count < tracer->counts[warp] ? poll->count : tracer->counts[warp];
        tracer->clock -= poll->steps;
        tracer->idle += poll->steps;
        tracer->executed[0] -= poll->executed[0];
        tracer->executed[1] -= poll->executed[1];
        poll->is_open = false;
    } else if (poll->is_open && kind >= REPLAY_SHARED_LOAD) {
        poll->is_open = false;
    }
    if (kind == REPLAY_AWAIT && is_early)
        *poll = (struct poll){.is_open = true, .pc = pc, .count = tracer->counts[warp]};
    tracer->clock++;
    poll->steps += poll->is_open;
}

static void on_step(void *state, const struct sim_step *step)
{
    struct tracer *tracer = state;
    uint32_t warp = step->warp;
    size_t parts = take_parts(tracer->parts);
    for (int i = 0; i < 2; i++)
        if (tracer->stops[i] && atomic_load_explicit(tracer->stops[i], memory_order_relaxed))
            atomic_store(&tracer->cancel, true);
    if (warp >= tracer->warps || tracer->is_full[warp])
        return;
    enum replay_kind kind = tracer->stream->insts[step->pc].kind;
    uint32_t phase = tracer->phases ? phases_take(tracer->phases, warp) : 0;
    struct bulk_step bulk = tracer->bulks[warp];
    tracer->bulks[warp] = (struct bulk_step){0};
    if (tracer->phases)
        follow_poll(tracer, warp, step->pc, phase == PHASE_WAITS);
    uint64_t number = tracer->phases ? tracer->clock / tracer->warps : step->step;
    bool is_first = number < tracer->period, wanted = is_in_window(tracer, warp, number, step->pc);
    end_when_full(tracer, warp, number);
    if (!wanted) {
        tracer->last[warp] = UINT32_MAX;
        return;
    }
    struct replay_step out = {.inst = step->pc, .active = (uint8_t)__builtin_popcount(step->mask)};
    if (tracer->stream->insts[step->pc].sleeps)
        out.sleep = sleep_of(tracer, step);
    out.rounds = (uint16_t)step->values;
    note_jump(tracer, step);
    note_together(tracer, step);
    keep_skipped(tracer, warp, tracer->last[warp], step->pc);
    note_parting(tracer, step);
    tracer->last[warp] = step->pc;
    tracer->last_lanes[warp] = step->mask;
    for (size_t i = 0; i + 1 < parts; i++) {
        struct replay_step part = out;
        fill_step(tracer, &part, &tracer->parts->accesses[i]);
        keep_step(tracer, warp, &part);
    }
    if (step->access && kind != REPLAY_BULK)
        fill_step(tracer, &out, parts ? &tracer->parts->accesses[parts - 1] : step->access);
    if (kind == REPLAY_BULK)
        fill_bulk(&out, &bulk);
    if (phase != PHASE_WAITS && kind >= REPLAY_BARRIER)
        out.first = phase;
    if (tracer->keep && out.first && (kind == REPLAY_BULK || kind == REPLAY_ARRIVE || kind == REPLAY_BARRIER))
        phases_need(tracer->phases, out.first);
    keep_step(tracer, warp, &out);
    tracer->executed[is_first ? 0 : 1]++;
    tracer->polls[warp].executed[is_first ? 0 : 1] += tracer->polls[warp].is_open;
    if (is_first)
        tracer->early[warp] = tracer->counts[warp];
}

static void tell_phases(void *state, const struct sim_sync *sync)
{
    const struct tracer *tracer = state;
    phases_sync(tracer->phases, sync);
}

static struct sim_launch one_block(const struct sim_launch *launch, uint64_t block)
{
    struct sim_launch one = *launch;
    one.first_block = block;
    one.block_count = 1;
    one.host_threads = 1;
    one.counts = NULL;
    one.slow_clock = true;
    return one;
}

// Until every warp has as many steps as wanted.
static enum status run_block(struct tracer *tracer, const struct sim_launch *launch, uint64_t block,
                             struct diagnostic *diagnostic)
{
    struct sim_observer *observers = mem_alloc((launch->observer_count + 1) * sizeof *observers);
    struct sim_launch one = one_block(launch, block);
    struct sim_result result;
    for (size_t i = 0; i < launch->observer_count; i++)
        observers[i] = launch->observers[i];
    observers[one.observer_count++] =
        (struct sim_observer){.wants = SIM_WANT_STEP | SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL |
                                       SIM_WANT_ACCESS_OTHER | (tracer->phases ? SIM_WANT_SYNC : 0),
                              .context = tracer,
                              .access = tracer->phases || tracer->parts ? trace_access : NULL,
                              .sync = tell_phases,
                              .steps = tracer->keep ? NULL : tracer->asked,
                              .step = on_step};
    if (tracer->phases)
        phases_begin(tracer->phases);
    tracer->clock = tracer->idle = 0;
    memset(tracer->polls, 0, tracer->warps * sizeof *tracer->polls);
    memset(tracer->bulks, 0, tracer->warps * sizeof *tracer->bulks);
    one.observers = observers;
    one.cancel = &tracer->cancel;
    atomic_store(&tracer->cancel, false);
    tracer->full = 0;
    tracer->executed[0] = tracer->executed[1] = 0;
    tracer->barrier_count = 0;
    forget_meetings(tracer);
    memset(tracer->barriers, 0, tracer->warps * sizeof *tracer->barriers);
    memset(tracer->is_full, 0, tracer->warps * sizeof *tracer->is_full);
    memset(tracer->counts, 0, tracer->warps * sizeof *tracer->counts);
    memset(tracer->partings, 0, tracer->warps * sizeof *tracer->partings);
    memset(tracer->last, 0xff, tracer->warps * sizeof *tracer->last);
    enum status status = sim_run(&one, &result, diagnostic);
    free(observers);
    return status == STATUS_CANCELLED && tracer->full == tracer->warps ? STATUS_OK : status;
}

// Steps of the first block. Counting alone is several times as fast as tracing.
static enum status count_whole(const struct tracer *tracer, const struct sim_launch *launch, uint64_t *steps,
                               struct diagnostic *diagnostic)
{
    struct sim_launch one = one_block(launch, tracer->first);
    struct sim_result result = {.warp_instructions = tracer->options->block_steps};
    enum status status = result.warp_instructions ? STATUS_OK : sim_run(&one, &result, diagnostic);
    *steps = result.warp_instructions;
    return status;
}

static void holds_for(struct stream *stream, uint64_t least, uint64_t most)
{
    stream->least = stream->least > least ? stream->least : least;
    stream->most = stream->most < most ? stream->most : most;
}

// Long blocks: those of one wave are enough, each from beginning to end in windows, as far as there is time for.
static void set_windows(struct tracer *tracer, uint64_t steps)
{
    const struct stream_options *options = tracer->options;
    size_t wave = options->resident < options->block_count ? options->resident : options->block_count;
    uint64_t most = FORWARD / wave, each = (steps < most ? steps : most) / tracer->warps;
    uint64_t limit = options->warp_steps * options->block_count / wave;
    if (steps / tracer->warps <= tracer->limit) {
        holds_for(tracer->stream, 1, (tracer->limit + 1) * tracer->warps - 1);
        return;
    }
    holds_for(tracer->stream, options->block_steps, options->block_steps);
    tracer->wave = wave;
    tracer->limit = tracer->stop = limit;
    if (each < WINDOWS * limit)
        return;
    tracer->period = each / WINDOWS;
    tracer->limit /= WINDOWS;
    tracer->stop = (WINDOWS - 1) * tracer->period + tracer->limit;
}

static void keep_block(struct tracer *tracer)
{
    struct stream *stream = tracer->stream;
    struct replay_warp *warps = mem_alloc(tracer->warps * sizeof *warps);
    count_rounds(tracer);
    for (uint32_t i = 0; i < tracer->warps; i++) {
        unroll_steps(&tracer->unrolling, tracer->steps[i], tracer->counts[i]);
        schedule_steps(tracer->scheduler, tracer->steps[i], tracer->counts[i]);
        warps[i] = (struct replay_warp){
            .steps = tracer->steps[i], .count = tracer->counts[i], .early = tracer->executed[1] ? tracer->early[i] : 0};
        tracer->steps[i] = NULL;
        tracer->capacities[i] = 0;
    }
    stream->steps += tracer->executed[0] + tracer->executed[1];
    struct replay_block *block = &stream->blocks[stream->block_count++];
    *block = (struct replay_block){.warps = warps, .warp_count = tracer->warps};
    if (tracer->phases)
        block->phases = phases_needed(tracer->phases, &block->phase_count);
}

// What a block's atomics have in common with the first one's.
static enum status trace_meeting(struct tracer *tracer, const struct sim_launch *launch, uint64_t block, double *part,
                                 struct diagnostic *diagnostic)
{
    map_clear(&tracer->meets);
    enum status status = run_block(tracer, launch, block, diagnostic);
    *part = atomics_part(&tracer->atomics[0], &tracer->meets);
    return status;
}

// How many blocks from the first on in x or y (axis), towards the grid's end or its beginning, go to its lines, if the
// next one does: the farthest that does, by halving.
static enum status count_meeting(struct tracer *tracer, const struct sim_launch *launch, int axis, bool back,
                                 struct diagnostic *diagnostic)
{
    const uint32_t *grid = launch->shape.grid;
    uint64_t step = axis ? grid[0] : 1, at = tracer->first / step % grid[axis];
    uint64_t near = 0, far = back ? at : grid[axis] - 1 - at;
    enum status status = STATUS_OK;
    for (uint64_t probe = far; near < far && status == STATUS_OK; probe = near + (far - near + 1) / 2) {
        double part;
        status = trace_meeting(tracer, launch, tracer->first + (back ? -probe : probe) * step, &part, diagnostic);
        if (2 * part > tracer->meet_part[axis])
            near = probe;
        else
            far = probe - 1;
    }
    tracer->alike[axis] += (uint32_t)near;
    return status;
}

// Blocks of which nothing is kept are run for what they touch in global memory. A warp's last step is one of these,
// too, so that its steps are counted.
static void choose_steps(struct tracer *tracer, const struct sim_program *program)
{
    tracer->asked = mem_alloc(tracer->stream->inst_count);
    for (uint32_t pc = 0; pc < tracer->stream->inst_count; pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, NULL);
        switch (ptx_opcode_group(inst->op)) {
        case PTX_GROUP_INT:
        case PTX_GROUP_FLOAT:
        case PTX_GROUP_LOGIC:
        case PTX_GROUP_COMPARE:
        case PTX_GROUP_MOVE:
        case PTX_GROUP_WARP:
        case PTX_GROUP_VIDEO:
            break;
        case PTX_GROUP_MEMORY:
        case PTX_GROUP_ATOMIC:
            tracer->asked[pc] = !inst->has_space || inst->space != PTX_SHARED;
            break;
        default:
            tracer->asked[pc] = true;
        }
    }
}

// Blocks that show who shares what; only their first steps matter.
static enum status trace_probes(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const uint64_t blocks[TRAFFIC_PROBES] = {tracer->first, tracer->first + (launch->shape.grid[0] > 1),
                                             tracer->first + (launch->shape.grid[1] > 1 ? launch->shape.grid[0] : 0)};
    enum status status = STATUS_OK;
    tracer->keep = tracer->is_second = false;
    tracer->period = UINT64_MAX;
    tracer->limit = tracer->stop = PROBE_STEPS;
    for (tracer->probe = 1; tracer->probe < TRAFFIC_PROBES && status == STATUS_OK; tracer->probe++)
        status =
            trace_meeting(tracer, launch, blocks[tracer->probe], &tracer->meet_part[tracer->probe - 1], diagnostic);
    for (int axis = 0; axis < 2; axis++) {
        bool has_lines = tracer->atomics[0].count && launch->shape.grid[axis] > 1 && tracer->meet_part[axis] > 0;
        tracer->alike[axis] = 1;
        for (int back = 0; has_lines && back < 2 && status == STATUS_OK; back++)
            status = count_meeting(tracer, launch, axis, back, diagnostic);
        if (launch->shape.grid[axis] == 1)
            tracer->meet_part[axis] = 1;
    }
    return status;
}

// Which part of an array is touched at all, as blocks all over the grid, its first and its last one show; short ones.
// Where one of them does not come to its end nothing is said.
static enum status survey(struct tracer *tracer, const struct sim_launch *launch)
{
    enum { BLOCKS = 4 };
    uint64_t last = tracer->options->grid_blocks - 1;
    enum status status = STATUS_OK;
    tracer->surveys = tracer->is_surveyed = tracer->stream->whole <= 1;
    for (uint64_t i = 0; i < BLOCKS && tracer->is_surveyed; i++) {
        status = run_block(tracer, launch, i ? stream_spread(i - (tracer->first > 0), last + 1) : last, NULL);
        tracer->is_surveyed = status == STATUS_OK && !tracer->full;
    }
    return status == STATUS_CANCELLED ? status : STATUS_OK;
}

// The blocks of any SM, in any wave, tell as much as those of the first. The first of them has a neighbour in each
// direction, if any has.
static uint64_t first_block(const struct sim_launch *launch, const struct stream_options *options)
{
    uint64_t width = launch->shape.grid[0], height = launch->shape.grid[1], first = options->first;
    uint64_t column = first % width, row = first / width % height, plane = first / width / height;
    column -= column > 0 && column == width - 1;
    row -= row > 0 && row == height - 1;
    return (plane * height + row) * width + column;
}

static void forget_traffic(struct tracer *tracer)
{
    for (uint32_t pc = 0; pc < tracer->stream->inst_count; pc++) {
        map_free(&tracer->sites[pc].touched);
        map_free(&tracer->sites[pc].others);
        for (int i = 0; i < 2; i++)
            map_free(&tracer->sites[pc].near[i]);
    }
    for (int i = 0; i < 2; i++)
        map_free(&tracer->atomics[i]);
    map_free(&tracer->meets);
    map_free(&tracer->seen);
    map_free(&tracer->filled);
    map_free(&tracer->locals);
    memset(tracer->touched, 0, tracer->warps * sizeof *tracer->touched);
}

static double busy_part(const struct tracer *tracer)
{
    return tracer->clock ? (double)tracer->clock / (double)(tracer->clock + tracer->idle) : 1;
}

// The first block shows how long it is; if it is long, it is traced again.
static enum status trace_first(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    uint64_t steps = tracer->options->block_steps;
    enum status status = STATUS_OK;
    if (steps)
        set_windows(tracer, steps);
    status = run_block(tracer, launch, tracer->first, diagnostic);
    tracer->stream->busy = busy_part(tracer);
    if (status != STATUS_OK || !tracer->full)
        return status;
    if (!steps) {
        status = count_whole(tracer, launch, &steps, diagnostic);
        set_windows(tracer, steps);
        if (status == STATUS_OK) {
            forget_traffic(tracer);
            tracer->stream->sector_count = 0;
            status = run_block(tracer, launch, tracer->first, diagnostic);
        }
    }
    holds_for(tracer->stream, tracer->options->block_steps, tracer->options->block_steps);
    double early = (double)tracer->executed[0], late = (double)tracer->executed[1];
    tracer->stream->busy = busy_part(tracer);
    double all = (double)steps * tracer->stream->busy;
    tracer->stream->whole = all / (early + late);
    tracer->stream->rest = late > 0 ? (all - early) / late : tracer->stream->whole;
    return status;
}

// A block that leaves at once makes room for another: an SM's slots are full of those that have work.
static bool has_no_work(const struct tracer *tracer)
{
    uint64_t steps = 0;
    for (uint32_t warp = 0; warp < tracer->warps; warp++)
        steps += tracer->counts[warp];
    if (tracer->full)
        return false;
    bool is_short = 2 * steps < tracer->options->block_steps;
    holds_for(tracer->stream, is_short ? 2 * steps + 1 : 0, is_short ? UINT64_MAX : 2 * steps);
    return is_short;
}

uint64_t stream_spread(uint64_t i, uint64_t blocks)
{
    const double golden = 0.6180339887498949;
    return (uint64_t)(fmod((double)i * golden, 1) * (double)blocks);
}

static enum status trace_all(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const struct stream_options *options = tracer->options;
    tracer->keep = true;
    tracer->first = options->lone ? options->first : first_block(launch, options);
    tracer->limit = tracer->stop = options->warp_steps;
    tracer->period = UINT64_MAX;
    tracer->wave = options->block_count;
    enum status status = trace_first(tracer, launch, diagnostic);
    if (status == STATUS_OK)
        keep_block(tracer);
    tracer->probe = TRAFFIC_PROBES;
    for (size_t i = 1, skipped = 0; i - skipped < tracer->wave && status == STATUS_OK; i++) {
        tracer->is_second = i == 1 + skipped;
        uint64_t next = options->spread ? stream_spread(i + 1, options->grid_blocks)
                                        : (tracer->first + i * options->active_sms) % options->grid_blocks;
        status = run_block(tracer, launch, next, diagnostic);
        if (status == STATUS_OK && has_no_work(tracer) && skipped < SKIPPED * tracer->wave)
            skipped++;
        else if (status == STATUS_OK)
            keep_block(tracer);
    }
    if (status == STATUS_OK && !options->lone)
        status = trace_probes(tracer, launch, diagnostic);
    return status == STATUS_OK && !options->lone ? survey(tracer, launch) : status;
}

static void copy_traffic(struct replay_inst *to, const struct replay_inst *from)
{
    to->sharing = from->sharing;
    to->crowd = from->crowd;
    to->joined = from->joined;
    to->dram = from->dram;
    to->burden = from->burden;
    to->scattered = from->scattered;
}

// Stores of sectors that one warp fills by several. Halves gain nothing by that (batch_4x4 of the ladders).
static void find_joined(struct tracer *tracer)
{
    struct stream *stream = tracer->stream;
    for (int round = 0; round < 2; round++)
        for (uint32_t pc = 0; pc < stream->inst_count; pc++) {
            const struct map *touched = &tracer->sites[pc].touched;
            double joined = 0;
            if (stream->insts[pc].kind != REPLAY_GLOBAL_STORE || !touched->count)
                continue;
            for (size_t i = 0; i < touched->count; i++) {
                struct fill *fill = map_find(&tracer->filled, map_key(touched, i));
                const struct sector_use *use = map_value(touched, i);
                if (!fill)
                    continue;
                fill->bytes |= use->bytes;
                joined += !fill->many && !fill->halves && fill->bytes == UINT32_MAX;
            }
            stream->insts[pc].joined = joined / (double)touched->count;
        }
}

static bool is_read(const struct stream *stream, const struct replay_inst *writer)
{
    for (uint32_t pc = 0; pc < stream->inst_count; pc++)
        for (uint32_t k = 0; k < stream->insts[pc].source_count; k++)
            for (uint32_t r = 0; r < writer->result_count; r++)
                if (stream->insts[pc].sources[k] == writer->results[r])
                    return true;
    return false;
}

// Whether a global atomic of the first block has a result that is wanted.
static bool waits_for_atomics(const struct tracer *tracer)
{
    const struct stream *stream = tracer->stream;
    for (uint32_t pc = 0; pc < stream->inst_count; pc++)
        if (stream->insts[pc].kind == REPLAY_GLOBAL_ATOMIC && tracer->sites[pc].touched.count &&
            is_read(stream, &stream->insts[pc]))
            return true;
    return false;
}

static void conclude(struct tracer *tracer, const struct sim_launch *launch)
{
    struct stream *stream = tracer->stream;
    const struct stream_options *options = tracer->options;
    struct traffic_launch traffic = {.gpu = options->gpu,
                                     .active_sms = options->active_sms,
                                     .resident = options->resident,
                                     .grid_blocks = options->grid_blocks,
                                     .whole = stream->whole,
                                     .filling = filling_of(tracer),
                                     .is_surveyed = tracer->is_surveyed,
                                     .l2_part = options->constants->l2_part,
                                     .l2_dirty = options->constants->l2_dirty,
                                     .dram_turn = options->constants->dram_turn};
    memcpy(traffic.grid, launch->shape.grid, sizeof traffic.grid);
    traffic_share(&traffic, tracer->sites, stream->insts, stream->inst_count);
    find_joined(tracer);
    // The blocks after one take its place in local memory, and one SM alone wants it: L2 holds no second copy.
    double blocks = (double)options->active_sms * options->resident;
    double locals = blocks * (double)tracer->locals.count * (double)SECTOR_BYTES;
    stream->local_missed = traffic_missed(locals / (double)options->gpu->l2_bytes);
    for (uint32_t i = stream->inst_count; i < stream->all_count; i++)
        copy_traffic(&stream->insts[i], &stream->insts[stream->insts[i].origin]);
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < tracer->atomics[kind].count; i++) {
            const double *ns = map_value(&tracer->atomics[kind], i);
            stream->hot_line_ns = *ns > stream->hot_line_ns ? *ns : stream->hot_line_ns;
        }
    stream->hot_blocks = atomics_meet(tracer->meet_part, tracer->alike, launch->shape.grid);
    stream->hot_turns = atomics_turns(tracer->meet_part, tracer->alike, launch->shape.grid,
                                      (double)options->active_sms * options->resident);
    stream->hot_waits = waits_for_atomics(tracer);
}

// Whether it has mbarriers, bulk copies or barriers other than __syncthreads().
static bool has_phases(const struct sim_program *program, const struct stream *stream)
{
    for (uint32_t pc = 0; pc < stream->inst_count; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        const struct ptx_operand *id = &function->operands[inst->operands];
        enum replay_kind kind = stream->insts[pc].kind;
        bool is_named =
            kind == REPLAY_BARRIER && inst->operand_count && (id->kind != PTX_OPERAND_INTEGER || id->value.bits);
        if (is_named || kind == REPLAY_BULK || kind == REPLAY_ARRIVE || kind == REPLAY_AWAIT)
            return true;
    }
    return false;
}

static bool has_parted(const struct stream *stream)
{
    bool has = false;
    for (uint32_t pc = 0; pc < stream->inst_count; pc++)
        has |= stream->insts[pc].parted;
    return has;
}

enum status stream_trace(const struct sim_launch *launch, const struct stream_options *options, struct stream *stream,
                         struct diagnostic *diagnostic)
{
    *stream =
        (struct stream){.whole = 1, .rest = 1, .busy = 1, .least = 0, .most = options->block_steps ? UINT64_MAX : 0};
    struct tracer tracer = {.stream = stream, .options = options, .stops = {launch->cancel, options->stop}};
    uint32_t threads = (uint32_t)launch_threads(&launch->shape);
    struct operation *operations = operations_new(launch->program);
    describe_program(launch->program, operations, options->gpu->sm, stream);
    unroll_program(launch->program, stream, &tracer.unrolling);
    tracer.operations = operations;
    tracer.scheduler =
        scheduler_new(stream->insts, (size_t)options->constants->window,
                      &(struct schedule_registers){.most = options->registers, .words = stream->register_words});
    tracer.memory = launch->memory;
    tracer.sites = mem_alloc(stream->inst_count * sizeof *tracer.sites);
    tracer.warps = (threads + SIM_LANES - 1) / SIM_LANES;
    tracer.steps = mem_alloc(tracer.warps * sizeof *tracer.steps);
    tracer.counts = mem_alloc(tracer.warps * sizeof *tracer.counts);
    tracer.early = mem_alloc(tracer.warps * sizeof *tracer.early);
    tracer.barriers = mem_alloc(tracer.warps * sizeof *tracer.barriers);
    tracer.touched = mem_alloc(tracer.warps * sizeof *tracer.touched);
    tracer.is_full = mem_alloc(tracer.warps * sizeof *tracer.is_full);
    tracer.capacities = mem_alloc(tracer.warps * sizeof *tracer.capacities);
    tracer.last = mem_alloc(tracer.warps * sizeof *tracer.last);
    tracer.last_lanes = mem_alloc(tracer.warps * sizeof *tracer.last_lanes);
    tracer.partings = mem_alloc(tracer.warps * sizeof *tracer.partings);
    tracer.polls = mem_alloc(tracer.warps * sizeof *tracer.polls);
    tracer.bulks = mem_alloc(tracer.warps * sizeof *tracer.bulks);
    tracer.phases = has_phases(launch->program, stream) ? phases_new() : NULL;
    tracer.parts = has_parted(stream) ? mem_alloc(sizeof *tracer.parts) : NULL;
    if (!tracer.phases) // whose clock counts the steps of all warps
        choose_steps(&tracer, launch->program);
    stream->blocks = mem_alloc(options->block_count * sizeof *stream->blocks);
    enum status status = trace_all(&tracer, launch, diagnostic);
    if (status == STATUS_OK)
        conclude(&tracer, launch);
    forget_traffic(&tracer);
    for (uint32_t i = 0; i < tracer.warps; i++)
        free(tracer.steps[i]);
    free(tracer.steps);
    free(tracer.counts);
    free(tracer.early);
    free(tracer.asked);
    free(tracer.barriers);
    free(tracer.touched);
    free(tracer.is_full);
    free(tracer.kept_barriers);
    free(tracer.meetings);
    map_free(&tracer.meeting_turns);
    map_free(&tracer.meeting_lanes);
    free(tracer.capacities);
    free(tracer.last);
    free(tracer.last_lanes);
    free(tracer.partings);
    free(tracer.polls);
    free(tracer.bulks);
    free(tracer.parts);
    phases_free(tracer.phases);
    scheduler_free(tracer.scheduler);
    free(tracer.unrolling.loops);
    free(tracer.sites);
    free(operations);
    return status;
}

void stream_free(struct stream *stream)
{
    for (size_t i = 0; i < stream->block_count; i++) {
        for (uint32_t warp = 0; warp < stream->blocks[i].warp_count; warp++)
            free((void *)(uintptr_t)stream->blocks[i].warps[warp].steps);
        free((void *)(uintptr_t)stream->blocks[i].warps);
        free((void *)(uintptr_t)stream->blocks[i].phases);
    }
    free(stream->blocks);
    free(stream->insts);
    free(stream->register_words);
    free(stream->sectors);
    *stream = (struct stream){0};
}
