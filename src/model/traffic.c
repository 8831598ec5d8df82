#include "model/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/banks.h"

struct sector_entry *sector_find(struct sector_set *set, uint64_t sector)
{
    if (2 * set->count >= set->capacity) {
        struct sector_set larger = {.capacity = set->capacity ? 2 * set->capacity : 256, .count = set->count};
        larger.items = mem_alloc(larger.capacity * sizeof *larger.items);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->items[i].key)
                *sector_find(&(struct sector_set){.items = larger.items, .capacity = larger.capacity},
                             set->items[i].key - 1) = set->items[i];
        free(set->items);
        *set = larger;
    }
    size_t at = (size_t)(sector * 0x9e3779b97f4a7c15u >> 32) & (set->capacity - 1);
    while (set->items[at].key && set->items[at].key != sector + 1)
        at = (at + 1) & (set->capacity - 1);
    if (!set->items[at].key) {
        set->items[at].key = sector + 1;
        set->count++;
    }
    return &set->items[at];
}

static bool sector_has(const struct sector_set *set, uint64_t sector)
{
    size_t at = (size_t)(sector * 0x9e3779b97f4a7c15u >> 32) & (set->capacity - 1);
    while (set->items[at].key && set->items[at].key != sector + 1)
        at = (at + 1) & (set->capacity - 1);
    return set->items[at].key != 0;
}

void sector_touch(struct sector_set *set, uint64_t address, uint32_t bytes)
{
    while (bytes) {
        uint32_t offset = (uint32_t)(address % SECTOR_BYTES);
        uint32_t part = bytes < SECTOR_BYTES - offset ? bytes : SECTOR_BYTES - offset;
        struct sector_entry *entry = sector_find(set, address / SECTOR_BYTES);
        entry->bytes |= (part == SECTOR_BYTES ? UINT32_MAX : (1u << part) - 1) << offset;
        address += part;
        bytes -= part;
    }
}

// ---- who shares what, and what reaches DRAM

struct sharing {
    bool in_x, in_y;
};

static double shared_by(const struct sharing *sharing, const uint32_t grid[3], double wave)
{
    double x = (double)grid[0] < wave ? (double)grid[0] : wave, y = wave / (double)grid[0];
    y = y < 1 ? 1 : y > (double)grid[1] ? (double)grid[1] : y;
    return (sharing->in_x ? x : 1) * (sharing->in_y ? y : 1);
}

// Sectors that block 0 touched by this instruction, the part of them that DRAM moves for nothing because it reads and
// writes 64 bytes at a time, and the part that is written in part.
//
// scattered: those in lines of 128 bytes that stand alone.
struct footprint {
    double sectors, times, waste, partial, scattered;
};

static bool line_has(const struct sector_set *set, uint64_t line)
{
    return sector_has(set, 4 * line) || sector_has(set, 4 * line + 1) || sector_has(set, 4 * line + 2) ||
           sector_has(set, 4 * line + 3);
}

static struct footprint footprint_of(const struct sector_set *set)
{
    struct footprint f = {0};
    for (size_t i = 0; i < set->capacity; i++) {
        const struct sector_entry *entry = &set->items[i];
        if (!entry->key)
            continue;
        f.sectors++;
        f.times += entry->times;
        f.partial += entry->bytes != UINT32_MAX;
        f.waste += !sector_has(set, (entry->key - 1) ^ 1);
        f.scattered += !line_has(set, ((entry->key - 1) / 4) ^ 1);
    }
    return f;
}

// What an instruction wants from L2 over the whole grid, in sectors.
struct reuse {
    struct footprint f;
    double all;     // wanted, each block's own repetitions aside
    double whole;   // distinct ones
    double in_wave; // SMs that want the same at about the same time
};

// Data that are gone through again and again in a cache that drops lines at random: the part that is missed when they
// are `ratio` times as large as the cache. A line comes back after having survived the misses m of all others, so
// m = 1 - exp(-m ratio), which has no other solution than 0 up to ratio 1.
static double missed_part(double ratio)
{
    double m = 1;
    for (int i = 0; i < 60; i++)
        m = 1 - exp(-m * ratio);
    return ratio > 1 ? m : 0;
}

static struct reuse reuse_of(const struct traffic_launch *launch, const struct traffic_site *site, bool is_store)
{
    struct reuse reuse = {.f = footprint_of(&site->touched), .in_wave = 1};
    double array = (double)site->array_bytes / (double)SECTOR_BYTES, blocks = (double)launch->grid_blocks, in_grid = 1;
    reuse.all = reuse.f.sectors * launch->whole * blocks;
    if (!is_store) {
        struct sharing sharing = {.in_x = launch->grid[0] > 1 && site->first[1] == site->first[0],
                                  .in_y = launch->grid[1] > 1 && site->first[2] == site->first[0]};
        reuse.in_wave = shared_by(&sharing, launch->grid, (double)launch->active_sms * (double)launch->resident);
        in_grid = shared_by(&sharing, launch->grid, blocks);
    }
    reuse.whole = fmin(reuse.all / in_grid, array);
    return reuse;
}

// missed: the part of what comes again that L2 no longer has.
static void set_traffic(struct replay_inst *inst, const struct reuse *reuse, double missed)
{
    const struct footprint *f = &reuse->f;
    double first = fmin(1, reuse->whole * reuse->in_wave / reuse->all);
    inst->scattered = f->scattered / f->sectors;
    inst->sharing = reuse->in_wave;
    if (inst->kind != REPLAY_GLOBAL_STORE) {
        inst->dram = (first + (1 - first) * missed) * (1 + missed * f->waste / f->sectors);
        return;
    }
    // A sector written in part has to be read before it can be written back, unless the rest comes while it is in L2.
    double stays = f->sectors * first, goes = f->sectors + f->partial + (f->partial > 0 ? 2 * f->waste : 0);
    inst->dram = ((1 - missed) * stays + missed * goes) / f->times;
}

void traffic_share(const struct traffic_launch *launch, const struct traffic_site *sites, struct replay_inst *insts,
                   uint32_t count)
{
    struct reuse *reuses = mem_alloc(count * sizeof *reuses);
    double traffic = 0, l2 = launch->l2_part * (double)launch->gpu->l2_bytes / (double)SECTOR_BYTES;
    for (uint32_t pc = 0; pc < count; pc++) {
        if (!sites[pc].touched.count || insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            continue;
        reuses[pc] = reuse_of(launch, &sites[pc], insts[pc].kind == REPLAY_GLOBAL_STORE);
        traffic += reuses[pc].all / reuses[pc].in_wave;
    }
    for (uint32_t pc = 0; pc < count; pc++) {
        const struct reuse *reuse = &reuses[pc];
        if (insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            insts[pc].dram = 0;
        if (reuse->all <= 0)
            continue;
        // What others bring in between takes its room too.
        double ratio = reuse->whole * traffic / (reuse->all / reuse->in_wave) / l2;
        set_traffic(&insts[pc], reuse, missed_part(ratio));
    }
    free(reuses);
}
