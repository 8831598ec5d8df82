// What ptxas makes of a function's accesses to shared memory, and of vectors used in part (docs/hardware.md 3).
//
// ptxas joins neighbouring 4- and 8-byte accesses into 8- and 16-byte ones where it can prove their alignment, drops
// repeated loads, and takes loads whose address stays the same out of loops of one basic block that hold no fence
// (seen in the SASS of smem_stride of tests/kernels/ladder.cu). Of a vector it loads what is used. The simulator runs
// PTX as written; this plan turns its accesses into the ones that hardware would count.
#ifndef BANKSHOT_MODEL_FUSION_H
#define BANKSHOT_MODEL_FUSION_H

#include "ptx/ptx.h"

enum fusion_action {
    FUSION_UNCHANGED,
    FUSION_AWAY, // another instruction does its work
    FUSION_WIDE  // accesses `bytes` bytes, more or less than its own, starting `delta` bytes from its own address
};

struct fusion_entry {
    enum fusion_action action;
    uint32_t bytes;
    int32_t delta;
    bool twice;         // FUSION_WIDE: two of them, for two words of a vector that are no half of it
    bool hoisted;       // out of a loop that never changes it: executed as often as instruction `preheader`
    uint32_t preheader; // of the same function
};

// One entry for each instruction of the function, to be freed by the caller. layout: the shared memory of the entry
// that the function runs under.
struct fusion_entry *fusion_plan(const struct ptx_function *function, const struct ptx_shared_layout *layout);

#endif
