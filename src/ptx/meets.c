// Where lanes that part meet again, as ptxas has it: read from SASS of ptxas 13.0, and from how often an H200 executes
// each instruction (docs/counting.md).
//
// Lanes that part behind a block meet at its post-dominator, but for what leads to an early return: who ends is waited
// for nowhere. Where some leave the others on the way there, there may be a nearer place, at which those meet that
// stay; ptxas takes the leavers out of it (BREAK), and they wait at the post-dominator. There is one such place at
// most:
// - The post-dominator lies outside of a loop that the block is in: of the outermost such loop, the place within it at
//   which all meet that do not leave it. No place nearer than that, however many loops are in it.
// - Else: of the ways into the post-dominator one counts as the usual one, the others as ways to leave.
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE UINT32_MAX

enum { MEETS_MOST = 1 << 23 }; // steps that all searches may take: what they have not found then is not looked for

struct meets {
    struct ptx_function *function;
    struct arena *arena;
    struct graph forward; // block i is node i + 1
    uint32_t *dominator;  // there
    uint32_t *places;     // of the tree of these
    uint32_t *plain;      // by block: its post-dominator, but for early returns
    uint32_t *nearer;     // by block: a place on the way there; NONE
    uint32_t *above;   // by block: the next place that all meet at which stay in the outermost loop that they may leave
    bool *is_early;    // by block: leads to an early return and to nothing else
    uint32_t main_end; // the block behind which lanes end that did not return early; NONE
    bool *is_settled;  // by block: a loop has said where its lanes meet
    bool *is_alone;    // by block: but for early returns it leads to one other alone
    uint32_t *node;    // by block, of a part of the graph; 0: not in it
    uint32_t *stack, *block;
    unsigned char *mark;
    uint64_t steps;
};

// Whether lanes do nothing there but end.
static bool is_end(const struct ptx_function *function, uint32_t block)
{
    const struct ptx_inst *inst = block == NONE ? NULL : &function->insts[function->blocks[block].first];
    return !inst || ((inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT) && inst->guard < 0);
}

// Whether all lanes go one way behind it, or end.
static bool leads_on(const struct ptx_function *function, uint32_t block)
{
    const struct ptx_inst *last = &function->insts[function->blocks[block].last];
    return ptx_way_out(function, block, 1) == NONE && !(ptx_block_ends(function, block) && last->guard >= 0);
}

// Whether a way out counts: early returns do not, for those who do not take them.
static bool is_kept(const struct meets *meets, uint32_t from, uint32_t to)
{
    return !is_end(meets->function, to) && (!meets->is_early[to] || meets->is_early[from]);
}

// Marks the blocks that lead to this one, itself included, without passing `wall`; returns how many.
static uint32_t mark_sources(struct meets *meets, uint32_t block, uint32_t wall)
{
    const struct graph *forward = &meets->forward;
    uint32_t depth = 0, count = 0;
    memset(meets->mark, 0, meets->function->block_count);
    meets->steps += meets->function->block_count / 8;
    meets->mark[block] = 1;
    meets->stack[depth++] = block;
    while (depth > 0) {
        uint32_t at = meets->stack[--depth];
        count++;
        for (uint32_t k = forward->from_start[at + 1]; k < forward->from_start[at + 2]; k++) {
            uint32_t from = forward->from[k] - 1; // node 0 leads to the first block alone
            if (forward->from[k] == 0 || from == wall || meets->mark[from] || !is_kept(meets, from, at))
                continue;
            meets->mark[from] = 1;
            meets->stack[depth++] = from;
        }
        meets->steps += 1 + forward->from_start[at + 2] - forward->from_start[at + 1];
    }
    return count;
}

// ---- early returns

static uint32_t loop_depth(const struct ptx_function *function, uint32_t block)
{
    uint32_t depth = 0;
    for (uint32_t loop = function->blocks[block].loop; loop != NONE; loop = function->loops[loop].parent)
        depth++;
    return depth;
}

// A block behind which lanes end, and how usual it is that they do so there.
struct ending {
    uint32_t block, depth, sources;
    bool ends_loop;
};

// In the fewest loops lies the branch that leads there; then what a loop's last block leads to; then what most blocks
// lead to; then the last.
static bool is_more_usual(const struct ending *one, const struct ending *other)
{
    if (one->depth != other->depth)
        return one->depth < other->depth;
    if (one->ends_loop != other->ends_loop)
        return one->ends_loop;
    return one->sources >= other->sources;
}

