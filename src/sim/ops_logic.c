// Bitwise operations, shifts, permutes; comparisons and selections.
#include "sim/decode.h"
#include "base/half.h"

static uint64_t scalar_not(const struct op *op, const uint64_t *v)
{
    return op->width == 2 ? ~v[1] & 0xffff : ~v[1];
}

static uint64_t scalar_cnot(const struct op *op, const uint64_t *v)
{
    (void)op;
    return v[1] == 0;
}

static uint64_t scalar_shift_16(const struct op *op, const uint64_t *v)
{
    uint32_t n = v[2] > 16 ? 16 : (uint32_t)v[2];
    if (op->action == 0)
        return v[1] << n & 0xffff;
    return op->flags & OP_SIGNED ? (uint64_t)((int32_t)(int16_t)v[1] >> (n > 15 ? 15 : n)) & 0xffff : v[1] >> n;
}

// action: bit 0: .r, bit 1: .wrap
static uint64_t scalar_shf(const struct op *op, const uint64_t *v)
{
    uint64_t pair = v[2] << 32 | v[1];
    uint32_t n = (uint32_t)v[3];
    n = op->action & 2 ? n & 31 : n > 32 ? 32 : n;
    return op->action & 1 ? (uint32_t)(pair >> n) : (uint32_t)(pair << n >> 32);
}

static uint32_t prmt_selector(uint32_t mode, uint64_t control)
{
    uint32_t n = (uint32_t)control & 3;
    static const uint16_t ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333}, ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210};
    static const uint16_t f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const uint16_t rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333}, rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
    switch (mode) {
    case PTX_MOD_F4E:
        return f4e[n];
    case PTX_MOD_B4E:
        return b4e[n];
    case PTX_MOD_RC8:
        return rc8[n];
    case PTX_MOD_ECL:
        return ecl[n];
    case PTX_MOD_ECR:
        return ecr[n];
    case PTX_MOD_RC16:
        return rc16[n];
    default:
        return (uint32_t)control;
    }
}

static uint64_t scalar_prmt(const struct op *op, const uint64_t *v)
{
    uint64_t bytes = v[2] << 32 | v[1], result = 0;
    uint32_t selector = prmt_selector(op->action, v[3]);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t pick = selector >> 4 * i & 15;
        uint64_t byte = bytes >> 8 * (pick & 7) & 0xff;
        if (pick & 8) // the sign, replicated
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << 8 * i;
    }
    return result;
}

// lop3.or and .and: the result's "not zero" combined with a predicate, into a predicate. dst | pair, q = source 4
static const struct op *run_lop3_pred(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t q = *(const uint32_t *)slot_at(x, op->slot[5]) ^ op->extra, result = 0;
    FOR_LANES (lane, mask) {
        uint64_t a = slot_get(x, op, 1, lane), b = slot_get(x, op, 2, lane), c = slot_get(x, op, 3, lane);
        uint32_t r = 0;
        for (uint32_t i = 0; i < 32; i++)
            r |= (uint32_t)(op->imm >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
        slot_put(x, op, 0, lane, r);
        result |= (uint32_t)(r != 0) << lane;
    }
    pred_put(slot_at(x, op->slot[4]), mask, op->action ? result | q : result & q);
    return op + 1;
}

static void decode_lop3(struct decoder *d)
{
    struct op *op = d->op;
    bool to_pred = decode_has(d, PTX_MOD_OR) || decode_has(d, PTX_MOD_AND);
    decode_dest(d, 0, 0, PTX_B32);
    for (uint32_t k = 1; k <= 3; k++)
        decode_source(d, k, k, PTX_B32);
    const struct ptx_operand *table = decode_operand(d, 4);
    if (table->kind != PTX_OPERAND_INTEGER)
        decode_refuse(d, "the table is not a constant");
    op->imm = table->value.bits & 0xff;
    if (!to_pred) {
        decode_lane(d, LANE_lop3_32);
        return;
    }
    bool wide, pred;
    op->slot[4] = decode_pair(d, decode_operand(d, 0));
    op->slot[5] = decode_slot(d, decode_operand(d, 5), PTX_PRED, false, &wide, &pred);
    op->extra = decode_negation(d, 5) ? UINT32_MAX : 0;
    op->action = decode_has(d, PTX_MOD_OR);
    op->run = run_lop3_pred;
}

static void decode_bitwise(struct decoder *d, enum lane_op narrow, enum lane_op wide, enum lane_op pred)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    bool single = d->inst->op == PTX_OP_NOT;
    if (type == PTX_PRED) {
        bool is_wide, is_pred;
        decode_dest(d, 0, 0, PTX_PRED);
        op->slot[1] = decode_slot(d, decode_operand(d, 1), PTX_PRED, false, &is_wide, &is_pred);
        op->slot[2] = single ? op->slot[1] : decode_slot(d, decode_operand(d, 2), PTX_PRED, false, &is_wide, &is_pred);
        op->extra = !single && decode_negation(d, 2) ? UINT32_MAX : 0;
        if (decode_negation(d, 1))
            decode_refuse(d, "a predicate is negated");
        decode_lane(d, pred);
        return;
    }
    op->width = (uint8_t)ptx_type_size(type);
    decode_dest(d, 0, 0, type);
    decode_source(d, 1, 1, type);
    if (!single)
        decode_source(d, 2, 2, type);
    if (single && op->width < 4)
        decode_scalar(d, scalar_not, 1);
    else
        decode_lane(d, type_is_wide(type) ? wide : narrow);
}

