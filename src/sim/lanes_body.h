// The handlers that are worth vectorising, as loops over 32 lanes. Included by lanes_plain.c and lanes_avx2.c, which
// are compiled for different instruction sets; results are the same to the bit. Include with LANES_TABLE defined.
//
// Lanes outside the mask keep their value, unless nobody needs it (covers_all): then the loop stores all 32.
#include "base/half.h"
#include "sim/machine.h"

#include <math.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef float __attribute__((may_alias)) f32_lane;
typedef double __attribute__((may_alias)) f64_lane;

#define RUN(name) static const struct op *name(struct exec *x, const struct op *op, uint32_t mask)
#ifdef __clang__
#define LOOP _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < SIM_LANES; i++)
#else
#define LOOP _Pragma("GCC ivdep") for (int i = 0; i < SIM_LANES; i++)
#endif
#define BIT(i) (1u << (i))

// Stores `value`, an expression in i, to the lanes of mask.
#define STORE(d, value)                                                                                                \
    do {                                                                                                               \
        if (covers_all(x, mask))                                                                                       \
            LOOP(d)[i] = (value);                                                                                      \
        else                                                                                                           \
            LOOP(d)[i] = mask & BIT(i) ? (value) : (d)[i];                                                             \
        return op + 1;                                                                                                 \
    } while (0)

// a, b, c are the sources' elements in the expression that follows.
#define LANE1(name, TD, TA, ...)                                                                                       \
    static inline TD value_##name(TA a)                                                                                \
    {                                                                                                                  \
        return (TD)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        TD *d = slot_at(x, op->slot[0]);                                                                               \
        const TA *a = slot_at(x, op->slot[1]);                                                                         \
        STORE(d, value_##name(a[i]));                                                                                  \
    }
#define LANE2(name, TD, TA, TB, ...)                                                                                   \
    static inline TD value_##name(TA a, TB b)                                                                          \
    {                                                                                                                  \
        return (TD)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        TD *d = slot_at(x, op->slot[0]);                                                                               \
        const TA *a = slot_at(x, op->slot[1]);                                                                         \
        const TB *b = slot_at(x, op->slot[2]);                                                                         \
        STORE(d, value_##name(a[i], b[i]));                                                                            \
    }
#define LANE3(name, TD, TA, TB, TC, ...)                                                                               \
    static inline TD value_##name(TA a, TB b, TC c)                                                                    \
    {                                                                                                                  \
        return (TD)(__VA_ARGS__);                                                                                      \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        TD *d = slot_at(x, op->slot[0]);                                                                               \
        const TA *a = slot_at(x, op->slot[1]);                                                                         \
        const TB *b = slot_at(x, op->slot[2]);                                                                         \
        const TC *c = slot_at(x, op->slot[3]);                                                                         \
        STORE(d, value_##name(a[i], b[i], c[i]));                                                                      \
    }

// ---- integers

LANE1(mov_32, uint32_t, uint32_t, a)
LANE1(mov_64, uint64_t, uint64_t, a)
LANE2(add_32, uint32_t, uint32_t, uint32_t, a + b)
LANE2(sub_32, uint32_t, uint32_t, uint32_t, a - b)
LANE2(mul_lo_32, uint32_t, uint32_t, uint32_t, (a * b))
LANE3(mad_lo_32, uint32_t, uint32_t, uint32_t, uint32_t, (a * b) + c)
LANE2(add_64, uint64_t, uint64_t, uint64_t, a + b)
LANE2(sub_64, uint64_t, uint64_t, uint64_t, a - b)
LANE2(mul_lo_64, uint64_t, uint64_t, uint64_t, (a * b))
LANE3(mad_lo_64, uint64_t, uint64_t, uint64_t, uint64_t, (a * b) + c)
LANE2(add_16, uint32_t, uint32_t, uint32_t, (a + b) & 0xffff)
LANE2(sub_16, uint32_t, uint32_t, uint32_t, (a - b) & 0xffff)
LANE2(mul_lo_16, uint32_t, uint32_t, uint32_t, (a * b) & 0xffff)
LANE3(mad_lo_16, uint32_t, uint32_t, uint32_t, uint32_t, (a * b + c) & 0xffff)
LANE2(mul_wide_s32, uint64_t, int32_t, int32_t, (int64_t)a *b)
LANE2(mul_wide_u32, uint64_t, uint32_t, uint32_t, (uint64_t)a *b)
LANE2(mul_wide_s16, uint32_t, uint32_t, uint32_t, (int16_t)a *(int16_t)b)
LANE2(mul_wide_u16, uint32_t, uint32_t, uint32_t, (a * b))
LANE3(mad_wide_s32, uint64_t, int32_t, int32_t, uint64_t, (uint64_t)((int64_t)a *b) + c)
LANE3(mad_wide_u32, uint64_t, uint32_t, uint32_t, uint64_t, (uint64_t)a *b + c)
LANE2(mul_hi_s32, uint32_t, int32_t, int32_t, ((int64_t)a * b) >> 32)
LANE2(mul_hi_u32, uint32_t, uint32_t, uint32_t, ((uint64_t)a * b) >> 32)
LANE2(min_s32, int32_t, int32_t, int32_t, a < b ? a : b)
LANE2(min_u32, uint32_t, uint32_t, uint32_t, a < b ? a : b)
LANE2(max_s32, int32_t, int32_t, int32_t, a > b ? a : b)
LANE2(max_u32, uint32_t, uint32_t, uint32_t, a > b ? a : b)
LANE2(min_s64, int64_t, int64_t, int64_t, a < b ? a : b)
LANE2(min_u64, uint64_t, uint64_t, uint64_t, a < b ? a : b)
LANE2(max_s64, int64_t, int64_t, int64_t, a > b ? a : b)
LANE2(max_u64, uint64_t, uint64_t, uint64_t, a > b ? a : b)
LANE1(neg_32, uint32_t, uint32_t, 0u - a)
LANE1(neg_64, uint64_t, uint64_t, 0u - a)
LANE1(abs_32, uint32_t, uint32_t, (int32_t)a < 0 ? 0u - a : a)
LANE1(abs_64, uint64_t, uint64_t, (int64_t)a < 0 ? 0u - a : a)
LANE2(and_32, uint32_t, uint32_t, uint32_t, a &b)
LANE2(or_32, uint32_t, uint32_t, uint32_t, a | b)
LANE2(xor_32, uint32_t, uint32_t, uint32_t, a ^ b)
LANE1(not_32, uint32_t, uint32_t, ~a)
LANE2(and_64, uint64_t, uint64_t, uint64_t, a &b)
LANE2(or_64, uint64_t, uint64_t, uint64_t, a | b)
LANE2(xor_64, uint64_t, uint64_t, uint64_t, a ^ b)
LANE1(not_64, uint64_t, uint64_t, ~a)
// Shifts clamp at the width (PTX ISA, shl and shr).
LANE2(shl_32, uint32_t, uint32_t, uint32_t, b > 31 ? 0 : a << (b & 31))
LANE2(shr_u32, uint32_t, uint32_t, uint32_t, b > 31 ? 0 : a >> (b & 31))
LANE2(shr_s32, int32_t, int32_t, uint32_t, a >> (b > 31 ? 31 : b))
LANE2(shl_64, uint64_t, uint64_t, uint32_t, b > 63 ? 0 : a << (b & 63))
LANE2(shr_u64, uint64_t, uint64_t, uint32_t, b > 63 ? 0 : a >> (b & 63))
LANE2(shr_s64, int64_t, int64_t, uint32_t, a >> (b > 63 ? 63 : b))
LANE1(zext_32_64, uint64_t, uint32_t, a)
LANE1(sext_32_64, uint64_t, int32_t, (int64_t)a)
LANE1(trunc_64_32, uint32_t, uint64_t, a)
LANE1(zext_8, uint32_t, uint32_t, a & 0xff)
LANE1(zext_16, uint32_t, uint32_t, a & 0xffff)
LANE1(sext_8, uint32_t, uint32_t, (int32_t)(int8_t)a)
LANE1(sext_16, uint32_t, uint32_t, (int32_t)(int16_t)a)
LANE1(zext_64, uint64_t, uint64_t, a)

RUN(lop3_32)
{
    uint32_t *d = slot_at(x, op->slot[0]);
    const uint32_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]), *c = slot_at(x, op->slot[3]);
    uint32_t on[8];
    for (uint32_t k = 0; k < 8; k++)
        on[k] = 0u - (uint32_t)(op->imm >> k & 1);
        // Table entry k is the result for a = bit 2, b = bit 1, c = bit 0 of k.
#define LOP3(a, b, c)                                                                                                  \
    ((~(a) & ((~(b) & ((~(c)&on[0]) | ((c)&on[1]))) | ((b) & ((~(c)&on[2]) | ((c)&on[3]))))) |                         \
     ((a) & ((~(b) & ((~(c)&on[4]) | ((c)&on[5]))) | ((b) & ((~(c)&on[6]) | ((c)&on[7]))))))
    STORE(d, LOP3(a[i], b[i], c[i]));
#undef LOP3
}

RUN(selp_32)
{
    uint32_t *d = slot_at(x, op->slot[0]);
    const uint32_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]);
    uint32_t p = *(const uint32_t *)slot_at(x, op->slot[3]) ^ op->extra;
    STORE(d, p & BIT(i) ? a[i] : b[i]);
}

