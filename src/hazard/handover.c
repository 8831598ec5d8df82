// What blocks know of one another while they run, in kernels where they hand over data: grid barriers, rings, locks,
// look-back scans, the last block of all.
//
// Vector clocks by warp, followed in the order of execution, in which these blocks take turns on one host thread. A
// release leaves at its place what its warp knows; another block that reads the place, and has a fence or a barrier
// behind that, knows it from there on. A store takes the place of what was left there before, an atomic adds to it
// (PTX ISA, Memory Consistency Model: release and acquire patterns; an atomic carries on what it read). So a lock that
// was taken twice, the second round of a barrier and a sequence number that is old order nothing.
//
// What is known is a graph: a node for each release, with the steps of its block's warps that came before it, and the
// nodes that its block knew by then. Nobody copies what thousands of blocks did; a block that asks walks through what
// it has learned, each node once. Who comes after an acquire inside its block is order.c's business.
//
// Each place keeps its last writes, and the reads since: a block's access is compared with those of other blocks at
// once. It errs on the side of silence: what is lost beyond bounds passes for known.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

enum {
    LINES_MOST = 1 << 18, // lines of COVER_BYTES that are watched
    NODES_MOST = 1 << 19, //
    LOOKS_MOST = 1 << 24, // nodes that are walked through
    RECORDS_OF_LINE = 48, // of one class
    PENDING = 8,          // what a warp has read and not acquired yet
    RECENT = 4,           // what it acquired last, or a place was left last
    JOIN_MOST = 32,       // nodes that are joined in one
    EVENTS_OF_BLOCK = 32, // since its last barrier
    BASE_MOST = 16
};

struct hand_node {
    uint32_t id, parent_count;
    uint32_t block, warp; // block + 1; 0: joins its parents
    const uint32_t *own;  // by warp: the steps before these
    const struct hand_node *parents[];
};

// What releases left at a place.
struct hand_left {
    const struct hand_node *node;           // NULL: nothing
    const struct hand_node *recent[RECENT]; // that are in it
    uint32_t next;                          // of these
    uint32_t block, warp;                   // whose store it holds: block + 1
};

// Where blocks release and acquire. Both scopes have to include the other thread: what was left for all, and what the
// cluster that wrote there last left for its own blocks.
struct hand_place {
    struct hand_left for_all, for_cluster;
    uint64_t cluster; // + 1
};

// What one warp did to some bytes of a line, by one instruction: the lanes from `thread` on, each `each` bytes; 0: one.
struct hand_record {
    struct hand_record *next;
    uint64_t bytes, when;
    uint32_t block, pc, step; // block + 1
    uint32_t group;           // of a bulk copy, its thread's + 1: written when that has been waited for; 0: none
    uint16_t thread;
    uint8_t first, each, scope;
    uint64_t cluster;
    uint32_t values[]; // of plain writes, by place
};

struct hand_line {
    struct hand_record *records[CROSS_CLASSES];
    bool has_places;
};

struct handover {
    uint32_t shift, warps;
    struct arena *arena, *records; // of nodes; of records
    struct map lines;              // by address / COVER_BYTES
    struct map places;             // by address
    struct map written;            // by a thread's group of bulk copies: the step of the wait + 1
    struct hand_record *unused[CROSS_CLASSES];
    struct hand_block *blocks;    // all that are or were
    uint64_t now;                 // accesses so far
    uint32_t node_count, last_id; // nodes that are kept, eight parents as one more; of the latest one
    uint64_t looked_at;
    bool is_lost; // what anybody knows is not known any more
};

// Nodes that were walked through, and what they say: by block + 1, the steps of its warps. open: those whose turn has
// not come, the latest last.
struct hand_known {
    struct map visited, steps;
    const struct hand_node **open;
    size_t open_count, open_capacity;
};

// A warp has acquired something since its block's last barrier.
struct hand_event {
    const struct hand_node *node;
    uint32_t stamp, step;
    uint8_t warp, lane;
    bool is_soft; // by a barrier alone
    struct hand_known known;
};

struct hand_pending {
    const struct hand_node *nodes[PENDING], *recent[RECENT];
    uint32_t count, next;
};

struct hand_warp {
    struct hand_pending from_all, from_cluster; // the latter is acquired by less, too
    uint32_t learned;
    const struct hand_node *released; // the last, when the block had learned so much
};

struct hand_block {
    struct hand_block *next; // of handover.blocks
    struct hand_event *events;
    size_t event_count, event_capacity;
    const struct hand_node *base[BASE_MOST]; // what all of the block know
    bool base_soft[BASE_MOST];
    uint32_t base_count, learned;
    struct hand_known known, hard; // of them; hard: but for what was acquired by a barrier alone
    bool has_fenced;               // for other blocks
    struct map acquired;           // by acquired_key: until when what others did there by strong writes is seen
    struct hand_warp by_warp[SIM_MAX_WARPS];
};

struct handover *handover_new(uint32_t shift)
{
    struct handover *handover = mem_alloc(sizeof *handover);
    *handover = (struct handover){.shift = shift,
                                  .arena = arena_new(),
                                  .records = arena_new(),
                                  .lines = map_of(struct hand_line),
                                  .places = map_of(struct hand_place),
                                  .written = map_of(uint32_t)};
    return handover;
}

