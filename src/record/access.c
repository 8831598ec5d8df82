// Recorded accesses: found again, and worked out into patterns on banks and sectors.
#include "record/access.h"

#include <stdio.h>
#include <string.h>

static bool is_execution(const struct recorded_access *access, const struct access_set *set)
{
    for (size_t i = 0; i < set->count && access->space == set->space; i++)
        if (access->pc == set->pcs[i])
            return true;
    return false;
}

size_t access_count(const struct recording *recording, const struct access_set *set, uint32_t warp)
{
    size_t count = 0;
    for (size_t i = 0; i < recording->count; i++)
        count += recording->items[i].warp == warp && is_execution(&recording->items[i], set);
    return count;
}

const struct recorded_access *access_get(const struct recording *recording, const struct access_set *set, uint32_t warp,
                                         size_t nth)
{
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].warp == warp && is_execution(&recording->items[i], set) && nth-- == 0)
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

// ---- the dearest

static uint32_t cost_as_compiled(const struct recorded_access *access)
{
    struct bank_access compiled = access_banks(access, true);
    return access->space == PTX_GLOBAL ? sectors_count(access->bytes, access->mask, access->addresses)
                                       : banks_count(&compiled).wavefronts;
}

// Of the line's executions in the recorded block, by the first warp that pays most. NULL: there is none.
static const struct recorded_access *worst_execution(const struct recording *recording, const struct counter_line *line)
{
    const struct recorded_access *worst = NULL;
    const struct access_set set = {line->space, &line->pc, 1};
    uint32_t most = 0;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        uint32_t cost = is_execution(access, &set) ? cost_as_compiled(access) : 0;
        if (cost > most || (worst && cost == most && access->warp < worst->warp)) {
            worst = access;
            most = cost;
        }
    }
    return worst;
}

static bool is_dearer(const struct counter_line *a, const struct counter_line *b)
{
    if (!b || a->space != b->space)
        return !b || a->space == PTX_SHARED;
    return a->conflicts != b->conflicts     ? a->conflicts > b->conflicts
           : a->wavefronts != b->wavefronts ? a->wavefronts > b->wavefronts
                                            : a->sectors > b->sectors;
}

const struct recorded_access *access_worst(const struct recording *recording, const struct counter_table *table,
                                           const struct counter_line **line)
{
    const struct recorded_access *worst = NULL;
    *line = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct counter_line *other = &table->lines[i];
        const struct recorded_access *access = is_dearer(other, *line) ? worst_execution(recording, other) : NULL;
        if (access) {
            worst = access;
            *line = other;
        }
    }
    return worst;
}

// ---- banks

struct bank_access access_banks(const struct recorded_access *access, bool as_compiled)
{
    return operation_access(&access->operation, as_compiled, access->bytes, access->mask, access->zeros,
                            access->addresses);
}

bool bank_pattern_active(const struct bank_pattern *pattern, uint32_t lane)
{
    return lane < pattern->lanes && (pattern->access.mask >> lane & 1);
}

// The word of this bank that the lane touches, if it touches one.
static bool word_of(const struct bank_pattern *pattern, uint32_t lane, uint32_t bank, uint64_t *word)
{
    uint64_t first = pattern->addresses[lane] / BANK_BYTES, ahead = (bank + BANKS - first % BANKS) % BANKS;
    *word = first + ahead;
    return bank_pattern_active(pattern, lane) && ahead * BANK_BYTES < pattern->access.bytes;
}

bool bank_pattern_touches(const struct bank_pattern *pattern, uint32_t lane, uint32_t bank)
{
    uint64_t word;
    return word_of(pattern, lane, bank, &word);
}

bool bank_pattern_serves(const struct bank_pattern *pattern, uint32_t turn, uint32_t lane, uint32_t bank)
{
    uint64_t word;
    if (!word_of(pattern, lane, bank, &word))
        return false;
    uint64_t ahead = word - pattern->addresses[lane] / BANK_BYTES;
    return pattern->access.kind == BANK_BULK ? (ahead + (uint64_t)turn * BANKS) * BANK_BYTES < pattern->access.bytes
                                             : pattern->schedule.wavefront[lane] == turn;
}

// share: lanes that want one word count once.
static uint32_t count_words(const struct bank_pattern *pattern, uint32_t first, uint32_t count, uint32_t bank,
                            bool share)
{
    uint32_t words = 0;
    uint64_t word, before;
    for (uint32_t lane = first; lane < first + count; lane++) {
        bool counts = word_of(pattern, lane, bank, &word);
        for (uint32_t other = first; other < lane && share && counts; other++)
            counts = !(word_of(pattern, other, bank, &before) && before == word);
        words += counts;
    }
    return words;
}

uint32_t bank_pattern_words(const struct bank_pattern *pattern, uint32_t first, uint32_t count, uint32_t bank)
{
    return count_words(pattern, first, count, bank, true);
}

// Copies that go past the banks, and bulk copies, wait for no bank.
static uint32_t group_degree(const struct bank_pattern *pattern, uint32_t first, uint32_t bank)
{
    enum bank_kind kind = pattern->access.kind;
    uint32_t words = count_words(pattern, first, pattern->schedule.group, bank, banks_share(kind));
    return (kind == BANK_COPY_BYPASS || kind == BANK_BULK) && words > 1 ? 1 : words;
}

