// Shared memory's banks and global memory's sectors: what one warp instruction costs. docs/hardware.md 1 and 2.
#ifndef BANKSHOT_MODEL_BANKS_H
#define BANKSHOT_MODEL_BANKS_H

#include <stdbool.h>
#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32, WARP_LANES = 32 };

enum bank_kind {
    BANK_LOAD,
    BANK_STORE, // also atomics that add up the lanes of one address first
    BANK_ATOMIC,
    BANK_COPY,        // cp.async.ca
    BANK_COPY_BYPASS, // cp.async.cg
    BANK_MATRIX,      // ldmatrix, stmatrix: lane l of the mask brings the address of row l, 16 bytes
    BANK_BULK,        // cp.async.bulk: one lane, any number of bytes
    BANK_KINDS
};

// One warp instruction's access to shared memory. Which kind, width and delta an instruction has, operation.h says.
struct bank_access {
    enum bank_kind kind;
    uint32_t bytes;            // per lane: 1, 2, 4, 8 or 16; addresses are naturally aligned
    uint32_t mask;             // lanes outside it are not looked at
    uint32_t zeros;            // BANK_COPY: lanes that bring no data and only write zeros
    int32_t delta;             // from the addresses to where the access begins
    const uint64_t *addresses; // [WARP_LANES], byte offsets
};

struct bank_cost {
    uint32_t wavefronts, conflicts; // conflicts = wavefronts - groups served
};

// In which wavefront (from 0) each lane is served; UINT32_MAX for inactive lanes. The order inside a group is ours
// (hardware does not say); the number is exact.
struct bank_schedule {
    struct bank_cost cost;
    uint32_t group; // lanes served together: 32, 16 or 8
    uint32_t wavefront[WARP_LANES];
};

struct bank_cost banks_count(const struct bank_access *access);
void banks_schedule(const struct bank_access *access, struct bank_schedule *schedule);
// Whether lanes that want one word are served by it together.
bool banks_share(enum bank_kind kind);

// Distinct 32-byte sectors that the active lanes touch. bytes: up to 64, or any number of a single lane.
uint32_t sectors_count(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES]);
// The same of an atomic, whose lanes take turns at an address: each sector counts as often as its busiest address.
uint32_t sectors_in_turns(uint32_t mask, const uint64_t addresses[WARP_LANES]);
// The same of copies that pass by L1 (cp.async.cg), which ask once for each 32 bytes of shared memory that they fill
// from one line of global memory. Of lanes that fill the same bytes the last counts.
uint32_t sectors_bypassing(uint32_t mask, const uint64_t sources[WARP_LANES], const uint64_t targets[WARP_LANES]);

#endif
