// Floating point: what lanes_body.h leaves, one lane at a time.
//
// Approximate instructions (.approx, .full) give the correctly rounded value, which lies within the error that the
// PTX ISA documents for them. NaN results are the canonical NaN of the type, except binary64's, which keep a payload.
#include <fenv.h>

#include "sim/decode.h"
#include "base/half.h"

static const int fe_modes[] = {
    [ROUND_NEAREST] = FE_TONEAREST, [ROUND_ZERO] = FE_TOWARDZERO, [ROUND_DOWN] = FE_DOWNWARD, [ROUND_UP] = FE_UPWARD};

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

static double half_value(const struct op *op, uint32_t bits)
{
    if (op->type == PTX_BF16 || op->type == PTX_BF16X2)
        return (double)bf16_to_f32(bits);
    if (op->flags & OP_FTZ && !(bits & 0x7c00))
        bits &= 0x8000;
    return (double)f16_to_f32(bits);
}

static uint32_t half_bits(const struct op *op, double v)
{
    bool brain = op->type == PTX_BF16 || op->type == PTX_BF16X2;
    if (op->flags & OP_SAT)
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    if (op->flags & OP_RELU && !(v > 0) && v == v)
        v = 0;
    uint32_t bits = brain ? bf16_from_f64(v, ROUND_NEAREST) : f16_from_f64(v, ROUND_NEAREST);
    if (op->flags & OP_FTZ && !brain && !(bits & 0x7c00))
        bits &= 0x8000;
    return bits;
}

enum float_action {
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_FMA,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_NEG,
    FLOAT_ABS,
    FLOAT_EX2,
    FLOAT_TANH,
    FLOAT_DIV,
    FLOAT_RCP,
    FLOAT_SQRT,
    FLOAT_RSQRT,
    FLOAT_SIN,
    FLOAT_COS,
    FLOAT_LG2
};

static double float_pick(const struct op *op, double a, double b, bool greater)
{
    bool nan = a != a || b != b;
    if (nan && op->flags & OP_NAN)
        return (double)NAN;
    if (a != a)
        return b;
    if (b != b)
        return a;
    double x = op->flags & OP_ABS ? fabs(a) : a, y = op->flags & OP_ABS ? fabs(b) : b;
    bool first = x == y ? (signbit(x) != 0) != greater : greater ? x > y : x < y;
    double r = first ? x : y;
    if (op->flags & OP_ABS) // .xorsign.abs
        r = (signbit(a) != 0) != (signbit(b) != 0) ? -r : r;
    return r;
}

static uint32_t half_one(const struct op *op, uint32_t a_bits, uint32_t b_bits, uint32_t c_bits)
{
    double a = half_value(op, a_bits), b = half_value(op, b_bits), c = half_value(op, c_bits);
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
        return (op->flags & OP_FTZ ? half_bits(op, a) : a_bits) ^ 0x8000;
    case FLOAT_ABS:
        return (op->flags & OP_FTZ ? half_bits(op, a) : a_bits) & 0x7fff;
    case FLOAT_EX2:
        return half_bits(op, exp2(a));
    case FLOAT_TANH:
        return half_bits(op, tanh(a));
    default:
        return F16_NAN;
    }
}

static uint64_t scalar_half(const struct op *op, const uint64_t *v)
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

static uint64_t f32_out(const struct op *op, float v)
{
    if (v != v)
        return op->flags & OP_SAT ? 0 : 0x7fffffff;
    if (op->flags & OP_SAT)
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    return f32_bits(op->flags & OP_FTZ ? flush_f32(v) : v);
}

static uint64_t scalar_f32_min_max(const struct op *op, const uint64_t *v)
{
    bool greater = op->action == FLOAT_MAX;
    double r = float_pick(op, (double)f32_in(op, v[1]), (double)f32_in(op, v[2]), greater);
    if (op->sources == 3)
        r = float_pick(op, r, (double)f32_in(op, v[3]), greater);
    return f32_out(op, (float)r);
}

static uint64_t scalar_f64_min_max(const struct op *op, const uint64_t *v)
{
    return f64_bits(float_pick(op, bits_f64(v[1]), bits_f64(v[2]), op->action == FLOAT_MAX));
}

