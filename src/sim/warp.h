// The state of a run: warps and their lanes, blocks, and what a host thread executes.
//
// A warp's live lanes are spread over fragments: lanes that are at one place. Where lanes part, a join remembers
// where they meet again (ptx_block.meet) and waits there for all of them.
#ifndef BANKSHOT_SIM_WARP_H
#define BANKSHOT_SIM_WARP_H

#include "sim/op.h"
#include "sim/shape.h"
#include "sim/tensor.h"

struct frame {
    struct frame *caller; // also links the free ones
    const struct function *function;
    uint32_t base32, base64, base_pred; // byte offsets of its register window
    uint32_t local;                     // its first byte of local memory
    uint32_t top;                       // first free byte of local memory after it (alloca moves it)
    uint32_t depth;
    uint32_t used;      // of a GPU's stack, at least: by this frame and those that called it
    uint32_t allocated; // by alloca, of each lane of this frame
    bool recurs;        // how much is used nobody can tell before
    const struct op *call;
};

struct join {
    struct join *parent; // also links the free ones
    const struct op *op;
    struct frame *frame;        // the frame that goes on at op
    struct frame *callee;       // freed with the join
    uint32_t expected, arrived; // lanes; arrived is part of expected
    const struct ptx_way *way;  // whose meeting place it is; NULL: lanes that come there all pass it, or leave a loop
};

enum fragment_state { FRAGMENT_READY, FRAGMENT_AT_BARRIER, FRAGMENT_AT_WARP_SYNC };

struct fragment {
    const struct op *op; // next to execute (at a barrier: the one after it)
    uint32_t mask;
    enum fragment_state state;
    struct join *join;
    struct frame *frame;
    uint32_t members;         // AT_WARP_SYNC: lanes that it waits for,
    uint32_t passed;          // and those of them that went on elsewhere since
    uint32_t forced;          // the wait was given up: execute with these lanes
    const struct op *barrier; // AT_BARRIER
    uint32_t barrier_id;
};

struct copy {      // a warp's cp.async on its way
    uint64_t step; // of the warp
    uint32_t mask, bytes;
    uint32_t group[SIM_LANES], target[SIM_LANES];
    unsigned char data[SIM_LANES][16];
};

enum { WARP_POLLS = 16 };
struct polled { // what an instruction that looks at others' work saw last, by the first of its lanes
    const struct op *op;
    uint64_t hash;
    uint32_t lane;
};

struct warp_memory { // zero when a block begins
    struct polled poll[WARP_POLLS];
    uint32_t committed[SIM_LANES];
    uint32_t cluster_phase[SIM_LANES]; // the cluster barrier's phase at which each lane arrived
};

struct warp {
    uint32_t number, lanes, live; // lanes: those that exist; live: those that have not ended
    uint32_t first_thread;
    struct fragment fragments[SIM_LANES];
    uint32_t fragment_count, turn;
    struct join **joins;
    size_t join_count, join_capacity;
    struct join *free_joins;
    struct frame *free_frames;
    struct frame root;
    unsigned char *r32, *r64, *pred;
    unsigned char unset; // every byte that nothing was written to (UNSET_BYTE)
    size_t r32_size, r64_size, pred_size;
    unsigned char *area; // carry, sink and special registers
    bool specials_filled;
    unsigned char *local; // lane l's bytes at local + l * local_stride
    size_t local_stride;
    uint64_t step;
    uint32_t polls;        // equal answers in a row
    uint32_t registers;    // of each of its threads, since setmaxnreg; 0: as launched
    uint64_t parked_since; // step at which a lane last joined or parted
    bool is_released;      // lanes went on from a join without others
    struct warp_memory kept;
    struct copy **copies; // copy_count are on their way; those behind them, copy_made in all, can be used again
    size_t copy_count, copy_made, copy_capacity;
    uint32_t exit_pc;
};

struct barrier {
    uint32_t arrived, expected;   // threads; expected 0: every thread of the block
    const struct op *first;       // by which somebody came first
    uint32_t asked, count;        // bar.red: threads that gave a predicate; a true one
    uint32_t seen[SIM_MAX_WARPS]; // lanes that arrived, waiting or not
    uint32_t spread;              // warps that arrived at more than one place
    const struct op *place[SIM_MAX_WARPS], *other[SIM_MAX_WARPS];
};

