// Arithmetic with more to it than an expression: constants, rounding, comparisons, floats to integers.
#include "ptx/arithmetic.h"

enum round_mode ptx_rounding(const struct ptx_inst *inst)
{
    for (uint32_t i = 0; i < inst->modifier_count; i++)
        switch ((enum ptx_modifier)inst->modifiers[i]) {
        case PTX_MOD_RZ:
        case PTX_MOD_RZI:
            return ROUND_ZERO;
        case PTX_MOD_RM:
        case PTX_MOD_RMI:
            return ROUND_DOWN;
        case PTX_MOD_RP:
        case PTX_MOD_RPI:
            return ROUND_UP;
        case PTX_MOD_RNA:
            return ROUND_AWAY;
        default:
            break;
        }
    return ROUND_NEAREST;
}

uint64_t ptx_float_bits(const struct ptx_operand *operand, enum ptx_type type)
{
    uint64_t bits = operand->value.bits;
    if (ptx_type_size(type) == 8)
        return operand->is_single ? f64_bits((double)bits_f32(bits)) : bits;
    return operand->is_single ? bits & UINT32_MAX : f32_bits((float)bits_f64(bits));
}

double float_whole(enum round_mode mode, double v)
{
    switch (mode) {
    case ROUND_ZERO:
        return trunc(v);
    case ROUND_DOWN:
        return floor(v);
    case ROUND_UP:
        return ceil(v);
    default:
        return rint(v);
    }
}

uint64_t integer_of_float(enum ptx_type to, enum ptx_type from, double value)
{
    uint32_t bits = type_bits(to);
    if (value != value)
        return integer_extended(to, bits == 64 || from == PTX_F64 ? 1ull << (bits - 1) : 0);
    if (!type_is_signed(to))
        return value >= ldexp(1, (int)bits) ? bits_below(bits) : value <= 0 ? 0 : (uint64_t)value;
    double limit = ldexp(1, (int)bits - 1);
    uint64_t result = value >= limit   ? bits_below(bits) >> 1
                      : value < -limit ? 1ull << (bits - 1)
                                       : (uint64_t)(int64_t)value;
    return integer_extended(to, result);
}

enum relation ptx_relation(const struct ptx_inst *inst, enum ptx_type compared)
{
    bool is_float = type_is_float(compared) || type_is_half(compared);
    return (enum relation)(is_float || inst->choice <= RELATION_GE ? inst->choice
                                                                   : inst->choice - (RELATION_GE + 1) + RELATION_LT);
}

bool float_relates(enum relation relation, double a, double b)
{
    bool nan = a != a || b != b;
    switch (relation) {
    case RELATION_EQ:
        return a == b;
    case RELATION_NE:
        return !nan && a != b;
    case RELATION_LT:
        return a < b;
    case RELATION_LE:
        return a <= b;
    case RELATION_GT:
        return a > b;
    case RELATION_GE:
        return a >= b;
    case RELATION_EQU:
        return nan || a == b;
    case RELATION_NEU:
        return nan || a != b;
    case RELATION_LTU:
        return nan || a < b;
    case RELATION_LEU:
        return nan || a <= b;
    case RELATION_GTU:
        return nan || a > b;
    case RELATION_GEU:
        return nan || a >= b;
    case RELATION_NUM:
        return !nan;
    default:
        return nan;
    }
}

bool integer_relates(enum relation relation, enum ptx_type type, uint64_t a, uint64_t b)
{
    bool less = integer_is_less(type, a, b), equal = a == b;
    switch (relation) {
    case RELATION_EQ:
        return equal;
    case RELATION_NE:
        return !equal;
    case RELATION_LT:
        return less;
    case RELATION_LE:
        return less || equal;
    case RELATION_GT:
        return !less && !equal;
    default:
        return !less;
    }
}
