// The GPUs that the model knows, their limits, and how many blocks fit on an SM.
#ifndef BANKSHOT_MODEL_GPUS_H
#define BANKSHOT_MODEL_GPUS_H

#include <stdint.h>

// In the order of gpus.def.
struct gpu_profile {
    const char *name;
    unsigned sm; // compute capability, 90 = 9.0
    uint32_t sms, mhz, schedulers, fp32_lanes, int32_lanes, warps, blocks;
    uint32_t shared_sm, shared_block, shared_reserved, l1_bytes; // bytes
    uint64_t l2_bytes;
    double dram_gbps;
    uint32_t l1_latency, l2_latency, dram_latency; // cycles
};

// By name ("H200", case and blanks ignored); NULL = the default, the H200. NULL back: not known.
const struct gpu_profile *gpu_profile_find(const char *name);
const struct gpu_profile *gpu_profile_at(unsigned index); // NULL after the last
// The one that a kernel compiled for this compute capability is modelled on when nobody chose.
const struct gpu_profile *gpu_profile_for(unsigned sm);

enum { GPU_REGISTERS = 65536, GPU_THREAD_REGISTERS = 255 };

// Occupancy: the smallest of four limits. CUDA Occupancy Calculator's rules: registers are handed out to warps in
// units of 256, shared memory to blocks in units of 128 bytes (1 KiB before compute capability 7.0) plus what the
// system reserves.
struct occupancy {
    uint32_t blocks, warps;                                  // resident on one SM; 0: a block does not fit at all
    double fraction;                                         // of the SM's warps
    uint32_t by_threads, by_blocks, by_registers, by_shared; // blocks that each limit alone allows
    const char *limit;                                       // "warps", "blocks", "registers" or "shared memory"
};
struct occupancy occupancy_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                              uint32_t shared_bytes);

#endif
