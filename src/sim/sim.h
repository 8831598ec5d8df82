// The warp machine: runs PTX kernels, 32 lanes at a time.
//
// A program is a module decoded once; it is launched as often as wanted over a memory. Execution follows sm_70 and
// later: every lane has its own program counter, lanes that diverged reconverge at the immediate post-dominator,
// lanes that wait for others of their warp (a spin lock) make progress. Results, counts and hazards depend on the
// program, its data, the schedule and the seed, never on the number of host threads.
//
// What executes is PTX as written. What ptxas would make of it (fused accesses) is applied to the counts by
// src/model. The machine itself knows nothing about banks, sectors or time: observers (sim_observer.h) do.
#ifndef BANKSHOT_SIM_SIM_H
#define BANKSHOT_SIM_SIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "ptx/ptx.h"
#include "sim/launch_shape.h"
#include "sim/sim_observer.h"

enum { SIM_MAX_WARPS = 32, SIM_BARRIERS = 16 };

// ---- memory: the device's global address space

// Allocations are far apart (each in its own 2^36-byte region, starting at a multiple of 256), so that an address
// names its allocation and a wild index stays attributable to the buffer that it was meant for.
struct sim_memory;
struct sim_allocation {
    const char *name; // for messages; owned by the memory
    uint64_t address; // device address of the first byte
    size_t size;
    unsigned char *data;  // host view; may be read and written between launches
    unsigned char *valid; // one bit a byte, set when written by host or device; NULL = all valid (not tracked)
    bool read_only;       // .const: device stores are refused
    bool is_sparse;       // data and valid are of mem_sparse
};

struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *memory);
// Zero-filled; track: start as "never written" so that device reads before writes are noticed.
struct sim_allocation *sim_memory_add(struct sim_memory *memory, const char *name, size_t size, bool track);
// As above, for a buffer of which a run touches little: it does not count towards the bound of this process' memory.
struct sim_allocation *sim_memory_add_sparse(struct sim_memory *memory, const char *name, size_t size, bool track);
// The allocation whose region holds address (even when address lies outside its bytes), or NULL.
struct sim_allocation *sim_memory_find(const struct sim_memory *memory, uint64_t address);
// The allocation with this number, counted as below; NULL: there are no more, or it was freed.
struct sim_allocation *sim_memory_at(const struct sim_memory *memory, uint64_t place);
// For those who have only recorded addresses: which allocation this one belongs to, counted in the order of
// sim_memory_add from 0, and how far from its first byte. False: no device address of any allocation.
bool sim_address_place(uint64_t address, uint64_t *place, int64_t *offset);

// ---- program

struct sim_program;
// Where a .global or .const variable of the module lies; NULL: nowhere.
struct sim_allocation *sim_program_variable(const struct sim_program *program, const struct ptx_variable *variable);
// What the barrier of a cooperative launch's grid lies in; NULL: the program does not ask for it.
const struct sim_allocation *sim_program_grid_workspace(const struct sim_program *program);
// Decodes every function that entry can reach and places the module's .global and .const variables in memory. The
// module must outlive the program, and keeps what is decoded for the next one. UNSUPPORTED names the opcode and line
// that this device cannot run; USAGE: the entry is only declared.
enum status sim_program_new(const struct ptx_module *module, const struct ptx_function *entry,
                            struct sim_memory *memory, struct sim_program **program, struct diagnostic *diagnostic);
// The same, but sums and products of floats that decide neither what is executed nor which memory is touched are passed
// over: all that observers see but the values is the same, and what is stored means nothing.
enum status sim_program_skimming(const struct ptx_module *module, const struct ptx_function *entry,
                                 struct sim_memory *memory, struct sim_program **program,
                                 struct diagnostic *diagnostic);
void sim_program_free(struct sim_program *program);
// Whether its blocks may hand over data while they run: something releases or acquires, and something reads what others
// left in global memory; or the blocks of a cluster meet.
bool sim_program_hands_over(const struct sim_program *program);

