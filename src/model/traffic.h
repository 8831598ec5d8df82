// What a launch wants from L2 and DRAM, judged by what one block touched. Used by stream.c alone.
#ifndef BANKSHOT_MODEL_TRAFFIC_H
#define BANKSHOT_MODEL_TRAFFIC_H

#include "base/map.h"
#include "model/replay.h"

// How a sector was used: the value of maps by the sector's number, which start as {0}.
struct sector_use {
    uint32_t bytes; // touched, one bit a byte
    uint32_t times;
};
struct sector_use *sector_find(struct map *sectors, uint64_t sector); // put in if it is new
void sector_touch(struct map *sectors, uint64_t address, uint32_t bytes);

// Global atomics follow one another on a line, and on a slice of L2. Adds what one of a warp takes there, in
// nanoseconds: by number of the line and of the kilobyte.
void atomics_serve(struct map *lines, struct map *slices, uint32_t mask, const uint64_t *addresses, bool floating,
                   const struct replay_constants *constants);

// Of how many blocks the atomics follow one another on the lines that the first block's go to. part: of these lines,
// what the next block in x and in y goes to as well; alike: in x and in y, blocks of which that can be said.
double atomics_meet(const double part[2], const uint32_t alike[2], const uint32_t grid[3]);
// How often such lines come one after another, since of the blocks that are at work at a time (wave), which follow one
// another through the grid, only some go to different ones.
double atomics_turns(const double part[2], const uint32_t alike[2], const uint32_t grid[3], double wave);
// Of the lines, the part that is among the others; 1: those are not known.
double atomics_part(const struct map *lines, const struct map *others);
void atomics_touch(struct map *lines, uint64_t address);

enum { TRAFFIC_PROBES = 3 }; // blocks (0,0,0), (1,0,0), (0,1,0): do they want the same?

// Whether what it moves goes to global memory.
static inline bool traffic_stores(const struct replay_inst *inst)
{
    return inst->kind == REPLAY_GLOBAL_STORE || inst->stores;
}

// What one instruction touched.
struct traffic_site {
    struct map touched;             // sectors, by block 0
    struct map others;              // sectors, by the second block that is traced
    struct map near[2];             // sectors, by the next block in x and in y
    uint64_t array_bytes;           // of the allocation
    uint64_t low, high;             // sectors, by any block that was looked at: [low, high)
    uint64_t first[TRAFFIC_PROBES]; // the first sector of each probe, + 1; 0: it touched none
};

struct traffic_launch {
    const struct gpu_profile *gpu;
    uint32_t active_sms, resident, grid[3];
    uint64_t grid_blocks;
    double whole;                        // a block's steps over those traced
    double filling;                      // sectors that a block touches while it fills one
    bool is_surveyed;                    // blocks all over the grid were looked at from beginning to end
    double l2_part, l2_dirty, dram_turn; // timing.def
};

// Data that are gone through again and again in a cache that drops lines at random: the part that is missed when they
// are `ratio` times as large as the cache.
double traffic_missed(double ratio);

// Sets sharing, dram and scattered of each instruction; sites: by pc.
void traffic_share(const struct traffic_launch *launch, const struct traffic_site *sites, struct replay_inst *insts,
                   uint32_t count);

#endif
