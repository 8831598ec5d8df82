// Products of halves, or of bfloat16, that come out exact: then single precision gives the same sums, many times as
// fast.
//
// All inputs are seen as whole numbers of units: of the lowest bit that any element of A, or of B, has. If C, too, is
// in whole units of their products, and all that can be added up stays below 2^24 of them, then nothing is ever
// rounded, neither in these sums nor in the hardware's, which cut off 2^-25 below the greatest (ops_matrix.c). Data of
// few bits, such as lessons', are like that.
#include "base/half.h"
#include "sim/matrix.h"

#ifdef __x86_64__
#include "sim/wide.h"

// Halves are whole numbers of 2^-24, of bfloat16 it is looked at. A half below 2^-14 counts as that, as it is stored.
enum { ROWS = 16, COLUMNS = 8, DEPTH = 16, HALF_BITS = 24, LEAST_BITS = HALF_BITS - 14 + 1, SUM_BITS = 23 };

// Of all elements of a matrix, by lanes of a vector: all bits of theirs, and of their magnitudes.
struct bits {
    __m256i all, sizes;
};

// Its lowest bit, and how many bits its greatest element needs from bit 0 on; 32: too many to tell.
struct extent {
    uint32_t low, high;
    bool is_zero;
};

static __thread struct {
    float values[ROWS][DEPTH];
    struct extent extent;
    bool is_told; // to matrix_exact_a's caller
} kept_a;

WIDE_INLINE void note_bits(struct bits *bits, __m256i values)
{
    bits->all = _mm256_or_si256(bits->all, values);
    bits->sizes = _mm256_or_si256(bits->sizes, _mm256_abs_epi32(values));
}

