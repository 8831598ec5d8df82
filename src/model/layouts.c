// Counting and searching layouts of a tile.
#include "model/layouts.h"

#include "sim/sim_observer.h"

enum { MATRIX_ROWS = 8, MATRIX_BYTES = 16, LINE_BYTES = BANKS * BANK_BYTES };

uint32_t layout_bits(uint32_t value)
{
    return value ? 31 - (uint32_t)__builtin_clz(value) : 0;
}

uint64_t layout_targets(const struct layout_key *key)
{
    return ((UINT64_C(1) << key->b) - 1) << key->m;
}

uint64_t layout_offset(const struct layout *layout, uint32_t row, uint32_t column)
{
    uint64_t offset = (uint64_t)row * (layout->columns + layout->padding) + column;
    uint64_t moved = offset;
    for (int i = 0; i < LAYOUT_KEYS; i++)
        moved ^= offset >> layout->keys[i].s & layout_targets(&layout->keys[i]);
    return moved * layout->bytes;
}

uint64_t layout_size(const struct layout *layout)
{
    return (uint64_t)layout->rows * (layout->columns + layout->padding) * layout->bytes;
}

uint32_t layout_paddings(const struct layout *layout)
{
    return LINE_BYTES / layout->bytes;
}

// ---- one access

// Where lane `lane` of the warp that begins at (*row, *column) goes.
static void walk_lane(const struct layout_access *access, uint32_t lane, uint32_t *row, uint32_t *column)
{
    uint32_t x = lane % access->across, y = lane / access->across;
    switch (access->walk) {
    case LAYOUT_ROW:
        *row += y;
        *column += x * access->vector;
        break;
    case LAYOUT_COLUMN:
        *row += x;
        *column += y * access->vector;
        break;
    case LAYOUT_MATRIX:
    case LAYOUT_WGMMA:
        *row += lane % (2 * MATRIX_ROWS);
        *column += lane / (2 * MATRIX_ROWS) * access->vector;
        break;
    }
}

// How far apart warps begin.
static void walk_step(const struct layout_access *access, uint32_t *rows, uint32_t *columns)
{
    uint32_t last_row = 0, last_column = 0;
    walk_lane(access, WARP_LANES - 1, &last_row, &last_column);
    *rows = last_row + 1;
    *columns = last_column + access->vector;
}

static bool vector_is_whole(const struct layout *layout, uint32_t vector, uint32_t row, uint32_t column)
{
    uint64_t first = layout_offset(layout, row, column);
    for (uint32_t i = 1; i < vector; i++)
        if (layout_offset(layout, row, column + i) != first + i * layout->bytes)
            return false;
    return first % (vector * layout->bytes) == 0;
}

// Two lanes of one group that take turns at a bank.
static void find_pair(const struct bank_access *access, struct layout_cost *cost)
{
    struct bank_schedule schedule;
    banks_schedule(access, &schedule);
    uint32_t unit = access->bytes < BANK_BYTES ? BANK_BYTES : access->bytes;
    FOR_LANES (lane, access->mask) {
        FOR_LANES (other, access->mask & ~((2u << lane) - 1)) {
            uint64_t a = access->addresses[lane] / unit, b = access->addresses[other] / unit;
            if (lane / schedule.group == other / schedule.group && a != b && (a - b) % (LINE_BYTES / unit) == 0) {
                cost->lane = lane;
                cost->other = other;
                cost->bank = (uint32_t)(access->addresses[lane] / BANK_BYTES % BANKS);
                return;
            }
        }
    }
}

static void count_warp(const struct layout *layout, const struct layout_access *access, uint32_t row, uint32_t column,
                       struct layout_cost *cost)
{
    bool is_matrix = access->walk == LAYOUT_MATRIX || access->walk == LAYOUT_WGMMA;
    uint64_t addresses[WARP_LANES] = {0};
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t r = row, c = column;
        walk_lane(access, lane, &r, &c);
        if (r >= layout->rows || c >= layout->columns)
            continue;
        mask |= UINT32_C(1) << lane;
        addresses[lane] = layout_offset(layout, r, c);
        cost->is_possible &= vector_is_whole(layout, access->vector, r, c);
    }
    struct bank_access warp = {.kind = is_matrix ? BANK_MATRIX : BANK_STORE,
                               .bytes = access->vector * layout->bytes,
                               .mask = mask,
                               .addresses = addresses};
    struct bank_cost count = banks_count(&warp);
    if (count.conflicts && !cost->conflicts) {
        cost->row = row;
        cost->column = column;
        cost->mask = mask;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            cost->addresses[lane] = addresses[lane];
        find_pair(&warp, cost);
    }
    cost->warps++;
    cost->wavefronts += count.wavefronts;
    cost->conflicts += count.conflicts;
}

