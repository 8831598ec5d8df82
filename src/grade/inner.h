// Inner products in double precision: the same sums, in the same order, with any instruction set and any number of them
// at once.
#ifndef BANKSHOT_GRADE_INNER_H
#define BANKSHOT_GRADE_INNER_H

#include <stdbool.h>
#include <stddef.h>

// INNER_WORTH: of so many of a tile's products, all cost less than each for itself.
enum { INNER_SIDE = 4, INNER_WORTH = 4 };

double inner_product(const double *a, const double *b, size_t depth);
// Of each of some lines with each of others.
void inner_products(const double *const a[INNER_SIDE], const double *const b[INNER_SIDE], size_t depth,
                    double result[INNER_SIDE][INNER_SIDE]);
// Adds to each element of `row` its column of `values`, each row of it times its weight, one after another.
void inner_combine(const double *weights, const double *values, size_t count, size_t columns, double *row);

#endif
