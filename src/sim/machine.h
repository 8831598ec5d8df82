// The machine's insides, shared by the files of src/sim that decode and execute.
//
// A PTX instruction becomes one struct op: a handler and operand slots. A slot is a byte offset from one of a few
// bases; every register, immediate and special register is an array over the 32 lanes, so that handlers have one
// form of operand. 8-, 16- and 32-bit registers live in u32[32] (high bits zero), 64-bit ones in u64[32], 128-bit ones
// in two of those, predicates are one u32 lane mask.
//
// A warp's live lanes are spread over fragments: lanes that stand at one place. Where lanes part, a join remembers
// the immediate post-dominator and waits there for all of them.
#ifndef BANKSHOT_SIM_MACHINE_H
#define BANKSHOT_SIM_MACHINE_H

#include <string.h>

#include "base/memory.h"
#include "sim/sim.h"

enum slot_base { BASE_R32, BASE_R64, BASE_PRED, BASE_POOL, BASE_WARP, BASE_COUNT = 8 };
enum { SLOT_SHIFT = 29, SLOT_MASK = (1 << SLOT_SHIFT) - 1, R32_BYTES = 128, R64_BYTES = 256 };

struct op;
struct exec;
// Executes op for the lanes of mask (never 0) and answers the next op; NULL: the fragment stops here, see exec.c.
typedef const struct op *op_run(struct exec *x, const struct op *op, uint32_t mask);
typedef uint64_t scalar_run(const struct op *op, const uint64_t *v);

struct op {
    op_run *run;
    uint32_t guard, guard_flip;          // lanes = active & (predicate ^ flip)
    uint32_t slot[6];                    // [0] destination, then the sources
    const uint32_t *list;                // elements of a vector operand
    union {
        int64_t offset;                  // of an address
        uint64_t imm;
        const struct op *target;         // bra
        uint32_t vote[2];
    };
    union {
        const struct op *join;           // bra: where the paths meet again; NULL = nowhere
        scalar_run *scalar;              // see sim_run_scalar
        op_run *inner;                   // see sim_run_rounded
        const struct call_site *call;
        const struct matrix_shape *matrix;
        const struct op *const *targets; // brx.idx
    };
    uint8_t wide, preds;                 // bit k: slot[k] is 64 bits wide, is a predicate
    uint8_t sources;                     // number of sources of a scalar op
    uint8_t space, kind, order, scope;   // enum ptx_space, sim_access_kind, sim_order, sim_scope
    uint8_t width, count;                // bytes of an element, elements
    uint8_t type, type2;                 // enum ptx_type: destination (or the only one), source
    uint8_t rounding;                    // enum round_mode (float16.h)
    uint8_t action;                      // enum atom_action, and other small choices
    uint16_t flags;
    uint32_t extra;
};

enum op_flag {
    OP_FTZ = 1, OP_SAT = 2, OP_SIGNED = 4, OP_CLEAR = 8, OP_CARRY_IN = 16, OP_CARRY_OUT = 32, OP_ADDRESS64 = 64,
    OP_VOLATILE = 128, OP_ALIGNED = 256, OP_NAN = 512, OP_RELU = 1024, OP_ABS = 2048, OP_MEMORY = 4096,
    OP_POLL = 8192, OP_WARP_SYNC = 16384
};

// ---- program

struct function {
    const struct ptx_function *source;
    uint32_t first_pc;
    uint32_t size32, size64, size_pred;  // bytes of its register window
    uint32_t *slots;                     // of each PTX register
    uint32_t local_slot;                 // 64-bit register that holds the frame's address in local memory
    // Byte offsets in the frame's local memory: [results][parameters][call parameters][.local variables]
    uint32_t params_at, call_params_at, locals_at, frame_size;
    uint32_t *local_offsets;             // of each .local variable, by its index; from the frame's start
    uint32_t results_at;
};

struct call_value {        // one argument or result on its way between caller and callee
    uint32_t offset, size; // in the callee's block
    bool in_memory;        // from the caller's .param variable at `at` in its frame; else slot
    uint32_t at, slot;
    bool wide, pred;
};
enum builtin { BUILTIN_NONE, BUILTIN_VPRINTF, BUILTIN_ASSERTFAIL, BUILTIN_MALLOC, BUILTIN_FREE };
struct call_site {
    const struct function *callee;       // NULL: through a register (slot[1])
    enum builtin builtin;
    struct call_value *arguments, *results;
    uint32_t argument_count, result_count;
};

struct special_use {
    enum ptx_special special;
    uint8_t element;
    bool wide;
    uint32_t offset;       // in the warp's area
};

