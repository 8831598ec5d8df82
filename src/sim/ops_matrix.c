// Matrices spread over a warp: ldmatrix, stmatrix, movmatrix, mma and wmma.
//
// mma's fragments (PTX ISA, "Matrix fragments for mma") follow one rule. Let g = lane / 4, t = lane % 4, and per = the
// elements in a register. Registers of A go first through the two row halves (row g, then g + 8, if there are 16
// rows), then through blocks of 4 * per columns; register's element i is column block + t * per + i. Registers of B go
// through the same blocks, with column g. C and D hold row g (then g + 8), columns 2t and 2t + 1.
#include <stdio.h>

#include "sim/matrix.h"
#include "sim/number.h"

#ifdef __x86_64__
#include "sim/wide.h"
#endif

bool matrix_whole_warp(struct exec *x, const struct op *op, uint32_t mask)
{
    if (mask == UINT32_MAX)
        return true;
    sim_fault(x, op, lane_first(mask),
              "executes a matrix instruction with %d lanes; all 32 of the warp must execute it together",
              __builtin_popcount(mask));
    return false;
}

// ---- ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements

// Where the rows lie, from the start of the block's shared memory; false after a fault.
static bool find_matrix_rows(struct exec *x, const struct op *op, uint32_t lanes, uint64_t addresses[SIM_LANES],
                             struct place *place)
{
    bool stores = op->kind == SIM_MATRIX_STORE;
    bool is_one = sim_place_lanes(x, (enum ptx_space)op->space, lanes, addresses, 16, stores, place) &&
                  place->space == PTX_SHARED;
    FOR_LANES (lane, lanes) {
        if (!is_one && !sim_place_lane(x, op, (enum ptx_space)op->space, addresses[lane], lane, 16, stores, place))
            return false;
        if (place->space != PTX_SHARED) {
            sim_fault(x, op, lane, "moves a matrix row that is not in shared memory");
            return false;
        }
        addresses[lane] -= place->start;
    }
    return true;
}

// The elements of two rows, in turn.
static void pair_rows(const unsigned char *even, const unsigned char *odd, uint32_t *values)
{
    uint16_t low[8], high[8];
    memcpy(low, even, sizeof low);
    memcpy(high, odd, sizeof high);
    for (uint32_t column = 0; column < 8; column++)
        values[4 * column] = low[column] | (uint32_t)high[column] << 16;
}

// Lane 4 * g + t holds two neighbours of row g, or of column g.
static void load_rows(const unsigned char *shared, const uint64_t rows[8], bool is_turned, uint32_t values[SIM_LANES])
{
    for (uint32_t g = 0; g < 8 && !is_turned; g++)
        memcpy(values + 4 * g, shared + rows[g], 16);
    for (uint32_t t = 0; t < 4 && is_turned; t++)
        pair_rows(shared + rows[2 * t], shared + rows[2 * t + 1], values + t);
}

// Rows may overlap: the later lane's elements stay.
static void store_rows(unsigned char *shared, const uint64_t rows[8], bool is_turned, const uint32_t values[SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t row = is_turned ? lane % 4 * 2 + i : lane / 4, column = is_turned ? lane / 4 : lane % 4 * 2 + i;
            uint16_t half = (uint16_t)(values[lane] >> 16 * i);
            memcpy(shared + rows[row] + 2 * column, &half, 2);
        }
}

static const struct op *run_ldmatrix(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES];
    uint32_t used = 8u * op->count, lanes = used == 32 ? UINT32_MAX : (1u << used) - 1, bad = 0;
    bool stores = op->kind == SIM_MATRIX_STORE;
    struct place place = {0};
    if (!matrix_whole_warp(x, op, mask))
        return NULL;
    sim_addresses(x, op, op->slot[1], addresses);
    if (!find_matrix_rows(x, op, lanes, addresses, &place))
        return NULL;
    FOR_LANES (lane, lanes) {
        if (stores)
            sim_bits_set(place.mark, addresses[lane], 16);
        else if (!sim_valid_get(&place, addresses[lane], 16))
            bad |= 1u << lane;
    }
    if (x->wants & SIM_WANT_ACCESS_SHARED) {
        struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                    .space = PTX_SHARED,
                                    .mask = lanes,
                                    .bytes = 16,
                                    .addresses = addresses};
        sim_watch_access(x, op, &access);
    }
    sim_watch_unset(x, op, bad, PTX_SHARED, bad ? addresses[lane_first(bad)] : 0);
    for (uint32_t matrix = 0; matrix < op->count; matrix++) {
        uint32_t *values = slot_at(x, op->list[matrix]);
        if (stores)
            store_rows(x->block->shared, addresses + 8 * matrix, op->action, values);
        else
            load_rows(x->block->shared, addresses + 8 * matrix, op->action, values);
    }
    return op + 1;
}

const struct op *run_movmatrix(struct exec *x, const struct op *op, uint32_t mask)
{
    if (!matrix_whole_warp(x, op, mask))
        return NULL;
    uint32_t from[SIM_LANES], *to = slot_at(x, op->slot[0]);
    memcpy(from, slot_at(x, op->slot[1]), sizeof from);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t column = lane / 4, result = 0;
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t row = lane % 4 * 2 + i;
            result |= (from[row * 4 + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * i;
        }
        to[lane] = result;
    }
    return op + 1;
}

// ---- elements

static uint32_t element_bits(enum ptx_type type)
{
    switch (type) {
    case PTX_B1:
        return 1;
    case PTX_S4:
    case PTX_U4:
        return 4;
    case PTX_TF32:
        return 32;
    default:
        return 8 * ptx_type_size(type);
    }
}

static bool element_is_integer(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_U8 || type == PTX_S4 || type == PTX_U4 || type == PTX_S32;
}

