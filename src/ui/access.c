// The accesses of a run by source line, and how those of two runs are matched.
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
    // the same text may be on several lines, or one line hold several accesses: the same occurrence counts, or the
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
