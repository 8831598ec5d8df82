// Mathematical functions. What PTX has (square root, fma, rounding, min, max) is one instruction; the others are series
// of our own, within the units in the last place that CUDA documents for each. Many float functions are the double
// ones, rounded once; the __ forms are the hardware's approximations here as there. Part of bankshot_device.h.
#pragma clang system_header

#define BANKSHOT_PI 3.14159265358979323846
#define BANKSHOT_LN2 0.69314718055994530942
#define BANKSHOT_LOG2E 1.44269504088896340736

// nvcc brings <math.h> along; as glibc writes them, so that its own may follow.
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

BANKSHOT_UNARY(bankshot_ex2, float, "f", float, "f", "ex2.approx.f32")
BANKSHOT_UNARY(bankshot_lg2, float, "f", float, "f", "lg2.approx.f32")
BANKSHOT_UNARY(__sinf, float, "f", float, "f", "sin.approx.f32")
BANKSHOT_UNARY(__cosf, float, "f", float, "f", "cos.approx.f32")
BANKSHOT_UNARY(rsqrtf, float, "f", float, "f", "rsqrt.approx.f32")
BANKSHOT_UNARY(__frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")
BANKSHOT_UNARY(__saturatef, float, "f", float, "f", "cvt.sat.f32.f32")
BANKSHOT_BINARY(__fdividef, float, "f", "div.approx.f32")

// ---- one operation with a rounding mode; never contracted

#define BANKSHOT_ROUNDED_OF(f, c, type, suffix, mode, bits)                                                            \
    BANKSHOT_BINARY(__##f##add_##suffix, type, c, "add." mode bits)                                                    \
    BANKSHOT_BINARY(__##f##sub_##suffix, type, c, "sub." mode bits)                                                    \
    BANKSHOT_BINARY(__##f##mul_##suffix, type, c, "mul." mode bits)                                                    \
    BANKSHOT_BINARY(__##f##div_##suffix, type, c, "div." mode bits)                                                    \
    BANKSHOT_UNARY(__##f##rcp_##suffix, type, c, type, c, "rcp." mode bits)                                            \
    BANKSHOT_UNARY(__##f##sqrt_##suffix, type, c, type, c, "sqrt." mode bits)
#define BANKSHOT_ROUNDED(suffix, mode)                                                                                 \
    BANKSHOT_ROUNDED_OF(f, "f", float, suffix, mode, ".f32")                                                           \
    BANKSHOT_ROUNDED_OF(d, "d", double, suffix, mode, ".f64")                                                          \
    BANKSHOT_TERNARY(__fmaf_ieee_##suffix, float, "f", "fma." mode ".f32")                                             \
    BANKSHOT_TERNARY(__fmaf_##suffix, float, "f", "fma." mode ".f32")                                                  \
    BANKSHOT_TERNARY(__fma_##suffix, double, "d", "fma." mode ".f64")
BANKSHOT_ROUNDED(rn, "rn")
BANKSHOT_ROUNDED(rz, "rz")
BANKSHOT_ROUNDED(ru, "rp")
BANKSHOT_ROUNDED(rd, "rm")
#undef BANKSHOT_ROUNDED
#undef BANKSHOT_ROUNDED_OF

BANKSHOT_DEVICE float __expf(float x) { return bankshot_ex2(x * (float)BANKSHOT_LOG2E); }
BANKSHOT_DEVICE float __exp10f(float x) { return bankshot_ex2(x * 3.3219280949f); }
BANKSHOT_DEVICE float __log2f(float x) { return bankshot_lg2(x); }
BANKSHOT_DEVICE float __logf(float x) { return bankshot_lg2(x) * (float)BANKSHOT_LN2; }
BANKSHOT_DEVICE float __log10f(float x) { return bankshot_lg2(x) * 0.30102999566f; }
BANKSHOT_DEVICE float __powf(float x, float y) { return bankshot_ex2(y * bankshot_lg2(x)); }
BANKSHOT_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
BANKSHOT_DEVICE void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}

// ---- what clang's builtins turn into one instruction

#define BANKSHOT_BUILTIN1(name)                                                                                        \
    BANKSHOT_DEVICE float name##f(float x) { return __builtin_##name##f(x); }                                          \
    BANKSHOT_DEVICE double name(double x) { return __builtin_##name(x); }                                              \
    BANKSHOT_DEVICE float name(float x) { return __builtin_##name##f(x); }
#define BANKSHOT_BUILTIN2(name)                                                                                        \
    BANKSHOT_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); }                              \
    BANKSHOT_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }                                 \
    BANKSHOT_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }
BANKSHOT_BUILTIN1(sqrt)
BANKSHOT_BUILTIN1(fabs)
BANKSHOT_BUILTIN1(floor)
BANKSHOT_BUILTIN1(ceil)
BANKSHOT_BUILTIN1(trunc)
BANKSHOT_BUILTIN1(rint)
BANKSHOT_BUILTIN1(nearbyint)
BANKSHOT_BUILTIN2(fmin)
BANKSHOT_BUILTIN2(fmax)
#undef BANKSHOT_BUILTIN1
#undef BANKSHOT_BUILTIN2
BANKSHOT_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
BANKSHOT_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
BANKSHOT_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
BANKSHOT_DEVICE float abs(float x) { return __builtin_fabsf(x); }
BANKSHOT_DEVICE double abs(double x) { return __builtin_fabs(x); }
BANKSHOT_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
BANKSHOT_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
BANKSHOT_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
BANKSHOT_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
BANKSHOT_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
BANKSHOT_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
BANKSHOT_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
BANKSHOT_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
BANKSHOT_DEVICE double fdivide(double x, double y) { return x / y; }
BANKSHOT_DEVICE float fdivide(float x, float y) { return __fdividef(x, y); }
BANKSHOT_DEVICE float fdividef(float x, float y) { return __fdividef(x, y); }

#define BANKSHOT_CLASSIFY(type, word, bits, infinity)                                                                  \
    BANKSHOT_DEVICE bool isnan(type x) { return x != x; }                                                              \
    BANKSHOT_DEVICE bool isinf(type x) { return fabs(x) == infinity; }                                                 \
    BANKSHOT_DEVICE bool isfinite(type x) { return fabs(x) < infinity; }                                               \
    BANKSHOT_DEVICE bool signbit(type x) { return __builtin_bit_cast(word, x) >> (bits - 1); }
BANKSHOT_CLASSIFY(float, unsigned int, 32, __builtin_inff())
BANKSHOT_CLASSIFY(double, unsigned long long, 64, __builtin_inf())
#undef BANKSHOT_CLASSIFY

BANKSHOT_DEVICE float copysignf(float x, float y)
{
    return __uint_as_float((__float_as_uint(x) & 0x7fffffffu) | (__float_as_uint(y) & 0x80000000u));
}
BANKSHOT_DEVICE double copysign(double x, double y)
{
    return __longlong_as_double((__double_as_longlong(x) & 0x7fffffffffffffffll) |
                                (__double_as_longlong(y) & (long long)0x8000000000000000ull));
}
BANKSHOT_DEVICE double round(double x)
{
    double t = trunc(x);
    return copysign(fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t, x);
}
BANKSHOT_DEVICE float roundf(float x)
{
    float t = truncf(x);
    return copysignf(fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t, x);
}
BANKSHOT_DEVICE int __signbitf(float x) { return signbit(x); }
BANKSHOT_DEVICE float fdimf(float x, float y) { return x > y ? x - y : x != x || y != y ? x + y : 0.0f; }
BANKSHOT_DEVICE double fdim(double x, double y) { return x > y ? x - y : x != x || y != y ? x + y : 0.0; }
BANKSHOT_DEVICE long lrintf(float x) { return (long)rintf(x); }
BANKSHOT_DEVICE long lrint(double x) { return (long)rint(x); }
BANKSHOT_DEVICE long lroundf(float x) { return (long)roundf(x); }
BANKSHOT_DEVICE long lround(double x) { return (long)round(x); }
BANKSHOT_DEVICE double rsqrt(double x) { return 1.0 / sqrt(x); }
BANKSHOT_DEVICE float rsqrt(float x) { return rsqrtf(x); }

// A polynomial in x by Horner's rule, its highest coefficient first.
template <class T, int n> BANKSHOT_DEVICE T bankshot_series(T x, const T (&coefficients)[n])
{
    T sum = coefficients[0];
#pragma unroll
    for (int i = 1; i < n; i++)
        sum = fma(sum, x, coefficients[i]);
    return sum;
}

// ---- exponents

// x * 2^n in steps that neither overflow nor lose bits before the last
BANKSHOT_DEVICE double ldexp(double x, int n)
{
    for (int i = 0; i < 3 && n > 1023; i++, n -= 1023)
        x *= 0x1p1023;
    for (int i = 0; i < 3 && n < -969; i++, n += 969)
        x *= 0x1p-969;
    n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
    return x * __longlong_as_double((long long)(n + 1023) << 52);
}
BANKSHOT_DEVICE float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
BANKSHOT_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
BANKSHOT_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
BANKSHOT_DEVICE double frexp(double x, int *n)
{
    *n = 0;
    if (x == 0 || !isfinite(x))
        return x;
    if (fabs(x) < 0x1p-1022) {
        x *= 0x1p54;
        *n = -54;
    }
    long long bits = __double_as_longlong(x);
    *n += (int)((bits >> 52) & 0x7ff) - 1022;
    return __longlong_as_double((bits & (long long)0x800fffffffffffffull) | 0x3fe0000000000000ll);
}
BANKSHOT_DEVICE float frexpf(float x, int *n) { return (float)frexp((double)x, n); }
BANKSHOT_DEVICE double modf(double x, double *whole)
{
    *whole = trunc(x);
    return isinf(x) ? copysign(0.0, x) : copysign(x - *whole, x);
}
BANKSHOT_DEVICE float modff(float x, float *whole)
{
    *whole = truncf(x);
    return isinf(x) ? copysignf(0.0f, x) : copysignf(x - *whole, x);
}
// Exact: subtracts y * 2^k from the largest k down.
BANKSHOT_DEVICE double fmod(double x, double y)
{
    double r = fabs(x), d = fabs(y);
    if (!(r < __builtin_inf()) || d == 0 || d != d)
        return __builtin_nan("");
    if (r < d)
        return x;
    int er, ed;
    frexp(r, &er);
    frexp(d, &ed);
    for (int k = er - ed; k >= 0; k--) {
        double t = ldexp(d, k);
        if (r >= t)
            r -= t;
    }
    return copysign(r, x);
}
// e^x - 1 for |x| <= ln 2 / 2, by its series
BANKSHOT_DEVICE double bankshot_expm1_small(double x)
{
    double s =
        bankshot_series(x, {1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                            1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5});
    return fma(x * x, s, x);
}
// e^(x + low), low below x's last place
BANKSHOT_DEVICE double bankshot_exp(double x, double low)
{
    if (x != x || x > 710 || x < -746)
        return x != x ? x : x > 0 ? __builtin_inf() : 0;
    double n = rint(x * BANKSHOT_LOG2E);
    double f = fma(n, -0x1.62e42fefa39efp-1, x);
    f = fma(n, -0x1.abc9e3b39803fp-56, f) + low;
    return ldexp(1 + bankshot_expm1_small(f), (int)n);
}
BANKSHOT_DEVICE double exp(double x) { return bankshot_exp(x, 0); }
BANKSHOT_DEVICE double expm1(double x)
{
    if (x != x || x > 44 || x < -44)
        return x < -44 ? -1 : exp(x);
    double n = rint(x * BANKSHOT_LOG2E);
    double f = fma(n, -0x1.62e42fefa39efp-1, x), low = n * -0x1.abc9e3b39803fp-56;
    if (n == 0)
        return x == 0 ? x : bankshot_expm1_small(x);
    double p = ldexp(1.0, (int)n), s = bankshot_expm1_small(f) + low * (1 + f), high = p - 1;
    return high + p * (s + (n > 52 ? ((p - high) - 1) / p : 0));
}
BANKSHOT_DEVICE double exp2(double x)
{
    if (x != x || x > 1025 || x < -1080)
        return x != x ? x : x > 0 ? __builtin_inf() : 0;
    double n = rint(x);
    return ldexp(1 + bankshot_expm1_small((x - n) * BANKSHOT_LN2), (int)n);
}
BANKSHOT_DEVICE float exp2f(float x) { return bankshot_ex2(x); }
BANKSHOT_DEVICE float expf(float x)
{
    if (x > 89.0f || x < -104.0f)
        return x > 0 ? __builtin_inff() : 0.0f;
    float n = rintf(x * (float)BANKSHOT_LOG2E);
    float f = fmaf(n, -0x1.62e4p-1f, x);
    f = fmaf(n, -0x1.7f7d1cp-20f, f);
    float half = truncf(0.5f * n); // 2^n may not be a float where the result is
    return bankshot_ex2(f * (float)BANKSHOT_LOG2E) * bankshot_ex2(half) * bankshot_ex2(n - half);
}
BANKSHOT_DEVICE double exp10(double x)
{
    if (x != x || x > 309 || x < -324)
        return x != x ? x : x > 0 ? __builtin_inf() : 0;
    double n = rint(x * 3.32192809488736234787); // of 10^x = 2^n 10^f
    double f = fma(n, 0x1.9dc1da994fd21p-59, fma(n, -0x1.34413509f79ffp-2, x));
    return ldexp(1 + bankshot_expm1_small(f * 2.30258509299404568402), (int)n);
}

// ---- logarithms: log m = 2 atanh((m - 1) / (m + 1)) for m in [sqrt(1/2), sqrt(2)]

// Of a positive number, in two parts: the quotient, its square and the first term are kept in two as well. __dmul_rn
// where a product's own rounding is taken away again: it is never contracted.
BANKSHOT_DEVICE double bankshot_log(double x, double *low)
{
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    double n = exponent, d = m + 1, s = (m - 1) / d, s_low = (fma(-s, d, m - 1) - s * (m - (d - 1))) / d;
    double q = __dmul_rn(s, s), q_low = fma(s, s, -q) + 2 * s * s_low;
    double tail = q * bankshot_series(q, {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                          1.0 / 7, 1.0 / 5});
    double third = 1.0 / 3, t = third + tail, t_low = third - t + tail + 0x1.5555555555555p-56;
    double p = __dmul_rn(s, q), p_low = fma(s, q, -p) + s * q_low + s_low * q;
    double c = __dmul_rn(p, t), c_low = fma(p, t, -c) + p * t_low + p_low * t;
    double whole = __dmul_rn(n, 0x1.62e42fefa39efp-1),
           rest = fma(n, 0x1.62e42fefa39efp-1, -whole) + n * 0x1.abc9e3b39803fp-56;
    double a = whole + 2 * s, b = a + 2 * c;
    rest += (2 * s - (a - whole)) + (2 * c - (b - a)) + 2 * (s_low + c_low);
    double h = b + rest;
    *low = rest - (h - b);
    return h;
}
BANKSHOT_DEVICE bool bankshot_has_log(double x) { return x > 0 && x < __builtin_inf(); }
BANKSHOT_DEVICE double bankshot_no_log(double x) { return x == 0 ? -__builtin_inf() : x > 0 ? x : __builtin_nan(""); }
BANKSHOT_DEVICE double log(double x)
{
    double low;
    return bankshot_has_log(x) ? bankshot_log(x, &low) : bankshot_no_log(x);
}
BANKSHOT_DEVICE float logf(float x)
{
    if (!(x > 0) || !(x < __builtin_inff()))
        return x == 0 ? -__builtin_inff() : x > 0 ? x : __builtin_nanf("");
    int n = 0;
    if (x < 0x1p-126f) {
        x *= 0x1p24f;
        n = -24;
    }
    int bits = __float_as_int(x) - 0x3f3504f3; // sqrt(1/2)
    n += bits >> 23;
    float m = __int_as_float((bits & 0x7fffff) + 0x3f3504f3);
    float s = (m - 1) / (m + 1), q = s * s;
    float p = bankshot_series(q, {1.0f / 11, 1.0f / 9, 1.0f / 7, 1.0f / 5, 1.0f / 3});
    float small = fmaf(2 * s * q, p, (float)n * 1.42860677e-6f);
    return fmaf((float)n, 0.693145752f, 2 * s + small);
}
// log x times high + low
BANKSHOT_DEVICE double bankshot_log_times(double x, double high, double low)
{
    if (!bankshot_has_log(x))
        return bankshot_no_log(x);
    double l, h = bankshot_log(x, &l), p = __dmul_rn(h, high);
    return p + (fma(h, high, -p) + h * low + l * high);
}
BANKSHOT_DEVICE double log2(double x) { return bankshot_log_times(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56); }
BANKSHOT_DEVICE double log10(double x) { return bankshot_log_times(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57); }
BANKSHOT_DEVICE double log1p(double x)
{
    double u = 1 + x, low;
    if (u == 1 || !bankshot_has_log(u))
        return u == 1 ? x : bankshot_no_log(u);
    double lost = x < 1 ? x - (u - 1) : 1 - (u - x), h = bankshot_log(u, &low);
    return h + (low + lost / u);
}

// ---- powers

BANKSHOT_DEVICE double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    bool integer = trunc(y) == y, odd = integer && fabs(y) < 0x1p53 && trunc(y * 0.5) * 2 != y;
    double r;
    if (x == 0 || isinf(x))
        r = (x == 0) == (y > 0) ? 0 : __builtin_inf();
    else if (isinf(y))
        r = fabs(x) == 1 ? 1 : (fabs(x) > 1) == (y > 0) ? __builtin_inf() : 0;
    else if (x < 0 && !integer)
        return __builtin_nan("");
    else {
        double low, h = bankshot_log(fabs(x), &low), l = __dmul_rn(y, h);
        r = bankshot_exp(l, fabs(l) < 1000 ? fma(y, h, -l) + y * low : 0);
    }
    return odd && signbit(x) ? -r : r;
}
BANKSHOT_DEVICE double cbrt(double x)
{
    if (x == 0 || !isfinite(x))
        return x;
    double a = fabs(x), scale = a < 1e-280 ? 0x1p-60 : 1;
    a *= scale < 1 ? 0x1p180 : 1;
    double r = exp(log(a) / 3), q = r * r;
    r -= (fma(q, r, -a) + fma(r, r, -q) * r) / (3 * q);
    return copysign(r * scale, x);
}
// ---- circles. Arguments are reduced by pi/2 in two parts, beyond 2^30 by as many bits of 2/pi as their exponent asks
// for.

static __attribute__((device, constant)) const unsigned long long bankshot_two_over_pi[] = {0,
                                                                                            0xa2f9836e4e441529ull,
                                                                                            0xfc2757d1f534ddc0ull,
                                                                                            0xdb6295993c439041ull,
                                                                                            0xfe5163abdebbc561ull,
                                                                                            0xb7246e3a424dd2e0ull,
                                                                                            0x06492eea09d1921cull,
                                                                                            0xfe1deb1cb129a73eull,
                                                                                            0xe88235f52ebb4484ull,
                                                                                            0xe99c7026b45f7e41ull,
                                                                                            0x3991d639835339f4ull,
                                                                                            0x9c845f8bbdf9283bull,
                                                                                            0x1ff897ffde05980full,
                                                                                            0xef2f118b5a0a6d1full,
                                                                                            0x6d367ecf27cb09b7ull,
                                                                                            0x4f463f669e5fea2dull,
                                                                                            0x7527bac7ebe5f17bull,
                                                                                            0x3d0739f78a5292eaull,
                                                                                            0x6bfb5fb11f8d5d08ull,
                                                                                            0x56033046fc7b6babull};
// The quadrant, 0 to 3, and what is left of x >= 2^30: of x 2/pi the 192 bits below the quadrants' own.
BANKSHOT_DEVICE int bankshot_reduce_large(double x, double *r)
{
    unsigned long long bits = (unsigned long long)__double_as_longlong(x), m = (bits & 0xfffffffffffffull) | 1ull << 52;
    int from = (int)(bits >> 52 & 0x7ff) - 1013, word = from >> 6, shift = from & 63; // x is m 2^(from - 62)
    unsigned long long w[3];
#pragma unroll
    for (int i = 0; i < 3; i++)
        w[i] =
            bankshot_two_over_pi[word + i] << shift | (shift ? bankshot_two_over_pi[word + i + 1] >> (64 - shift) : 0);
    unsigned long long low = m * w[2], middle = m * w[1] + __umul64hi(m, w[2]);
    unsigned long long high = m * w[0] + __umul64hi(m, w[1]) + (middle < m * w[1]);
    int quadrant = (int)(high >> 62);
    long long turn = (long long)(high << 2 | middle >> 62); // of a quadrant, from -1/2
    quadrant += turn < 0;
    double h = (double)turn, l = (double)(turn - (long long)h) + 0x1p-64 * (double)(middle << 2 | low >> 62);
    double p = __dmul_rn(h, BANKSHOT_PI / 2);
    *r = 0x1p-64 * (p + (fma(h, BANKSHOT_PI / 2, -p) + fma(l, BANKSHOT_PI / 2, h * 0x1.1a62633145c07p-54)));
    return quadrant & 3;
}
BANKSHOT_DEVICE int bankshot_reduce(double x, double *r)
{
    if (fabs(x) >= 0x1p30 && isfinite(x)) {
        int quadrant = bankshot_reduce_large(fabs(x), r);
        *r = signbit(x) ? -*r : *r;
        return signbit(x) ? -quadrant & 3 : quadrant;
    }
    double n = rint(x * (2 / BANKSHOT_PI));
    double t = fma(n, -0x1.921fb54442d18p+0, x);
    t = fma(n, -0x1.1a62633145c07p-54, t);
    *r = t;
    return (int)(long long)n & 3;
}
BANKSHOT_DEVICE double bankshot_sin_small(double x)
{
    double q = x * x;
    double s = bankshot_series(q, {1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800,
                                   1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6});
    return fma(x * q, s, x);
}
BANKSHOT_DEVICE double bankshot_cos_small(double x)
{
    double q = x * x;
    double s = bankshot_series(q, {1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
                                   1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5});
    return fma(q, s, 1.0);
}
BANKSHOT_DEVICE void sincos(double x, double *sine, double *cosine)
{
    double r;
    int quadrant = bankshot_reduce(x, &r);
    double s = bankshot_sin_small(r), c = bankshot_cos_small(r);
    double a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
    *sine = x == 0 ? x : quadrant & 2 ? -a : a;
    *cosine = (quadrant + 1) & 2 ? -b : b;
}
BANKSHOT_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    double r;
    int quadrant = bankshot_reduce((double)x, &r);
    float f = (float)r, q = f * f;
    float s = fmaf(fmaf(fmaf(2.75573192e-6f, q, -1.98412698e-4f), q, 8.33333333e-3f), q, -1.66666667e-1f);
    s = fmaf(f * q, s, f);
    float c = fmaf(fmaf(fmaf(-2.75573192e-7f, q, 2.48015873e-5f), q, -1.38888889e-3f), q, 4.16666667e-2f);
    c = fmaf(fmaf(c, q, -0.5f), q, 1.0f);
    float a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
    *sine = x == 0 ? x : quadrant & 2 ? -a : a;
    *cosine = (quadrant + 1) & 2 ? -b : b;
}
#define BANKSHOT_CIRCLE(name, type, result, both)                                                                      \
    BANKSHOT_DEVICE type name(type x)                                                                                  \
    {                                                                                                                  \
        type s, c;                                                                                                     \
        both(x, &s, &c);                                                                                               \
        return result;                                                                                                 \
    }
BANKSHOT_CIRCLE(sin, double, s, sincos)
BANKSHOT_CIRCLE(cos, double, c, sincos)
BANKSHOT_CIRCLE(tan, double, s / c, sincos)
BANKSHOT_CIRCLE(sinf, float, s, sincosf)
BANKSHOT_CIRCLE(cosf, float, c, sincosf)
BANKSHOT_CIRCLE(tanf, float, s / c, sincosf)
#undef BANKSHOT_CIRCLE
// atan by its series after two reductions: to [0, 1], then about pi/6
BANKSHOT_DEVICE double atan(double x)
{
    if (x != x)
        return x;
    double a = fabs(x), base = 0;
    bool inverted = a > 1, turned;
    if (inverted)
        a = 1 / a;
    turned = a > 0.26794919243112270647;
    if (turned) {
        a = (1.73205080756887729353 * a - 1) / (a + 1.73205080756887729353);
        base = BANKSHOT_PI / 6;
    }
    double q = a * a;
    double p = bankshot_series(q, {-1.0 / 25, 1.0 / 23, -1.0 / 21, 1.0 / 19, -1.0 / 17, 1.0 / 15, -1.0 / 13, 1.0 / 11,
                                   -1.0 / 9, 1.0 / 7, -1.0 / 5, 1.0 / 3});
    double r = base + fma(-a * q, p, a);
    return copysign(inverted ? BANKSHOT_PI / 2 - r : r, x);
}
BANKSHOT_DEVICE double atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    double a = fabs(y), b = fabs(x), r;
    if (a == b)
        r = a == 0 ? 0 : BANKSHOT_PI / 4;
    else
        r = b > a ? atan(a / b) : BANKSHOT_PI / 2 - atan(b / a);
    return copysign(signbit(x) ? BANKSHOT_PI - r : r, y);
}
// for |x| <= 1/2
BANKSHOT_DEVICE double bankshot_asin_small(double x)
{
    double q = x * x;
    double p = bankshot_series(8 * q - 1, {0x1.d72b2bc8155f8p-42, 0x1.cf6b6d5bcfe8dp-39, 0x1.b467c5401924ap-36,
                                           0x1.b720629d25d37p-33, 0x1.c0b3d4e5ab096p-30, 0x1.d21a6bfcff356p-27,
                                           0x1.eefaf3079cd7cp-24, 0x1.0e70f8d3e5976p-20, 0x1.3316da050950dp-17,
                                           0x1.702d48c4d5d26p-14, 0x1.df7ed1245b6fbp-11, 0x1.678fec81fd1e7p-7,
                                           0x1.6a1887fac5ab8p-3});
    return fma(x * q, p, x);
}
BANKSHOT_DEVICE double asin(double x)
{
    double a = fabs(x);
    if (a <= 0.5)
        return bankshot_asin_small(x);
    return copysign(BANKSHOT_PI / 2 - (2 * bankshot_asin_small(sqrt(0.5 * (1 - a))) - 0x1.1a62633145c07p-54), x);
}
BANKSHOT_DEVICE double acos(double x)
{
    if (fabs(x) <= 0.5)
        return BANKSHOT_PI / 2 - (bankshot_asin_small(x) - 0x1.1a62633145c07p-54);
    double near = 2 * bankshot_asin_small(sqrt(0.5 * (1 - fabs(x))));
    return x > 0 ? near : BANKSHOT_PI - (near - 0x1.1a62633145c07p-53);
}

// ---- hyperbolas

BANKSHOT_DEVICE double sinh(double x)
{
    double a = fabs(x), e = a < 709 ? expm1(a) : exp(a * 0.5);
    return copysign(a < 709 ? 0.5 * (e + e / (e + 1)) : 0.5 * e * e, x);
}
BANKSHOT_DEVICE double cosh(double x)
{
    double a = fabs(x), e = a < 709 ? exp(a) : exp(a * 0.5);
    return a < 709 ? 0.5 * (e + 1 / e) : 0.5 * e * e;
}
BANKSHOT_DEVICE double tanh(double x)
{
    double a = fabs(x), e = expm1(fmin(2 * a, 80.0));
    return x != x ? x : copysign(e / (e + 2), x);
}
BANKSHOT_DEVICE double asinh(double x)
{
    double a = fabs(x);
    return copysign(a > 1e150 ? log(a) + BANKSHOT_LN2 : log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
BANKSHOT_DEVICE double acosh(double x)
{
    double t = x - 1;
    return x > 1e150 ? log(x) + BANKSHOT_LN2 : x < 1 ? __builtin_nan("") : log1p(t + sqrt(t * (x + 1)));
}
BANKSHOT_DEVICE double atanh(double x)
{
    double a = fabs(x);
    return copysign(0.5 * log1p(2 * a / (1 - a)), x);
}
BANKSHOT_DEVICE float tanhf(float x)
{
    float a = fabsf(x), q = a * a;
    if (x == 0)
        return x;
    if (a < 0.3f) { // x - x^3/3 + 2x^5/15 - 17x^7/315 + 62x^9/2835
        float p = fmaf(fmaf(fmaf(fmaf(-8.8632355e-3f, q, 2.1869489e-2f), q, -5.3968254e-2f), q, 1.3333333e-1f), q,
                       -3.3333333e-1f);
        return fmaf(x * q, p, x);
    }
    return copysignf(x != x ? x : 1 - 2 / (expf(2 * fminf(a, 20.0f)) + 1), x);
}

#include <bankshot_special.h>

// ---- float functions that are left, and the overloads of C++ for float

#define BANKSHOT_OVERLOAD1(name)                                                                                       \
    BANKSHOT_DEVICE float name(float x) { return name##f(x); }
#define BANKSHOT_OVERLOAD2(name)                                                                                       \
    BANKSHOT_DEVICE float name(float x, float y) { return name##f(x, y); }
// Without a float version of their own: in double, rounded once.
#define BANKSHOT_IN_DOUBLE1(name)                                                                                      \
    BANKSHOT_DEVICE float name##f(float x) { return (float)name((double)x); }                                          \
    BANKSHOT_OVERLOAD1(name)
#define BANKSHOT_IN_DOUBLE2(name)                                                                                      \
    BANKSHOT_DEVICE float name##f(float x, float y) { return (float)name((double)x, (double)y); }                      \
    BANKSHOT_OVERLOAD2(name)
BANKSHOT_OVERLOAD1(exp)
BANKSHOT_OVERLOAD1(exp2)
BANKSHOT_OVERLOAD1(log)
BANKSHOT_OVERLOAD1(sin)
BANKSHOT_OVERLOAD1(cos)
BANKSHOT_OVERLOAD1(tan)
BANKSHOT_OVERLOAD1(tanh)
BANKSHOT_OVERLOAD1(round)
BANKSHOT_IN_DOUBLE1(expm1)
BANKSHOT_IN_DOUBLE1(exp10)
BANKSHOT_IN_DOUBLE1(log2)
BANKSHOT_IN_DOUBLE1(log10)
BANKSHOT_IN_DOUBLE1(log1p)
BANKSHOT_IN_DOUBLE1(cbrt)
BANKSHOT_IN_DOUBLE1(atan)
BANKSHOT_IN_DOUBLE1(asin)
BANKSHOT_IN_DOUBLE1(acos)
BANKSHOT_IN_DOUBLE1(sinh)
BANKSHOT_IN_DOUBLE1(cosh)
BANKSHOT_IN_DOUBLE1(asinh)
BANKSHOT_IN_DOUBLE1(acosh)
BANKSHOT_IN_DOUBLE1(atanh)
BANKSHOT_IN_DOUBLE1(erf)
BANKSHOT_IN_DOUBLE1(erfc)
BANKSHOT_IN_DOUBLE1(normcdf)
BANKSHOT_IN_DOUBLE1(erfcx)
BANKSHOT_IN_DOUBLE1(erfinv)
BANKSHOT_IN_DOUBLE1(erfcinv)
BANKSHOT_IN_DOUBLE1(normcdfinv)
BANKSHOT_IN_DOUBLE1(lgamma)
BANKSHOT_IN_DOUBLE1(tgamma)
BANKSHOT_IN_DOUBLE1(j0)
BANKSHOT_IN_DOUBLE1(j1)
BANKSHOT_IN_DOUBLE1(y0)
BANKSHOT_IN_DOUBLE1(y1)
BANKSHOT_IN_DOUBLE1(cyl_bessel_i0)
BANKSHOT_IN_DOUBLE1(cyl_bessel_i1)
BANKSHOT_IN_DOUBLE1(sinpi)
BANKSHOT_IN_DOUBLE1(cospi)
BANKSHOT_IN_DOUBLE1(rcbrt)
BANKSHOT_IN_DOUBLE1(logb)
BANKSHOT_DEVICE float jnf(int n, float x) { return (float)jn(n, (double)x); }
BANKSHOT_DEVICE float ynf(int n, float x) { return (float)yn(n, (double)x); }
BANKSHOT_OVERLOAD2(hypot)
BANKSHOT_OVERLOAD2(remainder)
BANKSHOT_OVERLOAD2(nextafter)
BANKSHOT_OVERLOAD2(fdim)
BANKSHOT_OVERLOAD2(copysign)
BANKSHOT_IN_DOUBLE2(pow)
BANKSHOT_IN_DOUBLE2(fmod)
BANKSHOT_IN_DOUBLE2(atan2)
BANKSHOT_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
BANKSHOT_DEVICE float frexp(float x, int *n) { return frexpf(x, n); }
BANKSHOT_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
// sqrt(int), pow(float, double) and their like
#define BANKSHOT_INTEGER1(name)                                                                                        \
    BANKSHOT_DEVICE double name(int x) { return name((double)x); }
BANKSHOT_INTEGER1(sqrt)
BANKSHOT_INTEGER1(exp)
BANKSHOT_INTEGER1(log)
BANKSHOT_INTEGER1(log2)
BANKSHOT_INTEGER1(sin)
BANKSHOT_INTEGER1(cos)
BANKSHOT_INTEGER1(floor)
BANKSHOT_INTEGER1(ceil)
BANKSHOT_DEVICE double pow(float x, double y) { return pow((double)x, y); }
BANKSHOT_DEVICE double pow(double x, float y) { return pow(x, (double)y); }
BANKSHOT_DEVICE double pow(double x, int y) { return pow(x, (double)y); }
BANKSHOT_DEVICE float pow(float x, int y) { return powf(x, (float)y); }
BANKSHOT_DEVICE double pow(int x, int y) { return pow((double)x, (double)y); }
BANKSHOT_DEVICE double fmax(float x, double y) { return fmax((double)x, y); }
BANKSHOT_DEVICE double fmax(double x, float y) { return fmax(x, (double)y); }
BANKSHOT_DEVICE double fmin(float x, double y) { return fmin((double)x, y); }
BANKSHOT_DEVICE double fmin(double x, float y) { return fmin(x, (double)y); }
#undef BANKSHOT_OVERLOAD1
#undef BANKSHOT_OVERLOAD2
#undef BANKSHOT_IN_DOUBLE1
#undef BANKSHOT_IN_DOUBLE2
#undef BANKSHOT_INTEGER1

// <cmath> makes the integer of a float by functions that no back end for PTX has.
#define BANKSHOT_ROUNDED(name, type, builtin)                                                                          \
    static inline __attribute__((host, device, always_inline)) constexpr type name(float x) { return (type)builtin(x); }
BANKSHOT_ROUNDED(bankshot_lround, long, __builtin_roundf)
BANKSHOT_ROUNDED(bankshot_llround, long long, __builtin_roundf)
BANKSHOT_ROUNDED(bankshot_lrint, long, __builtin_rintf)
BANKSHOT_ROUNDED(bankshot_llrint, long long, __builtin_rintf)
#undef BANKSHOT_ROUNDED
#define __builtin_lroundf bankshot_lround
#define __builtin_llroundf bankshot_llround
#define __builtin_lrintf bankshot_lrint
#define __builtin_llrintf bankshot_llrint

// std::sqrt and the others, for files that say so without, or with, <cmath>
namespace std
{
#define BANKSHOT_STD(name) using ::name;
BANKSHOT_STD(sqrt)
BANKSHOT_STD(fabs)
BANKSHOT_STD(floor) BANKSHOT_STD(ceil) BANKSHOT_STD(exp) BANKSHOT_STD(log) BANKSHOT_STD(sin) BANKSHOT_STD(cos)
    BANKSHOT_STD(tan) BANKSHOT_STD(tanh) BANKSHOT_STD(pow) BANKSHOT_STD(fmod) BANKSHOT_STD(fma) BANKSHOT_STD(fmin)
        BANKSHOT_STD(fmax) BANKSHOT_STD(abs) BANKSHOT_STD(round) BANKSHOT_STD(trunc) BANKSHOT_STD(isnan)
            BANKSHOT_STD(isinf) BANKSHOT_STD(isfinite)
#undef BANKSHOT_STD
} // namespace std