// What the blocks of one host thread did to one allocation while others ran (overlap.c).
struct trail {
    unsigned touched; // enum touch
    uint32_t reduction;
    unsigned char *data;                     // where the allocation's bytes are
    unsigned char *read, *written;           // one bit a byte; NULL: not kept
    unsigned char *read_bits, *written_bits; // room for them
};

struct place { // where lanes' addresses of one warp instruction lead to
    enum ptx_space space;
    unsigned char *data;  // host address of byte 0
    uint64_t start, size; // device address of byte 0; bytes
    unsigned char *valid; // bits of the bytes that were written before; NULL: not tracked
    unsigned char *mark;  // where bits of what is written now are set; NULL: nowhere
    struct trail *trail;  // NULL: no other host thread comes here
    bool read_only;
    size_t lane_stride; // local memory: distance of two lanes' bytes
};
// One place that some of a warp instruction's lanes lead to.
struct group {
    struct place place;
    uint32_t mask;
    uint64_t offsets[SIM_LANES]; // into place
};

enum { CLUSTER_SHIFT = SIM_RANK_SHIFT, CLUSTER_MOST = SIM_CLUSTER_BLOCKS };
enum { RANK_MOST = 126 }; // that an address holds and that is no index below 0
struct cluster {
    struct block *blocks[CLUSTER_MOST]; // by rank; NULL: it has ended
    uint32_t size, dims[3];
    uint64_t number; // of the launch
    uint32_t ended;  // threads of blocks that have; and where such a block did
    uint32_t exit_pcs[CLUSTER_MOST];
    uint32_t arrived, phase;
};

struct tensor_copy { // by a tensor map: what its struct bulk_copy does not say
    struct tensor_map map;
    int32_t at[TENSOR_RANK]; // the box's corner
    uint64_t tile;           // shared address of its byte 0
    unsigned char *data;     // of the tensor's allocation: host address, device address, marks of what is written
    uint64_t start;
    unsigned char *mark;
    bool stores;
};

struct bulk_copy { // cp.async.bulk on its way; kept by the block that is notified
    struct bulk_copy *next;
    uint32_t arrivals;          // not 0: no copy, but these lanes' cp.async.mbarrier.arrive, of step `offset`
    uint64_t mbarrier;          // shared address that is notified, or UINT64_MAX: a bulk group
    uint32_t warp, lane, group; // group: or the phase that the mbarrier is in
    uint32_t pc;
    unsigned char *target;
    const unsigned char *source;
    uint32_t bytes;
    unsigned char *mark; // of the target's place, and its offset there
    uint64_t offset;
    uint8_t reduce, type;     // cp.reduce: enum atom_action + 1
    struct tensor_copy *tile; // by a tensor map; NULL: plain bytes
};

// A warp's strong store of which others see nothing yet, while the warp goes on (launch.c).
enum { LATE_MOST = 32 }; // bytes of a lane
struct late_store {
    const struct op *op; // NULL: none
    uint32_t mask, bytes;
    bool is_fenced; // the warp has fenced since
    uint64_t addresses[SIM_LANES];
    unsigned char values[SIM_LANES][LATE_MOST];
};

enum { RESERVED_SHARED = 1024 }; // bytes, as on sm_80 and later
struct block {
    struct sim_block view;
    uint32_t index[3];
    uint32_t warp_count, threads, exited;
    struct warp *warps;
    unsigned char *shared, *shared_valid;
    uint32_t reserved_at; // shared address of the system's RESERVED_SHARED bytes, behind the kernel's own; 0: none
    struct barrier barriers[SIM_BARRIERS];
    uint32_t barriers_used; // bit i: somebody has arrived at barrier i
    uint64_t steps;         // warp instructions so far
    uint64_t heavy;         // what products of matrices are more than that: sim_result.work
    uint32_t turn;          // warp that runs
    // Of a warp that the random schedule keeps from running: its number + 1, for how many rounds, and how often too
    // long.
    uint32_t held, held_rounds, held_long;
    struct late_store late; // its
    uint64_t random;
    uint64_t place;              // drawn: where and when it runs, as far as it can tell
    uint32_t idle_rounds, stale; // rounds of the warps in which all that ran was polling
    bool polls;                  // so it was throughout its last turn
    struct cluster *cluster;
    uint32_t rank;             // in it
    struct warp_group *groups; // of each four warps (ops_wgmma.c); NULL: no wgmma so far
    struct bulk_copy *bulk;    // that end in this block
    uint32_t bulk_groups[SIM_MAX_WARPS][SIM_LANES];
    const struct op *spinning; // the last op that looked at memory others may change
    uint64_t heap;             // bytes that malloc gave it
};

