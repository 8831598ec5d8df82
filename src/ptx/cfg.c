// Basic blocks, immediate post-dominators, loops, and where lanes that part meet again.
//
// Post-dominators are the dominators of the reversed graph, whose root is a virtual exit after every way out.
// T. Lengauer, R. Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), the simple version:
// O(edges * log(blocks)), whatever the text makes of the graph.
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static bool is_noreturn_call(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *callee = &function->operands[inst->operands + 1];
    return inst->op == PTX_OP_CALL && callee->kind == PTX_OPERAND_FUNCTION && callee->value.function->is_noreturn;
}

static bool ends_block(const struct ptx_function *function, const struct ptx_inst *inst)
{
    switch (inst->op) {
    case PTX_OP_BRA:
    case PTX_OP_BRX_IDX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
        return true;
    default:
        return is_noreturn_call(function, inst);
    }
}

static const struct ptx_table *branch_table(const struct ptx_function *function, const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_BRX_IDX ? function->operands[inst->operands + 1].value.table : NULL;
}

static void find_blocks(struct ptx_function *function, struct arena *arena)
{
    uint32_t count = function->inst_count;
    unsigned char *leads = mem_alloc(count + 1);
    leads[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        const struct ptx_table *table = branch_table(function, inst);
        if (ends_block(function, inst))
            leads[i + 1] = 1;
        if (inst->op == PTX_OP_BRA)
            leads[function->operands[inst->operands].value.target] = 1;
        for (uint32_t k = 0; table && k < table->count; k++)
            leads[table->targets[k]] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        function->block_count += leads[i];
    function->blocks = arena_alloc(arena, function->block_count * sizeof *function->blocks);
    function->block_of = arena_alloc(arena, count * sizeof *function->block_of);
    uint32_t block = NONE;
    for (uint32_t i = 0; i < count; i++) {
        block += leads[i];
        if (leads[i])
            function->blocks[block].first = i;
        function->blocks[block].last = i;
        function->block_of[i] = block;
    }
    free(leads);
}

static void find_successors(struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->block_count; i++) {
        struct ptx_block *block = &function->blocks[i];
        const struct ptx_inst *inst = &function->insts[block->last];
        bool falls_through = !ends_block(function, inst) || inst->guard >= 0;
        if (inst->op == PTX_OP_BRX_IDX) {
            block->successor_count = NONE;
            continue;
        }
        if (inst->op == PTX_OP_BRA)
            block->successors[block->successor_count++] =
                function->block_of[function->operands[inst->operands].value.target];
        if (falls_through && i + 1 < function->block_count)
            block->successors[block->successor_count++] = i + 1;
    }
}

// ---- post-dominators

// The reversed graph: node 0 is the virtual exit, node i + 1 is block i. Edges in two lists by offset.
struct graph {
    uint32_t nodes, edges;
    uint32_t *from_start, *from; // of each node: where it may come from in the reversed graph (its successors)
    uint32_t *to_start, *to;     // where it leads in the reversed graph (its predecessors)
};

typedef void graph_edges(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t));

// Where a block leads without its table: to its target, and below it. Returns how many they are.
static uint32_t successors_of(const struct ptx_function *function, uint32_t block, uint32_t successors[2])
{
    const struct ptx_block *from = &function->blocks[block];
    const struct ptx_inst *inst = &function->insts[from->last];
    if (branch_table(function, inst)) {
        successors[0] = block + 1;
        return inst->guard >= 0 && block + 1 < function->block_count;
    }
    for (uint32_t k = 0; k < from->successor_count; k++)
        successors[k] = from->successors[k];
    return from->successor_count;
}

// Calls add(graph, from, to) for each edge of the reversed graph: from a block's successor, or the exit, to the block.
static void each_edge(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct ptx_function *function = context;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_inst *inst = &function->insts[function->blocks[i].last];
        const struct ptx_table *table = branch_table(function, inst);
        uint32_t successors[2], count = successors_of(function, i, successors);
        bool leaves = inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT || inst->op == PTX_OP_TRAP ||
                      is_noreturn_call(function, inst);
        for (uint32_t k = 0; table && k < table->count; k++)
            add(graph, function->block_of[table->targets[k]] + 1, i + 1);
        for (uint32_t k = 0; k < count; k++)
            add(graph, successors[k] + 1, i + 1);
        if (leaves)
            add(graph, 0, i + 1);
    }
}

