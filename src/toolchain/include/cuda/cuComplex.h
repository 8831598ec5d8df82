// Complex numbers in pairs, for clang: cuFloatComplex, cuDoubleComplex.
#ifndef BANKSHOT_CUCOMPLEX_H
#define BANKSHOT_CUCOMPLEX_H
#pragma clang system_header

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define BANKSHOT_COMPLEX(C, T, f, make, root)                                                                          \
    BANKSHOT_BOTH C make(T x, T y) { return C{x, y}; }                                                                 \
    BANKSHOT_BOTH T cuCreal##f(C a) { return a.x; }                                                                    \
    BANKSHOT_BOTH T cuCimag##f(C a) { return a.y; }                                                                    \
    BANKSHOT_BOTH C cuConj##f(C a) { return C{a.x, -a.y}; }                                                            \
    BANKSHOT_BOTH C cuCadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                                            \
    BANKSHOT_BOTH C cuCsub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                                            \
    BANKSHOT_BOTH C cuCmul##f(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                    \
    BANKSHOT_BOTH C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }                                 \
    BANKSHOT_BOTH C cuCdiv##f(C a, C b) /* scaled, so that no square overflows */                                      \
    {                                                                                                                  \
        T s = 1 / (fabs##f(b.x) + fabs##f(b.y)), ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;               \
        T d = 1 / (bx * bx + by * by);                                                                                 \
        return C{(ax * bx + ay * by) * d, (ay * bx - ax * by) * d};                                                    \
    }                                                                                                                  \
    BANKSHOT_BOTH T cuCabs##f(C a) { return root(a.x, a.y); }
BANKSHOT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, hypotf)
BANKSHOT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, hypot)
#undef BANKSHOT_COMPLEX
BANKSHOT_BOTH cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
BANKSHOT_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return cuDoubleComplex{a.x, a.y}; }
BANKSHOT_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return cuFloatComplex{(float)a.x, (float)a.y}; }

#endif
