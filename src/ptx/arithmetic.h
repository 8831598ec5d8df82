// Arithmetic as PTX defines it, where C leaves it open or has it otherwise: signs and widths, division, shifts, fields,
// comparisons, conversions (PTX ISA, "Integer Arithmetic Instructions" and those behind it). One thread's bits: the
// machine takes its scalar instructions from here, and so does whoever works out an instruction without it
// (model/deduction.h). The machine's loops over lanes are faster forms of the same; tests hold all of them together.
//
// A value stands in the low bits of a number, as wide as its type says, with zeros above; so does every result.
#ifndef BANKSHOT_PTX_ARITHMETIC_H
#define BANKSHOT_PTX_ARITHMETIC_H

#include "base/half.h"
#include "ptx/ptx_inst.h"

// ---- types

static inline uint32_t type_bits(enum ptx_type type)
{
    return 8 * ptx_type_size(type);
}

static inline bool type_is_wide(enum ptx_type type) // its registers have 64 bits
{
    return ptx_type_size(type) == 8;
}

static inline bool type_is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64 || type == PTX_S16X2;
}

static inline bool type_is_integer(enum ptx_type type) // .u8 to .s64
{
    return type >= PTX_U8 && type <= PTX_S64;
}

static inline bool type_is_bits(enum ptx_type type) // .b8 to .b64
{
    return type >= PTX_B8 && type <= PTX_B64;
}

static inline bool type_is_float(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F64;
}

static inline bool type_is_half(enum ptx_type type) // and pairs of them
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2;
}

static inline bool type_is_brain(enum ptx_type type)
{
    return type == PTX_BF16 || type == PTX_BF16X2;
}

// ---- integers