static void decode_shift(struct decoder *d, bool right)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    decode_dest(d, 0, 0, type);
    decode_source(d, 1, 1, type);
    decode_source(d, 2, 2, PTX_U32);
    bool is_signed = type_is_signed(type);
    if (ptx_type_size(type) == 2) {
        op->action = right;
        op->flags |= is_signed ? OP_SIGNED : 0;
        decode_scalar(d, scalar_shift_16, 2);
    } else if (type_is_wide(type)) {
        decode_lane(d, !right ? LANE_shl_64 : is_signed ? LANE_shr_s64 : LANE_shr_u64);
    } else {
        decode_lane(d, !right ? LANE_shl_32 : is_signed ? LANE_shr_s32 : LANE_shr_u32);
    }
}

static void decode_three(struct decoder *d, scalar_run *run)
{
    decode_dest(d, 0, 0, PTX_B32);
    decode_source(d, 1, 1, PTX_B32);
    decode_source(d, 2, 2, PTX_B32);
    decode_source(d, 3, 3, PTX_U32);
    decode_scalar(d, run, 3);
}

static uint32_t prmt_mode(const struct decoder *d)
{
    static const uint8_t modes[] = {PTX_MOD_F4E, PTX_MOD_B4E, PTX_MOD_RC8, PTX_MOD_ECL, PTX_MOD_ECR, PTX_MOD_RC16};
    for (size_t i = 0; i < sizeof modes; i++)
        if (decode_has(d, (enum ptx_modifier)modes[i]))
            return modes[i];
    return 0;
}

void sim_decode_logic(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    switch (d->inst->op) {
    case PTX_OP_AND:
        decode_bitwise(d, LANE_and_32, LANE_and_64, LANE_and_pred);
        break;
    case PTX_OP_OR:
        decode_bitwise(d, LANE_or_32, LANE_or_64, LANE_or_pred);
        break;
    case PTX_OP_XOR:
        decode_bitwise(d, LANE_xor_32, LANE_xor_64, LANE_xor_pred);
        break;
    case PTX_OP_NOT:
        decode_bitwise(d, LANE_not_32, LANE_not_64, LANE_not_pred);
        break;
    case PTX_OP_CNOT:
        decode_dest(d, 0, 0, type);
        decode_source(d, 1, 1, type);
        decode_scalar(d, scalar_cnot, 1);
        break;
    case PTX_OP_LOP3:
        decode_lop3(d);
        break;
    case PTX_OP_SHL:
    case PTX_OP_SHR:
        decode_shift(d, d->inst->op == PTX_OP_SHR);
        break;
    case PTX_OP_SHF:
        d->op->action = (uint8_t)((decode_has(d, PTX_MOD_R) ? 1 : 0) | (decode_has(d, PTX_MOD_WRAP) ? 2 : 0));
        decode_three(d, scalar_shf);
        break;
    case PTX_OP_PRMT:
        d->op->action = (uint8_t)prmt_mode(d);
        decode_three(d, scalar_prmt);
        break;
    default:
        decode_refuse(d, "unknown to the machine");
    }
}

