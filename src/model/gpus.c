// The table of GPUs, and the occupancy calculator.
#include "model/gpus.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

static const struct gpu_profile profiles[] = {
#define KIB(number) ((number)*UINT32_C(1024))
#define GPU(...) {__VA_ARGS__},
#include "model/gpus.def"
#undef GPU
#undef KIB
};

enum { PROFILE_COUNT = sizeof profiles / sizeof *profiles };

static bool is_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ' || *a == '-')
            a++;
        while (*b == ' ' || *b == '-')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
    }
}

const struct gpu_profile *gpu_profile_find(const char *name)
{
    for (unsigned i = 0; i < PROFILE_COUNT; i++)
        if (is_same(name && *name ? name : "H200", profiles[i].name))
            return &profiles[i];
    return NULL;
}

const struct gpu_profile *gpu_profile_at(unsigned index)
{
    return index < PROFILE_COUNT ? &profiles[index] : NULL;
}

const struct gpu_profile *gpu_profile_for(unsigned sm)
{
    const struct gpu_profile *best = &profiles[0];
    for (unsigned i = 0; i < PROFILE_COUNT; i++)
        if (profiles[i].sm <= sm)
            best = &profiles[i];
    return best;
}

static uint32_t whole_units(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

struct occupancy occupancy_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                              uint32_t shared_bytes)
{
    struct occupancy occupancy = {.by_blocks = gpu->blocks};
    uint32_t warps = (block_threads + 31) / 32;
    uint32_t warp_registers = whole_units(32 * (registers ? registers : 1), 256);
    // Each scheduler has a quarter of the register file.
    uint32_t register_warps = GPU_REGISTERS / gpu->schedulers / warp_registers * gpu->schedulers;
    uint32_t shared = whole_units(shared_bytes + gpu->shared_reserved, 128);
    occupancy.by_threads = warps ? gpu->warps / warps : 0;
    occupancy.by_registers = warps ? register_warps / warps : 0;
    occupancy.by_shared = shared ? gpu->shared_sm / shared : gpu->blocks;
    if (shared_bytes > gpu->shared_block)
        occupancy.by_shared = 0;
    const struct {
        uint32_t blocks;
        const char *name;
    } limits[] = {{occupancy.by_threads, "warps"},
                  {occupancy.by_registers, "registers"},
                  {occupancy.by_shared, "shared memory"},
                  {occupancy.by_blocks, "blocks"}};
    occupancy.blocks = UINT32_MAX;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].blocks < occupancy.blocks) {
            occupancy.blocks = limits[i].blocks;
            occupancy.limit = limits[i].name;
        }
    occupancy.warps = occupancy.blocks * warps;
    occupancy.fraction = (double)occupancy.warps / (double)gpu->warps;
    return occupancy;
}