static void count_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    graph->edges++;
    graph->to_start[from]++;
    graph->from_start[to]++;
}

static void put_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    graph->to[--graph->to_start[from]] = to;
    graph->from[--graph->from_start[to]] = from;
}

static void graph_build(struct graph *graph, uint32_t nodes, graph_edges *each, const void *context)
{
    *graph = (struct graph){.nodes = nodes};
    graph->from_start = mem_alloc((graph->nodes + 1) * sizeof *graph->from_start);
    graph->to_start = mem_alloc((graph->nodes + 1) * sizeof *graph->to_start);
    each(context, graph, count_edge);
    for (uint32_t i = 1; i <= graph->nodes; i++) {
        graph->from_start[i] += graph->from_start[i - 1];
        graph->to_start[i] += graph->to_start[i - 1];
    }
    graph->from = mem_alloc(graph->edges * sizeof *graph->from);
    graph->to = mem_alloc(graph->edges * sizeof *graph->to);
    each(context, graph, put_edge);
}

static void graph_free(struct graph *graph)
{
    free(graph->from_start);
    free(graph->from);
    free(graph->to_start);
    free(graph->to);
}

// Arrays by node; numbers are those of the depth-first search, from 1, 0 = not reached.
struct dominators {
    uint32_t *number, *vertex, *parent, *semi, *label, *ancestor, *dominator, *bucket, *bucket_next, *stack;
    uint32_t count;
};

static void search(const struct graph *graph, struct dominators *d)
{
    uint32_t depth = 0;
    uint32_t *edge = d->bucket; // borrowed: the next edge of each node on the stack
    d->stack[depth++] = 0;
    d->number[0] = ++d->count;
    d->vertex[d->count] = 0;
    edge[0] = graph->to_start[0];
    while (depth > 0) {
        uint32_t node = d->stack[depth - 1];
        if (edge[node] == graph->to_start[node + 1]) {
            depth--;
            continue;
        }
        uint32_t next = graph->to[edge[node]++];
        if (d->number[next])
            continue;
        d->number[next] = ++d->count;
        d->vertex[d->count] = next;
        d->parent[next] = node;
        edge[next] = graph->to_start[next];
        d->stack[depth++] = next;
    }
}

// The node with the least semidominator on the way from node up to the root of its tree, exclusive; flattens the way.
static uint32_t evaluate(struct dominators *d, uint32_t node)
{
    if (d->ancestor[node] == NONE)
        return node;
    uint32_t depth = 0;
    for (uint32_t at = node; d->ancestor[d->ancestor[at]] != NONE; at = d->ancestor[at])
        d->stack[depth++] = at;
    while (depth > 0) {
        uint32_t at = d->stack[--depth], above = d->ancestor[at];
        if (d->semi[d->label[above]] < d->semi[d->label[at]])
            d->label[at] = d->label[above];
        d->ancestor[at] = d->ancestor[above];
    }
    return d->label[node];
}

static void find_dominators(const struct graph *graph, struct dominators *d)
{
    search(graph, d);
    for (uint32_t i = 0; i < graph->nodes; i++) {
        d->semi[i] = d->number[i];
        d->label[i] = i;
        d->ancestor[i] = d->dominator[i] = d->bucket[i] = d->bucket_next[i] = NONE;
    }
    for (uint32_t i = d->count; i >= 2; i--) {
        uint32_t node = d->vertex[i], parent = d->parent[node];
        for (uint32_t k = graph->from_start[node]; k < graph->from_start[node + 1]; k++) {
            uint32_t from = graph->from[k];
            if (!d->number[from])
                continue;
            uint32_t best = evaluate(d, from);
            if (d->semi[best] < d->semi[node])
                d->semi[node] = d->semi[best];
        }
        uint32_t owner = d->vertex[d->semi[node]];
        d->bucket_next[node] = d->bucket[owner];
        d->bucket[owner] = node;
        d->ancestor[node] = parent;
        for (uint32_t member = d->bucket[parent]; member != NONE; member = d->bucket_next[member]) {
            uint32_t best = evaluate(d, member);
            d->dominator[member] = d->semi[best] < d->semi[member] ? best : parent;
        }
        d->bucket[parent] = NONE;
    }
    for (uint32_t i = 2; i <= d->count; i++) {
        uint32_t node = d->vertex[i];
        if (d->dominator[node] != d->vertex[d->semi[node]])
            d->dominator[node] = d->dominator[d->dominator[node]];
    }
}