static struct ending weigh_ending(struct meets *meets, uint32_t block)
{
    const struct ptx_function *function = meets->function;
    const struct graph *forward = &meets->forward;
    struct ending ending = {.block = block, .depth = loop_depth(function, block)};
    uint32_t top = block, above = meets->dominator[block + 1];
    while (above != 0 && above != NONE && leads_on(function, above - 1)) {
        top = above - 1;
        above = meets->dominator[above];
    }
    if (above != 0 && above != NONE && loop_depth(function, above - 1) > ending.depth)
        ending.depth = loop_depth(function, above - 1);
    for (uint32_t k = forward->from_start[top + 1]; k < forward->from_start[top + 2]; k++) {
        uint32_t from = forward->from[k] - 1, loop = forward->from[k] ? function->blocks[from].loop : NONE;
        ending.ends_loop |= leads_on(function, block) && loop != NONE && function->loops[loop].latch == from &&
                            !ptx_loop_has(function, loop, top);
    }
    ending.sources = mark_sources(meets, block, NONE);
    return ending;
}

// Other ways to the end than the most usual one count for nobody who does not take them.
static void find_early(struct meets *meets)
{
    const struct ptx_function *function = meets->function;
    struct ending best = {.block = NONE};
    for (uint32_t i = 0; i < function->block_count; i++) {
        bool leads = ptx_block_ends(function, i) && !is_end(function, i);
        for (uint32_t k = 0, to; (to = ptx_way_out(function, i, k)) != NONE; k++)
            leads |= is_end(function, to);
        if (!leads || meets->steps > MEETS_MOST)
            continue;
        struct ending ending = weigh_ending(meets, i);
        if (best.block == NONE || is_more_usual(&ending, &best))
            best = ending;
    }
    meets->main_end = meets->steps > MEETS_MOST ? NONE : best.block;
    if (meets->main_end == NONE)
        return;
    mark_sources(meets, best.block, NONE);
    for (uint32_t i = 0; i < function->block_count; i++)
        meets->is_early[i] = !meets->mark[i] && !is_end(function, i);
}

// ---- post-dominators

static void each_edge_kept(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct meets *meets = context;
    const struct ptx_function *function = meets->function;
    for (uint32_t i = 0; i < function->block_count; i++) {
        bool ends = ptx_block_ends(function, i);
        bool is_main = i == meets->main_end || meets->main_end == NONE || meets->is_early[i];
        for (uint32_t k = 0, to; (to = ptx_way_out(function, i, k)) != NONE; k++) {
            ends |= is_end(function, to);
            if (is_kept(meets, i, to))
                add(graph, to + 1, i + 1);
        }
        if (ends && is_main)
            add(graph, 0, i + 1);
    }
}

static void meet_plainly(struct meets *meets)
{
    struct ptx_function *function = meets->function;
    struct graph graph;
    graph_build(&graph, function->block_count + 1, each_edge_kept, meets);
    uint32_t *dominator = dominators_of(&graph, NULL);
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t at = dominator[i + 1];
        meets->plain[i] = meets->above[i] = at == NONE || at == 0 ? NONE : at - 1;
        meets->node[i] = 1;
    }
    for (uint32_t i = 0; i < function->loop_count; i++) {
        uint32_t at = function->loops[i].header;
        while (at != NONE && ptx_loop_has(function, i, at))
            at = meets->plain[at];
        function->loops[i].meet = at;
    }
    free(dominator);
    graph_free(&graph);
}

// ---- places

static bool dominates(const struct meets *meets, uint32_t block, uint32_t other)
{
    const uint32_t *above = &meets->places[2 * (block + 1)], place = meets->places[2 * (other + 1)];
    return above[0] && place >= above[0] && place <= above[1];
}

// A place is one where lanes are brought together only if all that come there came by one branch (BSSY) from which on
// they were on the way there. So it is for a branch that dominates it, and for those that such a branch dominates.
static bool is_place_for(const struct meets *meets, uint32_t block, uint32_t place, const uint32_t *other)
{
    uint32_t above = meets->dominator[place + 1], head = above - 1;
    if (dominates(meets, block, place) || above == 0 || above == NONE)
        return above != 0 && above != NONE;
    return dominates(meets, head, block) && (meets->plain[head] == place || other[head] == place ||
                                             (meets->is_settled[head] && meets->function->blocks[head].meet == place));
}

// ---- within loops

// One loop's blocks without what leaves it: node 0 is its end, behind which the header comes again.
struct within {
    const struct meets *meets;
    uint32_t header;
};

static void each_edge_within(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct within *within = context;
    const struct meets *meets = within->meets;
    for (uint32_t i = 0; i < meets->function->block_count; i++)
        for (uint32_t k = 0, to; meets->node[i] && (to = ptx_way_out(meets->function, i, k)) != NONE; k++)
            if (meets->node[to] && is_kept(meets, i, to))
                add(graph, to == within->header ? 0 : meets->node[to], meets->node[i]);
}

