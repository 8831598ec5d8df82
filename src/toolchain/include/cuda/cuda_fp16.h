// Half precision for clang: __half, __half2. What bfloat16 has too is in bankshot_half.h.
#ifndef BANKSHOT_CUDA_FP16_H
#define BANKSHOT_CUDA_FP16_H
#pragma clang system_header

#define BANKSHOT_MEMBER __attribute__((host, device, always_inline, nodebug))
#define BANKSHOT_CONVERT __attribute__((host, device, nodebug))

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

BANKSHOT_UNARY(bankshot_half_rn, unsigned short, "h", float, "f", "cvt.rn.f16.f32")
BANKSHOT_UNARY(bankshot_half_rz, unsigned short, "h", float, "f", "cvt.rz.f16.f32")
BANKSHOT_UNARY(bankshot_half_ru, unsigned short, "h", float, "f", "cvt.rp.f16.f32")
BANKSHOT_UNARY(bankshot_half_rd, unsigned short, "h", float, "f", "cvt.rm.f16.f32")
BANKSHOT_UNARY(bankshot_from_half, float, "f", unsigned short, "h", "cvt.f32.f16")

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    BANKSHOT_MEMBER constexpr __half(__half_raw raw) : __x(raw.x) {}
    BANKSHOT_CONVERT __half(float x) : __x(bankshot_half_rn(x)) {}
    template <class T, class = typename bankshot_number<T>::type>
    BANKSHOT_CONVERT __half(T x) : __x(bankshot_half_rn(bankshot_odd(x)))
    {
    }
    BANKSHOT_CONVERT operator float() const { return bankshot_from_half(__x); }
    BANKSHOT_MEMBER operator __half_raw() const { return __half_raw{__x}; }
};
typedef __half half;
typedef __half nv_half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    BANKSHOT_MEMBER constexpr __half2(__half a, __half b) : x(a), y(b) {}
    BANKSHOT_MEMBER constexpr __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    BANKSHOT_MEMBER operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};
typedef __half2 half2;
typedef __half2 nv_half2;

#define BANKSHOT_P1 ""
#define BANKSHOT_P2 "x2"
#define BANKSHOT_WORD half
#define BANKSHOT_H __half
#define BANKSHOT_H2 __half2
#define BANKSHOT_ADD(n) "add.f16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_SUB(n) "sub.f16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_MUL(n) "mul.f16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_FMA(relu, n) "fma.rn" relu ".f16" BANKSHOT_P##n " %0, %1, %2, %3;"
#define BANKSHOT_EXTREME(op, n) op ".f16" BANKSHOT_P##n " %0, %1, %2;"
#define BANKSHOT_SIGN(op, n) op ".f16" BANKSHOT_P##n " %0, %1;"
#define BANKSHOT_RN(x) __builtin_bit_cast(__half, bankshot_half_rn(x))
#define BANKSHOT_RZ(x) __builtin_bit_cast(__half, bankshot_half_rz(x))
#define BANKSHOT_RU(x) __builtin_bit_cast(__half, bankshot_half_ru(x))
#define BANKSHOT_RD(x) __builtin_bit_cast(__half, bankshot_half_rd(x))
#define BANKSHOT_TANH tanhf
#include <bankshot_half.h>

BANKSHOT_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
    unsigned int old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(bankshot_bits(value)) : "memory");
    return __builtin_bit_cast(__half2, old);
}
BANKSHOT_DEVICE __half atomicAdd(__half *address, __half value)
{
    unsigned short old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.__x) : "memory");
    return __builtin_bit_cast(__half, old);
}
#undef BANKSHOT_P1
#undef BANKSHOT_P2
#undef BANKSHOT_MEMBER
#undef BANKSHOT_CONVERT

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

#endif
