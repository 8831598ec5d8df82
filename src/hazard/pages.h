// What blocks did to global memory, kept by place: for each class of access the two lowest blocks, and of each block
// what it did there first. That is the same whatever order the blocks run in, and on however many host threads.
//
// A place is a granule (the program's smallest access). A line of COVER_BYTES has a list of records for each class,
// each for what one block did there by one instruction: mostly one or two, for blocks mostly use a line as a whole.
#ifndef BANKSHOT_HAZARD_PAGES_H
#define BANKSHOT_HAZARD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim_observer.h"

enum cross_class { CROSS_READ, CROSS_WRITE, CROSS_STRONG, CROSS_CLASSES };

struct cross_mark {
    uint32_t block; // + 1
    uint32_t pc, value;
    uint16_t thread;
    bool strong;
};

// Memory bound: 4 million places, those with the lowest addresses; places beyond are not watched.
struct cross_pages;
struct cross_pages *cross_pages_new(uint32_t shift); // log2 of a granule's bytes
void cross_pages_free(struct cross_pages *pages);

// A warp's access. Of a place that several lanes touch, the lowest counts. is_strong: for other blocks, too.
void cross_pages_touch(struct cross_pages *pages, enum cross_class class, const struct sim_access *access,
                       bool is_strong);

// Whether its block has written to a place of the access before, with plain stores: *lane and *write tell of the first.
bool cross_pages_wrote(struct cross_pages *pages, const struct sim_access *access, uint32_t *lane,
                       struct cross_mark *write);

void cross_pages_merge(struct cross_pages *into, struct cross_pages *from); // from is emptied

// One place: marks[class][0] is by a lower block than marks[class][1]; NULL = none.
struct cross_cell {
    uint64_t address;
    const struct cross_mark *marks[CROSS_CLASSES][2];
};
// Calls visit for the places that blocks can have met at, in no order.
typedef void (*cross_visit)(void *context, const struct cross_cell *cell);
void cross_pages_visit(const struct cross_pages *pages, cross_visit visit, void *context);

#endif