static inline uint64_t bits_below(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static inline int64_t sign_extend(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline uint64_t integer_cut(enum ptx_type type, uint64_t value)
{
    return value & bits_below(type_bits(type));
}

// The number that it means; of an unsigned one with 64 bits, its bits.
static inline int64_t integer_number(enum ptx_type type, uint64_t value)
{
    return type_is_signed(type) ? sign_extend(value, type_bits(type)) : (int64_t)value;
}

static inline bool integer_is_less(enum ptx_type type, uint64_t a, uint64_t b)
{
    return type_is_signed(type) ? integer_number(type, a) < integer_number(type, b) : a < b;
}

// Division by zero gives all ones, as the GPU's sequence does; PTX leaves it open.
static inline uint64_t integer_quotient(enum ptx_type type, uint64_t a, uint64_t b)
{
    if (!b)
        return integer_cut(type, UINT64_MAX);
    if (!type_is_signed(type))
        return a / b;
    int64_t x = integer_number(type, a), y = integer_number(type, b);
    return integer_cut(type, y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y)); // -1: the lowest number has no opposite
}

static inline uint64_t integer_remainder(enum ptx_type type, uint64_t a, uint64_t b)
{
    if (!b)
        return a;
    if (!type_is_signed(type))
        return a % b;
    int64_t x = integer_number(type, a), y = integer_number(type, b);
    return integer_cut(type, y == -1 ? 0 : (uint64_t)(x % y));
}

// The upper half of a product.
static inline uint64_t integer_product_high(enum ptx_type type, uint64_t a, uint64_t b)
{
    __extension__ typedef __int128 wide_product;
    __extension__ typedef unsigned __int128 wide_unsigned;
    uint32_t bits = type_bits(type);
    if (type_is_signed(type))
        return integer_cut(type, (uint64_t)(((wide_product)integer_number(type, a) * integer_number(type, b)) >> bits));
    return integer_cut(type, (uint64_t)(((wide_unsigned)a * b) >> bits));
}

// The whole product of types with up to 32 bits, in twice as many.
static inline uint64_t integer_product_wide(enum ptx_type type, uint64_t a, uint64_t b)
{
    uint64_t product = (uint64_t)integer_number(type, a) * (uint64_t)integer_number(type, b);
    return product & bits_below(2 * type_bits(type));
}

static inline uint64_t integer_absolute(enum ptx_type type, uint64_t value)
{
    int64_t number = sign_extend(value, type_bits(type));
    return integer_cut(type, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

// Shifts stop at the width of the type.
static inline uint64_t integer_left(enum ptx_type type, uint64_t value, uint32_t by)
{
    return by < type_bits(type) ? integer_cut(type, value << by) : 0;
}

static inline uint64_t integer_right(enum ptx_type type, uint64_t value, uint32_t by)
{
    uint32_t bits = type_bits(type);
    if (type_is_signed(type))
        return integer_cut(type, (uint64_t)(integer_number(type, value) >> (by < bits ? by : bits - 1)));
    return by < bits ? value >> by : 0;
}

// 32 bits of two words one behind the other: shf.
static inline uint64_t integer_funnel(uint64_t low, uint64_t high, uint32_t by, bool right, bool wraps)
{
    uint64_t pair = high << 32 | low;
    by = wraps ? by & 31 : by > 32 ? 32 : by;
    return right ? (uint32_t)(pair >> by) : (uint32_t)(pair << by >> 32);
}

// bfe: of a signed type, what lies beyond the field or the value is its highest bit.
static inline uint64_t integer_field(enum ptx_type type, uint64_t value, uint32_t at, uint32_t length)
{
    uint32_t bits = type_bits(type);
    at &= 0xff;
    length &= 0xff;
    uint32_t last = at + length - 1 < bits - 1 ? at + length - 1 : bits - 1;
    bool sign = type_is_signed(type) && length && (value >> last & 1);
    uint32_t have = at >= bits ? 0 : bits - at < length ? bits - at : length;
    uint64_t field = (have ? value >> at : 0) & bits_below(have);
    return integer_cut(type, sign ? field | ~bits_below(have) : field);
}

static inline uint64_t integer_leading_zeros(enum ptx_type type, uint64_t value)
{
    return value ? (uint64_t)__builtin_clzll(value) - (64 - type_bits(type)) : type_bits(type);
}

// lop3: bit 4a + 2b + c of the table is the result.
static inline uint64_t bits_by_table(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
    uint64_t result = 0;
    for (uint32_t i = 0; i < 32; i++)
        result |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return result;
}

// A value of type `from`, above which anything may stand, as one of type `to` in a register that may be wider: the sign
// of a signed type goes on to the highest of the 64 bits.
static inline uint64_t integer_extended(enum ptx_type type, uint64_t value)
{
    return type_is_signed(type) ? (uint64_t)sign_extend(value, type_bits(type)) : integer_cut(type, value);
}

static inline uint64_t integer_converted(enum ptx_type to, enum ptx_type from, uint64_t value)
{
    return integer_extended(to, integer_extended(from, value));
}

// ---- floats

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

// A constant operand of an instruction of this type, f32 or f64, as its bits: "0f…" or "1.5" may stand for either.
uint64_t ptx_float_bits(const struct ptx_operand *operand, enum ptx_type type);

// .rz and .rzi: ROUND_ZERO …; ROUND_NEAREST where nothing is written.
enum round_mode ptx_rounding(const struct ptx_inst *inst);
double float_whole(enum round_mode mode, double v); // .rni, .rzi, .rmi, .rpi

// A whole number, or NaN, as an integer, clamped to what the type has; extended as integer_extended does. NaN gives 0
// (PTX ISA, cvt), but where 64 bits are involved: then the H200 gives the lowest signed number of that width (seen in
// differential runs).
uint64_t integer_of_float(enum ptx_type to, enum ptx_type from, double value);

// ---- comparisons: setp, set

enum relation {
    RELATION_EQ,
    RELATION_NE,
    RELATION_LT,
    RELATION_LE,
    RELATION_GT,
    RELATION_GE,
    RELATION_EQU,
    RELATION_NEU,
    RELATION_LTU,
    RELATION_LEU,
    RELATION_GTU,
    RELATION_GEU,
    RELATION_NUM,
    RELATION_NAN,
    RELATIONS
};

// As the words of the form are ordered: behind the six of integers stand lo, ls, hi and hs, or those of floats.
enum relation ptx_relation(const struct ptx_inst *inst, enum ptx_type compared);
bool float_relates(enum relation relation, double a, double b);
bool integer_relates(enum relation relation, enum ptx_type type, uint64_t a, uint64_t b);

#endif
