// Measured speed: the learner's kernel, the solution, the naive one, a device copy and cuBLAS, interleaved in one run
// on the GPU at the lesson's GPU size. The solution's outputs are what the others must give; the learner's kernel was
// right on the simulator at every size before it comes here. All are compiled for the GPU's own architecture, or the
// nearest before it that the compiler knows.
#ifndef BANKSHOT_GRADE_SPEED_H
#define BANKSHOT_GRADE_SPEED_H

#include "grade/run.h"

struct speed {
    struct timing_conditions seen;
    struct kernel_times times;  // medians, microseconds; 0 = not there
    struct kernel_times ratios; // medians over the rounds of each one's time to the learner's
    double copy_bytes;          // read and written by the device copy
    char note[256];             // the compiler does not know this GPU; "" = it does
};

// Whether the lesson has a speed gate at all; measured: one that asks for measured times.
bool speed_is_graded(const struct lesson *lesson, bool measured);
// Whether blocks are looked at at the GPU's size: there is a speed gate, or the only kernel has such a size.
bool speed_is_modelled(const struct lesson *lesson);

// OK, or why nothing could be measured (the lab's or the GPU's fault). What the learner's kernel did wrong on the GPU
// (a wrong result, a fault, no end) is in *failure, with its status as code; STATUS_OK there: nothing.
enum status speed_measure(struct runner *runner, struct device *gpu, const struct unit *unit, size_t part,
                          struct speed *speed, struct diagnostic *failure, struct diagnostic *diagnostic);

#endif
