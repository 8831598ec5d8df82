// Traces a few blocks of a launch on the simulator into the steps that the replay takes.
#include "model/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/describe.h"
#include "model/operation.h"
#include "model/schedule.h"
#include "model/traffic.h"

static void describe_program(const struct sim_program *program, const struct operation *operations,
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
        stream->insts[pc] = describe_inst(function, (uint32_t)(inst - function->insts), base);
        stream->insts[pc].rides = operations[pc].fused_away;
    }
    stream->register_count = base + (function ? function->register_count : 0);
    if (stream->register_count > REPLAY_MAX_REGISTERS || stream->register_count == 0)
        stream->register_count = REPLAY_MAX_REGISTERS;
}

// ---- recording

enum { PROBE_STEPS = 2000 };

struct tracer {
    struct stream *stream;
    const struct stream_options *options;
    const struct operation *operations; // by pc
    const struct sim_memory *memory;
    struct scheduler *scheduler;
    struct replay_step **steps; // of the block being traced, by warp
    size_t *counts, *capacities;
    uint32_t warps, full; // full: warps with as many steps as wanted
    bool keep;
    size_t limit;
    struct traffic_site *sites;  // by pc
    uint32_t probe;              // index of the block being traced, TRAFFIC_PROBES: none of these
    uint64_t first;              // block to trace
    struct map atomics;          // its sectors
    const atomic_bool *stops[2]; // whose wish to stop it is; NULL: nobody's
    atomic_bool cancel;
};

// Appends the distinct sectors that the lanes touch, and counts the lines that these lie in.
static void put_sectors(struct stream *stream, struct replay_step *step, const struct sim_access *access,
                        const uint64_t *addresses, uint32_t bytes)
{
    step->first = (uint32_t)stream->sector_count;
    FOR_LANES (lane, access->mask) {
        uint64_t address = addresses[lane], last = (address + bytes - 1) / SECTOR_BYTES;
        for (uint64_t sector = address / SECTOR_BYTES; sector <= last; sector++) {
            bool is_new = true, is_line = true;
            for (size_t at = step->first; at < stream->sector_count && is_new; at++) {
                is_new = stream->sectors[at] != sector;
                is_line &= stream->sectors[at] / 4 != sector / 4;
            }
            if (!is_new)
                continue;
            *mem_append(stream->sectors, stream->sector_capacity, stream->sector_count) = sector;
            step->sectors++;
            step->lines += is_line;
        }
    }
}

static uint16_t wavefronts_of(const struct tracer *tracer, const struct sim_access *access)
{
    uint32_t zeros = access->kind == SIM_ASYNC_COPY ? access->mask & ~access->source_mask : 0;
    struct bank_access compiled =
        operation_access(&tracer->operations[access->pc], true, access->bytes, access->mask, zeros, access->addresses);
    return (uint16_t)banks_count(&compiled).wavefronts;
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
    // L2 works on one atomic of a sector at a time.
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1)
            sector_find(&tracer->atomics, addresses[lane] / SECTOR_BYTES)->times++;
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

static void fill_step(struct tracer *tracer, struct replay_step *out, const struct sim_access *access)
{
    bool copies = sim_is_copy(access->kind);
    const uint64_t *global = copies ? access->sources : access->space == PTX_GLOBAL ? access->addresses : NULL;
    uint32_t bytes = copies ? access->source_bytes : access->bytes;
    struct sim_access side = *access; // the global one
    if (copies)
        side.mask = access->source_mask;
    if (access->space == PTX_SHARED)
        out->wavefronts = wavefronts_of(tracer, access);
    if (access->space == PTX_SHARED && tracer->options->places)
        put_place(out, access);
    if (!global || !side.mask || access->kind == SIM_BULK_COPY)
        return;
    if (tracer->probe < TRAFFIC_PROBES && access->warp == 0 && !tracer->sites[access->pc].first[tracer->probe])
        tracer->sites[access->pc].first[tracer->probe] = global[__builtin_ctz(access->mask)] / SECTOR_BYTES + 1;
    if (!tracer->keep)
        return;
    put_sectors(tracer->stream, out, &side, global, bytes);
    if (tracer->probe == 0)
        note_touched(tracer, &side, out, global, bytes);
    out->partial = access->kind == SIM_STORE &&
                   (uint32_t)__builtin_popcount(access->mask) * bytes < (uint32_t)out->sectors * SECTOR_BYTES;
}