// The immediate dominators in the graph, by node, to be freed by the caller; NONE: none, or not reached. number: of the
// depth-first search, or NULL.
static uint32_t *dominators_of(const struct graph *graph, uint32_t *number)
{
    struct dominators d = {.count = 0};
    uint32_t **arrays[] = {&d.dominator, &d.number,   &d.vertex, &d.parent,      &d.semi,
                           &d.label,     &d.ancestor, &d.bucket, &d.bucket_next, &d.stack};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    size_t size = graph->nodes + 1;
    uint32_t *memory = mem_alloc(ARRAYS * size * sizeof *memory);
    for (size_t i = 0; i < ARRAYS; i++)
        *arrays[i] = memory + i * size;
    find_dominators(graph, &d);
    for (uint32_t i = 0; i < graph->nodes; i++) {
        d.dominator[i] = d.number[i] ? d.dominator[i] : NONE;
        if (number)
            number[i] = d.number[i];
    }
    return memory;
}

// Numbers the tree that a graph's dominators make, each node before those below it: places[2 * node] is its number,
// places[2 * node + 1] the last below it. number: of the depth-first search.
static uint32_t *number_tree(const struct graph *graph, const uint32_t *dominator, const uint32_t *number)
{
    uint32_t *order = mem_alloc((graph->nodes + 1) * sizeof *order), *size = mem_alloc(graph->nodes * sizeof *size);
    uint32_t *next = mem_alloc(graph->nodes * sizeof *next), *places = mem_alloc(2 * graph->nodes * sizeof *places);
    for (uint32_t i = 0; i < graph->nodes; i++)
        order[number[i]] = i; // [0]: some node that is not reached
    for (uint32_t n = graph->nodes; n > 0; n--) {
        uint32_t node = order[n];
        if (number[node] != n)
            continue;
        size[node]++;
        if (dominator[node] != NONE && dominator[node] != node)
            size[dominator[node]] += size[node];
    }
    for (uint32_t n = 1; n <= graph->nodes; n++) {
        uint32_t node = order[n], above = dominator[node];
        if (number[node] != n)
            continue;
        bool is_root = above == NONE || above == node;
        places[2 * node] = is_root ? 1 : next[above];
        places[2 * node + 1] = places[2 * node] + size[node] - 1;
        next[node] = places[2 * node] + 1;
        if (!is_root)
            next[above] += size[node];
    }
    free(order);
    free(size);
    free(next);
    return places;
}

static void find_post_dominators(struct ptx_function *function)
{
    struct graph graph;
    graph_build(&graph, function->block_count + 1, each_edge, function);
    uint32_t *number = mem_alloc((graph.nodes + 1) * sizeof *number), *dominator = dominators_of(&graph, number);
    uint32_t *places = number_tree(&graph, dominator, number);
    for (uint32_t i = 0; i < function->block_count; i++) {
        struct ptx_block *block = &function->blocks[i];
        block->post_dominator = dominator[i + 1] == 0 || dominator[i + 1] == NONE ? UINT32_MAX : dominator[i + 1] - 1;
        memcpy(block->behind, &places[2 * (i + 1)], sizeof block->behind);
    }
    free(places);
    free(number);
    free(dominator);
    graph_free(&graph);
}

// ---- loops

