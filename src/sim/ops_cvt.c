// cvt: between all number formats, with every rounding.
#include "sim/decode.h"
#include "sim/number.h"

// extra: bits of the destination register
static uint64_t scalar_int_int(const struct op *op, const uint64_t *v)
{
    enum ptx_type to = (enum ptx_type)op->type, from = (enum ptx_type)op->type2;
    uint32_t bits = type_bits(to);
    bool from_signed = type_is_signed(from), to_signed = type_is_signed(to);
    uint64_t value = integer_extended(from, v[1]);
    if (op->flags & OP_SAT) {
        int64_t low = to_signed ? -(int64_t)(bits_below(bits) >> 1) - 1 : 0;
        uint64_t high = to_signed ? bits_below(bits) >> 1 : bits_below(bits);
        bool negative = from_signed && (int64_t)value < 0;
        if (negative && (int64_t)value < low)
            value = (uint64_t)low;
        else if (!negative && value > high)
            value = high;
    }
    return integer_extended(to, value) & bits_below(op->extra);
}

static double source_value(const struct op *op, enum ptx_type from, uint64_t bits)
{
    return number_float(from, from == PTX_F32 && op->flags & OP_FTZ, bits);
}

static uint64_t scalar_float_int(const struct op *op, const uint64_t *v)
{
    enum ptx_type to = (enum ptx_type)op->type, from = (enum ptx_type)op->type2;
    double value = float_whole((enum round_mode)op->rounding, source_value(op, from, v[1]));
    return integer_of_float(to, from, value) & bits_below(op->extra);
}

static __attribute__((noinline)) float single_nearest(double v)
{
    return (float)v;
}

static __attribute__((noinline)) float single_of(bool is_signed, uint64_t v)
{
    return is_signed ? (float)(int64_t)v : (float)v;
}

static __attribute__((noinline)) double double_of(bool is_signed, uint64_t v)
{
    return is_signed ? (double)(int64_t)v : (double)v;
}

// An integer as a double, rounded to odd so that one more rounding is exact.
static double odd_double(bool is_signed, uint64_t v)
{
    bool negative = is_signed && (int64_t)v < 0;
    uint64_t magnitude = negative ? 0 - v : v;
    int shift = magnitude >> 53 ? 11 - __builtin_clzll(magnitude) : 0;
    uint64_t kept = magnitude >> shift;
    if (kept << shift != magnitude)
        kept |= 1;
    double r = ldexp((double)kept, shift);
    return negative ? -r : r;
}

static uint64_t finish_half(const struct op *op, enum ptx_type to, double v)
{
    bool brain = type_is_brain(to);
    uint32_t bits = number_half(op, brain, v, (enum round_mode)op->rounding), infinity = brain ? 0x7f80 : 0x7c00;
    if (op->flags & OP_NAN && (bits & 0x7fff) == infinity) // .satfinite
        bits = (bits & 0x8000) | (infinity - 1);
    return bits;
}

static uint64_t scalar_int_float(const struct op *op, const uint64_t *v)
{
    enum ptx_type to = (enum ptx_type)op->type, from = (enum ptx_type)op->type2;
    bool is_signed = type_is_signed(from);
    uint64_t value = integer_extended(from, v[1]);
    if (to == PTX_F16 || to == PTX_BF16)
        return finish_half(op, to, odd_double(is_signed, value));
    fesetround(fe_mode((enum round_mode)op->rounding));
    uint64_t result = to == PTX_F64 ? f64_bits(double_of(is_signed, value)) : f32_bits(single_of(is_signed, value));
    fesetround(FE_TONEAREST);
    return op->flags & OP_SAT && to == PTX_F32 ? number_single(op, bits_f32(result)) : result;
}

// The first bits of a double's NaN, made quiet
static uint64_t nan_narrowed(uint64_t bits, uint32_t exponent_bits, uint32_t fraction_bits)
{
    uint64_t fraction = (bits & bits_below(52)) >> (52 - fraction_bits) | 1ull << (fraction_bits - 1);
    return ((bits >> 63) << exponent_bits | bits_below(exponent_bits)) << fraction_bits | fraction;
}

