// Global memory that asynchronous copies into shared memory read: whoever overwrites it comes behind a wait for them.
#include <stdlib.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

enum { PIECES = 2048, ARRAYS = 8 };

struct source_piece { // what lanes in a row copy that lies in a row, `bytes` each
    uint64_t from, to;
    uint32_t bytes, batch; // batch: of a bulk copy
    bool is_bulk;
    struct mark mark; // lane: of its first bytes
};

struct sources {
    uint32_t count, over; // so far; and how many of the first are over for everybody, or forgotten
    uint32_t array_count;
    struct {
        uint64_t from, to;
    } arrays[ARRAYS]; // that copies have read from; the last one may stand for several
    struct source_piece pieces[PIECES];
};

void sources_begin(struct hazard_state *state)
{
    if (state->sources)
        state->sources->count = state->sources->over = state->sources->array_count = 0;
}

static bool copies_read_from(const struct sources *sources, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < sources->array_count; i++)
        if (from < sources->arrays[i].to && to > sources->arrays[i].from)
            return true;
    return false;
}

static void note_array(const struct hazard_state *state, uint64_t address)
{
    struct sources *sources = state->sources;
    if (copies_read_from(sources, address, address + 1))
        return;
    const struct sim_allocation *array = sim_memory_find(state->checker->memory, address);
    if (!array)
        return;
    uint32_t i = sources->array_count < ARRAYS ? sources->array_count++ : ARRAYS - 1;
    uint64_t from = array->address, to = array->address + array->size;
    bool is_more = sources->arrays[i].to && i == ARRAYS - 1;
    sources->arrays[i].from = is_more && sources->arrays[i].from < from ? sources->arrays[i].from : from;
    sources->arrays[i].to = is_more && sources->arrays[i].to > to ? sources->arrays[i].to : to;
}

void sources_reading(struct hazard_state *state, const struct sim_access *access, uint32_t batch)
{
    struct sources *sources = state->sources;
    struct source_piece *piece = NULL;
    uint32_t next = SIM_LANES;
    if (!sources)
        sources = state->sources = mem_alloc(sizeof *sources);
    FOR_LANES (lane, access->source_mask) {
        uint64_t from = access->sources[lane];
        bool goes_on = piece && lane == next && from == piece->to;
        next = lane + 1;
        if (goes_on) {
            piece->to += access->source_bytes;
            continue;
        }
        note_array(state, from);
        piece = &sources->pieces[sources->count++ % PIECES];
        *piece = (struct source_piece){.from = from,
                                       .to = from + access->source_bytes,
                                       .bytes = access->source_bytes,
                                       .batch = batch,
                                       .is_bulk = access->kind == SIM_BULK_COPY,
                                       .mark = {.stamp = state->order.stamp,
                                                .step = (uint32_t)access->step,
                                                .pc = access->pc,
                                                .warp = (uint8_t)access->warp,
                                                .lane = (uint8_t)lane}};
    }
    if (sources->count - sources->over > PIECES)
        sources->over = sources->count - PIECES;
}

static struct mark issue_at(const struct source_piece *piece, uint64_t at)
{
    struct mark issue = piece->mark;
    issue.lane = issue.last_lane = (uint8_t)(piece->mark.lane + (at - piece->from) / piece->bytes);
    return issue;
}

static enum async_state state_at(const struct order *order, const struct source_piece *piece, uint64_t at,
                                 uint32_t warp, uint32_t lane)
{
    struct mark copy = issue_at(piece, at);
    copy.flags = piece->is_bulk ? MARK_ASYNC | MARK_BULK : MARK_ASYNC;
    copy.step = piece->is_bulk ? piece->batch : copy.step;
    return order_async_state(order, &copy, warp, lane);
}

static bool is_read_for_all(const struct order *order, const struct source_piece *piece)
{
    uint64_t at = piece->from;
    while (at < piece->to && state_at(order, piece, at, 0, 0) == ASYNC_OVER)
        at += piece->bytes;
    return at >= piece->to;
}

// Whether the copy may still read this byte, though it began before what the lane does now. What is not ordered with
// its beginning either is a race, which is told.
static bool may_read(const struct order *order, const struct source_piece *piece, uint64_t at, uint32_t warp,
                     uint32_t lane)
{
    struct mark issue = issue_at(piece, at);
    enum async_state now = state_at(order, piece, at, warp, lane);
    return (now == ASYNC_PENDING || now == ASYNC_UNSYNCED) && order_is_before(order, &issue, warp, lane);
}

static void look_at_piece(struct hazard_state *state, const struct sim_access *access, const struct source_piece *piece)
{
    FOR_LANES (lane, access->mask) {
        uint64_t at = access->addresses[lane], end = at + access->bytes;
        at = at > piece->from ? at : piece->from;
        end = end < piece->to ? end : piece->to;
        while (at < end && !may_read(&state->order, piece, at, access->warp, lane))
            at = piece->from + ((at - piece->from) / piece->bytes + 1) * piece->bytes;
        if (at >= end)
            continue;
        struct mark copy = issue_at(piece, at);
        finding_add(state->findings, &(struct finding){.kind = HAZARD_SOURCE_OVERWRITE,
                                                       .pc = access->pc,
                                                       .other_pc = copy.pc,
                                                       .space = PTX_GLOBAL,
                                                       .block = state->block->linear,
                                                       .other_block = state->block->linear,
                                                       .thread = access->warp * SIM_LANES + lane,
                                                       .other_thread = (uint32_t)copy.warp * SIM_LANES + copy.lane,
                                                       .address = at,
                                                       .count = 1});
    }
}

static void span_written(const struct sim_access *access, uint64_t *from, uint64_t *to)
{
    *from = access->first;
    *to = access->first + access->bytes;
    if (access->shape) {
        *from += (uint64_t)(int64_t)access->shape->low;
        *to += (uint64_t)(int64_t)access->shape->high;
        return;
    }
    FOR_LANES (lane, access->mask) {
        uint64_t at = access->addresses[lane];
        *from = at < *from ? at : *from;
        *to = at + access->bytes > *to ? at + access->bytes : *to;
    }
}

void sources_written(struct hazard_state *state, const struct sim_access *told)
{
    struct sources *sources = state->sources;
    struct sim_spread spread;
    uint64_t from, to;
    span_written(told, &from, &to);
    if (sources->over == sources->count || !copies_read_from(sources, from, to))
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    while (sources->over < sources->count && is_read_for_all(&state->order, &sources->pieces[sources->over % PIECES]))
        sources->over++;
    for (uint32_t i = sources->over; i < sources->count; i++) {
        const struct source_piece *piece = &sources->pieces[i % PIECES];
        if (piece->from < to && piece->to > from)
            look_at_piece(state, access, piece);
    }
}