void handover_free(struct handover *handover)
{
    if (!handover)
        return;
    arena_free(handover->arena);
    arena_free(handover->records);
    map_free(&handover->lines);
    map_free(&handover->places);
    map_free(&handover->written);
    free(handover);
}

static struct hand_known known_new(const struct handover *handover)
{
    return (struct hand_known){.visited = map_of(char), .steps = {.value_size = handover->warps * sizeof(uint32_t)}};
}

static void known_free(struct hand_known *known)
{
    map_free(&known->visited);
    map_free(&known->steps);
    free(known->open);
}

static void known_clear(struct hand_known *known, const struct handover *handover)
{
    if (known->visited.count)
        map_clear(&known->visited);
    if (known->steps.count)
        map_clear(&known->steps);
    known->steps.value_size = handover->warps * sizeof(uint32_t);
    known->open_count = 0;
}

static void events_clear(struct hand_block *block)
{
    for (size_t i = 0; i < block->event_count; i++)
        known_free(&block->events[i].known);
    block->event_count = 0;
}

void handover_begin(struct hazard_state *state)
{
    uint32_t warps = state->order.warps;
    state->handover->warps = warps;
    if (!state->hand) {
        state->hand = mem_alloc(sizeof *state->hand);
        state->hand->next = state->handover->blocks;
        state->handover->blocks = state->hand;
        state->hand->known = known_new(state->handover);
        state->hand->hard = known_new(state->handover);
        state->hand->acquired = map_of(uint64_t);
    }
    struct hand_block *block = state->hand;
    events_clear(block);
    known_clear(&block->known, state->handover);
    known_clear(&block->hard, state->handover);
    if (block->acquired.count)
        map_clear(&block->acquired);
    block->base_count = block->learned = 0;
    block->has_fenced = false;
    memset(block->by_warp, 0, warps * sizeof *block->by_warp);
}

void handover_block_free(struct hand_block *block)
{
    if (!block)
        return;
    events_clear(block);
    free(block->events);
    known_free(&block->known);
    known_free(&block->hard);
    map_free(&block->acquired);
    free(block);
}

void handover_forget(struct handover *handover, uint32_t shift)
{
    handover->shift = shift;
    memset(handover->unused, 0, sizeof handover->unused);
    arena_free(handover->records);
    handover->records = arena_new();
    map_clear(&handover->lines);
}

// ---- nodes

static struct hand_node *node_put(struct handover *handover, uint32_t id, uint32_t block, const uint32_t *own,
                                  const struct hand_node *const *parents, uint32_t count)
{
    size_t bytes = own ? handover->warps * sizeof *own : 0;
    struct hand_node *node = arena_alloc(handover->arena, sizeof *node + count * sizeof *parents + bytes);
    handover->node_count += 1 + count / 8;
    node->id = id;
    node->block = block;
    node->parent_count = count;
    if (count)
        memcpy(node->parents, parents, count * sizeof *parents);
    if (own) {
        uint32_t *copy = (uint32_t *)(node->parents + count);
        memcpy(copy, own, bytes);
        node->own = copy;
    }
    return node;
}

// NULL: there are too many.
static struct hand_node *node_new(struct handover *handover, uint32_t block, const uint32_t *own,
                                  const struct hand_node *const *parents, uint32_t count)
{
    if (handover->node_count >= NODES_MOST) {
        handover->is_lost = true;
        return NULL;
    }
    return node_put(handover, ++handover->last_id, block, own, parents, count);
}

static const struct hand_node *node_join(struct handover *handover, const struct hand_node *one,
                                         const struct hand_node *other)
{
    return node_new(handover, 0, NULL, (const struct hand_node *const[]){one, other}, 2);
}

// What a warp releases later holds all that it released before.
static bool node_holds(const struct handover *handover, const struct hand_node *node, const struct hand_node *older)
{
    bool holds = node->block && node->block == older->block && node->warp == older->warp;
    for (uint32_t w = 0; w < handover->warps && holds; w++)
        holds = node->own[w] >= older->own[w];
    return holds;
}

// What a place holds, and a release more.
static const struct hand_node *node_carry_on(struct handover *handover, const struct hand_node *held,
                                             const struct hand_node *node)
{
    const struct hand_node *parents[JOIN_MOST + 1];
    const struct hand_node *const *from = held->block ? &held : held->parents;
    uint32_t count = 0, all = held->block ? 1 : held->parent_count;
    if (all > JOIN_MOST)
        return node_join(handover, held, node);
    for (uint32_t i = 0; i < all; i++)
        if (!node_holds(handover, node, from[i]))
            parents[count++] = from[i];
    parents[count++] = node;
    return count == 1 ? node : node_new(handover, 0, NULL, parents, count);
}

static void known_add(const struct handover *handover, struct hand_known *known, const struct hand_node *node)
{
    uint32_t *steps = map_add(&known->steps, node->block, NULL);
    for (uint32_t warp = 0; warp < handover->warps; warp++)
        steps[warp] = steps[warp] > node->own[warp] ? steps[warp] : node->own[warp];
}

