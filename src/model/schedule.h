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

struct scheduler *scheduler_new(const struct replay_inst *insts, size_t window); // insts must outlive it
void scheduler_free(struct scheduler *scheduler);
void schedule_steps(struct scheduler *scheduler, struct replay_step *steps, size_t count);

#endif
