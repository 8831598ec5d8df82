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
    double (*first)(uint64_t state, size_t row); // not NULL: what stands in a row's first column instead
    double rough; // what struct maker has, of rows whose first column holds 0; 0: as uniform
};

// Makes any element of one buffer.
struct maker {
    struct fill fill;
    enum ptx_type type;
    uint64_t state; // of the random numbers, before element 0
    size_t columns;
    bool numbered;  // by row and column
    double rough;   // so many times a little is added, that 16 bits have no room for
    bool has_holes; // runs of zeros
    uint64_t holes; // where
};

// The elements first, first + step, … as the buffer's type holds them.
void maker_values(const struct maker *maker, size_t first, size_t step, size_t count, double *values);
// The elements [first, first + count) as they lie in memory.
void maker_fill(const struct maker *maker, size_t first, size_t count, void *to);

#endif