static void on_step(void *state, const struct sim_step *step)
{
    struct tracer *tracer = state;
    for (int i = 0; i < 2; i++)
        if (tracer->stops[i] && atomic_load_explicit(tracer->stops[i], memory_order_relaxed))
            atomic_store(&tracer->cancel, true);
    if (step->warp >= tracer->warps || tracer->counts[step->warp] >= tracer->limit)
        return;
    struct replay_step out = {.inst = step->pc, .active = (uint8_t)__builtin_popcount(step->mask)};
    if (step->access)
        fill_step(tracer, &out, step->access);
    size_t *count = &tracer->counts[step->warp];
    if (tracer->keep) {
        mem_reserve(&tracer->steps[step->warp], &tracer->capacities[step->warp], *count);
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
    one.counts = NULL;
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
    observers[one.observer_count++] = (struct sim_observer){
        .wants = SIM_WANT_STEP | SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL, .context = tracer, .step = on_step};
    one.observers = observers;
    one.cancel = &tracer->cancel;
    atomic_store(&tracer->cancel, false);
    tracer->full = 0;
    memset(tracer->counts, 0, tracer->warps * sizeof *tracer->counts);
    enum status status = sim_run(&one, &result, diagnostic);
    free(observers);
    return status == STATUS_CANCELLED && tracer->full == tracer->warps ? STATUS_OK : status;
}

// Steps of a block over those kept of the first one. Counting alone is several times as fast as tracing.
static enum status count_whole(const struct tracer *tracer, const struct sim_launch *launch, uint64_t kept,
                               struct diagnostic *diagnostic)
{
    struct sim_launch one = one_block(launch, tracer->first);
    struct sim_result result = {.warp_instructions = tracer->options->block_steps};
    enum status status = result.warp_instructions ? STATUS_OK : sim_run(&one, &result, diagnostic);
    if (status == STATUS_OK && kept)
        tracer->stream->whole = (double)result.warp_instructions / (double)kept;
    return status;
}

static void keep_block(struct tracer *tracer)
{
    struct stream *stream = tracer->stream;
    struct replay_warp *warps = mem_alloc(tracer->warps * sizeof *warps);
    for (uint32_t i = 0; i < tracer->warps; i++) {
        schedule_steps(tracer->scheduler, tracer->steps[i], tracer->counts[i]);
        warps[i] = (struct replay_warp){tracer->steps[i], tracer->counts[i]};
        stream->steps += tracer->counts[i];
        tracer->steps[i] = NULL;
        tracer->capacities[i] = 0;
    }
    stream->blocks[stream->block_count++] = (struct replay_block){warps, tracer->warps};
}

// Blocks that show who shares what; only their first steps matter.
static enum status trace_probes(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const uint64_t blocks[TRAFFIC_PROBES] = {tracer->first, tracer->first + (launch->shape.grid[0] > 1),
                                             tracer->first + (launch->shape.grid[1] > 1 ? launch->shape.grid[0] : 0)};
    enum status status = STATUS_OK;
    tracer->keep = false;
    if (tracer->limit > PROBE_STEPS)
        tracer->limit = PROBE_STEPS;
    for (tracer->probe = 1; tracer->probe < TRAFFIC_PROBES && status == STATUS_OK; tracer->probe++)
        status = run_block(tracer, launch, blocks[tracer->probe], diagnostic);
    return status;
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

static enum status trace_all(struct tracer *tracer, const struct sim_launch *launch, struct diagnostic *diagnostic)
{
    const struct stream_options *options = tracer->options;
    enum status status = STATUS_OK;
    tracer->keep = true;
    tracer->first = first_block(launch, options);
    tracer->limit = options->warp_steps;
    for (size_t i = 0; i < options->block_count && status == STATUS_OK; i++) {
        tracer->probe = i == 0 ? 0 : TRAFFIC_PROBES;
        status =
            run_block(tracer, launch, (tracer->first + i * options->active_sms) % options->grid_blocks, diagnostic);
        uint64_t kept = 0;
        for (uint32_t warp = 0; warp < tracer->warps; warp++)
            kept += tracer->counts[warp];
        if (i == 0 && status == STATUS_OK && tracer->full)
            status = count_whole(tracer, launch, kept, diagnostic);
        if (status == STATUS_OK)
            keep_block(tracer);
    }
    return status == STATUS_OK ? trace_probes(tracer, launch, diagnostic) : status;
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
                                     .l2_part = options->l2_part};
    memcpy(traffic.grid, launch->shape.grid, sizeof traffic.grid);
    traffic_share(&traffic, tracer->sites, stream->insts, stream->inst_count);
    for (size_t i = 0; i < tracer->atomics.count; i++) {
        const struct sector_use *use = map_value(&tracer->atomics, i);
        if (use->times > stream->hot_atomics)
            stream->hot_atomics = use->times;
    }
    stream->atomic_blocks = 1;
}

enum status stream_trace(const struct sim_launch *launch, const struct stream_options *options, struct stream *stream,
                         struct diagnostic *diagnostic)
{
    *stream = (struct stream){.whole = 1};
    struct tracer tracer = {.stream = stream, .options = options, .stops = {launch->cancel, options->stop}};
    uint32_t threads = (uint32_t)launch_threads(&launch->shape);
    struct operation *operations = operations_new(launch->program);
    describe_program(launch->program, operations, stream);
    tracer.operations = operations;
    tracer.scheduler = scheduler_new(stream->insts, options->window);
    tracer.memory = launch->memory;
    tracer.sites = mem_alloc(stream->inst_count * sizeof *tracer.sites);
    tracer.warps = (threads + SIM_LANES - 1) / SIM_LANES;
    tracer.steps = mem_alloc(tracer.warps * sizeof *tracer.steps);
    tracer.counts = mem_alloc(tracer.warps * sizeof *tracer.counts);
    tracer.capacities = mem_alloc(tracer.warps * sizeof *tracer.capacities);
    stream->blocks = mem_alloc(options->block_count * sizeof *stream->blocks);
    enum status status = trace_all(&tracer, launch, diagnostic);
    if (status == STATUS_OK)
        conclude(&tracer, launch);
    for (uint32_t pc = 0; pc < stream->inst_count; pc++)
        map_free(&tracer.sites[pc].touched);
    for (uint32_t i = 0; i < tracer.warps; i++)
        free(tracer.steps[i]);
    free(tracer.steps);
    free(tracer.counts);
    free(tracer.capacities);
    map_free(&tracer.atomics);
    scheduler_free(tracer.scheduler);
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
    }
    free(stream->blocks);
    free(stream->insts);
    free(stream->sectors);
    *stream = (struct stream){0};
}
