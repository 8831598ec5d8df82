// Inner products: eight sums each, so that one instruction adds to several.
#include "grade/inner.h"

enum { SUMS = 8, AT_ONCE = 4 };
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
#define MULTIPLY(name, vector, width, side, attributes)                                                                \
    attributes static void name(const double *const *a, const double *const *b, size_t depth, double *result)          \
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

// Some vectors of a row.
#define COMBINE(name, vector, width, attributes)                                                                       \
    attributes static void name(const double *weights, const double *values, size_t count, size_t columns,             \
                                double *row)                                                                           \
    {                                                                                                                  \
        vector sums[AT_ONCE];                                                                                          \
        _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) sums[j] = *(vector *)(row + j * (width));         \
        for (size_t i = 0; i < count; i++)                                                                             \
            _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) sums[j] +=                                    \
                weights[i] * *(const vector *)(values + i * columns + j * (width));                                    \
        _Pragma("GCC unroll 4") for (size_t j = 0; j < AT_ONCE; j++) * (vector *)(row + j * (width)) = sums[j];        \
    }

MULTIPLY(one_plain, two_sums, 2, 1, )
COMBINE(combine_plain, two_sums, 2, )

typedef void multiply_function(const double *const *a, const double *const *b, size_t depth, double *result);
typedef void combine_function(const double *weights, const double *values, size_t count, size_t columns, double *row);
struct multiplier {
    multiply_function *one, *some;
    combine_function *combine;
    size_t side, width; // of some, of combine's vectors
};
static const struct multiplier plain = {one_plain, one_plain, combine_plain, 1, 2};

#ifdef __x86_64__
typedef double four_sums __attribute__((vector_size(32), aligned(8), may_alias));
typedef double eight_sums __attribute__((vector_size(64), aligned(8), may_alias));

MULTIPLY(one_wide, four_sums, 4, 1, __attribute__((target("avx2"))))
MULTIPLY(some_wide, four_sums, 4, 2, __attribute__((target("avx2"))))
COMBINE(combine_wide, four_sums, 4, __attribute__((target("avx2"))))
MULTIPLY(some_widest, eight_sums, 8, 4, __attribute__((target("avx512f"))))
COMBINE(combine_widest, eight_sums, 8, __attribute__((target("avx512f"))))

static const struct multiplier wide = {one_wide, some_wide, combine_wide, 2, 4};
static const struct multiplier widest = {one_wide, some_widest, combine_widest, 4, 8};

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

void inner_combine(const double *weights, const double *values, size_t count, size_t columns, double *row)
{
    const struct multiplier *by = fastest();
    size_t j = 0, some = AT_ONCE * by->width;
    for (; j + some <= columns; j += some)
        by->combine(weights, values + j, count, columns, row + j);
    for (size_t i = 0; i < count; i++)
        for (size_t k = j; k < columns; k++)
            row[k] += weights[i] * values[i * columns + k];
}
