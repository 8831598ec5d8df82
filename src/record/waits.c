// Follows each warp's copies from their issue to its wait for them.
#include "record/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "sim/sim.h"

// A copy instruction of one warp that is under way.
struct flight {
    uint32_t lanes, groups[SIM_LANES]; // lanes: not yet waited for; groups: the one that closes over each
    uint64_t issued, work;             // reads of the warp before it; between the last copy to its place and it
    uint64_t bytes;
    uint64_t mbarrier; // 1 + the one that counts it; 0: none does
    bool lands;        // now
};

struct waiting_warp {
    uint64_t reads, arrivals;
    uint32_t committed[SIM_LANES]; // groups
    struct flight *flights;
    size_t flight_count, flight_capacity;
};

struct waits {
    struct copy_waits seen;
    uint64_t barriers; // of the block
    struct waiting_warp warps[SIM_MAX_WARPS];
    struct map places; // reads of the warp before the last copy, by warp and address
};

struct waits *waits_new(void)
{
    struct waits *waits = mem_alloc(sizeof *waits);
    waits->places = map_of(uint64_t);
    return waits;
}

void waits_free(struct waits *waits)
{
    if (!waits)
        return;
    for (int i = 0; i < SIM_MAX_WARPS; i++)
        free(waits->warps[i].flights);
    map_free(&waits->places);
    free(waits);
}

struct copy_waits waits_take(struct waits *waits)
{
    struct copy_waits seen = waits->seen;
    waits->seen = (struct copy_waits){0};
    return seen;
}

static void waits_begin(void *context, const struct sim_block *block)
{
    struct waits *waits = context;
    (void)block;
    for (int i = 0; i < SIM_MAX_WARPS; i++) {
        struct waiting_warp *warp = &waits->warps[i];
        memset(warp->committed, 0, sizeof warp->committed);
        warp->reads = warp->arrivals = warp->flight_count = 0;
    }
    waits->barriers = 0;
    map_clear(&waits->places);
}

static void issue_copy(struct waits *waits, const struct sim_access *access)
{
    struct waiting_warp *warp = &waits->warps[access->warp];
    uint64_t *last = map_add(&waits->places, (uint64_t)access->warp << 32 | (uint32_t)access->first, NULL);
    struct flight *flight = mem_append(warp->flights, warp->flight_capacity, warp->flight_count);
    *flight = (struct flight){.lanes = access->mask,
                              .issued = warp->reads,
                              .work = warp->reads - *last,
                              .bytes = (uint64_t)__builtin_popcount(access->source_mask) * access->source_bytes};
    memcpy(flight->groups, warp->committed, sizeof flight->groups);
    *last = warp->reads;
}

static void waits_access(void *context, const struct sim_access *access)
{
    struct waits *waits = context;
    bool only_writes = access->kind == SIM_STORE || access->kind == SIM_MATRIX_STORE || access->kind == SIM_REDUCE;
    if (access->space != PTX_SHARED || !access->mask)
        return;
    if (access->kind == SIM_ASYNC_COPY && access->source_mask)
        issue_copy(waits, access);
    else if (!sim_is_copy(access->kind) && !only_writes)
        waits->warps[access->warp].reads++;
}

static void waits_group(void *context, const struct sim_group *group)
{
    struct waits *waits = context;
    waits->warps[group->warp].reads += group->kind == SIM_GROUP_PRODUCT;
}

bool waits_goes_ahead(double share, double mean)
{
    return 6 * share >= 1 || (5 * mean >= 1 && 48 * share >= 1);
}

static double share_under_way_of(const struct waiting_warp *warp, const struct flight *flight)
{
    return flight->work ? (double)(warp->reads - flight->issued) / (double)flight->work : 1;
}

static bool has_landed(struct flight *flight, const uint32_t *committed, const struct sim_sync *sync)
{
    FOR_LANES (lane, flight->lanes & sync->mask) {
        uint32_t group = flight->groups[lane];
        if (sync->all || (group < committed[lane] && committed[lane] - group > sync->count))
            flight->lanes &= ~(1u << lane);
    }
    return !flight->lanes;
}

// Those that land now.
static void land(struct waits *waits, struct waiting_warp *warp)
{
    double sum = 0;
    size_t landing = 0;
    for (size_t i = 0; i < warp->flight_count; i++) {
        sum += warp->flights[i].lands ? share_under_way_of(warp, &warp->flights[i]) : 0;
        landing += warp->flights[i].lands;
    }
    for (size_t i = warp->flight_count; i-- > 0;) {
        const struct flight *flight = &warp->flights[i];
        if (!flight->lands)
            continue;
        if (!waits_goes_ahead(share_under_way_of(warp, flight), sum / (double)landing))
            waits->seen.at_once += flight->bytes;
        warp->flights[i] = warp->flights[--warp->flight_count];
    }
    warp->arrivals += landing > 0;
}

// A warp waits for its own copies: with others', it waits for work that those have done.
static void waits_sync(void *context, const struct sim_sync *sync)
{
    struct waits *waits = context;
    struct waiting_warp *warp = &waits->warps[sync->warp];
    uint64_t mbarrier = sync->addresses && sync->mask ? 1 + sync->addresses[lane_first(sync->mask)] : 0;
    bool lands = false;
    if (sync->kind == SIM_SYNC_ASYNC_COMMIT)
        FOR_LANES (lane, sync->mask)
            warp->committed[lane]++;
    waits->barriers += sync->kind == SIM_SYNC_COMPLETE && sync->id == 0;
    for (size_t i = 0; i < warp->flight_count; i++) {
        struct flight *flight = &warp->flights[i];
        if (sync->kind == SIM_SYNC_ASYNC_MBARRIER && !flight->mbarrier)
            flight->mbarrier = mbarrier;
        flight->lands = (sync->kind == SIM_SYNC_ASYNC_WAIT && has_landed(flight, warp->committed, sync)) ||
                        (sync->kind == SIM_SYNC_MBARRIER_WAIT && flight->mbarrier == mbarrier);
        lands |= flight->lands;
    }
    if (lands)
        land(waits, warp);
}

static void waits_end(void *context, const struct sim_block *block)
{
    struct waits *waits = context;
    (void)block;
    for (int i = 0; i < SIM_MAX_WARPS; i++) {
        waits->seen.arrivals += waits->warps[i].arrivals;
        waits->seen.barriers += waits->warps[i].arrivals ? waits->barriers : 0;
    }
}

struct sim_observer waits_observer(struct waits *waits)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_SYNC | SIM_WANT_GROUP | SIM_TAKES_SHAPES,
                                 .context = waits,
                                 .block_begin = waits_begin,
                                 .block_end = waits_end,
                                 .access = waits_access,
                                 .sync = waits_sync,
                                 .group = waits_group};
}
