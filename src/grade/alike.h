// What wrong results have in common: where they lie in an output, and at which sizes they come. For people: evidence,
// no cause.
#ifndef BANKSHOT_GRADE_ALIKE_H
#define BANKSHOT_GRADE_ALIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"

// Where rows x columns elements are wrong, one flag for each: "whole columns: from 64 on", "rows: 1, 3 of every 4;
// columns: 0 to 31", "off the diagonal"; "" if it is nothing as simple, or all are wrong, or none. An output of one row
// has places instead of columns.
void alike_places(const bool *wrong, size_t rows, size_t columns, char *text, size_t size);

// A size at which a kernel was tried.
struct alike_size {
    const struct lesson_size *size;
    bool right;
};
// What the sizes at which it was right have and the others have not: "cols is a multiple of 4", "m is equal to n"; a
// bound, "n is at most 256", only of one variable alone and of three sizes each. "" if it is nothing as simple, or too
// few say so: at least two are right and two wrong.
void alike_sizes(const struct alike_size *tried, size_t count, char *text, size_t size);

#endif
