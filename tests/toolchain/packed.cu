// Small integers, halves and bfloat16s in one word: both compilers' headers must give the same bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ void put(int *&out, unsigned int value)
{
    *out = (int)value;
    out += blockDim.x;
}

__device__ __half2 halves(unsigned int x) { return *(__half2 *)&x; }
__device__ __nv_bfloat162 bfloats(unsigned int x) { return *(__nv_bfloat162 *)&x; }
template <class T> __device__ unsigned int bits(T x) { return *(unsigned int *)&x; }

// What both kinds of half have: the sums of these are one value each.
template <class H2> __device__ void family(int *&out, H2 a, H2 b, H2 c)
{
    put(out, bits(__hadd2(a, b)) ^ bits(__hsub2(a, c)) * 3 ^ bits(__hmul2(b, c)) * 5);
    put(out, bits(__hfma2(a, b, c)) ^ bits(__hfma2_relu(a, b, c)) * 3 ^ bits(__hcmadd(a, b, c)) * 5);
    put(out, bits(__hadd2_sat(a, b)) ^ bits(__hmul2_sat(a, c)) * 3 ^ bits(__hfma2_sat(a, b, c)) * 5 ^ bits(__h2div(a, b)) * 7);
    put(out, bits(__hmax2(a, b)) ^ bits(__hmin2(a, b)) * 3 ^ bits(__hmax2_nan(b, c)) * 5 ^ bits(__habs2(__hneg2(a))) * 7);
    put(out, __heq2_mask(a, b) ^ __hltu2_mask(a, b) * 3 ^ __hne2_mask(a, c) * 5 ^ bits(__hge2(a, b)) * 7 ^ __hbgtu2(a, b));
    put(out, __hisinf(a.x) + 3 * __hisnan(b.x) + 5 * (a.x < b.x) + 7 * (a == b) + 11 * (a.x != a.x));
    put(out, bits(h2sqrt(a)) ^ bits(h2rcp(b)) * 3 ^ bits(h2floor(c)) * 5 ^ bits(h2rint(a)) * 7 ^ bits(h2trunc(b)) * 11);
    put(out, bits(h2sin(a)) ^ bits(h2cos(b)) * 3 ^ bits(h2tanh(c)) * 5 ^ bits(h2exp2(a)) * 7 ^ bits(h2log(b)) * 11);
    put(out, bits(__shfl_xor_sync(~0u, a, 3)) + bits(__lowhigh2highlow(b)) + bits(-a * b + c / a));
}

__global__ void language(int *out, const int *in)
{
    const int t = threadIdx.x;
    unsigned int seed = (unsigned)in[t] * 2654435761u + t, a = seed, b = seed * 1664525u + 1013904223u, c = b * 22695477u + 1;
    out += t;
    put(out, __vadd4(a, b) ^ __vaddss4(a, b) * 3 ^ __vaddus2(a, b) * 5 ^ __vsubss2(a, c) * 7 ^ __vsub2(b, c) * 11);
    put(out, __vabsdiffs4(a, b) ^ __vabsdiffu2(a, b) * 3 ^ __vsads2(b, c) * 5 ^ __vsadu4(a, c) * 7 ^ __vabsss4(a) * 11);
    put(out, __vcmpgts4(a, b) ^ __vcmpleu2(a, b) * 3 ^ __vsetltu4(b, c) * 5 ^ __vseteq2(a, a ^ 7) * 7 ^ __vcmpne4(a, b) * 11);
    put(out, __vavgs2(a, b) ^ __vavgu4(a, b) * 3 ^ __vhaddu2(b, c) * 5 ^ __vnegss2(a) * 7 ^ __vmaxs4(a, c) ^ __vminu2(b, c) * 13);
    bool high, low;
    put(out, __viaddmax_s16x2_relu(a, b, c) ^ (unsigned)__vimin3_s32(a, b, c) * 3 ^ __vibmax_u16x2(a, b, &high, &low) * 5);
    put(out, (high ? 3u : 0) + (low ? 5u : 0) + (unsigned)__dp2a_lo((int)a, (int)b, (int)c) + __dp2a_hi(a, b, c));
    put(out, __nv_bswap32(a) ^ (unsigned)(__nv_bswap64((unsigned long long)a << 32 | b) >> 13) ^ __urhadd(a, b));
    family(out, halves(a), halves(b), halves(c));
    family(out, bfloats(a), bfloats(b), bfloats(c));
    long long wide = (long long)((unsigned long long)a << 32 | b) >> (t % 60);
    put(out, __half_as_ushort(__ll2half_ru(wide)) ^ (unsigned)__half_as_ushort(__double2half(wide * 1e-12)) << 9);
    put(out, __bfloat16_as_ushort(__ll2bfloat16_rd(wide)) ^ (unsigned)__bfloat16_as_ushort(__double2bfloat16(wide * 1e-12)) << 9);
    put(out, (unsigned)__half2int_rd(halves(a).x) ^ (unsigned)__half2short_rz(halves(b).x) ^ __half2uchar_rz(halves(c).x));
    put(out, (unsigned)__bfloat162ll_ru(bfloats(a).x) ^ (unsigned)__bfloat162char_rz(bfloats(c).x) ^
                 __bfloat16_as_ushort(__ushort2bfloat16_rz((unsigned short)b)));
}
