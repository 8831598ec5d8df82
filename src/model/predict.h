// A predicted time on a named GPU, and where it goes. Modelled, and labelled so wherever it is shown.
//
// A few blocks of the launch are traced on the simulator and replayed on one SM (replay.h); the rest follows from
// how they come and go. Traced blocks run on the launch's memory: call it on a memory whose contents nobody needs.
#ifndef BANKSHOT_MODEL_PREDICT_H
#define BANKSHOT_MODEL_PREDICT_H

#include "model/replay.h"
#include "sim/sim.h"

// What the caller knows of the blocks' work, in warp instructions; zeros: nothing.
struct predict_work {
    uint64_t first;      // a block that has work, to be traced first
    uint64_t busy_steps; // of such a block
    uint64_t mean_steps; // of all blocks on average, those without work too
    bool even;           // all blocks are taken to be alike: where their work is not known, none are looked at for it
};

struct predict_job {
    const struct gpu_profile *gpu;
    const struct sim_launch *launch; // program, memory, shape, parameters; its observers see the traced blocks, its
                                     // counts are not used
    struct predict_work work;
    uint32_t registers;                       // of a thread, from ptxas; 0 = estimate from liveness
    uint32_t spilled;                         // bytes that a thread's text stores and loads since there are no more
    bool is_lenient;                          // of an estimate, its low end: the benefit of the doubt
    size_t steps;                             // most warp instructions to trace; 0 = default
    const struct replay_constants *constants; // NULL = the GPU's own, or those of timing.def
    struct replay_log *log;                   // what the replay saw; the caller frees it in any case. NULL = none
    const char *main_file;                    // for its lines
    const atomic_bool *stop;                  // one more wish to stop than the launch's; NULL: there is none
};

struct prediction {
    double us; // as an event pair around the launch would measure it
    struct occupancy occupancy;
    uint32_t registers;      // that occupancy follows from
    uint32_t registers_most; // of an estimate that was given the benefit of the doubt, the estimate; else the same
    bool registers_estimated;
    double instructions; // warp instructions of the whole launch, as the hardware executes them
    uint32_t active_sms;
    uint64_t waves;               // of blocks over the whole GPU
    double waits[REPLAY_REASONS]; // share of the warps' time, by reason; sums to 1 with `issued`
    double issued;
    double issue_busy, shared_busy, l1_busy, l2_busy, dram_busy; // share of the time that each was in use
    double tensor_busy;                                          // by wgmma
    double tail; // share of the SMs' room, or of the time, in which there are no blocks left
    double dram_gbps;
    const char *bound_by; // "DRAM bandwidth", "shared memory", "issue", "latency of DRAM", "barriers" …
    char advice[256];     // the one or two things that would help most
};

// Registers, occupancy and waves alone. LAUNCH: a block does not fit on the GPU, or, of a cooperative launch, the grid.
enum status predict_fit(const struct predict_job *job, struct prediction *prediction, struct diagnostic *diagnostic);

// The same, and else what the traced run returned (FAULT, TIMEOUT …).
enum status predict_run(const struct predict_job *job, struct prediction *prediction, struct diagnostic *diagnostic);

// The same in two parts, where the caller's knowledge of the work may come late: what blocks execute, which takes long,
// and the time that follows from it. The trace and what is predicted from it are for the same launch, or one that
// differs in its memory alone.
struct predict_trace;
enum status predict_trace(const struct predict_job *job, struct predict_trace **trace, struct diagnostic *diagnostic);
// Not with a log. With the job's constants, if it has some, in what the replay alone wants. False: for this work blocks
// would have been traced otherwise, or an SM would hold more of them, or fewer.
bool predict_from(const struct predict_job *job, struct predict_trace *trace, struct prediction *prediction);
void predict_trace_free(struct predict_trace *trace); // NULL is allowed

// Whether that prediction, made with an estimate of the registers, is the one for so many as well (0: still estimated).
// Then it says so.
bool predict_holds(const struct predict_job *job, struct prediction *prediction);

const char *predict_reason_name(enum replay_reason reason); // "shared memory"

#endif
