// The access recorder: every shared (and global) access of one block, in order, within a memory bound, and what the
// writes to shared memory left there. An asynchronous copy is two accesses: its global side, then its shared side.
//
// Values are read from the block's shared memory when a write has landed: a store or an atomic at once, an
// asynchronous copy when its thread has waited for it (ops_async.c), so a word that is on its way still holds the old
// value.
#ifndef BANKSHOT_RECORD_RECORDER_H
#define BANKSHOT_RECORD_RECORDER_H

#include "model/operation.h"

struct recorded_access {
    uint32_t pc, warp, mask, bytes;
    uint64_t step;
    uint32_t phase; // block barriers completed before it
    enum sim_access_kind kind;
    enum ptx_space space;
    struct operation operation; // of its side in shared memory; access.h makes what is drawn and counted of it
    uint32_t zeros;             // lanes of a copy that read nothing and write zeros
    // Writes to shared memory: the index of the first access that finds it in memory (its own for a store), and where
    // its values begin in recording.values: `bytes` of each lane of mask, lowest lane first.
    bool has_values; // false: no write, or beyond the bound
    uint32_t lands, values;
    // Of a copy, indices of accesses as well: behind the last barrier that its warp passed before it, and behind the
    // one that it came to once it had waited for the copy. What others do between them, they do beside the copy, in
    // whatever order they ran here. UINT32_MAX: there is none.
    uint32_t since, told;
    uint64_t addresses[SIM_LANES]; // lanes outside mask: 0
};

// A warp's part of a product of its warp group, which reads shared memory (wgmma), behind so many accesses.
struct recorded_product {
    uint32_t warp;
    size_t before;
};

struct recording {
    uint32_t block[3];
    struct recorded_access *items; // in order of execution
    size_t count, capacity;
    bool truncated; // the bound was reached: later accesses are missing
    uint64_t total; // accesses that the block made, including missing ones
    unsigned char *values;
    size_t value_count, value_capacity; // bytes
    struct recorded_product *products;  // in order
    size_t product_count, product_capacity;
};

// Whether an access changes memory.
bool recorded_writes(const struct recorded_access *access);
// What the access's lane wrote: `bytes` of it. NULL: not known, or the lane took no part.
const unsigned char *recorded_value(const struct recording *recording, const struct recorded_access *access, int lane);

// The bytes that an active lane touches, of memory as the access's addresses count it: from *first on, before the
// result.
uint64_t recorded_range(const struct recorded_access *access, int lane, uint64_t *first);
// The first lane that touches any of these bytes, -1: none; and the byte behind the last that any lane touches.
int recorded_lane_at(const struct recorded_access *access, uint64_t address, uint64_t bytes);
uint64_t recorded_end(const struct recorded_access *access);

struct recorder;
// Records the block with this linear index; limit: most accesses kept. program: whose accesses come; NULL: unknown, all
// are plain loads to the banks.
struct recorder *recorder_new(const struct sim_program *program, uint64_t block, size_t limit);
struct sim_observer recorder_observer(struct recorder *recorder);
void recorder_take(struct recorder *recorder, struct recording *recording);
void recorder_free(struct recorder *recorder);
void recording_free(struct recording *recording);

#endif