static bool known_has(const struct hand_known *known, uint32_t block, uint32_t warp, uint32_t step)
{
    const uint32_t *steps = map_find(&known->steps, block);
    return steps && steps[warp] > step;
}

// The latest node whose turn has not come, and what it knew.
static void walk_on(struct handover *handover, struct hand_known *known)
{
    const struct hand_node *node = known->open[--known->open_count];
    bool fresh;
    map_add(&known->visited, node->id, &fresh);
    if (!fresh)
        return;
    handover->looked_at += 1 + node->parent_count;
    handover->is_lost |= handover->looked_at > LOOKS_MOST;
    if (node->block)
        known_add(handover, known, node);
    for (uint32_t i = 0; i < node->parent_count; i++)
        *mem_append(known->open, known->open_capacity, known->open_count) = node->parents[i];
}

static void known_learn(struct hand_known *known, const struct hand_node *node)
{
    *mem_append(known->open, known->open_capacity, known->open_count) = node;
}

// Goes no further than it must: a block mostly asks of the one that it has just heard of.
static bool known_tells(struct handover *handover, struct hand_known *known, uint32_t block, uint32_t warp,
                        uint32_t step)
{
    bool found = known_has(known, block, warp, step);
    while (!found && known->open_count && !handover->is_lost) {
        walk_on(handover, known);
        found = known_has(known, block, warp, step);
    }
    return found || handover->is_lost;
}

// ---- what a block knows

static void base_add(struct hazard_state *state, const struct hand_node *node, bool is_soft)
{
    struct hand_block *block = state->hand;
    known_learn(&block->known, node);
    if (!is_soft)
        known_learn(&block->hard, node);
    if (block->base_count == BASE_MOST) {
        const struct hand_node *all = node_new(state->handover, 0, NULL, block->base, BASE_MOST);
        for (uint32_t i = 1; i < BASE_MOST; i++)
            block->base_soft[0] |= block->base_soft[i];
        block->base[0] = all ? all : block->base[0];
        block->base_count = 1;
    }
    block->base_soft[block->base_count] = is_soft;
    block->base[block->base_count++] = node;
}

// What was acquired before the last barrier of the whole block, all of it know.
static void settle_events(struct hazard_state *state)
{
    struct hand_block *block = state->hand;
    size_t kept = 0;
    for (size_t i = 0; i < block->event_count; i++) {
        struct hand_event *event = &block->events[i];
        if (event->stamp == state->order.stamp) {
            block->events[kept++] = *event;
            continue;
        }
        base_add(state, event->node, event->is_soft);
        known_free(&event->known);
    }
    block->event_count = kept;
}

static bool event_counts(const struct hazard_state *state, const struct hand_event *event, uint32_t warp, uint32_t lane)
{
    struct mark mark = {
        .stamp = event->stamp, .step = event->step, .warp = event->warp, .lane = event->lane, .last_lane = event->lane};
    return event->warp == warp || order_is_before(&state->order, &mark, warp, lane);
}

static uint64_t group_key(uint32_t block, uint32_t thread, uint32_t group)
{
    return (uint64_t)block << 32 | thread << 20 | (group & 0xfffff);
}

void handover_written(struct hazard_state *state, uint32_t thread, uint32_t below, uint32_t step)
{
    if (!state->hand)
        return;
    for (uint32_t group = below; group-- > 0;) {
        bool fresh;
        uint32_t *waited =
            map_add(&state->handover->written, group_key((uint32_t)state->block->linear + 1, thread, group), &fresh);
        if (!fresh)
            return; // and so were those before it
        *waited = step + 1;
    }
}

// The step at which the record's bytes are where they belong; UINT32_MAX: nobody has waited for that.
static uint32_t step_of(const struct handover *handover, const struct hand_record *record)
{
    if (!record->group)
        return record->step;
    const uint32_t *waited = map_find(&handover->written, group_key(record->block, record->thread, record->group - 1));
    return waited ? *waited - 1 : UINT32_MAX;
}

// Whether what that warp of another block did at the step happened before what this lane does now. by_fences: what was
// acquired by a barrier alone, without a fence behind the read, does not count.
static bool knows(struct hazard_state *state, uint32_t warp, uint32_t lane, const struct hand_record *record,
                  bool by_fences)
{
    struct handover *handover = state->handover;
    struct hand_block *block = state->hand;
    struct hand_known *known = by_fences ? &block->hard : &block->known;
    uint32_t by = record->thread / SIM_LANES, step = step_of(handover, record);
    settle_events(state);
    for (size_t i = block->event_count; i-- > 0;) {
        struct hand_event *event = &block->events[i];
        if (!(by_fences && event->is_soft) && event_counts(state, event, warp, lane) &&
            known_tells(handover, &event->known, record->block, by, step))
            return true;
    }
    return known_tells(handover, known, record->block, by, step);
}

static bool has_soft(const struct hand_block *block)
{
    bool found = false;
    for (uint32_t i = 0; i < block->base_count; i++)
        found |= block->base_soft[i];
    for (size_t i = 0; i < block->event_count; i++)
        found |= block->events[i].is_soft;
    return found;
}

// ---- acquire and release

