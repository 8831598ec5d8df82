// Small kernels that measure a GPU, one mechanism at a time, and a few that check what was made of it. They are PTX for
// sm_70, so that any driver compiles them: no compiler is needed. What they measure is named as in
// tests/golden/h200_micro.csv, whose rows come from such kernels as well (tests/kernels/micro.cu).
#ifndef BANKSHOT_MODEL_PROBES_H
#define BANKSHOT_MODEL_PROBES_H

#include "model/gpus.h"
#include "model/predict.h"

enum { PROBES_MAX = 64, PROBE_RUNS = 9, PROBE_KEY = 96 };
#define PROBE_BIG_BYTES (UINT64_C(1) << 30) // of the buffer that kernels read and write; its second half is for outputs
#define PROBE_OUT_BYTES (UINT64_C(64) << 20) // of the one that takes what nobody reads

// How a launch's time becomes the row's value.
enum probe_unit {
    PROBE_CYCLES, // cycles of block 0's warps, from the first to begin to the last to end, by work
    PROBE_RATE,   // work by microseconds
    PROBE_TIME,   // microseconds
    PROBE_CLOCK,  // those cycles by microseconds
    PROBE_NOTHING // it only prepares
};

struct probe {
    const char *kernel;
    uint32_t grid[2], block[2];
    uint64_t x, y; // the kernel's own two parameters; before them come the big buffer, the other one, and the clocks
    enum probe_unit unit;
    double work;
    bool flushes;        // L2 before each run
    bool checks;         // nothing is derived from it: it is predicted, too
    char key[PROBE_KEY]; // "barrier,one block on the SM,8 warps"
};

// Terminated PTX of all kernels.
const char *probes_ptx(void);
// Those for a GPU with the profile's SMs, and as many warps as it has.
size_t probes_make(const struct gpu_profile *gpu, struct probe probes[PROBES_MAX]);
// What the model says of a probe's launch, as its row would (PROBE_TIME).
enum status probes_predict(const struct probe *probe, const struct gpu_profile *gpu, double *us,
                           struct diagnostic *diagnostic);

#endif