// What becomes of a NaN (measured on an H200): narrowed and widened doubles keep what fits, bfloat16 becomes a float by
// a shift, and a conversion with nothing to do moves the bits. Else it is the canonical one.
static uint64_t nan_converted(const struct op *op, enum ptx_type to, enum ptx_type from, uint64_t bits)
{
    bool flushes = op->flags & OP_FTZ;
    if (to == PTX_F64)
        return from != PTX_F64 ? f64_bits(flushes ? (double)bits_f32(0x7fffffff) : source_value(op, from, bits))
                               : bits | (op->action ? 1ull << 51 : 0);
    if (from == PTX_F64)
        return to == PTX_F32   ? nan_narrowed(bits, 8, 23)
               : to == PTX_F16 ? nan_narrowed(bits, 5, 10)
                               : nan_narrowed(bits, 8, 7);
    if (to == PTX_F32)
        return from == PTX_BF16                             ? (bits & 0xffff) << 16
               : from == PTX_F32 && !op->action && !flushes ? bits & UINT32_MAX
                                                            : 0x7fffffff;
    return type_is_brain(to) ? BF16_NAN : F16_NAN;
}

// action: round to an integral value in the same format first
static uint64_t scalar_float_float(const struct op *op, const uint64_t *v)
{
    enum ptx_type to = (enum ptx_type)op->type, from = (enum ptx_type)op->type2;
    double value = source_value(op, from, v[1]);
    enum round_mode mode = (enum round_mode)op->rounding;
    if (value != value && !(op->flags & OP_SAT))
        return nan_converted(op, to, from, v[1]);
    if (op->action)
        value = float_whole(mode, value);
    if (to == PTX_F16 || to == PTX_BF16)
        return finish_half(op, to, value);
    if (to == PTX_F64)
        return f64_bits(number_limit(op, value));
    fesetround(op->action ? FE_TONEAREST : fe_mode(mode));
    float single = single_nearest(value);
    fesetround(FE_TONEAREST);
    return number_single(op, single);
}

// cvt.f16x2.f32 d, a, b: a into the high half, b into the low one
uint64_t scalar_two_singles(const struct op *op, const uint64_t *v)
{
    enum ptx_type to = (enum ptx_type)op->type;
    return finish_half(op, to, source_value(op, PTX_F32, v[1])) << 16 |
           finish_half(op, to, source_value(op, PTX_F32, v[2]));
}

uint64_t scalar_tf32(const struct op *op, const uint64_t *v)
{
    double value = number_limit(op, (double)bits_f32(v[1]));
    enum round_mode mode = (enum round_mode)op->rounding;
    uint32_t bits = value == value       ? small_from_f64(value, 8, 10, mode)
                    : mode == ROUND_AWAY ? (uint32_t)v[1] >> 13 // cut, not rounded
                                         : 0x3ffff;
    if (op->flags & OP_NAN && (bits >> 10 & 0xff) == 0xff) // .satfinite: of a NaN, too, as an H200 does
        bits -= 1;
    return (uint64_t)bits << 13;
}

// ---- 8-bit floats

static uint32_t e4m3_from(const struct op *op, double v)
{
    if (v != v)
        return 0x7f;
    v = number_limit(op, v);
    uint32_t sign = signbit(v) ? 0x80 : 0;
    if (fabs(v) >= 464) // past 448 and its rounding interval: the largest, .satfinite is required
        return sign | 0x7e;
    double quantum = fabs(v) < 0x1p-6 ? 0x1p-9 : ldexp(1, ilogb(v) - 3);
    double rounded = rint(fabs(v) / quantum) * quantum;
    if (rounded > 448)
        rounded = 448;
    if (rounded < 0x1p-6)
        return sign | (uint32_t)(rounded / 0x1p-9);
    int exponent = ilogb(rounded);
    return sign | (uint32_t)(exponent + 7) << 3 | ((uint32_t)(ldexp(rounded, 3 - exponent)) & 7);
}

static uint32_t e5m2_from(const struct op *op, double v)
{
    if (v != v)
        return 0x7f;
    v = number_limit(op, v);
    uint32_t bits = small_from_f64(v, 5, 2, ROUND_NEAREST);
    return (bits & 0x7f) == 0x7c ? (bits & 0x80) | 0x7b : bits;
}

uint64_t scalar_to_bytes(const struct op *op, const uint64_t *v)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 2; i++) {
        enum ptx_type from = (enum ptx_type)op->type2;
        double value = source_value(op, from, from == PTX_F32 ? v[2 - i] : v[1] >> 16 * i);
        result |= (op->type == PTX_E4M3X2 ? e4m3_from(op, value) : e5m2_from(op, value)) << 8 * i;
    }
    return result;
}

uint64_t scalar_from_bytes(const struct op *op, const uint64_t *v)
{
    uint64_t result = 0;
    for (uint32_t i = 0; i < 2; i++) {
        double value = number_float((enum ptx_type)op->type2, false, v[1] >> 8 * i);
        result |= finish_half(op, PTX_F16, value) << 16 * i;
    }
    return result;
}