// A fence for other blocks: what its warp knows by barriers alone is acquired by that.
void handover_fence(struct hazard_state *state, uint32_t warp, uint32_t lane)
{
    struct hand_block *block = state->hand;
    if (!block)
        return;
    block->has_fenced = true;
    settle_events(state);
    for (uint32_t i = 0; i < block->base_count; i++) {
        if (block->base_soft[i])
            known_learn(&block->hard, block->base[i]);
        block->base_soft[i] = false;
    }
    for (size_t i = 0; i < block->event_count; i++)
        block->events[i].is_soft &= !event_counts(state, &block->events[i], warp, lane);
}

// ---- nodes that nobody can come to any more

struct move {
    struct handover *handover;
    struct map copies;       // by id: where the node is now
    struct hand_node **open; // those whose parents are still the old ones
    size_t open_count, open_capacity;
};

static void node_move(struct move *move, const struct hand_node **node)
{
    bool fresh = false;
    struct hand_node **copy = *node ? map_add(&move->copies, (*node)->id, &fresh) : NULL;
    if (fresh) {
        const struct hand_node *old = *node;
        *copy = node_put(move->handover, old->id, old->block, old->own, old->parents, old->parent_count);
        (*copy)->warp = old->warp;
        *mem_append(move->open, move->open_capacity, move->open_count) = *copy;
    }
    *node = copy ? *copy : NULL;
}

static void nodes_move(struct move *move, const struct hand_node **nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        node_move(move, &nodes[i]);
}

// Only to be known again: one that is gone will not come again.
static void recent_move(const struct move *move, const struct hand_node *recent[RECENT])
{
    for (uint32_t i = 0; i < RECENT; i++) {
        struct hand_node **copy = recent[i] ? map_find(&move->copies, recent[i]->id) : NULL;
        recent[i] = copy ? *copy : NULL;
    }
}

static void block_move(struct move *move, struct hand_block *block)
{
    nodes_move(move, block->base, block->base_count);
    nodes_move(move, block->known.open, block->known.open_count);
    nodes_move(move, block->hard.open, block->hard.open_count);
    for (size_t i = 0; i < block->event_count; i++) {
        node_move(move, &block->events[i].node);
        nodes_move(move, block->events[i].known.open, block->events[i].known.open_count);
    }
    for (uint32_t w = 0; w < move->handover->warps; w++) {
        nodes_move(move, block->by_warp[w].from_all.nodes, block->by_warp[w].from_all.count);
        nodes_move(move, block->by_warp[w].from_cluster.nodes, block->by_warp[w].from_cluster.count);
        node_move(move, &block->by_warp[w].released);
    }
}

// Asked for while no node is at hand. A warp that releases again and again leaves nodes behind that no place holds and
// nobody has learned of.
static void nodes_thin(struct handover *handover)
{
    struct arena *old = handover->arena;
    struct move move = {.handover = handover, .copies = map_of(struct hand_node *)};
    if (handover->node_count < NODES_MOST / 8 * 7 || handover->is_lost)
        return;
    handover->arena = arena_new();
    handover->node_count = 0;
    for (size_t i = 0; i < handover->places.count; i++) {
        struct hand_place *place = map_value(&handover->places, i);
        node_move(&move, &place->for_all.node);
        node_move(&move, &place->for_cluster.node);
    }
    for (struct hand_block *block = handover->blocks; block; block = block->next)
        block_move(&move, block);
    while (move.open_count) {
        struct hand_node *node = move.open[--move.open_count];
        nodes_move(&move, node->parents, node->parent_count);
    }
    for (size_t i = 0; i < handover->places.count; i++) {
        struct hand_place *place = map_value(&handover->places, i);
        recent_move(&move, place->for_all.recent);
        recent_move(&move, place->for_cluster.recent);
    }
    for (struct hand_block *block = handover->blocks; block; block = block->next)
        for (uint32_t w = 0; w < handover->warps; w++) {
            recent_move(&move, block->by_warp[w].from_all.recent);
            recent_move(&move, block->by_warp[w].from_cluster.recent);
        }
    handover->is_lost |= handover->node_count > NODES_MOST / 4 * 3;
    map_free(&move.copies);
    free(move.open);
    arena_free(old);
}

static bool has_node(const struct hand_node *const *nodes, uint32_t count, const struct hand_node *node)
{
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] == node)
            return true;
    return false;
}

// Moves them to these nodes.
static void pending_take(struct hand_pending *pending, const struct hand_node **nodes, uint32_t *count)
{
    for (uint32_t i = 0; i < pending->count; i++) {
        pending->recent[pending->next++ % RECENT] = pending->nodes[i];
        if (!has_node(nodes, *count, pending->nodes[i]))
            nodes[(*count)++] = pending->nodes[i];
    }
    pending->count = 0;
}