// ---- comparisons

enum relation { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, IS_NAN, RELATIONS };

static enum relation relation_of(struct decoder *d)
{
    static const uint8_t modifiers[RELATIONS] = {
        [EQ] = PTX_MOD_EQ,   [NE] = PTX_MOD_NE,   [LT] = PTX_MOD_LT,   [LE] = PTX_MOD_LE,     [GT] = PTX_MOD_GT,
        [GE] = PTX_MOD_GE,   [EQU] = PTX_MOD_EQU, [NEU] = PTX_MOD_NEU, [LTU] = PTX_MOD_LTU,   [LEU] = PTX_MOD_LEU,
        [GTU] = PTX_MOD_GTU, [GEU] = PTX_MOD_GEU, [NUM] = PTX_MOD_NUM, [IS_NAN] = PTX_MOD_NAN};
    for (uint32_t r = 0; r < RELATIONS; r++)
        if (decode_has(d, (enum ptx_modifier)modifiers[r]))
            return (enum relation)r;
    static const struct {
        uint8_t modifier, relation;
    } unsigned_forms[] = {{PTX_MOD_LO, LT}, {PTX_MOD_LS, LE}, {PTX_MOD_HI, GT}, {PTX_MOD_HS, GE}};
    for (uint32_t i = 0; i < 4; i++)
        if (decode_has(d, (enum ptx_modifier)unsigned_forms[i].modifier))
            return (enum relation)unsigned_forms[i].relation;
    decode_refuse(d, "it has no comparison");
    return EQ;
}

static bool unsigned_form(const struct decoder *d)
{
    return decode_has(d, PTX_MOD_LO) || decode_has(d, PTX_MOD_LS) || decode_has(d, PTX_MOD_HI) ||
           decode_has(d, PTX_MOD_HS);
}

static bool float_relates(enum relation relation, double a, double b)
{
    bool nan = a != a || b != b;
    switch (relation) {
    case EQ:
        return a == b;
    case NE:
        return !nan && a != b;
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    case EQU:
        return nan || a == b;
    case NEU:
        return nan || a != b;
    case LTU:
        return nan || a < b;
    case LEU:
        return nan || a <= b;
    case GTU:
        return nan || a > b;
    case GEU:
        return nan || a >= b;
    case NUM:
        return !nan;
    default:
        return nan;
    }
}

static bool integer_relates(enum relation relation, bool is_signed, uint32_t bits, uint64_t a, uint64_t b)
{
    int64_t x = (int64_t)(a << (64 - bits)) >> (64 - bits), y = (int64_t)(b << (64 - bits)) >> (64 - bits);
    bool less = is_signed ? x < y : a < b, equal = a == b;
    switch (relation) {
    case EQ:
        return equal;
    case NE:
        return !equal;
    case LT:
        return less;
    case LE:
        return less || equal;
    case GT:
        return !less && !equal;
    default:
        return !less;
    }
}

static double float_value(enum ptx_type type, bool flushes, uint64_t bits)
{
    switch (type) {
    case PTX_F64:
        return bits_f64(bits);
    case PTX_F32:
        return (double)(flushes ? flush_f32(bits_f32(bits)) : bits_f32(bits));
    case PTX_BF16:
    case PTX_BF16X2:
        return (double)bf16_to_f32((uint32_t)bits & 0xffff);
    default: {
        uint32_t half = (uint32_t)bits & 0xffff;
        if (flushes && !(half & 0x7c00))
            half &= 0x8000;
        return (double)f16_to_f32(half);
    }
    }
}

// One comparison of op's source type (type2).
static bool relates(const struct op *op, uint64_t a, uint64_t b)
{
    enum ptx_type type = (enum ptx_type)op->type2;
    enum relation relation = (enum relation)op->rounding;
    bool flushes = op->flags & OP_FTZ;
    if (type_is_float(type) || type_is_half(type))
        return float_relates(relation, float_value(type, flushes, a), float_value(type, flushes, b));
    return integer_relates(relation, op->flags & OP_SIGNED, 8 * ptx_type_size(type), a, b);
}

enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static uint32_t combine(uint32_t action, uint32_t a, uint32_t c)
{
    return action == COMBINE_AND ? a & c : action == COMBINE_OR ? a | c : action == COMBINE_XOR ? a ^ c : a;
}

// setp for 16-bit types and pairs: a pair compares its halves, the low one into p and the high one into q.
static const struct op *run_setp_slow(struct exec *x, const struct op *op, uint32_t mask)
{
    enum ptx_type type = (enum ptx_type)op->type2;
    bool pair = type == PTX_F16X2 || type == PTX_BF16X2;
    uint32_t p = 0, q = 0, c = op->action ? *(const uint32_t *)slot_at(x, op->slot[4]) ^ op->extra : 0;
    FOR_LANES (lane, mask) {
        uint64_t a = slot_get(x, op, 2, lane), b = slot_get(x, op, 3, lane);
        p |= (uint32_t)relates(op, a, b) << lane;
        if (pair)
            q |= (uint32_t)relates(op, a >> 16, b >> 16) << lane;
    }
    if (!pair)
        q = ~p;
    pred_put(slot_at(x, op->slot[1]), mask, combine(op->action, q, c));
    pred_put(slot_at(x, op->slot[0]), mask, combine(op->action, p, c));
    return op + 1;
}

// set: all ones or 1.0 if true; a pair sets each half
static const struct op *run_set(struct exec *x, const struct op *op, uint32_t mask)
{
    enum ptx_type to = (enum ptx_type)op->type, type = (enum ptx_type)op->type2;
    bool pair = type == PTX_F16X2 || type == PTX_BF16X2;
    uint32_t c = op->action ? *(const uint32_t *)slot_at(x, op->slot[4]) ^ op->extra : 0;
    FOR_LANES (lane, mask) {
        uint64_t a = slot_get(x, op, 2, lane), b = slot_get(x, op, 3, lane), result;
        bool low = combine(op->action, relates(op, a, b), c >> lane & 1) & 1;
        bool high = pair && (combine(op->action, relates(op, a >> 16, b >> 16), c >> lane & 1) & 1);
        switch (to) {
        case PTX_F32:
            result = low ? 0x3f800000 : 0;
            break;
        case PTX_F16:
            result = low ? 0x3c00 : 0;
            break;
        case PTX_BF16:
            result = low ? 0x3f80 : 0;
            break;
        case PTX_F16X2:
            result = (low ? 0x3c00u : 0) | (high ? 0x3c000000u : 0);
            break;
        case PTX_BF16X2:
            result = (low ? 0x3f80u : 0) | (high ? 0x3f800000u : 0);
            break;
        case PTX_U16:
        case PTX_S16:
            result = low ? 0xffff : 0;
            break;
        default:
            result = pair ? (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0) : low ? UINT32_MAX : 0;
        }
        slot_put(x, op, 0, lane, result);
    }
    return op + 1;
}

static void decode_combination(struct decoder *d, uint32_t operand)
{
    struct op *op = d->op;
    op->action = decode_has(d, PTX_MOD_AND)   ? COMBINE_AND
                 : decode_has(d, PTX_MOD_OR)  ? COMBINE_OR
                 : decode_has(d, PTX_MOD_XOR) ? COMBINE_XOR
                                              : COMBINE_NONE;
    if (op->action == COMBINE_NONE)
        return;
    bool wide, pred;
    op->slot[4] = decode_slot(d, decode_operand(d, operand), PTX_PRED, false, &wide, &pred);
    op->extra = decode_negation(d, operand) ? UINT32_MAX : 0;
}

#define INTEGER_LANES(type)                                                                                            \
    {                                                                                                                  \
        LANE_eq_##type, LANE_ne_##type, LANE_lt_##type, LANE_le_##type, LANE_gt_##type, LANE_ge_##type                 \
    }
#define FLOAT_LANES(type)                                                                                              \
    {                                                                                                                  \
        LANE_eq_##type, LANE_ne_##type, LANE_lt_##type, LANE_le_##type, LANE_gt_##type, LANE_ge_##type,                \
            LANE_equ_##type, LANE_neu_##type, LANE_ltu_##type, LANE_leu_##type, LANE_gtu_##type, LANE_geu_##type,      \
            LANE_num_##type, LANE_nan_##type                                                                           \
    }

