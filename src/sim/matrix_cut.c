// Products of halves, or of bfloat16, whose sums are cut off as ops_matrix.c says, eight columns at a time.
//
// A product of two such numbers has at most 22 bits, so single precision holds it; cut off 25 bits below the greatest
// exponent it is a whole number of 27 bits, and sixteen of them fit into 32. Exponents are kept as in a float, without
// their bias, and added up as integers. What that has no room for (numbers of very large or small size, infinities,
// NaN, -0 as an addend, a sum of nearly 2^31 units) is left to ops_matrix.c.
#include "sim/matrix.h"

#ifdef __x86_64__
#include "sim/wide.h"

// Bounds of exponents: of inputs, so that a zero's and another's are less than those of any product that is none; of
// addends that are not 0; and the least that counts as a sum's greatest: below it there are only zeros.
enum { POWER_SHIFT = 23, BIAS = 127, NONE = -BIAS, INPUT_LEAST = -32, INPUT_MOST = 60, ADDEND_LEAST = -60 };
enum { SUM_LEAST = -66, HALF_LEAST = -14, FRACTION = 25, TOGETHER = 4, MOST_UNITS = 0x7b000000 };

WIDE_INLINE __m256i eight_powers(int power)
{
    return _mm256_set1_epi32(power * (1 << POWER_SHIFT));
}

WIDE_INLINE __m256i powers_of(__m256 values)
{
    __m256i stored = _mm256_and_si256(_mm256_castps_si256(values), _mm256_set1_epi32(0x7f800000));
    return _mm256_sub_epi32(stored, eight_powers(BIAS));
}

// `wrong` gets what is out of bounds.
WIDE_INLINE __m256i input_powers(__m256 values, enum ptx_type type, __m256i *wrong)
{
    __m256i powers = powers_of(values);
    __m256i zero = _mm256_castps_si256(_mm256_cmp_ps(values, _mm256_setzero_ps(), _CMP_EQ_OQ));
    if (type == PTX_F16)
        powers = _mm256_blendv_epi8(_mm256_max_epi32(powers, eight_powers(HALF_LEAST)), eight_powers(NONE), zero);
    __m256i small = _mm256_andnot_si256(zero, _mm256_cmpgt_epi32(eight_powers(INPUT_LEAST), powers));
    *wrong = _mm256_or_si256(*wrong, _mm256_or_si256(small, _mm256_cmpgt_epi32(powers, eight_powers(INPUT_MOST))));
    return powers;
}

WIDE_INLINE __m256i addend_powers(__m256 values, __m256i *wrong)
{
    __m256i powers = powers_of(values);
    __m256i zero = _mm256_cmpeq_epi32(_mm256_castps_si256(values), _mm256_setzero_si256());
    __m256i small = _mm256_andnot_si256(zero, _mm256_cmpgt_epi32(eight_powers(ADDEND_LEAST), powers));
    *wrong = _mm256_or_si256(*wrong, _mm256_or_si256(small, _mm256_cmpgt_epi32(powers, eight_powers(BIAS))));
    return _mm256_max_epi32(powers, eight_powers(SUM_LEAST));
}

// A sum of whole units as a float, cut off towards zero.
WIDE_INLINE __m256 single_cut(__m256i sum)
{
    __m256 near = _mm256_cvtepi32_ps(sum);
    __m256i back = _mm256_cvttps_epi32(near);
    __m256i over = _mm256_cmpgt_epi32(_mm256_abs_epi32(back), _mm256_abs_epi32(sum));
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(near), over));
}

WIDE bool matrix_cut_powers(const float values[CUT_ROWS][CUT_DEPTH], enum ptx_type type,
                            int32_t powers[CUT_ROWS][CUT_DEPTH])
{
    __m256i wrong = _mm256_setzero_si256();
    for (uint32_t i = 0; i < CUT_ROWS * CUT_DEPTH; i += 8)
        _mm256_storeu_si256((__m256i *)(void *)(&powers[0][0] + i),
                            input_powers(_mm256_loadu_ps(&values[0][0] + i), type, &wrong));
    return _mm256_testz_si256(wrong, wrong);
}