// Whether a block leads to more than one that is in the part of the graph.
static bool has_ways(const struct meets *meets, uint32_t block)
{
    uint32_t first = NONE;
    bool has = false;
    for (uint32_t k = 0, to; (to = ptx_way_out(meets->function, block, k)) != NONE; k++) {
        if (!meets->node[to] || !is_kept(meets, block, to))
            continue;
        has |= first != NONE && to != first;
        first = to;
    }
    return has;
}

static bool lies_in(const struct ptx_function *function, uint32_t loop, uint32_t block)
{
    return block != NONE && ptx_loop_has(function, loop, block);
}

static void meet_within(struct meets *meets, uint32_t loop)
{
    struct ptx_function *function = meets->function;
    struct within within = {.meets = meets, .header = function->loops[loop].header};
    struct graph graph;
    uint32_t count = 0;
    bool some = false;
    for (uint32_t i = 0; i < function->block_count; i++) {
        meets->node[i] = ptx_loop_has(function, loop, i) ? ++count : 0;
        some |= meets->node[i] && !meets->is_settled[i] && !lies_in(function, loop, meets->plain[i]);
        if (meets->node[i])
            meets->block[count] = i;
    }
    meets->steps += function->block_count;
    if (!some)
        return;
    graph_build(&graph, count + 1, each_edge_within, &within);
    uint32_t *dominator = dominators_of(&graph, NULL);
    meets->steps += graph.edges;
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t at = meets->node[i] ? dominator[meets->node[i]] : NONE;
        meets->nearer[i] = at == NONE || at == 0 ? NONE : meets->block[at];
    }
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t at = meets->nearer[i];
        if (!meets->node[i] || meets->is_settled[i] || lies_in(function, loop, meets->plain[i]))
            continue;
        meets->is_settled[i] = true;
        meets->above[i] = at == NONE ? within.header : at;
        function->blocks[i].meet = meets->plain[i];
        if (!has_ways(meets, i))
            continue;
        for (; at != NONE && meets->steps < MEETS_MOST && !is_place_for(meets, i, at, meets->nearer); meets->steps++)
            at = meets->nearer[at];
        function->blocks[i].meet = at == NONE ? within.header : at;
    }
    free(dominator);
    graph_free(&graph);
}

// ---- behind a loop

bool ptx_loop_bypasses(const struct ptx_function *function, uint32_t loop, uint32_t to)
{
    uint32_t follow = function->loops[loop].follow;
    if (follow == NONE)
        return false;
    const uint32_t *behind = function->blocks[follow].behind, place = function->blocks[to].behind[0];
    return place < behind[0] || place > behind[1];
}

// Of a loop that lanes leave by several ways, ptxas lets those meet that leave it at its end, whoever goes elsewhere:
// but not where lanes leave a loop around it on the way to where all meet.
static void meet_behind(struct ptx_function *function, uint32_t loop)
{
    struct ptx_loop *l = &function->loops[loop];
    uint32_t successors[2] = {NONE, NONE};
    if (l->parent != NONE && !lies_in(function, l->parent, l->meet))
        return;
    for (uint32_t k = 0; k < 2 && l->latch != NONE && ptx_way_out(function, l->latch, 2) == NONE; k++)
        successors[k] = ptx_way_out(function, l->latch, k);
    for (uint32_t k = 0; k < 2 && successors[1] != NONE; k++)
        if (!ptx_loop_has(function, loop, successors[k]) && successors[k] != l->meet &&
            !is_end(function, successors[k]))
            l->follow = successors[k];
    for (uint32_t i = 0; i < function->block_count && l->follow != NONE; i++)
        for (uint32_t k = 0; k < 2 && ptx_loop_has(function, loop, i) && ptx_way_out(function, i, 2) == NONE; k++) {
            uint32_t other = ptx_way_out(function, i, !k);
            if (ptx_way_out(function, i, k) == l->follow && lies_in(function, loop, other))
                function->blocks[i].meet = l->follow;
        }
}

// ---- on the way to a post-dominator

// The part of the graph that leads to `root` by its usual way: node 0.
struct toward {
    const struct meets *meets;
    uint32_t last; // the block on that way
};

static void each_edge_toward(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct toward *toward = context;
    const struct meets *meets = toward->meets;
    for (uint32_t i = 0; i < meets->function->block_count; i++)
        for (uint32_t k = 0, to; meets->node[i] && (to = ptx_way_out(meets->function, i, k)) != NONE; k++)
            if (meets->node[to] && is_kept(meets, i, to))
                add(graph, meets->node[to], meets->node[i]);
    add(graph, 0, meets->node[toward->last]);
}

