// Layouts of a tile in shared memory: which padding or XOR swizzle keeps a list of accesses free of conflicts.
//
// Nothing here is derived: each warp of each access is counted by the rule of banks (banks.h). Bank patterns repeat
// when a row grows by 128 bytes, so paddings up to that are all there are. Of swizzles, all of CuTe's Swizzle<B, M, S>
// that change a bank are tried, alone and in pairs: offset ^ (offset >> S & ((1 << B) - 1) << M), in elements. In a
// pair neither takes its key from bits that the other changes, so their order does not matter.
#ifndef BANKSHOT_MODEL_LAYOUTS_H
#define BANKSHOT_MODEL_LAYOUTS_H

#include <stddef.h>

#include "model/banks.h"

struct layout_key {
    uint32_t b, m, s; // Swizzle<b, m, s> of the offset in elements; b = 0: none
};
enum { LAYOUT_KEYS = 2 };

// Element (r, c) of a tile of rows by columns lies at layout_offset(…, r, c).
struct layout {
    uint32_t rows, columns, bytes; // bytes of an element: 1, 2, 4, 8 or 16
    uint32_t padding;              // elements behind each row
    struct layout_key keys[LAYOUT_KEYS];
};

// Who touches what. Lane l is thread (l % across, l / across) of the warp; a lane moves `vector` elements of one row,
// from a column that is a multiple of it.
enum layout_walk {
    LAYOUT_ROW,    // threads in x go along a row
    LAYOUT_COLUMN, // threads in x go down a column
    LAYOUT_MATRIX, // ldmatrix, stmatrix: 8 rows of 16 bytes for each of up to four matrices, two down and two across
    LAYOUT_WGMMA   // the same rows, and the layout must be one of those that its descriptor can name
};
struct layout_access {
    enum layout_walk walk;
    uint32_t vector, across;
};

struct layout_cost {
    uint64_t warps, wavefronts, conflicts;
    bool is_possible;               // vectors stay whole and aligned, and no two elements share a place
    uint32_t row, column;           // of the first warp with conflicts
    uint32_t mask;                  // its lanes …
    uint64_t addresses[WARP_LANES]; // … and their bytes
    uint32_t lane, other;           // two of them that want different words …
    uint32_t bank;                  // … of this bank
};

uint64_t layout_offset(const struct layout *layout, uint32_t row, uint32_t column); // in bytes
uint64_t layout_targets(const struct layout_key *key);                              // the offset's bits that it changes
uint64_t layout_size(const struct layout *layout);                                  // in bytes, padding included

// Counts every warp of the access. briefly: stops at the first conflict, for searches.
void layout_count(const struct layout *layout, const struct layout_access *access, bool briefly,
                  struct layout_cost *cost);
bool layout_is_free(const struct layout *layout, const struct layout_access *accesses, size_t count);

// The least padding, and the simplest swizzle (one before two, then fewest bits, then the nearest key, then the largest
// chunk), under which no access has a conflict, in *found. False: none does.
bool layout_pad(const struct layout *plain, const struct layout_access *accesses, size_t count, struct layout *found);
bool layout_swizzle(const struct layout *plain, const struct layout_access *accesses, size_t count,
                    struct layout *found);

// The paddings to try: 0 … layout_paddings - 1.
uint32_t layout_paddings(const struct layout *layout);
uint32_t layout_bits(uint32_t value); // log2, rounded down

#endif