void handover_acquire(struct hazard_state *state, uint32_t warp, uint32_t lane, uint32_t step, enum sim_scope scope,
                      bool by_barrier)
{
    struct hand_block *block = state->hand;
    struct hand_warp *own = block ? &block->by_warp[warp] : NULL;
    const struct hand_node *nodes[2 * PENDING];
    uint32_t count = 0;
    if (block && !by_barrier && scope >= SIM_SCOPE_CLUSTER)
        block->has_fenced = true;
    if (!own || !(own->from_cluster.count || (own->from_all.count && scope >= SIM_SCOPE_GPU)))
        return;
    nodes_thin(state->handover);
    settle_events(state);
    pending_take(&own->from_cluster, nodes, &count);
    if (scope >= SIM_SCOPE_GPU)
        pending_take(&own->from_all, nodes, &count);
    const struct hand_node *node = count == 1 ? nodes[0] : node_new(state->handover, 0, NULL, nodes, count);
    block->learned++;
    if (!node)
        return;
    if (block->event_count == EVENTS_OF_BLOCK) {
        base_add(state, node, by_barrier);
        return;
    }
    struct hand_event *event = mem_append(block->events, block->event_capacity, block->event_count);
    *event = (struct hand_event){.node = node,
                                 .stamp = state->order.stamp,
                                 .step = step,
                                 .warp = (uint8_t)warp,
                                 .lane = (uint8_t)lane,
                                 .is_soft = by_barrier,
                                 .known = known_new(state->handover)};
    known_learn(&event->known, node);
}

static uint64_t acquired_key(uint64_t address, enum sim_scope scope)
{
    return address << 1 | (scope < SIM_SCOPE_GPU);
}

// What a warp released itself tells it nothing.
static void pending_add(const struct hazard_state *state, uint32_t warp, struct hand_pending *pending,
                        const struct hand_node *node)
{
    bool is_its_own = node && node->block == (uint32_t)state->block->linear + 1 && node->warp == warp;
    if (!node || is_its_own || has_node(pending->nodes, pending->count, node) ||
        has_node(pending->recent, RECENT, node))
        return;
    if (pending->count == PENDING) {
        const struct hand_node *both = node_join(state->handover, pending->nodes[0], pending->nodes[PENDING - 1]);
        pending->nodes[0] = both ? both : pending->nodes[0];
        pending->count--;
    }
    pending->nodes[pending->count++] = node;
}

void handover_read(struct hazard_state *state, uint32_t warp, uint64_t address, enum sim_scope scope)
{
    struct hand_block *block = state->hand;
    if (!block || scope < SIM_SCOPE_CLUSTER)
        return;
    struct hand_warp *own = &block->by_warp[warp];
    const struct hand_place *place = map_find(&state->handover->places, address);
    *(uint64_t *)map_add(&block->acquired, acquired_key(address, scope), NULL) = state->handover->now;
    if (!place)
        return;
    if (scope >= SIM_SCOPE_GPU)
        pending_add(state, warp, &own->from_all, place->for_all.node);
    if (place->cluster == state->block->cluster + 1)
        pending_add(state, warp, &own->from_cluster, place->for_cluster.node);
}

// What the warp has released before, if it knows no more now. NULL: there are too many nodes.
static const struct hand_node *release_node(struct hazard_state *state, uint32_t warp, uint32_t lane,
                                            const uint32_t *clocks)
{
    struct hand_block *block = state->hand;
    struct hand_warp *own = &block->by_warp[warp];
    if (own->released && own->learned == block->learned &&
        !memcmp(own->released->own, clocks, state->handover->warps * sizeof *clocks))
        return own->released;
    const struct hand_node *parents[BASE_MOST + EVENTS_OF_BLOCK];
    uint32_t count = 0;
    settle_events(state);
    for (uint32_t i = 0; i < block->base_count; i++)
        parents[count++] = block->base[i];
    for (size_t i = 0; i < block->event_count; i++)
        if (event_counts(state, &block->events[i], warp, lane))
            parents[count++] = block->events[i].node;
    struct hand_node *node = node_new(state->handover, (uint32_t)state->block->linear + 1, clocks, parents, count);
    if (node)
        node->warp = warp;
    own->released = node;
    own->learned = block->learned;
    return node;
}

static struct hand_line *hand_line_get(struct handover *handover, uint64_t number)
{
    struct hand_line *line = map_find(&handover->lines, number);
    if (line || handover->lines.count >= LINES_MOST)
        return line;
    return map_add(&handover->lines, number, NULL);
}

static void leave_at(struct hazard_state *state, uint32_t warp, struct hand_left *left, const struct hand_node *node,
                     bool carries_on)
{
    struct handover *handover = state->handover;
    uint32_t block = (uint32_t)state->block->linear + 1;
    // A release holds for what its thread stores there later, too.
    carries_on |= left->block == block && left->warp == warp;
    if (carries_on && (!node || has_node(left->recent, RECENT, node)))
        return;
    if (!carries_on) {
        memset(left->recent, 0, sizeof left->recent);
        left->block = block;
        left->warp = warp;
    }
    left->node = carries_on && left->node ? node_carry_on(handover, left->node, node) : node;
    left->recent[left->next++ % RECENT] = node;
}