// wgmma's descriptor names rows of 32, 64 or 128 bytes with the swizzle of that length (PTX ISA, "Shared Memory Matrix
// Layout"): chunks of 16 bytes, the key taken from the offset's bits 7 and up.
static bool wgmma_takes(const struct layout *layout)
{
    uint32_t row = layout->columns * layout->bytes;
    const struct layout_key *key = layout->keys;
    return layout->padding == 0 && key->b == layout_bits(row / MATRIX_BYTES) && key->s == 3 &&
           key->m == layout_bits(MATRIX_BYTES / layout->bytes) && key[1].b == 0;
}

void layout_count(const struct layout *layout, const struct layout_access *access, bool briefly,
                  struct layout_cost *cost)
{
    uint32_t rows, columns;
    walk_step(access, &rows, &columns);
    *cost = (struct layout_cost){.is_possible = access->walk != LAYOUT_WGMMA || wgmma_takes(layout)};
    for (uint32_t row = 0; row < layout->rows; row += rows)
        for (uint32_t column = 0; column < layout->columns; column += columns) {
            count_warp(layout, access, row, column, cost);
            if (briefly && (cost->conflicts || !cost->is_possible))
                return;
        }
}

// An XOR is one to one; that it also stays inside the tile is looked at.
static bool layout_stays(const struct layout *layout)
{
    for (uint32_t row = 0; row < layout->rows && layout->keys[0].b; row++)
        for (uint32_t column = 0; column < layout->columns; column++)
            if (layout_offset(layout, row, column) >= layout_size(layout))
                return false;
    return true;
}

// The first warp of each access refuses most layouts, so all of those are looked at before any further one.
bool layout_is_free(const struct layout *layout, const struct layout_access *accesses, size_t count)
{
    struct layout_cost cost;
    for (size_t i = 0; i < count; i++) {
        cost = (struct layout_cost){.is_possible = true};
        count_warp(layout, &accesses[i], 0, 0, &cost);
        if (cost.conflicts || !cost.is_possible)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        layout_count(layout, &accesses[i], true, &cost);
        if (cost.conflicts || !cost.is_possible)
            return false;
    }
    return layout_stays(layout);
}

// ---- searching

bool layout_pad(const struct layout *plain, const struct layout_access *accesses, size_t count, struct layout *found)
{
    *found = *plain;
    for (found->padding = 0; found->padding < layout_paddings(plain); found->padding++)
        if (layout_is_free(found, accesses, count))
            return true;
    return false;
}

// Keys one by one, in the order of what is simple. Bits that choose the bank within 128 bytes can be changed; the key
// comes from any bits above them, up to the tile's last. False: that was the last one of b bits.
static bool next_key(const struct layout *plain, struct layout_key *key)
{
    uint32_t window = layout_bits(LINE_BYTES / plain->bytes), last = layout_bits(plain->rows * plain->columns - 1) + 1;
    do {
        if (key->m-- == 0) {
            key->m = window - key->b;
            key->s++;
        }
    } while (key->s < last && key->m + key->s >= last);
    return key->s < last;
}

static struct layout_key before_first_key(const struct layout *plain, uint32_t bits)
{
    return (struct layout_key){.b = bits, .m = layout_bits(LINE_BYTES / plain->bytes) - bits + 1, .s = bits};
}

static bool search_pairs(const struct layout *plain, uint32_t bits, uint32_t other_bits,
                         const struct layout_access *accesses, size_t count, struct layout *found)
{
    struct layout_key *first = &found->keys[0], *second = &found->keys[1];
    *first = before_first_key(plain, bits);
    while (next_key(plain, first)) {
        *second = before_first_key(plain, other_bits);
        while (next_key(plain, second)) {
            uint64_t targets = layout_targets(first) | layout_targets(second);
            uint64_t sources = layout_targets(first) << first->s | layout_targets(second) << second->s;
            if (!(targets & sources) && layout_is_free(found, accesses, count))
                return true;
        }
    }
    return false;
}

bool layout_swizzle(const struct layout *plain, const struct layout_access *accesses, size_t count,
                    struct layout *found)
{
    uint32_t window = layout_bits(LINE_BYTES / plain->bytes);
    *found = *plain;
    if (layout_is_free(found, accesses, count))
        return true;
    for (uint32_t bits = 1; bits <= window; bits++) {
        found->keys[0] = before_first_key(plain, bits);
        while (next_key(plain, &found->keys[0]))
            if (layout_is_free(found, accesses, count))
                return true;
    }
    for (uint32_t bits = 2; bits <= window; bits++)
        for (uint32_t other = 1; 2 * other <= bits; other++)
            if (search_pairs(plain, bits - other, other, accesses, count, found))
                return true;
    return false;
}
