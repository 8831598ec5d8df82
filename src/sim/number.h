// The bits of a result, as the words of its operation have it: rounding, saturation. What operands mean:
// ptx/arithmetic.h.
#ifndef BANKSHOT_SIM_NUMBER_H
#define BANKSHOT_SIM_NUMBER_H

#include <fenv.h>

#include "ptx/arithmetic.h"
#include "sim/op.h"

static inline int64_t clamp_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

static inline int fe_mode(enum round_mode mode) // ROUND_AWAY has none
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    return modes[mode];
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
