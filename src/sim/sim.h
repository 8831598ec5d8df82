// The warp machine: runs PTX kernels, 32 lanes at a time.
//
// A program is a module decoded once; it is launched as often as wanted over a memory. Execution follows sm_70 and
// later: every lane has its own program counter, lanes that diverged reconverge at the immediate post-dominator,
// lanes that wait for others of their warp (a spin lock) make progress. Results, counts and hazards depend on the
// program, its data, the schedule and the seed, never on the number of host threads.
//
// What executes is PTX as written. What ptxas would make of it (fused accesses) is applied to the counts by
// src/model. The machine itself knows nothing about banks, sectors or time: observers do.
#ifndef BANKSHOT_SIM_SIM_H
#define BANKSHOT_SIM_SIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "ptx/ptx.h"

enum { SIM_LANES = 32, SIM_MAX_WARPS = 32, SIM_BARRIERS = 16 };

// ---- memory: the device's global address space

// Allocations stand far apart (each in its own 2^36-byte region, starting at a multiple of 256), so that an address
// names its allocation and a wild index stays attributable to the buffer that it was meant for.
struct lane_shape; // shape.h
struct sim_memory;
struct sim_allocation {
    const char *name;      // for messages; owned by the memory
    uint64_t address;      // device address of the first byte
    size_t size;
    unsigned char *data;   // host view; may be read and written between launches
    unsigned char *valid;  // one bit a byte, set when written by host or device; NULL = all valid (not tracked)
    bool read_only;        // .const: device stores are refused
};

struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *memory);
// Zero-filled; track: start as "never written" so that device reads before writes are noticed.
struct sim_allocation *sim_memory_add(struct sim_memory *memory, const char *name, size_t size, bool track);
// The allocation whose region holds address (even when address lies outside its bytes), or NULL.
struct sim_allocation *sim_memory_find(const struct sim_memory *memory, uint64_t address);
// For those who have only recorded addresses: which allocation this one belongs to, counted in the order of
// sim_memory_add from 0, and how far from its first byte. False: no device address of any allocation.
bool sim_address_place(uint64_t address, uint64_t *place, int64_t *offset);
void sim_memory_mark_valid(struct sim_allocation *allocation, size_t offset, size_t size);

// ---- program

struct sim_program;
// Decodes every function that entry can reach and places the module's .global and .const variables in memory. The
// module must outlive the program. UNSUPPORTED names the opcode and line that this device cannot run; USAGE: the entry is
// only declared.
enum status sim_program_new(const struct ptx_module *module, const struct ptx_function *entry,
                            struct sim_memory *memory, struct sim_program **program, struct diagnostic *diagnostic);
void sim_program_free(struct sim_program *program);

// Instructions are numbered through the program (all its functions one after another): "pc" below.
uint32_t sim_program_size(const struct sim_program *program);
const struct ptx_inst *sim_program_inst(const struct sim_program *program, uint32_t pc,
                                        const struct ptx_function **function);
uint32_t sim_program_pc(const struct sim_program *program, const struct ptx_function *function, uint32_t inst);
const struct ptx_shared_layout *sim_program_shared(const struct sim_program *program);

// ---- what observers see

enum sim_access_kind {
    SIM_LOAD, SIM_STORE,
    SIM_ATOMIC,            // returns the old value
    SIM_REDUCE,            // does not
    SIM_ASYNC_COPY,        // cp.async: addresses = shared side, sources = global side
    SIM_MATRIX_LOAD, SIM_MATRIX_STORE,   // ldmatrix, stmatrix: addresses = the row addresses (8, 16 or 32 of them)
    SIM_BULK_COPY          // cp.async.bulk: one lane
};

enum sim_order { SIM_WEAK, SIM_VOLATILE, SIM_RELAXED, SIM_ACQUIRE, SIM_RELEASE, SIM_ACQ_REL };
enum sim_scope { SIM_SCOPE_CTA, SIM_SCOPE_CLUSTER, SIM_SCOPE_GPU, SIM_SCOPE_SYSTEM };

