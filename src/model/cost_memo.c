#include "model/cost_memo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SLOTS = 512, SECTOR_KIND = 15 };

struct slot {
    uint64_t tag;                   // kind, bytes, phase and mask; 0 = empty
    uint64_t distances[WARP_LANES]; // from the first active lane; 0 where inactive
    uint64_t active[WARP_LANES];    // all ones or zero, as the mask
    struct bank_cost cost;
};

struct cost_memo {
    struct slot slots[SLOTS];
};

struct cost_memo *cost_memo_new(void)
{
    return mem_alloc(sizeof(struct cost_memo));
}

void cost_memo_free(struct cost_memo *memo)
{
    free(memo);
}

static bool slot_holds(const struct slot *slot, uint64_t tag, const uint64_t addresses[WARP_LANES], uint64_t first)
{
    if (slot->tag != tag)
        return false;
    uint64_t differ = 0;
    if ((uint32_t)tag == UINT32_MAX) {
        for (int lane = 0; lane < WARP_LANES; lane++)
            differ |= (addresses[lane] - first) ^ slot->distances[lane];
    } else {
        for (int lane = 0; lane < WARP_LANES; lane++)
            differ |= ((addresses[lane] - first) ^ slot->distances[lane]) & slot->active[lane];
    }
    return !differ;
}

static uint32_t slot_index(uint64_t tag, uint32_t mask, const uint64_t addresses[WARP_LANES], uint64_t first)
{
    uint64_t hash = tag;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        hash = (hash ^ (addresses[__builtin_ctz(rest)] - first)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 48) % SLOTS;
}

static void slot_fill(struct slot *slot, uint64_t tag, uint32_t mask, const uint64_t addresses[WARP_LANES],
                      uint64_t first)
{
    slot->tag = tag;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        slot->active[lane] = -(uint64_t)(mask >> lane & 1);
        slot->distances[lane] = mask >> lane & 1 ? addresses[lane] - first : 0;
    }
}

// The slot of this pattern; *found: its cost is known already.
static struct slot *look_up(struct cost_memo *memo, uint32_t *hint, unsigned kind, uint32_t bytes, uint32_t mask,
                            const uint64_t addresses[WARP_LANES], unsigned phase, bool *found)
{
    uint64_t first = addresses[__builtin_ctz(mask)];
    uint64_t tag = ((uint64_t)(kind + 1) << 60) | (uint64_t)(phase & 31) << 50 | (uint64_t)(bytes & 1023) << 36 | mask;
    struct slot *slot = &memo->slots[*hint];
    *found = slot_holds(slot, tag, addresses, first);
    if (*found)
        return slot;
    *hint = slot_index(tag, mask, addresses, first);
    slot = &memo->slots[*hint];
    *found = slot_holds(slot, tag, addresses, first);
    if (!*found)
        slot_fill(slot, tag, mask, addresses, first);
    return slot;
}

struct bank_cost cost_memo_banks(struct cost_memo *memo, uint32_t *hint, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], int64_t delta)
{
    if (!mask)
        return (struct bank_cost){0, 0};
    uint32_t unit = bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
    unsigned phase = (unsigned)(addresses[__builtin_ctz(mask)] + (uint64_t)delta) & (unit - 1);
    bool found;
    struct slot *slot = look_up(memo, hint, kind, bytes, mask, addresses, phase, &found);
    if (!found) {
        uint64_t moved[WARP_LANES];
        for (int lane = 0; lane < WARP_LANES; lane++)
            moved[lane] = mask >> lane & 1 ? addresses[lane] + (uint64_t)delta : 0;
        slot->cost = banks_count(kind, bytes, mask, moved, (uint32_t)__builtin_popcount(mask));
    }
    return slot->cost;
}

uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t *hint, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES])
{
    if (!mask)
        return 0;
    bool found;
    struct slot *slot = look_up(memo, hint, SECTOR_KIND - 1, bytes, mask, addresses,
                                (unsigned)addresses[__builtin_ctz(mask)] & (SECTOR_BYTES - 1), &found);
    if (!found)
        slot->cost.wavefronts = sectors_count(bytes, mask, addresses);
    return slot->cost.wavefronts;
}
