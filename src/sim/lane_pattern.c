#include "sim/lane_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LANES = 32, FILL_MAX = LANE_PATTERNS * 3 / 4 };

typedef bool (*holds_function)(const struct lane_pattern *, const uint64_t *, uint64_t);

struct lane_patterns {
    holds_function holds;
    uint32_t count;
    struct lane_pattern items[LANE_PATTERNS];
};

// One body, compiled for what the processor has: the compiler turns the loops into vectors.
#define HOLDS_BODY                                                                                                     \
    uint64_t differ = 0;                                                                                               \
    if ((uint32_t)pattern->tag == UINT32_MAX)                                                                          \
        for (int lane = 0; lane < LANES; lane++)                                                                       \
            differ |= (addresses[lane] - first) ^ pattern->distances[lane];                                            \
    else                                                                                                               \
        for (int lane = 0; lane < LANES; lane++)                                                                       \
            differ |= ((addresses[lane] - first) ^ pattern->distances[lane]) & pattern->active[lane];                  \
    return !differ;

static bool holds_plain(const struct lane_pattern *pattern, const uint64_t *addresses, uint64_t first)
{
    HOLDS_BODY
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool holds_avx2(const struct lane_pattern *pattern, const uint64_t *addresses,
                                                       uint64_t first)
{
    HOLDS_BODY
}
#endif

static holds_function choose_holds(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return holds_avx2;
#endif
    return holds_plain;
}

struct lane_patterns *lane_patterns_new(void)
{
    struct lane_patterns *table = mem_alloc(sizeof *table);
    table->holds = choose_holds();
    return table;
}

void lane_patterns_free(struct lane_patterns *table)
{
    free(table);
}

void lane_patterns_clear(struct lane_patterns *table)
{
    for (uint32_t i = 0; i < LANE_PATTERNS; i++)
        table->items[i].tag = 0;
    table->count = 0;
}

const struct lane_pattern *lane_patterns_get(const struct lane_patterns *table, uint32_t number)
{
    return &table->items[number];
}

static uint32_t hash_of(uint64_t tag, uint32_t mask, const uint64_t addresses[32], uint64_t first)
{
    uint64_t hash = tag;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        hash = (hash ^ (addresses[__builtin_ctz(rest)] - first)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 48) % LANE_PATTERNS;
}

static void fill(struct lane_pattern *pattern, uint64_t tag, uint32_t mask, const uint64_t addresses[32],
                 uint64_t first)
{
    pattern->tag = tag;
    for (int lane = 0; lane < LANES; lane++) {
        pattern->active[lane] = -(uint64_t)(mask >> lane & 1);
        pattern->distances[lane] = mask >> lane & 1 ? addresses[lane] - first : 0;
    }
}

uint32_t lane_patterns_find(struct lane_patterns *table, uint32_t *hint, uint32_t tag, uint32_t mask,
                            const uint64_t addresses[32], bool *fresh)
{
    uint64_t first = addresses[__builtin_ctz(mask)], whole = (uint64_t)tag << 32 | mask;
    *fresh = false;
    if (table->items[*hint].tag == whole && table->holds(&table->items[*hint], addresses, first))
        return *hint;
    uint32_t slot = hash_of(whole, mask, addresses, first);
    for (; table->items[slot].tag; slot = (slot + 1) % LANE_PATTERNS) {
        if (table->items[slot].tag == whole && table->holds(&table->items[slot], addresses, first))
            return *hint = slot;
    }
    if (table->count == FILL_MAX)
        return UINT32_MAX;
    fill(&table->items[slot], whole, mask, addresses, first);
    table->count++;
    *fresh = true;
    return *hint = slot;
}
