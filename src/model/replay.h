// The replay of one SM: warps' instruction streams in, cycles out.
//
// Discrete events: four schedulers issue one warp instruction a cycle each; a scoreboard holds a warp until its
// operands are there; one load/store pipe serves shared memory (a wavefront a cycle) and L1 (a line a cycle); misses
// go to L2 and DRAM through the SM's share of their bandwidth. Blocks follow one another as they end. It is a model:
// counts that go in are exact, times that come out are estimates with the error that docs/timing-model.md shows.
#ifndef BANKSHOT_MODEL_REPLAY_H
#define BANKSHOT_MODEL_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/gpus.h"
#include "model/replay_log.h"

enum replay_kind {
    REPLAY_FREE, // ptxas leaves nothing of it: moves, address conversions
    REPLAY_INT,
    REPLAY_FP32,
    REPLAY_FP64,
    REPLAY_SPECIAL,
    REPLAY_TENSOR,
    REPLAY_CONTROL,
    REPLAY_SHUFFLE,
    REPLAY_CONSTANT, // a load from constant memory whose place is not known when compiling
    REPLAY_SHARED_LOAD,
    REPLAY_SHARED_STORE,
    REPLAY_SHARED_ATOMIC,
    REPLAY_GLOBAL_LOAD,
    REPLAY_GLOBAL_STORE,
    REPLAY_GLOBAL_ATOMIC,
    REPLAY_COPY, // cp.async
    REPLAY_COMMIT,
    REPLAY_WAIT, // its groups; WAIT: all but `count` of them
    REPLAY_BARRIER,
    REPLAY_PRODUCT, // wgmma: goes on by itself
    REPLAY_PRODUCT_COMMIT,
    REPLAY_PRODUCT_WAIT, // its groups, likewise
    REPLAY_BULK,         // cp.async.bulk and its kin: goes on by itself
    REPLAY_BULK_COMMIT,
    REPLAY_BULK_WAIT, // its groups, likewise
    REPLAY_ARRIVE,    // at an mbarrier, or at a named barrier without waiting
    REPLAY_AWAIT,     // the end of an mbarrier's phase
    REPLAY_KINDS
};

enum { REPLAY_TENSOR_TURN = 6 }; // cycles of a turn of sm_90's tensor pipe

enum replay_fence { REPLAY_NO_FENCE, REPLAY_FENCE_BLOCK, REPLAY_FENCE_GPU, REPLAY_FENCE_SYSTEM, REPLAY_FENCES };

// Pipes of arithmetic. HEAVY is one of FP32's two.
enum sass_pipe {
    PIPE_FP32,
    PIPE_HEAVY,
    PIPE_INT,
    PIPE_SPECIAL,
    PIPE_FP64,
    PIPE_TENSOR,
    PIPE_SHUFFLE,
    PIPE_CONSTANT,
    PIPES
};

struct sass_cost {
    double instructions;
    double turns[PIPES]; // a pipe's, for a warp
    double latency;      // cycles in a dependent chain
};

enum { REPLAY_SOURCES = 12, REPLAY_RESULTS = 8, REPLAY_MAX_REGISTERS = 4096 };

struct replay_inst {
    enum replay_kind kind;
    uint32_t origin; // the program's instruction; of copies (unroll.h), the one that they are of
    bool rides;      // another access, fused with it, does its work
    bool wall;       // ptxas moves nothing across it
    bool compares;   // gives a predicate
    bool guarded;    // by a predicate: the first of its sources
    bool jumps;      // a branch that ptxas leaves one
    bool bypasses;   // L1
    bool readonly;   // a load of what nobody writes while the kernel runs (ld.global.nc)
    bool swaps;      // an atomic that compares and swaps
    bool parted;     // wmma.load, wmma.store: a step for each of its accesses
    bool stores;     // BULK: to global memory
    bool adds;       // … to what is there
    bool reads;      // BULK_WAIT: only until what is copied has been read
    bool copies;     // ARRIVE: when the warp's asynchronous copies are there
    uint8_t source_count, result_count;
    uint8_t fence; // enum replay_fence
    bool sleeps;
    uint16_t count;                                            // WAIT, PRODUCT_WAIT, BULK_WAIT
    uint16_t sources[REPLAY_SOURCES], results[REPLAY_RESULTS]; // register numbers
    struct sass_cost cost;                                     // arithmetic
    double sharing;   // loads: SMs that want the same sectors at about the same time
    double crowd;     // BULK: blocks that want the same, of all that are at work at a time, wherever they are
    double joined;    // stores: part of its sectors that the same warp fills by others
    double dram;      // sectors that DRAM moves for each sector wanted first
    double burden;    // DRAM's time for what it moves, in times of what as many bytes of pure reads take
    double scattered; // part of its sectors that lie in 128-byte lines whose neighbour the block does not touch
};

