// Integer arithmetic. What is worth vectorising is in lanes_body.h; the rest works on one lane's bits, by the rules of
// ptx/arithmetic.h.
//
// A scalar_run gets its sources in v[1 …], zero-extended from their registers, and returns the destination's bits.
#include "sim/decode.h"
#include "sim/number.h"

static enum ptx_type op_type(const struct op *op)
{
    return (enum ptx_type)op->type;
}

static uint32_t op_bits(const struct op *op)
{
    return type_bits(op_type(op));
}

static uint64_t op_cut(const struct op *op, uint64_t value)
{
    return integer_cut(op_type(op), value);
}

// ---- scalar forms

static uint64_t scalar_division(const struct op *op, const uint64_t *v)
{
    return op->action ? integer_remainder(op_type(op), v[1], v[2]) : integer_quotient(op_type(op), v[1], v[2]);
}

static const struct op *run_division(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t zeros = 0;
    FOR_LANES (lane, x->wants & SIM_WANT_NOTICE ? mask : 0)
        zeros |= (uint32_t)!slot_get(x, op, 2, lane) << lane;
    struct sim_notice notice = {.kind = SIM_NOTICE_DIVISION, .mask = zeros, .other_pc = UINT32_MAX};
    if (zeros)
        sim_watch_notice(x, op, &notice);
    return sim_run_scalar(x, op, mask);
}

void decode_division(struct decoder *d)
{
    decode_scalar(d, scalar_division, 2);
    d->op->run = run_division;
}

uint64_t scalar_mul_hi(const struct op *op, const uint64_t *v)
{
    return integer_product_high(op_type(op), v[1], v[2]);
}

uint64_t scalar_mad_hi(const struct op *op, const uint64_t *v)
{
    uint64_t high = scalar_mul_hi(op, v);
    if (op->flags & OP_SAT) // mad.hi.sat.s32
        return (uint32_t)clamp_s32(sign_extend(high, 32) + sign_extend(v[3], 32));
    return op_cut(op, high + v[3]);
}

uint64_t scalar_mad_wide_16(const struct op *op, const uint64_t *v)
{
    return (uint32_t)(integer_product_wide(op_type(op), v[1], v[2]) + v[3]);
}

uint64_t scalar_add_sat(const struct op *op, const uint64_t *v)
{
    int64_t a = sign_extend(v[1], 32), b = sign_extend(v[2], 32);
    return (uint32_t)clamp_s32(op->action ? a - b : a + b);
}

static int64_t op_low24(const struct op *op, uint64_t value)
{
    return op->flags & OP_SIGNED ? sign_extend(value, 24) : (int64_t)(value & 0xffffff);
}

uint64_t scalar_mul24(const struct op *op, const uint64_t *v)
{
    uint64_t product = (uint64_t)(op_low24(op, v[1]) * op_low24(op, v[2]));
    uint32_t half = (uint32_t)(op->action ? product >> 16 : product);
    if (op->sources < 3)
        return half;
    if (!(op->flags & OP_SAT))
        return (uint32_t)(half + v[3]);
    return (uint32_t)clamp_s32(sign_extend(half, 32) + sign_extend(v[3], 32));
}

uint64_t scalar_sad(const struct op *op, const uint64_t *v)
{
    return op_cut(op, (integer_is_less(op_type(op), v[1], v[2]) ? v[2] - v[1] : v[1] - v[2]) + v[3]);
}

uint64_t scalar_neg(const struct op *op, const uint64_t *v)
{
    return op_cut(op, 0 - v[1]);
}

uint64_t scalar_abs(const struct op *op, const uint64_t *v)
{
    return integer_absolute(op_type(op), v[1]);
}

uint64_t scalar_min_max(const struct op *op, const uint64_t *v)
{
    uint64_t r = integer_is_less(op_type(op), v[1], v[2]) == (op->action == 0) ? v[1] : v[2];
    return op->flags & OP_RELU && integer_number(op_type(op), r) < 0 ? 0 : r;
}

// Two 16-bit numbers in a register: add, min and max (.relu).
uint64_t scalar_pair(const struct op *op, const uint64_t *v)
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

uint64_t scalar_popc(const struct op *op, const uint64_t *v)
{
    (void)op;
    return (uint64_t)__builtin_popcountll(v[1]);
}

uint64_t scalar_clz(const struct op *op, const uint64_t *v)
{
    return integer_leading_zeros(op_type(op), v[1]);
}

uint64_t scalar_bfind(const struct op *op, const uint64_t *v)
{
    uint64_t a = v[1];
    if (type_is_signed(op_type(op)) && integer_number(op_type(op), a) < 0)
        a = op_cut(op, ~a);
    if (!a)
        return UINT32_MAX;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(a);
    return op->action ? op_bits(op) - 1 - at : at; // .shiftamt
}

