// Graphs by node, for cfg.c and meets.c: a function's blocks, forward or reversed, or a part of them.
#ifndef BANKSHOT_PTX_GRAPH_H
#define BANKSHOT_PTX_GRAPH_H

#include "ptx/parser.h"

// Node 0 is the root. Edges in two lists by offset.
struct graph {
    uint32_t nodes, edges;
    uint32_t *from_start, *from; // of each node: where it may come from
    uint32_t *to_start, *to;     // where it leads
};

// Calls add(graph, from, to) for each edge, the same ones whenever it is called.
typedef void graph_edges(const void *context, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t));
void graph_build(struct graph *graph, uint32_t nodes, graph_edges *each, const void *context);
void graph_free(struct graph *graph);

// The immediate dominators, by node, to be freed by the caller; UINT32_MAX: none, or not reached. number: of the
// depth-first search, 0: not reached; or NULL.
uint32_t *dominators_of(const struct graph *graph, uint32_t *number);
// Numbers the tree that they make, each node before those below it, to be freed: [2 * node] is its number, [2 * node +
// 1] the last below it.
uint32_t *number_tree(const struct graph *graph, const uint32_t *dominator, const uint32_t *number);

// ---- the blocks of a function

// Of a brx.idx; NULL: it is none.
const struct ptx_table *ptx_branch_table(const struct ptx_function *function, const struct ptx_inst *inst);
// Whether lanes may end behind it: it returns, maybe for some.
bool ptx_inst_ends(const struct ptx_function *function, const struct ptx_inst *inst);

// Where a block leads: its branch's target, what follows below it, then the entries of its table. UINT32_MAX: there are
// no more than `way`.
uint32_t ptx_way_out(const struct ptx_function *function, uint32_t block, uint32_t way);
// Of its last instruction.
bool ptx_block_ends(const struct ptx_function *function, uint32_t block);
// From block to block; block i is node i + 1, and node 0 leads to the first.
void ptx_edges_forward(const void *function, struct graph *graph, void (*add)(struct graph *, uint32_t, uint32_t));

// meets.c
void ptx_find_meets(struct ptx_function *function, struct arena *arena);

#endif