// Where the entry's loads and stores outside the block may lead (order.c): a bit for each 8 bytes of the parameters, for
// each .global variable, and for what is not known.
struct block_order {
    uint64_t loads, stores;
    bool always;                         // blocks have to run in order whatever the parameters are
    struct sim_allocation *variables[16];
    uint32_t variable_count;
};

struct sim_program {
    const struct ptx_module *module;
    const struct ptx_function *entry;
    struct sim_memory *memory;
    struct arena *arena;
    struct ptx_shared_layout shared;
    struct function **functions;         // [0] is the entry
    uint32_t function_count;
    struct op *ops;
    uint32_t op_count;
    unsigned char *pool;                 // constants, each broadcast over the lanes
    size_t pool_size, pool_capacity;
    uint32_t *pool_index;                // hash table of constants
    size_t pool_index_size, pool_constants;
    struct special_use *specials;
    size_t special_count, special_capacity;
    uint32_t warp_area;                  // bytes of a warp's own area: carry, scratch, special registers
    bool ordered;                        // an instruction makes the order of blocks show: one host thread
    struct block_order order;
    struct sim_allocation **globals;     // by module variable index
    struct sim_allocation **function_globals; // by declaration order
    uint32_t function_global_count;
};

enum { WARP_SINK = 0, WARP_CARRY = 2 * R64_BYTES, WARP_SPECIALS = WARP_CARRY + R32_BYTES };   // offsets in its area
enum { FUNCTION_HANDLE = 0x7f000000 };   // a function's address: this + 16 * its number in the program

// ---- warps

struct frame {
    struct frame *caller;                // also links the free ones
    const struct function *function;
    uint32_t base32, base64, base_pred;  // byte offsets of its register window
    uint32_t local;                      // its first byte of local memory
    uint32_t top;                        // first free byte of local memory behind it (alloca moves it)
    uint32_t depth;
    const struct op *call;
};

struct join {
    struct join *parent;                 // also links the free ones
    const struct op *op;
    struct frame *frame;                 // the frame that goes on at op
    struct frame *callee;                // freed with the join
    uint32_t expected, arrived;          // lanes; arrived is part of expected
};

enum fragment_state { FRAGMENT_READY, FRAGMENT_AT_BARRIER, FRAGMENT_AT_WARP_SYNC };

struct fragment {
    const struct op *op;                 // next to execute (at a barrier: the one after it)
    uint32_t mask;
    enum fragment_state state;
    struct join *join;
    struct frame *frame;
    uint32_t members;                    // AT_WARP_SYNC: lanes that it waits for
    uint32_t forced;                     // the wait was given up: execute with these lanes
    const struct op *barrier;            // AT_BARRIER
    uint32_t barrier_id;
};

struct copy {              // a warp's cp.async on its way
    uint32_t mask, bytes;
    uint32_t group[SIM_LANES], target[SIM_LANES];
    unsigned char data[SIM_LANES][16];
};

enum { WARP_POLLS = 8 };
struct poll {              // what an instruction that looks at others' work saw last
    const struct op *op;
    uint64_t hash;
};

struct warp {
    uint32_t number, lanes, live;        // lanes: those that exist; live: those that have not ended
    uint32_t first_thread;
    struct fragment fragments[SIM_LANES];
    uint32_t fragment_count, turn;
    struct join **joins;
    size_t join_count, join_capacity;
    struct join *free_joins;
    struct frame *free_frames;
    struct frame root;
    unsigned char *r32, *r64, *pred;
    size_t r32_size, r64_size, pred_size;
    unsigned char *area;                 // carry, sink and special registers
    bool specials_filled;
    unsigned char *local;                // lane l's bytes at local + l * local_stride
    size_t local_stride;
    uint64_t step;
    struct poll poll[WARP_POLLS];
    uint32_t polls;                      // equal answers in a row
    uint64_t parked_since;               // step at which a lane last joined or parted
    const struct op *last_op;
    struct copy **copies;
    size_t copy_count, copy_capacity;
    uint32_t committed[SIM_LANES];
    uint32_t exit_pc;
    uint32_t cluster_phase[SIM_LANES];   // the cluster barrier's phase at which each lane arrived
};

struct barrier {
    uint32_t arrived, expected;          // threads; expected 0: every thread of the block
    uint32_t asked, count;               // bar.red: threads that gave a predicate; a true one
    uint32_t seen[SIM_MAX_WARPS];        // lanes that arrived, waiting or not
    uint32_t spread;                     // warps that arrived at more than one place
    const struct op *place[SIM_MAX_WARPS], *other[SIM_MAX_WARPS];
};