static int64_t element_integer(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case PTX_S8:
        return (int8_t)bits;
    case PTX_S4:
        return sign_extend(bits, 4);
    case PTX_S32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

// ---- products over whole matrices in double or integers

union matrix_value {
    double real;
    int64_t integer;
};

struct product {
    union matrix_value a[32 * 256], b[256 * 32], c[32 * 32];
    double a_scales[32 * 32], b_scales[32 * 32], c_scales[32 * 32];
};

static __thread struct product *product; // the worker's, while it multiplies

static void product_integer(const struct matrix_shape *shape)
{
    for (uint32_t r = 0; r < shape->m; r++)
        for (uint32_t q = 0; q < shape->n; q++) {
            int64_t sum = product->c[r * shape->n + q].integer;
            for (uint32_t i = 0; i < shape->k; i++) {
                int64_t a = product->a[r * shape->k + i].integer, b = product->b[i * shape->n + q].integer;
                sum += shape->a.type != PTX_B1 ? a * b : shape->bits_and ? a & b : a ^ b;
            }
            if (shape->saturates)
                sum = clamp_s32(sum);
            product->c[r * shape->n + q].integer = sum;
        }
}

// Sums of floating-point products as Hopper's tensor cores make them, found by comparing some thousand products with an
// H200, bit for bit (docs/coverage.md). Of all products along k, and C, the greatest exponent counts: that of a product
// is the sum of its factors', as they are stored, so that 1.5 * 1.5 counts as 2^0. Everything is cut off, towards zero,
// `fraction` bits below it, and added up exactly. The sum is rounded to f16, or cut off to f32, of which a warp group's
// 8-bit inputs keep 13 bits.
//
// Exponents are kept as powers of two (`scales`; 0 for zero, infinity and NaN), so that all is done in double, where
// products and sums are exact. Four rows go together.
enum { TOGETHER_ROWS = 4, FRACTION_BITS = 25, GROUP_EIGHT_BITS = 13 };

struct scaled_sum {
    uint32_t m, n, k, first, count; // of k, those that are added up now
    double unit;                    // 2^(fraction bits)
};

#if defined __x86_64__

WIDEST static inline __attribute__((always_inline)) __m512d eight_scales(__m512d value, double least)
{
    const __m512d infinite = _mm512_set1_pd(bits_f64(UINT64_C(0x7ff0000000000000)));
    __m512d power = _mm512_castsi512_pd(_mm512_and_si512(_mm512_castpd_si512(value), _mm512_castpd_si512(infinite)));
    __mmask8 none =
        _mm512_cmp_pd_mask(value, _mm512_setzero_pd(), _CMP_EQ_OQ) | _mm512_cmp_pd_mask(power, infinite, _CMP_EQ_OQ);
    return _mm512_mask_mov_pd(_mm512_max_pd(power, _mm512_set1_pd(least)), none, _mm512_setzero_pd());
}

WIDEST static void scales_widest(const union matrix_value *values, double *scales, uint32_t count, double least)
{
    for (uint32_t i = 0; i < count; i += 8)
        _mm512_storeu_pd(scales + i, eight_scales(_mm512_loadu_pd(&values[i].real), least));
}

static bool can_be_widest(void)
{
    return __builtin_cpu_supports("avx512f");
}
#else
static bool can_be_widest(void)
{
    return false;
}
static void scales_widest(const union matrix_value *values, double *scales, uint32_t count, double least)
{
    (void)values, (void)scales, (void)count, (void)least;
}
#endif

static void scales_of(const union matrix_value *values, double *scales, uint32_t count, enum ptx_type type)
{
    double least = type == PTX_E4M3                      ? 0x1p-6
                   : type == PTX_F16 || type == PTX_E5M2 ? 0x1p-14
                                                         : 0x1p-126; // of what is stored with a hidden bit
    uint64_t least_bits = f64_bits(least);
    if (count % 8 == 0 && can_be_widest()) {
        scales_widest(values, scales, count, least);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = f64_bits(values[i].real), power = bits & UINT64_C(0x7ff0000000000000);
        power = power > least_bits ? power : least_bits;
        power = bits << 1 && power < UINT64_C(0x7ff0000000000000) ? power : 0;
        scales[i] = bits_f64(power);
    }
}

static void add_scaled_body(const struct scaled_sum *it)
{
    for (uint32_t r = 0; r < it->m; r++)
        for (uint32_t q = 0; q < it->n; q++) {
            union matrix_value *c = &product->c[r * it->n + q];
            const union matrix_value *a = &product->a[r * it->k], *b = &product->b[q];
            double top = product->c_scales[r * it->n + q], sum;
            for (uint32_t i = it->first; i < it->first + it->count; i++) {
                double scale = product->a_scales[r * it->k + i] * product->b_scales[i * it->n + q];
                top = top > scale ? top : scale;
            }
            double fit = top > 0 ? it->unit / top : 1;
            sum = trunc(c->real * fit);
            for (uint32_t i = it->first; i < it->first + it->count; i++)
                sum += trunc(a[i].real * b[i * it->n].real * fit);
            c->real = sum / fit;
        }
}

#if defined __x86_64__
static bool can_be_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); // these have F16C, too
}

// The same for as many columns as a vector has.
#define ADD_SCALED(vector, width, load, store, all, max, cut)                                                          \
    for (uint32_t r = 0; r < it->m; r += TOGETHER_ROWS)                                                                \
        for (uint32_t q = 0; q < it->n; q += width) {                                                                  \
            vector top[TOGETHER_ROWS], sum[TOGETHER_ROWS], fit[TOGETHER_ROWS];                                         \
            const union matrix_value *a = &product->a[r * it->k], *b = &product->b[q];                                 \
            const double *a_scales = &product->a_scales[r * it->k], *b_scales = &product->b_scales[q];                 \
            for (uint32_t t = 0; t < TOGETHER_ROWS; t++)                                                               \
                top[t] = load(&product->c_scales[(r + t) * it->n + q]);                                                \
            for (uint32_t i = it->first; i < it->first + it->count; i++) {                                             \
                vector scales = load(&b_scales[i * it->n]);                                                            \
                for (uint32_t t = 0; t < TOGETHER_ROWS; t++)                                                           \
                    top[t] = max(top[t], all(a_scales[t * it->k + i]) * scales);                                       \
            }                                                                                                          \
            for (uint32_t t = 0; t < TOGETHER_ROWS; t++) {                                                             \
                fit[t] = all(it->unit) / max(top[t], all(0x1p-600));                                                   \
                sum[t] = cut(load(&product->c[(r + t) * it->n + q].real) * fit[t]);                                    \
            }                                                                                                          \
            for (uint32_t i = it->first; i < it->first + it->count; i++) {                                             \
                vector values = load(&b[i * it->n].real);                                                              \
                for (uint32_t t = 0; t < TOGETHER_ROWS; t++)                                                           \
                    sum[t] += cut(all(a[t * it->k + i].real) * values * fit[t]);                                       \
            }                                                                                                          \
            for (uint32_t t = 0; t < TOGETHER_ROWS; t++)                                                               \
                store(&product->c[(r + t) * it->n + q].real, sum[t] / fit[t]);                                         \
        }

WIDE static inline __attribute__((always_inline)) __m256d cut_four(__m256d value)
{
    return _mm256_round_pd(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

WIDEST static inline __attribute__((always_inline)) __m512d cut_eight(__m512d value)
{
    return _mm512_roundscale_pd(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

WIDE static inline __attribute__((always_inline)) void add_scaled_four(const struct scaled_sum *it){
    ADD_SCALED(__m256d, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_max_pd, cut_four)}

WIDEST static inline __attribute__((always_inline)) void add_scaled_eight(const struct scaled_sum *it){
    ADD_SCALED(__m512d, 8, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_max_pd, cut_eight)}

// Loops of known length for the most common shape.
WIDEST static void add_scaled_widest(const struct scaled_sum *it)
{
    if (it->m == 16 && it->n == 8 && it->k == 16 && it->count == 16)
        add_scaled_eight(&(struct scaled_sum){16, 8, 16, 0, 16, it->unit});
    else
        add_scaled_eight(it);
}

WIDE static void add_scaled_wide(const struct scaled_sum *it)
{
    if (__builtin_cpu_supports("avx512f"))
        add_scaled_widest(it);
    else
        add_scaled_four(it);
}

WIDE static void halves_wide(double value[SIM_LANES], const uint32_t *words, uint32_t shift)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += 8) {
        __m256i all = _mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(words + lane)), (int)shift);
        all = _mm256_and_si256(all, _mm256_set1_epi32(0xffff));
        __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        __m256 singles = _mm256_cvtph_ps(packed);
        _mm256_storeu_pd(value + lane, _mm256_cvtps_pd(_mm256_castps256_ps128(singles)));
        _mm256_storeu_pd(value + lane + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(singles, 1)));
    }
}
// ---- whole rows at once
//
// A register of 32 lanes, word by word, is eight rows of a matrix with four words each: of 8 halves in A, in B (whose
// rows are columns of the matrix) and in sums of halves. Singles alternate between two registers. wmma's fragments lie
// lane after lane, register after register: eight registers by eight lanes are turned.

