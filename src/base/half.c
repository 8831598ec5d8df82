// Floats of few bits, by way of the double that holds them all exactly.
#include "base/half.h"

// In whole numbers alone, since data of halves are made by the million.
uint32_t small_from_f64(double v, int exponent_bits, int mantissa_bits, enum round_mode mode)
{
    const int f64_mantissa = 52, f64_bias = 1023;
    int bias = (1 << (exponent_bits - 1)) - 1, lowest = 1 - bias;
    uint64_t bits = f64_bits(v);
    uint32_t sign = (uint32_t)(bits >> 63), infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    uint32_t signed_bit = sign << (exponent_bits + mantissa_bits);
    int field = (int)(bits >> f64_mantissa & 0x7FF), exponent = (field ? field : 1) - f64_bias;
    uint64_t number = (bits & ((UINT64_C(1) << f64_mantissa) - 1)) | (uint64_t)(field > 0) << f64_mantissa;
    if (field == 0x7FF)
        return signed_bit | infinity;
    int dropped = f64_mantissa - mantissa_bits + (exponent < lowest ? lowest - exponent : 0);
    if (dropped > 63) // nothing is kept, and what is dropped is less than half of the last bit
        number = number > 0, dropped = 63;
    uint64_t kept = number >> dropped, rest = number & ((UINT64_C(1) << dropped) - 1),
             half = UINT64_C(1) << (dropped - 1);
    bool up = false;
    switch (mode) {
    case ROUND_NEAREST:
        up = rest > half || (rest == half && kept % 2 == 1);
        break;
    case ROUND_AWAY:
        up = rest >= half;
        break;
    case ROUND_DOWN:
        up = sign && rest > 0;
        break;
    case ROUND_UP:
        up = !sign && rest > 0;
        break;
    case ROUND_ZERO:
        break;
    }
    uint64_t result = kept + up; // a carry makes the next exponent, or the first normal number
    if (exponent >= lowest)
        result += (uint64_t)(exponent - lowest)
                  << mantissa_bits; // 1 << mantissa_bits is in it: the exponent's first step
    if (exponent > bias || result >= infinity) {
        bool reaches =
            mode == ROUND_NEAREST || mode == ROUND_AWAY || (mode == ROUND_UP && !sign) || (mode == ROUND_DOWN && sign);
        result = reaches ? infinity : infinity - 1;
    }
    return signed_bit | (uint32_t)result;
}

double small_to_f64(uint32_t bits, int exponent_bits, int mantissa_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
    double v;
    if (exponent == (1 << exponent_bits) - 1)
        v = mantissa ? NAN : INFINITY;
    else if (exponent)
        v = ldexp((double)(mantissa | 1u << mantissa_bits), exponent - bias - mantissa_bits);
    else
        v = ldexp((double)mantissa, 1 - bias - mantissa_bits);
    return bits >> (exponent_bits + mantissa_bits) & 1 ? -v : v;
}