void handover_release(struct hazard_state *state, uint32_t warp, uint32_t lane, uint64_t address,
                      struct hand_clocks clocks, bool carries_on)
{
    struct handover *handover = state->handover;
    if (!state->hand)
        return;
    bool releases = clocks.for_all || clocks.for_cluster, is_clustered = state->block->cluster_size > 1;
    nodes_thin(handover);
    struct hand_place *place =
        releases ? map_add(&handover->places, address, NULL) : map_find(&handover->places, address);
    if (!place)
        return;
    struct hand_line *line = hand_line_get(handover, address / COVER_BYTES);
    if (line)
        line->has_places = true;
    leave_at(state, warp, &place->for_all, clocks.for_all ? release_node(state, warp, lane, clocks.for_all) : NULL,
             carries_on);
    if (!is_clustered)
        return;
    if (place->cluster != state->block->cluster + 1)
        place->for_cluster = (struct hand_left){.node = NULL};
    place->cluster = state->block->cluster + 1;
    leave_at(state, warp, &place->for_cluster,
             clocks.for_cluster ? release_node(state, warp, lane, clocks.for_cluster) : NULL, carries_on);
}

// ---- accesses

struct touch {
    struct hazard_state *state;
    const struct sim_access *access;
    enum cross_class class;
    uint64_t line;  // its number
    uint64_t bytes; // of it, by lanes in a row from `lane` on
    uint32_t first, lane, each;
    uint32_t block; // + 1
    enum sim_scope scope;
};

// Whether it is strong for that block.
static bool is_strong_for(const struct hand_record *record, const struct sim_block *block)
{
    return record->scope >= SIM_SCOPE_GPU || (record->scope == SIM_SCOPE_CLUSTER && record->cluster == block->cluster);
}

// Whether each is strong for the other's block.
static bool are_strong(const struct touch *touch, const struct hand_record *record)
{
    const struct sim_block *block = touch->state->block;
    return is_strong_for(record, block) &&
           (touch->scope >= SIM_SCOPE_GPU || (touch->scope == SIM_SCOPE_CLUSTER && record->cluster == block->cluster));
}

static uint32_t first_place(uint64_t bytes)
{
    return (uint32_t)__builtin_ctzll(bytes);
}

// All bytes of the place that the first of these bytes belongs to.
static uint64_t granule_of(const struct handover *handover, uint64_t bytes)
{
    uint32_t size = 1u << handover->shift, first = first_place(bytes) >> handover->shift << handover->shift;
    return UINT64_MAX >> (64 - size) << first;
}

static uint32_t hand_record_thread(const struct hand_record *record, uint32_t byte)
{
    return record->thread + (record->each ? (byte - record->first) / record->each : 0);
}

static uint32_t lane_of_byte(const struct touch *touch, uint32_t byte)
{
    return touch->lane + (touch->each ? (byte - touch->first) / touch->each : 0);
}

static uint32_t value_of_byte(const struct touch *touch, uint32_t byte)
{
    uint32_t value = 0, size = 1u << touch->state->handover->shift, lane = lane_of_byte(touch, byte);
    const struct sim_access *access = touch->access;
    if (access->kind != SIM_STORE || !access->values || !touch->each) // not known: no value that several agree in
        return touch->block;
    uint32_t offset = (byte - touch->first) % touch->each;
    memcpy(&value, access->values + (size_t)lane * access->value_stride + offset, size < 4 ? size : 4);
    return value;
}

// Strong writes that came before what its block read at the same place happened before what it does there.
static bool was_read_before(const struct hazard_state *state, const struct hand_record *record, uint64_t line,
                            uint64_t bytes)
{
    uint32_t byte = first_place(bytes),
             start = record->each ? byte - (byte - record->first) % record->each : record->first;
    const struct sim_block *block = state->block;
    bool found = false;
    for (int near = 0; near < 2 && is_strong_for(record, block) && !found; near++) {
        uint64_t key = acquired_key(line * COVER_BYTES + start, near ? SIM_SCOPE_CLUSTER : SIM_SCOPE_GPU);
        const uint64_t *until =
            near && record->cluster != block->cluster ? NULL : map_find(&state->hand->acquired, key);
        found = until && record->when <= *until;
    }
    return found;
}

static void tell(const struct touch *touch, const struct hand_record *record, enum cross_class class,
                 enum hazard_kind kind, uint64_t both, bool by_barrier)
{
    struct hazard_state *state = touch->state;
    uint32_t byte = first_place(both), lane = lane_of_byte(touch, byte),
             thread = touch->access->warp * SIM_LANES + lane;
    // A plain write comes first in the report, a read last.
    static const int rank[CROSS_CLASSES] = {[CROSS_WRITE] = 0, [CROSS_STRONG] = 1, [CROSS_READ] = 2};
    bool is_first = rank[touch->class] < rank[class] || (touch->class == class && touch->block <= record->block);
    if (kind == HAZARD_READ_ONLY)
        is_first = true;
    struct finding finding = {.kind = kind,
                              .pc = is_first ? touch->access->pc : record->pc,
                              .other_pc = is_first ? record->pc : touch->access->pc,
                              .several_blocks = record->block != touch->block,
                              .space = PTX_GLOBAL,
                              .block = (is_first ? touch->block : record->block) - 1,
                              .other_block = (is_first ? record->block : touch->block) - 1,
                              .thread = is_first ? thread : hand_record_thread(record, byte),
                              .other_thread = is_first ? hand_record_thread(record, byte) : thread,
                              .address = touch->line * COVER_BYTES + byte,
                              .count = 1};
    bool both_write = class == CROSS_WRITE && touch->class == CROSS_WRITE;
    finding.benign = finding.by_barrier = by_barrier;
    if (both_write && !by_barrier && record->values[byte >> state->handover->shift] == value_of_byte(touch, byte))
        finding_same_value(state->checker, &finding);
    finding_add(state->findings, &finding);
}

