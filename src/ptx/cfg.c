// Basic blocks and immediate post-dominators.
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

// Calls add(graph, from, to) for each edge of the reversed graph: from a block's successor, or the exit, to the block.
static void each_edge(const struct ptx_function *function, struct graph *graph,
                      void (*add)(struct graph *, uint32_t, uint32_t))
{
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_block *block = &function->blocks[i];
        const struct ptx_inst *inst = &function->insts[block->last];
        const struct ptx_table *table = branch_table(function, inst);
        bool leaves = inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT || inst->op == PTX_OP_TRAP ||
                      is_noreturn_call(function, inst);
        for (uint32_t k = 0; table && k < table->count; k++)
            add(graph, function->block_of[table->targets[k]] + 1, i + 1);
        if (table && inst->guard >= 0 && i + 1 < function->block_count)
            add(graph, i + 2, i + 1);
        for (uint32_t k = 0; !table && k < block->successor_count; k++)
            add(graph, block->successors[k] + 1, i + 1);
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

static void graph_build(const struct ptx_function *function, struct graph *graph)
{
    *graph = (struct graph){.nodes = function->block_count + 1};
    graph->from_start = mem_alloc((graph->nodes + 1) * sizeof *graph->from_start);
    graph->to_start = mem_alloc((graph->nodes + 1) * sizeof *graph->to_start);
    each_edge(function, graph, count_edge);
    for (uint32_t i = 1; i <= graph->nodes; i++) {
        graph->from_start[i] += graph->from_start[i - 1];
        graph->to_start[i] += graph->to_start[i - 1];
    }
    graph->from = mem_alloc(graph->edges * sizeof *graph->from);
    graph->to = mem_alloc(graph->edges * sizeof *graph->to);
    each_edge(function, graph, put_edge);
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

static void find_post_dominators(struct ptx_function *function)
{
    struct graph graph;
    struct dominators d = {.count = 0};
    uint32_t **arrays[] = {&d.number,   &d.vertex,    &d.parent, &d.semi,        &d.label,
                           &d.ancestor, &d.dominator, &d.bucket, &d.bucket_next, &d.stack};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    graph_build(function, &graph);
    size_t size = graph.nodes + 1;
    uint32_t *memory = mem_alloc(ARRAYS * size * sizeof *memory);
    for (size_t i = 0; i < ARRAYS; i++)
        *arrays[i] = memory + i * size;
    find_dominators(&graph, &d);
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t dominator = d.number[i + 1] ? d.dominator[i + 1] : 0;
        function->blocks[i].post_dominator = dominator == 0 || dominator == NONE ? UINT32_MAX : dominator - 1;
    }
    free(memory);
    graph_free(&graph);
}

void ptx_cfg_build(struct ptx_function *function, struct arena *arena)
{
    find_blocks(function, arena);
    find_successors(function);
    find_post_dominators(function);
}
