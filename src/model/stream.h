// Instruction streams for the replay: a few blocks of a launch, traced on the simulator. Used by predict.c alone.
#ifndef BANKSHOT_MODEL_STREAM_H
#define BANKSHOT_MODEL_STREAM_H

#include "model/replay.h"
#include "sim/sim.h"

struct stream {
    struct replay_inst *insts; // by pc
    uint32_t inst_count, register_count;
    uint32_t all_count; // of insts: the program's, then copies for turns of unrolled loops
    struct replay_block *blocks;
    size_t block_count;
    uint8_t *register_words; // by register: 32-bit words
    uint64_t *sectors;
    size_t sector_count, sector_capacity;
    double local_missed;  // part of the local memory wanted again that L2 has written back to DRAM
    double whole;         // steps of a block over the steps traced of it, >= 1
    double rest;          // the same of those after the first window (replay_warp.early)
    uint64_t least, most; // options.block_steps that it would be the same for
    double busy;          // part of the steps that the simulator counts that are not spent in asking mbarriers again
    uint64_t steps;       // traced, in all, as the simulator counts them
    double hot_line_ns;   // that the first block's global atomics keep their busiest line
    double hot_blocks;    // whose atomics go to the same lines
    double hot_turns;     // how often such lines come one after another
    bool hot_waits;       // somebody wants what was there before
};

struct stream_options {
    const struct gpu_profile *gpu;
    uint32_t active_sms, resident;
    uint64_t grid_blocks;
    size_t block_count; // to trace: those that come to one SM: first, first + active_sms, first + 2 active_sms …
    bool spread;        // not those, but some all over the grid
    bool lone;          // that block, wherever it lies, and nothing of what it shares with others
    uint64_t first, block_steps; // block_steps: warp instructions of that block; 0: counted, where not all are kept
    bool places;                 // keep where in shared memory each step is at work
    uint32_t registers;          // that a thread may have with as many blocks resident
    size_t warp_steps;           // most steps kept of each warp
    const atomic_bool *stop;     // one more wish to stop than the launch's; NULL: there is none
    const struct replay_constants *constants;
};

enum status stream_trace(const struct sim_launch *launch, const struct stream_options *options, struct stream *stream,
                         struct diagnostic *diagnostic);
// The i-th of blocks all over the grid, no two of them near each other in any row or column.
uint64_t stream_spread(uint64_t i, uint64_t blocks);
void stream_free(struct stream *stream);

#endif
