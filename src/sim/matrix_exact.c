// Products of halves, or of bfloat16, in single precision. Those that come out exact are many times as fast.
//
// All inputs are seen as whole numbers of units: of the lowest bit that any element of A, or of B, has. If C, too, is
// in whole units of their products, and all that can be added up stays below 2^24 of them, then nothing is ever
// rounded, neither in these sums nor in the hardware's, which cut off 2^-25 below the greatest (ops_matrix.c). Data of
// few bits, such as lessons', are like that. The others are cut off by matrix_cut.c.
#include "base/half.h"
#include "sim/matrix.h"

#ifdef __x86_64__
#include "sim/wide.h"

// Halves are whole numbers of 2^-24, of bfloat16 it is looked at. A half below 2^-14 counts as that, as it is stored.
enum { ROWS = CUT_ROWS, COLUMNS = CUT_COLUMNS, DEPTH = CUT_DEPTH };
enum { HALF_BITS = 24, LEAST_BITS = HALF_BITS - 14 + 1, SUM_BITS = 23 };

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
    int32_t powers[ROWS][DEPTH]; // for products that are cut off
    enum { NOT_YET, POWERS, NO_POWERS } has_powers;
    struct extent extent;
    bool is_told; // to matrix_exact_a's caller
    bool is_spread;
    _Alignas(64) float spread[DEPTH][ROWS / 4][16]; // of four rows one column, each element four times
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
    kept_a.has_powers = NOT_YET;
    kept_a.is_told = kept_a.is_spread = false;
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

// How many units of A's and B's products 1 is. False: the products alone may be too many of them.
static bool units_fit(struct extent a, struct extent b, float *per_unit)
{
    bool is_zero = a.is_zero || b.is_zero; // then C need only be finite
    if (a.high > 31 || b.high > 31)
        return false;
    uint32_t low = a.low + b.low; // a unit: 2^(low - 2 * HALF_BITS), and not more than 1
    low = low < 2 * HALF_BITS ? low : 2 * HALF_BITS;
    uint32_t a_high = a.high > LEAST_BITS ? a.high : LEAST_BITS, b_high = b.high > LEAST_BITS ? b.high : LEAST_BITS;
    *per_unit = is_zero ? 0 : bits_f32((127 + 2 * HALF_BITS - low) << 23);
    return is_zero || a_high + b_high - low + 4 <= SUM_BITS; // 2^4 products
}

// As they need rounding.
WIDE static bool multiply_cut(enum ptx_type type, const __m256 b[DEPTH], __m256 c[ROWS])
{
    float rows[DEPTH][COLUMNS], addends[ROWS][COLUMNS], sums[ROWS][COLUMNS];
    struct cut_inputs in = {.a = kept_a.values, .b = rows, .c = addends, .powers = kept_a.powers};
    if (kept_a.has_powers == NOT_YET)
        kept_a.has_powers = matrix_cut_powers(kept_a.values, type, kept_a.powers) ? POWERS : NO_POWERS;
    for (uint32_t i = 0; i < DEPTH; i++) {
        _mm256_storeu_ps(rows[i], b[i]);
        _mm256_storeu_ps(addends[i], c[i]);
    }
    if (kept_a.has_powers == NO_POWERS || !matrix_cut(&in, type, sums))
        return false;
    for (uint32_t r = 0; r < ROWS; r++)
        c[r] = _mm256_loadu_ps(sums[r]);
    return true;
}

WIDE static bool multiply_in_single(const struct exec *x, enum ptx_type type, const struct matrix_lists *lists)
{
    __m256 b[DEPTH], c[ROWS];
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    struct extent a_extent = kept_a.extent, b_extent = take_b(x, type, lists->b, b);
    float per_unit = 0;
    bool is_exact = units_fit(a_extent, b_extent, &per_unit);
    for (uint32_t half = 0; half < 2; half++) {
        if (lists->c)
            is_exact &= take_c(x, lists->c, half, _mm256_set1_ps(per_unit), c + 8 * half, &bits);
        for (uint32_t g = 0; g < 8 && !lists->c; g++)
            c[8 * half + g] = _mm256_setzero_ps();
    }
    is_exact &= !(any_lane(bits.sizes) >> SUM_BITS);
    if (!is_exact && !multiply_cut(type, b, c))
        return false;
    for (uint32_t half = 0; half < 2 && is_exact; half++)
        multiply_rows(kept_a.values + 8 * half, b, c + 8 * half);
    for (uint32_t half = 0; half < 2; half++)
        put_rows(x, lists->d, half, c + 8 * half);
    return true;
}

