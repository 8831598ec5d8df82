// Several small integers in one word: __vadd4 and its family, sums of products, and the three-operand minima and maxima
// of sm_90. CUDA specifies each of them bit for bit. Part of bankshot_device.h.
#pragma clang system_header

// A function of one or two words, lane by lane: x and y are a lane's values as `type`, expr its result.
#define BANKSHOT_LANES(name, bits, type, expr, ...)                                                                    \
    BANKSHOT_DEVICE unsigned int name(unsigned int a, ##__VA_ARGS__)                                                   \
    {                                                                                                                  \
        unsigned int r = 0;                                                                                            \
        _Pragma("unroll") for (int i = 0; i < 32; i += bits)                                                           \
        {                                                                                                              \
            int x = (type)(a >> i), y = (type)(b >> i);                                                                \
            r |= ((unsigned int)(expr) & ((1u << bits) - 1)) << i;                                                     \
        }                                                                                                              \
        return r;                                                                                                      \
    }
#define BANKSHOT_LANES1(name, bits, type, expr) BANKSHOT_LANES(name, bits, type, expr, unsigned int b = 0)
#define BANKSHOT_LANES2(name, bits, type, expr) BANKSHOT_LANES(name, bits, type, expr, unsigned int b)
BANKSHOT_DEVICE int bankshot_clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

#define BANKSHOT_COMPARES(suffix, bits, type, symbol)                                                                  \
    BANKSHOT_LANES2(__vcmp##suffix, bits, type, x symbol y ? -1 : 0)                                                   \
    BANKSHOT_LANES2(__vset##suffix, bits, type, x symbol y ? 1 : 0)
#define BANKSHOT_ORDERS(sign, n, bits, type)                                                                           \
    BANKSHOT_COMPARES(ge##sign##n, bits, type, >=)                                                                     \
    BANKSHOT_COMPARES(gt##sign##n, bits, type, >)                                                                      \
    BANKSHOT_COMPARES(le##sign##n, bits, type, <=)                                                                     \
    BANKSHOT_COMPARES(lt##sign##n, bits, type, <)                                                                      \
    BANKSHOT_LANES2(__vmax##sign##n, bits, type, x > y ? x : y)                                                        \
    BANKSHOT_LANES2(__vmin##sign##n, bits, type, x < y ? x : y)                                                        \
    BANKSHOT_LANES2(__vabsdiff##sign##n, bits, type, x > y ? x - y : y - x)                                            \
    BANKSHOT_LANES2(__vavg##sign##n, bits, type, (x + y + (x + y >= 0)) >> 1) /* halves go away from zero */           \
    BANKSHOT_DEVICE unsigned int __vsad##sign##n(unsigned int a, unsigned int b)                                       \
    {                                                                                                                  \
        unsigned int r = 0;                                                                                            \
        _Pragma("unroll") for (int i = 0; i < 32; i += bits) r += (unsigned int)abs((type)(a >> i) - (type)(b >> i));  \
        return r;                                                                                                      \
    }
#define BANKSHOT_SIMD(n, bits, with_sign, without)                                                                     \
    BANKSHOT_LANES1(__vabs##n, bits, with_sign, x < 0 ? -x : x)                                                        \
    BANKSHOT_LANES1(__vabsss##n, bits, with_sign, bankshot_clamp(x < 0 ? -x : x, 0, (1 << (bits - 1)) - 1))            \
    BANKSHOT_LANES1(__vneg##n, bits, with_sign, -x)                                                                    \
    BANKSHOT_LANES1(__vnegss##n, bits, with_sign, bankshot_clamp(-x, -(1 << (bits - 1)), (1 << (bits - 1)) - 1))       \
    BANKSHOT_LANES2(__vadd##n, bits, without, x + y)                                                                   \
    BANKSHOT_LANES2(__vsub##n, bits, without, x - y)                                                                   \
    BANKSHOT_LANES2(__vaddss##n, bits, with_sign, bankshot_clamp(x + y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1))    \
    BANKSHOT_LANES2(__vsubss##n, bits, with_sign, bankshot_clamp(x - y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1))    \
    BANKSHOT_LANES2(__vaddus##n, bits, without, bankshot_clamp(x + y, 0, (1 << bits) - 1))                             \
    BANKSHOT_LANES2(__vsubus##n, bits, without, bankshot_clamp(x - y, 0, (1 << bits) - 1))                             \
    BANKSHOT_LANES2(__vhaddu##n, bits, without, (x + y) >> 1)                                                          \
    BANKSHOT_COMPARES(eq##n, bits, without, ==)                                                                        \
    BANKSHOT_COMPARES(ne##n, bits, without, !=)                                                                        \
    BANKSHOT_ORDERS(s, n, bits, with_sign)                                                                             \
    BANKSHOT_ORDERS(u, n, bits, without)
BANKSHOT_SIMD(2, 16, short, unsigned short)
BANKSHOT_SIMD(4, 8, signed char, unsigned char)

// ---- sums of products

BANKSHOT_TERNARY(__dp4a, int, "r", "dp4a.s32.s32")
BANKSHOT_TERNARY(__dp4a, unsigned int, "r", "dp4a.u32.u32")
BANKSHOT_TERNARY(__dp2a_lo, int, "r", "dp2a.lo.s32.s32")
BANKSHOT_TERNARY(__dp2a_hi, int, "r", "dp2a.hi.s32.s32")
BANKSHOT_TERNARY(__dp2a_lo, unsigned int, "r", "dp2a.lo.u32.u32")
BANKSHOT_TERNARY(__dp2a_hi, unsigned int, "r", "dp2a.hi.u32.u32")
#define BANKSHOT_PRODUCTS(name, type, left, right)                                                                     \
    BANKSHOT_DEVICE type name(left a, right b, type c)                                                                 \
    {                                                                                                                  \
        return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                                      \
    }
BANKSHOT_PRODUCTS(__dp4a, int, char4, char4)
BANKSHOT_PRODUCTS(__dp4a, unsigned int, uchar4, uchar4)
BANKSHOT_PRODUCTS(__dp2a_lo, int, short2, char4)
BANKSHOT_PRODUCTS(__dp2a_hi, int, short2, char4)
BANKSHOT_PRODUCTS(__dp2a_lo, unsigned int, ushort2, uchar4)
BANKSHOT_PRODUCTS(__dp2a_hi, unsigned int, ushort2, uchar4)
#undef BANKSHOT_PRODUCTS

// ---- minima and maxima of three, of a sum, and with the predicate that says which. Sums wrap.

#define BANKSHOT_PAIRS(name, first, second)                                                                            \
    BANKSHOT_DEVICE unsigned int __v##name##16x2(unsigned int a, unsigned int b, unsigned int c)                       \
    {                                                                                                                  \
        return second(first(a, b), c);                                                                                 \
    }
#define BANKSHOT_WORDS(name, type, first, second)                                                                      \
    BANKSHOT_DEVICE type __v##name(type a, type b, type c) { return second(first, c); }
#define BANKSHOT_RELU(name)                                                                                            \
    BANKSHOT_DEVICE int __v##name##_s32_relu(int a, int b, int c) { return max(__v##name##_s32(a, b, c), 0); }         \
    BANKSHOT_DEVICE unsigned int __v##name##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c)                \
    {                                                                                                                  \
        return __vmaxs2(__v##name##_s16x2(a, b, c), 0);                                                                \
    }
#define BANKSHOT_EXTREME(m, sign)                                                                                      \
    BANKSHOT_WORDS(iadd##m##_s32, int, (int)((unsigned int)a + (unsigned int)b), m)                                    \
    BANKSHOT_WORDS(iadd##m##_u32, unsigned int, a + b, m)                                                              \
    BANKSHOT_WORDS(i##m##3_s32, int, m(a, b), m)                                                                       \
    BANKSHOT_WORDS(i##m##3_u32, unsigned int, m(a, b), m)                                                              \
    BANKSHOT_PAIRS(iadd##m##_s, __vadd2, __v##m##s2)                                                                   \
    BANKSHOT_PAIRS(iadd##m##_u, __vadd2, __v##m##u2)                                                                   \
    BANKSHOT_PAIRS(i##m##3_s, __v##m##s2, __v##m##s2)                                                                  \
    BANKSHOT_PAIRS(i##m##3_u, __v##m##u2, __v##m##u2)                                                                  \
    BANKSHOT_RELU(iadd##m)                                                                                             \
    BANKSHOT_RELU(i##m##3)                                                                                             \
    BANKSHOT_DEVICE int __vi##m##_s32_relu(int a, int b) { return max(m(a, b), 0); }                                   \
    BANKSHOT_DEVICE unsigned int __vi##m##_s16x2_relu(unsigned int a, unsigned int b)                                  \
    {                                                                                                                  \
        return __vmaxs2(__v##m##s2(a, b), 0);                                                                          \
    }                                                                                                                  \
    BANKSHOT_WHICH(ib##m##_s32, int, sign)                                                                             \
    BANKSHOT_WHICH(ib##m##_u32, unsigned int, sign)                                                                    \
    BANKSHOT_WHICH2(ib##m##_s16x2, short, sign, __v##m##s2)                                                            \
    BANKSHOT_WHICH2(ib##m##_u16x2, unsigned short, sign, __v##m##u2)
#define BANKSHOT_WHICH(name, type, sign)                                                                               \
    BANKSHOT_DEVICE type __v##name(type a, type b, bool *first)                                                        \
    {                                                                                                                  \
        *first = a sign b;                                                                                             \
        return a sign b ? a : b;                                                                                       \
    }
#define BANKSHOT_WHICH2(name, type, sign, extreme)                                                                     \
    BANKSHOT_DEVICE unsigned int __v##name(unsigned int a, unsigned int b, bool *high, bool *low)                      \
    {                                                                                                                  \
        *high = (type)(a >> 16) sign(type)(b >> 16);                                                                   \
        *low = (type)a sign(type) b;                                                                                   \
        return extreme(a, b);                                                                                          \
    }
BANKSHOT_EXTREME(max, >=)
BANKSHOT_EXTREME(min, <=)
#undef BANKSHOT_LANES
#undef BANKSHOT_LANES1
#undef BANKSHOT_LANES2
#undef BANKSHOT_COMPARES
#undef BANKSHOT_ORDERS
#undef BANKSHOT_SIMD
#undef BANKSHOT_PAIRS
#undef BANKSHOT_WORDS
#undef BANKSHOT_RELU
#undef BANKSHOT_EXTREME
#undef BANKSHOT_WHICH
#undef BANKSHOT_WHICH2
