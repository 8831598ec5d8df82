// Bitwise operations, shifts, permutes; comparisons and selections.
#include "sim/decode.h"
#include "sim/number.h"

uint64_t scalar_not_16(const struct op *op, const uint64_t *v)
{
    (void)op;
    return ~v[1] & 0xffff;
}

uint64_t scalar_cnot(const struct op *op, const uint64_t *v)
{
    (void)op;
    return v[1] == 0;
}

uint64_t scalar_shift_16(const struct op *op, const uint64_t *v)
{
    enum ptx_type type = (enum ptx_type)op->type;
    return op->action ? integer_right(type, v[1], (uint32_t)v[2]) : integer_left(type, v[1], (uint32_t)v[2]);
}

// action: bit 0: .r, bit 1: .wrap
uint64_t scalar_shf(const struct op *op, const uint64_t *v)
{
    return integer_funnel(v[1], v[2], (uint32_t)v[3], op->action & 1, op->action & 2);
}

static uint32_t prmt_selector(uint32_t mode, uint64_t control)
{
    uint32_t n = (uint32_t)control & 3;
    static const uint16_t ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333}, ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210};
    static const uint16_t f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const uint16_t rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333}, rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
    static const uint16_t *const modes[] = {f4e, b4e, rc8, ecl, ecr, rc16}; // as opcodes.def has them
    return mode ? modes[mode - 1][n] : (uint32_t)control;
}

uint64_t scalar_prmt(const struct op *op, const uint64_t *v)
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
        uint64_t r = bits_by_table(a, b, c, op->imm);
        slot_put(x, op, 0, lane, r);
        result |= (uint32_t)(r != 0) << lane;
    }
    pred_put(slot_at(x, op->slot[4]), mask, op->action ? result | q : result & q);
    return op + 1;
}

void decode_lop3(struct decoder *d)
{
    const struct ptx_operand *table = decode_operand(d, 4);
    if (table->kind != PTX_OPERAND_INTEGER)
        decode_refuse(d, "the table is not a constant");
    d->op->imm = table->value.bits & 0xff;
    decode_lane(d, LANE_lop3_32);
}

void decode_lop3_pred(struct decoder *d)
{
    decode_lop3(d);
    d->op->slot[4] = decode_pair(d, decode_operand(d, 0));
    d->op->slot[5] = decode_predicate(d, 5);
    d->op->run = run_lop3_pred;
}

// ---- comparisons

// One comparison of op's source type (type2).
static bool op_relates(const struct op *op, uint64_t a, uint64_t b)
{
    enum ptx_type type = (enum ptx_type)op->type2;
    enum relation relation = (enum relation)op->rounding;
    bool flushes = op->flags & OP_FTZ;
    if (type_is_float(type) || type_is_half(type))
        return float_relates(relation, number_float(type, flushes, a), number_float(type, flushes, b));
    return integer_relates(relation, type, a, b);
}

enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static uint32_t op_combine(uint32_t action, uint32_t a, uint32_t c)
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
        p |= (uint32_t)op_relates(op, a, b) << lane;
        if (pair)
            q |= (uint32_t)op_relates(op, a >> 16, b >> 16) << lane;
    }
    if (!pair)
        q = ~p;
    pred_put(slot_at(x, op->slot[1]), mask, op_combine(op->action, q, c));
    pred_put(slot_at(x, op->slot[0]), mask, op_combine(op->action, p, c));
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
        bool low = op_combine(op->action, op_relates(op, a, b), c >> lane & 1) & 1;
        bool high = pair && (op_combine(op->action, op_relates(op, a >> 16, b >> 16), c >> lane & 1) & 1);
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

static void decode_combination(struct decoder *d)
{
    struct op *op = d->op;
    op->action = decode_has(d, PTX_MOD_AND)   ? COMBINE_AND
                 : decode_has(d, PTX_MOD_OR)  ? COMBINE_OR
                 : decode_has(d, PTX_MOD_XOR) ? COMBINE_XOR
                                              : COMBINE_NONE;
    if (op->action != COMBINE_NONE)
        op->slot[4] = decode_predicate(d, 3);
}

// What setp and set share: slots 2, 3 the compared, 4 the predicate that they are combined with; type2, rounding.
static void decode_comparison(struct decoder *d, enum ptx_type compared)
{
    d->op->type2 = (uint8_t)compared;
    d->op->rounding = (uint8_t)ptx_relation(d->inst, compared);
    d->op->flags = (uint16_t)((d->op->flags & ~OP_SIGNED) | (type_is_signed(compared) ? OP_SIGNED : 0));
    decode_source(d, 2, 1, compared);
    decode_source(d, 3, 2, compared);
    decode_combination(d);
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

void decode_setp(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    decode_comparison(d, type);
    decode_dest(d, 0, 0, PTX_PRED);
    d->op->slot[1] = decode_pair(d, decode_operand(d, 0));
    if (d->status == STATUS_OK)
        decode_setp_lane(d, type, (enum relation)d->op->rounding, type_is_signed(type));
}

void decode_set(struct decoder *d)
{
    decode_comparison(d, decode_type(d, 1));
    decode_dest(d, 0, 0, decode_type(d, 0));
    d->op->run = run_set;
}

// slct: a if c is not negative; NaN selects b
uint64_t scalar_slct(const struct op *op, const uint64_t *v)
{
    if (op->type2 == PTX_F32) {
        float c = op->flags & OP_FTZ ? flush_f32(bits_f32(v[3])) : bits_f32(v[3]);
        return c >= 0 ? v[1] : v[2];
    }
    return (int32_t)v[3] >= 0 ? v[1] : v[2];
}