// ---- more columns for the same A, sixteen sums at a time: a register's half is four rows with four words each

WIDEST static inline __attribute__((always_inline)) void note_sixteen(struct bits *bits, __m512i values)
{
    __m512i sizes = _mm512_abs_epi32(values);
    bits->all = _mm256_or_si256(bits->all,
                                _mm256_or_si256(_mm512_castsi512_si256(values), _mm512_extracti64x4_epi64(values, 1)));
    bits->sizes = _mm256_or_si256(bits->sizes,
                                  _mm256_or_si256(_mm512_castsi512_si256(sizes), _mm512_extracti64x4_epi64(sizes, 1)));
}

WIDEST static void spread_a(void)
{
    for (uint32_t i = 0; i < DEPTH; i++)
        for (uint32_t r = 0; r < ROWS; r++)
            _mm_store_ps(&kept_a.spread[i][r / 4][r % 4 * 4], _mm_set1_ps(kept_a.values[r][i]));
    kept_a.is_spread = true;
}

// Four rows of C, their even columns in one register and the odd ones in the next; as [0]: columns 0 to 3, [1]: 4 to 7.
WIDEST static bool take_fours(const struct exec *x, const uint32_t *list, __m512 per_unit, __m512 c[ROWS / 4][2])
{
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __mmask16 differ = 0;
    for (uint32_t r = 0; r < ROWS / 4; r++) {
        const float *even = slot_at(x, list[r / 2 * 2]), *odd = slot_at(x, list[r / 2 * 2 + 1]);
        __m512 a = _mm512_loadu_ps(even + r % 2 * 16), b = _mm512_loadu_ps(odd + r % 2 * 16);
        c[r][0] = _mm512_unpacklo_ps(a, b);
        c[r][1] = _mm512_unpackhi_ps(a, b);
        for (uint32_t k = 0; k < 2; k++) {
            __m512 units = _mm512_mul_ps(c[r][k], per_unit);
            __m512i whole = _mm512_cvtps_epi32(units);
            note_sixteen(&bits, whole);
            differ |= _mm512_cmp_ps_mask(_mm512_cvtepi32_ps(whole), units, _CMP_NEQ_UQ);
        }
    }
    return !differ && !(any_lane(bits.sizes) >> SUM_BITS);
}

// False: it is not exact, and nothing has been done.
WIDEST static bool multiply_in_fours(const struct exec *x, enum ptx_type type, const struct matrix_lists *lists)
{
    __m256 b[DEPTH];
    __m512 c[ROWS / 4][2];
    _Alignas(32) float rows[DEPTH][COLUMNS], per_unit = 0;
    struct extent b_extent = take_b(x, type, lists->b, b);
    bool is_exact = units_fit(kept_a.extent, b_extent, &per_unit);
    if (is_exact && lists->c)
        is_exact = take_fours(x, lists->c, _mm512_set1_ps(per_unit), c);
    if (!is_exact)
        return false;
    if (!kept_a.is_spread)
        spread_a();
    for (uint32_t i = 0; i < DEPTH; i++)
        _mm256_store_ps(rows[i], b[i]);
    for (uint32_t r = 0; r < ROWS / 4 && !lists->c; r++)
        c[r][0] = c[r][1] = _mm512_setzero_ps();
    for (uint32_t i = 0; i < DEPTH; i++) {
        __m512 low = _mm512_broadcast_f32x4(_mm_load_ps(rows[i])),
               high = _mm512_broadcast_f32x4(_mm_load_ps(rows[i] + 4));
        for (uint32_t r = 0; r < ROWS / 4; r++) {
            __m512 a = _mm512_load_ps(kept_a.spread[i][r]);
            c[r][0] = _mm512_fmadd_ps(a, low, c[r][0]);
            c[r][1] = _mm512_fmadd_ps(a, high, c[r][1]);
        }
    }
    for (uint32_t r = 0; r < ROWS / 4; r++) {
        float *even = slot_at(x, lists->d[r / 2 * 2]), *odd = slot_at(x, lists->d[r / 2 * 2 + 1]);
        _mm512_storeu_ps(even + r % 2 * 16, _mm512_shuffle_ps(c[r][0], c[r][1], 0x88));
        _mm512_storeu_ps(odd + r % 2 * 16, _mm512_shuffle_ps(c[r][0], c[r][1], 0xdd));
    }
    return true;
}