struct sim_block {
    uint32_t index[3];     // blockIdx
    uint64_t linear;       // x fastest
    uint32_t threads, warps;
    const uint32_t *shape; // blockDim: 3
    const unsigned char *shared;         // its shared memory
    uint32_t shared_size;
};

// One warp instruction's access to memory. Delivered before memory changes. Addresses are space-relative for
// shared and local memory, device addresses for global and const. Only lanes in mask are defined.
struct sim_access {
    const struct sim_block *block;
    uint32_t warp;         // in the block
    uint32_t pc;
    uint64_t step;         // warp instructions this warp executed before this one
    uint32_t mask;         // lanes that access (guard true); 0: executed with every lane predicated off
    enum sim_access_kind kind;
    enum ptx_space space;  // SHARED, GLOBAL, LOCAL, CONST (generic addresses are resolved; a warp whose lanes meet
                           // several spaces gives one access for each)
    enum sim_order order;
    enum sim_scope scope;
    uint32_t bytes;        // per lane, whole vector; BULK_COPY: the size; matrices: 16
    const uint64_t *addresses;           // [32]; NULL only for SIM_TAKES_SHAPES: see sim_access_spread
    const struct lane_shape *shape;      // of addresses (shape.h); NULL: mask is 0, or it has none
    uint64_t first;                      // address of the lowest lane of mask
    uint64_t times;                      // 1; more for SIM_TAKES_RUNS
    const uint64_t *sources;             // [32] ASYNC_COPY, BULK_COPY: the other side (global)
    enum ptx_space source_space;
    const struct lane_shape *source_shape; // of sources and source_mask
    uint32_t source_mask;  // lanes that read the other side; the others of mask write zeros (zero fill)
    uint32_t source_bytes; // of those: ASYNC_COPY with zero fill: bytes really read (max over lanes), else = bytes
    const unsigned char *values;         // STORE: lane l's bytes at values + l * value_stride; else NULL
    uint32_t value_stride;
};

enum sim_sync_kind {
    SIM_SYNC_ARRIVE,       // a warp's lanes arrive at barrier `id` (waits: and wait there)
    SIM_SYNC_COMPLETE,     // barrier `id` opened: everything before the arrivals is visible to those who waited
    SIM_SYNC_WARP,         // bar.warp.sync of mask completed
    SIM_SYNC_FENCE,        // membar / fence
    SIM_SYNC_ASYNC_COMMIT, // cp.async.commit_group
    SIM_SYNC_ASYNC_WAIT,   // cp.async.wait_group N (count = N; wait_all: count = 0, all: uncommitted copies too)
    SIM_SYNC_MBARRIER_INIT, SIM_SYNC_MBARRIER_ARRIVE, SIM_SYNC_MBARRIER_WAIT,   // address; WAIT only when it succeeded
    SIM_SYNC_ASYNC_MBARRIER,             // cp.async.mbarrier.arrive: the lane's copies so far arrive at address when done
    SIM_SYNC_EXIT          // lanes of mask ended
};

struct sim_sync {
    const struct sim_block *block;
    uint32_t warp, pc, mask;
    uint64_t step;
    enum sim_sync_kind kind;
    uint32_t id;           // barrier number
    bool waits, all;
    uint32_t count;
    enum sim_order order;
    enum sim_scope scope;
    const uint64_t *addresses;           // mbarriers: shared address by lane
};

// Wrong, but not stopping: found by the executor itself.
enum sim_notice_kind {
    SIM_NOTICE_BARRIER_DIVERGED,         // barrier met by part of a warp's live lanes (mask) while others are elsewhere
    SIM_NOTICE_BARRIER_UNEVEN,           // some threads never reach the barrier that the others wait at: a deadlock
    SIM_NOTICE_BARRIER_ENDED,            // threads that had ended counted as arrived; other_pc = where they ended
    SIM_NOTICE_MEMBERMASK,               // a lane executes a .sync instruction whose mask lacks it, or names lanes that are elsewhere
    SIM_NOTICE_SHUFFLE_INACTIVE,         // value taken from a lane that does not take part
    SIM_NOTICE_UNINITIALISED             // loaded bytes that nobody wrote (space, address)
};
struct sim_notice {
    const struct sim_block *block;
    uint32_t warp, pc, mask, other_pc;
    enum sim_notice_kind kind;
    enum ptx_space space;
    uint64_t address;      // of the lowest lane of mask
};