// cvt.pack.sat: a and b clamped to 8, 4, 2 … bits, packed below what c has
static uint64_t scalar_cvt_pack(const struct op *op, const uint64_t *v)
{
    uint32_t bits = op->width;
    bool is_signed = op->flags & OP_SIGNED;
    int64_t high = (int64_t)(bits_below(bits) >> is_signed), low = is_signed ? -high - 1 : 0;
    uint64_t parts = 0;
    for (uint32_t i = 0; i < 2; i++) {
        int64_t value = (int32_t)(uint32_t)v[2 - i];
        value = value > high ? high : value < low ? low : value;
        parts |= ((uint64_t)value & bits_below(bits)) << i * bits;
    }
    return (uint32_t)(bits == 16 ? parts : v[3] << 2 * bits | parts);
}

// ---- decoding

static uint32_t register_bits(struct decoder *d, enum ptx_type type)
{
    const struct ptx_operand *to = decode_operand(d, 0);
    if (to->kind != PTX_OPERAND_REGISTER || to->value.reg >= d->source->register_count)
        return type_bits(type);
    return type_bits(d->source->registers[to->value.reg].type);
}

// A vector handler for the commonest conversions; LANE_COUNT: none.
static enum lane_op common_lane(const struct op *op, enum ptx_type to, enum ptx_type from)
{
    bool flagged = op->flags & ~OP_SIGNED, plain = !flagged && op->rounding == ROUND_NEAREST && !op->action;
    unsigned to_size = ptx_type_size(to), from_size = ptx_type_size(from);
    if (type_is_integer(to) && type_is_integer(from) && !(op->flags & OP_SAT)) {
        if (op->extra == 64 && to_size == 8 && from_size == 4)
            return type_is_signed(from) ? LANE_sext_32_64 : LANE_zext_32_64;
        if (op->extra == 32 && to_size == 4 && from_size == 8)
            return LANE_trunc_64_32;
        if (op->extra == 32 && to_size == 4 && from_size == 4)
            return LANE_mov_32;
        if (op->extra == 32 && to_size == 4 && from_size == 2)
            return type_is_signed(from) ? LANE_sext_16 : LANE_zext_16;
        if (op->extra == 16 && to_size == 2 && from_size >= 2 && from_size <= 4)
            return LANE_zext_16;
    }
    if (plain && to == PTX_F32 && from == PTX_S32)
        return LANE_cvt_f32_s32;
    if (plain && to == PTX_F32 && from == PTX_U32)
        return LANE_cvt_f32_u32;
    if (plain && to == PTX_F64 && from == PTX_S32)
        return LANE_cvt_f64_s32;
    if (plain && to == PTX_F64 && from == PTX_F32)
        return LANE_cvt_f64_f32;
    if (to == PTX_S32 && from == PTX_F32 && op->rounding == ROUND_ZERO && !flagged && op->extra == 32)
        return LANE_cvt_s32_f32_rzi;
    return LANE_COUNT;
}

void decode_cvt(struct decoder *d)
{
    enum ptx_type to = decode_type(d, 0), from = decode_type(d, 1);
    struct op *op = d->op;
    decode_loose(d, 0, 0, to);
    if (decode_operand(d, 0)->kind != PTX_OPERAND_REGISTER && decode_operand(d, 0)->kind != PTX_OPERAND_NONE)
        decode_refuse(d, "the destination is not a register");
    decode_loose(d, 1, 1, from);
    op->extra = register_bits(d, to);
    enum lane_op lane = common_lane(op, to, from);
    bool source_wide = op->wide >> 1 & 1;
    if (lane != LANE_COUNT && source_wide == type_is_wide(from))
        decode_lane(d, lane);
    else if (type_is_integer(to))
        decode_scalar(d, type_is_integer(from) ? scalar_int_int : scalar_float_int, 1);
    else
        decode_scalar(d, type_is_integer(from) ? scalar_int_float : scalar_float_float, 1);
}

void decode_pack(struct decoder *d)
{
    enum ptx_type to = decode_type(d, 0);
    struct op *op = d->op;
    op->width = (uint8_t)(to == PTX_S4 || to == PTX_U4 ? 4 : type_bits(to));
    op->flags |= to == PTX_S4 ? OP_SIGNED : 0;
    if (decode_type(d, 1) != PTX_S32 || op->width > 16)
        decode_refuse(d, "these types are not supported");
    decode_scalar(d, scalar_cvt_pack, d->inst->operand_count - 1u);
}
