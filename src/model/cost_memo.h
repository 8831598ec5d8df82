// Remembers what access patterns cost, so that a pattern that comes again is one look-up.
//
// Costs do not change when all addresses move by a whole number of units (of 4, 8 or 16 bytes for banks, 32 for
// sectors), so what an access costs depends on its shape (sim/shape.h) and where in a unit its first address lies.
#ifndef BANKSHOT_MODEL_COST_MEMO_H
#define BANKSHOT_MODEL_COST_MEMO_H

#include <stdint.h>

#include "model/banks.h"

enum { BANK_PHASES = 16 }; // addresses that differ by a multiple of this cost the same; of sectors: SECTOR_BYTES

struct cost_memo;
struct cost_memo *cost_memo_new(void);
void cost_memo_free(struct cost_memo *memo);

// A shared access as written and as compiled: `wide_bytes` from its address + delta, or 0 if compiled as written.
struct cost_pair {
    struct bank_cost written, compiled;
};

// As banks_count and sectors_count. serial: the shape's; one memo serves one table of shapes. 0: it has none, and
// nothing is remembered.
struct cost_pair cost_memo_banks(struct cost_memo *memo, uint32_t serial, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t wide_bytes,
                                 int32_t delta);
uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t serial, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES]);

#endif
