#include "ui/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

void sites_make(struct sites *sites, const struct record *record, enum ptx_space space)
{
    *sites = (struct sites){0};
    if (!record || record->counters.count == 0)
        return;
    sites->items = mem_alloc(record->counters.count * sizeof *sites->items);
    for (size_t i = 0; i < record->counters.count; i++)
        if (record->counters.lines[i].space == space)
            sites->items[sites->count++] = &record->counters.lines[i];
}

void sites_free(struct sites *sites)
{
    free(sites->items);
    *sites = (struct sites){0};
}

static size_t order_of(const struct sites *sites, const struct counter_line *line)
{
    size_t order = 0;
    for (size_t i = 0; i < sites->count && sites->items[i] != line; i++)
        order += sites->items[i]->kind == line->kind;
    return order;
}

// A hash of each line's text without the blanks in front; 0 = an empty line. Lines are counted from 1.
struct line_hashes {
    uint64_t *items;
    size_t count, capacity;
};

static struct line_hashes hash_lines(const char *source)
{
    struct line_hashes hashes = {0};
    for (const char *at = source ? source : ""; *at;) {
        size_t blank = strspn(at, " \t"), length = strcspn(at, "\n");
        mem_reserve(&hashes.items, &hashes.capacity, hashes.count);
        hashes.items[hashes.count++] = length > blank ? map_hash(MAP_HASH_START, at + blank, length - blank) : 0;
        at += length + (at[length] == '\n');
    }
    return hashes;
}

static uint64_t line_hash(const struct line_hashes *hashes, uint32_t line)
{
    return line >= 1 && line <= hashes->count ? hashes->items[line - 1] : 0;
}

static const struct counter_line *match_order(const struct sites *sites, const struct counter_line *line,
                                              const struct sites *all)
{
    size_t order = order_of(all, line);
    for (size_t i = 0; i < sites->count; i++)
        if (sites->items[i]->kind == line->kind && order_of(sites, sites->items[i]) == order)
            return sites->items[i];
    return NULL;
}

const struct counter_line *sites_match(const struct sites *sites, const char *source, const struct counter_line *line,
                                       const struct sites *all, const char *line_source)
{
    // the same text may stand on several lines, or one line hold several accesses: the same occurrence counts, or the
    // last one when a loop is unrolled more often here than there
    size_t wanted = 0, seen = 0;
    const struct counter_line *found = NULL;
    struct line_hashes here = hash_lines(line_source), there = hash_lines(source);
    uint64_t hash = line_hash(&here, line->line);
    for (size_t i = 0; hash && i < all->count && all->items[i] != line; i++)
        wanted += all->items[i]->kind == line->kind && line_hash(&here, all->items[i]->line) == hash;
    for (size_t i = 0; hash && i < sites->count && seen <= wanted; i++) {
        if (sites->items[i]->kind != line->kind || line_hash(&there, sites->items[i]->line) != hash)
            continue;
        found = sites->items[i];
        seen++;
    }
    free(here.items);
    free(there.items);
    return found ? found : match_order(sites, line, all);
}

static bool is_execution(const struct recorded_access *access, const struct counter_line *line, uint32_t warp)
{
    return access->pc == line->pc && access->space == line->space && access->warp == warp;
}

size_t access_count(const struct recording *recording, const struct counter_line *line, uint32_t warp)
{
    size_t count = 0;
    for (size_t i = 0; i < recording->count; i++)
        count += is_execution(&recording->items[i], line, warp);
    return count;
}

const struct recorded_access *access_get(const struct recording *recording, const struct counter_line *line,
                                         uint32_t warp, size_t nth)
{
    for (size_t i = 0; i < recording->count; i++)
        if (is_execution(&recording->items[i], line, warp) && nth-- == 0)
            return &recording->items[i];
    return NULL;
}

uint32_t access_warps(const struct recording *recording)
{
    uint32_t warps = 0;
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].warp + 1 > warps)
            warps = recording->items[i].warp + 1;
    return warps;
}

enum bank_kind access_bank_kind(enum sim_access_kind kind)
{
    switch (kind) {
    case SIM_STORE:
        return BANK_STORE;
    case SIM_ATOMIC:
    case SIM_REDUCE:
        return BANK_ATOMIC;
    case SIM_ASYNC_COPY:
        return BANK_COPY;
    case SIM_MATRIX_LOAD:
    case SIM_MATRIX_STORE:
        return BANK_MATRIX;
    default:
        return BANK_LOAD;
    }
}

