// Half precision for clang: __half, __half2, their arithmetic (add.f16 and its like), conversions, shuffles.
#ifndef BANKSHOT_CUDA_FP16_H
#define BANKSHOT_CUDA_FP16_H
#pragma clang system_header

#define BANKSHOT_MEMBER __attribute__((host, device, always_inline, nodebug))

struct __half_raw {
    unsigned short x;
};

BANKSHOT_UNARY(bankshot_to_half, unsigned short, "h", float, "f", "cvt.rn.f16.f32")
BANKSHOT_UNARY(bankshot_from_half, float, "f", unsigned short, "h", "cvt.f32.f16")

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    BANKSHOT_MEMBER constexpr __half(__half_raw raw) : __x(raw.x) {}
    __attribute__((device, nodebug)) __half(float x) : __x(bankshot_to_half(x)) {}
    __attribute__((device, nodebug)) __half(double x) : __x(bankshot_to_half((float)x)) {}
    __attribute__((device, nodebug)) __half(int x) : __x(bankshot_to_half((float)x)) {}
    __attribute__((device, nodebug)) operator float() const { return bankshot_from_half(__x); }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    BANKSHOT_MEMBER constexpr __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

BANKSHOT_DEVICE __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
BANKSHOT_DEVICE unsigned short __half_as_ushort(__half h) { return h.__x; }
BANKSHOT_DEVICE __half __short_as_half(short x) { return __ushort_as_half((unsigned short)x); }
BANKSHOT_DEVICE short __half_as_short(__half h) { return (short)h.__x; }
BANKSHOT_DEVICE unsigned int bankshot_bits(__half2 h) { return __builtin_bit_cast(unsigned int, h); }
BANKSHOT_DEVICE __half2 bankshot_half2(unsigned int bits) { return __builtin_bit_cast(__half2, bits); }

BANKSHOT_DEVICE __half __float2half(float x) { return __half(x); }
BANKSHOT_DEVICE __half __float2half_rn(float x) { return __half(x); }
BANKSHOT_DEVICE __half __double2half(double x) { return __half(x); }
BANKSHOT_DEVICE float __half2float(__half h) { return (float)h; }
BANKSHOT_DEVICE __half __int2half_rn(int x) { return __half((float)x); }
BANKSHOT_DEVICE __half __uint2half_rn(unsigned int x) { return __half((float)x); }
BANKSHOT_DEVICE int __half2int_rn(__half h) { return __float2int_rn((float)h); }
BANKSHOT_DEVICE int __half2int_rz(__half h) { return (int)(float)h; }

#define BANKSHOT_HALF_2(name, op)                                                                                      \
    BANKSHOT_DEVICE __half name(__half a, __half b)                                                                    \
    {                                                                                                                  \
        unsigned short r;                                                                                              \
        asm(op " %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                                                     \
        return __ushort_as_half(r);                                                                                    \
    }
#define BANKSHOT_HALF2_2(name, op)                                                                                     \
    BANKSHOT_DEVICE __half2 name(__half2 a, __half2 b)                                                                 \
    {                                                                                                                  \
        unsigned int r;                                                                                                \
        asm(op " %0, %1, %2;" : "=r"(r) : "r"(bankshot_bits(a)), "r"(bankshot_bits(b)));                               \
        return bankshot_half2(r);                                                                                      \
    }
BANKSHOT_HALF_2(__hadd, "add.f16")
BANKSHOT_HALF_2(__hsub, "sub.f16")
BANKSHOT_HALF_2(__hmul, "mul.f16")
BANKSHOT_HALF_2(__hadd_rn, "add.rn.f16")
BANKSHOT_HALF_2(__hsub_rn, "sub.rn.f16")
BANKSHOT_HALF_2(__hmul_rn, "mul.rn.f16")
BANKSHOT_HALF2_2(__hadd2, "add.f16x2")
BANKSHOT_HALF2_2(__hsub2, "sub.f16x2")
BANKSHOT_HALF2_2(__hmul2, "mul.f16x2")
#undef BANKSHOT_HALF_2
#undef BANKSHOT_HALF2_2
BANKSHOT_DEVICE __half __hfma(__half a, __half b, __half c)
{
    unsigned short r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return __ushort_as_half(r);
}
BANKSHOT_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned int r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(r) : "r"(bankshot_bits(a)), "r"(bankshot_bits(b)), "r"(bankshot_bits(c)));
    return bankshot_half2(r);
}
BANKSHOT_DEVICE __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
BANKSHOT_DEVICE __half __hneg(__half a) { return __ushort_as_half((unsigned short)(a.__x ^ 0x8000)); }
BANKSHOT_DEVICE __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
BANKSHOT_DEVICE __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
BANKSHOT_DEVICE __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
BANKSHOT_DEVICE bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
BANKSHOT_DEVICE __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
BANKSHOT_DEVICE __half hrsqrt(__half a) { return __half(rsqrtf((float)a)); }
BANKSHOT_DEVICE __half hexp(__half a) { return __half(expf((float)a)); }
BANKSHOT_DEVICE __half hlog(__half a) { return __half(logf((float)a)); }