// ---- executor

struct watcher {
    const struct sim_observer *observer;
    void *state;
    unsigned wants; // of the block that runs
};

enum { SHAPE_TRIES = 64, SIM_MAX_THREADS = 64 }; // …, of the host
struct shape_hint {                              // of one instruction
    const struct lane_shape *shape, *source;     // its last access's; shape_none before
    uint32_t missed;                             // times it had another
    uint8_t space;                               // enum ptx_space of the accesses counted here
    bool counted;
    uint64_t *times; // accesses of shape not yet told to those who take runs, by first % SIM_RUN_BYTES; NULL: none ever
};

struct exec { // one for each host thread
    unsigned char *base[BASE_COUNT];
    uint32_t active; // lanes of the fragment
    uint32_t idle;   // lanes that have ended or never were: what their registers hold is nobody's concern
    const struct op *join_op;
    uint64_t step, step_end;
    uint64_t heavy; // of all blocks
    struct sim_count *counts;
    const struct op *ops;
    struct shape_hint *hints; // by pc
    struct shape_table *shapes;
    unsigned wants;      // of all observers, of the block that runs …
    unsigned each, runs; // … of those who want each access; of those who take runs
    struct fragment *fragment;
    struct warp *warp;
    struct block *block;
    struct meeting *meeting; // for those that exchange just now with the running fragment (ops_warp.c)
    const struct sim_program *program;
    const struct sim_launch *launch;
    struct sim_memory *memory;
    struct overlap *overlap; // with the other host threads; NULL: there is only this one
    struct trail *trails;    // by allocation; NULL: as above
    bool yield;              // give way to other warps and blocks
    enum status status;      // not OK: the block ends
    struct diagnostic *diagnostic;
    struct sim_result *result;
    struct watcher *watchers;
    size_t watcher_count;
    struct product *product;       // of matrices (ops_matrix.c); NULL: none was needed
    uint64_t heap;                 // bytes that malloc gave
    bool heap_ran_out;             // it gave none
    uint64_t bulk_count;           // bulk copies on their way
    const unsigned char *step_pcs; // for SIM_WANT_STEP: the only ones asked for; NULL: all
    bool has_access;               // the instruction's first access, of those
    struct sim_access access;
    uint64_t access_addresses[SIM_LANES], access_sources[SIM_LANES];
};

static inline void *slot_at(const struct exec *x, uint32_t slot)
{
    return x->base[slot >> SLOT_SHIFT] + (slot & SLOT_MASK);
}

static inline uint32_t op_pc(const struct exec *x, const struct op *op)
{
    return (uint32_t)(op - x->ops);
}

static inline bool covers_all(const struct exec *x, uint32_t mask)
{
    return (mask | x->idle) == UINT32_MAX;
}

// One lane's value of a register's slot, of 64 bits or 32.
static inline uint64_t lane_get(const void *slot, bool wide, uint32_t lane)
{
    return wide ? ((const uint64_t *)slot)[lane] : ((const uint32_t *)slot)[lane];
}

static inline void lane_put(void *slot, bool wide, uint32_t lane, uint64_t value)
{
    if (wide)
        ((uint64_t *)slot)[lane] = value;
    else
        ((uint32_t *)slot)[lane] = (uint32_t)value;
}

static inline uint64_t slot_get(const struct exec *x, const struct op *op, uint32_t k, uint32_t lane)
{
    const void *at = slot_at(x, op->slot[k]);
    return op->preds >> k & 1 ? *(const uint32_t *)at >> lane & 1 : lane_get(at, op->wide >> k & 1, lane);
}

// The lanes of mask whose value is that of the first.
static inline uint32_t lanes_alike(const uint32_t *values, uint32_t mask)
{
    uint32_t value = values[lane_first(mask)], alike = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        alike |= (uint32_t)(values[lane] == value) << lane;
    return alike & mask;
}

static inline void pred_put(void *at, uint32_t mask, uint32_t value)
{
    uint32_t *pred = at;
    *pred = (*pred & ~mask) | (value & mask);
}

static inline void slot_put(const struct exec *x, const struct op *op, uint32_t k, uint32_t lane, uint64_t value)
{
    void *at = slot_at(x, op->slot[k]);
    if (op->preds >> k & 1)
        pred_put(at, 1u << lane, (uint32_t)(value & 1) << lane);
    else
        lane_put(at, op->wide >> k & 1, lane, value);
}

#endif