static uint32_t words_of(const struct pattern *pattern)
{
    return pattern->bytes > 4 ? pattern->bytes / 4 : 1;
}

static bool active(const struct pattern *pattern, uint32_t lane)
{
    return lane < pattern->lanes && (pattern->mask >> lane & 1);
}

bool pattern_touches(const struct pattern *pattern, uint32_t lane, uint32_t bank)
{
    if (!active(pattern, lane))
        return false;
    uint64_t first = pattern->addresses[lane] / BANK_BYTES;
    return (bank + BANKS - first % BANKS) % BANKS < words_of(pattern);
}

// The word of this bank that the lane touches.
static uint64_t word_in(const struct pattern *pattern, uint32_t lane, uint32_t bank)
{
    uint64_t first = pattern->addresses[lane] / BANK_BYTES;
    return first + (bank + BANKS - first % BANKS) % BANKS;
}

static uint32_t degree_in(const struct pattern *pattern, uint32_t first, uint32_t count, uint32_t bank)
{
    uint32_t degree = 0;
    bool lanes_share = pattern->kind != BANK_ATOMIC && pattern->kind != BANK_COPY;
    for (uint32_t lane = first; lane < first + count; lane++) {
        if (!pattern_touches(pattern, lane, bank))
            continue;
        bool seen = false;
        for (uint32_t other = first; other < lane && lanes_share && !seen; other++)
            seen =
                pattern_touches(pattern, other, bank) && word_in(pattern, other, bank) == word_in(pattern, lane, bank);
        degree += !seen;
    }
    return degree;
}

uint32_t pattern_degree(const struct pattern *pattern, uint32_t lane, uint32_t bank)
{
    if (!pattern_touches(pattern, lane, bank))
        return 0;
    return degree_in(pattern, lane / pattern->group * pattern->group, pattern->group, bank);
}

// Groups are doubled by a rule that only banks_count knows; the schedule shows it: two groups that share a turn.
static uint32_t group_size(const struct pattern *pattern)
{
    uint32_t group = pattern->kind == BANK_MATRIX ? 8 : banks_group(pattern->bytes);
    for (; group < WARP_LANES; group *= 2) {
        bool together = false;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            for (uint32_t other = 0; other < lane; other++)
                together |= active(pattern, lane) && active(pattern, other) && lane / group != other / group &&
                            pattern->wavefront[lane] == pattern->wavefront[other];
        if (!together)
            break;
    }
    return group;
}

static void find_shared(struct pattern *pattern)
{
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        for (uint32_t other = 0; other < lane && active(pattern, lane); other++)
            pattern->shared[lane] |= active(pattern, other) && pattern->wavefront[other] == pattern->wavefront[lane] &&
                                     pattern->addresses[other] / BANK_BYTES == pattern->addresses[lane] / BANK_BYTES &&
                                     pattern->kind != BANK_ATOMIC && pattern->kind != BANK_COPY;
}

void pattern_make(struct pattern *pattern, const struct recorded_access *access, const struct counter_line *line,
                  bool as_compiled)
{
    *pattern = (struct pattern){.mask = access->mask, .bytes = access->bytes, .lanes = WARP_LANES};
    pattern->kind = access_bank_kind(access->kind);
    memcpy(pattern->addresses, access->addresses, sizeof pattern->addresses);
    if (as_compiled && line && line->bytes > access->bytes && line->bytes <= 16) {
        pattern->bytes = line->bytes;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            pattern->addresses[lane] -= pattern->addresses[lane] % line->bytes;
    }
    if (pattern->bytes == 0 || pattern->bytes > 16 || (pattern->bytes & (pattern->bytes - 1)) != 0)
        pattern->bytes = 16;
    if (pattern->kind == BANK_MATRIX) {
        pattern->bytes = 16;
        while (pattern->lanes > 8 && !(pattern->mask >> (pattern->lanes / 2)))
            pattern->lanes /= 2;
    }
    pattern->cost = banks_count(pattern->kind, pattern->bytes, pattern->mask, pattern->addresses, pattern->lanes);
    banks_schedule(pattern->kind, pattern->bytes, pattern->mask, pattern->addresses, pattern->wavefront);
    pattern->group = group_size(pattern);
    for (uint32_t first = 0; first < WARP_LANES; first += pattern->group) {
        for (uint32_t bank = 0; bank < BANKS; bank++) {
            uint32_t degree = degree_in(pattern, first, pattern->group, bank);
            if (degree > pattern->hits[bank])
                pattern->hits[bank] = degree;
        }
    }
    find_shared(pattern);
}