WIDE static void store_doubles(union matrix_value *to, __m256 singles)
{
    _mm256_storeu_pd(&to[0].real, _mm256_cvtps_pd(_mm256_castps256_ps128(singles)));
    _mm256_storeu_pd(&to[4].real, _mm256_cvtps_pd(_mm256_extractf128_ps(singles, 1)));
}

WIDE static void rows_in(const struct matrix_part *part, uint32_t reg, const uint32_t *words, union matrix_value *into)
{
    uint32_t halves = part->layout == LAYOUT_A ? part->rows / 8 : 1;
    __m256 rows[8];
    for (uint32_t g = 0; g < 8; g++)
        rows[g] = eight_singles(_mm_loadu_si128((const __m128i *)(const void *)(words + 4 * g)), part->type);
    if (part->layout == LAYOUT_B)
        turn_eight(rows);
    uint32_t first = part->layout == LAYOUT_C ? 8 * reg : part->layout == LAYOUT_B ? 8 * reg : 8 * (reg % halves);
    uint32_t column = part->layout == LAYOUT_A ? reg / halves * 8 : 0;
    for (uint32_t g = 0; g < 8; g++)
        store_doubles(&into[(first + g) * part->columns + column], rows[g]);
}

WIDE static void singles_in(const uint32_t *even, const uint32_t *odd, union matrix_value *into)
{
    for (uint32_t g = 0; g < 8; g++) {
        __m128 a = _mm_loadu_ps((const float *)(const void *)(even + 4 * g)),
               b = _mm_loadu_ps((const float *)(const void *)(odd + 4 * g));
        _mm256_storeu_pd(&into[8 * g].real, _mm256_cvtps_pd(_mm_unpacklo_ps(a, b)));
        _mm256_storeu_pd(&into[8 * g + 4].real, _mm256_cvtps_pd(_mm_unpackhi_ps(a, b)));
    }
}

WIDE static __m128 four_singles(const union matrix_value *from)
{
    __m128 value = _mm256_cvtpd_ps(_mm256_loadu_pd(&from->real));
    __m128 nan = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
    return _mm_blendv_ps(value, nan, _mm_cmpunord_ps(value, value));
}

WIDE static void singles_out(uint32_t *even, uint32_t *odd, const union matrix_value *from)
{
    for (uint32_t g = 0; g < 8; g++) {
        __m128 a = four_singles(from + 8 * g), b = four_singles(from + 8 * g + 4);
        _mm_storeu_ps((float *)(void *)(even + 4 * g), _mm_shuffle_ps(a, b, 0x88));
        _mm_storeu_ps((float *)(void *)(odd + 4 * g), _mm_shuffle_ps(a, b, 0xdd));
    }
}

// Eight registers of wmma; lanes beyond the matrix have its elements once more.
WIDE static void turned_in(const struct exec *x, const uint32_t *list, const struct matrix_part *part,
                           union matrix_value *into)
{
    uint32_t lanes = part->rows * part->columns / (8 * part->per);
    for (uint32_t lane = 0; lane < lanes && lane < SIM_LANES; lane += 8) {
        __m256 rows[8];
        for (uint32_t reg = 0; reg < 8; reg++)
            rows[reg] = _mm256_loadu_ps((const float *)slot_at(x, list[reg]) + lane);
        turn_eight(rows);
        for (uint32_t i = 0; i < 8; i++) {
            union matrix_value *to = &into[(lane + i) * 8 * part->per];
            if (part->per == 1) {
                store_doubles(to, rows[i]);
                continue;
            }
            __m256i words = _mm256_castps_si256(rows[i]);
            store_doubles(to, eight_singles(_mm256_castsi256_si128(words), part->type));
            store_doubles(to + 8, eight_singles(_mm256_extracti128_si256(words, 1), part->type));
        }
    }
}

WIDE static void turned_out(const struct exec *x, const uint32_t *list, const union matrix_value *from)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane += 8) {
        __m256 rows[8];
        for (uint32_t i = 0; i < 8; i++) {
            const union matrix_value *at = from + (lane + i) * 8;
            rows[i] = _mm256_set_m128(four_singles(at + 4), four_singles(at));
        }
        turn_eight(rows);
        for (uint32_t reg = 0; reg < 8; reg++)
            _mm256_storeu_ps((float *)slot_at(x, list[reg]) + lane, rows[reg]);
    }
}

// wmma's 16 x 16 x 16 of halves, which matrix_exact.c takes as its registers lie.
enum { SQUARE = 16 };

static bool is_square(const struct matrix_shape *shape)
{
    return __builtin_cpu_supports("avx512f") && shape->a.layout == LAYOUT_WMMA && shape->m == SQUARE &&
           shape->n == SQUARE && shape->k == SQUARE && shape->a.type == PTX_F16 && shape->b.type == PTX_F16 &&
           shape->c.type == PTX_F32 && shape->d.type == PTX_F32;
}

// Is it of a form that these know? A sum: into and from registers.
static bool is_of_rows(const struct matrix_part *part)
{
    bool is_half = part->type == PTX_F16 || part->type == PTX_BF16, is_sum = part->columns == 8 && part->rows % 8 == 0;
    uint32_t elements = part->rows * part->columns;
    switch (part->layout) {
    case LAYOUT_A:
        return is_half && part->rows % 8 == 0 && part->columns % 8 == 0;
    case LAYOUT_B:
        return is_half && is_sum;
    case LAYOUT_C:
        return is_sum && (part->type == PTX_F32 || part->type == PTX_F16);
    default:
        return part->regs == 8 && (is_half || (part->type == PTX_F32 && elements == 8 * SIM_LANES)) &&
               elements % (64 * part->per) == 0;
    }
}

static bool rows_gather(const struct exec *x, const uint32_t *list, const struct matrix_part *part,
                        union matrix_value *into)
{
    if (!part->in_rows)
        return false;
    if (part->layout == LAYOUT_WMMA)
        turned_in(x, list, part, into);
    else if (part->type == PTX_F32)
        for (uint32_t reg = 0; reg < part->regs; reg += 2)
            singles_in(slot_at(x, list[reg]), slot_at(x, list[reg + 1]), into + 32 * reg);
    else
        for (uint32_t reg = 0; reg < part->regs; reg++)
            rows_in(part, reg, slot_at(x, list[reg]), into);
    return true;
}