// Block i is node i + 1, and node 0 leads to the first.
static void each_forward_edge(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct ptx_function *function = context;
    uint32_t successors[2], count;
    add(graph, 0, 1);
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_table *table = branch_table(function, &function->insts[function->blocks[i].last]);
        count = successors_of(function, i, successors);
        for (uint32_t k = 0; k < count; k++)
            add(graph, i + 1, successors[k] + 1);
        for (uint32_t k = 0; table && k < table->count; k++)
            add(graph, i + 1, function->block_of[table->targets[k]] + 1);
    }
}

bool ptx_loop_has(const struct ptx_function *function, uint32_t loop, uint32_t block)
{
    uint32_t own = function->blocks[block].loop;
    return own != NONE && function->loops[own].first >= function->loops[loop].first &&
           function->loops[own].first <= function->loops[loop].last;
}

// The outermost of the loops around a loop that are known so far. outer: shortens the way for the next one who asks.
static uint32_t outermost(const struct ptx_function *function, uint32_t *outer, uint32_t loop)
{
    uint32_t top = loop;
    while (function->loops[top].parent != NONE)
        top = outer[top] != NONE && outer[top] != top ? outer[top] : function->loops[top].parent;
    for (uint32_t at = loop, next; at != top; at = next) {
        next = outer[at] != NONE && outer[at] != at ? outer[at] : function->loops[at].parent;
        outer[at] = top;
    }
    return top;
}

struct loop_search {
    struct ptx_function *function;
    uint32_t *stack, depth, *outer;
};

// Takes a block, or the outermost loop that it belongs to, into a loop; pushes where to go on from.
static void take_in(struct loop_search *search, uint32_t loop, uint32_t block)
{
    struct ptx_function *function = search->function;
    uint32_t at = function->blocks[block].loop;
    at = at == NONE ? NONE : outermost(function, search->outer, at);
    if (at == loop)
        return;
    if (at != NONE) {
        function->loops[at].parent = loop;
        block = function->loops[at].header;
    } else {
        function->blocks[block].loop = loop;
    }
    search->stack[search->depth++] = block;
}

// The loop with this header, from the blocks that lead back to it.
static void find_loop(struct loop_search *search, const struct graph *graph, uint32_t node, const uint32_t *number,
                      const uint32_t *places)
{
    struct ptx_function *function = search->function;
    uint32_t loop = function->loop_count, latches = 0, last = NONE;
    for (uint32_t k = graph->from_start[node]; k < graph->from_start[node + 1]; k++) {
        uint32_t from = graph->from[k];
        bool is_below =
            number[from] && places[2 * from] >= places[2 * node] && places[2 * from] <= places[2 * node + 1];
        if (!is_below || from == last) // a table may name the header many times
            continue;
        last = from;
        if (function->loop_count == loop) {
            function->loops[function->loop_count++] =
                (struct ptx_loop){.header = node - 1, .parent = NONE, .meet = NONE, .follow = NONE};
            search->outer[loop] = NONE;
            take_in(search, loop, node - 1);
            search->depth = 0; // nothing before the header is in it
        }
        if (from != node)
            take_in(search, loop, from - 1);
        function->loops[loop].latch = latches++ == 0 ? from - 1 : NONE;
    }
    while (search->depth > 0) {
        uint32_t at = search->stack[--search->depth] + 1;
        for (uint32_t k = graph->from_start[at]; at != node && k < graph->from_start[at + 1]; k++)
            if (number[graph->from[k]])
                take_in(search, loop, graph->from[k] - 1);
    }
}