struct cut { // what rows have in common
    __m256 b[CUT_DEPTH];
    __m256i b_powers[CUT_DEPTH], wrong, most;
};

// Rows r to r + TOGETHER - 1.
WIDE_INLINE void cut_rows(struct cut *cut, const struct cut_inputs *in, uint32_t r, float d[CUT_ROWS][CUT_COLUMNS])
{
    __m256i top[TOGETHER], sum[TOGETHER];
    __m256 fit[TOGETHER];
    for (uint32_t t = 0; t < TOGETHER; t++)
        top[t] = addend_powers(_mm256_loadu_ps(in->c[r + t]), &cut->wrong);
    for (uint32_t i = 0; i < CUT_DEPTH; i++)
        for (uint32_t t = 0; t < TOGETHER; t++)
            top[t] =
                _mm256_max_epi32(top[t], _mm256_add_epi32(_mm256_set1_epi32(in->powers[r + t][i]), cut->b_powers[i]));
    for (uint32_t t = 0; t < TOGETHER; t++) {
        fit[t] = _mm256_castsi256_ps(_mm256_sub_epi32(eight_powers(BIAS + FRACTION), top[t]));
        sum[t] = _mm256_setzero_si256();
    }
    for (uint32_t i = 0; i < CUT_DEPTH; i++)
        for (uint32_t t = 0; t < TOGETHER; t++) {
            __m256 whole = _mm256_mul_ps(_mm256_mul_ps(_mm256_broadcast_ss(&in->a[r + t][i]), cut->b[i]), fit[t]);
            sum[t] = _mm256_add_epi32(sum[t], _mm256_cvttps_epi32(whole));
        }
    for (uint32_t t = 0; t < TOGETHER; t++) {
        __m256i addend = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_loadu_ps(in->c[r + t]), fit[t]));
        __m256 unit = _mm256_castsi256_ps(_mm256_add_epi32(eight_powers(BIAS - FRACTION), top[t]));
        cut->most = _mm256_max_epi32(cut->most, _mm256_abs_epi32(sum[t]));
        _mm256_storeu_ps(d[r + t], _mm256_mul_ps(single_cut(_mm256_add_epi32(sum[t], addend)), unit));
    }
}

WIDE bool matrix_cut(const struct cut_inputs *in, enum ptx_type type, float d[CUT_ROWS][CUT_COLUMNS])
{
    struct cut cut = {.wrong = _mm256_setzero_si256(), .most = _mm256_setzero_si256()};
    for (uint32_t i = 0; i < CUT_DEPTH; i++) {
        cut.b[i] = _mm256_loadu_ps(in->b[i]);
        cut.b_powers[i] = input_powers(cut.b[i], type, &cut.wrong);
    }
    for (uint32_t r = 0; r < CUT_ROWS; r += TOGETHER)
        cut_rows(&cut, in, r, d);
    __m256i over = _mm256_or_si256(cut.wrong, _mm256_cmpgt_epi32(cut.most, _mm256_set1_epi32(MOST_UNITS)));
    return _mm256_testz_si256(over, over);
}

// ---- sixteen columns of halves at a time, by AVX-512

#define SIXTEEN WIDEST static inline __attribute__((always_inline))

SIXTEEN __m512i sixteen_powers(int power)
{
    return _mm512_set1_epi32(power * (1 << POWER_SHIFT));
}

SIXTEEN __m512i sixteen_powers_of(__m512 values)
{
    __m512i stored = _mm512_and_si512(_mm512_castps_si512(values), _mm512_set1_epi32(0x7f800000));
    return _mm512_sub_epi32(stored, sixteen_powers(BIAS));
}

SIXTEEN __m512i half_powers(__m512 values, __mmask16 *wrong)
{
    __m512i powers = sixteen_powers_of(values), none = sixteen_powers(NONE);
    *wrong |= _mm512_cmpgt_epi32_mask(powers, sixteen_powers(INPUT_MOST));
    return _mm512_mask_max_epi32(none, _mm512_cmpneq_epi32_mask(powers, none), powers, sixteen_powers(HALF_LEAST));
}

