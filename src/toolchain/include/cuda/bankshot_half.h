// What __half and __nv_bfloat16 have alike: arithmetic, comparisons, conversions, mathematics, shuffles. No header of
// its own: cuda_fp16.h and cuda_bf16.h define what the words below mean and include it, once each.
//   BANKSHOT_WORD   half, bfloat16: as in the functions' names    BANKSHOT_H, BANKSHOT_H2   the types
//   BANKSHOT_ADD(n) and its like: the text of the instruction for one number or, n = 2, for a pair
//   BANKSHOT_RN(float) and its like: rounded    BANKSHOT_TANH(float)   as the Toolkit takes it for the type
#pragma clang system_header

#define BANKSHOT_JOIN_OF(a, b, c) a##b##c
#define BANKSHOT_JOIN(a, b, c) BANKSHOT_JOIN_OF(a, b, c)
#define BANKSHOT_TO(from, how) BANKSHOT_JOIN(from##2, BANKSHOT_WORD, how)
#define BANKSHOT_FROM(to) BANKSHOT_JOIN(__, BANKSHOT_WORD, to)

// ---- bits, pairs

BANKSHOT_BOTH unsigned short BANKSHOT_FROM(_as_ushort)(BANKSHOT_H h) { return h.__x; }
BANKSHOT_BOTH short BANKSHOT_FROM(_as_short)(BANKSHOT_H h) { return (short)h.__x; }
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_JOIN(__ushort_as_, BANKSHOT_WORD, )(unsigned short x)
{
    return __builtin_bit_cast(BANKSHOT_H, x);
}
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_JOIN(__short_as_, BANKSHOT_WORD, )(short x)
{
    return __builtin_bit_cast(BANKSHOT_H, x);
}
#define BANKSHOT_BITS(x) __builtin_bit_cast(BANKSHOT_H, (unsigned short)(x))
#define BANKSHOT_PAIR(x, y) BANKSHOT_H2(x, y)
BANKSHOT_BOTH unsigned int bankshot_bits(BANKSHOT_H2 h) { return __builtin_bit_cast(unsigned int, h); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_JOIN(make_, BANKSHOT_WORD, 2)(BANKSHOT_H x, BANKSHOT_H y)
{
    return BANKSHOT_PAIR(x, y);
}
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__halves, 2)(BANKSHOT_H x, BANKSHOT_H y) { return BANKSHOT_PAIR(x, y); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_JOIN(BANKSHOT_FROM(2), BANKSHOT_WORD, 2)(BANKSHOT_H x)
{
    return BANKSHOT_PAIR(x, x);
}
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__low, )(BANKSHOT_H2 h) { return h.x; }
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__high, )(BANKSHOT_H2 h) { return h.y; }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__low, 2)(BANKSHOT_H2 h) { return BANKSHOT_PAIR(h.x, h.x); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__high, 2)(BANKSHOT_H2 h) { return BANKSHOT_PAIR(h.y, h.y); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__lows, 2)(BANKSHOT_H2 a, BANKSHOT_H2 b) { return BANKSHOT_PAIR(a.x, b.x); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__highs, 2)(BANKSHOT_H2 a, BANKSHOT_H2 b) { return BANKSHOT_PAIR(a.y, b.y); }
BANKSHOT_BOTH BANKSHOT_H2 __lowhigh2highlow(BANKSHOT_H2 h) { return BANKSHOT_PAIR(h.y, h.x); }
BANKSHOT_BOTH float __low2float(BANKSHOT_H2 h) { return (float)h.x; }
BANKSHOT_BOTH float __high2float(BANKSHOT_H2 h) { return (float)h.y; }

// ---- conversions. An integer or a double is a float rounded to odd first, so that the second rounding is the only
// one.

#define BANKSHOT_ROUND(from, type, as_float)                                                                           \
    BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__##from, _rn)(type x) { return BANKSHOT_RN(as_float); }                    \
    BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__##from, _rz)(type x) { return BANKSHOT_RZ(as_float); }                    \
    BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__##from, _ru)(type x) { return BANKSHOT_RU(as_float); }                    \
    BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__##from, _rd)(type x) { return BANKSHOT_RD(as_float); }
