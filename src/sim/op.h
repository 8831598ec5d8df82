// A decoded program: operations, operand slots, functions.
//
// A PTX instruction becomes one struct op: a handler and operand slots. A slot is a byte offset from one of a few
// bases; every register, immediate and special register is an array over the 32 lanes, so that handlers have one
// form of operand. 8-, 16- and 32-bit registers live in u32[32] (high bits zero), 64-bit ones in u64[32], 128-bit ones
// in two of those, predicates are one u32 lane mask.
#ifndef BANKSHOT_SIM_OP_H
#define BANKSHOT_SIM_OP_H

#include <string.h>

#include "base/memory.h"
#include "sim/sim.h"

enum slot_base { BASE_R32, BASE_R64, BASE_PRED, BASE_POOL, BASE_WARP, BASE_STAGE, BASE_COUNT = 8 };
enum { SLOT_SHIFT = 29, SLOT_MASK = (1 << SLOT_SHIFT) - 1, R32_BYTES = 128, R64_BYTES = 256 };

struct op;
struct exec;
// Executes op for the lanes of mask (never 0) and returns the next op; NULL: the fragment stops here, see exec.c.
typedef const struct op *op_run(struct exec *x, const struct op *op, uint32_t mask);
typedef uint64_t scalar_run(const struct op *op, const uint64_t *v);

struct op {
    op_run *run;
    uint32_t guard, guard_flip; // lanes = active & (predicate ^ flip)
    uint32_t slot[6];           // [0] destination, then the sources
    const uint32_t *list;       // elements of a vector operand
    union {
        int64_t offset; // of an address
        uint64_t imm;
        const struct op *target; // bra
        uint32_t vote[2];
    };
    union {
        const struct op *join; // bra: where the paths meet again; NULL = nowhere
        scalar_run *scalar;    // see sim_run_scalar
        op_run *inner;         // see sim_run_rounded
        const struct call_site *call;
        const struct matrix_shape *matrix;
        const struct group_product *group;
        const struct video *video;
        const struct texture_operands *texture;
        const char *refusal;             // why it cannot be executed
        const struct op *const *targets; // brx.idx
    };
    uint8_t wide, preds;               // bit k: slot[k] is 64 bits wide, is a predicate
    uint8_t sources;                   // number of sources of a scalar op
    uint8_t space, kind, order, scope; // enum ptx_space, sim_access_kind, sim_order, sim_scope
    uint8_t width, count;              // bytes of an element, elements
    uint8_t type, type2;               // enum ptx_type: destination (or the only one), source
    uint8_t rounding;                  // enum round_mode (base/half.h)
    uint8_t action;                    // enum atom_action, and other small choices
    uint16_t flags;
    uint32_t extra;
    uint32_t more; // of fma_f32_run: ops behind this one that it executes as well
};

enum op_flag {
    OP_FTZ = 1,
    OP_SAT = 2,
    OP_SIGNED = 4,
    OP_CARRY_OUT = 8,
    OP_ADDRESS64 = 16,
    OP_ALIGNED = 32,
    OP_NAN = 64,
    OP_RELU = 128,
    OP_ABS = 256,
    OP_MEMORY = 512,
    OP_POLL = 1024,
    OP_WARP_SYNC = 2048,
    OP_IDLE = 4096,         // a product that is not made (sim_program_skim)
    OP_TELLS = 8192,        // who watches steps is told more of it (sim_watch_step)
    OP_LEAVES = 16384,      // a branch whose target lies outside of a loop, or a way, that it is in
    OP_LEAVES_BELOW = 32768 // the same of what follows it
};

// ---- program

struct function {
    const struct ptx_function *source;
    uint32_t first_pc;
    uint32_t size32, size64, size_pred; // bytes of its register window
    uint32_t *slots;                    // of each PTX register
    uint32_t local_slot;                // 64-bit register that holds the frame's address in local memory
    // Byte offsets in the frame's local memory: [results][parameters][call parameters][.local variables]
    uint32_t params_at, call_params_at, frame_size;
    uint32_t local_size;     // of these, of the variables
    uint32_t *local_offsets; // of each .local variable, by its index; from the frame's start
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
    const struct function *callee; // NULL: through a register (slot[1])
    enum builtin builtin;
    struct call_value *arguments, *results;
    uint32_t argument_count, result_count;
};

struct special_use {
    enum ptx_special special;
    uint8_t element;
    bool wide, half; // 64 bits; the low 16
    uint32_t offset; // in the warp's area
};

// What is decoded does not change any more, and programs over other memories borrow it: all but what follows memory.
struct sim_program {
    const struct ptx_module *module;
    const struct ptx_function *entry;
    bool borrows; // what is decoded is kept beside the module
    struct arena *arena;
    struct ptx_shared_layout shared;
    struct function **functions; // [0] is the entry
    uint32_t function_count;
    struct op *ops;
    uint32_t op_count;
    unsigned char *pool; // constants, each broadcast over the lanes
    size_t pool_size, pool_capacity;
    uint32_t *pool_index; // hash table of constants
    size_t pool_index_size, pool_constants;
    struct special_use *specials;
    size_t special_count, special_capacity;
    uint32_t warp_area; // bytes of a warp's own area: carry, scratch, special registers
    bool ordered;       // the order of blocks shows for sure: one host thread
    bool hands_over;    // sim_program_hands_over
    bool polls;         // it has volatile loads, or stronger ones
    bool maps_ranks;    // it asks for the shared memory of other blocks of its cluster
    struct sim_memory *memory;
    size_t first_place;                       // of the variables in memory, on which their addresses depend
    struct sim_allocation *grid_workspace;    // what %envreg1 and 2 point to in a cooperative launch; NULL: unused
    struct sim_allocation **globals;          // by module variable index
    struct sim_allocation **function_globals; // by declaration order
};

enum { WARP_SINK = 0, WARP_CARRY = 2 * R64_BYTES, WARP_SPECIALS = WARP_CARRY + R32_BYTES }; // offsets in its area
enum { GRID_WORKSPACE_BYTES = 128 };   // cooperative_groups keeps its size and the barrier in the first eight
enum { FUNCTION_HANDLE = 0x7f000000 }; // a function's address: this + 16 * its number in the program

#endif
