// Inner products: eight sums each, so that one instruction adds to several.
#include "grade/inner.h"

enum { SUMS = 8 };
typedef double two_sums __attribute__((vector_size(16), aligned(8), may_alias));

// The sums, and what does not make eight any more.
static double add_up(const double *sums, const double *a, const double *b, size_t from, size_t depth)
{
    double all = 0;
    for (size_t i = from; i < depth; i++)
        all += a[i] * b[i];
    for (size_t i = 0; i < SUMS; i++)
        all += sums[i];
    return all;
}

// The products of `side` lines with as many: their sums have to find registers, vectors of `width`.
#define MULTIPLY(name, vector, width, side)                                                                            \
    static void name(const double *const *a, const double *const *b, size_t depth, double *result)                     \
    {                                                                                                                  \
        vector sums[side][side][SUMS / (width)] = {0};                                                                 \
        size_t whole = depth / SUMS * SUMS;                                                                            \
        for (size_t i = 0; i < whole; i += SUMS)                                                                       \
            _Pragma("GCC unroll 4") for (size_t r = 0; r < (side); r++)                                                \
                _Pragma("GCC unroll 4") for (size_t q = 0; q < (side); q++)                                            \
                    _Pragma("GCC unroll 4") for (size_t j = 0; j < SUMS / (width); j++) sums[r][q][j] +=               \
                *(const vector *)(a[r] + i + j * (width)) * *(const vector *)(b[q] + i + j * (width));                 \
        for (size_t r = 0; r < (side); r++)                                                                            \
            for (size_t q = 0; q < (side); q++)                                                                        \
                result[r * INNER_SIDE + q] = add_up((const double *)sums[r][q], a[r], b[q], whole, depth);             \
    }

MULTIPLY(one_plain, two_sums, 2, 1)

typedef void multiply_function(const double *const *a, const double *const *b, size_t depth, double *result);
struct multiplier {
    multiply_function *one, *some;
    size_t side; // of some
};
static const struct multiplier plain = {one_plain, one_plain, 1};

#ifdef __x86_64__
typedef double four_sums __attribute__((vector_size(32), aligned(8), may_alias));
typedef double eight_sums __attribute__((vector_size(64), aligned(8), may_alias));

__attribute__((target("avx2"))) MULTIPLY(one_wide, four_sums, 4, 1) __attribute__((target("avx2")))
MULTIPLY(some_wide, four_sums, 4, 2) __attribute__((target("avx512f")))
MULTIPLY(some_widest, eight_sums, 8, 4) static const struct multiplier wide = {one_wide, some_wide, 2},
                                                                       widest = {one_wide, some_widest, 4};

static const struct multiplier *fastest(void)
{
    bool is_wide = __builtin_cpu_supports("avx2");
    return is_wide && __builtin_cpu_supports("avx512f") ? &widest : is_wide ? &wide : &plain;
}
#else
static const struct multiplier *fastest(void)
{
    return &plain;
}
#endif

double inner_product(const double *a, const double *b, size_t depth)
{
    double result;
    fastest()->one(&a, &b, depth, &result);
    return result;
}

void inner_products(const double *const a[INNER_SIDE], const double *const b[INNER_SIDE], size_t depth,
                    double result[INNER_SIDE][INNER_SIDE])
{
    const struct multiplier *by = fastest();
    for (size_t r = 0; r < INNER_SIDE; r += by->side)
        for (size_t q = 0; q < INNER_SIDE; q += by->side)
            by->some(a + r, b + q, depth, &result[r][q]);
}