static bool rows_scatter(const struct exec *x, const uint32_t *list, const struct matrix_part *part)
{
    if (!part->in_rows || part->type != PTX_F32)
        return false;
    if (part->layout == LAYOUT_WMMA)
        turned_out(x, list, product->c);
    else
        for (uint32_t reg = 0; reg < part->regs; reg += 2)
            singles_out(slot_at(x, list[reg]), slot_at(x, list[reg + 1]), product->c + 32 * reg);
    return true;
}
#else
static bool can_be_wide(void)
{
    return false;
}
static bool is_of_rows(const struct matrix_part *part)
{
    (void)part;
    return false;
}
static bool is_square(const struct matrix_shape *shape)
{
    (void)shape;
    return false;
}
static bool rows_gather(const struct exec *x, const uint32_t *list, const struct matrix_part *part,
                        union matrix_value *into)
{
    (void)x, (void)list, (void)part, (void)into;
    return false;
}
static bool rows_scatter(const struct exec *x, const uint32_t *list, const struct matrix_part *part)
{
    (void)x, (void)list, (void)part;
    return false;
}
static void add_scaled_wide(const struct scaled_sum *it)
{
    add_scaled_body(it);
}
static void halves_wide(double value[SIM_LANES], const uint32_t *words, uint32_t shift)
{
    (void)value, (void)words, (void)shift;
}
#endif

static void element_in(union matrix_value *value, enum ptx_type type, uint64_t bits, bool integer)
{
    if (integer)
        value->integer = element_integer(type, bits);
    else
        value->real = number_float(type, false, bits);
}

static uint64_t element_out(enum ptx_type type, union matrix_value value)
{
    switch (type) {
    case PTX_S32:
        return (uint32_t)value.integer;
    case PTX_F64:
        return f64_bits(value.real);
    case PTX_F16:
        return f16_from_f64(value.real, ROUND_NEAREST);
    default: {
        float single = (float)value.real;
        return single != single ? 0x7fffffffu : f32_bits(single);
    }
    }
}

static void add_scaled(const struct scaled_sum *it)
{
    if (can_be_wide())
        add_scaled_wide(it);
    else
        add_scaled_body(it);
}

// Cut off to so many bits behind the first, and to what f32 can hold.
static void cut_sums(uint32_t count, uint32_t bits)
{
    uint64_t keep = UINT64_MAX << (52 - bits);
    for (uint32_t i = 0; i < count; i++) {
        double value = product->c[i].real;
        if (fabs(value) < 0x1p-126)
            value = trunc(value * 0x1p149) * 0x1p-149;
        product->c[i].real = value == value ? bits_f64(f64_bits(value) & keep) : value;
    }
}

static void product_float(const struct matrix_shape *shape)
{
    uint32_t m = shape->m, n = shape->n, k = shape->k;
    bool eight = element_bits(shape->a.type) == 8;
    struct scaled_sum sum = {m, n, k, 0, k, eight ? 1 << GROUP_EIGHT_BITS : 1 << FRACTION_BITS};
    scales_of(product->a, product->a_scales, m * k, shape->a.type);
    scales_of(product->b, product->b_scales, k * n, shape->b.type);
    scales_of(product->c, product->c_scales, m * n, shape->c.type);
    add_scaled(&sum);
    if (shape->d.type == PTX_F32)
        cut_sums(m * n, eight ? GROUP_EIGHT_BITS : 23);
}

// mma of 8-bit floats is two products of halves: each lane's first two of its four elements, then the others. They are
// added to C in the end.
static void product_eight(const struct matrix_shape *shape)
{
    uint32_t n = shape->n, k = shape->k, sums = shape->m * n;
    union matrix_value a[32 * 32], b[32 * 32], c[32 * 32];
    memcpy(a, product->a, sizeof *a * shape->m * k);
    memcpy(b, product->b, sizeof *b * k * n);
    memcpy(c, product->c, sizeof *c * sums);
    for (uint32_t i = 0; i < k; i++) {
        uint32_t from = i % 16 / 2 * 4 + i % 2 + i / 16 * 2;
        for (uint32_t r = 0; r < shape->m; r++)
            product->a[r * k + i] = a[r * k + from];
        memcpy(&product->b[i * n], &b[from * n], sizeof *b * n);
    }
    memset(product->c, 0, sizeof *c * sums);
    scales_of(product->a, product->a_scales, shape->m * k, PTX_F16);
    scales_of(product->b, product->b_scales, k * n, PTX_F16);
    for (uint32_t first = 0; first < k; first += 16) {
        struct scaled_sum half = {shape->m, n, k, first, 16, 1 << FRACTION_BITS};
        scales_of(product->c, product->c_scales, sums, shape->c.type);
        add_scaled(&half);
        if (shape->d.type == PTX_F32)
            cut_sums(sums, 23);
        for (uint32_t i = 0; i < sums && shape->d.type != PTX_F32; i++)
            element_in(&product->c[i], PTX_F16, element_out(PTX_F16, product->c[i]), false);
    }
    for (uint32_t i = 0; i < sums; i++)
        product->c[i].real += c[i].real;
}

static void product_double(const struct matrix_shape *shape)
{
    for (uint32_t r = 0; r < shape->m; r++)
        for (uint32_t q = 0; q < shape->n; q++) {
            double sum = product->c[r * shape->n + q].real;
            for (uint32_t i = 0; i < shape->k; i++)
                sum = f64_fma(product->a[r * shape->k + i].real, product->b[i * shape->n + q].real, sum);
            product->c[r * shape->n + q].real = sum;
        }
}

// ---- parts of a warp's matrices

// The place of element j of a lane in its matrix, row by row. mma: see above. wmma: which lane holds what is left open
// by PTX; here some elements are held twice where the type's registers are more than the matrix needs.
static uint32_t part_place(const struct matrix_part *part, uint32_t lane, uint32_t j)
{
    uint32_t reg = j / part->per, halves = part->layout == LAYOUT_A ? part->rows / 8 : 1, g = lane / 4, t = lane % 4;
    uint32_t k = reg / halves * 4 * part->per + t * part->per + j % part->per;
    switch (part->layout) {
    case LAYOUT_A:
        return (g + 8 * (reg % halves)) * part->columns + k;
    case LAYOUT_B:
        return k * part->columns + g;
    case LAYOUT_C:
        return (g + 8 * (j / 2)) * part->columns + t * 2 + j % 2;
    default:
        return (lane * part->regs * part->per + j) % (part->rows * part->columns);
    }
}