static float f32_special(enum float_action action, float x)
{
    double a = (double)x;
    switch (action) {
    case FLOAT_RSQRT:
        return (float)(1 / sqrt(a));
    case FLOAT_SIN:
        return (float)sin(a);
    case FLOAT_COS:
        return (float)cos(a);
    case FLOAT_LG2:
        return (float)log2(a);
    case FLOAT_EX2:
        return (float)exp2(a);
    default:
        return (float)tanh(a);
    }
}

static uint64_t scalar_f32_special(const struct op *op, const uint64_t *v)
{
    return f32_out(op, f32_special((enum float_action)op->action, f32_in(op, v[1])));
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

static uint64_t scalar_f64(const struct op *op, const uint64_t *v)
{
    double a = bits_f64(v[1]);
    if (op->extra && fabs(a) < 0x1p-1022) // .approx.ftz.f64 flushes, and answers the high word only
        a = copysign(0.0, a);
    fesetround(fe_modes[op->rounding & 3]);
    double r = f64_compute((enum float_action)op->action, a, bits_f64(v[2]));
    fesetround(FE_TONEAREST);
    return op->extra ? f64_bits(r) & ~(uint64_t)UINT32_MAX : f64_bits(r);
}

static uint64_t scalar_f32x2(const struct op *op, const uint64_t *v)
{
    uint64_t result = 0;
    for (uint32_t shift = 0; shift < 64; shift += 32) {
        float a = f32_in(op, v[1] >> shift), b = f32_in(op, v[2] >> shift), c = f32_in(op, v[3] >> shift);
        float r = op->action == FLOAT_ADD   ? a + b
                  : op->action == FLOAT_SUB ? a - b
                  : op->action == FLOAT_MUL ? a * b
                                            : fmaf(a, b, c);
        result |= f32_out(op, r) << shift;
    }
    return result;
}

static uint64_t scalar_copysign(const struct op *op, const uint64_t *v)
{
    uint64_t sign = op->type == PTX_F64 ? 1ull << 63 : 1ull << 31;
    return (v[2] & (sign - 1)) | (v[1] & sign);
}

static bool float_class(enum ptx_modifier class, double v, double smallest_normal)
{
    switch (class) {
    case PTX_MOD_FINITE:
        return isfinite(v);
    case PTX_MOD_INFINITE:
        return isinf(v);
    case PTX_MOD_NUMBER:
        return v == v;
    case PTX_MOD_NOTANUMBER:
        return v != v;
    case PTX_MOD_NORMAL:
        return isfinite(v) && fabs(v) >= smallest_normal;
    default:
        return v != 0 && fabs(v) < smallest_normal;
    }
}

static uint64_t scalar_testp(const struct op *op, const uint64_t *v)
{
    bool wide = op->type == PTX_F64;
    return float_class((enum ptx_modifier)op->action, wide ? bits_f64(v[1]) : (double)bits_f32(v[1]),
                       wide ? 0x1p-1022 : 0x1p-126);
}

// ---- decoding

static void sources(struct decoder *d, uint32_t count, enum ptx_type type)
{
    decode_dest(d, 0, 0, type);
    for (uint32_t k = 1; k <= count; k++)
        decode_source(d, k, k, type);
}

static enum round_mode rounding_of(const struct decoder *d)
{
    return decode_has(d, PTX_MOD_RZ)   ? ROUND_ZERO
           : decode_has(d, PTX_MOD_RM) ? ROUND_DOWN
           : decode_has(d, PTX_MOD_RP) ? ROUND_UP
                                       : ROUND_NEAREST;
}

void decode_rounding(struct decoder *d)
{
    struct op *op = d->op;
    op->rounding = (uint8_t)rounding_of(d);
    if (op->rounding == ROUND_NEAREST || op->run == sim_run_scalar)
        return;
    op->inner = op->run;
    op->run = sim_run_rounded;
}

static enum float_action action_of(enum ptx_opcode op)
{
    switch (op) {
    case PTX_OP_ADD:
        return FLOAT_ADD;
    case PTX_OP_SUB:
        return FLOAT_SUB;
    case PTX_OP_MUL:
        return FLOAT_MUL;
    case PTX_OP_FMA:
    case PTX_OP_MAD:
        return FLOAT_FMA;
    case PTX_OP_MIN:
        return FLOAT_MIN;
    case PTX_OP_MAX:
        return FLOAT_MAX;
    case PTX_OP_NEG:
        return FLOAT_NEG;
    case PTX_OP_ABS:
        return FLOAT_ABS;
    case PTX_OP_EX2:
        return FLOAT_EX2;
    case PTX_OP_TANH:
        return FLOAT_TANH;
    case PTX_OP_DIV:
        return FLOAT_DIV;
    case PTX_OP_RCP:
        return FLOAT_RCP;
    case PTX_OP_SQRT:
        return FLOAT_SQRT;
    case PTX_OP_RSQRT:
        return FLOAT_RSQRT;
    case PTX_OP_SIN:
        return FLOAT_SIN;
    case PTX_OP_COS:
        return FLOAT_COS;
    default:
        return FLOAT_LG2;
    }
}

static void decode_half(struct decoder *d, uint32_t count)
{
    enum float_action action = (enum float_action)d->op->action;
    sources(d, count, decode_type(d, 0));
    if (action > FLOAT_TANH)
        decode_refuse(d, "not for this type");
    decode_scalar(d, scalar_half, count);
}

static void decode_arithmetic(struct decoder *d, enum ptx_type type, uint32_t count)
{
    static const enum lane_op singles[4][4] = {
        {LANE_add_f32, LANE_add_f32_ftz, LANE_add_f32_sat, LANE_add_f32_ftz_sat},
        {LANE_sub_f32, LANE_sub_f32_ftz, LANE_sub_f32_sat, LANE_sub_f32_ftz_sat},
        {LANE_mul_f32, LANE_mul_f32_ftz, LANE_mul_f32_sat, LANE_mul_f32_ftz_sat},
        {LANE_fma_f32, LANE_fma_f32_ftz, LANE_fma_f32_sat, LANE_fma_f32_ftz_sat}};
    static const enum lane_op doubles[4] = {LANE_add_f64, LANE_sub_f64, LANE_mul_f64, LANE_fma_f64};
    uint32_t action = d->op->action;
    sources(d, count, type);
    if (type == PTX_F64)
        decode_lane(d, doubles[action]);
    else
        decode_lane(d, singles[action][(d->op->flags & OP_FTZ ? 1 : 0) | (d->op->flags & OP_SAT ? 2 : 0)]);
    decode_rounding(d);
}

static void decode_extremes(struct decoder *d, enum ptx_type type, uint32_t count)
{
    bool greater = d->op->action == FLOAT_MAX, flushes = d->op->flags & OP_FTZ;
    sources(d, count, type);
    if (type == PTX_F64)
        decode_scalar(d, scalar_f64_min_max, 2);
    else if (count == 3 || d->op->flags & (OP_NAN | OP_ABS))
        decode_scalar(d, scalar_f32_min_max, count);
    else if (greater)
        decode_lane(d, flushes ? LANE_max_f32_ftz : LANE_max_f32);
    else
        decode_lane(d, flushes ? LANE_min_f32_ftz : LANE_min_f32);
}

// div, rcp, sqrt and the approximate functions
static void decode_function(struct decoder *d, enum ptx_type type)
{
    struct op *op = d->op;
    bool divides = op->action == FLOAT_DIV;
    sources(d, divides ? 2 : 1, type);
    if (!divides)
        op->slot[2] = op->slot[1];
    if (type == PTX_F64) {
        if (op->action > FLOAT_RSQRT || op->action < FLOAT_DIV)
            decode_refuse(d, "not for this type");
        op->extra = decode_has(d, PTX_MOD_APPROX) && decode_has(d, PTX_MOD_FTZ);
        op->rounding = (uint8_t)rounding_of(d);
        decode_scalar(d, scalar_f64, divides ? 2 : 1);
    } else if (op->action >= FLOAT_DIV && op->action <= FLOAT_SQRT) {
        decode_lane(d, divides ? LANE_div_f32 : op->action == FLOAT_RCP ? LANE_rcp_f32 : LANE_sqrt_f32);
        decode_rounding(d);
    } else {
        decode_scalar(d, scalar_f32_special, 1);
    }
}

static void decode_sign(struct decoder *d, enum ptx_type type)
{
    static const enum lane_op singles[2][2] = {{LANE_abs_f32, LANE_abs_f32_ftz}, {LANE_neg_f32, LANE_neg_f32_ftz}};
    bool negates = d->op->action == FLOAT_NEG;
    sources(d, 1, type);
    if (type == PTX_F64)
        decode_lane(d, negates ? LANE_neg_f64 : LANE_abs_f64);
    else
        decode_lane(d, singles[negates][(d->op->flags & OP_FTZ) != 0]);
}

static void decode_testp(struct decoder *d, enum ptx_type type)
{
    static const uint8_t classes[] = {PTX_MOD_FINITE,     PTX_MOD_INFINITE, PTX_MOD_NUMBER,
                                      PTX_MOD_NOTANUMBER, PTX_MOD_NORMAL,   PTX_MOD_SUBNORMAL};
    decode_dest(d, 0, 0, PTX_PRED);
    decode_source(d, 1, 1, type);
    d->op->action = 0;
    for (size_t i = 0; i < sizeof classes; i++)
        if (decode_has(d, (enum ptx_modifier)classes[i]))
            d->op->action = classes[i];
    if (!d->op->action)
        decode_refuse(d, "it has no class");
    decode_scalar(d, scalar_testp, 1);
}

static bool decode_flags(struct decoder *d)
{
    static const struct {
        uint8_t modifier;
        uint16_t flag;
    } known[] = {
        {PTX_MOD_FTZ, OP_FTZ},   {PTX_MOD_SAT, OP_SAT}, {PTX_MOD_NAN_RESULT, OP_NAN},
        {PTX_MOD_RELU, OP_RELU}, {PTX_MOD_ABS, OP_ABS}, {PTX_MOD_XORSIGN, 0},
        {PTX_MOD_RN, 0},         {PTX_MOD_RZ, 0},       {PTX_MOD_RM, 0},
        {PTX_MOD_RP, 0},         {PTX_MOD_APPROX, 0},   {PTX_MOD_FULL, 0},
        {PTX_MOD_FINITE, 0},     {PTX_MOD_INFINITE, 0}, {PTX_MOD_NUMBER, 0},
        {PTX_MOD_NOTANUMBER, 0}, {PTX_MOD_NORMAL, 0},   {PTX_MOD_SUBNORMAL, 0},
    };
    const struct ptx_inst *inst = d->inst;
    for (uint32_t i = 0; i < inst->modifier_count; i++) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && known[k].modifier != inst->modifiers[i])
            k++;
        if (k == sizeof known / sizeof *known) {
            decode_refuse(d, ".%s is not supported here", ptx_modifier_name((enum ptx_modifier)inst->modifiers[i]));
            return false;
        }
        d->op->flags |= known[k].flag;
    }
    return true;
}