struct place {             // where lanes' addresses of one warp instruction lead to
    enum ptx_space space;
    unsigned char *data;   // host address of byte 0
    uint64_t start, size;  // device address of byte 0; bytes
    unsigned char *valid;
    bool read_only;
    size_t lane_stride;    // local memory: distance of two lanes' bytes
};
struct bulk_copy {         // cp.async.bulk on its way
    struct bulk_copy *next;
    uint64_t mbarrier;     // shared address that is told, or UINT64_MAX: a bulk group
    uint32_t warp, lane, group;
    unsigned char *target;
    const unsigned char *source;
    uint32_t bytes;
    struct place place;    // of the target, and its offset there
    uint64_t offset;
    uint8_t reduce, type;  // cp.reduce: enum atom_action + 1
};

struct block {
    struct sim_block view;
    uint32_t index[3];
    uint32_t warp_count, threads, exited;
    struct warp *warps;
    unsigned char *shared, *shared_valid;
    struct barrier barriers[SIM_BARRIERS];
    uint32_t barriers_used;              // bit i: somebody has arrived at barrier i
    uint64_t steps;                      // warp instructions so far
    uint32_t turn;                       // warp that runs
    uint64_t random;
    uint32_t idle_rounds, stale;         // rounds of the warps in which all that ran was polling
    uint32_t cluster_arrived, cluster_phase;
    struct bulk_copy *bulk;
    uint32_t bulk_groups[SIM_MAX_WARPS][SIM_LANES];
    const struct op *spinning;           // the last op that looked at memory others may change
};

// ---- executor

struct watcher {
    const struct sim_observer *observer;
    void *state;
};

