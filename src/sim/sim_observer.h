// What a launch tells those who watch it: accesses to memory, synchronisation, mistakes that do not stop it, steps.
//
// An observer says what it wants; the launch (sim.h) tells it of each block in the order of execution, except for what
// may come late with SIM_TAKES_RUNS. What a callback is given belongs to the machine: a sim_block holds until
// block_end, all else until the callback returns, so copy what must stay. No callback can fail a launch. Sizes are in
// bytes, masks have bit l for lane l of the warp, and "pc" numbers the program's instructions as sim_program_inst does.
#ifndef BANKSHOT_SIM_SIM_OBSERVER_H
#define BANKSHOT_SIM_SIM_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/ptx_inst.h"

enum { SIM_LANES = 32 };

struct lane_shape; // shape.h

enum sim_access_kind {
    SIM_LOAD,
    SIM_STORE,
    SIM_ATOMIC,     // returns the old value
    SIM_REDUCE,     // does not
    SIM_ASYNC_COPY, // cp.async: addresses = shared side, sources = global side
    SIM_MATRIX_LOAD,
    SIM_MATRIX_STORE, // ldmatrix, stmatrix: addresses = the row addresses (8, 16 or 32 of them)
    SIM_BULK_COPY     // cp.async.bulk: one lane; of a tensor map: one row of the box after the other
};

enum sim_order { SIM_WEAK, SIM_VOLATILE, SIM_RELAXED, SIM_ACQUIRE, SIM_RELEASE, SIM_ACQ_REL };
enum sim_scope { SIM_SCOPE_CTA, SIM_SCOPE_CLUSTER, SIM_SCOPE_GPU, SIM_SCOPE_SYSTEM };

struct sim_block {
    uint32_t index[3]; // blockIdx
    uint64_t linear;   // x fastest
    uint64_t cluster;  // of the launch, by number; and the block's rank among its blocks
    uint32_t rank, cluster_size;
    uint32_t threads, warps;
    const uint32_t *shape; // blockDim: 3
    const uint32_t *grid;  // gridDim: 3
    unsigned char *shared; // its shared memory; only passage.h gives reads other data
    uint32_t shared_size;
};