static void decode_setp_lane(struct decoder *d, enum ptx_type type, enum relation relation, bool is_signed)
{
    static const enum lane_op integers[2][2][6] = {{INTEGER_LANES(u32), INTEGER_LANES(s32)},
                                                   {INTEGER_LANES(u64), INTEGER_LANES(s64)}};
    static const enum lane_op floats[2][RELATIONS] = {FLOAT_LANES(f32), FLOAT_LANES(f64)};
    if (type_is_float(type))
        decode_lane(d, floats[type == PTX_F64][relation]);
    else if (ptx_type_size(type) < 4 || type_is_half(type))
        d->op->run = run_setp_slow;
    else
        decode_lane(d, integers[type_is_wide(type)][is_signed][relation]);
}

static void decode_setp(struct decoder *d)
{
    struct op *op = d->op;
    enum ptx_type type = decode_type(d, 0);
    enum relation relation = relation_of(d);
    enum ptx_type compared = d->inst->op == PTX_OP_SET ? decode_type(d, 1) : type;
    bool is_float = type_is_float(compared) || type_is_half(compared);
    bool is_signed = type_is_signed(type) && !unsigned_form(d);
    if (!is_float && relation > GE)
        decode_refuse(d, "this comparison is for floats");
    op->type2 = (uint8_t)type;
    op->rounding = (uint8_t)relation;
    op->flags |= decode_has(d, PTX_MOD_FTZ) ? OP_FTZ : 0;
    op->flags |= is_signed ? OP_SIGNED : 0;
    if (d->inst->op == PTX_OP_SET) {
        enum ptx_type from = decode_type(d, 1);
        op->type = (uint8_t)type;
        op->type2 = (uint8_t)from;
        op->flags &= (uint16_t)~OP_SIGNED;
        op->flags |= type_is_signed(from) && !unsigned_form(d) ? OP_SIGNED : 0;
        decode_dest(d, 0, 0, type);
        decode_source(d, 2, 1, from);
        decode_source(d, 3, 2, from);
        decode_combination(d, 3);
        op->run = run_set;
        return;
    }
    decode_dest(d, 0, 0, PTX_PRED);
    op->slot[1] = decode_pair(d, decode_operand(d, 0));
    decode_source(d, 2, 1, type);
    decode_source(d, 3, 2, type);
    decode_combination(d, 3);
    if (d->status == STATUS_OK)
        decode_setp_lane(d, type, relation, is_signed);
}

// slct: a if c is not negative; NaN selects b
static uint64_t scalar_slct(const struct op *op, const uint64_t *v)
{
    if (op->type2 == PTX_F32) {
        float c = op->flags & OP_FTZ ? flush_f32(bits_f32(v[3])) : bits_f32(v[3]);
        return c >= 0 ? v[1] : v[2];
    }
    return (int32_t)v[3] >= 0 ? v[1] : v[2];
}

void sim_decode_compare(struct decoder *d)
{
    struct op *op = d->op;
    enum ptx_type type = decode_type(d, 0);
    bool wide, pred;
    switch (d->inst->op) {
    case PTX_OP_SETP:
    case PTX_OP_SET:
        if (d->inst->op == PTX_OP_SET && d->inst->type_count < 2)
            decode_refuse(d, "set needs two types");
        else
            decode_setp(d);
        break;
    case PTX_OP_SELP:
        decode_dest(d, 0, 0, type);
        decode_source(d, 1, 1, type);
        decode_source(d, 2, 2, type);
        op->slot[3] = decode_slot(d, decode_operand(d, 3), PTX_PRED, false, &wide, &pred);
        op->extra = decode_negation(d, 3) ? UINT32_MAX : 0;
        decode_lane(d, type_is_wide(type) ? LANE_selp_64 : LANE_selp_32);
        break;
    case PTX_OP_SLCT:
        decode_dest(d, 0, 0, type);
        decode_source(d, 1, 1, type);
        decode_source(d, 2, 2, type);
        decode_source(d, 3, 3, decode_type(d, 1));
        op->type2 = (uint8_t)decode_type(d, 1);
        op->flags |= decode_has(d, PTX_MOD_FTZ) ? OP_FTZ : 0;
        decode_scalar(d, scalar_slct, 3);
        break;
    default:
        decode_refuse(d, "unknown to the machine");
    }
}
