// Graphs, their dominators, and the tree of these; where a function's blocks lead.
//
// T. Lengauer, R. Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), the simple version:
// O(edges * log(nodes)), whatever the text makes of the graph.
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE UINT32_MAX

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

void graph_build(struct graph *graph, uint32_t nodes, graph_edges *each, const void *context)
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

void graph_free(struct graph *graph)
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

uint32_t *dominators_of(const struct graph *graph, uint32_t *number)
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

uint32_t *number_tree(const struct graph *graph, const uint32_t *dominator, const uint32_t *number)
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

// ---- the blocks of a function

static bool is_noreturn_call(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *callee = &function->operands[inst->operands + 1];
    return inst->op == PTX_OP_CALL && callee->kind == PTX_OPERAND_FUNCTION && callee->value.function->is_noreturn;
}

const struct ptx_table *ptx_branch_table(const struct ptx_function *function, const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_BRX_IDX ? function->operands[inst->operands + 1].value.table : NULL;
}

bool ptx_inst_ends(const struct ptx_function *function, const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT || inst->op == PTX_OP_TRAP ||
           is_noreturn_call(function, inst);
}

uint32_t ptx_way_out(const struct ptx_function *function, uint32_t block, uint32_t way)
{
    const struct ptx_block *from = &function->blocks[block];
    const struct ptx_inst *inst = &function->insts[from->last];
    const struct ptx_table *table = ptx_branch_table(function, inst);
    if (!table)
        return way < from->successor_count ? from->successors[way] : NONE;
    bool goes_on = inst->guard >= 0 && block + 1 < function->block_count;
    if (goes_on && way == 0)
        return block + 1;
    way -= goes_on;
    return way < table->count ? function->block_of[table->targets[way]] : NONE;
}

bool ptx_block_ends(const struct ptx_function *function, uint32_t block)
{
    return ptx_inst_ends(function, &function->insts[function->blocks[block].last]);
}

void ptx_edges_forward(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t))
{
    const struct ptx_function *function = context;
    add(graph, 0, 1);
    for (uint32_t i = 0; i < function->block_count; i++)
        for (uint32_t k = 0, to; (to = ptx_way_out(function, i, k)) != NONE; k++)
            add(graph, i + 1, to + 1);
}

bool ptx_loop_has(const struct ptx_function *function, uint32_t loop, uint32_t block)
{
    uint32_t own = function->blocks[block].loop;
    return own != NONE && function->loops[own].first >= function->loops[loop].first &&
           function->loops[own].first <= function->loops[loop].last;
}