SIXTEEN __m512i sixteen_addend_powers(__m512 values, __mmask16 *wrong)
{
    __m512i powers = sixteen_powers_of(values), bits = _mm512_castps_si512(values);
    *wrong |= _mm512_mask_cmplt_epi32_mask(_mm512_test_epi32_mask(bits, bits), powers, sixteen_powers(ADDEND_LEAST));
    *wrong |= _mm512_cmpgt_epi32_mask(powers, sixteen_powers(BIAS));
    return _mm512_max_epi32(powers, sixteen_powers(SUM_LEAST));
}

WIDEST bool matrix_cut_square(float a[CUT_ROWS][CUT_DEPTH], float b[CUT_DEPTH][CUT_ROWS], float d[CUT_ROWS][CUT_ROWS])
{
    int32_t powers[CUT_ROWS][CUT_DEPTH];
    __m512i b_powers[CUT_DEPTH], most = _mm512_setzero_si512();
    __mmask16 wrong = 0;
    for (uint32_t i = 0; i < CUT_DEPTH; i++) {
        _mm512_storeu_si512(powers[i], half_powers(_mm512_loadu_ps(a[i]), &wrong));
        b_powers[i] = half_powers(_mm512_loadu_ps(b[i]), &wrong);
    }
    for (uint32_t r = 0; r < CUT_ROWS; r += TOGETHER) {
        __m512i top[TOGETHER], sum[TOGETHER];
        __m512 fit[TOGETHER];
        for (uint32_t t = 0; t < TOGETHER; t++)
            top[t] = sixteen_addend_powers(_mm512_loadu_ps(d[r + t]), &wrong);
        for (uint32_t i = 0; i < CUT_DEPTH; i++)
            for (uint32_t t = 0; t < TOGETHER; t++)
                top[t] = _mm512_max_epi32(top[t], _mm512_add_epi32(_mm512_set1_epi32(powers[r + t][i]), b_powers[i]));
        for (uint32_t t = 0; t < TOGETHER; t++) {
            fit[t] = _mm512_castsi512_ps(_mm512_sub_epi32(sixteen_powers(BIAS + FRACTION), top[t]));
            sum[t] = _mm512_setzero_si512();
        }
        for (uint32_t i = 0; i < CUT_DEPTH; i++)
            for (uint32_t t = 0; t < TOGETHER; t++) {
                __m512 whole = _mm512_mul_ps(_mm512_set1_ps(a[r + t][i]), _mm512_loadu_ps(b[i]));
                sum[t] = _mm512_add_epi32(sum[t], _mm512_cvttps_epi32(_mm512_mul_ps(whole, fit[t])));
            }
        for (uint32_t t = 0; t < TOGETHER; t++) {
            __m512i addend = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_loadu_ps(d[r + t]), fit[t]));
            __m512 units =
                _mm512_cvt_roundepi32_ps(_mm512_add_epi32(sum[t], addend), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
            most = _mm512_max_epi32(most, _mm512_abs_epi32(sum[t]));
            __m512 unit = _mm512_castsi512_ps(_mm512_add_epi32(sixteen_powers(BIAS - FRACTION), top[t]));
            _mm512_storeu_ps(d[r + t], _mm512_mul_ps(units, unit));
        }
    }
    return !wrong && !_mm512_cmpgt_epi32_mask(most, _mm512_set1_epi32(MOST_UNITS));
}
#else
bool matrix_cut_square(float a[CUT_ROWS][CUT_DEPTH], float b[CUT_DEPTH][CUT_ROWS], float d[CUT_ROWS][CUT_ROWS])
{
    (void)a, (void)b, (void)d;
    return false;
}

bool matrix_cut_powers(const float values[CUT_ROWS][CUT_DEPTH], enum ptx_type type, int32_t powers[CUT_ROWS][CUT_DEPTH])
{
    (void)values, (void)type, (void)powers;
    return false;
}

bool matrix_cut(const struct cut_inputs *in, enum ptx_type type, float d[CUT_ROWS][CUT_COLUMNS])
{
    (void)in, (void)type, (void)d;
    return false;
}
#endif