// Walks through the lanes of a mask, lowest first.
static inline uint32_t lane_first(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}
#define FOR_LANES(lane, mask)                                                                                          \
    for (uint32_t lane##_left = (mask), lane; lane##_left && (lane = lane_first(lane##_left), true);                   \
         lane##_left &= lane##_left - 1)

// Shared addresses of the block of rank r, for the others of its cluster: from (r + 1) << SIM_RANK_SHIFT on.
enum { SIM_RANK_SHIFT = 24, SIM_CLUSTER_BLOCKS = 8 };

// One warp instruction's access to memory. Delivered before memory changes, and before it is read: an observer may put
// there what is to be read. Addresses are space-relative for
// shared and local memory, device addresses for global and const. Only lanes in mask are defined.
struct sim_access {
    const struct sim_block *block;
    uint32_t warp; // in the block
    uint32_t pc;
    uint64_t step; // warp instructions this warp executed before this one
    uint32_t mask; // lanes that access (guard true); 0: executed with every lane predicated off
    enum sim_access_kind kind;
    enum ptx_space space; // SHARED, SHARED_CLUSTER (of another block), GLOBAL, LOCAL, CONST (generic addresses are
                          // resolved; a warp whose lanes meet several of them gives one access for each)
    enum sim_order order;
    enum sim_scope scope;
    uint32_t bytes;                 // per lane, whole vector; BULK_COPY: the size; matrices: 16
    const uint64_t *addresses;      // [32]; NULL only for SIM_TAKES_SHAPES: see sim_access_spread
    const struct lane_shape *shape; // of addresses (shape.h); NULL: mask is 0, or it has none
    uint64_t first;                 // address of the lowest lane of mask
    uint64_t times;                 // 1; more for SIM_TAKES_RUNS
    const uint64_t *sources;        // [32] ASYNC_COPY, BULK_COPY: the other side (global)
    enum ptx_space source_space;
    const struct lane_shape *source_shape; // of sources and source_mask
    uint32_t source_mask;                  // lanes that read the other side; the others of mask write zeros (zero fill)
    uint32_t source_bytes; // of those: ASYNC_COPY with zero fill: bytes really read (max over lanes), else = bytes
    uint64_t
        mbarrier;   // BULK_COPY: shared address of the mbarrier whose phase it ends, by parity in `phase`; UINT64_MAX:
    uint32_t phase; // the thread's group of this number
    bool combines;  // BULK_COPY: cp.reduce, what is there stays a part of it
    bool is_part;   // BULK_COPY: a further row of the copy that the last access of the instruction belongs to
    const uint64_t *mbarriers; // [32] st.async, red.async: shared address of the mbarrier at which the lane's bytes
    uint32_t parities;         // arrive, and, by lane, the parity of the phase that they come in; else NULL
    // STORE: lane l's bytes at values + l * value_stride. BULK_COPY to global memory, but for reductions: as they are
    // when it starts. Else NULL.
    const unsigned char *values;
    uint32_t value_stride;
};

static inline bool sim_is_copy(enum sim_access_kind kind)
{
    return kind == SIM_ASYNC_COPY || kind == SIM_BULK_COPY;
}
// The side that a copy reads, as the load that it is. False: it reads nothing.
bool sim_access_source(const struct sim_access *access, struct sim_access *source);

enum sim_sync_kind {
    SIM_SYNC_ARRIVE,        // a warp's lanes arrive at barrier `id` (waits: and wait there)
    SIM_SYNC_COMPLETE,      // barrier `id` opened: everything before the arrivals is visible to those who waited
    SIM_SYNC_WARP,          // bar.warp.sync of mask completed; lanes that have ended may be named in it
    SIM_SYNC_FENCE,         // membar / fence
    SIM_SYNC_ASYNC_COMMIT,  // cp.async.commit_group
    SIM_SYNC_ASYNC_WAIT,    // cp.async.wait_group N (count = N; wait_all: count = 0, all: uncommitted copies too)
    SIM_SYNC_MBARRIER_INIT, // or inval
    SIM_SYNC_MBARRIER_ARRIVE,
    SIM_SYNC_MBARRIER_EXPECT, // expect_tx without an arrival
    SIM_SYNC_MBARRIER_WAIT,   // address; WAIT only when it succeeded,
    SIM_SYNC_MBARRIER_ASK,    // and this when it did not
    SIM_SYNC_ASYNC_MBARRIER,  // cp.async.mbarrier.arrive: the lane's copies so far arrive at address when done
    SIM_SYNC_STORE_ARRIVE,    // what the lane stores asynchronously arrives at an mbarrier of its own block
    SIM_SYNC_PEER_ARRIVE,     // a thread, or what it stored asynchronously, arrives at another block's mbarrier
    SIM_SYNC_PEER_COPY,       // a bulk copy of `count` bytes to `place`, and its mbarrier, both of another block
    SIM_SYNC_INIT_FENCE,  // fence.mbarrier_init: relaxed arrivals after it tell of mbarriers that the lane made before
    SIM_SYNC_PROXY_FENCE, // fence.proxy.async: what came before is seen by bulk copies and wgmma that come after
    SIM_SYNC_BULK_WAIT,   // cp.async.bulk.wait_group: the lane's groups below `count` have ended (reads: have read)
    SIM_SYNC_EXIT         // lanes of mask ended
};

// The barrier of a cluster is told as an mbarrier here, 8 bytes for each cluster of the launch.
#define SIM_CLUSTER_PLACE (UINT64_C(1) << 56)

struct sim_sync {
    const struct sim_block *block;
    uint32_t warp, pc, mask;
    uint64_t step;
    enum sim_sync_kind kind;
    uint32_t id; // barrier number
    bool waits, all, reads;
    uint32_t count;       // ARRIVE, COMPLETE: threads that the barrier is for; 0: all
    uint64_t place;       // PEER_COPY: a shared address; order and scope: of what it writes
    enum sim_order order; // ASYNC_MBARRIER: RELAXED: the copies' arrival is one more than those expected (no .noinc)
    enum sim_scope scope;
    const uint64_t *addresses; // mbarriers: shared address by lane
    uint32_t parities;         // mbarriers, by lane: of the phase that it arrives in, or that it has waited for
};

// Wrong, but not stopping: found by the executor itself.
enum sim_notice_kind {
    SIM_NOTICE_BARRIER_DIVERGED, // barrier met by part of a warp's live lanes (mask) while others are elsewhere
    SIM_NOTICE_BARRIER_UNEVEN,   // some threads never reach the barrier that the others wait at: a deadlock
    SIM_NOTICE_BARRIER_ENDED,    // threads that had ended counted as arrived; other_pc = where they ended
    SIM_NOTICE_MEMBERMASK, // a lane executes a .sync instruction whose mask lacks it, or (absent) names lanes that are
                           // elsewhere
    SIM_NOTICE_SHUFFLE_INACTIVE, // value taken from a lane that does not take part
    SIM_NOTICE_UNINITIALISED,    // loaded bytes that nobody wrote (space, address)
    SIM_NOTICE_BYTES_LATE,       // bytes came to an mbarrier whose phase had ended without them
    SIM_NOTICE_PEER_ENDED,       // arrival at an mbarrier of a block of the cluster that ended at other_pc
    SIM_NOTICE_DIVISION          // an integer is divided by 0
};
struct sim_notice {
    const struct sim_block *block;
    uint32_t warp, pc, mask, other_pc;
    enum sim_notice_kind kind;
    bool absent;
    enum ptx_space space;
    uint64_t address; // of the lowest lane of mask
};

// What one warp of a warp group does with wgmma. A product is delivered before it reads shared memory: an observer may
// put there what is to be read.
enum sim_group_kind { SIM_GROUP_FENCE, SIM_GROUP_PRODUCT, SIM_GROUP_COMMIT, SIM_GROUP_WAIT };
struct sim_group {
    const struct sim_block *block;
    uint32_t warp, pc;
    uint64_t step;
    enum sim_group_kind kind;
    uint32_t count;            // WAIT: groups that may stay under way
    const uint32_t *chunks[2]; // PRODUCT: shared addresses of the 16-byte chunks of A (none: in registers) and B …
    uint32_t counts[2];        // … that this warp's part reads, and how many
};

// One executed warp instruction, for steppers and the timing model.
struct sim_step {
    const struct sim_block *block;
    uint32_t warp, pc, active, mask; // active: lanes here; mask: those whose guard is true
    uint64_t step;
    const struct sim_access *access; // the first access it makes, or NULL
    uint32_t chosen;                 // of selp: the lanes of mask that take the first operand
    uint32_t sleep;                  // of nanosleep: the longest that a lane of mask asks for, in ns
    uint32_t values;                 // of match.any: how many different ones its lanes have
};

enum {
    SIM_WANT_ACCESS_SHARED = 1, // copies with one side there, as below
    SIM_WANT_ACCESS_GLOBAL = 2,
    SIM_WANT_ACCESS_OTHER = 4,
    SIM_WANT_SYNC = 8,
    SIM_WANT_NOTICE = 16,
    SIM_WANT_STEP = 32,
    SIM_WANT_GROUP = 256,
    SIM_TAKES_SHAPES = 64, // access may come without addresses where shape and first give them
    // Loads and stores of one instruction with one shape may come as one, late, with `times`: of block, warp, step and
    // values nothing is told then, and first is right modulo SIM_RUN_BYTES only.
    SIM_TAKES_RUNS = 128,
    SIM_RUN_BYTES = 32
};

// The access with its addresses: itself, or spread, filled.
struct sim_spread {
    struct sim_access access;
    uint64_t addresses[SIM_LANES];
};
const struct sim_access *sim_access_spread(const struct sim_access *access, struct sim_spread *spread);

// An observer. Blocks run on several host threads: each gets a state of its own from fork, and join takes them back
// one after another in a fixed order when the launch ends (even when it failed). keep is false when these blocks will
// run once more, because it showed that they must run in order: join forgets what state saw. Without fork the launch
// stays on one thread. Callbacks may be NULL. What no observer wants costs nothing.
struct sim_observer {
    unsigned wants;
    void *context;
    const unsigned char *steps; // of SIM_WANT_STEP: only the instructions whose byte, by pc, is not 0; NULL: all
    bool one_block;             // wants nothing of blocks except the one with the linear index `block`
    uint64_t block;
    bool in_order; // wants all blocks on one host thread
    void *(*fork)(void *context);
    void (*join)(void *context, void *state, bool keep);
    void (*block_begin)(void *state, const struct sim_block *block);
    void (*block_end)(void *state, const struct sim_block *block);
    void (*access)(void *state, const struct sim_access *access);
    void (*sync)(void *state, const struct sim_sync *sync);
    void (*notice)(void *state, const struct sim_notice *notice);
    void (*group)(void *state, const struct sim_group *group);
    void (*step)(void *state, const struct sim_step *step);
};

#endif
