// bfloat16 for clang: __nv_bfloat16, __nv_bfloat162. A float's upper half is its bfloat16; sums and products are fused
// multiply-adds, which round once and which sm_80 has too. What __half has as well is in bankshot_half.h.
#ifndef BANKSHOT_CUDA_BF16_H
#define BANKSHOT_CUDA_BF16_H
#pragma clang system_header

// carry, added to the bits that are cut off, is the mode
BANKSHOT_DEVICE unsigned short bankshot_bf16(float x, unsigned int carry)
{
    unsigned int bits = __float_as_uint(x), magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return 0x7fff;
    return (unsigned short)((magnitude == 0x7f800000u ? bits : bits + carry) >> 16);
}
BANKSHOT_DEVICE unsigned short bankshot_bf16_rn(float x) // to nearest, ties to even
{
    return bankshot_bf16(x, 0x7fffu + ((__float_as_uint(x) >> 16) & 1));
}
BANKSHOT_DEVICE unsigned short bankshot_bf16_rz(float x) { return bankshot_bf16(x, 0); }
BANKSHOT_DEVICE unsigned short bankshot_bf16_ru(float x) { return bankshot_bf16(x, signbit(x) ? 0 : 0xffffu); }
BANKSHOT_DEVICE unsigned short bankshot_bf16_rd(float x) { return bankshot_bf16(x, signbit(x) ? 0xffffu : 0); }

#define BANKSHOT_MEMBER __attribute__((host, device, always_inline, nodebug))
#define BANKSHOT_CONVERT __attribute__((host, device, nodebug))

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    BANKSHOT_MEMBER constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
    BANKSHOT_CONVERT __nv_bfloat16(float x) : __x(bankshot_bf16_rn(x)) {}
    template <class T, class = typename bankshot_number<T>::type>
    BANKSHOT_CONVERT __nv_bfloat16(T x) : __x(bankshot_bf16_rn(bankshot_odd(x)))
    {
    }
    BANKSHOT_CONVERT operator float() const { return __uint_as_float((unsigned int)__x << 16); }
    BANKSHOT_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    BANKSHOT_MEMBER constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
    BANKSHOT_MEMBER constexpr __nv_bfloat162(__nv_bfloat162_raw raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
    BANKSHOT_MEMBER operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.__x, y.__x}; }
};
typedef __nv_bfloat162 nv_bfloat162;

#define BANKSHOT_P1 ""
#define BANKSHOT_P2 "x2"
#define BANKSHOT_WORD bfloat16
#define BANKSHOT_H __nv_bfloat16
#define BANKSHOT_H2 __nv_bfloat162
#define BANKSHOT_FMA(relu, n) "fma.rn" relu ".bf16" BANKSHOT_P##n " %0, %1, %2, %3;"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define BANKSHOT_ADD(n) "add.bf16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_SUB(n) "sub.bf16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_MUL(n) "mul.bf16" BANKSHOT_P##n " %0, %1, %2;"
#else // a times 1.0 plus b; b times -1.0 plus a; a times b plus -0.0
#define BANKSHOT_WITH(n, operands, constant)                                                                           \
    "{ .reg .b" BANKSHOT_WIDTH##n " c;\n\tmov.b" BANKSHOT_WIDTH##n                                                     \
        " c, 0x" BANKSHOT_TIMES##n(constant) ";\n\tfma.rn.bf16" BANKSHOT_P##n " " operands "; }"
#define BANKSHOT_WIDTH1 "16"
#define BANKSHOT_WIDTH2 "32"
#define BANKSHOT_TIMES1(constant) constant
#define BANKSHOT_TIMES2(constant) constant constant
#define BANKSHOT_ADD(n) BANKSHOT_WITH(n, "%0, %1, c, %2", "3f80")
#define BANKSHOT_SUB(n) BANKSHOT_WITH(n, "%0, %2, c, %1", "bf80")
#define BANKSHOT_MUL(n) BANKSHOT_WITH(n, "%0, %1, %2, c", "8000")
#endif
#define BANKSHOT_EXTREME(op, n) op ".bf16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_SIGN(op, n) op ".bf16" BANKSHOT_P##n " %0, %1;"
#define BANKSHOT_RN(x) __builtin_bit_cast(__nv_bfloat16, bankshot_bf16_rn(x))
#define BANKSHOT_RZ(x) __builtin_bit_cast(__nv_bfloat16, bankshot_bf16_rz(x))
#define BANKSHOT_RU(x) __builtin_bit_cast(__nv_bfloat16, bankshot_bf16_ru(x))
#define BANKSHOT_RD(x) __builtin_bit_cast(__nv_bfloat16, bankshot_bf16_rd(x))
BANKSHOT_UNARY(bankshot_tanh, float, "f", float, "f", "tanh.approx.f32")
#define BANKSHOT_TANH bankshot_tanh
#include <bankshot_half.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
BANKSHOT_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value)
{
    unsigned int old;
    asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(bankshot_bits(value))
                 : "memory");
    return __builtin_bit_cast(__nv_bfloat162, old);
}
BANKSHOT_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value)
{
    unsigned short old;
    asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.__x) : "memory");
    return __builtin_bit_cast(__nv_bfloat16, old);
}
#else
BANKSHOT_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value)
{
    unsigned int *word = (unsigned int *)address, seen = *(volatile unsigned int *)word, old; // strong, as the swap is
    do
        old = seen;
    while ((seen = atomicCAS(word, old, bankshot_bits(__builtin_bit_cast(__nv_bfloat162, old) + value))) != old);
    return __builtin_bit_cast(__nv_bfloat162, old);
}
BANKSHOT_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value)
{
    unsigned short *word = (unsigned short *)address, seen = *(volatile unsigned short *)word, old;
    do
        old = seen;
    while ((seen = atomicCAS(word, old, (__builtin_bit_cast(__nv_bfloat16, old) + value).__x)) != old);
    return __builtin_bit_cast(__nv_bfloat16, old);
}
#undef BANKSHOT_WITH
#undef BANKSHOT_WIDTH1
#undef BANKSHOT_WIDTH2
#undef BANKSHOT_TIMES1
#undef BANKSHOT_TIMES2
#endif
#undef BANKSHOT_P1
#undef BANKSHOT_P2
#undef BANKSHOT_MEMBER
#undef BANKSHOT_CONVERT

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

#endif