// The reader's thread has written the same value before: it reads that, whoever comes first.
static bool reads_own_value(const struct touch *touch, const struct hand_line *line, const struct hand_record *write,
                            uint64_t both)
{
    uint32_t byte = first_place(both), place = byte >> touch->state->handover->shift;
    uint32_t thread = touch->access->warp * SIM_LANES + lane_of_byte(touch, byte);
    bool found = false;
    for (const struct hand_record *own = line->records[CROSS_WRITE]; own && !found; own = own->next)
        found = own->block == touch->block && own->bytes >> byte & 1 && hand_record_thread(own, byte) == thread &&
                own->values[place] == write->values[place];
    return found;
}

static bool has_other_writer(const struct hand_line *line, const struct hand_record *writer, uint64_t bytes)
{
    for (const struct hand_record *record = line->records[CROSS_STRONG]; record; record = record->next)
        if (record->bytes & bytes && record->block != writer->block)
            return true;
    return false;
}

// The reader's block has read what was written there before: a flag, of which it makes the next one.
static bool has_read_it(const struct touch *touch, const struct hand_line *line, const struct hand_record *write,
                        uint64_t bytes)
{
    for (const struct hand_record *record = line->records[CROSS_READ]; record; record = record->next)
        if (record->bytes & bytes && record->block == touch->block && record->when > write->when)
            return true;
    return false;
}

// As in cross.c, by a block that has met no fence for other blocks yet: volatile data that another one stores, and of
// which it makes what it stores. Behind a fence they may be checked afterwards, as by a sequence number.
static bool is_stored_unfenced(const struct touch *touch, const struct hand_line *line,
                               const struct hand_record *record, enum cross_class class, uint64_t both)
{
    const struct hazard_checker *checker = touch->state->checker;
    return touch->class == CROSS_READ && class == CROSS_STRONG && !touch->state->hand->has_fenced &&
           (checker->values.traits[touch->access->pc] & (VALUE_KEPT | VALUE_TESTED)) == VALUE_KEPT &&
           sim_program_inst(checker->program, record->pc, NULL)->op == PTX_OP_ST &&
           !has_other_writer(line, record, both) && !has_read_it(touch, line, record, both) &&
           !knows(touch->state, touch->access->warp, lane_of_byte(touch, first_place(both)), record, false);
}

// Compares with what one class of accesses did there.
static void meet_class(const struct touch *touch, const struct hand_line *line, enum cross_class class)
{
    struct hazard_state *state = touch->state;
    bool read_only = touch->class == CROSS_READ && hazard_reads_only(state->checker, touch->access->pc);
    for (const struct hand_record *record = line->records[class]; record; record = record->next) {
        uint64_t both = record->bytes & touch->bytes;
        bool is_own = record->block == touch->block;
        if (!both || (is_own && !(read_only && class == CROSS_WRITE)))
            continue;
        if (are_strong(touch, record)) {
            if (is_stored_unfenced(touch, line, record, class, both))
                tell(touch, record, class, HAZARD_BLOCK_RACE, both, false);
            continue;
        }
        uint32_t lane = lane_of_byte(touch, first_place(both)), warp = touch->access->warp;
        bool before = is_own || knows(state, warp, lane, record, false);
        if (before && read_only)
            tell(touch, record, class, HAZARD_READ_ONLY, both, false);
        bool by_barrier = before && !is_own && has_soft(state->hand) && !knows(state, warp, lane, record, true);
        if (before && !by_barrier)
            continue;
        for (uint64_t rest = both; rest; rest &= ~granule_of(state->handover, rest)) {
            uint64_t one = rest & granule_of(state->handover, rest);
            bool own_value =
                touch->class == CROSS_READ && class == CROSS_WRITE && reads_own_value(touch, line, record, one);
            if (!was_read_before(state, record, touch->line, one) && (by_barrier || !own_value))
                tell(touch, record, class, HAZARD_BLOCK_RACE, one, by_barrier);
        }
    }
}

// Takes the touched bytes from records that nobody needs any more: those of the same warp, and before a plain write all
// that came before it.
static void forget_older(const struct touch *touch, struct hand_line *line, enum cross_class class)
{
    struct hazard_state *state = touch->state;
    struct hand_record **at = &line->records[class];
    uint32_t count = 0;
    while (*at) {
        struct hand_record *record = *at;
        uint64_t both = record->bytes & touch->bytes;
        bool same_warp = record->block == touch->block && record->thread / SIM_LANES == touch->access->warp;
        bool goes = both && class == touch->class && same_warp && record->scope == touch->scope;
        if (both && !goes && touch->class == CROSS_WRITE)
            goes = record->block == touch->block ||
                   knows(state, touch->access->warp, lane_of_byte(touch, first_place(both)), record, false);
        for (uint64_t rest = both; rest && !goes && touch->class == CROSS_WRITE && record->scope;
             rest &= ~granule_of(state->handover, rest))
            if (was_read_before(state, record, touch->line, rest & granule_of(state->handover, rest)))
                record->bytes &= ~(rest & granule_of(state->handover, rest));
        if (goes)
            record->bytes &= ~both;
        bool is_full = class == touch->class && ++count >= RECORDS_OF_LINE && !record->next;
        if (record->bytes && !is_full) {
            at = &record->next;
            continue;
        }
        *at = record->next;
        record->next = state->handover->unused[class];
        state->handover->unused[class] = record;
    }
}