// Inner loops stand before those around them. False: they are nested too deep to be looked at.
static bool number_loops(struct ptx_function *function)
{
    enum { DEEPEST = 64 };
    uint32_t *size = mem_alloc((function->loop_count + 1) * sizeof *size), roots = 0;
    uint32_t *next = mem_alloc((function->loop_count + 1) * sizeof *next);
    uint32_t *depth = mem_alloc((function->loop_count + 1) * sizeof *depth);
    bool good = true;
    for (uint32_t i = 0; i < function->loop_count; i++) {
        size[i]++;
        if (function->loops[i].parent != NONE)
            size[function->loops[i].parent] += size[i];
    }
    for (uint32_t i = function->loop_count; i-- > 0;) {
        struct ptx_loop *loop = &function->loops[i];
        uint32_t *place = loop->parent == NONE ? &roots : &next[loop->parent];
        depth[i] = loop->parent == NONE ? 1 : depth[loop->parent] + 1;
        good = good && depth[i] <= DEEPEST;
        loop->first = *place;
        loop->last = *place + size[i] - 1;
        next[i] = loop->first + 1;
        *place += size[i];
    }
    free(size);
    free(next);
    free(depth);
    return good;
}

// A header has a higher number than those of the loops around it.
static void find_loops(struct ptx_function *function, struct arena *arena)
{
    struct graph graph;
    graph_build(&graph, function->block_count + 1, each_forward_edge, function);
    uint32_t *number = mem_alloc((graph.nodes + 1) * sizeof *number), *dominator = dominators_of(&graph, number);
    uint32_t *places = number_tree(&graph, dominator, number), *order = mem_alloc((graph.nodes + 1) * sizeof *order);
    struct loop_search search = {.function = function,
                                 .stack = mem_alloc((graph.nodes + 1) * sizeof *search.stack),
                                 .outer = mem_alloc((graph.nodes + 1) * sizeof *search.outer)};
    for (uint32_t i = 0; i < graph.nodes; i++)
        order[number[i]] = i;
    for (uint32_t i = 0; i < function->block_count; i++)
        function->blocks[i].loop = NONE;
    function->loops = arena_alloc(arena, (function->block_count + 1) * sizeof *function->loops);
    for (uint32_t n = graph.nodes; n > 0; n--)
        if (order[n] != 0 && number[order[n]] == n)
            find_loop(&search, &graph, order[n], number, places);
    if (!number_loops(function)) {
        function->loop_count = 0;
        for (uint32_t i = 0; i < function->block_count; i++)
            function->blocks[i].loop = NONE;
    }
    free(search.stack);
    free(search.outer);
    free(places);
    free(order);
    free(number);
    free(dominator);
    graph_free(&graph);
}

// ---- where lanes meet

// One loop's blocks without what leaves it: node 0 is its end, behind which the header comes again.
struct within {
    const struct ptx_function *function;
    uint32_t loop, count, *node; // node: of each block + 1; 0: not in the loop
};

static void each_edge_within(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct within *within = context;
    const struct ptx_function *function = within->function;
    const uint32_t header = function->loops[within->loop].header;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_table *table = branch_table(function, &function->insts[function->blocks[i].last]);
        uint32_t successors[2], count = within->node[i] ? successors_of(function, i, successors) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (within->node[successors[k]])
                add(graph, successors[k] == header ? 0 : within->node[successors[k]], within->node[i]);
        for (uint32_t k = 0; table && within->node[i] && k < table->count; k++) {
            uint32_t to = function->block_of[table->targets[k]];
            if (within->node[to])
                add(graph, to == header ? 0 : within->node[to], within->node[i]);
        }
    }
}

// How many different blocks of the loop a block leads to: 0, 1 or more.
static uint32_t ways_within(const struct within *within, uint32_t block)
{
    const struct ptx_function *function = within->function;
    const struct ptx_table *table = branch_table(function, &function->insts[function->blocks[block].last]);
    uint32_t successors[2], count = successors_of(function, block, successors), first = NONE, ways = 0;
    for (uint32_t k = 0; k < count + (table ? table->count : 0); k++) {
        uint32_t to = k < count ? successors[k] : function->block_of[table->targets[k - count]];
        if (!within->node[to] || to == first)
            continue;
        first = to;
        ways++;
    }
    return ways;
}

static bool is_met_within(const struct ptx_function *function, uint32_t block, uint32_t loop)
{
    uint32_t meet = function->blocks[block].meet;
    return meet != NONE && ptx_loop_has(function, loop, meet);
}