// ---- wmma's squares, by columns: lane l of a register holds row l of two columns of A or B, and row l / 2 of the
// sums' columns reg (even lanes) or reg + 8

WIDEST static struct extent take_square(const struct exec *x, const uint32_t *list, __m512 columns[DEPTH])
{
    const __m512 per_unit = _mm512_set1_ps((float)(1 << HALF_BITS));
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (uint32_t i = 0; i < DEPTH; i++) {
        __m512i words = _mm512_loadu_si512(slot_at(x, list[i / 2]));
        words = i % 2 ? _mm512_srli_epi32(words, 16) : words;
        columns[i] = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words));
        note_sixteen(&bits, _mm512_cvtps_epi32(_mm512_mul_ps(columns[i], per_unit)));
    }
    return extent_of(&bits);
}

// Column reg of C, and the one eight further.
WIDEST static bool take_sums(const struct exec *x, const uint32_t *list, __m512 per_unit, __m512 c[ROWS])
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    struct bits bits = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __mmask16 differ = 0;
    for (uint32_t reg = 0; reg < ROWS / 2; reg++) {
        const float *words = slot_at(x, list[reg]);
        __m512 low = _mm512_loadu_ps(words), high = _mm512_loadu_ps(words + 16);
        c[reg] = _mm512_permutex2var_ps(low, even, high);
        c[reg + ROWS / 2] = _mm512_permutex2var_ps(low, odd, high);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        __m512 units = _mm512_mul_ps(c[i], per_unit);
        __m512i whole = _mm512_cvtps_epi32(units);
        note_sixteen(&bits, whole);
        differ |= _mm512_cmp_ps_mask(_mm512_cvtepi32_ps(whole), units, _CMP_NEQ_UQ);
    }
    return !differ && !(any_lane(bits.sizes) >> SUM_BITS);
}

// As D turned: its columns are the rows of what is cut off.
WIDEST static bool square_cut(float factors[ROWS][DEPTH], const __m512 a[DEPTH], __m512 c[ROWS])
{
    float columns[DEPTH][ROWS], sums[ROWS][ROWS];
    for (uint32_t i = 0; i < DEPTH; i++) {
        _mm512_storeu_ps(columns[i], a[i]);
        _mm512_storeu_ps(sums[i], c[i]);
    }
    if (!matrix_cut_square(factors, columns, sums))
        return false;
    for (uint32_t r = 0; r < ROWS; r++)
        c[r] = _mm512_loadu_ps(sums[r]);
    return true;
}

WIDEST bool matrix_exact_square(const struct exec *x, const uint32_t *list)
{
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    __m512 a[DEPTH], b[DEPTH], c[ROWS];
    float factors[ROWS][DEPTH], per_unit = 0;
    struct extent a_extent = take_square(x, list + ROWS / 2, a), b_extent = take_square(x, list + ROWS, b);
    bool is_exact = units_fit(a_extent, b_extent, &per_unit);
    is_exact &= take_sums(x, list + ROWS + ROWS / 2, _mm512_set1_ps(per_unit), c);
    for (uint32_t i = 0; i < DEPTH; i++)
        _mm512_storeu_ps(factors[i], b[i]);
    if (!is_exact && !square_cut(factors, a, c))
        return false;
    for (uint32_t i = 0; i < DEPTH && is_exact; i++)
        for (uint32_t column = 0; column < ROWS; column++)
            c[column] = _mm512_fmadd_ps(_mm512_set1_ps(factors[column][i]), a[i], c[column]);
    for (uint32_t reg = 0; reg < ROWS / 2; reg++) {
        float *to = slot_at(x, list[reg]);
        _mm512_storeu_ps(to, _mm512_permutex2var_ps(c[reg], first, c[reg + ROWS / 2]));
        _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps(c[reg], second, c[reg + ROWS / 2]));
    }
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
    else if (__builtin_cpu_supports("avx512f") && multiply_in_fours(x, shape->a.type, lists))
        return true;
    return multiply_in_single(x, shape->a.type, lists);
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

bool matrix_exact_square(const struct exec *x, const uint32_t *list)
{
    (void)x, (void)list;
    return false;
}
#endif
