// Shapes: how the lanes of one access lie to one another, told apart fast.
//
// Most instructions repeat one shape or a few. What follows from a shape (which words a load fetches, what its banks
// cost, which places it covers) is worked out once and kept under the shape's serial.
#ifndef BANKSHOT_SIM_SHAPE_H
#define BANKSHOT_SIM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHAPE_LANES = 32, SHAPE_PART = 8, SHAPE_PARTS = SHAPE_LANES / SHAPE_PART, COVER_BYTES = 64, COVERED_MAX = 32 };

// The swizzle of tensor copies and of wgmma's descriptors, for a span of 32, 64 or 128 bytes: the number of a 128-byte
// line, as far as the span has 16-byte chunks to count, is XORed to the number of the chunk. Any other span: none. It is
// the address in shared memory that counts, not the distance from the tile (PTX ISA, "Swizzling Modes").
static inline uint64_t shape_swizzle(uint64_t address, uint32_t span)
{
    return span == 32 || span == 64 || span == 128 ? address ^ (address >> 3 & (span - 16)) : address;
}

// The bytes that an access touches, by aligned words of COVER_BYTES; bit i of bits: byte i of the word.
struct shape_cover {
    uint32_t count;
    bool unique; // no byte belongs to two lanes
    struct shape_word {
        int32_t at;     // from the word that holds the first active lane's address, in words
        uint32_t lanes; // that touch it
        uint64_t bits;
        bool row; // lane follows lane, each `bytes` after the one before
    } words[];
};

struct lane_shape {
    uint32_t serial;      // never 0, and never used again in its table: as long as it is there, the shape is the same
    uint32_t mask, bytes; // active lanes, bytes of each
    uint32_t shift;       // log2 of bytes, where they are a power of 2
    uint32_t first;       // lowest active lane
    int32_t low, high;    // least and greatest distance
    uint32_t odd;         // all distances' bits
    bool windows;         // all lanes are active and 4 bytes wide, and those of each part lie in SHAPE_PART words
    bool straight;        // … and follow one another: lane by lane, word by word
    int32_t window[SHAPE_PARTS];    // distance of the first of those words
    uint32_t picks[SHAPE_LANES];    // which of them each lane has
    int32_t distances[SHAPE_LANES]; // from the first active lane's address; 0 for inactive lanes
    uint32_t active[SHAPE_LANES];   // all ones or 0
    struct shape_cover **covers;    // by the first address's place in its word, in units of bytes
};

struct shape_table;
struct shape_table *shape_table_new(void);
void shape_table_free(struct shape_table *table);

// A shape that no access has: what an instruction's hint is before it ran. Lives on; serial 0.
extern const struct lane_shape shape_none;

// mask: not 0. *hint is where the instruction's last shape was, and moves. NULL: the lanes lie too far apart, or
// (*full) there is no room for one more shape.
const struct lane_shape *shape_find(struct shape_table *table, const struct lane_shape **hint, uint32_t mask,
                                    uint32_t bytes, const uint64_t addresses[SHAPE_LANES], bool *full);
// Ends all shapes of the table: hints have to be set to &shape_none.
void shape_table_clear(struct shape_table *table);

const struct shape_cover *shape_cover_new(const struct lane_shape *shape, uint64_t first);

// What an access covers whose first active lane's address is `first`. NULL: its bytes are not 1, 2, 4 … COVERED_MAX,
// or not aligned. Owned by the shape.
static inline const struct shape_cover *shape_cover(const struct lane_shape *shape, uint64_t first)
{
    const struct shape_cover *cover = NULL;
    if (shape->covers && !((first | shape->odd) & (shape->bytes - 1)))
        cover = shape->covers[first % COVER_BYTES >> shape->shift];
    return cover ? cover : shape_cover_new(shape, first);
}

#endif
