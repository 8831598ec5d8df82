// Video instructions (PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions"): operations on bytes and half
// words of 32-bit registers. Whole operands are widened first, so that nothing is lost before it is saturated.
#include "sim/decode.h"
#include "sim/number.h"

struct video { // of one instruction
    enum video_action action;
    enum ptx_type d, a, b;
    uint32_t parts;                // of a register: 1, 2 or 4
    uint32_t into, from_a, from_b; // selectors; 0: none
    uint8_t relation;              // vset: eq, ne, lt, le, gt, ge
    uint8_t shift;                 // vmad: .shr7, .shr15
    bool saturates, wraps, plus_one, adds, least, most;
    bool minus, minus_c; // vmad: of the product, of c
};

static uint32_t digits_of(uint32_t selector)
{
    return selector >> PTX_SELECTOR_COUNT & 7;
}

static int64_t field(uint64_t from, uint32_t at, uint32_t bits, enum ptx_type type)
{
    uint64_t value = from >> at * bits & bits_below(bits);
    return type == PTX_S32 ? sign_extend(value, bits) : (int64_t)value;
}

static int64_t video_clamp(int64_t value, uint32_t bits, bool is_signed)
{
    int64_t most = (int64_t)bits_below(is_signed ? bits - 1 : bits), least = is_signed ? -most - 1 : 0;
    return value > most ? most : value < least ? least : value;
}

static int64_t video_apply(const struct video *v, int64_t a, int64_t b)
{
    switch (v->action) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return a > b ? a - b : b - a;
    case VIDEO_AVERAGE: // rounded away from zero
        return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    case VIDEO_SHL:
    case VIDEO_SHR:
        b = v->wraps ? b & 31 : b > 32 ? 32 : b;
        return v->action == VIDEO_SHR ? a >> b : (int64_t)((uint64_t)a << b);
    case VIDEO_SET: {
        const bool answers[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        return answers[v->relation];
    }
    case VIDEO_MAD:
        break;
    }
    return 0;
}

// (a * b + c [+ 1]) >> shift, in as many bits as it takes
static int64_t video_mad(const struct video *v, int64_t a, int64_t b, uint64_t third)
{
    __extension__ typedef __int128 wide;
    bool is_signed = v->a == PTX_S32 || v->b == PTX_S32 || v->minus || v->minus_c;
    wide product = (wide)a * b, c = is_signed ? (int32_t)third : (int64_t)third;
    wide sum = ((v->minus ? -product : product) + (v->minus_c ? -c : c) + v->plus_one) >> v->shift;
    if (v->saturates) {
        wide most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
        sum = sum > most ? most : sum < least ? least : sum;
    }
    return (int64_t)sum;
}

// One part of a, one of b; d is a whole register, or a part of it with c for the rest.
static uint32_t video_scalar(const struct video *v, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t bits[3], at[3];
    const uint32_t selectors[] = {v->into, v->from_a, v->from_b};
    for (int i = 0; i < 3; i++) {
        bits[i] = !digits_of(selectors[i]) ? 32 : selectors[i] & PTX_SELECTOR_HALVES ? 16 : 8;
        at[i] = bits[i] == 32 ? 0 : selectors[i] & 15;
    }
    int64_t x = field(a, at[1], bits[1], v->a), y = field(b, at[2], bits[2], v->b), third = field(c, 0, 32, v->d);
    if (v->action == VIDEO_MAD)
        return (uint32_t)video_mad(v, x, y, c);
    int64_t result = video_apply(v, x, y);
    if (v->saturates)
        result = video_clamp(result, bits[0], v->d == PTX_S32);
    if (v->adds)
        result += third;
    if ((v->least && third < result) || (v->most && third > result))
        result = third;
    if (bits[0] == 32)
        return (uint32_t)result;
    uint32_t keep = (uint32_t)bits_below(bits[0]) << at[0] * bits[0];
    return ((uint32_t)c & ~keep) | ((uint32_t)result << at[0] * bits[0] & keep);
}

