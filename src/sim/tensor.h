// Tensor maps: what a CUtensorMap stands for, which maps there may be, and which bytes a box of one consists of.
//
// On a GPU the driver encodes a map, in 128 bytes that nobody else can read. Here the 128 bytes are struct tensor_map
// as it lies. The rules are those of cuTensorMapEncodeTiled (CUDA Driver API, "Tensor Map Object Management"), the
// layout of a box is that of the PTX ISA, "Tensors", tiled mode; what they leave open was measured on an H200
// (docs/accuracy.md).
#ifndef BANKSHOT_SIM_TENSOR_H
#define BANKSHOT_SIM_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TENSOR_RANK = 5, TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGNMENT = 64, TENSOR_TILE_ALIGNMENT = 128 };
#define TENSOR_MAGIC UINT64_C(0x70616d726f736e74)

enum tensor_type { // as CUtensorMapDataType counts
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_TYPES
};

struct tensor_map {
    uint64_t magic, base;
    uint64_t dims[TENSOR_RANK];        // elements; x first
    uint64_t strides[TENSOR_RANK - 1]; // bytes from one element of dimension i + 1 to the next
    uint16_t box[TENSOR_RANK];         // elements walked over
    uint8_t steps[TENSOR_RANK];        // of which each so-manieth is taken; the first is always 1
    uint8_t rank, type, swizzle;       // swizzle: bytes of its span; 0: none
    uint8_t fills_nan;                 // what lies outside: not zeros
    uint8_t l2;                        // promotion, as the driver counts; nothing here heeds it
    uint8_t spare[20];                 // zeros
};
_Static_assert(sizeof(struct tensor_map) == TENSOR_MAP_BYTES, "a map is the size of a CUtensorMap");

// What breaks a rule, into why; false: nothing does. The base may be left out: 0.
bool tensor_map_wrong(const struct tensor_map *map, char *why, size_t size);

uint32_t tensor_type_bytes(uint32_t type);
// What a box becomes in shared memory: so many rows of so many bytes each, from which `pitch` is it to the next. With a
// swizzle that is its span, however short the row is. bytes: what the mbarrier counts; span: of shared memory.
struct tensor_box {
    uint32_t counts[TENSOR_RANK]; // elements taken in each dimension
    uint32_t rows, row_bytes, pitch, bytes, span;
};
struct tensor_box tensor_box_of(const struct tensor_map *map);

// One row of the box whose corner is at the coordinates `at`: `inside` bytes of it, from byte `from` on, lie in the
// tensor, at global address `address`. inside = 0: none. Stores and
// reductions write whole chunks of 16 bytes, up to 15 bytes behind the last element of a row (an H200 does).
struct tensor_row {
    uint64_t address;
    uint32_t from, inside;
};
struct tensor_row tensor_row_of(const struct tensor_map *map, const struct tensor_box *box,
                                const int32_t at[TENSOR_RANK], uint32_t row, bool stores);

enum { TENSOR_ROW_MOST = 4096 }; // bytes of a row of a box, and more

// Between rows as they lie in the tensor and a tile in shared memory, whose byte 0 is at shared address `tile`: to one,
// or from one. row: tensor_box.row_bytes; first: of the row, from the tile's start.
void tensor_row_to_tile(const struct tensor_map *map, uint64_t tile, uint32_t first, const unsigned char *row,
                        unsigned char *data);
void tensor_row_from_tile(const struct tensor_map *map, uint64_t tile, uint32_t first, unsigned char *row,
                          const unsigned char *data);
// The bytes of a row that lies outside.
void tensor_fill(const struct tensor_map *map, unsigned char *row);

#endif
