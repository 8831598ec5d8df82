// Kernels in disguise: the PTX of a kernel that misses a gate, rewritten so that the same bad pattern goes by another
// instruction. It must not be worth more than the kernel itself; if it is, the gate looks at one kind of access only.
#ifndef BANKSHOT_GRADE_DISGUISE_H
#define BANKSHOT_GRADE_DISGUISE_H

#include <stdint.h>

#include "base/text.h"

struct disguise {
    const char *name;   // "exchanges for stores to global memory"
    const char *advice; // what a gate must ask for to see through it
    // Parts of the facts' names that it moves: no use where no gate asks for one of these. NULL: it is of use anywhere.
    const char *moves[2];
};
extern const struct disguise disguises[];
extern const size_t disguise_count;

// Appends the module with all its kernels in disguise. False: there is nothing in it to disguise.
bool disguise_write(size_t number, const char *ptx, struct text *out);
// The module with all its kernels leaving at once where the grid has more than `blocks` blocks.
void disguise_leave(const char *ptx, uint64_t blocks, struct text *out);
// The module with all its kernels done by block 0 alone.
void disguise_alone(const char *ptx, struct text *out);

#endif