WIDE_INLINE uint32_t any_lane(__m256i values)
{
    __m128i four = _mm_or_si128(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    four = _mm_or_si128(four, _mm_unpackhi_epi64(four, four));
    return (uint32_t)_mm_cvtsi128_si32(four) | (uint32_t)_mm_extract_epi32(four, 1);
}

// What is too large to be converted becomes INT32_MIN.
WIDE_INLINE struct extent extent_of(const struct bits *bits)
{
    uint32_t all = any_lane(bits->all), sizes = any_lane(bits->sizes);
    return (struct extent){.low = all ? (uint32_t)__builtin_ctz(all) : 0,
                           .high = sizes ? 32 - (uint32_t)__builtin_clz(sizes) : 0,
                           .is_zero = all == 0};
}

WIDE_INLINE __m256 eight_inputs(const uint32_t *words, enum ptx_type type, struct bits *bits)
{
    __m256 values = eight_singles(_mm_loadu_si128((const __m128i *)(const void *)words), type);
    __m256 units = _mm256_mul_ps(values, _mm256_set1_ps((float)(1 << HALF_BITS)));
    __m256i whole = _mm256_cvtps_epi32(units);
    if (type == PTX_BF16) { // what is no whole number counts as too large
        __m256 differ = _mm256_cmp_ps(_mm256_cvtepi32_ps(whole), units, _CMP_NEQ_UQ);
        bits->sizes = _mm256_or_si256(bits->sizes, _mm256_slli_epi32(_mm256_castps_si256(differ), 31));
    }
    note_bits(bits, whole);
    return values;
}

WIDE static void take_a(const struct exec *x, enum ptx_type type, const struct matrix_lists *lists)
{
    const __m256 sign = _mm256_castsi256_ps(_mm256_set1_epi32(lists->negates ? INT32_MIN : 0));
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (uint32_t reg = 0; reg < 4; reg++) {
        const uint32_t *words = slot_at(x, lists->a[reg]);
        for (uint32_t g = 0; g < 8; g++)
            _mm256_storeu_ps(&kept_a.values[reg % 2 * 8 + g][reg / 2 * 8],
                             _mm256_xor_ps(eight_inputs(words + 4 * g, type, &bits), sign));
    }
    kept_a.extent = extent_of(&bits);
    kept_a.is_told = false;
}

WIDE static struct extent take_b(const struct exec *x, enum ptx_type type, const uint32_t *list, __m256 b[DEPTH])
{
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (uint32_t reg = 0; reg < 2; reg++) {
        const uint32_t *words = slot_at(x, list[reg]);
        for (uint32_t g = 0; g < 8; g++)
            b[8 * reg + g] = eight_inputs(words + 4 * g, type, &bits);
        turn_eight(b + 8 * reg);
    }
    return extent_of(&bits);
}

// Rows 8 half … of C. Whether they are whole numbers of units; of which `bits` are noted.
WIDE_INLINE bool take_c(const struct exec *x, const uint32_t *list, uint32_t half, __m256 per_unit, __m256 c[8],
                        struct bits *bits)
{
    const float *even = slot_at(x, list[2 * half]), *odd = slot_at(x, list[2 * half + 1]);
    __m256 differ = _mm256_setzero_ps();
    for (uint32_t g = 0; g < 8; g++) {
        __m128 a = _mm_loadu_ps(even + 4 * g), b = _mm_loadu_ps(odd + 4 * g);
        c[g] = _mm256_set_m128(_mm_unpackhi_ps(a, b), _mm_unpacklo_ps(a, b));
        __m256 units = _mm256_mul_ps(c[g], per_unit);
        __m256i whole = _mm256_cvtps_epi32(units);
        note_bits(bits, whole);
        differ = _mm256_or_ps(differ, _mm256_cmp_ps(_mm256_cvtepi32_ps(whole), units, _CMP_NEQ_UQ));
    }
    return _mm256_movemask_ps(differ) == 0;
}

WIDE_INLINE void multiply_rows(const float a[8][DEPTH], const __m256 b[DEPTH], __m256 c[8])
{
    for (uint32_t i = 0; i < DEPTH; i++)
        for (uint32_t g = 0; g < 8; g++)
            c[g] = _mm256_fmadd_ps(_mm256_broadcast_ss(&a[g][i]), b[i], c[g]);
}

WIDE_INLINE void put_rows(const struct exec *x, const uint32_t *list, uint32_t half, const __m256 d[8])
{
    float *even = slot_at(x, list[2 * half]), *odd = slot_at(x, list[2 * half + 1]);
    for (uint32_t g = 0; g < 8; g++) {
        __m128 low = _mm256_castps256_ps128(d[g]), high = _mm256_extractf128_ps(d[g], 1);
        _mm_storeu_ps(even + 4 * g, _mm_shuffle_ps(low, high, 0x88));
        _mm_storeu_ps(odd + 4 * g, _mm_shuffle_ps(low, high, 0xdd));
    }
}

WIDE static bool multiply_exactly(const struct exec *x, enum ptx_type type, const struct matrix_lists *lists)
{
    __m256 b[DEPTH], c[ROWS];
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    struct extent a_extent = kept_a.extent, b_extent = take_b(x, type, lists->b, b);
    bool is_zero = a_extent.is_zero || b_extent.is_zero; // then C need only be finite
    if (a_extent.high > 31 || b_extent.high > 31)
        return false;
    uint32_t low = a_extent.low + b_extent.low; // a unit: 2^(low - 2 * HALF_BITS), and not more than 1
    low = low < 2 * HALF_BITS ? low : 2 * HALF_BITS;
    uint32_t a_high = a_extent.high > LEAST_BITS ? a_extent.high : LEAST_BITS;
    uint32_t b_high = b_extent.high > LEAST_BITS ? b_extent.high : LEAST_BITS;
    if (!is_zero && a_high + b_high - low + 4 > SUM_BITS) // 2^4 products
        return false;
    __m256 per_unit = _mm256_set1_ps(is_zero ? 0 : bits_f32((127 + 2 * HALF_BITS - low) << 23));
    for (uint32_t half = 0; half < 2; half++) {
        if (lists->c && !take_c(x, lists->c, half, per_unit, c + 8 * half, &bits))
            return false;
        for (uint32_t g = 0; g < 8 && !lists->c; g++)
            c[8 * half + g] = _mm256_setzero_ps();
    }
    if (any_lane(bits.sizes) >> SUM_BITS)
        return false;
    for (uint32_t half = 0; half < 2; half++)
        multiply_rows(kept_a.values + 8 * half, b, c + 8 * half);
    for (uint32_t half = 0; half < 2; half++)
        put_rows(x, lists->d, half, c + 8 * half);
    return true;
}

bool matrix_may_be_exact(const struct matrix_shape *shape)
{
    const struct matrix_part *d = &shape->d, *c = &shape->c;
    return shape->a.in_rows && shape->b.in_rows && d->in_rows && c->in_rows && shape->m == ROWS &&
           shape->n == COLUMNS && shape->k == DEPTH && shape->a.layout == LAYOUT_A && shape->b.layout == LAYOUT_B &&
           c->layout == LAYOUT_C && d->layout == LAYOUT_C && c->type == PTX_F32 && d->type == PTX_F32 &&
           (shape->a.type == PTX_F16 || shape->a.type == PTX_BF16) && shape->b.type == shape->a.type;
}

bool matrix_exact(const struct exec *x, const struct matrix_shape *shape, const struct matrix_lists *lists)
{
    if (lists->a)
        take_a(x, shape->a.type, lists);
    return multiply_exactly(x, shape->a.type, lists);
}

void matrix_exact_a(double *values)
{
    for (uint32_t i = 0; i < ROWS * DEPTH && !kept_a.is_told; i++)
        values[i] = (double)kept_a.values[i / DEPTH][i % DEPTH];
    kept_a.is_told = true;
}
#else
bool matrix_may_be_exact(const struct matrix_shape *shape)
{
    (void)shape;
    return false;
}

bool matrix_exact(const struct exec *x, const struct matrix_shape *shape, const struct matrix_lists *lists)
{
    (void)x, (void)shape, (void)lists;
    return false;
}

void matrix_exact_a(double *values)
{
    (void)values;
}
#endif