static uint32_t way_of(struct meets *meets, uint32_t meet, uint32_t outer)
{
    struct ptx_function *function = meets->function;
    uint32_t words = (function->block_count + 31) / 32;
    for (uint32_t i = 0; i < function->way_count; i++)
        if (function->ways[i].meet == meet && function->ways[i].outer == outer)
            return i;
    uint32_t *inside = arena_alloc(meets->arena, words * sizeof *inside);
    mark_sources(meets, meet, outer);
    for (uint32_t i = 0; i < function->block_count; i++)
        inside[i / 32] |= (uint32_t)meets->mark[i] << i % 32;
    function->ways[function->way_count] = (struct ptx_way){.meet = meet, .outer = outer, .inside = inside};
    return function->way_count++;
}

// How many ways lead to where the code begins that leads to the end of a block and nowhere else.
static uint32_t count_entries(const struct meets *meets, uint32_t block)
{
    const struct graph *forward = &meets->forward;
    uint32_t node = block + 1;
    while (forward->from_start[node + 1] - forward->from_start[node] == 1 &&
           forward->from[forward->from_start[node]] != 0 &&
           leads_on(meets->function, forward->from[forward->from_start[node]] - 1))
        node = forward->from[forward->from_start[node]];
    return forward->from_start[node + 1] - forward->from_start[node];
}

// Of the ways into a block, the one to which most ways lead directly, then from most blocks without passing it, or the
// last of these. NONE: there is but one.
static uint32_t find_usual(struct meets *meets, uint32_t root)
{
    uint32_t best = NONE, best_entries = 0, most = 0, count = 0;
    const struct graph *forward = &meets->forward;
    for (uint32_t k = forward->from_start[root + 1]; k < forward->from_start[root + 2]; k++) {
        uint32_t from = forward->from[k];
        if (from == 0 || !is_kept(meets, from - 1, root))
            continue;
        if (meets->steps >= MEETS_MOST)
            return NONE;
        uint32_t entries = count_entries(meets, from - 1), sources = mark_sources(meets, from - 1, root);
        bool is_better = entries != best_entries ? entries > best_entries
                         : sources != most       ? sources > most
                                                 : from - 1 > best;
        if (count++ == 0 || is_better) {
            best = from - 1;
            best_entries = entries;
            most = sources;
        }
    }
    return count > 1 ? best : NONE;
}

static void meet_on_the_way(struct meets *meets, uint32_t root)
{
    struct ptx_function *function = meets->function;
    uint32_t last = find_usual(meets, root), count = 0;
    struct graph graph;
    if (last == NONE)
        return;
    mark_sources(meets, last, root);
    for (uint32_t i = 0; i < function->block_count; i++) {
        meets->node[i] = meets->mark[i] ? ++count : 0;
        if (meets->node[i])
            meets->block[count] = i;
    }
    struct toward toward = {meets, last};
    graph_build(&graph, count + 1, each_edge_toward, &toward);
    uint32_t *dominator = dominators_of(&graph, NULL);
    meets->steps += function->block_count + graph.edges;
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t at = meets->node[i] ? dominator[meets->node[i]] : NONE;
        if (meets->plain[i] != root || meets->is_settled[i] || at == NONE || at == 0 || !has_ways(meets, i) ||
            meets->steps >= MEETS_MOST)
            continue;
        uint32_t meet = meets->block[at];
        bool comes_again = false; // in a cycle that no loop is
        mark_sources(meets, meet, root);
        for (uint32_t k = 0, to; (to = ptx_way_out(function, meet, k)) != NONE; k++)
            comes_again |= to != root && meets->mark[to];
        if (!comes_again)
            meets->nearer[i] = meet;
    }
    free(dominator);
    graph_free(&graph);
}

// ---- all of them

bool ptx_leaves(const struct ptx_function *function, uint32_t from, uint32_t to)
{
    uint32_t loop = function->blocks[from].loop;
    bool leaves = loop != NONE && !ptx_loop_has(function, loop, to);
    for (uint32_t i = 0; i < function->way_count && !leaves; i++)
        leaves = ptx_way_has(&function->ways[i], from) && !ptx_way_has(&function->ways[i], to);
    return leaves;
}

