// Finding the shape of an access among those seen before, and what a shape covers.
#include "sim/shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SHAPES = 384, SLOTS = 1024, COVER_WORDS = 2 * SHAPE_LANES };

typedef bool (*holds_function)(const struct lane_shape *, const uint64_t *, uint64_t);

struct shape_table {
    holds_function holds;
    uint32_t count, serial;
    uint16_t slots[SLOTS]; // hash table of places in items + 1
    struct lane_shape items[SHAPES];
};

const struct lane_shape shape_none;

// One body, compiled for what the processor has: the compiler turns the loop into vectors.
#define HOLDS_BODY                                                                                                     \
    uint64_t differ = 0;                                                                                               \
    for (int lane = 0; lane < SHAPE_LANES; lane++)                                                                     \
        differ |= ((addresses[lane] - first) ^ (uint64_t)(int64_t)shape->distances[lane]) &                            \
                  (uint64_t)(int64_t)(int32_t)shape->active[lane];                                                     \
    return !differ;

static bool holds_plain(const struct lane_shape *shape, const uint64_t *addresses, uint64_t first)
{
    HOLDS_BODY
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool holds_avx2(const struct lane_shape *shape, const uint64_t *addresses,
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

struct shape_table *shape_table_new(void)
{
    struct shape_table *table = mem_resize(NULL, sizeof *table); // most of it is never touched
    table->holds = choose_holds();
    table->count = table->serial = 0;
    memset(table->slots, 0, sizeof table->slots);
    return table;
}

// ---- covers

static void covers_free(struct lane_shape *shape)
{
    for (uint32_t i = 0; shape->covers && i < COVER_BYTES / shape->bytes; i++)
        free(shape->covers[i]);
    free(shape->covers);
    shape->covers = NULL;
}

static void cover_add(struct shape_cover *cover, int32_t at, uint32_t lane, uint64_t bits, bool follows)
{
    uint32_t i = 0;
    while (i < cover->count && cover->words[i].at != at)
        i++;
    struct shape_word *word = &cover->words[i];
    if (i == cover->count) {
        cover->count++;
        *word = (struct shape_word){.at = at, .row = true};
    } else {
        cover->unique &= !(word->bits & bits);
        word->row &= follows && word->lanes >> (lane - 1) & 1;
    }
    word->lanes |= 1u << lane;
    word->bits |= bits;
}

static struct shape_cover *cover_make(const struct lane_shape *shape, uint64_t first)
{
    struct shape_cover *cover = mem_alloc(sizeof *cover + COVER_WORDS * sizeof *cover->words);
    uint64_t bits = UINT64_MAX >> (64 - shape->bytes);
    cover->unique = true;
    for (uint32_t rest = shape->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        int64_t at = (int64_t)(first % COVER_BYTES) + shape->distances[lane];
        uint32_t bit = (uint32_t)at % COVER_BYTES;
        bool follows = lane > 0 && shape->mask >> (lane - 1) & 1 &&
                       shape->distances[lane] == shape->distances[lane - 1] + (int32_t)shape->bytes;
        cover_add(cover, (int32_t)((at - bit) / COVER_BYTES), lane, bits << bit, follows);
    }
    return mem_resize(cover, sizeof *cover + cover->count * sizeof *cover->words);
}

const struct shape_cover *shape_cover_new(const struct lane_shape *shape, uint64_t first)
{
    struct lane_shape *own = (struct lane_shape *)(uintptr_t)shape; // its table may change it
    if (!shape->bytes || shape->bytes > COVERED_MAX || shape->bytes & (shape->bytes - 1) ||
        (first | shape->odd) & (shape->bytes - 1))
        return NULL;
    if (!own->covers)
        own->covers = mem_alloc(COVER_BYTES / shape->bytes * sizeof *own->covers);
    return own->covers[first % COVER_BYTES >> shape->shift] = cover_make(shape, first);
}

// ---- shapes

void shape_table_clear(struct shape_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        covers_free(&table->items[i]);
        table->items[i].serial = 0;
    }
    memset(table->slots, 0, sizeof table->slots);
    table->count = 0;
}

void shape_table_free(struct shape_table *table)
{
    if (!table)
        return;
    shape_table_clear(table);
    free(table);
}

static uint32_t hash_of(uint32_t mask, uint32_t bytes, const uint64_t addresses[SHAPE_LANES], uint64_t first)
{
    uint64_t hash = (uint64_t)bytes << 32 | mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        hash = (hash ^ (addresses[__builtin_ctz(rest)] - first)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 48) % SLOTS;
}

static void find_windows(struct lane_shape *shape)
{
    shape->windows = shape->straight = shape->mask == UINT32_MAX && shape->bytes == 4 && !(shape->odd & 3);
    for (int part = 0; part < SHAPE_PARTS && shape->windows; part++) {
        const int32_t *distances = shape->distances + part * SHAPE_PART;
        int32_t low = distances[0];
        for (int i = 1; i < SHAPE_PART; i++)
            low = distances[i] < low ? distances[i] : low;
        shape->window[part] = low;
        for (int i = 0; i < SHAPE_PART; i++) {
            int32_t word = (distances[i] - low) / 4;
            shape->picks[part * SHAPE_PART + i] = (uint32_t)word;
            shape->windows &= word < SHAPE_PART;
            shape->straight &= distances[i] == 4 * (part * SHAPE_PART + i);
        }
    }
    shape->straight &= shape->windows;
}

static bool shape_fill(struct lane_shape *shape, uint32_t mask, uint32_t bytes, const uint64_t addresses[SHAPE_LANES],
                       uint64_t first)
{
    *shape = (struct lane_shape){.mask = mask, .bytes = bytes, .first = (uint32_t)__builtin_ctz(mask)};
    shape->shift = bytes ? (uint32_t)__builtin_ctz(bytes) : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        int64_t distance = (int64_t)(addresses[lane] - first);
        if (distance < INT32_MIN / 2 || distance > INT32_MAX / 2)
            return false;
        shape->distances[lane] = (int32_t)distance;
        shape->active[lane] = UINT32_MAX;
        shape->low = shape->low < distance ? shape->low : (int32_t)distance;
        shape->high = shape->high > distance ? shape->high : (int32_t)distance;
        shape->odd |= (uint32_t)distance;
    }
    find_windows(shape);
    return true;
}

const struct lane_shape *shape_find(struct shape_table *table, const struct lane_shape **hint, uint32_t mask,
                                    uint32_t bytes, const uint64_t addresses[SHAPE_LANES], bool *full)
{
    uint64_t first = addresses[__builtin_ctz(mask)];
    *full = false;
    if ((*hint)->mask == mask && (*hint)->bytes == bytes && table->holds(*hint, addresses, first))
        return *hint;
    uint32_t slot = hash_of(mask, bytes, addresses, first);
    for (; table->slots[slot]; slot = (slot + 1) % SLOTS) {
        const struct lane_shape *shape = &table->items[table->slots[slot] - 1];
        if (shape->mask == mask && shape->bytes == bytes && table->holds(shape, addresses, first))
            return *hint = shape;
    }
    *full = table->count == SHAPES;
    struct lane_shape *made = &table->items[table->count];
    if (*full || !shape_fill(made, mask, bytes, addresses, first))
        return NULL;
    made->serial = ++table->serial;
    table->slots[slot] = (uint16_t)++table->count;
    return *hint = made;
}
