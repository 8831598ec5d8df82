// The table of GPUs, and the occupancy calculator.
#include "model/gpus.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct gpu_profile profiles[] = {
#define KIB(number) ((number)*UINT32_C(1024))
#define GPU(...) {__VA_ARGS__, NULL},
#include "model/gpus.def"
#undef GPU
};

static const uint32_t carve_outs[] = {
#define CARVE_OUT(bytes) bytes,
#include "model/gpus.def"
#undef CARVE_OUT
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

const struct gpu_profile *gpu_profile_of_device(const char *device)
{
    for (unsigned i = 0; i < PROFILE_COUNT; i++) {
        const char *name = profiles[i].name, *at = strstr(device, name);
        char after = at ? at[strlen(name)] : '\0';
        if (at && (at == device || at[-1] == ' ') && !isalnum((unsigned char)after))
            return &profiles[i];
    }
    return NULL;
}

const struct gpu_profile *gpu_profile_nearest(unsigned sm, uint32_t sms)
{
    const struct gpu_profile *best = &profiles[0];
    for (unsigned i = 1; i < PROFILE_COUNT; i++) {
        const struct gpu_profile *profile = &profiles[i];
        int further = abs((int)profile->sm - (int)sm) - abs((int)best->sm - (int)sm);
        int more = abs((int)profile->sms - (int)sms) - abs((int)best->sms - (int)sms);
        if (further < 0 || (further == 0 && more <= 0))
            best = profile;
    }
    return best;
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

// Of L1, for `bytes` of shared memory.
static uint32_t carve_out(const struct gpu_profile *gpu, uint32_t bytes)
{
    if (bytes <= gpu->shared_least)
        return gpu->shared_least;
    for (size_t i = 0; i < sizeof carve_outs / sizeof *carve_outs; i++)
        if (carve_outs[i] >= bytes && carve_outs[i] >= gpu->shared_least && carve_outs[i] < gpu->shared_sm)
            return carve_outs[i];
    return gpu->shared_sm;
}

static struct occupancy_share plain_share(const char *name, uint32_t sm, uint32_t block, uint32_t most)
{
    return (struct occupancy_share){name, sm, block, block ? sm / block : most};
}

static struct occupancy_share share_of_registers(const struct gpu_profile *gpu, uint32_t warps, uint32_t registers)
{
    uint32_t of_warp = whole_units(32 * (registers ? registers : 1), 256);
    struct occupancy_share share = plain_share("registers", GPU_REGISTERS, of_warp * warps, gpu->blocks);
    share.blocks = GPU_REGISTERS / gpu->schedulers / of_warp * gpu->schedulers / warps;
    if (registers > GPU_THREAD_REGISTERS || of_warp * whole_units(warps, gpu->schedulers) > GPU_REGISTERS)
        share.blocks = 0;
    return share;
}

static struct occupancy_share share_of_shared(const struct gpu_profile *gpu, uint32_t bytes)
{
    uint32_t block =
        bytes > gpu->shared_sm ? bytes : whole_units(bytes + gpu->shared_reserved, gpu->sm < 80 ? 256 : 128);
    struct occupancy_share share = plain_share("shared memory", gpu->shared_sm, block, gpu->blocks);
    if (bytes > gpu->shared_block)
        share.blocks = 0;
    return share;
}

struct occupancy occupancy_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                              uint32_t shared_bytes)
{
    uint32_t warps = block_threads > 32 ? (block_threads + 31) / 32 : 1;
    struct occupancy occupancy = {.blocks = UINT32_MAX,
                                  .shares = {[OCCUPANCY_WARPS] = plain_share("warps", gpu->warps, warps, gpu->blocks),
                                             [OCCUPANCY_REGISTERS] = share_of_registers(gpu, warps, registers),
                                             [OCCUPANCY_SHARED] = share_of_shared(gpu, shared_bytes),
                                             [OCCUPANCY_BLOCKS] = plain_share("blocks", gpu->blocks, 1, gpu->blocks)}};
    if (block_threads == 0 || block_threads > GPU_BLOCK_THREADS)
        occupancy.shares[OCCUPANCY_WARPS].blocks = 0;
    for (size_t i = 0; i < OCCUPANCY_RESOURCES; i++)
        if (occupancy.shares[i].blocks < occupancy.blocks) {
            occupancy.blocks = occupancy.shares[i].blocks;
            occupancy.limit = occupancy.shares[i].name;
        }
    occupancy.warps = occupancy.blocks * warps;
    occupancy.fraction = (double)occupancy.warps / (double)gpu->warps;
    occupancy.carve_out = carve_out(gpu, occupancy.blocks * occupancy.shares[OCCUPANCY_SHARED].block);
    occupancy.l1_left = gpu->l1_bytes - occupancy.carve_out;
    return occupancy;
}

struct occupancy_room occupancy_room_of(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers,
                                        uint32_t shared_bytes)
{
    struct occupancy_room room = {0};
    uint32_t blocks = occupancy_of(gpu, block_threads, registers, shared_bytes).blocks;
    for (uint32_t i = 1; i <= GPU_THREAD_REGISTERS && blocks; i++) {
        uint32_t with = occupancy_of(gpu, block_threads, i, shared_bytes).blocks;
        room.registers = with >= blocks ? i : room.registers;
        room.registers_more = with > blocks ? i : room.registers_more;
    }
    // of what is handed out in units, the last byte of a unit; 64 divides them all
    for (uint32_t i = 64; i <= gpu->shared_block && blocks; i += 64) {
        uint32_t with = occupancy_of(gpu, block_threads, registers, i).blocks;
        room.shared_bytes = with >= blocks ? i : room.shared_bytes;
        room.shared_bytes_more = with > blocks ? i : room.shared_bytes_more;
    }
    return room;
}

// ---- as text

// "up to 56 a thread: 3 blocks, one more: 2; up to 40: 4"
static void print_room(const char *name, const char *unit, uint32_t most, uint32_t end, uint32_t more,
                       const uint32_t blocks[3], struct text *out)
{
    text_printf(out, "  %-15s ", name);
    if (most >= end)
        text_printf(out, "any number%s: %u block%s", unit, blocks[0], blocks[0] == 1 ? "" : "s");
    else
        text_printf(out, "up to %u%s: %u block%s, one more: %u", most, unit, blocks[0], blocks[0] == 1 ? "" : "s",
                    blocks[1]);
    if (more)
        text_printf(out, "; up to %u: %u", more, blocks[2]);
    text_puts(out, "\n");
}

void occupancy_print(const struct gpu_profile *gpu, uint32_t block_threads, uint32_t registers, uint32_t shared_bytes,
                     struct text *out)
{
    struct occupancy occupancy = occupancy_of(gpu, block_threads, registers, shared_bytes);
    struct occupancy_room room = occupancy_room_of(gpu, block_threads, registers, shared_bytes);
    text_printf(out, "%s: %u threads a block, %u registers a thread, %u bytes of shared memory\n\n", gpu->name,
                block_threads, registers, shared_bytes);
    text_printf(out, "  %-15s %10s %14s %15s\n", "", "an SM has", "a block takes", "room for blocks");
    for (size_t i = 0; i < OCCUPANCY_RESOURCES; i++) {
        const struct occupancy_share *share = &occupancy.shares[i];
        text_printf(out, "  %-15s %10u %14u %15u%s\n", share->name, share->sm, share->block, share->blocks,
                    share->name == occupancy.limit ? "  <- the limit" : "");
    }
    if (occupancy.blocks == 0) {
        text_printf(out, "\nNot a single block fits: %s.\n", occupancy.limit);
        return;
    }
    text_printf(out, "\n%u block%s on an SM, %u of %u warps: occupancy %.0f %%\n\n", occupancy.blocks,
                occupancy.blocks == 1 ? "" : "s", occupancy.warps, gpu->warps, 100 * occupancy.fraction);
    const uint32_t now = occupancy.blocks;
    print_room("registers", " a thread", room.registers, GPU_THREAD_REGISTERS, room.registers_more,
               (const uint32_t[]){now, occupancy_of(gpu, block_threads, room.registers + 1, shared_bytes).blocks,
                                  occupancy_of(gpu, block_threads, room.registers_more, shared_bytes).blocks},
               out);
    print_room("shared memory", " bytes", room.shared_bytes, UINT32_MAX, room.shared_bytes_more,
               (const uint32_t[]){now, occupancy_of(gpu, block_threads, registers, room.shared_bytes + 1).blocks,
                                  occupancy_of(gpu, block_threads, registers, room.shared_bytes_more).blocks},
               out);
    text_printf(out, "  %-15s at least %u of %u KB go to shared memory, L1 keeps %u\n", "L1",
                occupancy.carve_out / 1024, gpu->l1_bytes / 1024, occupancy.l1_left / 1024);
}
