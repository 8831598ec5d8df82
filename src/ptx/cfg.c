// Basic blocks, immediate post-dominators, loops. Post-dominators are the dominators of the reversed graph, whose root
// is a virtual exit after every way out.
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static bool ends_block(const struct ptx_function *function, const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_BRA || inst->op == PTX_OP_BRX_IDX || ptx_inst_ends(function, inst);
}

static void find_blocks(struct ptx_function *function, struct arena *arena)
{
    uint32_t count = function->inst_count;
    unsigned char *leads = mem_alloc(count + 1);
    leads[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        const struct ptx_table *table = ptx_branch_table(function, inst);
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

// Of the reversed graph: node 0 is the virtual exit, node i + 1 is block i.
static void each_edge(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct ptx_function *function = context;
    for (uint32_t i = 0; i < function->block_count; i++) {
        for (uint32_t k = 0, to; (to = ptx_way_out(function, i, k)) != NONE; k++)
            add(graph, to + 1, i + 1);
        if (ptx_block_ends(function, i))
            add(graph, 0, i + 1);
    }
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
    graph_build(&graph, function->block_count + 1, ptx_edges_forward, function);
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

void ptx_cfg_build(struct ptx_function *function, struct arena *arena)
{
    function->block_count = function->loop_count = 0; // it may have been built before
    find_blocks(function, arena);
    find_successors(function);
    find_post_dominators(function);
    find_loops(function, arena);
    ptx_find_meets(function, arena);
}