uint32_t bank_pattern_degree(const struct bank_pattern *pattern, uint32_t lane, uint32_t bank)
{
    uint32_t group = pattern->schedule.group;
    return bank_pattern_touches(pattern, lane, bank) ? group_degree(pattern, lane / group * group, bank) : 0;
}

static int find_partner(const struct bank_pattern *pattern, uint32_t lane)
{
    const uint32_t *turns = pattern->schedule.wavefront;
    for (uint32_t other = 0; other < lane && banks_share(pattern->access.kind); other++)
        if (bank_pattern_active(pattern, lane) && bank_pattern_active(pattern, other) && turns[other] == turns[lane] &&
            pattern->addresses[other] / BANK_BYTES == pattern->addresses[lane] / BANK_BYTES)
            return (int)other;
    return -1;
}

void bank_pattern_make(struct bank_pattern *pattern, const struct bank_access *access)
{
    *pattern = (struct bank_pattern){.access = *access, .lanes = WARP_LANES};
    uint32_t bytes = access->bytes;
    if (access->kind != BANK_BULK && (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0))
        pattern->access.bytes = 16;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        pattern->addresses[lane] = access->addresses[lane] + (uint64_t)(int64_t)access->delta;
    pattern->access.addresses = pattern->addresses;
    pattern->access.delta = 0;
    while (access->kind == BANK_MATRIX && pattern->lanes > 8 && !(access->mask >> pattern->lanes / 2))
        pattern->lanes /= 2;
    banks_schedule(&pattern->access, &pattern->schedule);
    for (uint32_t first = 0; first < WARP_LANES; first += pattern->schedule.group) {
        for (uint32_t bank = 0; bank < BANKS; bank++) {
            uint32_t degree = group_degree(pattern, first, bank);
            if (degree > pattern->hits[bank])
                pattern->hits[bank] = degree;
        }
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        pattern->partner[lane] = find_partner(pattern, lane);
}

void bank_pattern_of(struct bank_pattern *pattern, const struct recorded_access *access, bool as_compiled)
{
    struct bank_access banks = access_banks(access, as_compiled);
    bank_pattern_make(pattern, &banks);
}

void bank_pattern_explain(const struct bank_pattern *pattern, char *text, size_t size)
{
    enum bank_kind kind = pattern->access.kind;
    uint32_t worst = 0;
    for (uint32_t bank = 1; bank < BANKS; bank++)
        if (pattern->hits[bank] > pattern->hits[worst])
            worst = bank;
    if (pattern->access.mask == 0)
        snprintf(text, size, "no lane is active");
    else if (kind == BANK_COPY_BYPASS || kind == BANK_BULK)
        snprintf(text, size, "a copy past L1 waits for no bank");
    else if (pattern->schedule.cost.conflicts == 0)
        snprintf(text, size, "no bank is asked for two words at a time");
    else
        snprintf(text, size, "bank %u is asked for %u %swords, one a turn", worst, pattern->hits[worst],
                 banks_share(kind) ? "different " : "");
}

// ---- sectors

// The pattern's line at this address, put in its place if it is new. NULL: there is no room.
static struct sector_line *sector_line_at(struct sector_pattern *pattern, uint64_t address)
{
    size_t at = pattern->line_count;
    while (at > 0 && pattern->lines[at - 1].address > address)
        at--;
    if (at > 0 && pattern->lines[at - 1].address == address)
        return &pattern->lines[at - 1];
    if (pattern->line_count == SECTOR_LINES_MAX)
        return NULL;
    memmove(&pattern->lines[at + 1], &pattern->lines[at], (pattern->line_count - at) * sizeof *pattern->lines);
    pattern->line_count++;
    pattern->lines[at] = (struct sector_line){.address = address};
    return &pattern->lines[at];
}

void sector_pattern_make(struct sector_pattern *pattern, uint32_t bytes, uint32_t mask,
                         const uint64_t addresses[WARP_LANES])
{
    pattern->sectors = sectors_count(bytes, mask, addresses);
    pattern->wanted = pattern->line_count = 0;
    FOR_LANES (lane, mask) {
        uint64_t first = addresses[lane];
        struct sector_line *line = NULL;
        for (uint64_t byte = first; byte < first + bytes; byte++) {
            if (!line || byte % SECTOR_LINE_BYTES == 0)
                line = sector_line_at(pattern, byte / SECTOR_LINE_BYTES * SECTOR_LINE_BYTES);
            if (!line)
                break;
            line->wanted[byte / 64 % 2] |= UINT64_C(1) << byte % 64;
        }
    }
    for (size_t i = 0; i < pattern->line_count; i++)
        for (int half = 0; half < 2; half++)
            pattern->wanted += (uint64_t)__builtin_popcountll(pattern->lines[i].wanted[half]);
}

bool sector_line_wants(const struct sector_line *line, uint64_t address, uint32_t bytes)
{
    bool wants = false;
    for (uint64_t byte = address; byte < address + bytes; byte++)
        wants |= line->wanted[byte / 64 % 2] >> byte % 64 & 1;
    return wants;
}
