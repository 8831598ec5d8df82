// Integer intrinsics and conversions. Part of bankshot_device.h.
#pragma clang system_header

BANKSHOT_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
BANKSHOT_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
BANKSHOT_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
BANKSHOT_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
BANKSHOT_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
BANKSHOT_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
BANKSHOT_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
BANKSHOT_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
BANKSHOT_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
BANKSHOT_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
BANKSHOT_BINARY(__mul64hi, long long, "l", "mul.hi.s64")
BANKSHOT_BINARY(__umul64hi, unsigned long long, "l", "mul.hi.u64")
BANKSHOT_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
BANKSHOT_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
BANKSHOT_TERNARY_OF(__sad, unsigned int, int, "r", "sad.s32")
BANKSHOT_TERNARY(__usad, unsigned int, "r", "sad.u32")
BANKSHOT_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
BANKSHOT_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
BANKSHOT_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
BANKSHOT_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
BANKSHOT_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
BANKSHOT_DEVICE unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
BANKSHOT_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
BANKSHOT_TERNARY(bankshot_prmt, unsigned int, "r", "prmt.b32")
BANKSHOT_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s)
{
    return bankshot_prmt(a, b, s & 0x7777); // the instruction's fourth bits ask for signs
}
BANKSHOT_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    unsigned int found;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(mask), "r"(base), "r"(offset));
    return found;
}
BANKSHOT_TERNARY(__funnelshift_l, unsigned int, "r", "shf.l.wrap.b32")
BANKSHOT_TERNARY(__funnelshift_lc, unsigned int, "r", "shf.l.clamp.b32")
BANKSHOT_TERNARY(__funnelshift_r, unsigned int, "r", "shf.r.wrap.b32")
BANKSHOT_TERNARY(__funnelshift_rc, unsigned int, "r", "shf.r.clamp.b32")

// ---- bits of one type as another

BANKSHOT_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
BANKSHOT_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
BANKSHOT_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
BANKSHOT_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
BANKSHOT_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
BANKSHOT_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
BANKSHOT_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
BANKSHOT_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
BANKSHOT_DEVICE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned int)low);
}

// ---- conversions with a rounding mode

