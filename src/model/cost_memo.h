// Remembers what access patterns cost, so that counting an instruction that repeats itself is one comparison.
//
// Costs do not change when all addresses move by a whole number of units (of 4, 8 or 16 bytes for banks, 32 for
// sectors), so a pattern is its mask, its lanes' distances from the first one, and where in a unit that one starts.
#ifndef BANKSHOT_MODEL_COST_MEMO_H
#define BANKSHOT_MODEL_COST_MEMO_H

#include <stdint.h>

#include "model/banks.h"

struct cost_memo;
struct cost_memo *cost_memo_new(void);
void cost_memo_free(struct cost_memo *memo);

// As banks_count and sectors_count, for addresses moved by delta. *hint belongs to the instruction, starts as 0 and
// is where its last pattern was found.
struct bank_cost cost_memo_banks(struct cost_memo *memo, uint32_t *hint, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], int64_t delta);
uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t *hint, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES]);

#endif
