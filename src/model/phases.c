// Follows the parities of mbarriers and the openings of named barriers.
#include "model/phases.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "sim/sim.h"

static const uint64_t NAMED = UINT64_C(1) << 60; // keys of named barriers; those of mbarriers are addresses

struct followed_barrier {
    uint32_t phase, before; // the one under way, and the one that ended last
    bool parity;            // of the one under way
    bool has_ended;         // a named barrier: it has opened since
};

struct phases {
    struct map barriers;
    uint32_t *needed; // by phase
    size_t count, capacity;
    uint32_t seen[SIM_MAX_WARPS]; // of the step that the warp is executing
};

struct phases *phases_new(void)
{
    struct phases *phases = mem_alloc(sizeof *phases);
    phases->barriers = map_of(struct followed_barrier);
    phases_begin(phases);
    return phases;
}

void phases_free(struct phases *phases)
{
    if (!phases)
        return;
    map_free(&phases->barriers);
    free(phases->needed);
    free(phases);
}

static uint32_t new_phase(struct phases *phases)
{
    *mem_append(phases->needed, phases->capacity, phases->count) = 0;
    return (uint32_t)phases->count - 1;
}

void phases_begin(struct phases *phases)
{
    map_clear(&phases->barriers);
    phases->count = 0;
    new_phase(phases); // none
    memset(phases->seen, 0xff, sizeof phases->seen);
}

static struct followed_barrier *follow_barrier(struct phases *phases, uint64_t key, bool parity)
{
    bool is_new;
    struct followed_barrier *barrier = map_add(&phases->barriers, key, &is_new);
    if (is_new)
        *barrier = (struct followed_barrier){.phase = new_phase(phases), .parity = parity};
    return barrier;
}

static uint32_t arrive(struct phases *phases, uint64_t key, bool parity)
{
    struct followed_barrier *barrier = follow_barrier(phases, key, parity);
    if (barrier->parity != parity || barrier->has_ended)
        *barrier = (struct followed_barrier){.phase = new_phase(phases), .before = barrier->phase, .parity = parity};
    return barrier->phase;
}

void phases_copy(struct phases *phases, const struct sim_access *copy)
{
    if (copy->warp < SIM_MAX_WARPS && copy->mbarrier != UINT64_MAX && !copy->is_part)
        phases->seen[copy->warp] = arrive(phases, copy->mbarrier, copy->phase & 1);
}

void phases_sync(struct phases *phases, const struct sim_sync *sync)
{
    uint32_t lane = sync->mask ? lane_first(sync->mask) : 0;
    bool parity = sync->parities >> lane & 1;
    struct followed_barrier *barrier;
    if (sync->warp >= SIM_MAX_WARPS)
        return;
    switch (sync->kind) {
    case SIM_SYNC_MBARRIER_INIT:
        FOR_LANES (each, sync->mask)
            *follow_barrier(phases, sync->addresses[each], false) =
                (struct followed_barrier){.phase = new_phase(phases)};
        break;
    case SIM_SYNC_MBARRIER_ARRIVE:
    case SIM_SYNC_ASYNC_MBARRIER:
        phases->seen[sync->warp] = arrive(phases, sync->addresses[lane], parity);
        break;
    case SIM_SYNC_MBARRIER_WAIT:
        barrier = follow_barrier(phases, sync->addresses[lane], !parity);
        phases->seen[sync->warp] = barrier->parity == parity ? barrier->phase : barrier->before;
        break;
    case SIM_SYNC_ARRIVE:
        if (sync->id)
            phases->seen[sync->warp] = arrive(phases, NAMED | sync->id, false);
        break;
    case SIM_SYNC_COMPLETE:
        if (sync->id)
            follow_barrier(phases, NAMED | sync->id, false)->has_ended = true;
        break;
    default:
        break;
    }
}

uint32_t phases_take(struct phases *phases, uint32_t warp)
{
    uint32_t phase = phases->seen[warp];
    phases->seen[warp] = PHASE_WAITS;
    return phase;
}

void phases_need(struct phases *phases, uint32_t phase)
{
    phases->needed[phase]++;
}

uint32_t *phases_needed(const struct phases *phases, uint32_t *count)
{
    uint32_t *needed = mem_alloc(phases->count * sizeof *needed);
    memcpy(needed, phases->needed, phases->count * sizeof *needed);
    *count = (uint32_t)phases->count;
    return needed;
}