// The next place behind `place`, for a block: out of the loops that it is not in.
static uint32_t next_above(const struct meets *meets, uint32_t block, uint32_t place)
{
    const struct ptx_function *function = meets->function;
    uint32_t outermost = NONE;
    for (uint32_t loop = function->blocks[place].loop; loop != NONE && !ptx_loop_has(function, loop, block);
         loop = function->loops[loop].parent)
        outermost = loop;
    return outermost != NONE ? function->loops[outermost].meet : meets->above[place];
}

// Whether the place is the beginning of a loop that the block is in: there its lanes meet by way of all that leads
// back.
static bool begins_loop_of(const struct ptx_function *function, uint32_t block, uint32_t place)
{
    uint32_t loop = function->blocks[place].loop;
    return loop != NONE && function->loops[loop].header == place && ptx_loop_has(function, loop, block);
}

static void settle_block(struct meets *meets, uint32_t block)
{
    struct ptx_function *function = meets->function;
    uint32_t at = meets->nearer[block], root = meets->plain[block];
    bool may_be = at != NONE && function->way_count < function->block_count && meets->steps < MEETS_MOST;
    if (may_be && is_place_for(meets, block, at, meets->nearer)) {
        function->blocks[block].meet = at;
        function->blocks[block].way = way_of(meets, at, root);
        return;
    }
    bool is_reached = meets->dominator[block + 1] != NONE;
    while (is_reached && root != NONE && meets->steps++ < MEETS_MOST && !begins_loop_of(function, block, root) &&
           !is_place_for(meets, block, root, meets->nearer))
        root = next_above(meets, block, root);
    function->blocks[block].meet = root;
}

static void search_meets(struct meets *meets)
{
    struct ptx_function *function = meets->function;
    find_early(meets);
    meet_plainly(meets);
    for (uint32_t i = 0; i < function->block_count; i++)
        meets->is_alone[i] = !has_ways(meets, i);
    for (uint32_t loop = function->loop_count; loop-- > 0 && meets->steps < MEETS_MOST;)
        meet_within(meets, loop);
    for (uint32_t loop = 0; loop < function->loop_count && meets->steps < MEETS_MOST; loop++) {
        meet_behind(function, loop);
        meets->steps += function->block_count;
    }
    unsigned char *is_root = mem_alloc(function->block_count + 1);
    for (uint32_t i = 0; i < function->block_count; i++) {
        meets->nearer[i] = NONE;
        if (!meets->is_settled[i] && meets->plain[i] != NONE && !meets->is_alone[i])
            is_root[meets->plain[i]] = 1;
    }
    for (uint32_t i = 0; i < function->block_count && meets->steps < MEETS_MOST; i++)
        if (is_root[i])
            meet_on_the_way(meets, i);
    free(is_root);
    for (uint32_t i = 0; i < function->block_count; i++)
        if (!meets->is_settled[i])
            settle_block(meets, i);
    for (uint32_t i = 0; i < function->block_count; i++)
        if (meets->is_alone[i])
            function->blocks[i].meet = NONE; // lanes part there for an end alone, or not at all
}

void ptx_find_meets(struct ptx_function *function, struct arena *arena)
{
    size_t size = function->block_count + 2;
    struct meets meets = {.function = function,
                          .arena = arena,
                          .is_early = mem_alloc(size * sizeof *meets.is_early),
                          .is_settled = mem_alloc(size * sizeof *meets.is_settled),
                          .plain = mem_alloc(size * sizeof *meets.plain),
                          .above = mem_alloc(size * sizeof *meets.above),
                          .nearer = mem_alloc(size * sizeof *meets.nearer),
                          .is_alone = mem_alloc(size * sizeof *meets.is_alone),
                          .node = mem_alloc(size * sizeof *meets.node),
                          .stack = mem_alloc(size * sizeof *meets.stack),
                          .block = mem_alloc(size * sizeof *meets.block),
                          .mark = mem_alloc(size)};
    function->ways = arena_alloc(arena, size * sizeof *function->ways);
    function->way_count = 0;
    for (uint32_t i = 0; i < function->block_count; i++)
        function->blocks[i].way = NONE;
    graph_build(&meets.forward, function->block_count + 1, ptx_edges_forward, function);
    uint32_t *number = mem_alloc((meets.forward.nodes + 1) * sizeof *number);
    meets.dominator = dominators_of(&meets.forward, number);
    meets.places = number_tree(&meets.forward, meets.dominator, number);
    free(number);
    search_meets(&meets);
    graph_free(&meets.forward);
    free(meets.dominator);
    free(meets.is_early);
    free(meets.is_settled);
    free(meets.places);
    free(meets.plain);
    free(meets.nearer);
    free(meets.above);
    free(meets.is_alone);
    free(meets.node);
    free(meets.stack);
    free(meets.block);
    free(meets.mark);
}
