// Adds up what each warp moves. A copy moves its bytes twice, on either side.
#include "record/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/banks.h"
#include "sim/sim.h"

// What the warps of a block move: in all, and since its last __syncthreads().
struct warp_bytes {
    double all[BALANCE_AWAITED][SIM_MAX_WARPS], phase[BALANCE_AWAITED][SIM_MAX_WARPS];
};

struct balance {
    struct warp_balance seen;
    struct warp_bytes bytes; // of the block
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

static void credit_warp(struct warp_bytes *bytes, enum balance_kind what, uint64_t warps, uint32_t warp,
                        enum sim_access_kind kind, double moved)
{
    bool is_bulk = kind == SIM_BULK_COPY;
    for (uint64_t i = is_bulk ? 0 : warp; i < (is_bulk ? warps : warp + 1); i++) {
        double part = is_bulk ? moved / (double)warps : moved;
        bytes->all[what][i] += part;
        bytes->phase[what][i] += part;
    }
}

static void tally_bytes(struct warp_balance *sum, enum balance_kind kind, const double *bytes, uint64_t warps)
{
    double all = 0, most = 0;
    for (uint64_t i = 0; i < warps; i++) {
        all += bytes[i];
        most = fmax(most, bytes[i]);
    }
    sum->mean[kind] += all / (double)warps;
    sum->most[kind] += most;
}

static void tally_phase(struct warp_balance *sum, struct warp_bytes *bytes, uint64_t warps)
{
    double busy[SIM_MAX_WARPS], most = 0;
    for (uint64_t i = 0; i < warps; i++)
        most = fmax(most, bytes->phase[BALANCE_FETCHED][i]);
    for (uint64_t i = 0; i < warps; i++)
        busy[i] = fmin(most, bytes->phase[BALANCE_MOVED][i]);
    tally_bytes(sum, BALANCE_AWAITED, busy, warps);
    memset(bytes->phase, 0, sizeof bytes->phase);
}

static void tally_block(struct warp_balance *sum, struct warp_bytes *bytes, uint64_t warps)
{
    tally_phase(sum, bytes, warps);
    for (int kind = 0; kind < BALANCE_AWAITED; kind++)
        tally_bytes(sum, (enum balance_kind)kind, bytes->all[kind], warps);
}

void balance_add(struct warp_balance *sum, const struct warp_balance *more)
{
    for (int kind = 0; kind < BALANCE_KINDS; kind++) {
        sum->mean[kind] += more->mean[kind];
        sum->most[kind] += more->most[kind];
    }
}

static void balance_begin(void *context, const struct sim_block *block)
{
    struct balance *balance = context;
    (void)block;
    memset(&balance->bytes, 0, sizeof balance->bytes);
}

// Of a side in global memory; a bulk copy's one lane has as many bytes as there are.
static double count_sectors(uint32_t bytes, uint32_t mask, const uint64_t *addresses)
{
    return mask ? (double)sectors_count(bytes, mask, addresses) : 0;
}

static void balance_access(void *context, const struct sim_access *access)
{
    struct balance *balance = context;
    struct sim_spread spread;
    struct sim_access source;
    uint64_t warps = access->block->warps;
    bool is_copy = sim_is_copy(access->kind);
    double bytes = (double)access->bytes * __builtin_popcount(access->mask);
    if (access->space == PTX_SHARED || access->space == PTX_GLOBAL)
        credit_warp(&balance->bytes, BALANCE_MOVED, warps, access->warp, access->kind, is_copy ? 2 * bytes : bytes);
    if (access->space == PTX_GLOBAL && access->mask)
        credit_warp(&balance->bytes, BALANCE_GLOBAL, warps, access->warp, access->kind,
                    count_sectors(access->bytes, access->mask, sim_access_spread(access, &spread)->addresses));
    if (sim_access_source(access, &source) && source.space == PTX_GLOBAL) {
        credit_warp(&balance->bytes, BALANCE_FETCHED, warps, access->warp, access->kind,
                    (double)source.bytes * __builtin_popcount(source.mask));
        credit_warp(&balance->bytes, BALANCE_GLOBAL, warps, access->warp, access->kind,
                    count_sectors(source.bytes, source.mask, sim_access_spread(&source, &spread)->addresses));
    }
    if (access->space == PTX_GLOBAL && access->kind == SIM_LOAD)
        credit_warp(&balance->bytes, BALANCE_FETCHED, warps, access->warp, access->kind, bytes);
}

static void balance_sync(void *context, const struct sim_sync *sync)
{
    struct balance *balance = context;
    if (sync->kind == SIM_SYNC_COMPLETE && sync->id == 0)
        tally_phase(&balance->seen, &balance->bytes, sync->block->warps);
}

static void balance_end(void *context, const struct sim_block *block)
{
    struct balance *balance = context;
    tally_block(&balance->seen, &balance->bytes, block->warps);
}

struct sim_observer balance_observer(struct balance *balance)
{
    return (struct sim_observer){.wants =
                                     SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC | SIM_TAKES_SHAPES,
                                 .context = balance,
                                 .block_begin = balance_begin,
                                 .block_end = balance_end,
                                 .access = balance_access,
                                 .sync = balance_sync};
}

double balance_share(const struct warp_balance *balance, enum balance_kind kind)
{
    return balance->most[kind] > 0 ? balance->mean[kind] / balance->most[kind] : (double)NAN;
}

// Whether this access reads global memory. Of a copy into shared memory the side that it reads comes first.
static bool recorded_fetch(const struct recording *recording, size_t i)
{
    const struct recorded_access *access = &recording->items[i], *next = access + 1;
    if (access->space != PTX_GLOBAL)
        return false;
    if (!sim_is_copy(access->kind))
        return access->kind == SIM_LOAD; // what an atomic returns is most often thrown away
    return i + 1 < recording->count && next->kind == access->kind && next->warp == access->warp &&
           next->step == access->step && next->space == PTX_SHARED;
}

double balance_recorded(const struct recording *recording, uint64_t threads, enum balance_kind kind)
{
    struct warp_balance sum = {0};
    struct warp_bytes bytes = {0};
    uint32_t phase = 0;
    uint64_t warps = (threads + SIM_LANES - 1) / SIM_LANES;
    if (!recording || recording->truncated || recording->count < recording->total || !warps || warps > SIM_MAX_WARPS)
        return NAN;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        double moved = (double)access->bytes * __builtin_popcount(access->mask);
        if (access->warp >= SIM_MAX_WARPS || (access->space != PTX_SHARED && access->space != PTX_GLOBAL))
            continue;
        if (access->phase != phase)
            tally_phase(&sum, &bytes, warps);
        phase = access->phase;
        credit_warp(&bytes, BALANCE_MOVED, warps, access->warp, access->kind, moved);
        if (access->space == PTX_GLOBAL)
            credit_warp(&bytes, BALANCE_GLOBAL, warps, access->warp, access->kind,
                        count_sectors(access->bytes, access->mask, access->addresses));
        if (recorded_fetch(recording, i))
            credit_warp(&bytes, BALANCE_FETCHED, warps, access->warp, access->kind, moved);
    }
    tally_block(&sum, &bytes, warps);
    return balance_share(&sum, kind);
}