static void part_put(const struct exec *x, const uint32_t *list, const struct matrix_part *part, uint32_t lane,
                     uint32_t j, uint64_t value)
{
    if (part->bits == 64) {
        ((uint64_t *)slot_at(x, list[j]))[lane] = value;
        return;
    }
    uint32_t *to = (uint32_t *)slot_at(x, list[j / part->per]) + lane, shift = j % part->per * part->bits;
    uint32_t keep = part->bits == 32 ? UINT32_MAX : ((1u << part->bits) - 1) << shift;
    *to = (*to & ~keep) | ((uint32_t)value << shift & keep);
}

static uint64_t part_get(const struct exec *x, const uint32_t *list, const struct matrix_part *part, uint32_t lane,
                         uint32_t j)
{
    if (part->bits == 64)
        return ((const uint64_t *)slot_at(x, list[j]))[lane];
    uint32_t word = ((const uint32_t *)slot_at(x, list[j / part->per]))[lane];
    return part->bits == 32 ? word : word >> j % part->per * part->bits & ((1u << part->bits) - 1);
}

// f16_to_f32 without branches, for a loop over lanes.
static inline float half_to_single(uint32_t h)
{
    uint32_t low = (h & 0x7fff) << 13;
    float finite = bits_f32(low) * 0x1p112f;
    uint32_t bits = (h & 0x7c00) == 0x7c00 ? low | 0x7f800000 : f32_bits(finite);
    return bits_f32(bits | (h & 0x8000) << 16);
}

// One element of every lane, as a double; false: not of a type that is common.
static bool lanes_in(double value[SIM_LANES], enum ptx_type type, const uint32_t *words, uint32_t shift)
{
    switch (type) {
    case PTX_F16:
        if (can_be_wide()) {
            halves_wide(value, words, shift);
            return true;
        }
        for (int lane = 0; lane < SIM_LANES; lane++)
            value[lane] = (double)half_to_single(words[lane] >> shift & 0xffff);
        return true;
    case PTX_BF16:
        for (int lane = 0; lane < SIM_LANES; lane++)
            value[lane] = (double)bits_f32(words[lane] >> shift << 16);
        return true;
    case PTX_TF32:
        for (int lane = 0; lane < SIM_LANES; lane++)
            value[lane] = (double)bits_f32(words[lane] & 0xffffe000u);
        return true;
    case PTX_F32:
        for (int lane = 0; lane < SIM_LANES; lane++)
            value[lane] = (double)bits_f32(words[lane]);
        return true;
    default:
        return false;
    }
}

static void part_gather(const struct exec *x, const uint32_t *list, const struct matrix_part *part,
                        union matrix_value *into, bool integer)
{
    if (!integer && rows_gather(x, list, part, into))
        return;
    for (uint32_t j = 0; j < part->regs * part->per; j++) {
        const uint16_t *places = part->places + SIM_LANES * j;
        double value[SIM_LANES];
        if (!integer && lanes_in(value, part->type, slot_at(x, list[j / part->per]), j % part->per * part->bits)) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                into[places[lane]].real = value[lane];
            continue;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++)
            element_in(&into[places[lane]], part->type, part_get(x, list, part, lane, j), integer);
    }
}

static void part_scatter(const struct exec *x, const uint32_t *list, const struct matrix_part *part)
{
    if (rows_scatter(x, list, part))
        return;
    for (uint32_t j = 0; j < part->regs * part->per; j++) {
        const uint16_t *places = part->places + SIM_LANES * j;
        uint32_t *to = slot_at(x, list[j / part->per]);
        for (uint32_t lane = 0; lane < SIM_LANES && part->type != PTX_F32; lane++)
            part_put(x, list, part, lane, j, element_out(part->type, product->c[places[lane]]));
        for (uint32_t lane = 0; lane < SIM_LANES && part->type == PTX_F32; lane++)
            to[lane] = (uint32_t)element_out(PTX_F32, product->c[places[lane]]);
    }
}

void matrix_multiply(struct exec *x, const struct matrix_shape *shape, const struct matrix_lists *lists)
{
    bool integer = shape->a.type == PTX_B1 || element_is_integer(shape->a.type);
    uint32_t inputs = shape->m * shape->k;
    if (shape->may_be_exact && matrix_exact(x, shape, lists))
        return;
    if (!x->product)
        x->product = mem_alloc(sizeof *x->product);
    product = x->product;
    if (shape->may_be_exact)
        matrix_exact_a(&product->a[0].real);
    else if (lists->a)
        part_gather(x, lists->a, &shape->a, product->a, integer);
    for (uint32_t i = 0; i < inputs && lists->a && lists->negates && !shape->may_be_exact; i++)
        product->a[i].real = -product->a[i].real;
    part_gather(x, lists->b, &shape->b, product->b, integer);
    if (lists->c)
        part_gather(x, lists->c, &shape->c, product->c, integer);
    else
        memset(product->c, 0, shape->m * shape->n * sizeof *product->c);
    if (integer)
        product_integer(shape);
    else if (shape->a.type == PTX_F64)
        product_double(shape);
    else if (element_bits(shape->a.type) == 8 && !shape->is_of_group)
        product_eight(shape);
    else
        product_float(shape);
    part_scatter(x, lists->d, &shape->d);
}

// mma and wmma.mma. list: registers of D, A, B, C
static const struct op *run_product(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct matrix_shape *shape = op->matrix;
    const uint32_t *a = op->list + shape->d.regs, *b = a + shape->a.regs, *c = b + shape->b.regs;
    if (!matrix_whole_warp(x, op, mask))
        return NULL;
    x->heavy += shape->n;
    x->block->heavy += shape->n;
    bool is_done = op->flags & OP_IDLE || (shape->is_square && matrix_exact_square(x, op->list));
    if (!is_done)
        matrix_multiply(x, shape, &(struct matrix_lists){.d = op->list, .a = a, .b = b, .c = c});
    return op + 1;
}

// ---- wmma.load and wmma.store
//
// What ptxas 13.0 makes of them for sm_90, by its SASS. A tile is cut into units of 8 lines of memory and 4 * together
// elements of each; lane 4 g + t takes those from t * together on of line g. Of a tile that lies across, a lane takes
// the same elements of its fragment one by one: i of line t * together + i, at g. From shared memory the units of an A
// or B that does not come by 16 bytes at a time, up to four at once.

enum { UNIT_LINES = 8, MOVES = 16, TILE_LINES = 32, TILE_ELEMENTS = TILE_LINES * 16 };

struct tile {
    const struct matrix_shape *shape;
    const uint64_t *base; // by lane
    uint64_t stride;
    uint32_t lines, length, size; // as memory has them; bytes of an element
    enum ptx_space space;
    uint64_t start;         // of its space
    const uint64_t *values; // stores: by line and place in it
};

static uint64_t tile_address(const struct tile *tile, uint32_t lane, uint32_t line, uint32_t at)
{
    return tile->base[lane] - tile->start + tile->size * (line * tile->stride + at);
}

