// Floating point: what lanes_body.h leaves, one lane at a time.
//
// Approximate instructions (.approx, .full) give the correctly rounded value, which lies within the error that the
// PTX ISA documents for them; a quotient is a product with the reciprocal, and angles are turned into turns, as on a
// GPU. NaN results are the canonical NaN of the type, except binary64's, which keep a
// payload (see nan_before); conversions have rules of their own (ops_cvt.c). tests/golden/h200_nans.csv has what an
// H200 gives.
#include "sim/decode.h"
#include "sim/number.h"

// a + b rounded to odd: rounding the result once more, to a narrower format, is then exact.
static double add_odd(double a, double b)
{
    double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    if (!isfinite(sum) || error == 0)
        return sum;
    uint64_t bits = f64_bits(sum);
    if (bits & 1)
        return sum;
    // The exact sum lies beside `sum`, towards the error's sign; the odd neighbour on that side.
    return bits_f64((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

static uint32_t half_bits(const struct op *op, double v)
{
    bool brain = type_is_brain((enum ptx_type)op->type);
    uint32_t bits = number_half(op, brain, v, ROUND_NEAREST);
    return op->flags & OP_FTZ && !brain && !(bits & 0x7c00) ? bits & 0x8000 : bits;
}

static double float_pick(const struct op *op, double a, double b, bool greater)
{
    bool nan = a != a || b != b;
    if (nan && op->flags & OP_NAN)
        return (double)NAN;
    double x = op->flags & OP_ABS ? fabs(a) : a, y = op->flags & OP_ABS ? fabs(b) : b;
    bool first = x == y ? (signbit(x) != 0) != greater : greater ? x > y : x < y;
    double r = nan ? (a != a ? y : x) : first ? x : y;
    if (op->flags & OP_ABS) // .xorsign.abs; of a NaN, the sign still counts (measured on an H200)
        r = (signbit(a) != 0) != (signbit(b) != 0) ? -r : r;
    return r;
}

static uint32_t half_one(const struct op *op, uint32_t a_bits, uint32_t b_bits, uint32_t c_bits)
{
    enum ptx_type type = (enum ptx_type)op->type;
    bool flushes = op->flags & OP_FTZ;
    double a = number_float(type, flushes, a_bits), b = number_float(type, flushes, b_bits);
    double c = number_float(type, flushes, c_bits);
    switch ((enum float_action)op->action) {
    case FLOAT_ADD:
        return half_bits(op, add_odd(a, b));
    case FLOAT_SUB:
        return half_bits(op, add_odd(a, -b));
    case FLOAT_MUL:
        return half_bits(op, a * b);
    case FLOAT_FMA:
        return half_bits(op, add_odd(a * b, c));
    case FLOAT_MIN:
    case FLOAT_MAX: {
        double r = float_pick(op, a, b, op->action == FLOAT_MAX);
        if (op->sources == 3)
            r = float_pick(op, r, c, op->action == FLOAT_MAX);
        return half_bits(op, r);
    }
    case FLOAT_NEG:
        return half_bits(op, -a);
    case FLOAT_ABS:
        return half_bits(op, fabs(a));
    case FLOAT_EX2:
        return half_bits(op, exp2(a));
    case FLOAT_TANH:
        return half_bits(op, tanh(a));
    default:
        return F16_NAN;
    }
}

uint64_t scalar_half(const struct op *op, const uint64_t *v)
{
    uint32_t low = half_one(op, (uint32_t)v[1] & 0xffff, (uint32_t)v[2] & 0xffff, (uint32_t)v[3] & 0xffff);
    if (op->type == PTX_F16 || op->type == PTX_BF16)
        return low;
    uint32_t high = half_one(op, (uint32_t)v[1] >> 16, (uint32_t)v[2] >> 16, (uint32_t)v[3] >> 16);
    return low | high << 16;
}

// ---- single and double

static float f32_in(const struct op *op, uint64_t bits)
{
    return op->flags & OP_FTZ ? flush_f32(bits_f32(bits)) : bits_f32(bits);
}

uint64_t scalar_f32_min_max(const struct op *op, const uint64_t *v)
{
    bool greater = op->action == FLOAT_MAX;
    double r = float_pick(op, (double)f32_in(op, v[1]), (double)f32_in(op, v[2]), greater);
    if (op->sources == 3)
        r = float_pick(op, r, (double)f32_in(op, v[3]), greater);
    return number_single(op, (float)r);
}

uint64_t scalar_f64_min_max(const struct op *op, const uint64_t *v)
{
    double r = float_pick(op, bits_f64(v[1]), bits_f64(v[2]), op->action == FLOAT_MAX);
    return f64_bits(r) | (r != r ? 1ull << 51 : 0); // a NaN is made quiet
}

// A GPU's tanh.approx has a relative error of up to 2^-11 (PTX ISA), and this one the same: what takes it for exact
// would be right here alone. The other approximations are right to the last bits.
static float coarse_tanh(double x)
{
    int exponent;
    double fraction = frexp(tanh(x), &exponent);
    return (float)ldexp(nearbyint(ldexp(fraction, 11)), exponent - 11);
}

// A GPU turns an angle into turns by one product, rounded towards 0, so that of large ones little is left: with this
// sin and cos are within 3.4e-7 of an H200's for 131072 angles of any size, where those of the angle itself are off by
// up to 2.
static double angle_left(double x)
{
    float turns = (float)(x * (double)0x1.45f306p-3f); // exact before it is rounded: 48 bits
    if (fabs((double)turns) > fabs(x * (double)0x1.45f306p-3f))
        turns = nextafterf(turns, 0);
    return 6.283185307179586 * ((double)turns - floor((double)turns));
}

static float f32_special(enum float_action action, float x)
{
    double a = (double)x;
    switch (action) {
    case FLOAT_RSQRT:
        return (float)(1 / sqrt(a));
    case FLOAT_SIN:
        return a == 0 ? x : (float)sin(angle_left(a));
    case FLOAT_COS:
        return (float)cos(angle_left(a));
    case FLOAT_LG2:
        return (float)log2(a);
    case FLOAT_EX2:
        return (float)exp2(a);
    default:
        return coarse_tanh(a);
    }
}

uint64_t scalar_f32_special(const struct op *op, const uint64_t *v)
{
    return number_single(op, f32_special((enum float_action)op->action, f32_in(op, v[1])));
}

static __attribute__((noinline)) double f64_compute(enum float_action action, double a, double b)
{
    switch (action) {
    case FLOAT_DIV:
        return a / b;
    case FLOAT_RCP:
        return 1 / a;
    case FLOAT_SQRT:
        return sqrt(a);
    default:
        return 1 / sqrt(a);
    }
}

uint64_t scalar_f64(const struct op *op, const uint64_t *v)
{
    double a = bits_f64(v[1]), b = op->action == FLOAT_DIV ? bits_f64(v[2]) : a;
    fesetround(fe_mode((enum round_mode)op->rounding));
    double r = nan_signed(f64_compute((enum float_action)op->action, a, nan_before(a, b)), nan_before(a, b));
    fesetround(FE_TONEAREST);
    return f64_bits(r);
}

static double flush_f64(double v)
{
    return fabs(v) < 0x1p-1022 ? copysign(0.0, v) : v;
}

// .approx.ftz.f64: a high word made of a high word, with the NaN of binary32 there (measured on an H200)
static uint64_t scalar_f64_approx(const struct op *op, const uint64_t *v)
{
    const uint64_t high = ~(uint64_t)UINT32_MAX;
    double r = flush_f64(f64_compute((enum float_action)op->action, flush_f64(bits_f64(v[1] & high)), 0));
    return r != r ? 0x7fffffffull << 32 : f64_bits(r) & high;
}

uint64_t scalar_f32x2(const struct op *op, const uint64_t *v)
{
    uint64_t result = 0;
    fesetround(fe_mode((enum round_mode)op->rounding));
    for (uint32_t shift = 0; shift < 64; shift += 32) {
        float a = f32_in(op, v[1] >> shift), b = f32_in(op, v[2] >> shift), c = f32_in(op, v[3] >> shift);
        float r = op->action == FLOAT_ADD   ? a + b
                  : op->action == FLOAT_SUB ? a - b
                  : op->action == FLOAT_MUL ? a * b
                                            : fmaf(a, b, c);
        result |= number_single(op, r) << shift;
    }
    fesetround(FE_TONEAREST);
    return result;
}

uint64_t scalar_copysign(const struct op *op, const uint64_t *v)
{
    uint64_t sign = op->type == PTX_F64 ? 1ull << 63 : 1ull << 31;
    return (v[2] & (sign - 1)) | (v[1] & sign);
}

// class: as the words of testp are ordered
static bool float_class(uint32_t class, double v, double smallest_normal)
{
    switch (class) {
    case 0:
        return isfinite(v);
    case 1:
        return isinf(v);
    case 2:
        return v == v;
    case 3:
        return v != v;
    case 4:
        return isfinite(v) && fabs(v) >= smallest_normal;
    default:
        return v != 0 && fabs(v) < smallest_normal;
    }
}

uint64_t scalar_testp(const struct op *op, const uint64_t *v)
{
    bool wide = op->type == PTX_F64;
    return float_class(op->action, wide ? bits_f64(v[1]) : (double)bits_f32(v[1]), wide ? 0x1p-1022 : 0x1p-126);
}

// .approx.ftz.f64
void decode_f64_approx(struct decoder *d)
{
    decode_scalar(d, scalar_f64_approx, 1);
}
