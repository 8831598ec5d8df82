// Small floats as bits: f16, bf16, tf32 and the 8-bit formats, to and from binary32 and binary64. A NaN in them is
// the canonical one of the hardware (PTX ISA, cvt); f16 and bf16 keep its payload on their way to binary32.
#ifndef BANKSHOT_BASE_HALF_H
#define BANKSHOT_BASE_HALF_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { F16_NAN = 0x7fff, BF16_NAN = 0x7fff };

enum round_mode { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY }; // AWAY: .rna, ties away from zero

static inline float bits_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float v;
    memcpy(&v, &low, sizeof v);
    return v;
}

static inline uint32_t f32_bits(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline double bits_f64(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t f64_bits(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

// A finite or infinite double in a format with so many exponent and mantissa bits, rounded once. Values past the
// largest become infinity, or the largest for the roundings that do not reach it. NaN is the caller's business.
uint32_t small_from_f64(double v, int exponent_bits, int mantissa_bits, enum round_mode mode);
double small_to_f64(uint32_t bits, int exponent_bits, int mantissa_bits);

static inline float f16_to_f32(uint32_t h)
{
    uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 0x1f, mantissa = h & 0x3ff;
    if (exponent == 0x1f)
        return bits_f32(sign | 0x7f800000u | mantissa << 13);
    if (exponent)
        return bits_f32(sign | (exponent + 112) << 23 | mantissa << 13);
    float v = (float)mantissa * 0x1p-24f;
    return sign ? -v : v;
}

static inline uint32_t f16_from_f32(float v)
{
    uint32_t bits = f32_bits(v), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u)
        return F16_NAN;
    if (magnitude >= 0x38800000u && magnitude < 0x47800000u) { // normal in f16, or rounds to infinity
        uint32_t rounded = magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1);
        return sign | rounded >> 13;
    }
    return small_from_f64((double)v, 5, 10, ROUND_NEAREST);
}

static inline uint32_t f16_from_f64(double v, enum round_mode mode)
{
    if (mode == ROUND_NEAREST && (double)(float)v == v) // most data: it is rounded once
        return f16_from_f32((float)v);
    return isnan(v) ? F16_NAN : small_from_f64(v, 5, 10, mode);
}

static inline float bf16_to_f32(uint32_t h)
{
    return bits_f32(h << 16);
}

static inline uint32_t bf16_from_f32(float v)
{
    uint32_t bits = f32_bits(v);
    if (v != v)
        return BF16_NAN;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static inline uint32_t bf16_from_f64(double v, enum round_mode mode)
{
    if (mode == ROUND_NEAREST && (double)(float)v == v) // as above
        return bf16_from_f32((float)v);
    return isnan(v) ? BF16_NAN : small_from_f64(v, 8, 7, mode);
}

static inline float flush_f32(float v)
{
    return fabsf(v) < 0x1p-126f ? copysignf(0.0f, v) : v;
}

#endif
