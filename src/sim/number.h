// Numbers as operands hold them: what the bits of a type mean, and the bits of a result.
#ifndef BANKSHOT_SIM_NUMBER_H
#define BANKSHOT_SIM_NUMBER_H

#include <fenv.h>

#include "base/half.h"
#include "sim/op.h"

static inline uint64_t bits_below(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static inline int64_t sign_extend(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline int64_t clamp_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

static inline uint32_t type_bits(enum ptx_type type)
{
    return 8 * ptx_type_size(type);
}

static inline int fe_mode(enum round_mode mode) // ROUND_AWAY has none
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    return modes[mode];
}

static inline bool type_is_brain(enum ptx_type type)
{
    return type == PTX_BF16 || type == PTX_BF16X2;
}

// The float in the low bits; of a pair, the low one. flushes: a subnormal f16 or f32 counts as 0.
static inline double number_float(enum ptx_type type, bool flushes, uint64_t bits)
{
    switch (type) {
    case PTX_F64:
        return bits_f64(bits);
    case PTX_F32:
        return (double)(flushes ? flush_f32(bits_f32(bits)) : bits_f32(bits));
    case PTX_TF32: // the low 13 bits are not looked at
        return (double)bits_f32(bits & 0xffffe000u);
    case PTX_BF16:
    case PTX_BF16X2:
        return (double)bf16_to_f32((uint32_t)bits & 0xffff);
    case PTX_E5M2:
    case PTX_E5M2X2:
        return small_to_f64(bits & 0xff, 5, 2);
    case PTX_E4M3: // no infinity, one NaN
    case PTX_E4M3X2:
        return (bits & 0x7f) == 0x7f ? (double)NAN
                                     : copysign(small_to_f64(bits & 0x7f, 5, 3) * 0x1p8, bits & 0x80 ? -1 : 1);
    default:
        return (double)f16_to_f32(flushes && !(bits & 0x7c00) ? bits & 0x8000 : bits & 0xffff);
    }
}

static inline double number_limit(const struct op *op, double v) // .sat, .relu
{
    if (op->flags & OP_SAT)
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    return op->flags & OP_RELU && v == v && !(v > 0) ? 0 : v;
}

static inline uint32_t number_half(const struct op *op, bool brain, double v, enum round_mode mode)
{
    v = number_limit(op, v);
    return brain ? bf16_from_f64(v, mode) : f16_from_f64(v, mode);
}

static inline uint64_t number_single(const struct op *op, float v)
{
    if (v != v)
        return op->flags & OP_SAT ? 0 : 0x7fffffff;
    v = (float)number_limit(op, (double)v);
    return f32_bits(op->flags & OP_FTZ ? flush_f32(v) : v);
}

#endif