// Lanes that leave a loop by a way of their own (break, goto, return) would keep those that stay apart to its end:
// their post-dominator lies behind it. ptxas lets those that stay meet within the loop, and takes the others out of it.
static void meet_within(struct ptx_function *function, uint32_t loop, uint32_t *node)
{
    struct within within = {.function = function, .loop = loop, .node = node};
    struct graph graph;
    bool some = false;
    for (uint32_t i = 0; i < function->block_count; i++) {
        node[i] = ptx_loop_has(function, loop, i) ? ++within.count : 0;
        some |= node[i] && !is_met_within(function, i, loop);
    }
    if (!some)
        return;
    graph_build(&graph, within.count + 1, each_edge_within, &within);
    uint32_t *dominator = dominators_of(&graph, NULL), *block = mem_alloc((within.count + 1) * sizeof *block);
    for (uint32_t i = 0; i < function->block_count; i++)
        block[node[i]] = i;
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t at = node[i] ? dominator[node[i]] : NONE;
        if (at != NONE && at != 0 && !is_met_within(function, i, loop) && ways_within(&within, i) > 1)
            function->blocks[i].meet = block[at];
    }
    for (uint32_t inner = 0; inner < loop; inner++) {
        uint32_t at = node[function->loops[inner].header];
        if (function->loops[inner].parent != loop)
            continue;
        while (at != NONE && at != 0 && ptx_loop_has(function, inner, block[at]))
            at = dominator[at];
        if (at != NONE && at != 0)
            function->loops[inner].meet = block[at];
    }
    free(block);
    free(dominator);
    graph_free(&graph);
}

// The loop, around this one, that lanes stay in which leave for a block outside; NONE: none.
static uint32_t loop_kept(const struct ptx_function *function, uint32_t loop, uint32_t to)
{
    while (loop != NONE && !ptx_loop_has(function, loop, to))
        loop = function->loops[loop].parent;
    return loop;
}

