// Where a kernel decides otherwise than most, found without running anything (deduction.h). A kernel that treats one
// block in many otherwise, or sizes that its lesson does not have, says so in a comparison, whether it branches on it
// or not.
#ifndef BANKSHOT_MODEL_DECISIONS_H
#define BANKSHOT_MODEL_DECISIONS_H

#include "model/deduction.h"
#include "sim/launch_shape.h"

enum { DECISIONS_BLOCKS = 1024 }; // that are looked at: all, or so many drawn by the seed

// Writes to blocks the linear indices of blocks in which something is decided as in fewer than a quarter of those that
// are looked at, or in which one of a few numbers that everything else is worked out from is a rare one. Together they
// show as much of what is rare as `most` blocks can; returns how many there are. Those at the end of a row or column of
// the grid decide otherwise with good reason, and are none of them. values: of each parameter of the entry; of pointers
// any number that data knows. seed: the same one gives the same blocks.
size_t decisions_rare(const struct ptx_function *entry, const struct launch_shape *shape, const uint64_t *values,
                      const struct deduction_data *data, uint64_t seed, uint64_t *blocks, size_t most);

// How many predicates follow from data; in *shown, how many outcomes they have among as many blocks that are not at the
// end of a row or column: of each, one or two. values, data and seed as above.
size_t decisions_of_data(const struct ptx_function *entry, const struct launch_shape *shape, const uint64_t *values,
                         const struct deduction_data *data, uint64_t seed, size_t *shown);

// Writes to picked the places of those of `count` sizes at which something comes out as at none of the first `shown`:
// as many as together show the most of it, but no more than `most`; returns how many. by_predicate, of each: whether a
// predicate comes out so. Besides what the kernel makes of a size, what the grid leaves when divided by three or four
// counts; and where there are powers of two that divide a parameter, or four that divides one of two, as at none of
// those, the last one is picked for that. shape: its threads alone count.
size_t decisions_new(const struct ptx_function *entry, const struct launch_shape *shape,
                     const struct deduction_at *sizes, size_t shown, size_t count, uint64_t seed, size_t *picked,
                     bool *by_predicate, size_t most);

#endif
