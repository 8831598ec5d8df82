// The access recorder: every shared (and global) access of one block, in order, within a memory bound.
#ifndef BANKSHOT_SIM_RECORDER_H
#define BANKSHOT_SIM_RECORDER_H

#include "sim/sim.h"

struct recorded_access {
    uint32_t pc, warp, mask, bytes;
    uint64_t step;
    uint32_t phase;                      // block barriers completed before it
    enum sim_access_kind kind;
    enum ptx_space space;
    uint64_t addresses[SIM_LANES];       // lanes outside mask: 0
};

struct recording {
    uint32_t block[3];
    struct recorded_access *items;       // in order of execution
    size_t count, capacity;
    bool truncated;                      // the bound was reached: later accesses are missing
};

struct recorder;
// Records the block with this linear index; limit: most accesses kept.
struct recorder *recorder_new(uint64_t block, size_t limit);
struct sim_observer recorder_observer(struct recorder *recorder);
void recorder_take(struct recorder *recorder, struct recording *recording);
void recorder_free(struct recorder *recorder);
void recording_free(struct recording *recording);

#endif