void sim_decode_float(struct decoder *d)
{
    struct op *op = d->op;
    enum ptx_type type = decode_type(d, 0);
    uint32_t count = d->inst->operand_count ? d->inst->operand_count - 1u : 0;
    op->type = (uint8_t)type;
    op->flags &= (uint16_t) ~(OP_SIGNED);
    op->action = (uint8_t)action_of(d->inst->op);
    if (!decode_flags(d))
        return;
    if (d->inst->type_count > 1)
        decode_refuse(d, "mixed types are not supported");
    if (type_is_half(type) && d->inst->op != PTX_OP_TESTP) {
        decode_half(d, count);
        return;
    }
    if (d->inst->op == PTX_OP_COPYSIGN) {
        sources(d, 2, type);
        decode_scalar(d, scalar_copysign, 2);
        return;
    }
    if (d->inst->op == PTX_OP_TESTP) {
        decode_testp(d, type);
        return;
    }
    if (type == PTX_F32X2) {
        sources(d, count, type);
        decode_scalar(d, scalar_f32x2, count);
        if (op->action > FLOAT_FMA || rounding_of(d) != ROUND_NEAREST)
            decode_refuse(d, "this form is not supported");
        return;
    }
    if (!type_is_float(type)) {
        decode_refuse(d, "not for this type");
        return;
    }
    if (op->action <= FLOAT_FMA)
        decode_arithmetic(d, type, op->action == FLOAT_FMA ? 3 : 2);
    else if (op->action == FLOAT_MIN || op->action == FLOAT_MAX)
        decode_extremes(d, type, count);
    else if (op->action == FLOAT_NEG || op->action == FLOAT_ABS)
        decode_sign(d, type);
    else
        decode_function(d, type);
}
