// Loops that ptxas unrolls: four turns become one, so that their loads are on their way together, and one comparison,
// one branch and one step of each address serve all four. Used by stream.c alone.
//
// What ptxas 13.0 does, as its output shows (tests/model/test_unroll.c): a loop is unrolled if nothing but its end
// leaves it, the number of its turns can be told before it (a register that a constant is added to, compared with one
// that stays), .pragma "nounroll" does not forbid it, and it is short. Turns that are left over are done as two and as
// one.
#ifndef BANKSHOT_MODEL_UNROLL_H
#define BANKSHOT_MODEL_UNROLL_H

#include "model/replay.h"
#include "ptx/ptx.h"

enum { UNROLL_TURNS = 4 };

// A loop's instructions stand in [first, last]. Copies of them, each with registers of its own, stand for the turns of
// four: the first, the second, the third, the last of four and of two; and the first of two.
struct unrolled_loop {
    uint32_t first, last;
    uint32_t copies[UNROLL_TURNS + 1];
};

struct unrolling {
    struct replay_inst *insts; // the program's, then copies; the caller's
    size_t inst_count, inst_capacity;
    uint32_t register_count;
    struct unrolled_loop *loops; // by their first instruction
    size_t count, capacity;
};

// Adds a function whose instructions are the program's from start on; one after another.
void unroll_function(struct unrolling *unrolling, const struct ptx_function *function, uint32_t start);
// A warp's steps, in the order in which it went: turns of unrolled loops become steps of the copies.
void unroll_steps(const struct unrolling *unrolling, struct replay_step *steps, size_t count);

#endif
