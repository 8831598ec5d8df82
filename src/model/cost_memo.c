#include "model/cost_memo.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"

enum { COSTS_MAX = 768, SECTOR_KIND = 6 }; // as many as stay in a core's own cache

struct cost {
    struct cost_pair pair;
    uint32_t sectors;
    uint32_t wide_bytes; // what pair.compiled was worked out for
    int32_t delta;
};

struct cost_memo {
    struct map costs;
};

struct cost_memo *cost_memo_new(void)
{
    struct cost_memo *memo = mem_alloc(sizeof *memo);
    memo->costs = map_of(struct cost);
    return memo;
}

void cost_memo_free(struct cost_memo *memo)
{
    if (memo)
        map_free(&memo->costs);
    free(memo);
}

// Apart for each shape, kind and place in a unit; ldmatrix has fewer rows than its shape has lanes.
static uint64_t key_of(uint32_t serial, int lanes, unsigned kind, uint64_t phase)
{
    return (uint64_t)serial << 32 | (uint64_t)lanes << 16 | (uint64_t)kind << 8 | phase;
}

static struct cost *cost_find(struct cost_memo *memo, uint64_t key, bool *fresh)
{
    if (memo->costs.count == COSTS_MAX)
        map_clear(&memo->costs);
    return map_add(&memo->costs, key, fresh);
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
        cost = cost_find(
            memo, key_of(serial, __builtin_popcount(mask), kind, addresses[__builtin_ctz(mask)] % BANK_PHASES), &fresh);
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
    struct cost *cost = cost_find(memo, key_of(serial, 0, SECTOR_KIND, phase), &fresh);
    if (fresh)
        cost->sectors = sectors_count(bytes, mask, addresses);
    return cost->sectors;
}
