// What blocks did to global memory, kept by place: for each class of access the two lowest blocks, and of each block
// what it did there first. That is the same whatever order the blocks run in.
//
// A place is a granule (the program's smallest access). Blocks mostly use a line of COVER_BYTES as a whole, so a line
// has at most two records, each for all that one block did there; where that does not tell enough it becomes loose,
// and each of its places has marks of its own.
#ifndef BANKSHOT_HAZARD_PAGES_H
#define BANKSHOT_HAZARD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/shape.h"

enum cross_class { CROSS_READ, CROSS_WRITE, CROSS_STRONG, CROSS_CLASSES };

struct cross_mark {
    uint32_t block; // + 1; 0 = none
    uint32_t pc, tick, value;
    uint16_t thread;
    uint8_t strong;
};

// Memory bound: 4 million places, of 20 bytes each where all are loose; places beyond are not watched.
struct cross_pages;
struct cross_pages *cross_pages_new(uint32_t shift); // log2 of a granule's bytes
void cross_pages_free(struct cross_pages *pages);

void cross_touch_place(struct cross_pages *pages, enum cross_class class, uint64_t address,
                       const struct cross_mark *mark);

// A warp's access as one; of a place that several lanes touch, the lowest counts.
struct cross_touch {
    enum cross_class class;
    struct cross_mark mark; // thread: of lane 0; value: not used
    const struct lane_shape *shape;
    const struct shape_cover *cover;
    uint64_t first;              // address of the shape's first lane
    const unsigned char *values; // of CROSS_WRITE: lane l's bytes at values + l * value_stride, or NULL: all 0
    uint32_t value_stride;
};
void cross_touch_cover(struct cross_pages *pages, const struct cross_touch *touch);

void cross_pages_merge(struct cross_pages *into, struct cross_pages *from); // from is emptied

// One place: marks[class][0] is by a lower block than marks[class][1]; NULL = none.
struct cross_cell {
    uint64_t address;
    const struct cross_mark *marks[CROSS_CLASSES][2];
};
// Calls visit for the places that blocks can have met at, in no order. Records become marks by this.
void cross_pages_visit(struct cross_pages *pages, void (*visit)(void *context, const struct cross_cell *cell),
                       void *context);

#endif