// Each of the parts that d's mask names; the selectors pick from {b, a}.
static uint32_t video_parts(const struct video *v, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t bits = 32 / v->parts, d = v->adds ? (uint32_t)c : 0;
    uint64_t pair = b << 32 | a;
    for (uint32_t i = 0; i < v->parts; i++) {
        bool named = !digits_of(v->into);
        for (uint32_t k = 0; k < digits_of(v->into); k++)
            named |= (v->into >> 4 * k & 15) == i;
        uint32_t from = digits_of(v->from_a) ? v->from_a >> 4 * i & 15 : i;
        uint32_t with = digits_of(v->from_b) ? v->from_b >> 4 * i & 15 : v->parts + i;
        int64_t result = video_apply(v, field(pair, from, bits, v->a), field(pair, with, bits, v->b));
        if (v->saturates)
            result = video_clamp(result, bits, v->d == PTX_S32);
        if (v->adds)
            d += named ? (uint32_t)result : 0;
        else
            d |= (uint32_t)((uint64_t)(named ? result : field(c, i, bits, PTX_U32)) & bits_below(bits)) << i * bits;
    }
    return d;
}

static const struct op *run_video(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct video *v = op->video;
    const uint32_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]), *c = slot_at(x, op->slot[3]);
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = (v->parts == 1 ? video_scalar : video_parts)(v, a[lane], b[lane], c[lane]);
    return op + 1;
}

static void decode_video_as(struct decoder *d, uint32_t parts)
{
    struct video *v = arena_alloc(d->program->arena, sizeof *v);
    const struct ptx_operand *a = decode_operand(d, 1), *b = decode_operand(d, 2), *c = decode_operand(d, 3);
    uint32_t first = d->handler->action == VIDEO_SET ? 0 : 1; // vset has no type of d
    *v = (struct video){
        .action = (enum video_action)d->handler->action,
        .d = first ? decode_type(d, 0) : PTX_U32,
        .a = decode_type(d, first),
        .b = decode_type(d, first + 1),
        .parts = parts,
        .into = decode_operand(d, 0)->selector,
        .from_a = a->selector,
        .from_b = b->selector,
        .relation = d->inst->choice,
        .shift = decode_has(d, PTX_MOD_SHR7)    ? 7
                 : decode_has(d, PTX_MOD_SHR15) ? 15
                                                : 0,
        .saturates = decode_has(d, PTX_MOD_SAT),
        .wraps = decode_has(d, PTX_MOD_WRAP),
        .plus_one = decode_has(d, PTX_MOD_PO),
        .adds = decode_has(d, PTX_MOD_ADD),
        .least = decode_has(d, PTX_MOD_MIN),
        .most = decode_has(d, PTX_MOD_MAX),
        .minus = (a->selector ^ b->selector) & PTX_SELECTOR_MINUS,
        .minus_c = c->selector & PTX_SELECTOR_MINUS,
    };
    bool merges = parts > 1 || v->adds || v->least || v->most || digits_of(v->into) || v->action == VIDEO_MAD;
    if (d->inst->type_count != 2 + first)
        decode_refuse(d, "it has %u types, not %u", d->inst->type_count, 2 + first);
    else if (merges != (d->inst->operand_count == 4))
        decode_refuse(d, merges ? "it needs a fourth operand" : "there is nothing to do with a fourth operand");
    else if (parts == 1 && (digits_of(v->into) > 1 || digits_of(v->from_a) > 1 || digits_of(v->from_b) > 1))
        decode_refuse(d, "it takes one part of an operand");
    decode_dest(d, 0, 0, PTX_B32);
    decode_source(d, 1, 1, PTX_B32);
    decode_source(d, 2, 2, PTX_B32);
    if (merges)
        decode_source(d, 3, 3, PTX_B32);
    else
        d->op->slot[3] = decode_constant(d->program, 0, false);
    d->op->video = v;
    d->op->run = run_video;
    // Where a scalar instruction has one of these words or takes part of an operand, an H100 gives other numbers than
    // PTX's text says; of whole operands, and of vadd2, vset4 and their like, it gives the same.
    bool has_parts = digits_of(v->into) || digits_of(v->from_a) || digits_of(v->from_b);
    if (parts == 1 && (v->saturates || v->least || v->most || v->shift || has_parts))
        decode_defer(d, "with .sat, .min, .max, .shr or part of an operand it gives other numbers on hardware than PTX "
                        "says: run it on a GPU (--device gpu)");
}

void decode_video(struct decoder *d)
{
    decode_video_as(d, 1);
}

void decode_video2(struct decoder *d)
{
    decode_video_as(d, 2);
}

void decode_video4(struct decoder *d)
{
    decode_video_as(d, 4);
}
