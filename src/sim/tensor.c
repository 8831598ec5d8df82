// Tensor maps: their rules, and the rows of a box.
#include "sim/tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/shape.h"

enum { CHUNK = 16, MOST_BOX = 256, MOST_STEP = 8, MOST_BYTES = 228 << 10 };
#define NAN_BYTES UINT64_C(0x7ff77ff77ff77ff7)

// The NaN that fills floats is the same two bytes again and again, whatever the type (measured on an H200).
static const struct {
    uint32_t bytes;
    bool is_float;
} types[TENSOR_TYPES] = {
    [TENSOR_U8] = {1, false},  [TENSOR_U16] = {2, false}, [TENSOR_U32] = {4, false}, [TENSOR_S32] = {4, false},
    [TENSOR_U64] = {8, false}, [TENSOR_S64] = {8, false}, [TENSOR_F16] = {2, true},  [TENSOR_F32] = {4, true},
    [TENSOR_F64] = {8, true},  [TENSOR_BF16] = {2, true},
};

uint32_t tensor_type_bytes(uint32_t type)
{
    return type < TENSOR_TYPES ? types[type].bytes : 0;
}

__attribute__((format(printf, 3, 4))) static bool wrong_as(char *why, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return true;
}

static bool wrong_dimension(const struct tensor_map *map, unsigned i, char *why, size_t size)
{
    if (!map->dims[i] || map->dims[i] > UINT64_C(1) << 32)
        return wrong_as(why, size, "dims[%u] is %llu: 1 to 2^32 elements", i, (unsigned long long)map->dims[i]);
    if (!map->box[i] || map->box[i] > MOST_BOX)
        return wrong_as(why, size, "box[%u] is %u: 1 to %d elements", i, map->box[i], MOST_BOX);
    if (!map->steps[i] || map->steps[i] > MOST_STEP)
        return wrong_as(why, size, "estrides[%u] is %u: 1 to %d", i, map->steps[i], MOST_STEP);
    if (i && (map->strides[i - 1] % CHUNK || map->strides[i - 1] >= UINT64_C(1) << 40))
        return wrong_as(why, size, "strides[%u] is %llu bytes: a multiple of 16 below 2^40", i - 1,
                        (unsigned long long)map->strides[i - 1]);
    return false;
}

bool tensor_map_wrong(const struct tensor_map *map, char *why, size_t size)
{
    if (map->magic != TENSOR_MAGIC)
        return wrong_as(why, size, "these 128 bytes are no tensor map");
    if (!map->rank || map->rank > TENSOR_RANK)
        return wrong_as(why, size, "its rank is %u: 1 to %d dimensions", map->rank, TENSOR_RANK);
    if (map->type >= TENSOR_TYPES)
        return wrong_as(why, size, "its type is unknown");
    if (map->base % CHUNK)
        return wrong_as(why, size, "its base is not aligned to 16 bytes");
    for (unsigned i = 0; i < map->rank; i++)
        if (wrong_dimension(map, i, why, size))
            return true;
    uint32_t row = map->box[0] * types[map->type].bytes;
    if (row % CHUNK)
        return wrong_as(why, size, "rows of the box are %u bytes, box[0] times the element's: a multiple of 16", row);
    if (map->swizzle && map->swizzle != 32 && map->swizzle != 64 && map->swizzle != 128)
        return wrong_as(why, size, "its swizzle is %u: none, 32, 64 or 128", map->swizzle);
    if (map->swizzle && row > map->swizzle)
        return wrong_as(why, size, "rows of the box are %u bytes, more than the swizzle's %u", row, map->swizzle);
    if (map->fills_nan > types[map->type].is_float)
        return wrong_as(why, size, "NaN fills only floating-point elements");
    uint64_t bytes = 1; // 256^5 boxes of 8 bytes fit
    for (unsigned i = 0; i < map->rank; i++)
        bytes *= i ? (map->box[i] + map->steps[i] - 1u) / map->steps[i] : row;
    if (bytes > MOST_BYTES)
        return wrong_as(why, size, "its box is %llu bytes, more than the %d of a block's shared memory",
                        (unsigned long long)bytes, MOST_BYTES);
    return false;
}

struct tensor_box tensor_box_of(const struct tensor_map *map)
{
    struct tensor_box box = {.rows = 1};
    for (unsigned i = 0; i < TENSOR_RANK; i++) {
        uint32_t step = i && i < map->rank ? map->steps[i] : 1;
        box.counts[i] = i < map->rank ? (map->box[i] + step - 1) / step : 1;
        box.rows *= i ? box.counts[i] : 1;
    }
    box.row_bytes = box.counts[0] * types[map->type].bytes;
    box.pitch = map->swizzle ? map->swizzle : box.row_bytes;
    box.bytes = box.rows * box.row_bytes;
    box.span = box.rows * box.pitch;
    return box;
}

struct tensor_row tensor_row_of(const struct tensor_map *map, const struct tensor_box *box,
                                const int32_t at[TENSOR_RANK], uint32_t row, bool stores)
{
    int64_t bytes = types[map->type].bytes, first = at[0], end = first + box->counts[0];
    struct tensor_row found = {.address = map->base};
    for (unsigned i = 1; i < map->rank; i++) {
        int64_t place = at[i] + (int64_t)(row % box->counts[i]) * map->steps[i];
        row /= box->counts[i];
        if (place < 0 || place >= (int64_t)map->dims[i])
            return found;
        found.address += (uint64_t)place * map->strides[i - 1];
    }
    int64_t low = first < 0 ? 0 : first, high = end > (int64_t)map->dims[0] ? (int64_t)map->dims[0] : end;
    if (low >= high)
        return found;
    found.address += (uint64_t)(low * bytes);
    found.from = (uint32_t)((low - first) * bytes);
    found.inside = (uint32_t)((high - low) * bytes);
    if (stores)
        found.inside = (found.inside + CHUNK - 1) / CHUNK * CHUNK;
    return found;
}

// Where the chunk at so many bytes from the tile's start lies.
static uint64_t chunk_at(const struct tensor_map *map, uint64_t tile, uint32_t offset)
{
    return shape_swizzle(tile + offset, map->swizzle) - tile;
}

void tensor_row_to_tile(const struct tensor_map *map, uint64_t tile, uint32_t first, const unsigned char *row,
                        unsigned char *data)
{
    uint32_t bytes = map->box[0] * types[map->type].bytes;
    for (uint32_t i = 0; i < bytes; i += CHUNK)
        memcpy(data + chunk_at(map, tile, first + i), row + i, CHUNK);
}

void tensor_row_from_tile(const struct tensor_map *map, uint64_t tile, uint32_t first, unsigned char *row,
                          const unsigned char *data)
{
    uint32_t bytes = map->box[0] * types[map->type].bytes;
    for (uint32_t i = 0; i < bytes; i += CHUNK)
        memcpy(row + i, data + chunk_at(map, tile, first + i), CHUNK);
}

void tensor_fill(const struct tensor_map *map, unsigned char *row)
{
    uint32_t bytes = types[map->type].bytes, row_bytes = map->box[0] * bytes;
    uint64_t value = map->fills_nan ? NAN_BYTES : 0;
    for (uint32_t i = 0; i < row_bytes; i += bytes)
        memcpy(row + i, &value, bytes);
}