RUN(selp_64)
{
    uint64_t *d = slot_at(x, op->slot[0]);
    const uint64_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]);
    uint32_t p = *(const uint32_t *)slot_at(x, op->slot[3]) ^ op->extra;
    STORE(d, p & BIT(i) ? a[i] : b[i]);
}

#define PREDICATE(name, value)                                                                                         \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        uint32_t a = *(const uint32_t *)slot_at(x, op->slot[1]);                                                       \
        uint32_t b = *(const uint32_t *)slot_at(x, op->slot[2]) ^ op->extra;                                           \
        (void)b;                                                                                                       \
        pred_put(slot_at(x, op->slot[0]), mask, value);                                                                \
        return op + 1;                                                                                                 \
    }
PREDICATE(and_pred, a &b)
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)
PREDICATE(not_pred, ~a)
PREDICATE(mov_pred, a)

// ---- floats: a NaN result is the canonical one, 0x7fffffff; .ftz flushes subnormal inputs and results

static inline float canonical(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits = v != v ? 0x7fffffffu : bits;
    memcpy(&v, &bits, sizeof bits);
    return v;
}

static inline float saturate(float v)
{
    return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; // NaN and -0 become +0
}

#define FLOAT2(name, value)                                                                                            \
    static inline float raw_##name(float a, float b)                                                                   \
    {                                                                                                                  \
        return value;                                                                                                  \
    }                                                                                                                  \
    LANE2(name, f32_lane, f32_lane, f32_lane, canonical(raw_##name(a, b)))                                             \
    LANE2(name##_ftz, f32_lane, f32_lane, f32_lane, flush_f32(canonical(raw_##name(flush_f32(a), flush_f32(b)))))      \
    LANE2(name##_sat, f32_lane, f32_lane, f32_lane, saturate(raw_##name(a, b)))                                        \
    LANE2(name##_ftz_sat, f32_lane, f32_lane, f32_lane, saturate(flush_f32(raw_##name(flush_f32(a), flush_f32(b)))))
FLOAT2(add_f32, a + b)
FLOAT2(sub_f32, a - b)
FLOAT2(mul_f32, (a * b))
LANE3(fma_f32, f32_lane, f32_lane, f32_lane, f32_lane, canonical(fmaf(a, b, c)))
LANE3(fma_f32_ftz, f32_lane, f32_lane, f32_lane, f32_lane,
      flush_f32(canonical(fmaf(flush_f32(a), flush_f32(b), flush_f32(c)))))
LANE3(fma_f32_sat, f32_lane, f32_lane, f32_lane, f32_lane, saturate(fmaf(a, b, c)))
LANE3(fma_f32_ftz_sat, f32_lane, f32_lane, f32_lane, f32_lane,
      saturate(flush_f32(fmaf(flush_f32(a), flush_f32(b), flush_f32(c)))))

// Many in a row, as products of tiles have them, without the way back to the loop between: steps and counts are as if
// each had come by itself. Where single steps are watched, it does one.
RUN(fma_f32_run)
{
    const uint64_t left = x->step_end - x->step;
    const uint32_t wanted = x->wants & SIM_WANT_STEP ? 0 : op->more, more = wanted < left ? wanted : (uint32_t)left;
    const bool is_full = covers_all(x, mask);
    for (uint32_t i = 1; i <= more; i++) {
        struct sim_count *counted = &x->counts[op_pc(x, op) + i];
        counted->warps++;
        counted->threads += (unsigned)__builtin_popcount(mask);
    }
    x->step += more;
    for (const struct op *last = op + more; op <= last; op++) {
        f32_lane *d = slot_at(x, op->slot[0]);
        const f32_lane *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]), *c = slot_at(x, op->slot[3]);
        if (is_full)
            LOOP d[i] = value_fma_f32(a[i], b[i], c[i]);
        else
            LOOP d[i] = mask & BIT(i) ? value_fma_f32(a[i], b[i], c[i]) : d[i];
    }
    return op;
}

LANE2(add_f64, f64_lane, f64_lane, f64_lane, f64_add(a, b))
LANE2(sub_f64, f64_lane, f64_lane, f64_lane, f64_sub(a, b))
LANE2(mul_f64, f64_lane, f64_lane, f64_lane, f64_mul(a, b))
LANE3(fma_f64, f64_lane, f64_lane, f64_lane, f64_lane, f64_fma(a, b, c))

// A NaN operand gives the other one; -0 is less than +0.
static inline float lesser(float a, float b, bool greater)
{
    uint32_t x, y, r;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    uint32_t equal = greater ? x & y : x | y;
    bool first = greater ? a > b : a < b;
    r = a == b ? equal : first ? x : y;
    r = b != b ? x : r;
    r = a != a ? y : r;
    r = a != a && b != b ? 0x7fffffffu : r;
    float v;
    memcpy(&v, &r, sizeof v);
    return v;
}
LANE2(min_f32, f32_lane, f32_lane, f32_lane, lesser(a, b, false))
LANE2(max_f32, f32_lane, f32_lane, f32_lane, lesser(a, b, true))
LANE2(min_f32_ftz, f32_lane, f32_lane, f32_lane, lesser(flush_f32(a), flush_f32(b), false))
LANE2(max_f32_ftz, f32_lane, f32_lane, f32_lane, lesser(flush_f32(a), flush_f32(b), true))
// neg and abs are additions on a GPU: a NaN becomes the canonical one; binary64's keeps its sign and becomes quiet.
static inline uint64_t f64_quiet_or(uint64_t a, uint64_t result)
{
    return (a & ~(1ull << 63)) > 0x7ffull << 52 ? a | 1ull << 51 : result;
}
LANE1(neg_f32, f32_lane, f32_lane, canonical(-a))
LANE1(abs_f32, f32_lane, f32_lane, canonical(fabsf(a)))
LANE1(neg_f32_ftz, f32_lane, f32_lane, canonical(-flush_f32(a)))
LANE1(abs_f32_ftz, f32_lane, f32_lane, canonical(fabsf(flush_f32(a))))
LANE1(neg_f64, uint64_t, uint64_t, f64_quiet_or(a, a ^ 1ull << 63))
LANE1(abs_f64, uint64_t, uint64_t, f64_quiet_or(a, a & ~(1ull << 63)))
LANE1(cvt_f32_s32, f32_lane, int32_t, (float)a)
LANE1(cvt_f32_u32, f32_lane, uint32_t, (float)a)
LANE1(cvt_f64_s32, f64_lane, int32_t, (double)a)
LANE1(cvt_f64_f32, f64_lane, f32_lane, (double)a)

static inline int32_t truncate_s32(float a)
{
    float inside = a >= -0x1p31f && a < 0x1p31f ? a : 0.0f;
    int32_t v = (int32_t)inside;
    v = a >= 0x1p31f ? INT32_MAX : v;
    return a < -0x1p31f ? INT32_MIN : v;
}
LANE1(cvt_s32_f32_rzi, int32_t, f32_lane, truncate_s32(a))

#define FLUSHABLE2(name, value)                                                                                        \
    static inline float raw_##name(float a, float b)                                                                   \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return value;                                                                                                  \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        f32_lane *d = slot_at(x, op->slot[0]);                                                                         \
        const f32_lane *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]);                                     \
        if (op->flags & OP_FTZ)                                                                                        \
            STORE(d, flush_f32(canonical(raw_##name(flush_f32(a[i]), flush_f32(b[i])))));                              \
        STORE(d, canonical(raw_##name(a[i], b[i])));                                                                   \
    }
FLUSHABLE2(div_f32, a / b)
// As a GPU does it: by a reciprocal, which is rounded. (Of its own 7/8 are the nearest float, the others are one off.)
static inline float quick_quotient(float a, float b)
{
    float r = 1.0f / b;
    return fabsf(r) >= 0x1p-126f && fabsf(r) <= 0x1p126f ? a * r : a / b;
}
FLUSHABLE2(div_full_f32, quick_quotient(a, b))
FLUSHABLE2(div_approx_f32, fabsf(b) > 0x1p126f ? a * copysignf(0.0f, b) : quick_quotient(a, b)) // PTX ISA, div
FLUSHABLE2(sqrt_f32, sqrtf(a))
FLUSHABLE2(rcp_f32, 1.0f / a)

// ---- comparisons: slots p, q, a, b, c; p = (a ? b) op c, q = !(a ? b) op c

enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

static inline const struct op *compared(struct exec *x, const struct op *op, uint32_t mask, uint32_t result)
{
    uint32_t p = result, q = ~result;
    if (op->action != COMBINE_NONE) {
        uint32_t c = *(const uint32_t *)slot_at(x, op->slot[4]) ^ op->extra;
        p = op->action == COMBINE_AND ? p & c : op->action == COMBINE_OR ? p | c : p ^ c;
        q = op->action == COMBINE_AND ? q & c : op->action == COMBINE_OR ? q | c : q ^ c;
    }
    pred_put(slot_at(x, op->slot[1]), mask, q);
    pred_put(slot_at(x, op->slot[0]), mask, p);
    return op + 1;
}

#define COMPARE(name, T, ...)                                                                                          \
    static inline bool value_##name(T a, T b)                                                                          \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        const T *a = slot_at(x, op->slot[2]), *b = slot_at(x, op->slot[3]);                                            \
        uint32_t result = 0;                                                                                           \
        for (int i = 0; i < SIM_LANES; i++)                                                                            \
            result |= value_##name(a[i], b[i]) ? BIT(i) : 0;                                                           \
        return compared(x, op, mask, result);                                                                          \
    }
#define COMPARE_FLUSH(name, T, ...)                                                                                    \
    static inline bool value_##name(float a, float b)                                                                  \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        const T *a = slot_at(x, op->slot[2]), *b = slot_at(x, op->slot[3]);                                            \
        uint32_t result = 0;                                                                                           \
        if (op->flags & OP_FTZ)                                                                                        \
            for (int i = 0; i < SIM_LANES; i++)                                                                        \
                result |= value_##name(flush_f32(a[i]), flush_f32(b[i])) ? BIT(i) : 0;                                 \
        else                                                                                                           \
            for (int i = 0; i < SIM_LANES; i++)                                                                        \
                result |= value_##name(a[i], b[i]) ? BIT(i) : 0;                                                       \
        return compared(x, op, mask, result);                                                                          \
    }
#define ORDERED(form, type, T)                                                                                         \
    form(eq_##type, T, a == b) form(lt_##type, T, a < b) form(le_##type, T, a <= b) form(gt_##type, T, a > b)          \
        form(ge_##type, T, a >= b)
#define UNORDERED(form, type, T)                                                                                       \
    form(ne_##type, T, a<b || a> b) form(equ_##type, T, !(a < b || a > b)) form(neu_##type, T, !(a == b))              \
        form(ltu_##type, T, !(a >= b)) form(leu_##type, T, !(a > b)) form(gtu_##type, T, !(a <= b))                    \
            form(geu_##type, T, !(a < b)) form(num_##type, T, a == a && b == b) form(nan_##type, T, a != a || b != b)
ORDERED(COMPARE, s32, int32_t)
COMPARE(ne_s32, int32_t, a != b)
ORDERED(COMPARE, u32, uint32_t)
COMPARE(ne_u32, uint32_t, a != b)
ORDERED(COMPARE, s64, int64_t)
COMPARE(ne_s64, int64_t, a != b)
ORDERED(COMPARE, u64, uint64_t)
COMPARE(ne_u64, uint64_t, a != b)
ORDERED(COMPARE_FLUSH, f32, f32_lane)
UNORDERED(COMPARE_FLUSH, f32, f32_lane)
ORDERED(COMPARE, f64, f64_lane)
UNORDERED(COMPARE, f64, f64_lane)

// ---- loads and stores whose lanes all lead to one place inside its bounds; the rest is sim_load_slow's
//
// Two forms of each: ld and st find the place of 64-bit addresses; lds and sts know that it is shared memory and
// work with 32-bit offsets.

// Most instructions repeat one shape (shape.h), which says where their lanes lie without looking at each.

struct reach {
    unsigned char *data;            // host bytes
    const struct lane_shape *shape; // NULL: unknown, offset has it all
    uint64_t first;                 // offset of the first active lane
    uint64_t offset[SIM_LANES];     // into data; 0 outside the mask
    uint64_t address[SIM_LANES];    // as observers see them
    struct place place;
};

struct reach_shared {
    unsigned char *data;
    const struct lane_shape *shape;
    uint32_t first;
    uint32_t offset[SIM_LANES];
};

static inline bool reach_place(struct exec *x, const struct op *op, uint64_t first, struct place *place)
{
    struct block *block = x->block;
    enum ptx_space space = (enum ptx_space)op->space;
    bool window = space == PTX_GENERIC && first >> REGION_SHIFT == REGION_SHARED;
    if (space == PTX_SHARED || window) {
        *place = (struct place){.space = PTX_SHARED,
                                .data = block->shared,
                                .valid = block->shared_valid,
                                .mark = block->shared_valid,
                                .start = window ? (uint64_t)REGION_SHARED << REGION_SHIFT : 0,
                                .size = block->view.shared_size};
        return true;
    }
    return place_global(x, first, place);
}

static inline void reach_addresses(const struct exec *x, const struct op *op, uint32_t slot, uint64_t *address)
{
    if (op->flags & OP_ADDRESS64) {
        const uint64_t *a = slot_at(x, slot);
        uint64_t offset = (uint64_t)op->offset;
        LOOP address[i] = a[i] + offset;
    } else {
        const uint32_t *a = slot_at(x, slot);
        uint32_t offset = (uint32_t)op->offset;
        LOOP address[i] = a[i] + offset;
    }
}

static inline unsigned reach_watched(unsigned wants, enum ptx_space space)
{
    return wants & sim_space_wanted(space);
}

// Whether bytes (1, 2, 4, 8 or 16, and aligned) were written at each of mask's offsets, before the launch or since; one
// bit a byte in valid and mark.
#define VALID_ALL(name, T)                                                                                             \
    static inline bool name(const unsigned char *valid, const unsigned char *mark, const T offset[SIM_LANES],          \
                            uint32_t lanes, uint32_t bytes)                                                            \
    {                                                                                                                  \
        uint32_t want = bytes >= 8 ? 0xff : (1u << bytes) - 1, good = want;                                            \
        mark = mark ? mark : valid;                                                                                    \
        FOR_LANES (i, lanes) {                                                                                         \
            size_t at = offset[i] / 8;                                                                                 \
            good &= (uint32_t)(valid[at] | mark[at]) >> (offset[i] % 8);                                               \
            if (bytes == 16)                                                                                           \
                good &= (uint32_t)(valid[at + 1] | mark[at + 1]);                                                      \
        }                                                                                                              \
        return good == want;                                                                                           \
    }
VALID_ALL(valid_all, uint64_t)
VALID_ALL(valid_all_shared, uint32_t)

// The same for a known shape, by words of COVER_BYTES. Accesses are aligned here, so there is a cover.
static inline bool valid_cover(const unsigned char *valid, const unsigned char *mark, const struct lane_shape *shape,
                               uint64_t first)
{
    const struct shape_cover *cover = shape_cover(shape, first);
    const uint64_t *before = (const uint64_t *)(const void *)valid + first / COVER_BYTES;
    const uint64_t *since = mark ? (const uint64_t *)(const void *)mark + first / COVER_BYTES : before;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < cover->count; i++)
        missing |= cover->words[i].bits & ~(before[cover->words[i].at] | since[cover->words[i].at]);
    return !missing;
}

static inline void mark_cover(unsigned char *mark, const struct lane_shape *shape, uint64_t first)
{
    const struct shape_cover *cover = shape_cover(shape, first);
    uint64_t *words = (uint64_t *)(void *)mark + first / COVER_BYTES;
    for (uint32_t i = 0; i < cover->count; i++) {
        uint64_t *word = &words[cover->words[i].at], bits = cover->words[i].bits;
        if (bits == UINT64_MAX) // need not wait for what is there
            *word = bits;
        else
            *word |= bits;
    }
}

static inline bool shape_holds(const struct lane_shape *shape, uint32_t mask, const uint64_t *a)
{
    uint64_t first = a[shape->first], differ = 0;
    for (int i = 0; i < SIM_LANES; i++)
        differ |=
            ((a[i] - first) ^ (uint64_t)(int64_t)shape->distances[i]) & (uint64_t)(int64_t)(int32_t)shape->active[i];
    return shape->mask == mask && !differ;
}

static inline bool shape_holds_shared(const struct lane_shape *shape, uint32_t mask, const uint32_t *a)
{
    uint32_t first = a[shape->first], differ = 0;
    for (int i = 0; i < SIM_LANES; i++)
        differ |= ((a[i] - first) ^ (uint32_t)shape->distances[i]) & shape->active[i];
    return shape->mask == mask && !differ;
}

// A negative or too large offset shows in the sign of the difference.
static inline bool shape_fits(const struct lane_shape *shape, uint64_t first, uint64_t last, uint32_t bytes)
{
    int64_t low = (int64_t)first + shape->low, room = (int64_t)last - (int64_t)first - shape->high;
    return (low | room) >= 0 && !((first | shape->odd) & (bytes - 1));
}

// What other host threads must not meet.
static inline void reach_note(struct exec *x, struct reach *reach, uint32_t mask, uint32_t bytes, bool stores)
{
    place_touch(x, &reach->place, stores ? TOUCH_WRITE : TOUCH_READ);
    unsigned char *read = stores ? NULL : reach->place.trail->read;
    if (read && reach->shape)
        mark_cover(read, reach->shape, reach->first);
    else if (read)
        FOR_LANES (i, mask)
            sim_bits_set(read, reach->offset[i], bytes);
}

// False: something is out of the ordinary, and nothing was done or reported yet.
static inline bool reach_all(struct exec *x, const struct op *op, uint32_t slot, uint32_t mask, uint32_t bytes,
                             bool stores, struct reach *reach)
{
    reach_addresses(x, op, slot, reach->address);
    if (!reach_place(x, op, reach->address[lane_first(mask)], &reach->place))
        return false;
    struct place *place = &reach->place;
    if (place->size < bytes || (stores && place->read_only))
        return false;
    uint64_t start = place->start, last = place->size - bytes, low = bytes - 1, bad = 0;
    bool checked = !stores && place->valid && x->wants & SIM_WANT_NOTICE;
    const struct lane_shape *shape = x->hints[op - x->ops].shape;
    if (!shape_holds(shape, mask, reach->address))
        shape = sim_shape_find(x, op, mask, bytes, reach->address, reach_watched(x->wants, place->space));
    reach->shape = shape;
    reach->first = reach->address[lane_first(mask)] - start;
    if (shape) {
        if (!shape_fits(shape, reach->first, last, bytes) ||
            (checked && !valid_cover(place->valid, place->mark, shape, reach->first)))
            return false;
    } else {
        LOOP reach->offset[i] = mask & BIT(i) ? reach->address[i] - start : 0;
        for (int i = 0; i < SIM_LANES; i++)
            bad |= (((last - reach->offset[i]) | reach->offset[i]) & 1ull << 63) | (reach->offset[i] & low);
        if (bad || (checked && !valid_all(place->valid, place->mark, reach->offset, mask, bytes)))
            return false;
    }
    if (place->trail)
        reach_note(x, reach, mask, bytes, stores);
    reach->data = place->data;
    return true;
}

static inline bool reach_all_shared(struct exec *x, const struct op *op, uint32_t slot, uint32_t mask, uint32_t bytes,
                                    bool stores, struct reach_shared *reach)
{
    struct block *block = x->block;
    if (block->view.shared_size < bytes)
        return false;
    const uint32_t *a = slot_at(x, slot);
    uint32_t offset = (uint32_t)op->offset, last = block->view.shared_size - bytes, low = bytes - 1, bad = 0;
    bool checked = !stores && block->shared_valid && x->wants & SIM_WANT_NOTICE;
    const struct lane_shape *shape = x->hints[op - x->ops].shape;
    if (!shape_holds_shared(shape, mask, a))
        shape = sim_shape_find_shared(x, op, mask, bytes, a, reach_watched(x->wants, PTX_SHARED));
    reach->data = block->shared;
    reach->shape = shape;
    reach->first = a[lane_first(mask)] + offset;
    if (shape)
        return shape_fits(shape, reach->first, last, bytes) &&
               (!checked || valid_cover(block->shared_valid, NULL, shape, reach->first));
    LOOP reach->offset[i] = mask & BIT(i) ? a[i] + offset : 0;
    for (int i = 0; i < SIM_LANES; i++)
        bad |= (((last - reach->offset[i]) | reach->offset[i]) & 1u << 31) | (reach->offset[i] & low);
    return !bad && (!checked || valid_all_shared(block->shared_valid, NULL, reach->offset, mask, bytes));
}

// Fills offset where only the shape is known so far.
static inline void reach_spread(struct reach *reach)
{
    const struct lane_shape *shape = reach->shape;
    uint64_t first = reach->first;
    if (shape)
        LOOP reach->offset[i] = first + (uint64_t)(int64_t)shape->distances[i];
}

static inline void reach_spread_shared(struct reach_shared *reach)
{
    const struct lane_shape *shape = reach->shape;
    uint32_t first = reach->first;
    if (shape)
        LOOP reach->offset[i] = first + (uint32_t)shape->distances[i];
}

static inline void reach_tell(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                              const struct reach *reach, const void *values, uint32_t stride)
{
    enum ptx_space space = reach->place.space;
    const uint64_t *offset = reach->shape ? NULL : reach->offset;
    struct sim_access access = {.kind = values ? SIM_STORE : SIM_LOAD,
                                .space = space,
                                .mask = mask,
                                .bytes = bytes,
                                .addresses = space == PTX_SHARED ? offset : reach->address,
                                .shape = reach->shape,
                                .first = reach->first,
                                .values = values,
                                .value_stride = stride};
    if (reach->shape && x->runs)
        sim_watch_each(x, op, &access);
    else
        sim_watch_access(x, op, &access);
}

static inline void reach_tell_shared(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                                     const struct reach_shared *reach, const void *values, uint32_t stride)
{
    uint64_t addresses[SIM_LANES];
    if (!reach->shape)
        LOOP addresses[i] = reach->offset[i];
    struct sim_access access = {.kind = values ? SIM_STORE : SIM_LOAD,
                                .space = PTX_SHARED,
                                .mask = mask,
                                .bytes = bytes,
                                .addresses = reach->shape ? NULL : addresses,
                                .shape = reach->shape,
                                .first = reach->first,
                                .values = values,
                                .value_stride = stride};
    if (reach->shape && x->runs)
        sim_watch_each(x, op, &access);
    else
        sim_watch_access(x, op, &access);
}

static inline void fetch_windows(uint32_t *to, const unsigned char *from, const struct lane_shape *shape)
{
    for (size_t part = 0; part < SHAPE_PARTS; part++, to += SHAPE_PART) {
        const unsigned char *window = from + shape->window[part];
        const uint32_t *picks = shape->picks + part * SHAPE_PART;
#ifdef __AVX2__
        __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)window);
        __m256i chosen = _mm256_loadu_si256((const __m256i *)(const void *)picks);
        _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(words, chosen));
#else
        for (int i = 0; i < SHAPE_PART; i++)
            memcpy(to + i, window + 4 * picks[i], 4);
#endif
    }
}

// Those who take runs are told when the shape changes; the others now. True: `reach_tell` is still to be called.
static inline bool reach_count(struct exec *x, const struct op *op, enum ptx_space space,
                               const struct lane_shape *shape, uint64_t first)
{
    struct shape_hint *hint = &x->hints[op - x->ops];
    if (!shape || !reach_watched(x->runs, space))
        return true;
    if (hint->space != space)
        sim_watch_runs(x, (uint32_t)(op - x->ops));
    hint->space = (uint8_t)space;
    if (!hint->times)
        hint->times = mem_alloc(SIM_RUN_BYTES * sizeof *hint->times);
    hint->times[first % SIM_RUN_BYTES]++;
    hint->counted = true;
    return reach_watched(x->each, space);
}

#define FETCH(T, at)                                                                                                   \
    ({                                                                                                                 \
        T v_;                                                                                                          \
        memcpy(&v_, reach.data + reach.offset[i] + (at), sizeof v_);                                                   \
        v_;                                                                                                            \
    })

// Of four lanes at once: what lies side by side in memory goes to four registers.
#ifdef __SSE2__
#define TURNS_QUADS true
#define QUAD(lane) _mm_loadu_ps((const float *)(const void *)(reach.data + reach.offset[lane]))
#define TURN_QUADS()                                                                                                   \
    do {                                                                                                               \
        float *to[4];                                                                                                  \
        for (int e = 0; e < 4; e++)                                                                                    \
            to[e] = slot_at(x, op->list[e]);                                                                           \
        for (int i = 0; i < SIM_LANES; i += 4) {                                                                       \
            __m128 quads[4] = {QUAD(i), QUAD(i + 1), QUAD(i + 2), QUAD(i + 3)};                                        \
            _MM_TRANSPOSE4_PS(quads[0], quads[1], quads[2], quads[3]);                                                 \
            for (int e = 0; e < 4; e++)                                                                                \
                _mm_storeu_ps(to[e] + i, quads[e]);                                                                    \
        }                                                                                                              \
    } while (0)
#else
#define TURNS_QUADS false
#define TURN_QUADS() (void)0
#endif

#define LOAD(name, reaches, T, TD, COUNT)                                                                              \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        struct reaches reach;                                                                                          \
        if (!FORM_##reaches(all)(x, op, op->slot[1], mask, sizeof(T) * COUNT, false, &reach))                          \
            return sim_load_slow(x, op, mask);                                                                         \
        if (reach_watched(x->wants, WHERE_##reaches) && reach_count(x, op, WHERE_##reaches, reach.shape, reach.first)) \
            FORM_##reaches(tell)(x, op, mask, sizeof(T) * COUNT, &reach, NULL, 0);                                     \
        if (sizeof(T) * COUNT == 4 && reach.shape && reach.shape->windows) {                                           \
            fetch_windows(slot_at(x, op->slot[0]), reach.data + reach.first, reach.shape);                             \
            return op + 1;                                                                                             \
        }                                                                                                              \
        FORM_##reaches(spread)(&reach);                                                                                \
        if (TURNS_QUADS && COUNT == 4 && covers_all(x, mask)) {                                                        \
            TURN_QUADS();                                                                                              \
            return op + 1;                                                                                             \
        }                                                                                                              \
        for (uint32_t e = 0; e < COUNT; e++) {                                                                         \
            TD *d = slot_at(x, COUNT > 1 ? op->list[e] : op->slot[0]);                                                 \
            if (covers_all(x, mask))                                                                                   \
                for (int i = 0; i < SIM_LANES; i++)                                                                    \
                    d[i] = FETCH(T, e * sizeof(T));                                                                    \
            else                                                                                                       \
                for (int i = 0; i < SIM_LANES; i++) {                                                                  \
                    TD v = FETCH(T, e * sizeof(T));                                                                    \
                    d[i] = mask & BIT(i) ? v : d[i];                                                                   \
                }                                                                                                      \
        }                                                                                                              \
        return op + 1;                                                                                                 \
    }

// extra: the bits of the destination register that the extended value may set
#define LOAD_SMALL(name, reaches, T, S)                                                                                \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        struct reaches reach;                                                                                          \
        if (!FORM_##reaches(all)(x, op, op->slot[1], mask, sizeof(T), false, &reach))                                  \
            return sim_load_slow(x, op, mask);                                                                         \
        if (reach_watched(x->wants, WHERE_##reaches) && reach_count(x, op, WHERE_##reaches, reach.shape, reach.first)) \
            FORM_##reaches(tell)(x, op, mask, sizeof(T), &reach, NULL, 0);                                             \
        FORM_##reaches(spread)(&reach);                                                                                \
        uint32_t *d = slot_at(x, op->slot[0]);                                                                         \
        uint32_t v[SIM_LANES], keep = op->extra;                                                                       \
        for (int i = 0; i < SIM_LANES; i++)                                                                            \
            v[i] = FETCH(T, 0);                                                                                        \
        if (op->flags & OP_SIGNED)                                                                                     \
            LOOP v[i] = (uint32_t)(S)(T)v[i];                                                                          \
        STORE(d, v[i] & keep);                                                                                         \
    }

#define SAVE(name, reaches, T, TS, COUNT)                                                                              \
    RUN(name)                                                                                                          \
    {                                                                                                                  \
        struct reaches reach;                                                                                          \
        T copied[SIM_LANES][COUNT];                                                                                    \
        const T(*values)[COUNT] = copied;                                                                              \
        if (!FORM_##reaches(all)(x, op, op->slot[0], mask, sizeof(T) * COUNT, true, &reach))                           \
            return sim_store_slow(x, op, mask);                                                                        \
        if (COUNT == 1 && sizeof(T) == sizeof(TS))                                                                     \
            values = slot_at(x, op->slot[1]);                                                                          \
        for (uint32_t e = 0; e < COUNT && values == copied; e++) {                                                     \
            const TS *s = slot_at(x, COUNT > 1 ? op->list[e] : op->slot[1]);                                           \
            LOOP copied[i][e] = (T)s[i];                                                                               \
        }                                                                                                              \
        if (reach_watched(x->wants, WHERE_##reaches) && reach_count(x, op, WHERE_##reaches, reach.shape, reach.first)) \
            FORM_##reaches(tell)(x, op, mask, sizeof(T) * COUNT, &reach, values, sizeof values[0]);                    \
        if (reach.shape && reach.shape->straight) {                                                                    \
            memcpy(reach.data + reach.first, values, SIM_LANES * sizeof values[0]);                                    \
        } else {                                                                                                       \
            FORM_##reaches(spread)(&reach);                                                                            \
            const struct lane_order order = lane_order_of(x);                                                          \
            if (order.drawn)                                                                                           \
                for (uint32_t i = 0, lane = order.first; i < SIM_LANES; i++, lane = lane_after(order, lane)) {         \
                    if (mask & BIT(lane))                                                                              \
                        memcpy(reach.data + reach.offset[lane], values[lane], sizeof values[0]);                       \
                }                                                                                                      \
            else if (mask == UINT32_MAX)                                                                               \
                for (int i = 0; i < SIM_LANES; i++)                                                                    \
                    memcpy(reach.data + reach.offset[i], values[i], sizeof values[0]);                                 \
            else                                                                                                       \
                FOR_LANES (i, mask)                                                                                    \
                    memcpy(reach.data + reach.offset[i], values[i], sizeof values[0]);                                 \
        }                                                                                                              \
        unsigned char *marked = FORM_##reaches(mark)(x, &reach);                                                       \
        if (marked && reach.shape)                                                                                     \
            mark_cover(marked, reach.shape, reach.first);                                                              \
        else if (marked)                                                                                               \
            FOR_LANES (i, mask)                                                                                        \
                sim_bits_set(marked, reach.offset[i], sizeof(T) * COUNT);                                              \
        return op + 1;                                                                                                 \
    }

static inline unsigned char *reach_mark(const struct exec *x, const struct reach *reach)
{
    (void)x;
    return reach->place.mark;
}

static inline unsigned char *reach_mark_shared(const struct exec *x, const struct reach_shared *reach)
{
    (void)reach;
    return x->block->shared_valid;
}

#define FORM_reach(verb) reach_##verb
#define FORM_reach_shared(verb) reach_##verb##_shared
#define WHERE_reach reach.place.space
#define WHERE_reach_shared PTX_SHARED

#define FAMILY(ld, st, reaches)                                                                                        \
    LOAD(ld##_32, reaches, uint32_t, uint32_t, 1)                                                                      \
    LOAD(ld##_64, reaches, uint64_t, uint64_t, 1)                                                                      \
    LOAD(ld##_32x2, reaches, uint32_t, uint32_t, 2)                                                                    \
    LOAD(ld##_32x4, reaches, uint32_t, uint32_t, 4)                                                                    \
    LOAD(ld##_64x2, reaches, uint64_t, uint64_t, 2)                                                                    \
    LOAD_SMALL(ld##_8, reaches, uint8_t, int8_t)                                                                       \
    LOAD_SMALL(ld##_16, reaches, uint16_t, int16_t)                                                                    \
    SAVE(st##_32, reaches, uint32_t, uint32_t, 1)                                                                      \
    SAVE(st##_64, reaches, uint64_t, uint64_t, 1)                                                                      \
    SAVE(st##_8, reaches, uint8_t, uint32_t, 1)                                                                        \
    SAVE(st##_16, reaches, uint16_t, uint32_t, 1)                                                                      \
    SAVE(st##_32x2, reaches, uint32_t, uint32_t, 2)                                                                    \
    SAVE(st##_32x4, reaches, uint32_t, uint32_t, 4)                                                                    \
    SAVE(st##_64x2, reaches, uint64_t, uint64_t, 2)
FAMILY(ld, st, reach)
FAMILY(lds, sts, reach_shared)

op_run *const LANES_TABLE[LANE_COUNT] = {
#define K(name) [LANE_##name] = name,
#include "sim/lanes.def"
#undef K
};
