// bfloat16 for clang: __nv_bfloat16, __nv_bfloat162. Arithmetic goes through float and rounds once, as CUDA's does on
// GPUs before sm_90; a float's upper half is its bfloat16.
#ifndef BANKSHOT_CUDA_BF16_H
#define BANKSHOT_CUDA_BF16_H
#pragma clang system_header

BANKSHOT_DEVICE unsigned short bankshot_to_bf16(float x)
{
    unsigned int bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);   // to nearest, ties to even
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __attribute__((device, nodebug)) __nv_bfloat16(float x) : __x(bankshot_to_bf16(x)) {}
    __attribute__((device, nodebug)) __nv_bfloat16(double x) : __x(bankshot_to_bf16((float)x)) {}
    __attribute__((device, nodebug)) __nv_bfloat16(int x) : __x(bankshot_to_bf16((float)x)) {}
    __attribute__((device, nodebug)) operator float() const { return __uint_as_float((unsigned int)__x << 16); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

BANKSHOT_DEVICE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
BANKSHOT_DEVICE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
BANKSHOT_DEVICE float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
BANKSHOT_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
BANKSHOT_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __builtin_bit_cast(__nv_bfloat16, x); }

#define BANKSHOT_BF16(name, symbol)                                                                                    \
    BANKSHOT_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a symbol(float) b; }          \
    BANKSHOT_DEVICE __nv_bfloat16 operator symbol(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a symbol(float) b; }
BANKSHOT_BF16(__hadd, +)
BANKSHOT_BF16(__hsub, -)
BANKSHOT_BF16(__hmul, *)
BANKSHOT_BF16(__hdiv, /)
#undef BANKSHOT_BF16
BANKSHOT_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return fmaf((float)a, (float)b, (float)c);
}
BANKSHOT_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return fmaxf((float)a, (float)b); }
BANKSHOT_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return fminf((float)a, (float)b); }
#define BANKSHOT_COMPARE(symbol)                                                                                       \
    BANKSHOT_DEVICE bool operator symbol(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a symbol(float) b; }
BANKSHOT_COMPARE(==)
BANKSHOT_COMPARE(!=)
BANKSHOT_COMPARE(<)
BANKSHOT_COMPARE(>)
BANKSHOT_COMPARE(<=)
BANKSHOT_COMPARE(>=)
#undef BANKSHOT_COMPARE
BANKSHOT_DEVICE __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a + b; }
BANKSHOT_DEVICE __nv_bfloat16 &operator*=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = a * b; }
BANKSHOT_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
    return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(y)};
}
BANKSHOT_DEVICE float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
BANKSHOT_DEVICE float __low2float(__nv_bfloat162 v) { return (float)v.x; }
BANKSHOT_DEVICE float __high2float(__nv_bfloat162 v) { return (float)v.y; }

#endif
