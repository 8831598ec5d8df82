// The GPUs that the model knows, their limits, and how many blocks fit on an SM.
#ifndef BANKSHOT_MODEL_GPUS_H
#define BANKSHOT_MODEL_GPUS_H

#include <stdint.h>

#include "base/text.h"

struct replay_constants;

// In the order of gpus.def.
struct gpu_profile {
    const char *name;
    unsigned sm; // compute capability, 90 = 9.0
    uint32_t sms, mhz, schedulers, fp32_lanes, int32_lanes, warps, blocks;
    uint32_t shared_sm, shared_block, shared_reserved, shared_least, l1_bytes; // bytes
    uint64_t l2_bytes;
    double dram_gbps;
    uint32_t l1_latency, l2_latency, dram_latency; // cycles
    double l2_gbps; // to all SMs, as measured; 0: in proportion to the H200's (timing.def: l2_total_gbps)
    const struct replay_constants *constants; // of a GPU that was calibrated; NULL: those of timing.def
};

// By name ("H200", case and blanks ignored); NULL = the default, the H200. NULL back: not known.
const struct gpu_profile *gpu_profile_find(const char *name);
const struct gpu_profile *gpu_profile_at(unsigned index); // NULL after the last
// The one of that name as a word of its driver's name for it ("NVIDIA H100 80GB HBM3"); NULL: there is none.
const struct gpu_profile *gpu_profile_of_device(const char *device);
// Of the same architecture if there is one, and then with the next number of SMs.
const struct gpu_profile *gpu_profile_nearest(unsigned sm, uint32_t sms);
// The one that a kernel compiled for this compute capability is modelled on when nobody chose.
const struct gpu_profile *gpu_profile_for(unsigned sm);

enum { GPU_REGISTERS = 65536, GPU_THREAD_REGISTERS = 255, GPU_BLOCK_THREADS = 1024 };

// Occupancy: the smallest of four limits, by the rules of cuda_occupancy.h (CUDA 13.0; a test compares them with its
// answers). Registers are handed out to warps in units of 256, from the quarter of the register file that a scheduler
// has; a block whose warps, filled up to a multiple of four, want more than the file has does not start. Shared memory
// is handed out to blocks in units of 128 bytes (256 before compute capability 8.0), with what the system reserves.
enum occupancy_resource {
    OCCUPANCY_WARPS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_BLOCKS,
    OCCUPANCY_RESOURCES
};
struct occupancy_share {
    const char *name;   // "warps", "registers", "shared memory" or "blocks"
    uint32_t sm, block; // what an SM has, what a block takes of it; shared memory in bytes
    uint32_t blocks;    // that it has room for
};
struct occupancy {
    uint32_t blocks, warps; // resident on one SM; 0: a block does not fit at all
    double fraction;        // of the SM's warps
    struct occupancy_share shares[OCCUPANCY_RESOURCES];
    const char *limit;           // the name of the first share with the fewest blocks
    uint32_t carve_out, l1_left; // bytes: the least of L1 that can be set aside for these blocks; what is left of it
};
struct occupancy occupancy_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                              uint32_t shared_bytes);

// What changing one number alone does to a block that fits: the most of it that leaves as many blocks on the SM, and
// the most with which one block more would fit (0: none would; the number is at least 1).
struct occupancy_room {
    uint32_t registers, shared_bytes;
    uint32_t registers_more, shared_bytes_more;
};
struct occupancy_room occupancy_room_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                                        uint32_t shared_bytes);

// The whole calculation as text, a line for each share and for what one more costs.
void occupancy_print(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers, uint32_t shared_bytes,
                     struct text *out);

#endif
