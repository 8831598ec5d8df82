#include "model/cost_memo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { COSTS = 1024, FILL_MAX = COSTS * 3 / 4, SECTOR_KIND = 6 };

struct cost {
    uint64_t key; // 0 = free
    struct cost_pair pair;
    uint32_t sectors;
    uint32_t wide_bytes; // what pair.compiled was worked out for
    int32_t delta;
};

struct cost_memo {
    uint32_t count;
    struct cost costs[COSTS]; // hash table
};

struct cost_memo *cost_memo_new(void)
{
    return mem_alloc(sizeof(struct cost_memo));
}

void cost_memo_free(struct cost_memo *memo)
{
    free(memo);
}

// Apart for each shape, kind and place in a unit; ldmatrix has fewer rows than its shape has lanes.
static uint64_t key_of(uint32_t serial, int lanes, unsigned kind, uint64_t phase)
{
    return (uint64_t)serial << 32 | (uint64_t)lanes << 16 | (uint64_t)kind << 8 | phase;
}

static struct cost *find(struct cost_memo *memo, uint64_t key, bool *fresh)
{
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % COSTS;
    for (; memo->costs[slot].key; slot = (slot + 1) % COSTS) {
        if (memo->costs[slot].key == key) {
            *fresh = false;
            return &memo->costs[slot];
        }
    }
    *fresh = true;
    if (memo->count == FILL_MAX) {
        memset(memo, 0, sizeof *memo);
        slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % COSTS;
    }
    memo->count++;
    memo->costs[slot].key = key;
    return &memo->costs[slot];
}

static struct bank_cost moved_cost(enum bank_kind kind, uint32_t bytes, uint32_t mask,
                                   const uint64_t addresses[WARP_LANES], int32_t delta)
{
    uint64_t moved[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        moved[lane] = mask >> lane & 1 ? addresses[lane] + (uint64_t)(int64_t)delta : 0;
    return banks_count(kind, bytes, mask, moved, (uint32_t)__builtin_popcount(mask));
}

struct cost_pair cost_memo_banks(struct cost_memo *memo, uint32_t serial, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t wide_bytes,
                                 int32_t delta)
{
    struct cost once, *cost = &once;
    bool fresh = true;
    if (!mask)
        return (struct cost_pair){{0, 0}, {0, 0}};
    if (serial)
        cost = find(memo, key_of(serial, __builtin_popcount(mask), kind, addresses[__builtin_ctz(mask)] % BANK_PHASES),
                    &fresh);
    if (fresh)
        cost->pair.written = moved_cost(kind, bytes, mask, addresses, 0);
    if (fresh || cost->wide_bytes != wide_bytes || cost->delta != delta) {
        cost->wide_bytes = wide_bytes;
        cost->delta = delta;
        cost->pair.compiled = wide_bytes ? moved_cost(kind, wide_bytes, mask, addresses, delta) : cost->pair.written;
    }
    return cost->pair;
}

uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t serial, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES])
{
    bool fresh;
    if (!mask)
        return 0;
    if (!serial)
        return sectors_count(bytes, mask, addresses);
    uint64_t phase = addresses[__builtin_ctz(mask)] % SECTOR_BYTES;
    struct cost *cost = find(memo, key_of(serial, 0, SECTOR_KIND, phase), &fresh);
    if (fresh)
        cost->sectors = sectors_count(bytes, mask, addresses);
    return cost->sectors;
}