struct replay_step {
    uint32_t inst;
    uint32_t first;          // global: its sectors in job->sectors; BULK, ARRIVE, AWAIT, BARRIER: its phase, 0: none
    uint16_t sectors, lines; // global
    uint16_t odd_lines;      // of the lines, those with odd numbers
    uint16_t data_cycles;    // global: that L1 needs to hand out the data
    uint16_t wavefronts;     // shared
    uint16_t rounds;         // BULK: copies, one of each lane;
                             // of an atomic in shared memory that is a loop of compare-and-swap; of match.any, its
    // lanes' different values; of a load from constant memory, their addresses; of an atomic in
    // global memory its sectors, each as often as its busiest word; else 0
    uint8_t partial;           // stores: some sectors are written in part
    uint8_t active;            // lanes
    bool jumps;                // a branch: the warp goes on elsewhere than behind it, or with other lanes
    bool local;                // global: in local memory; its sectors are counted from the warp's first one
    float sleep;               // nanosleep: cycles
    uint32_t place, place_end; // shared: the bytes that it touches lie in [place, place_end); for the log
};

struct replay_warp {
    const struct replay_step *steps;
    size_t count;
    size_t early; // of a long block, steps at its beginning; what follows stands for more. 0: all alike
};

struct replay_block {
    const struct replay_warp *warps;
    uint32_t warp_count;
    // Of mbarriers and named barriers (phases.h), by number: how many steps arrive there or bring bytes. NULL: none.
    const uint32_t *phases;
    uint32_t phase_count;
};

struct replay_job {
    const struct gpu_profile *gpu;
    const struct replay_inst *insts;
    uint32_t inst_count, register_count;
    const struct replay_block *blocks; // in the order in which they come to this SM
    size_t block_count;
    uint32_t resident;       // at a time
    uint32_t active_sms;     // SMs that have work: they share L2 and DRAM
    uint32_t shared_bytes;   // of a block, for what is left as L1
    const uint64_t *sectors; // addresses / 32
    double spills;           // accesses to local memory for each instruction, since registers do not suffice
    double local_missed;     // part of the local memory wanted again that L2 has written back to DRAM
    struct replay_log *log;  // begun; NULL: nobody looks. Its spans hold instructions until replay_log_end
};

enum replay_reason {
    REPLAY_WAIT_ISSUE,
    REPLAY_WAIT_ARITHMETIC,
    REPLAY_WAIT_SHARED,
    REPLAY_WAIT_L1,
    REPLAY_WAIT_L2,
    REPLAY_WAIT_DRAM,
    REPLAY_WAIT_BARRIER,
    REPLAY_WAIT_ASYNC,
    REPLAY_WAIT_QUEUE,
    REPLAY_REASONS
};

// What is fitted (timing.def): see there.
struct replay_constants {
#define T(name, value, low, high, meaning) double name;
#include "model/timing.def"
#undef T
};
extern const struct replay_constants replay_defaults;

struct replay_result {
    double cycles;                          // from the first block's start to the last one's end
    double *block_end;                      // [block_count], the caller frees
    double early;                           // share of the warps' time that they spent on their early steps
    double waits[REPLAY_REASONS];           // warp cycles spent waiting, by reason
    double issued;                          // warp instructions issued
    double shared_busy, l1_busy, dram_busy; // cycles that each pipe was taken
    double l2_busy, l2_in_busy;             // the ways from L2 and to it
    double bulk_busy;                       // the unit that makes bulk copies
    double tensor_busy;                     // of wgmma, the schedulers' pipes together
    double dram_bytes;
};

void replay_run(const struct replay_job *job, const struct replay_constants *constants, struct replay_result *result);

#endif
