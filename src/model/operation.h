// What an instruction of a program is to shared memory's banks: decided here, once, before it runs.
//
// Whoever counts, times, lists or draws an access takes its kind, and what ptxas makes of it (fusion.h), from its
// operation. Source of the rules: docs/hardware.md 1 and 3.
#ifndef BANKSHOT_MODEL_OPERATION_H
#define BANKSHOT_MODEL_OPERATION_H

#include "model/banks.h"
#include "sim/sim.h"

// All zeros: a plain load, compiled as written.
struct operation {
    enum bank_kind kind;
    bool estimate;      // hardware is known to differ from the rule (float and 64-bit atomics, bulk copies)
    bool adds_up;       // an atomic whose lanes are added up first, as they all want one place: one lane executes it
    bool floating;      // an atomic of a floating type
    bool swaps, loops;  // an atomic that compares and swaps; one that does so until nobody came between
    bool fused_away;    // as compiled, another instruction does its work
    uint32_t wide;      // as compiled, it accesses this many bytes a lane, from its address + delta; 0: as written
    int32_t delta;      //
    bool twice;         // as compiled, two such accesses, whose lanes lie alike
    bool hoisted;       // out of a loop that never changes it: executed as often as instruction `preheader`
    uint32_t preheader; // pc
};

// By pc, to be freed by the caller.
struct operation *operations_new(const struct sim_program *program);

// The access as the banks see it: bytes, mask and addresses as written; zeros: lanes of a copy that read nothing. It
// points to the addresses. As compiled, an instruction that is fused away has no lane.
struct bank_access operation_access(const struct operation *operation, bool as_compiled, uint32_t bytes, uint32_t mask,
                                    uint32_t zeros, const uint64_t addresses[WARP_LANES]);

#endif