BANKSHOT_ROUND(float, float, x)
BANKSHOT_ROUND(int, int, bankshot_odd(x))
BANKSHOT_ROUND(uint, unsigned int, bankshot_odd(x))
BANKSHOT_ROUND(ll, long long, bankshot_odd(x))
BANKSHOT_ROUND(ull, unsigned long long, bankshot_odd(x))
BANKSHOT_ROUND(short, short, (float)x)
BANKSHOT_ROUND(ushort, unsigned short, (float)x)
#undef BANKSHOT_ROUND
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__float, )(float x) { return BANKSHOT_RN(x); }
BANKSHOT_BOTH BANKSHOT_H BANKSHOT_TO(__double, )(double x) { return BANKSHOT_RN(bankshot_odd(x)); }
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__float, 2_rn)(float x)
{
    return BANKSHOT_PAIR(BANKSHOT_RN(x), BANKSHOT_RN(x));
}
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__floats, 2_rn)(float x, float y)
{
    return BANKSHOT_PAIR(BANKSHOT_RN(x), BANKSHOT_RN(y));
}
BANKSHOT_BOTH BANKSHOT_H2 BANKSHOT_TO(__float2, 2_rn)(float2 v)
{
    return BANKSHOT_PAIR(BANKSHOT_RN(v.x), BANKSHOT_RN(v.y));
}
BANKSHOT_BOTH float BANKSHOT_FROM(2float)(BANKSHOT_H h) { return (float)h; }
BANKSHOT_BOTH float2 BANKSHOT_FROM(22float2)(BANKSHOT_H2 h) { return make_float2((float)h.x, (float)h.y); }

