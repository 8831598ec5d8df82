// Shared memory's banks and global memory's sectors: what one warp instruction costs. docs/hardware.md 1 and 2.
#ifndef BANKSHOT_MODEL_BANKS_H
#define BANKSHOT_MODEL_BANKS_H

#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32, WARP_LANES = 32 };

enum bank_kind { BANK_LOAD, BANK_STORE, BANK_ATOMIC, BANK_COPY, BANK_COPY_BYPASS, BANK_MATRIX };

struct bank_cost {
    uint32_t wavefronts, conflicts; // conflicts = wavefronts - groups served
};

// bytes: 1, 2, 4, 8 or 16 per lane, addresses naturally aligned byte offsets; lanes outside mask are not looked at.
// BANK_MATRIX: `rows` (8, 16 or 32) row addresses in addresses[0 … rows), mask and bytes ignored.
struct bank_cost banks_count(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                             uint32_t rows);

// Number of lanes served together before the doubling rule: 32, 16 or 8.
uint32_t banks_group(uint32_t bytes);

// For pictures: in which wavefront (from 0) each lane is served; wavefront[l] = UINT32_MAX for inactive lanes. The
// order inside a group is ours (hardware does not tell); the number is exact.
void banks_schedule(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                    uint32_t wavefront[WARP_LANES]);

// Distinct 32-byte sectors that the active lanes touch.
uint32_t sectors_count(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES]);

#endif