// Tells of one access, which starts at (line, at) for lane 0 and takes `count` elements a lane.
static void watch_move(struct exec *x, const struct op *op, const struct tile *tile, uint32_t line, uint32_t at,
                       uint32_t count)
{
    bool across = tile->shape->across;
    uint64_t addresses[SIM_LANES];
    unsigned char values[SIM_LANES][16];
    struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                .space = tile->space,
                                .mask = UINT32_MAX,
                                .bytes = count * tile->size,
                                .addresses = addresses,
                                .values = tile->values ? values[0] : NULL,
                                .value_stride = sizeof values[0]};
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t g = lane / 4, t = lane % 4 * tile->shape->together;
        uint32_t lane_line = line + (across ? t : g), lane_at = at + (across ? g : t);
        addresses[lane] = tile_address(tile, lane, lane_line, lane_at);
        for (uint32_t i = 0; tile->values && i < count; i++)
            memcpy(values[lane] + i * tile->size, &tile->values[lane_line * tile->length + lane_at + i], tile->size);
    }
    sim_watch_access(x, op, &access);
}

// The rows of units [first, first + count), in the order of memory.
static void watch_rows(struct exec *x, const struct op *op, const struct tile *tile, uint32_t first, uint32_t count)
{
    uint64_t addresses[SIM_LANES];
    uint32_t lanes = count * UNIT_LINES, wide = 16 / tile->size, across = tile->length / wide;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t unit = first + lane / UNIT_LINES;
        addresses[lane] =
            tile_address(tile, lane, unit / across * UNIT_LINES + lane % UNIT_LINES, unit % across * wide);
    }
    struct sim_access access = {.kind = SIM_MATRIX_LOAD,
                                .space = PTX_SHARED,
                                .mask = UINT32_MAX >> (SIM_LANES - lanes),
                                .bytes = 16,
                                .addresses = addresses};
    sim_watch_access(x, op, &access);
}

static void watch_tile(struct exec *x, const struct op *op, const struct tile *tile)
{
    const struct matrix_shape *shape = tile->shape;
    uint32_t units = tile->lines * tile->length * tile->size / (UNIT_LINES * 16), most = tile->size == 1 ? 2 : 4;
    if (shape->by_rows && tile->space == PTX_SHARED) {
        for (uint32_t unit = 0; unit < units; unit += most)
            watch_rows(x, op, tile, unit, units - unit < most ? units - unit : most);
        return;
    }
    uint32_t wide = 4 * shape->together;
    uint32_t down = shape->across ? wide : UNIT_LINES, along = shape->across ? UNIT_LINES : wide;
    for (uint32_t line = 0; line < tile->lines; line += down)
        for (uint32_t at = 0; at < tile->length; at += along)
            for (uint32_t i = 0; i < (shape->across ? shape->together : 1); i++)
                watch_move(x, op, tile, line + i, at, shape->across ? 1 : shape->together);
}

static void tell_of_tile(struct exec *x, const struct op *op, struct tile *tile, const struct place *place,
                         const uint64_t *values)
{
    tile->space = place->space;
    tile->start = place->space == PTX_SHARED ? place->start : 0;
    tile->values = op->kind == SIM_STORE ? values : NULL;
    if (x->wants & (place->space == PTX_SHARED ? SIM_WANT_ACCESS_SHARED : SIM_WANT_ACCESS_GLOBAL))
        watch_tile(x, op, tile);
}

// Where the lines are of a tile that all lanes give alike and that lies inside one place with nothing unset. False: it
// is another one.
static bool tile_lines(struct exec *x, const struct op *op, struct tile *tile, unsigned char *lines[TILE_LINES],
                       const uint64_t *values)
{
    bool stores = op->kind == SIM_STORE;
    struct place place;
    uint64_t size = tile->size, length = tile->length * size, stride = tile->stride * size, base = tile->base[0];
    for (uint32_t lane = 1; lane < SIM_LANES; lane++)
        if (tile->base[lane] != base)
            return false;
    if (!sim_place_find(x, (enum ptx_space)op->space, base, &place) || place.lane_stride || (stores && place.read_only))
        return false;
    uint64_t begin = base - place.start, all = (tile->lines - 1) * stride + length;
    if (base % size || begin > place.size || all > place.size - begin || tile->lines > TILE_LINES)
        return false;
    for (uint32_t line = 0; line < tile->lines && !stores; line++)
        if (!sim_valid_get(&place, begin + line * stride, length))
            return false;
    for (uint32_t line = 0; line < tile->lines; line++) {
        lines[line] =
            sim_place_span(x, op, (enum ptx_space)op->space, base + line * stride, 0, (uint32_t)length, stores, &place);
        if (stores)
            sim_bits_set(place.mark, base + line * stride - place.start, length);
    }
    tell_of_tile(x, op, tile, &place, values);
    return true;
}

// Finds every element's bytes. False: one may not be touched.
static bool place_tile(struct exec *x, const struct op *op, struct tile *tile, unsigned char *at[MOVES][SIM_LANES],
                       const uint64_t *values)
{
    const struct matrix_part *part = &tile->shape->a;
    bool stores = op->kind == SIM_STORE;
    uint32_t unset = 0;
    uint64_t unset_at = 0;
    struct place place = {0};
    for (uint32_t j = 0; j < part->regs * part->per; j++)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t order = tile->shape->order[SIM_LANES * j + lane];
            uint64_t address = tile_address(tile, lane, order / tile->length, order % tile->length);
            at[j][lane] = sim_place_lane(x, op, (enum ptx_space)op->space, address, lane, tile->size, stores, &place);
            if (!at[j][lane])
                return false;
            address -= place.start;
            if (stores) {
                sim_bits_set(place.mark, address, tile->size);
            } else if (!sim_valid_get(&place, address, tile->size)) {
                unset_at = unset ? unset_at : place.space == PTX_SHARED ? address : address + place.start;
                unset |= 1u << lane;
            }
        }
    tell_of_tile(x, op, tile, &place, values);
    sim_watch_unset(x, op, unset, place.space, unset_at);
    return true;
}

// The fragment's registers from the tile's bytes, line after line.
static void fragment_in(const struct exec *x, const struct op *op, const unsigned char *bytes)
{
    const struct matrix_shape *shape = op->matrix;
    const struct matrix_part *part = &shape->a;
    if (part->bits == 16) { // two halves make a register
        for (uint32_t reg = 0; reg < part->regs; reg++) {
            uint32_t *to = slot_at(x, op->list[reg]);
            const uint16_t *low = shape->order + 2 * SIM_LANES * reg, *high = low + SIM_LANES;
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                uint16_t halves[2];
                memcpy(&halves[0], bytes + 2 * low[lane], 2);
                memcpy(&halves[1], bytes + 2 * high[lane], 2);
                to[lane] = halves[0] | (uint32_t)halves[1] << 16;
            }
        }
    } else if (part->bits == 32) {
        for (uint32_t reg = 0; reg < part->regs; reg++) {
            uint32_t *to = slot_at(x, op->list[reg]);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                memcpy(&to[lane], bytes + 4 * shape->order[SIM_LANES * reg + lane], 4);
        }
    } else {
        uint32_t size = part->bits / 8;
        for (uint32_t j = 0; j < part->regs * part->per; j++)
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                uint64_t bits = 0;
                memcpy(&bits, bytes + size * shape->order[SIM_LANES * j + lane], size);
                part_put(x, op->list, part, lane, j, bits);
            }
    }
}

