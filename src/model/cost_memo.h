// Remembers what access patterns cost, so that counting an instruction that repeats itself is one comparison.
//
// Costs do not change when all addresses move by a whole number of units (of 4, 8 or 16 bytes for banks, 32 for
// sectors), so a pattern's cost depends on its lanes' distances and where in a unit the first one starts.
#ifndef BANKSHOT_MODEL_COST_MEMO_H
#define BANKSHOT_MODEL_COST_MEMO_H

#include <stdint.h>

#include "model/banks.h"

struct cost_memo;
struct cost_memo *cost_memo_new(void);
void cost_memo_free(struct cost_memo *memo);

// A shared access as written and as compiled: `wide_bytes` from its address + delta, or 0 if compiled as written.
struct cost_pair {
    struct bank_cost written, compiled;
};

// As banks_count and sectors_count. *hint belongs to the instruction, starts as 0 and is where its last pattern was.
struct cost_pair cost_memo_banks(struct cost_memo *memo, uint32_t *hint, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t wide_bytes,
                                 int32_t delta);
uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t *hint, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES]);

#endif