// Instructions are numbered through the program (all its functions one after another): "pc" below.
uint32_t sim_program_size(const struct sim_program *program);
const struct ptx_inst *sim_program_inst(const struct sim_program *program, uint32_t pc,
                                        const struct ptx_function **function);
uint32_t sim_program_pc(const struct sim_program *program, const struct ptx_function *function, uint32_t inst);
const struct ptx_shared_layout *sim_program_shared(const struct sim_program *program);

// ---- launch

enum sim_schedule {
    SIM_ROUND_ROBIN, // warps in turn, each until it waits
    SIM_RANDOM,      // switches between warps, and between diverged parts of a warp, at random by seed; and between
                     // blocks, where they may hand over data
    SIM_ONE_AHEAD    // warp (seed % warps) as far ahead as it gets, then the others from the last to the first
};

struct sim_count {
    uint64_t warps, threads; // times executed: by warps; by lanes whose guard is true
};

struct sim_launch {
    const struct sim_program *program;
    struct sim_memory *memory;
    struct launch_shape shape; // static_shared is the program's own
    const void *params;        // the entry's parameter block: entry->param_size bytes
    uint64_t budget; // warp instructions (as `work` counts) of one block before it counts as endless; 0 = default
    enum sim_schedule schedule;
    bool backward; // the last block first, where no block hands over anything to another; SIM_RANDOM implies it
    uint64_t seed;
    unsigned host_threads;             // 0 = all cores
    uint64_t first_block, block_count; // run only these blocks (linear); count 0 = all
    bool slow_clock;                   // clocks go on by about as much as on a GPU: who waits for one executes as much
    bool zeroed;                       // registers and local memory begin as zeros, not as what no one may count on
    uint32_t lone_warp;                // 1 + the only warp of each block that runs, as if the others had ended; 0 = all
    struct sim_observer *observers;
    size_t observer_count;
    struct sim_count *counts; // sim_program_size entries, added to; NULL = not counted
    void (*print)(void *context, const char *text, size_t length); // device printf, raw; NULL = dropped
    void *print_context;
    const atomic_bool *cancel; // looked at often; NULL = never
    struct clock_limit limit;  // then it is cancelled too
    uint64_t at_once;          // blocks, if there are as many, share the heap (a GPU has that many SMs); 0: one
    const char *main_file;     // the learner's file, for line numbers in messages (see ptx_source)
};

enum sim_fault_kind {
    SIM_FAULT_NONE,
    SIM_FAULT_BOUNDS, // outside every buffer, variable or stack, or a null pointer
    SIM_FAULT_MISALIGNED,
    SIM_FAULT_DEADLOCK, // all that are left wait
    SIM_FAULT_TRAP,     // trap, and an assertion that failed
    SIM_FAULT_ARRIVAL,  // at an mbarrier that expects none, or was not initialised
    SIM_FAULT_SURPLUS,  // of a TIMEOUT: it waits at an mbarrier to which more bytes came than it was told
    SIM_FAULT_OTHER
};

struct sim_result {
    uint64_t warp_instructions, thread_instructions, blocks;
    // Warp instructions, and one more for each column of a product of matrices: about what they cost here.
    uint64_t work;
    uint64_t longest; // the work of the block that had most
    // When the status is not OK:
    enum sim_fault_kind fault; // of a FAULT; of a TIMEOUT: SURPLUS or NONE
    uint32_t pc, ptx_line;     // ptx_line: of the PTX text
    uint32_t block[3], thread[3];
    uint64_t address;
    enum ptx_space space; // of an address that is out of bounds or misaligned; NONE: there is nothing
    bool writes;          // … and whether it was written to
};

// FAULT: out of bounds, misaligned, trap, assert, deadlock (the message names block, thread, buffer, distance and
// line); TIMEOUT: budget spent (names the line where it spins); LAUNCH: shape or parameters refused; CANCELLED.
// With several faulty blocks the one with the lowest linear index is reported.
enum status sim_run(const struct sim_launch *launch, struct sim_result *result, struct diagnostic *diagnostic);

#endif