struct exec {              // one for each host thread
    unsigned char *base[BASE_COUNT];
    uint32_t active;       // lanes of the fragment
    uint32_t idle;         // lanes that have ended or never were: what their registers hold is nobody's concern
    const struct op *join_op;
    uint64_t step, step_end;
    struct sim_count *counts;
    const struct op *ops;
    unsigned wants;
    struct fragment *fragment;
    struct warp *warp;
    struct block *block;
    const struct sim_program *program;
    const struct sim_launch *launch;
    struct sim_memory *memory;
    bool parallel;         // blocks run at the same time: global memory needs real atomics
    bool yield;            // give way to other warps and blocks
    enum status status;    // not OK: the block ends
    struct diagnostic *diagnostic;
    struct sim_result *result;
    struct watcher *watchers;
    size_t watcher_count;
    uint64_t heap;         // bytes that malloc gave
    uint64_t bulk_count;   // bulk copies on their way
    bool has_access;       // for SIM_WANT_STEP: the instruction's first access
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

static inline uint32_t lane_first(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

#define FOR_LANES(lane, mask)                                                                                          \
    for (uint32_t lane##_left = (mask), lane; lane##_left && (lane = lane_first(lane##_left), true);                    \
         lane##_left &= lane##_left - 1)

static inline uint64_t slot_get(const struct exec *x, const struct op *op, uint32_t k, uint32_t lane)
{
    const void *at = slot_at(x, op->slot[k]);
    if (op->preds >> k & 1)
        return *(const uint32_t *)at >> lane & 1;
    return op->wide >> k & 1 ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
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
    else if (op->wide >> k & 1)
        ((uint64_t *)at)[lane] = value;
    else
        ((uint32_t *)at)[lane] = (uint32_t)value;
}

// handlers that are written as a loop over the lanes (lanes_body.h), built for the plain and the AVX2 instruction set
enum lane_op {
#define K(name) LANE_##name,
#include "sim/lanes.def"
#undef K
    LANE_COUNT
};
extern op_run *const sim_lanes_plain[LANE_COUNT];
extern op_run *const sim_lanes_avx2[LANE_COUNT];
extern const bool sim_lanes_have_avx2;
op_run *const *sim_lanes(void);          // what this processor can run

// exec.c
op_run sim_run_bra, sim_run_ret, sim_run_exit, sim_run_brx, sim_run_call;
// Runs a warp until it waits, yields or ends, or has made so many steps.
void sim_warp_run(struct exec *x, struct warp *warp, uint64_t steps);
void sim_warp_begin(struct exec *x, struct block *block, uint32_t number);
void sim_warp_free(struct warp *warp);
bool sim_warp_ready(const struct warp *warp);
bool sim_warp_spins(const struct warp *warp);               // all that it saw lately was the same again
void sim_fragment_enter(struct exec *x, struct fragment *fragment);
bool sim_warp_release(struct exec *x, struct warp *warp);   // lanes parked at joins go on alone; false: there are none
bool sim_warp_force(struct exec *x, struct warp *warp);     // warp-wide waits are given up; false: there are none
// A .sync instruction: true when every live lane of members is here (or the wait was given up) and op may execute
// for *mask; false when the fragment has to wait: return NULL then.
bool sim_warp_sync(struct exec *x, const struct op *op, uint32_t *mask, const uint32_t *members);
op_run sim_run_scalar, sim_run_rounded;
// Tells that op looked at memory others may change: true when it has seen the same so often that the warp should give
// way; then return sim_yield(x, next op).
bool sim_poll(struct exec *x, const struct op *op, uint32_t mask, const uint64_t *addresses, const uint64_t *values);
const struct op *sim_yield(struct exec *x, const struct op *next);
bool sim_local_grow(struct warp *warp, size_t bytes);       // local memory of each lane
bool sim_stack_fits(const struct exec *x, uint64_t top);

// barriers.c
void sim_barrier_exit(struct exec *x, uint32_t lanes);
bool sim_barrier_stalled(struct exec *x);                   // reports a deadlock: false if there is none

// order.c
void sim_order_find(struct sim_program *program);
bool sim_order_matters(const struct sim_launch *launch);    // blocks must run one after another

// faults.c
const struct op *sim_fault(struct exec *x, const struct op *op, uint32_t lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const struct op *sim_fault_address(struct exec *x, const struct op *op, uint32_t lane, enum ptx_space space,
                                   uint64_t address, uint32_t bytes, bool writes);
void sim_thread_index(const struct exec *x, const struct warp *warp, uint32_t lane, uint32_t thread[3]);
void sim_place_of(const struct exec *x, const struct op *op, const char **file, uint32_t *line);
// Fills the diagnostic as a fault of a whole block, at op.
enum status sim_block_fault(struct exec *x, enum status status, const struct op *op, const struct warp *warp,
                            uint32_t lane, const char *format, ...) __attribute__((format(printf, 6, 7)));

// observe.c
void sim_watch_access(struct exec *x, const struct op *op, struct sim_access *access);
void sim_watch_sync(struct exec *x, const struct op *op, struct sim_sync *sync);
void sim_watch_notice(struct exec *x, const struct op *op, struct sim_notice *notice);
void sim_watch_skip(struct exec *x, const struct op *op);   // a memory instruction with every lane predicated off
void sim_watch_step(struct exec *x, const struct op *op, uint32_t active, uint32_t mask);

// ops_memory.c
enum { REGION_SHIFT = 36, REGION_SHARED = 1, REGION_LOCAL = 2, REGION_PARAM = 3, REGION_FIRST = 16 };
struct sim_allocation *sim_memory_region(const struct sim_memory *memory, uint64_t region);
// keep: its bytes live on until the memory goes (copies on their way may still touch them).
void sim_memory_drop(struct sim_memory *memory, struct sim_allocation *allocation, bool keep);

// Fills place for an address (window-relative, unless generic); false: there is nothing.
bool sim_place_find(struct exec *x, enum ptx_space space, uint64_t address, struct place *place);
// Host pointer of bytes at address for one lane, or NULL after a fault.
unsigned char *sim_place_lane(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place);
// The same for a span of any length, aligned to 16 bytes.
unsigned char *sim_place_span(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place);
enum atom_action {
    ATOM_ADD, ATOM_INC, ATOM_DEC, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH, ATOM_CAS
};
// What op->action makes of old and b; flushes: subnormals of binary32, as global memory does.
uint64_t sim_atom_apply(const struct op *op, bool flushes, uint64_t old, uint64_t b, uint64_t c);
void sim_addresses(struct exec *x, const struct op *op, uint32_t slot, uint64_t addresses[SIM_LANES]);
op_run sim_load_slow, sim_store_slow;
void sim_valid_set(struct exec *x, const struct place *place, uint64_t at, uint64_t bytes);
bool sim_valid_get(const struct place *place, uint64_t at, uint64_t bytes);

// ops_async.c
void sim_copies_land(struct exec *x, struct warp *warp, uint32_t lane, uint32_t keep, bool all);
void sim_bulk_land_exit(struct exec *x, uint32_t lanes);
void sim_block_async_reset(struct block *block);

// builtins.c
const struct op *sim_call_builtin(struct exec *x, const struct op *op, const struct call_site *site, uint32_t mask);
enum builtin sim_builtin(const char *name);

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;   // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
