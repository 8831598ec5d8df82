// 16-bit floating point: IEEE half (f16) and bfloat16, to and from double. Rounding is to nearest, ties to even, in
// one step from the double; overflow gives infinity, NaN stays NaN (quiet).
#ifndef BANKSHOT_BASE_HALF_H
#define BANKSHOT_BASE_HALF_H

#include <stdint.h>

uint16_t half_from_double(double value);
double half_to_double(uint16_t bits);
uint16_t bfloat_from_double(double value);
double bfloat_to_double(uint16_t bits);

#endif