static struct hand_record *hand_record_new(struct handover *handover, enum cross_class class)
{
    struct hand_record *record = handover->unused[class];
    size_t values = class == CROSS_WRITE ? (size_t)(COVER_BYTES >> handover->shift) * sizeof *record->values : 0;
    if (record)
        handover->unused[class] = record->next;
    return record ? record : arena_alloc(handover->records, sizeof *record + values);
}

// A plain store to a place that others acquire through leaves nothing there.
static void clear_places(const struct touch *touch)
{
    for (uint64_t rest = touch->bytes; rest; rest &= rest - 1) {
        struct hand_place *place =
            map_find(&touch->state->handover->places, touch->line * COVER_BYTES + first_place(rest));
        if (place)
            *place = (struct hand_place){.cluster = 0};
    }
}

static void touch_line(struct touch *touch)
{
    struct handover *handover = touch->state->handover;
    struct hand_line *line = hand_line_get(handover, touch->line);
    if (!line)
        return;
    for (int class = 0; class < CROSS_CLASSES; class ++)
        if (line->records[class] && !(class == CROSS_READ && touch->class == CROSS_READ))
            meet_class(touch, line, (enum cross_class) class);
    for (int class = 0; class < CROSS_CLASSES; class ++)
        if (line->records[class] && (class == (int)touch->class || touch->class == CROSS_WRITE))
            forget_older(touch, line, (enum cross_class) class);
    struct hand_record *record = hand_record_new(handover, touch->class);
    *record = (struct hand_record){.next = line->records[touch->class],
                                   .bytes = touch->bytes,
                                   .when = handover->now,
                                   .block = touch->block,
                                   .pc = touch->access->pc,
                                   .step = (uint32_t)touch->access->step,
                                   .thread = (uint16_t)(touch->access->warp * SIM_LANES + touch->lane),
                                   .first = (uint8_t)touch->first,
                                   .each = (uint8_t)touch->each,
                                   .scope = (uint8_t)touch->scope,
                                   .cluster = touch->state->block->cluster};
    const struct sim_access *access = touch->access;
    if (access->kind == SIM_BULK_COPY && access->mbarrier == UINT64_MAX && touch->class != CROSS_READ)
        record->group = access->phase + 1;
    line->records[touch->class] = record;
    uint32_t size = 1u << handover->shift;
    for (uint64_t rest = touch->class == CROSS_WRITE ? touch->bytes : 0; rest;) {
        uint32_t byte = first_place(rest), place = byte >> handover->shift;
        record->values[place] = value_of_byte(touch, byte);
        rest &= place + 1 < (uint32_t)COVER_BYTES >> handover->shift ? UINT64_MAX << (place + 1) * size : 0;
    }
    if (line->has_places && touch->class == CROSS_WRITE && touch->access->kind == SIM_STORE && !touch->scope)
        clear_places(touch);
}

// Adds the bytes of a lane that lie in one line, [at, end), to those of the lanes before it where they follow them.
static void touch_more(struct touch *touch, uint32_t lane, uint64_t at, uint64_t end, bool is_whole)
{
    uint32_t first = (uint32_t)(at % COVER_BYTES);
    uint64_t bytes = UINT64_MAX >> (64 - (end - at)) << first;
    bool follows = touch->bytes && is_whole && at / COVER_BYTES == touch->line &&
                   first - touch->first == (lane - touch->lane) * touch->each;
    if (!follows && touch->bytes)
        touch_line(touch);
    if (!follows) {
        touch->line = at / COVER_BYTES;
        touch->bytes = 0;
        touch->first = first;
        touch->lane = lane;
        touch->each = is_whole ? (uint32_t)(end - at) : 0;
    }
    touch->bytes |= bytes;
}

void handover_access(struct hazard_state *state, const struct sim_access *told, enum cross_class class,
                     enum sim_scope scope)
{
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    struct touch touch = {
        .state = state, .access = access, .class = class, .block = (uint32_t)state->block->linear + 1, .scope = scope};
    state->handover->now++;
    FOR_LANES (lane, access->mask) {
        uint64_t stop = access->addresses[lane] + access->bytes;
        for (uint64_t at = access->addresses[lane], end; at < stop; at = end) {
            uint64_t line_end = (at / COVER_BYTES + 1) * COVER_BYTES;
            end = line_end < stop ? line_end : stop;
            touch_more(&touch, lane, at, end, end - at == access->bytes);
        }
    }
    if (touch.bytes)
        touch_line(&touch);
}
