#include "base/half.h"

#include <math.h>
#include <string.h>

// A 16-bit format: sign, exponent_bits, mantissa_bits.
struct format {
    int mantissa_bits, bias;
    uint16_t infinity, quiet;
};

static const struct format half = {10, 15, 0x7c00, 0x0200};
static const struct format bfloat = {7, 127, 0x7f80, 0x0040};

static uint16_t narrow(double value, const struct format *format)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return sign | format->infinity | format->quiet;
    value = fabs(value);
    if (value == 0.0 || isinf(value))
        return sign | (value == 0.0 ? 0 : format->infinity);
    int exponent = ilogb(value);
    int least = 1 - format->bias;
    if (exponent < least)
        exponent = least;
    // In units of the last place: exact (a double has bits to spare), then rounded once. A carry out of the mantissa
    // moves into the exponent by itself.
    double units = rint(ldexp(value, format->mantissa_bits - exponent));
    double hidden = ldexp(1.0, format->mantissa_bits);
    double bits = units < hidden ? units : units - hidden + (exponent + format->bias) * hidden;
    return sign | (bits >= format->infinity ? format->infinity : (uint16_t)bits);
}

static double widen(uint16_t bits, const struct format *format)
{
    double sign = bits & 0x8000 ? -1.0 : 1.0;
    int mantissa = bits & ((1 << format->mantissa_bits) - 1);
    int exponent = (bits & 0x7fff) >> format->mantissa_bits;
    if ((bits & format->infinity) == format->infinity)
        return mantissa ? copysign(NAN, sign) : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(mantissa, 1 - format->bias - format->mantissa_bits);
    return sign * ldexp(mantissa + (1 << format->mantissa_bits), exponent - format->bias - format->mantissa_bits);
}

uint16_t half_from_double(double value)
{
    return narrow(value, &half);
}

double half_to_double(uint16_t bits)
{
    return widen(bits, &half);
}

uint16_t bfloat_from_double(double value)
{
    return narrow(value, &bfloat);
}

double bfloat_to_double(uint16_t bits)
{
    return widen(bits, &bfloat);
}
