// Loads whose value may not be wanted. Compilers load early, for all lanes, what a branch or a selp then takes for
// some: only those have read.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "sim/shape.h"

struct doubt {
    struct sim_access access; // of the lanes that have not used the value
    uint64_t addresses[SIM_LANES];
    uint32_t serial, loaded; // of access.shape: as long as it has this serial; of these lanes
    uint32_t unset;          // lanes that loaded what nobody wrote
};

void doubts_free(struct doubts *doubts)
{
    map_free(&doubts->live);
    free(doubts->items);
}

// The lanes read, after all.
static void doubt_look(struct hazard_state *state, const struct doubt *doubt, uint32_t lanes, doubts_look *look)
{
    struct sim_access access = doubt->access;
    uint32_t unset = lanes & doubt->unset;
    access.addresses = doubt->addresses;
    if (!access.shape || access.shape->serial != doubt->serial || lanes != doubt->loaded)
        access.shape = NULL;
    access.mask = lanes;
    access.first = doubt->addresses[lane_first(lanes)];
    look(state, &access);
    if (!unset)
        return;
    struct sim_notice notice = {.block = access.block,
                                .warp = access.warp,
                                .pc = access.pc,
                                .mask = unset,
                                .other_pc = UINT32_MAX,
                                .kind = SIM_NOTICE_UNINITIALISED,
                                .space = access.space,
                                .address = doubt->addresses[lane_first(unset)]};
    finding_notice(state, &notice);
}

static void doubts_prune(struct doubts *doubts)
{
    size_t kept = 0;
    for (size_t i = 0; i < doubts->count; i++) {
        if (!doubts->items[i].access.mask)
            continue;
        if (kept != i)
            doubts->items[kept] = doubts->items[i];
        kept++;
    }
    doubts->count = kept;
}

void doubts_add(struct hazard_state *state, const struct sim_access *told)
{
    struct doubts *doubts = &state->doubts;
    struct sim_spread spread;
    const struct sim_access *access = sim_access_spread(told, &spread);
    for (size_t i = 0; i < doubts->count; i++) { // the value that its lanes held is gone
        struct sim_access *old = &doubts->items[i].access;
        if (old->warp == access->warp && old->pc == access->pc && old->step != access->step)
            old->mask &= ~access->mask;
    }
    doubts_prune(doubts);
    struct doubt *doubt = mem_append(doubts->items, doubts->capacity, doubts->count);
    doubt->access = *access;
    doubt->serial = access->shape ? access->shape->serial : 0;
    doubt->loaded = access->mask;
    doubt->unset = 0;
    memcpy(doubt->addresses, access->addresses, sizeof doubt->addresses);
}

bool doubts_add_unset(struct hazard_state *state, const struct sim_notice *notice)
{
    struct doubts *doubts = &state->doubts;
    for (size_t i = doubts->count; i-- > 0;) {
        struct doubt *doubt = &doubts->items[i];
        if (doubt->access.warp != notice->warp || doubt->access.pc != notice->pc ||
            doubt->access.space != notice->space)
            continue;
        doubt->unset |= notice->mask & doubt->access.mask;
        return true;
    }
    return false;
}

void doubts_step(struct hazard_state *state, const struct sim_step *step, doubts_look *look)
{
    for (size_t i = 0; i < state->doubts.count; i++) {
        struct doubt *doubt = &state->doubts.items[i];
        if (doubt->access.warp != step->warp)
            continue;
        uint32_t used = doubt->access.mask & values_used(&state->checker->values, doubt->access.pc, step);
        if (used)
            doubt_look(state, doubt, used, look);
        doubt->access.mask &= ~used;
    }
    doubts_prune(&state->doubts);
}

static bool may_be_used(struct hazard_state *state, uint32_t load, uint32_t pc)
{
    bool fresh, *live = map_add(&state->doubts.live, (uint64_t)load << 32 | pc, &fresh);
    if (fresh)
        *live = values_live(&state->checker->values, load, pc);
    return *live;
}

void doubts_settle(struct hazard_state *state, const struct sim_sync *sync, doubts_look *look)
{
    for (size_t i = 0; i < state->doubts.count; i++) {
        struct doubt *doubt = &state->doubts.items[i];
        if (doubt->access.warp != sync->warp)
            continue;
        if (sync->kind == SIM_SYNC_EXIT) {
            doubt->access.mask &= ~sync->mask;
            continue;
        }
        if (may_be_used(state, doubt->access.pc, sync->pc))
            doubt_look(state, doubt, doubt->access.mask, look);
        doubt->access.mask = 0;
    }
    doubts_prune(&state->doubts);
}
