// The order in which ptxas would issue a warp's instructions.
//
// PTX loads a value and uses it at once; ptxas moves loads up and their users down. Between two fences (barrier, wait,
// atomic, a loop's end) this does the same: of the next `window` instructions, the one whose results are needed longest
// before the end goes first, as long as registers and memory allow it. window <= 1 leaves the order as it is.
#ifndef BANKSHOT_MODEL_SCHEDULE_H
#define BANKSHOT_MODEL_SCHEDULE_H

#include "model/replay.h"

// Which data an instruction works on does not matter here. So warps that went the same way, and turns of a loop, take
// the order that was found for the first of them.
struct scheduler;

// What may be on its way into registers is limited by how many a thread has. Of the replay's registers, by number: how
// many 32-bit words each holds that are not the same for the whole block.
struct schedule_registers {
    uint32_t most; // of a thread; 0: no limit
    const uint8_t *words;
};

struct scheduler *scheduler_new(const struct replay_inst *insts, size_t window,
                                const struct schedule_registers *registers); // what these point to must outlive it
void scheduler_free(struct scheduler *scheduler);
// Puts the steps that one warp took into that order, in place.
void schedule_steps(struct scheduler *scheduler, struct replay_step *steps, size_t count);

#endif