// fns: the offset-th set bit of mask from base on, upwards or (negative offset) downwards
uint64_t scalar_fns(const struct op *op, const uint64_t *v)
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

uint64_t scalar_brev(const struct op *op, const uint64_t *v)
{
    uint64_t r = 0;
    for (uint32_t i = 0, bits = op_bits(op); i < bits; i++)
        r |= (v[1] >> i & 1) << (bits - 1 - i);
    return r;
}

uint64_t scalar_bfe(const struct op *op, const uint64_t *v)
{
    return integer_field(op_type(op), v[1], (uint32_t)v[2], (uint32_t)v[3]);
}

uint64_t scalar_bfi(const struct op *op, const uint64_t *v)
{
    uint32_t bits = op_bits(op), position = (uint32_t)v[3] & 0xff, length = (uint32_t)v[4] & 0xff;
    if (position >= bits || !length)
        return v[2];
    uint64_t field = bits_below(length) << position;
    return op_cut(op, (v[2] & ~field) | (v[1] << position & field));
}

uint64_t scalar_szext(const struct op *op, const uint64_t *v)
{
    uint32_t n = (uint32_t)v[2];
    if (op->action) // .wrap
        n &= 31;
    if (n == 0)
        return 0;
    if (n > 31)
        return v[1];
    return op->flags & OP_SIGNED ? (uint32_t)sign_extend(v[1], n) : v[1] & bits_below(n);
}

uint64_t scalar_bmsk(const struct op *op, const uint64_t *v)
{
    uint32_t position = (uint32_t)v[1], length = (uint32_t)v[2];
    if (op->action) { // .wrap
        position &= 31;
        length &= 31;
    }
    if (position > 31 || !length)
        return 0;
    return (uint32_t)(bits_below(length < 32 ? length : 32) << position);
}

static int64_t byte_of(uint64_t value, uint32_t at, uint32_t bits, bool is_signed)
{
    uint64_t field = value >> at & bits_below(bits);
    return is_signed ? sign_extend(field, bits) : (int64_t)field;
}

uint64_t scalar_dp4a(const struct op *op, const uint64_t *v)
{
    bool first = op->flags & OP_SIGNED, second = type_is_signed((enum ptx_type)op->type2);
    uint64_t sum = v[3];
    for (uint32_t at = 0; at < 32; at += 8)
        sum += (uint64_t)(byte_of(v[1], at, 8, first) * byte_of(v[2], at, 8, second));
    return (uint32_t)sum;
}

uint64_t scalar_dp2a(const struct op *op, const uint64_t *v)
{
    bool first = op->flags & OP_SIGNED, second = type_is_signed((enum ptx_type)op->type2);
    uint32_t half = op->action ? 16 : 0; // .hi
    uint64_t sum = v[3];
    for (uint32_t i = 0; i < 2; i++)
        sum += (uint64_t)(byte_of(v[1], 16 * i, 16, first) * byte_of(v[2], half + 8 * i, 8, second));
    return (uint32_t)sum;
}

// ---- carry: one bit a lane in the warp's own area. A subtraction adds the complement: its carry is "no borrow", which
// shows when an addition follows it (measured on an H100: all pairs of .cc and carry-in instructions, all types)

static const struct op *run_carry(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t *carry = (uint32_t *)(void *)(x->base[BASE_WARP] + WARP_CARRY), bits = op_bits(op);
    __extension__ typedef unsigned __int128 wide;
    FOR_LANES (lane, mask) {
        uint64_t a = slot_get(x, op, 1, lane), b = slot_get(x, op, 2, lane);
        if (op->sources == 3) { // mad: the product's half, and the addend
            uint64_t v[4] = {0, a, b, 0};
            a = op->action & CARRY_HIGH ? scalar_mul_hi(op, v) : op_cut(op, a * b);
            b = slot_get(x, op, 3, lane);
        }
        bool borrows = op->action & CARRY_BORROWS;
        wide in = op->action & CARRY_IN ? *carry >> lane & 1 : borrows;
        wide r = (wide)a + (borrows ? op_cut(op, ~b) : b) + in;
        if (op->flags & OP_CARRY_OUT)
            *carry = (*carry & ~(1u << lane)) | (uint32_t)(r >> bits & 1) << lane;
        slot_put(x, op, 0, lane, op_cut(op, (uint64_t)r));
    }
    return op + 1;
}

void decode_carry(struct decoder *d)
{
    d->op->sources = (uint8_t)(d->inst->operand_count - 1);
    d->op->run = run_carry;
}
