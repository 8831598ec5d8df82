// Adds up what each warp moves. A copy moves its bytes twice, on either side.
#include "record/balance.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sim/sim.h"

struct balance {
    struct warp_balance seen;
    double bytes[SIM_MAX_WARPS]; // of the block
};

struct balance *balance_new(void)
{
    return mem_alloc(sizeof(struct balance));
}

void balance_free(struct balance *balance)
{
    free(balance);
}

struct warp_balance balance_take(struct balance *balance)
{
    struct warp_balance seen = balance->seen;
    balance->seen = (struct warp_balance){0};
    return seen;
}

static void credit_warp(double *bytes, uint64_t warps, uint32_t warp, enum sim_access_kind kind, double moved)
{
    if (kind != SIM_BULK_COPY)
        bytes[warp] += moved;
    for (uint64_t i = 0; kind == SIM_BULK_COPY && i < warps; i++)
        bytes[i] += moved / (double)warps;
}

static void tally_block(struct warp_balance *sum, const double *bytes, uint64_t warps)
{
    double all = 0, most = 0;
    for (uint64_t i = 0; i < warps; i++) {
        all += bytes[i];
        most = bytes[i] > most ? bytes[i] : most;
    }
    sum->mean += all / (double)warps;
    sum->most += most;
}

static void balance_begin(void *context, const struct sim_block *block)
{
    struct balance *balance = context;
    (void)block;
    for (int i = 0; i < SIM_MAX_WARPS; i++)
        balance->bytes[i] = 0;
}

static void balance_access(void *context, const struct sim_access *access)
{
    struct balance *balance = context;
    double bytes = (double)access->bytes * __builtin_popcount(access->mask) * (sim_is_copy(access->kind) ? 2 : 1);
    if (access->space == PTX_SHARED || access->space == PTX_GLOBAL)
        credit_warp(balance->bytes, access->block->warps, access->warp, access->kind, bytes);
}

static void balance_end(void *context, const struct sim_block *block)
{
    struct balance *balance = context;
    tally_block(&balance->seen, balance->bytes, block->warps);
}

struct sim_observer balance_observer(struct balance *balance)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_TAKES_SHAPES,
                                 .context = balance,
                                 .block_begin = balance_begin,
                                 .block_end = balance_end,
                                 .access = balance_access};
}

double balance_share(const struct warp_balance *balance)
{
    return balance->most > 0 ? balance->mean / balance->most : (double)NAN;
}

double balance_recorded(const struct recording *recording, uint64_t threads)
{
    struct warp_balance sum = {0};
    double bytes[SIM_MAX_WARPS] = {0};
    uint64_t warps = (threads + SIM_LANES - 1) / SIM_LANES;
    if (!recording || recording->truncated || recording->count < recording->total || !warps || warps > SIM_MAX_WARPS)
        return NAN;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        if (access->warp < SIM_MAX_WARPS && (access->space == PTX_SHARED || access->space == PTX_GLOBAL))
            credit_warp(bytes, warps, access->warp, access->kind,
                        (double)access->bytes * __builtin_popcount(access->mask));
    }
    tally_block(&sum, bytes, warps);
    return balance_share(&sum);
}
