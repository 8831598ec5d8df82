// Integer arithmetic. What is worth vectorising is in lanes_body.h; the rest works on one lane's bits.
//
// A scalar_run gets its sources in v[1 …], zero-extended from their registers, and returns the destination's bits.
#include "sim/decode.h"

static uint64_t low_bits(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static uint32_t op_bits(const struct op *op)
{
    return 8 * ptx_type_size((enum ptx_type)op->type);
}

static int64_t sign_extend(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

// The operand as a number, by the op's type.
static int64_t number(const struct op *op, uint64_t value)
{
    return op->flags & OP_SIGNED ? sign_extend(value, op_bits(op)) : (int64_t)value;
}

static uint64_t cut(const struct op *op, uint64_t value)
{
    return value & low_bits(op_bits(op));
}

// ---- scalar forms

static uint64_t scalar_div(const struct op *op, const uint64_t *v)
{
    // Division by zero gives all ones, as the GPU's sequence does; PTX leaves it open.
    if (!v[2])
        return cut(op, UINT64_MAX);
    if (!(op->flags & OP_SIGNED))
        return v[1] / v[2];
    int64_t a = number(op, v[1]), b = number(op, v[2]);
    return cut(op, b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b));
}

static uint64_t scalar_rem(const struct op *op, const uint64_t *v)
{
    if (!v[2])
        return v[1];
    if (!(op->flags & OP_SIGNED))
        return v[1] % v[2];
    int64_t a = number(op, v[1]), b = number(op, v[2]);
    return cut(op, b == -1 ? 0 : (uint64_t)(a % b));
}

static uint64_t scalar_mul_hi(const struct op *op, const uint64_t *v)
{
    uint32_t bits = op_bits(op);
    __extension__ typedef __int128 wide_product;
    __extension__ typedef unsigned __int128 wide_unsigned;
    if (op->flags & OP_SIGNED)
        return cut(op, (uint64_t)(((wide_product)number(op, v[1]) * number(op, v[2])) >> bits));
    return cut(op, (uint64_t)(((wide_unsigned)v[1] * v[2]) >> bits));
}

static uint64_t scalar_mad_hi(const struct op *op, const uint64_t *v)
{
    uint64_t high = scalar_mul_hi(op, v);
    if (op->flags & OP_SAT) { // mad.hi.sat.s32
        int64_t sum = sign_extend(high, 32) + sign_extend(v[3], 32);
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        return (uint32_t)sum;
    }
    return cut(op, high + v[3]);
}

static uint64_t scalar_mad_wide_16(const struct op *op, const uint64_t *v)
{
    return (uint32_t)((uint64_t)(number(op, v[1]) * number(op, v[2])) + v[3]);
}

static uint64_t scalar_add_sat(const struct op *op, const uint64_t *v)
{
    int64_t a = sign_extend(v[1], 32), b = sign_extend(v[2], 32), r = op->action ? a - b : a + b;
    return (uint32_t)(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
}

static int64_t low24(const struct op *op, uint64_t value)
{
    return op->flags & OP_SIGNED ? sign_extend(value, 24) : (int64_t)(value & 0xffffff);
}

static uint64_t scalar_mul24(const struct op *op, const uint64_t *v)
{
    uint64_t product = (uint64_t)(low24(op, v[1]) * low24(op, v[2]));
    uint32_t half = (uint32_t)(op->action ? product >> 16 : product);
    if (op->sources < 3)
        return half;
    if (!(op->flags & OP_SAT))
        return (uint32_t)(half + v[3]);
    int64_t sum = (int64_t)(int32_t)half + sign_extend(v[3], 32);
    return (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static uint64_t scalar_sad(const struct op *op, const uint64_t *v)
{
    int64_t a = number(op, v[1]), b = number(op, v[2]);
    bool less = op->flags & OP_SIGNED ? a < b : v[1] < v[2];
    return cut(op, (less ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b) + v[3]);
}

static uint64_t scalar_neg(const struct op *op, const uint64_t *v)
{
    return cut(op, 0 - v[1]);
}

static uint64_t scalar_abs(const struct op *op, const uint64_t *v)
{
    int64_t a = sign_extend(v[1], op_bits(op));
    return cut(op, a < 0 ? 0 - (uint64_t)a : (uint64_t)a);
}

static uint64_t scalar_min_max(const struct op *op, const uint64_t *v)
{
    int64_t a = number(op, v[1]), b = number(op, v[2]);
    bool less = op->flags & OP_SIGNED ? a < b : v[1] < v[2];
    uint64_t r = less == (op->action == 0) ? v[1] : v[2];
    return op->flags & OP_RELU && sign_extend(r, op_bits(op)) < 0 ? 0 : r;
}

// Two 16-bit numbers in a register: add, min and max (.relu).
static uint64_t scalar_pair(const struct op *op, const uint64_t *v)
{
    uint64_t result = 0;
    for (uint32_t shift = 0; shift < 32; shift += 16) {
        uint64_t a = v[1] >> shift & 0xffff, b = v[2] >> shift & 0xffff;
        int64_t x = op->flags & OP_SIGNED ? sign_extend(a, 16) : (int64_t)a;
        int64_t y = op->flags & OP_SIGNED ? sign_extend(b, 16) : (int64_t)b;
        int64_t r = op->action == 2 ? x + y : op->action == 0 ? (x < y ? x : y) : (x > y ? x : y);
        if (op->flags & OP_RELU && r < 0)
            r = 0;
        result |= ((uint64_t)r & 0xffff) << shift;
    }
    return result;
}

static uint64_t scalar_popc(const struct op *op, const uint64_t *v)
{
    (void)op;
    return (uint64_t)__builtin_popcountll(v[1]);
}

static uint64_t scalar_clz(const struct op *op, const uint64_t *v)
{
    return v[1] ? (uint64_t)__builtin_clzll(v[1]) - (64 - op_bits(op)) : op_bits(op);
}

static uint64_t scalar_bfind(const struct op *op, const uint64_t *v)
{
    uint64_t a = v[1];
    if (op->flags & OP_SIGNED && number(op, a) < 0)
        a = cut(op, ~a);
    if (!a)
        return UINT32_MAX;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(a);
    return op->action ? op_bits(op) - 1 - at : at; // .shiftamt
}

// fns: the offset-th set bit of mask from base on, upwards or (negative offset) downwards
static uint64_t scalar_fns(const struct op *op, const uint64_t *v)
{
    (void)op;
    uint32_t mask = (uint32_t)v[1], base = (uint32_t)v[2];
    int32_t offset = (int32_t)v[3];
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    int64_t position = base, step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -(int64_t)offset;
    for (; position >= 0 && position < 32; position += step)
        if (mask >> position & 1 && --left == 0)
            return (uint64_t)position;
    return UINT32_MAX;
}

static uint64_t scalar_brev(const struct op *op, const uint64_t *v)
{
    uint64_t r = 0;
    for (uint32_t i = 0, bits = op_bits(op); i < bits; i++)
        r |= (v[1] >> i & 1) << (bits - 1 - i);
    return r;
}

static uint64_t scalar_bfe(const struct op *op, const uint64_t *v)
{
    uint32_t bits = op_bits(op), position = (uint32_t)v[2] & 0xff, length = (uint32_t)v[3] & 0xff;
    uint32_t last = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
    bool sign = op->flags & OP_SIGNED && length && (v[1] >> last & 1);
    uint32_t have = position >= bits ? 0 : bits - position < length ? bits - position : length;
    uint64_t field = (have ? v[1] >> position : 0) & low_bits(have);
    return cut(op, sign ? field | ~low_bits(have) : field);
}

static uint64_t scalar_bfi(const struct op *op, const uint64_t *v)
{
    uint32_t bits = op_bits(op), position = (uint32_t)v[3] & 0xff, length = (uint32_t)v[4] & 0xff;
    if (position >= bits || !length)
        return v[2];
    uint64_t field = low_bits(length) << position;
    return cut(op, (v[2] & ~field) | (v[1] << position & field));
}

static uint64_t scalar_szext(const struct op *op, const uint64_t *v)
{
    uint32_t n = (uint32_t)v[2];
    if (op->action) // .wrap
        n &= 31;
    if (n == 0)
        return 0;
    if (n > 31)
        return v[1];
    return op->flags & OP_SIGNED ? (uint32_t)sign_extend(v[1], n) : v[1] & low_bits(n);
}

static uint64_t scalar_bmsk(const struct op *op, const uint64_t *v)
{
    uint32_t position = (uint32_t)v[1], length = (uint32_t)v[2];
    if (op->action) { // .wrap
        position &= 31;
        length &= 31;
    }
    if (position > 31 || !length)
        return 0;
    return (uint32_t)(low_bits(length < 32 ? length : 32) << position);
}

static int64_t byte_of(uint64_t value, uint32_t at, uint32_t bits, bool is_signed)
{
    uint64_t field = value >> at & low_bits(bits);
    return is_signed ? sign_extend(field, bits) : (int64_t)field;
}

// action: bit 0: a signed, bit 1: b signed, bit 2: .hi
static uint64_t scalar_dp4a(const struct op *op, const uint64_t *v)
{
    uint64_t sum = v[3];
    for (uint32_t at = 0; at < 32; at += 8)
        sum += (uint64_t)(byte_of(v[1], at, 8, op->action & 1) * byte_of(v[2], at, 8, op->action & 2));
    return (uint32_t)sum;
}

static uint64_t scalar_dp2a(const struct op *op, const uint64_t *v)
{
    uint64_t sum = v[3];
    for (uint32_t i = 0; i < 2; i++)
        sum += (uint64_t)(byte_of(v[1], 16 * i, 16, op->action & 1) *
                          byte_of(v[2], 8 * i + (op->action & 4 ? 16 : 0), 8, op->action & 2));
    return (uint32_t)sum;
}

// ---- carry: one bit a lane in the warp's own area

static const struct op *run_carry(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t *carry = (uint32_t *)(void *)(x->base[BASE_WARP] + WARP_CARRY), bits = op_bits(op);
    __extension__ typedef unsigned __int128 wide;
    FOR_LANES (lane, mask) {
        uint64_t a = slot_get(x, op, 1, lane), b = slot_get(x, op, 2, lane);
        if (op->sources == 3) { // mad: the product's half, and the addend
            uint64_t v[4] = {0, a, b, 0};
            a = op->action & 2 ? scalar_mul_hi(op, v) : cut(op, a * b);
            b = slot_get(x, op, 3, lane);
        }
        wide in = op->flags & OP_CARRY_IN ? *carry >> lane & 1 : 0, r;
        uint64_t out;
        if (op->action & 1) { // borrow
            r = (wide)a - b - in;
            out = r >> 127 & 1;
        } else {
            r = (wide)a + b + in;
            out = (uint64_t)(r >> bits) & 1;
        }
        if (op->flags & OP_CARRY_OUT)
            *carry = (*carry & ~(1u << lane)) | (uint32_t)out << lane;
        slot_put(x, op, 0, lane, cut(op, (uint64_t)r));
    }
    return op + 1;
}

// ---- decoding

static void sources(struct decoder *d, uint32_t count, enum ptx_type type)
{
    decode_dest(d, 0, 0, type);
    for (uint32_t k = 1; k <= count; k++)
        decode_source(d, k, k, type);
}

static void decode_carry(struct decoder *d, uint32_t count, bool subtracts, bool carries_in)
{
    sources(d, count, decode_type(d, 0));
    d->op->sources = (uint8_t)count;
    d->op->flags |= carries_in ? OP_CARRY_IN : 0;
    d->op->flags |= decode_has(d, PTX_MOD_CC) ? OP_CARRY_OUT : 0;
    d->op->action = (uint8_t)(subtracts | (decode_has(d, PTX_MOD_HI) ? 2 : 0));
    d->op->run = run_carry;
}

static void decode_add(struct decoder *d, bool subtracts)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    sources(d, 2, type);
    if (type == PTX_U16X2 || type == PTX_S16X2) {
        op->action = 2;
        decode_scalar(d, scalar_pair, 2);
        if (subtracts)
            decode_refuse(d, "pairs are not subtracted");
        return;
    }
    if (decode_has(d, PTX_MOD_SAT)) {
        op->action = subtracts;
        decode_scalar(d, scalar_add_sat, 2);
        return;
    }
    switch (ptx_type_size(type)) {
    case 2:
        decode_lane(d, subtracts ? LANE_sub_16 : LANE_add_16);
        break;
    case 4:
        decode_lane(d, subtracts ? LANE_sub_32 : LANE_add_32);
        break;
    default:
        decode_lane(d, subtracts ? LANE_sub_64 : LANE_add_64);
    }
}

static void decode_wide(struct decoder *d, uint32_t count)
{
    enum ptx_type type = decode_type(d, 0);
    bool is_signed = type_is_signed(type), small = ptx_type_size(type) == 2;
    enum ptx_type wide = small ? (is_signed ? PTX_S32 : PTX_U32) : (is_signed ? PTX_S64 : PTX_U64);
    decode_dest(d, 0, 0, wide);
    decode_source(d, 1, 1, type);
    decode_source(d, 2, 2, type);
    if (count == 3)
        decode_source(d, 3, 3, wide);
    if (ptx_type_size(type) == 8)
        decode_refuse(d, "64-bit operands have no wide product");
    else if (small && count == 3)
        decode_scalar(d, scalar_mad_wide_16, 3);
    else if (small)
        decode_lane(d, is_signed ? LANE_mul_wide_s16 : LANE_mul_wide_u16);
    else if (count == 3)
        decode_lane(d, is_signed ? LANE_mad_wide_s32 : LANE_mad_wide_u32);
    else
        decode_lane(d, is_signed ? LANE_mul_wide_s32 : LANE_mul_wide_u32);
}

static void decode_mul(struct decoder *d, uint32_t count)
{
    enum ptx_type type = decode_type(d, 0);
    static const enum lane_op low[2][3] = {{LANE_mul_lo_16, LANE_mul_lo_32, LANE_mul_lo_64},
                                           {LANE_mad_lo_16, LANE_mad_lo_32, LANE_mad_lo_64}};
    unsigned size = ptx_type_size(type);
    if (decode_has(d, PTX_MOD_WIDE)) {
        decode_wide(d, count);
        return;
    }
    sources(d, count, type);
    if (!decode_has(d, PTX_MOD_HI))
        decode_lane(d, low[count - 2][size == 2 ? 0 : size == 4 ? 1 : 2]);
    else if (count == 2 && size == 4)
        decode_lane(d, type_is_signed(type) ? LANE_mul_hi_s32 : LANE_mul_hi_u32);
    else
        decode_scalar(d, count == 2 ? scalar_mul_hi : scalar_mad_hi, count);
}

static void decode_min_max(struct decoder *d, bool greater)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    sources(d, 2, type);
    op->action = greater;
    op->flags |= decode_has(d, PTX_MOD_RELU) ? OP_RELU : 0;
    if (type == PTX_U16X2 || type == PTX_S16X2) {
        decode_scalar(d, scalar_pair, 2);
    } else if (op->flags & OP_RELU || ptx_type_size(type) == 2) {
        decode_scalar(d, scalar_min_max, 2);
    } else {
        static const enum lane_op table[2][2][2] = {{{LANE_min_u32, LANE_min_s32}, {LANE_min_u64, LANE_min_s64}},
                                                    {{LANE_max_u32, LANE_max_s32}, {LANE_max_u64, LANE_max_s64}}};
        decode_lane(d, table[greater][type_is_wide(type)][type_is_signed(type)]);
    }
}

static void decode_bits(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    decode_dest(d, 0, 0, d->inst->op == PTX_OP_BREV ? type : PTX_U32);
    decode_source(d, 1, 1, type);
    op->action = decode_has(d, PTX_MOD_SHIFTAMT);
    decode_scalar(d,
                  d->inst->op == PTX_OP_POPC   ? scalar_popc
                  : d->inst->op == PTX_OP_CLZ  ? scalar_clz
                  : d->inst->op == PTX_OP_BREV ? scalar_brev
                                               : scalar_bfind,
                  1);
}

static void decode_field(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    bool insert = d->inst->op == PTX_OP_BFI;
    decode_dest(d, 0, 0, type);
    decode_source(d, 1, 1, type);
    if (insert)
        decode_source(d, 2, 2, type);
    decode_source(d, insert ? 3 : 2, insert ? 3 : 2, PTX_U32);
    decode_source(d, insert ? 4 : 3, insert ? 4 : 3, PTX_U32);
    decode_scalar(d, insert ? scalar_bfi : scalar_bfe, insert ? 4 : 3);
}

static void decode_dot(struct decoder *d, bool four)
{
    enum ptx_type a = decode_type(d, 0), b = decode_type(d, 1);
    sources(d, 3, PTX_B32);
    d->op->action =
        (uint8_t)((type_is_signed(a) ? 1 : 0) | (type_is_signed(b) ? 2 : 0) | (decode_has(d, PTX_MOD_HI) ? 4 : 0));
    decode_scalar(d, four ? scalar_dp4a : scalar_dp2a, 3);
}

static void decode_unary(struct decoder *d, bool negates)
{
    enum ptx_type type = decode_type(d, 0);
    sources(d, 1, type);
    if (ptx_type_size(type) == 2)
        decode_scalar(d, negates ? scalar_neg : scalar_abs, 1);
    else if (type_is_wide(type))
        decode_lane(d, negates ? LANE_neg_64 : LANE_abs_64);
    else
        decode_lane(d, negates ? LANE_neg_32 : LANE_abs_32);
}

static void decode_integer(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    op->action = decode_has(d, PTX_MOD_HI) || decode_has(d, PTX_MOD_WRAP);
    switch (d->inst->op) {
    case PTX_OP_ABS:
    case PTX_OP_NEG:
        decode_unary(d, d->inst->op == PTX_OP_NEG);
        break;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
        decode_add(d, d->inst->op == PTX_OP_SUB);
        break;
    case PTX_OP_MUL:
        decode_mul(d, 2);
        break;
    case PTX_OP_MAD:
        decode_mul(d, 3);
        break;
    case PTX_OP_MUL24:
        sources(d, 2, type);
        decode_scalar(d, scalar_mul24, 2);
        break;
    case PTX_OP_MAD24:
        sources(d, 3, type);
        decode_scalar(d, scalar_mul24, 3);
        break;
    case PTX_OP_SAD:
        sources(d, 3, type);
        decode_scalar(d, scalar_sad, 3);
        break;
    case PTX_OP_DIV:
    case PTX_OP_REM:
        sources(d, 2, type);
        decode_scalar(d, d->inst->op == PTX_OP_DIV ? scalar_div : scalar_rem, 2);
        break;
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        decode_min_max(d, d->inst->op == PTX_OP_MAX);
        break;
    case PTX_OP_POPC:
    case PTX_OP_CLZ:
    case PTX_OP_BFIND:
    case PTX_OP_BREV:
        decode_bits(d);
        break;
    case PTX_OP_FNS:
        sources(d, 3, PTX_B32);
        decode_scalar(d, scalar_fns, 3);
        break;
    case PTX_OP_BFE:
    case PTX_OP_BFI:
        decode_field(d);
        break;
    case PTX_OP_SZEXT:
    case PTX_OP_BMSK:
        decode_dest(d, 0, 0, PTX_B32);
        decode_source(d, 1, 1, PTX_B32);
        decode_source(d, 2, 2, PTX_U32);
        decode_scalar(d, d->inst->op == PTX_OP_SZEXT ? scalar_szext : scalar_bmsk, 2);
        break;
    case PTX_OP_DP4A:
    case PTX_OP_DP2A:
        decode_dot(d, d->inst->op == PTX_OP_DP4A);
        break;
    default:
        decode_refuse(d, "unknown to the machine");
    }
}

void sim_decode_int(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    struct op *op = d->op;
    bool carries = decode_has(d, PTX_MOD_CC);
    op->type = (uint8_t)type;
    op->flags |= type_is_signed(type) ? OP_SIGNED : 0;
    op->flags |= decode_has(d, PTX_MOD_SAT) ? OP_SAT : 0;
    if (type_is_float(type) || type_is_half(type) || type == PTX_F32X2) {
        sim_decode_float(d);
        return;
    }
    switch (d->inst->op) {
    case PTX_OP_ADDC:
    case PTX_OP_SUBC:
        decode_carry(d, 2, d->inst->op == PTX_OP_SUBC, true);
        return;
    case PTX_OP_MADC:
        decode_carry(d, 3, false, true);
        return;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MAD:
        if (carries)
            decode_carry(d, d->inst->op == PTX_OP_MAD ? 3 : 2, d->inst->op == PTX_OP_SUB, false);
        else
            decode_integer(d);
        return;
    default:
        decode_integer(d);
    }
}
