#include "model/cost_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sim/lane_pattern.h"

enum { SECTOR_KIND = 7 };

struct cost {
    struct cost_pair pair;
    uint32_t sectors;
    uint32_t wide_bytes; // what pair.compiled was worked out for
    int32_t delta;
};

struct cost_memo {
    struct lane_patterns *patterns;
    struct cost costs[LANE_PATTERNS];
};

struct cost_memo *cost_memo_new(void)
{
    struct cost_memo *memo = mem_alloc(sizeof *memo);
    memo->patterns = lane_patterns_new();
    return memo;
}

void cost_memo_free(struct cost_memo *memo)
{
    if (!memo)
        return;
    lane_patterns_free(memo->patterns);
    free(memo);
}

// Not 0; apart for each kind, size and place in a unit.
static uint32_t tag_of(unsigned kind, uint32_t bytes, uint64_t phase)
{
    return (kind + 1) << 28 | (uint32_t)(phase & 31) << 16 | (bytes & 0xffff);
}

static struct cost *find(struct cost_memo *memo, uint32_t *hint, uint32_t tag, uint32_t mask,
                         const uint64_t addresses[WARP_LANES], bool *fresh)
{
    uint32_t number = lane_patterns_find(memo->patterns, hint, tag, mask, addresses, fresh);
    if (number == UINT32_MAX) {
        lane_patterns_clear(memo->patterns);
        number = lane_patterns_find(memo->patterns, hint, tag, mask, addresses, fresh);
    }
    return &memo->costs[number];
}

static struct bank_cost moved_cost(enum bank_kind kind, uint32_t bytes, uint32_t mask,
                                   const uint64_t addresses[WARP_LANES], int32_t delta)
{
    uint64_t moved[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        moved[lane] = mask >> lane & 1 ? addresses[lane] + (uint64_t)(int64_t)delta : 0;
    return banks_count(kind, bytes, mask, moved, (uint32_t)__builtin_popcount(mask));
}

struct cost_pair cost_memo_banks(struct cost_memo *memo, uint32_t *hint, enum bank_kind kind, uint32_t bytes,
                                 uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t wide_bytes,
                                 int32_t delta)
{
    bool fresh;
    if (!mask)
        return (struct cost_pair){{0, 0}, {0, 0}};
    uint32_t tag = tag_of(kind, bytes, addresses[__builtin_ctz(mask)] & 15);
    struct cost *cost = find(memo, hint, tag, mask, addresses, &fresh);
    if (fresh)
        cost->pair.written = moved_cost(kind, bytes, mask, addresses, 0);
    if (fresh || cost->wide_bytes != wide_bytes || cost->delta != delta) {
        cost->wide_bytes = wide_bytes;
        cost->delta = delta;
        cost->pair.compiled = wide_bytes ? moved_cost(kind, wide_bytes, mask, addresses, delta) : cost->pair.written;
    }
    return cost->pair;
}

uint32_t cost_memo_sectors(struct cost_memo *memo, uint32_t *hint, uint32_t bytes, uint32_t mask,
                           const uint64_t addresses[WARP_LANES])
{
    bool fresh;
    if (!mask)
        return 0;
    uint32_t tag = tag_of(SECTOR_KIND - 1, bytes, addresses[__builtin_ctz(mask)] & (SECTOR_BYTES - 1));
    struct cost *cost = find(memo, hint, tag, mask, addresses, &fresh);
    if (fresh)
        cost->sectors = sectors_count(bytes, mask, addresses);
    return cost->sectors;
}