// The tile's elements, line after line, from the fragment's registers.
static void fragment_out(const struct exec *x, const struct op *op, uint64_t values[TILE_ELEMENTS])
{
    const struct matrix_part *part = &op->matrix->a;
    for (uint32_t j = 0; j < part->regs * part->per; j++)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++)
            values[op->matrix->order[SIM_LANES * j + lane]] = part_get(x, op->list, part, lane, j);
}

static void move_lines(const struct exec *x, const struct op *op, const struct tile *tile,
                       unsigned char *const lines[TILE_LINES], const uint64_t *values)
{
    unsigned char bytes[TILE_ELEMENTS * sizeof(uint64_t)];
    uint32_t span = tile->length * tile->size;
    for (uint32_t line = 0; line < tile->lines && op->kind == SIM_LOAD; line++)
        memcpy(bytes + line * span, lines[line], span);
    if (op->kind == SIM_LOAD)
        fragment_in(x, op, bytes);
    else
        for (uint32_t line = 0; line < tile->lines; line++)
            for (uint32_t i = 0; i < tile->length; i++)
                memcpy(lines[line] + i * tile->size, &values[line * tile->length + i], tile->size);
}

static void move_elements(const struct exec *x, const struct op *op, const struct tile *tile,
                          unsigned char *at[MOVES][SIM_LANES])
{
    const struct matrix_part *part = &op->matrix->a;
    for (uint32_t j = 0; j < part->regs * part->per; j++)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t bits = op->kind == SIM_STORE ? part_get(x, op->list, part, lane, j) : 0;
            if (op->kind == SIM_STORE) {
                memcpy(at[j][lane], &bits, tile->size);
                continue;
            }
            memcpy(&bits, at[j][lane], tile->size);
            part_put(x, op->list, part, lane, j, bits);
        }
}

// slots: 1 address, 2 stride in elements (count: there is one)
static const struct op *run_wmma_move(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct matrix_shape *shape = op->matrix;
    const struct matrix_part *part = &shape->a;
    uint64_t base[SIM_LANES], values[TILE_ELEMENTS];
    unsigned char *lines[TILE_LINES], *at[MOVES][SIM_LANES];
    if (!matrix_whole_warp(x, op, mask))
        return NULL;
    sim_addresses(x, op, op->slot[1], base);
    uint32_t count = shape->by_column ? part->columns : part->rows, length = part->rows * part->columns / count;
    struct tile tile = {.shape = shape,
                        .base = base,
                        .stride = op->count ? slot_get(x, op, 2, 0) & UINT32_MAX : length,
                        .lines = count,
                        .length = length,
                        .size = part->bits / 8};
    if (op->kind == SIM_STORE)
        fragment_out(x, op, values);
    if (tile_lines(x, op, &tile, lines, values))
        move_lines(x, op, &tile, lines, values);
    else if (place_tile(x, op, &tile, at, values))
        move_elements(x, op, &tile, at);
    else
        return NULL;
    return op + 1;
}

// ---- decoding

static bool decode_shape(struct decoder *d, struct matrix_shape *shape, uint32_t most)
{
    for (uint32_t i = 0; i < d->inst->modifier_count; i++)
        if (sscanf(ptx_modifier_name((enum ptx_modifier)d->inst->modifiers[i]), "m%un%uk%u", &shape->m, &shape->n,
                   &shape->k) == 3)
            return shape->m <= most;
    decode_refuse(d, "this shape is not supported");
    return false;
}

static void fill_places(struct decoder *d, struct matrix_part *part)
{
    uint32_t count = part->regs * part->per;
    uint16_t *places = arena_alloc(d->program->arena, count * SIM_LANES * sizeof *places);
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++)
            places[SIM_LANES * j + lane] = (uint16_t)part_place(part, lane, j);
    part->places = places;
    part->in_rows = can_be_wide() && is_of_rows(part);
}

static void fill_order(struct decoder *d, struct matrix_shape *shape)
{
    const struct matrix_part *part = &shape->a;
    uint32_t count = part->regs * part->per * SIM_LANES;
    uint16_t *order = arena_alloc(d->program->arena, count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = part->places[i] / part->columns, column = part->places[i] % part->columns;
        order[i] = (uint16_t)(shape->by_column ? column * part->rows + row : part->places[i]);
    }
    shape->order = order;
}

enum ptx_type matrix_register(enum ptx_type element)
{
    return element == PTX_F64 ? PTX_F64 : element == PTX_F32 ? PTX_F32 : element == PTX_S32 ? PTX_S32 : PTX_B32;
}

// One list of the registers of D, A, B and C.
static void decode_product(struct decoder *d, struct matrix_shape *shape)
{
    struct matrix_part *parts[4] = {&shape->d, &shape->a, &shape->b, &shape->c};
    uint32_t total = shape->d.regs + shape->a.regs + shape->b.regs + shape->c.regs, at = 0, wide;
    uint32_t *list = arena_alloc(d->program->arena, (total + 1) * sizeof *list);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t have = decode_list(d, i, matrix_register(parts[i]->type), false, &wide);
        if (have != parts[i]->regs) {
            decode_refuse(d, "operand %u has %u registers, not %u", i + 1, have, parts[i]->regs);
            return;
        }
        memcpy(list + at, d->op->list, have * sizeof *list);
        at += have;
        fill_places(d, parts[i]);
    }
    shape->is_square = is_square(shape);
    shape->may_be_exact = matrix_may_be_exact(shape);
    d->op->list = list;
    d->op->matrix = shape;
    d->op->run = run_product;
}

static bool mma_types_fit(const struct matrix_shape *shape)
{
    enum ptx_type a = shape->a.type, b = shape->b.type, c = shape->c.type, d = shape->d.type;
    uint32_t k = shape->k;
    bool eight = a == PTX_E4M3 || a == PTX_E5M2;
    switch (a) {
    case PTX_F16:
        return shape->m == 16 && (k == 8 || k == 16) && b == a && (d == PTX_F16 || d == PTX_F32) && c == d;
    case PTX_BF16:
        return shape->m == 16 && (k == 8 || k == 16) && b == a && d == PTX_F32 && c == d;
    case PTX_TF32:
        return shape->m == 16 && (k == 4 || k == 8) && b == a && d == PTX_F32 && c == d;
    case PTX_F64:
        return k <= 16 && b == a && d == a && c == a;
    case PTX_B1:
        return k >= 128 && b == a && d == PTX_S32 && c == d;
    case PTX_S4:
    case PTX_U4:
        return (k == 32 || k == 64) && element_bits(b) == 4 && d == PTX_S32;
    case PTX_S8:
    case PTX_U8:
        return (k == 16 || k == 32) && element_is_integer(b) && element_bits(b) == 8 && d == PTX_S32;
    default:
        return eight && k == 32 && (b == PTX_E4M3 || b == PTX_E5M2) && c == d && (d == PTX_F32 || d == PTX_F16);
    }
}