// One executed warp instruction, for steppers and the timing model.
struct sim_step {
    const struct sim_block *block;
    uint32_t warp, pc, active, mask;     // active: lanes here; mask: those whose guard is true
    uint64_t step;
    const struct sim_access *access;     // the first access it makes, or NULL
};

enum {
    SIM_WANT_ACCESS_SHARED = 1,
    SIM_WANT_ACCESS_GLOBAL = 2,
    SIM_WANT_ACCESS_OTHER = 4,
    SIM_WANT_SYNC = 8,
    SIM_WANT_NOTICE = 16,
    SIM_WANT_STEP = 32,
    SIM_TAKES_SHAPES = 64,  // access may come without addresses where shape and first tell them
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
// one after another in a fixed order when the launch ends (also when it failed). Callbacks may be NULL. What no
// observer wants costs nothing.
struct sim_observer {
    unsigned wants;
    void *context;
    bool one_block;        // wants nothing of blocks but that with the linear index `block`
    uint64_t block;
    void *(*fork)(void *context);
    void (*join)(void *context, void *state);
    void (*block_begin)(void *state, const struct sim_block *block);
    void (*block_end)(void *state, const struct sim_block *block);
    void (*access)(void *state, const struct sim_access *access);
    void (*sync)(void *state, const struct sim_sync *sync);
    void (*notice)(void *state, const struct sim_notice *notice);
    void (*step)(void *state, const struct sim_step *step);
};

// ---- launch

enum sim_schedule {
    SIM_ROUND_ROBIN,       // warps in turn, each until it waits
    SIM_RANDOM,            // switches between warps, and between diverged parts of a warp, at random by seed
    SIM_ONE_AHEAD          // warp (seed % warps) as far ahead as it gets, then the others from the last to the first
};

struct sim_count {
    uint64_t warps, threads;             // times executed: by warps; by lanes whose guard is true
};

struct sim_launch {
    const struct sim_program *program;
    struct sim_memory *memory;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;             // bytes
    const void *params;                  // the entry's parameter block: entry->param_size bytes
    uint64_t budget;                     // warp instructions of one block before it counts as endless; 0 = default
    enum sim_schedule schedule;
    uint64_t seed;
    unsigned host_threads;               // 0 = all cores
    uint64_t first_block, block_count;   // run only these blocks (linear); count 0 = all
    struct sim_observer *observers;
    size_t observer_count;
    struct sim_count *counts;            // sim_program_size entries, added to; NULL = not counted
    void (*print)(void *context, const char *text, size_t length);   // device printf, raw; NULL = dropped
    void *print_context;
    const atomic_bool *cancel;           // looked at often; NULL = never
    const char *main_file;               // the learner's file, for line numbers in messages (see ptx_source)
};

enum sim_fault_kind {
    SIM_FAULT_NONE,
    SIM_FAULT_BOUNDS,      // outside every buffer, variable or stack, a null pointer too
    SIM_FAULT_MISALIGNED,
    SIM_FAULT_DEADLOCK,    // all that are left wait
    SIM_FAULT_TRAP,        // trap, and an assertion that failed
    SIM_FAULT_OTHER
};

struct sim_result {
    uint64_t warp_instructions, thread_instructions, blocks;
    // When the status is not OK:
    enum sim_fault_kind fault;           // of a FAULT
    bool has_place;
    uint32_t pc;
    uint32_t block[3], thread[3];
    uint64_t address;
};

// FAULT: out of bounds, misaligned, trap, assert, deadlock (the message names block, thread, buffer, distance and
// line); TIMEOUT: budget spent (names the line where it spins); LAUNCH: shape or parameters refused; CANCELLED.
// With several faulty blocks the one with the lowest linear index is reported.
enum status sim_run(const struct sim_launch *launch, struct sim_result *result, struct diagnostic *diagnostic);

#endif