#define BANKSHOT_TO_INTEGER(name, to, from, types, out, in)                                                            \
    BANKSHOT_UNARY(name##_rn, to, out, from, in, "cvt.rni." types)                                                     \
    BANKSHOT_UNARY(name##_rz, to, out, from, in, "cvt.rzi." types)                                                     \
    BANKSHOT_UNARY(name##_ru, to, out, from, in, "cvt.rpi." types)                                                     \
    BANKSHOT_UNARY(name##_rd, to, out, from, in, "cvt.rmi." types)
#define BANKSHOT_TO_FLOAT(name, to, from, types, out, in)                                                              \
    BANKSHOT_UNARY(name##_rn, to, out, from, in, "cvt.rn." types)                                                      \
    BANKSHOT_UNARY(name##_rz, to, out, from, in, "cvt.rz." types)                                                      \
    BANKSHOT_UNARY(name##_ru, to, out, from, in, "cvt.rp." types)                                                      \
    BANKSHOT_UNARY(name##_rd, to, out, from, in, "cvt.rm." types)
BANKSHOT_TO_INTEGER(__float2int, int, float, "s32.f32", "r", "f")
BANKSHOT_TO_INTEGER(__float2uint, unsigned int, float, "u32.f32", "r", "f")
BANKSHOT_TO_INTEGER(__float2ll, long long, float, "s64.f32", "l", "f")
BANKSHOT_TO_INTEGER(__float2ull, unsigned long long, float, "u64.f32", "l", "f")
BANKSHOT_TO_INTEGER(__double2int, int, double, "s32.f64", "r", "d")
BANKSHOT_TO_INTEGER(__double2uint, unsigned int, double, "u32.f64", "r", "d")
BANKSHOT_TO_INTEGER(__double2ll, long long, double, "s64.f64", "l", "d")
BANKSHOT_TO_INTEGER(__double2ull, unsigned long long, double, "u64.f64", "l", "d")
BANKSHOT_TO_FLOAT(__int2float, float, int, "f32.s32", "f", "r")
BANKSHOT_TO_FLOAT(__uint2float, float, unsigned int, "f32.u32", "f", "r")
BANKSHOT_TO_FLOAT(__ll2float, float, long long, "f32.s64", "f", "l")
BANKSHOT_TO_FLOAT(__ull2float, float, unsigned long long, "f32.u64", "f", "l")
BANKSHOT_TO_FLOAT(__ll2double, double, long long, "f64.s64", "d", "l")
BANKSHOT_TO_FLOAT(__ull2double, double, unsigned long long, "f64.u64", "d", "l")
BANKSHOT_TO_FLOAT(__double2float, float, double, "f32.f64", "f", "d")
BANKSHOT_UNARY(__int2double_rn, double, "d", int, "r", "cvt.rn.f64.s32")
BANKSHOT_UNARY(__uint2double_rn, double, "d", unsigned int, "r", "cvt.rn.f64.u32")
#undef BANKSHOT_TO_INTEGER
#undef BANKSHOT_TO_FLOAT

// ---- min, max, abs of every pair that CUDA takes

#define BANKSHOT_MIN_MAX(type)                                                                                         \
    BANKSHOT_BOTH constexpr type min(type a, type b) { return b < a ? b : a; }                                         \
    BANKSHOT_BOTH constexpr type max(type a, type b) { return a < b ? b : a; }
#define BANKSHOT_MIN_MAX_MIXED(result, left, right)                                                                    \
    BANKSHOT_BOTH constexpr result min(left a, right b) { return min((result)a, (result)b); }                          \
    BANKSHOT_BOTH constexpr result max(left a, right b) { return max((result)a, (result)b); }                          \
    BANKSHOT_BOTH constexpr result min(right a, left b) { return min((result)a, (result)b); }                          \
    BANKSHOT_BOTH constexpr result max(right a, left b) { return max((result)a, (result)b); }
BANKSHOT_MIN_MAX(int)
BANKSHOT_MIN_MAX(unsigned int)
BANKSHOT_MIN_MAX(long)
BANKSHOT_MIN_MAX(unsigned long)
BANKSHOT_MIN_MAX(long long)
BANKSHOT_MIN_MAX(unsigned long long)
BANKSHOT_MIN_MAX_MIXED(unsigned int, int, unsigned int)
BANKSHOT_MIN_MAX_MIXED(unsigned long, long, unsigned long)
BANKSHOT_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
#undef BANKSHOT_MIN_MAX
#undef BANKSHOT_MIN_MAX_MIXED
BANKSHOT_DEVICE int abs(int x) { return x < 0 ? -x : x; }
BANKSHOT_DEVICE long abs(long x) { return x < 0 ? -x : x; }
BANKSHOT_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
BANKSHOT_DEVICE long labs(long x) { return x < 0 ? -x : x; }
BANKSHOT_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
BANKSHOT_DEVICE unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
BANKSHOT_DEVICE unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
BANKSHOT_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
BANKSHOT_DEVICE long long llmax(long long a, long long b) { return a > b ? a : b; }
BANKSHOT_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
BANKSHOT_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

// ---- rounding to odd: what is narrower than a float by two bits and more is rounded from it as from the number itself

template <class T> struct bankshot_number {};
#define BANKSHOT_ODD(T, to_float, back)                                                                                \
    template <> struct bankshot_number<T> { typedef T type; };                                                         \
    BANKSHOT_DEVICE float bankshot_odd(T x)                                                                            \
    {                                                                                                                  \
        float f = to_float(x);                                                                                         \
        return __int_as_float(__float_as_int(f) | (back(f) != x));                                                     \
    }
BANKSHOT_ODD(int, __int2float_rz, (int))
BANKSHOT_ODD(unsigned int, __uint2float_rz, (unsigned int))
BANKSHOT_ODD(long long, __ll2float_rz, (long long))
BANKSHOT_ODD(unsigned long long, __ull2float_rz, (unsigned long long))
BANKSHOT_ODD(long, __ll2float_rz, (long))
BANKSHOT_ODD(unsigned long, __ull2float_rz, (unsigned long))
BANKSHOT_ODD(short, (float), (short))
BANKSHOT_ODD(unsigned short, (float), (unsigned short))
#undef BANKSHOT_ODD
template <> struct bankshot_number<double> { typedef double type; };
BANKSHOT_DEVICE float bankshot_odd(double x)
{
    float f = __double2float_rz(x);
    return __int_as_float(__float_as_int(f) | (x == x && (double)f != x));
}
