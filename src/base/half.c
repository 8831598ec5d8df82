// Floats of few bits, by way of the double that holds them all exactly.
#include "base/half.h"

uint32_t small_from_f64(double v, int exponent_bits, int mantissa_bits, enum round_mode mode)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint64_t bits = f64_bits(v);
    uint32_t sign = (uint32_t)(bits >> 63), infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    uint32_t signed_bit = sign << (exponent_bits + mantissa_bits);
    if (isinf(v))
        return signed_bit | infinity;
    if (v == 0)
        return signed_bit;
    int exponent;
    double fraction = frexp(fabs(v), &exponent); // fraction in [0.5, 1)
    exponent -= 1;
    int lowest = 1 - bias;
    int quantum = (exponent < lowest ? lowest : exponent) - mantissa_bits; // exponent of the last bit kept
    double scaled = ldexp(fraction, exponent + 1 - quantum), whole = floor(scaled), rest = scaled - whole;
    bool up = false;
    switch (mode) {
    case ROUND_NEAREST:
        up = rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1);
        break;
    case ROUND_AWAY:
        up = rest >= 0.5;
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
    uint64_t mantissa = (uint64_t)whole + up;
    uint32_t result;
    if (exponent < lowest)
        result = (uint32_t)mantissa; // may carry into the first normal number
    else
        result = ((uint32_t)(exponent + bias) << mantissa_bits) + (uint32_t)(mantissa - (1ull << mantissa_bits));
    if (exponent > bias || result >= infinity) {
        bool reaches =
            mode == ROUND_NEAREST || mode == ROUND_AWAY || (mode == ROUND_UP && !sign) || (mode == ROUND_DOWN && sign);
        result = reaches ? infinity : infinity - 1;
    }
    return signed_bit | result;
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