static struct matrix_part part_of(enum matrix_layout layout, enum ptx_type type, uint32_t rows, uint32_t columns)
{
    uint32_t bits = element_bits(type), per = bits >= 32 ? 1 : 32 / bits;
    return (struct matrix_part){.layout = layout,
                                .type = type,
                                .rows = rows,
                                .columns = columns,
                                .regs = rows * columns / per / SIM_LANES,
                                .per = per,
                                .bits = bits};
}

static void mma_parts(struct decoder *d, struct matrix_shape *shape, enum ptx_type c)
{
    shape->d = part_of(LAYOUT_C, decode_type(d, 0), shape->m, shape->n);
    shape->a = part_of(LAYOUT_A, decode_type(d, 1), shape->m, shape->k);
    shape->b = part_of(LAYOUT_B, decode_type(d, 2), shape->k, shape->n);
    shape->c = part_of(LAYOUT_C, c, shape->m, shape->n);
    shape->bits_and = decode_has(d, PTX_MOD_AND);
    shape->saturates = decode_has(d, PTX_MOD_SATFINITE);
}

uint32_t matrix_shape_of_group(struct decoder *d, struct matrix_shape *shape)
{
    if (!decode_shape(d, shape, GROUP_ROWS))
        return 0;
    uint32_t columns = shape->n;
    shape->is_of_group = true;
    shape->m = GROUP_ROWS / GROUP_WARPS;
    shape->n = GROUP_COLUMNS;
    mma_parts(d, shape, decode_type(d, 0));
    struct matrix_part *parts[4] = {&shape->d, &shape->a, &shape->b, &shape->c};
    for (int i = 0; i < 4; i++)
        fill_places(d, parts[i]);
    shape->may_be_exact = matrix_may_be_exact(shape);
    return columns;
}

void decode_mma(struct decoder *d)
{
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    if (!decode_shape(d, shape, 32))
        return;
    mma_parts(d, shape, decode_type(d, 3));
    if (shape->n != 8 || !mma_types_fit(shape))
        decode_refuse(d, "these types are not supported for m%un%uk%u", shape->m, shape->n, shape->k);
    else
        decode_product(d, shape);
}

// PTX ISA, "Matrix fragments for wmma": A and B of f16 always take 8 registers.
static struct matrix_part wmma_part(enum ptx_type type, bool accumulator, uint32_t rows, uint32_t columns)
{
    struct matrix_part part = part_of(LAYOUT_WMMA, type, rows, columns);
    part.regs = type == PTX_F16 && !accumulator ? 8 : part.regs;
    return part;
}

static void decode_wmma_move(struct decoder *d, bool stores)
{
    struct op *op = d->op;
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    if (!decode_shape(d, shape, 32))
        return;
    bool is_a = decode_has(d, PTX_MOD_A), is_b = decode_has(d, PTX_MOD_B);
    shape->a = wmma_part(decode_type(d, 0), !is_a && !is_b, is_b ? shape->k : shape->m, is_a ? shape->k : shape->n);
    shape->by_column = decode_has(d, PTX_MOD_COL);
    uint32_t wide, values = stores ? 1 : 0, address = stores ? 0 : 1;
    if (shape->a.bits < 8 || (!is_a && !is_b && shape->a.bits == 8)) {
        decode_refuse(d, "this type is not supported");
        return;
    }
    if (decode_list(d, values, matrix_register(shape->a.type), false, &wide) != shape->a.regs)
        decode_refuse(d, "the fragment has %u registers", shape->a.regs);
    // The sums of m8n32k16 lie as those of m32n8k16 that were turned.
    bool input = is_a || is_b, columns = is_b || (!input && shape->m == 8 && shape->n == 32);
    bool along = columns == shape->by_column;
    shape->across = !along && shape->a.bits != 16;
    shape->together = !input ? 2 : shape->a.bits == 64 ? 1 : 32 / shape->a.bits;
    shape->by_rows = input && !shape->across && shape->a.bits <= 16;
    const uint32_t *list = op->list;
    decode_address(d, 1, address);
    op->list = list;
    if (d->inst->operand_count > 2) {
        decode_source(d, 2, 2, PTX_U32);
        op->count = 1;
    }
    sim_decode_space(d, address);
    op->kind = stores ? SIM_STORE : SIM_LOAD;
    op->scope = SIM_SCOPE_CTA;
    fill_places(d, &shape->a);
    fill_order(d, shape);
    op->matrix = shape;
    op->run = run_wmma_move;
}

void decode_wmma(struct decoder *d)
{
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    const struct ptx_inst *inst = d->inst;
    if (!decode_shape(d, shape, 32))
        return;
    // Floating types are written D, C (f16 inputs) or D, A, B, C.
    bool short_form = inst->type_count == 2;
    enum ptx_type a = short_form ? PTX_F16 : decode_type(d, 1), b = short_form ? PTX_F16 : decode_type(d, 2);
    bool known = a == PTX_F16 || a == PTX_BF16 || a == PTX_TF32 || a == PTX_F64 || a == PTX_S8 || a == PTX_U8;
    if (!known || element_bits(a) != element_bits(b)) {
        decode_refuse(d, "these types are not supported");
        return;
    }
    shape->d = wmma_part(decode_type(d, 0), true, shape->m, shape->n);
    shape->a = wmma_part(a, false, shape->m, shape->k);
    shape->b = wmma_part(b, false, shape->k, shape->n);
    shape->c = wmma_part(decode_type(d, short_form ? 1 : 3), true, shape->m, shape->n);
    shape->saturates = decode_has(d, PTX_MOD_SATFINITE);
    decode_product(d, shape);
}

static void decode_matrix_move(struct decoder *d, bool stores)
{
    struct op *op = d->op;
    uint32_t wide, count = 1u << d->inst->choice;
    uint32_t have = decode_list(d, stores ? 1 : 0, PTX_B32, false, &wide);
    const uint32_t *list = op->list;
    if (have != count)
        decode_refuse(d, "%u registers for %u matrices", have, count);
    decode_address(d, 1, stores ? 0 : 1);
    op->list = list;
    op->count = (uint8_t)count;
    op->width = 16;
    op->action = decode_has(d, PTX_MOD_TRANS);
    sim_decode_space(d, stores ? 0 : 1);
    op->kind = stores ? SIM_MATRIX_STORE : SIM_MATRIX_LOAD;
    op->run = run_ldmatrix;
}

void decode_ldmatrix(struct decoder *d)
{
    decode_matrix_move(d, false);
}

void decode_stmatrix(struct decoder *d)
{
    decode_matrix_move(d, true);
}

void decode_wmma_load(struct decoder *d)
{
    decode_wmma_move(d, false);
}

void decode_wmma_store(struct decoder *d)
{
    decode_wmma_move(d, true);
}