#define BANKSHOT_COMPARE(name, symbol)                                                                                 \
    BANKSHOT_DEVICE bool name(__half a, __half b) { return (float)a symbol(float) b; }                                 \
    BANKSHOT_DEVICE bool operator symbol(__half a, __half b) { return (float)a symbol(float) b; }
BANKSHOT_COMPARE(__heq, ==)
BANKSHOT_COMPARE(__hne, !=)
BANKSHOT_COMPARE(__hlt, <)
BANKSHOT_COMPARE(__hgt, >)
BANKSHOT_COMPARE(__hle, <=)
BANKSHOT_COMPARE(__hge, >=)
#undef BANKSHOT_COMPARE

BANKSHOT_DEVICE __half operator+(__half a, __half b) { return __hadd(a, b); }
BANKSHOT_DEVICE __half operator-(__half a, __half b) { return __hsub(a, b); }
BANKSHOT_DEVICE __half operator*(__half a, __half b) { return __hmul(a, b); }
BANKSHOT_DEVICE __half operator/(__half a, __half b) { return __hdiv(a, b); }
BANKSHOT_DEVICE __half operator-(__half a) { return __hneg(a); }
BANKSHOT_DEVICE __half &operator+=(__half &a, __half b) { return a = a + b; }
BANKSHOT_DEVICE __half &operator-=(__half &a, __half b) { return a = a - b; }
BANKSHOT_DEVICE __half &operator*=(__half &a, __half b) { return a = a * b; }
BANKSHOT_DEVICE __half &operator/=(__half &a, __half b) { return a = a / b; }
BANKSHOT_DEVICE __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
BANKSHOT_DEVICE __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
BANKSHOT_DEVICE __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }
BANKSHOT_DEVICE __half2 &operator+=(__half2 &a, __half2 b) { return a = a + b; }
BANKSHOT_DEVICE __half2 &operator*=(__half2 &a, __half2 b) { return a = a * b; }

BANKSHOT_DEVICE __half2 make_half2(__half a, __half b) { return __half2(a, b); }
BANKSHOT_DEVICE __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
BANKSHOT_DEVICE __half2 __half2half2(__half a) { return __half2(a, a); }
BANKSHOT_DEVICE __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
BANKSHOT_DEVICE __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
BANKSHOT_DEVICE __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
BANKSHOT_DEVICE float2 __half22float2(__half2 h) { return make_float2((float)h.x, (float)h.y); }
BANKSHOT_DEVICE float __low2float(__half2 h) { return (float)h.x; }
BANKSHOT_DEVICE float __high2float(__half2 h) { return (float)h.y; }
BANKSHOT_DEVICE __half __low2half(__half2 h) { return h.x; }
BANKSHOT_DEVICE __half __high2half(__half2 h) { return h.y; }

#define BANKSHOT_SHUFFLE_HALF(name)                                                                                    \
    BANKSHOT_DEVICE __half name(unsigned int mask, __half value, unsigned int lane, int width = 32)                    \
    {                                                                                                                  \
        return __ushort_as_half((unsigned short)name(mask, (unsigned int)value.__x, lane, width));                     \
    }                                                                                                                  \
    BANKSHOT_DEVICE __half2 name(unsigned int mask, __half2 value, unsigned int lane, int width = 32)                  \
    {                                                                                                                  \
        return bankshot_half2(name(mask, bankshot_bits(value), lane, width));                                          \
    }
BANKSHOT_SHUFFLE_HALF(__shfl_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_up_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_down_sync)
BANKSHOT_SHUFFLE_HALF(__shfl_xor_sync)
#undef BANKSHOT_SHUFFLE_HALF

BANKSHOT_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
    unsigned int old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(bankshot_bits(value)) : "memory");
    return bankshot_half2(old);
}
BANKSHOT_DEVICE __half atomicAdd(__half *address, __half value)
{
    unsigned short old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.__x) : "memory");
    return __ushort_as_half(old);
}
#undef BANKSHOT_MEMBER

#endif
