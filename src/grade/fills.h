// How an element of a buffer follows from its number: random values of a fill, made by the million and in any order.
#ifndef BANKSHOT_GRADE_FILLS_H
#define BANKSHOT_GRADE_FILLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/ptx.h"

// How random bits become a value: low + (one of `range` whole numbers, or the element's index where that is 0) * step
struct fill {
    double low, step;
    uint64_t range;
    double (*last)(uint64_t state, size_t row, size_t rows); // not NULL: what stands in a row's last column instead
    double rough; // what struct maker has, of rows whose last column holds 0; 0: as uniform
};

// A row whose last column holds so much, or more, above 0 or below, holds nothing else. (Where halves have no room for
// it, the last column holds less.)
#define FILL_BARE 4096.0

// Where values lean to one side. A vote over a warp or a block, whether all its numbers are above 0 or any is large,
// comes out one way alone where numbers know nothing of each other. So in some places they are drawn from a part of the
// range: positive, negative, close to an end of it, close to 0, all the same, or from a half of it that lies anywhere,
// of which any share is positive. Half of the bands of LEAN_BAND rows have tiles, LEAN_PIECE wide, of which one in four
// leans; in the others one in four rows does. Of what is left, one in eight runs of LEAN_PIECE elements of a row does.
// The seed draws which; kinds follow one another, so that there are all.
enum { LEAN_PIECE = 64, LEAN_BAND = 32 };
struct leaning {
    uint64_t seed;
    size_t columns; // of a row; 0: nothing leans
    bool is_flat;   // these rows are parts of one: there are no tiles
    bool goes_far;  // in places numbers are larger than the range has them, by a power of two
};

// Bytes repeat in places, as those of pictures do: one piece of RUN_PIECE elements in `one_in` has RUN_LEAST to
// RUN_PIECE equal ones in a row, and where has_long, one of RUN_LONG elements in LONG_ONE_IN is such a row but for its
// ends.
// Half of these have specks, one in SPECK_ONE_IN.
enum { RUN_PIECE = 64, RUN_LEAST = 4, RUN_LONG = 1024, LONG_ONE_IN = 4, SPECK_ONE_IN = 64 };
struct repeating {
    uint64_t seed;   // the seed draws which
    unsigned one_in; // 0: nothing repeats
    bool has_long;
};

// Makes any element of one buffer.
struct maker {
    struct fill fill;
    enum ptx_type type;
    uint64_t state; // of the random numbers, before element 0
    size_t columns, rows;
    bool numbered;  // by row and column
    double rough;   // so many times a little is added, that 16 bits have no room for
    bool has_holes; // runs of zeros
    uint64_t holes; // where
    struct leaning leaning;
    struct repeating repeating;
};

// The elements first, first + step, … as the buffer's type holds them.
void maker_values(const struct maker *maker, size_t first, size_t step, size_t count, double *values);
// The elements [first, first + count) as they lie in memory.
void maker_fill(const struct maker *maker, size_t first, size_t count, void *to);

#endif