// Whether lanes leave the loop between a block and its meeting place there for loops of different depth: then ptxas
// lets those that stay meet only behind the loop (SASS of ptxas 13.0).
static bool leaves_mixed(const struct ptx_function *function, uint32_t loop, uint32_t block, uint32_t *seen,
                         uint32_t *stack, uint64_t *looked_at)
{
    enum { MOST = 1 << 22 }; // of all
    uint32_t depth = 0, kept = NONE, successors[2];
    bool some = false;
    seen[block] = block + 1;
    stack[depth++] = block;
    while (depth > 0 && *looked_at < MOST) {
        uint32_t at = stack[--depth];
        const struct ptx_table *table = branch_table(function, &function->insts[function->blocks[at].last]);
        uint32_t count = successors_of(function, at, successors);
        *looked_at += 1 + count + (table ? table->count : 0);
        for (uint32_t k = 0; k < count + (table ? table->count : 0); k++) {
            uint32_t to = k < count ? successors[k] : function->block_of[table->targets[k - count]];
            if (!ptx_loop_has(function, loop, to)) {
                uint32_t outer = loop_kept(function, loop, to);
                if (some && outer != kept)
                    return true;
                some = true;
                kept = outer;
            } else if (seen[to] != block + 1 && to != function->blocks[block].meet &&
                       to != function->loops[loop].header) {
                seen[to] = block + 1;
                stack[depth++] = to;
            }
        }
    }
    return false;
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

// Of a loop that lanes leave by several ways, ptxas lets those meet that leave it at its end, whoever goes elsewhere.
static void meet_behind(struct ptx_function *function, uint32_t loop)
{
    struct ptx_loop *l = &function->loops[loop];
    uint32_t successors[2], count = l->latch != NONE ? successors_of(function, l->latch, successors) : 0;
    for (uint32_t k = 0; k < count && count == 2; k++)
        if (!ptx_loop_has(function, loop, successors[k]) && successors[k] != l->meet)
            l->follow = successors[k];
    for (uint32_t i = 0; i < function->block_count && l->follow != NONE; i++) {
        count = ptx_loop_has(function, loop, i) ? successors_of(function, i, successors) : 0;
        for (uint32_t k = 0; k < count && count == 2; k++)
            if (successors[k] == l->follow && ptx_loop_has(function, loop, successors[!k]))
                function->blocks[i].meet = l->follow;
    }
}

// ---- before the end

// Whether lanes do nothing there but end.
static bool is_end(const struct ptx_function *function, uint32_t block)
{
    const struct ptx_inst *inst = block == NONE ? NULL : &function->insts[function->blocks[block].first];
    return !inst || ((inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT) && inst->guard < 0);
}

struct reached {
    uint32_t *stack;
    unsigned char *marks; // by node of the graph: bits
    uint32_t count;       // nodes that were looked at
};

static void mark_from(const struct graph *graph, uint32_t node, unsigned bit, struct reached *reached)
{
    uint32_t depth = 0;
    reached->marks[node] |= (unsigned char)bit;
    reached->stack[depth++] = node;
    while (depth > 0) {
        uint32_t at = reached->stack[--depth];
        reached->count++;
        for (uint32_t k = graph->to_start[at]; k < graph->to_start[at + 1]; k++) {
            uint32_t to = graph->to[k];
            if (!(reached->marks[to] & bit))
                reached->stack[depth++] = to;
            reached->marks[to] |= (unsigned char)bit;
        }
    }
}

enum { BY_FIRST = 1, BY_SECOND = 2, BY_BOTH = 3, TO_BOTH = 4 }; // TO_BOTH: from there a node that both reach is reached

static void mark_back(const struct graph *graph, struct reached *reached)
{
    uint32_t depth = 0;
    for (uint32_t i = 1; i < graph->nodes; i++)
        if ((reached->marks[i] & BY_BOTH) == BY_BOTH) {
            reached->marks[i] |= TO_BOTH;
            reached->stack[depth++] = i;
        }
    while (depth > 0) {
        uint32_t at = reached->stack[--depth];
        for (uint32_t k = graph->from_start[at]; k < graph->from_start[at + 1]; k++) {
            uint32_t from = graph->from[k];
            if ((reached->marks[from] & BY_BOTH) && !(reached->marks[from] & TO_BOTH)) {
                reached->marks[from] |= TO_BOTH;
                reached->stack[depth++] = from;
            }
        }
    }
}

// The part of a function that lies behind a branch, without what leads to nothing but an end. Node 0: any end.
struct behind {
    const struct graph *forward;
    const unsigned char *marks;
    uint32_t branch; // node
};

static void each_edge_behind(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct behind *behind = context;
    const struct graph *forward = behind->forward;
    for (uint32_t i = 1; i < forward->nodes; i++) {
        bool ends = (behind->marks[i] & BY_BOTH) == BY_BOTH;
        if (!(behind->marks[i] & TO_BOTH) && i != behind->branch)
            continue;
        for (uint32_t k = forward->to_start[i]; k < forward->to_start[i + 1]; k++) {
            bool stays = behind->marks[forward->to[k]] & TO_BOTH;
            ends = ends && !stays;
            if (stays)
                add(graph, forward->to[k], i);
        }
        if (ends)
            add(graph, 0, i);
    }
}

// Lanes that return early would keep all others apart to the function's end. On a GPU they just end, wherever they are:
// the others meet where both ways of a branch first come together.
static uint32_t meet_before_end(const struct ptx_function *function, const struct graph *forward, uint32_t block,
                                struct reached *reached)
{
    uint32_t node = block + 1, first = forward->to_start[node], meet = NONE;
    bool some = false;
    if (forward->to_start[node + 1] - first != 2 || forward->to[first] == forward->to[first + 1])
        return NONE;
    memset(reached->marks, 0, forward->nodes);
    mark_from(forward, forward->to[first], BY_FIRST, reached);
    mark_from(forward, forward->to[first + 1], BY_SECOND, reached);
    for (uint32_t i = 1; i < forward->nodes; i++) {
        if (is_end(function, i - 1))
            reached->marks[i] = 0;
        some |= (reached->marks[i] & BY_BOTH) == BY_BOTH;
    }
    if (!some)
        return NONE;
    mark_back(forward, reached);
    struct behind behind = {.forward = forward, .marks = reached->marks, .branch = node};
    struct graph graph;
    graph_build(&graph, forward->nodes, each_edge_behind, &behind);
    uint32_t *dominator = dominators_of(&graph, NULL);
    if (dominator[node] != NONE && dominator[node] != 0 && dominator[node] != node)
        meet = dominator[node] - 1;
    free(dominator);
    graph_free(&graph);
    return meet;
}

static void meet_before_ends(struct ptx_function *function)
{
    enum { MOST = 1 << 23 }; // nodes that are looked at
    struct graph graph;
    graph_build(&graph, function->block_count + 1, each_forward_edge, function);
    struct reached reached = {.stack = mem_alloc(graph.nodes * sizeof *reached.stack), .marks = mem_alloc(graph.nodes)};
    bool some = false, *apart = mem_alloc(function->block_count * sizeof *apart);
    for (uint32_t i = 0; i < function->block_count && reached.count < MOST; i++) {
        struct ptx_block *block = &function->blocks[i];
        bool is_branch = graph.to_start[i + 2] - graph.to_start[i + 1] == 2;
        uint32_t meet =
            is_branch && is_end(function, block->meet) ? meet_before_end(function, &graph, i, &reached) : NONE;
        reached.count += function->block_count;
        apart[i] = is_branch && is_end(function, block->meet) && meet == NONE;
        some |= meet != NONE;
        block->meet = meet != NONE ? meet : block->meet;
    }
    for (uint32_t i = 0; some && i < function->block_count; i++)
        if (apart[i])
            function->blocks[i].meet = NONE;
    for (uint32_t i = 0; i < function->loop_count; i++)
        if (is_end(function, function->loops[i].meet))
            function->loops[i].meet = NONE;
    free(apart);
    free(reached.stack);
    free(reached.marks);
    graph_free(&graph);
}

static void find_meeting_places(struct ptx_function *function)
{
    enum { MOST = 1 << 24 }; // blocks times loops
    uint32_t *node = mem_alloc((function->block_count + 1) * sizeof *node);
    for (uint32_t i = 0; i < function->block_count; i++)
        function->blocks[i].meet = function->blocks[i].post_dominator;
    for (uint32_t i = 0; i < function->loop_count; i++) {
        uint32_t at = function->loops[i].header;
        while (at != NONE && ptx_loop_has(function, i, at))
            at = function->blocks[at].post_dominator;
        function->loops[i].meet = at;
    }
    bool is_small = (uint64_t)function->loop_count * function->block_count <= MOST;
    for (uint32_t loop = 0; is_small && loop < function->loop_count; loop++)
        meet_within(function, loop, node);
    for (uint32_t loop = 0; is_small && loop < function->loop_count; loop++)
        meet_behind(function, loop);
    // Only loops in loops can be left for different depths.
    uint64_t looked_at = 0;
    uint32_t *stack = mem_alloc((function->block_count + 1) * sizeof *stack);
    memset(node, 0, (function->block_count + 1) * sizeof *node);
    for (uint32_t i = 0; is_small && i < function->block_count; i++) {
        uint32_t loop = function->blocks[i].loop, meet = function->blocks[i].meet;
        bool is_inner = loop != NONE && function->loops[loop].parent != NONE && meet != NONE;
        if (is_inner && meet != function->blocks[i].post_dominator && ptx_loop_has(function, loop, meet) &&
            leaves_mixed(function, loop, i, node, stack, &looked_at))
            function->blocks[i].meet =
                function->loops[loop].follow != NONE ? function->loops[loop].follow : function->loops[loop].meet;
    }
    free(stack);
    meet_before_ends(function);
    free(node);
}

void ptx_cfg_build(struct ptx_function *function, struct arena *arena)
{
    function->block_count = function->loop_count = 0; // it may have been built before
    find_blocks(function, arena);
    find_successors(function);
    find_post_dominators(function);
    find_loops(function, arena);
    find_meeting_places(function);
}