#define BANKSHOT_NARROW(to, type, low, high, how)                                                                      \
    BANKSHOT_BOTH type BANKSHOT_FROM(2##to##_##how)(BANKSHOT_H h)                                                    \
    {                                                                                                                  \
        return (type)bankshot_clamp(__float2int_##how((float)h), low, high);                                           \
    }
#define BANKSHOT_INTEGER(how)                                                                                          \
    BANKSHOT_BOTH int BANKSHOT_FROM(2int_##how)(BANKSHOT_H h) { return __float2int_##how((float)h); }                \
    BANKSHOT_BOTH unsigned int BANKSHOT_FROM(2uint_##how)(BANKSHOT_H h) { return __float2uint_##how((float)h); }     \
    BANKSHOT_BOTH long long BANKSHOT_FROM(2ll_##how)(BANKSHOT_H h) { return __float2ll_##how((float)h); }            \
    BANKSHOT_BOTH unsigned long long BANKSHOT_FROM(2ull_##how)(BANKSHOT_H h) { return __float2ull_##how((float)h); } \
    BANKSHOT_NARROW(short, short, -32768, 32767, how)                                                                  \
    BANKSHOT_NARROW(ushort, unsigned short, 0, 65535, how)
BANKSHOT_INTEGER(rn)
BANKSHOT_INTEGER(rz)
BANKSHOT_INTEGER(ru)
BANKSHOT_INTEGER(rd)
BANKSHOT_NARROW(char, signed char, -128, 127, rz)
BANKSHOT_NARROW(uchar, unsigned char, 0, 255, rz)
#undef BANKSHOT_INTEGER
#undef BANKSHOT_NARROW

// ---- arithmetic: one instruction for one number, one for a pair

#define BANKSHOT_EACH1(name, one)                                                                                      \
    BANKSHOT_BOTH BANKSHOT_H2 name(BANKSHOT_H2 a) { return BANKSHOT_PAIR(one(a.x), one(a.y)); }
#define BANKSHOT_EACH2(name, one)                                                                                      \
    BANKSHOT_BOTH BANKSHOT_H2 name(BANKSHOT_H2 a, BANKSHOT_H2 b)                                                     \
    {                                                                                                                  \
        return BANKSHOT_PAIR(one(a.x, b.x), one(a.y, b.y));                                                            \
    }
#define BANKSHOT_ONE(name, text)                                                                                       \
    BANKSHOT_BOTH BANKSHOT_H name(BANKSHOT_H a, BANKSHOT_H b)                                                        \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        asm(text : "=h"(r) : "h"(a.__x), "h"(b.__x));                                                                  \
        return BANKSHOT_BITS(r);                                                                                       \
    }
#define BANKSHOT_TWO(name, text)                                                                                       \
    BANKSHOT_BOTH BANKSHOT_H2 name(BANKSHOT_H2 a, BANKSHOT_H2 b)                                                     \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(text : "=r"(r) : "r"(bankshot_bits(a)), "r"(bankshot_bits(b)));                                            \
        return __builtin_bit_cast(BANKSHOT_H2, r);                                                                     \
    }
#define BANKSHOT_OPERATION(name, text)                                                                                 \
    BANKSHOT_ONE(__h##name, text(1))                                                                                   \
    BANKSHOT_ONE(__h##name##_rn, text(1))                                                                              \
    BANKSHOT_TWO(__h##name##2, text(2))                                                                                \
    BANKSHOT_TWO(__h##name##2_rn, text(2))
BANKSHOT_OPERATION(add, BANKSHOT_ADD)
BANKSHOT_OPERATION(sub, BANKSHOT_SUB)
BANKSHOT_OPERATION(mul, BANKSHOT_MUL)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
BANKSHOT_ONE(__hmax, BANKSHOT_EXTREME("max", 1))
BANKSHOT_ONE(__hmin, BANKSHOT_EXTREME("min", 1))
BANKSHOT_ONE(__hmax_nan, BANKSHOT_EXTREME("max.NaN", 1))
BANKSHOT_ONE(__hmin_nan, BANKSHOT_EXTREME("min.NaN", 1))
BANKSHOT_TWO(__hmax2, BANKSHOT_EXTREME("max", 2))
BANKSHOT_TWO(__hmin2, BANKSHOT_EXTREME("min", 2))
BANKSHOT_TWO(__hmax2_nan, BANKSHOT_EXTREME("max.NaN", 2))
BANKSHOT_TWO(__hmin2_nan, BANKSHOT_EXTREME("min.NaN", 2))
#else
#define BANKSHOT_ELDER(m)                                                                                              \
    BANKSHOT_BOTH BANKSHOT_H __h##m(BANKSHOT_H a, BANKSHOT_H b) { return BANKSHOT_RN(f##m((float)a, (float)b)); }    \
    BANKSHOT_BOTH BANKSHOT_H __h##m##_nan(BANKSHOT_H a, BANKSHOT_H b)                                                \
    {                                                                                                                  \
        return BANKSHOT_RN((float)a != (float)a   ? (float)a                                                           \
                           : (float)b != (float)b ? (float)b                                                           \
                                                  : f##m((float)a, (float)b));                                         \
    }                                                                                                                  \
    BANKSHOT_EACH2(__h##m##2, __h##m)                                                                                  \
    BANKSHOT_EACH2(__h##m##2_nan, __h##m##_nan)
BANKSHOT_ELDER(max)
BANKSHOT_ELDER(min)
#undef BANKSHOT_ELDER
#endif
#define BANKSHOT_FUSED(name, relu)                                                                                     \
    BANKSHOT_BOTH BANKSHOT_H __hfma##name(BANKSHOT_H a, BANKSHOT_H b, BANKSHOT_H c)                                  \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        asm(BANKSHOT_FMA(relu, 1) : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                     \
        return BANKSHOT_BITS(r);                                                                                       \
    }                                                                                                                  \
    BANKSHOT_BOTH BANKSHOT_H2 __hfma2##name(BANKSHOT_H2 a, BANKSHOT_H2 b, BANKSHOT_H2 c)                             \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(BANKSHOT_FMA(relu, 2) : "=r"(r) : "r"(bankshot_bits(a)), "r"(bankshot_bits(b)), "r"(bankshot_bits(c)));    \
        return __builtin_bit_cast(BANKSHOT_H2, r);                                                                     \
    }
BANKSHOT_FUSED(, "")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
BANKSHOT_FUSED(_relu, ".relu")
#endif
#undef BANKSHOT_FUSED
#undef BANKSHOT_ONE
#undef BANKSHOT_TWO
#undef BANKSHOT_OPERATION
BANKSHOT_BOTH BANKSHOT_H __hdiv(BANKSHOT_H a, BANKSHOT_H b) { return BANKSHOT_RN((float)a / (float)b); }
// More than the sign's bit: a NaN becomes the canonical one.
#define BANKSHOT_SIGNED(name)                                                                                          \
    BANKSHOT_BOTH BANKSHOT_H __h##name(BANKSHOT_H a)                                                                 \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        asm(BANKSHOT_SIGN(#name, 1) : "=h"(r) : "h"(a.__x));                                                           \
        return BANKSHOT_BITS(r);                                                                                       \
    }                                                                                                                  \
    BANKSHOT_BOTH BANKSHOT_H2 __h##name##2(BANKSHOT_H2 a)                                                            \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(BANKSHOT_SIGN(#name, 2) : "=r"(r) : "r"(bankshot_bits(a)));                                                \
        return __builtin_bit_cast(BANKSHOT_H2, r);                                                                     \
    }
BANKSHOT_SIGNED(neg)
BANKSHOT_SIGNED(abs)
#undef BANKSHOT_SIGNED
BANKSHOT_BOTH BANKSHOT_H bankshot_saturated(BANKSHOT_H a) { return BANKSHOT_RN(__saturatef((float)a)); }
BANKSHOT_BOTH BANKSHOT_H __hadd_sat(BANKSHOT_H a, BANKSHOT_H b) { return bankshot_saturated(__hadd(a, b)); }
BANKSHOT_BOTH BANKSHOT_H __hsub_sat(BANKSHOT_H a, BANKSHOT_H b) { return bankshot_saturated(__hsub(a, b)); }
BANKSHOT_BOTH BANKSHOT_H __hmul_sat(BANKSHOT_H a, BANKSHOT_H b) { return bankshot_saturated(__hmul(a, b)); }
BANKSHOT_BOTH BANKSHOT_H __hfma_sat(BANKSHOT_H a, BANKSHOT_H b, BANKSHOT_H c)
{
    return bankshot_saturated(__hfma(a, b, c));
}
BANKSHOT_BOTH bool __hisnan(BANKSHOT_H a) { return (float)a != (float)a; }
BANKSHOT_BOTH int __hisinf(BANKSHOT_H a) { return isinf((float)a) ? signbit((float)a) ? -1 : 1 : 0; }

BANKSHOT_EACH1(__hisnan2, __hisnan)
BANKSHOT_EACH2(__h2div, __hdiv)
BANKSHOT_EACH2(__hadd2_sat, __hadd_sat)
BANKSHOT_EACH2(__hsub2_sat, __hsub_sat)
BANKSHOT_EACH2(__hmul2_sat, __hmul_sat)
BANKSHOT_BOTH BANKSHOT_H2 __hfma2_sat(BANKSHOT_H2 a, BANKSHOT_H2 b, BANKSHOT_H2 c)
{
    return BANKSHOT_PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
// complex: c + a b
BANKSHOT_BOTH BANKSHOT_H2 __hcmadd(BANKSHOT_H2 a, BANKSHOT_H2 b, BANKSHOT_H2 c)
{
    BANKSHOT_H real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return BANKSHOT_PAIR(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

// ---- comparisons: of one, of a pair as 1.0 or 0.0, as a mask, of both; unordered where the name ends in u

#define BANKSHOT_COMPARE(name, test)                                                                                   \
    BANKSHOT_BOTH bool __h##name(BANKSHOT_H a, BANKSHOT_H b)                                                         \
    {                                                                                                                  \
        float x = (float)a, y = (float)b;                                                                              \
        return test;                                                                                                   \
    }                                                                                                                  \
    BANKSHOT_EACH2(__h##name##2, (float)__h##name)                                                                     \
    BANKSHOT_BOTH unsigned int __h##name##2_mask(BANKSHOT_H2 a, BANKSHOT_H2 b)                                       \
    {                                                                                                                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                          \
    }                                                                                                                  \
    BANKSHOT_BOTH bool __hb##name##2(BANKSHOT_H2 a, BANKSHOT_H2 b)                                                   \
    {                                                                                                                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                             \
    }
BANKSHOT_COMPARE(eq, x == y)
BANKSHOT_COMPARE(ne, x<y || x> y)
BANKSHOT_COMPARE(lt, x < y)
BANKSHOT_COMPARE(gt, x > y)
BANKSHOT_COMPARE(le, x <= y)
BANKSHOT_COMPARE(ge, x >= y)
BANKSHOT_COMPARE(equ, !(x < y || x > y))
BANKSHOT_COMPARE(neu, x != y)
BANKSHOT_COMPARE(ltu, !(x >= y))
BANKSHOT_COMPARE(gtu, !(x <= y))
BANKSHOT_COMPARE(leu, !(x > y))
BANKSHOT_COMPARE(geu, !(x < y))
#undef BANKSHOT_COMPARE

// ---- operators

#define BANKSHOT_OPERATOR(type, symbol, function)                                                                      \
    BANKSHOT_BOTH type operator symbol(const type &a, const type &b) { return function(a, b); }                      \
    BANKSHOT_BOTH type &operator symbol##=(type &a, const type &b) { return a = function(a, b); }
#define BANKSHOT_OPERATORS(type, add, sub, mul, div, neg)                                                              \
    BANKSHOT_OPERATOR(type, +, add)                                                                                    \
    BANKSHOT_OPERATOR(type, -, sub)                                                                                    \
    BANKSHOT_OPERATOR(type, *, mul)                                                                                    \
    BANKSHOT_OPERATOR(type, /, div)                                                                                    \
    BANKSHOT_BOTH type operator+(const type &a) { return a; }                                                        \
    BANKSHOT_BOTH type operator-(const type &a) { return neg(a); }
BANKSHOT_OPERATORS(BANKSHOT_H, __hadd, __hsub, __hmul, __hdiv, __hneg)
BANKSHOT_OPERATORS(BANKSHOT_H2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#define BANKSHOT_STEP(symbol, operation)                                                                               \
    BANKSHOT_BOTH BANKSHOT_H &operator symbol(BANKSHOT_H &a) { return a = operation(a, BANKSHOT_RN(1.0f)); }         \
    BANKSHOT_BOTH BANKSHOT_H operator symbol(BANKSHOT_H &a, int)                                                     \
    {                                                                                                                  \
        BANKSHOT_H before = a;                                                                                         \
        a = operation(a, BANKSHOT_RN(1.0f));                                                                           \
        return before;                                                                                                 \
    }
BANKSHOT_STEP(++, __hadd)
BANKSHOT_STEP(--, __hsub)
#define BANKSHOT_RELATION(symbol, name)                                                                                \
    BANKSHOT_BOTH bool operator symbol(const BANKSHOT_H &a, const BANKSHOT_H &b) { return __h##name(a, b); }         \
    BANKSHOT_BOTH bool operator symbol(const BANKSHOT_H2 &a, const BANKSHOT_H2 &b) { return __hb##name##2(a, b); }
BANKSHOT_RELATION(==, eq)
BANKSHOT_RELATION(!=, neu)
BANKSHOT_RELATION(<, lt)
BANKSHOT_RELATION(>, gt)
BANKSHOT_RELATION(<=, le)
BANKSHOT_RELATION(>=, ge)
#undef BANKSHOT_OPERATOR
#undef BANKSHOT_OPERATORS
#undef BANKSHOT_STEP
#undef BANKSHOT_RELATION

// ---- mathematics: in float, rounded once

#define BANKSHOT_MATH(name, f)                                                                                         \
    BANKSHOT_BOTH BANKSHOT_H h##name(BANKSHOT_H a) { return BANKSHOT_RN(f((float)a)); }                              \
    BANKSHOT_EACH1(h2##name, h##name)
BANKSHOT_MATH(sqrt, sqrtf)
BANKSHOT_MATH(rsqrt, rsqrtf)
BANKSHOT_MATH(rcp, 1.0f /)
BANKSHOT_MATH(exp, expf)
BANKSHOT_MATH(exp2, exp2f)
BANKSHOT_MATH(exp10, exp10f)
BANKSHOT_MATH(log, logf)
BANKSHOT_MATH(log2, log2f)
BANKSHOT_MATH(log10, log10f)
BANKSHOT_MATH(sin, sinf)
BANKSHOT_MATH(cos, cosf)
BANKSHOT_MATH(tanh, BANKSHOT_TANH)
BANKSHOT_MATH(tanh_approx, BANKSHOT_TANH)
BANKSHOT_MATH(floor, floorf)
BANKSHOT_MATH(ceil, ceilf)
BANKSHOT_MATH(trunc, truncf)
BANKSHOT_MATH(rint, rintf)
#undef BANKSHOT_MATH
#undef BANKSHOT_EACH1
#undef BANKSHOT_EACH2

// ---- between lanes

#define BANKSHOT_SHUFFLE_HALF(name)                                                                                    \
    BANKSHOT_BOTH BANKSHOT_H name(unsigned int mask, BANKSHOT_H value, unsigned int lane, int width = 32)            \
    {                                                                                                                  \
        return BANKSHOT_BITS(name(mask, (unsigned int)value.__x, lane, width));                                        \
    }                                                                                                                  \
    BANKSHOT_BOTH BANKSHOT_H2 name(unsigned int mask, BANKSHOT_H2 value, unsigned int lane, int width = 32)          \
    {                                                                                                                  \
        return __builtin_bit_cast(BANKSHOT_H2, name(mask, bankshot_bits(value), lane, width));                         \
    }
BANKSHOT_SHUFFLE_HALF(__shfl_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_up_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_down_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_xor_sync)
#undef BANKSHOT_SHUFFLE_HALF

#undef BANKSHOT_JOIN_OF
#undef BANKSHOT_JOIN
#undef BANKSHOT_TO
#undef BANKSHOT_FROM
#undef BANKSHOT_BITS
#undef BANKSHOT_PAIR
#undef BANKSHOT_WORD
#undef BANKSHOT_H
#undef BANKSHOT_H2
#undef BANKSHOT_ADD
#undef BANKSHOT_SUB
#undef BANKSHOT_MUL
#undef BANKSHOT_FMA
#undef BANKSHOT_EXTREME
#undef BANKSHOT_SIGN
#undef BANKSHOT_RN
#undef BANKSHOT_TANH
#undef BANKSHOT_RZ
#undef BANKSHOT_RU
#undef BANKSHOT_RD
