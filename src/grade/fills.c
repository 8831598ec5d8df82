// Values of a buffer's elements, eight at a time: with the widest instructions that there are, and the same with any.
#include "grade/fills.h"

#include <string.h>

#include "base/half.h"
#include "base/random.h"
#include "device/args.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { HOLE_BITS = 10, AT_ONCE = 64, FEW = 4 };

// ---- one element

// Always less than half a step of a half, and more than a quarter, so that all that is rounded off adds up.
static double below_half(uint64_t random)
{
    return 0x1p-12 - 0x1p-23 * (double)(1 + (random >> 32 & 1023));
}

// One run of 1024 elements in sixteen.
static bool is_hole(const struct maker *maker, size_t index)
{
    return maker->has_holes && (maker->holes + (index >> HOLE_BITS) * RANDOM_STEP) >> 60 == 0;
}

static bool is_rough(const struct maker *maker, size_t index)
{
    return maker->rough > 0 && !(maker->fill.first && maker->fill.first(maker->state, index / maker->columns) != 0);
}

static double make_value(const struct maker *maker, size_t index)
{
    if (maker->numbered)
        return 100.0 * (double)(index / maker->columns) + (double)(index % maker->columns);
    if (maker->fill.first && index % maker->columns == 0)
        return maker->fill.first(maker->state, index / maker->columns);
    if (is_hole(maker, index))
        return 0;
    uint64_t range = maker->fill.range, state = maker->state + index * RANDOM_STEP, drawn = index, random = 0;
    if (range) {
        random = random_next(&state) >> 16;
        drawn = random % range;
    }
    double value = maker->fill.low + maker->fill.step * (double)drawn;
    return is_rough(maker, index) ? value + maker->rough * below_half(random) : value;
}

// ---- many

// Elements that differ in nothing but their numbers and holes. Nothing here branches, so that compilers take several
// elements at a time.
struct run {
    const struct maker *maker;
    size_t first, step, count;
    double rough; // 0: nothing is added
};

// A number below 2^52.
static inline double real_of(uint64_t number)
{
    return bits_f64(number | UINT64_C(0x4330000000000000)) - 0x1p52;
}

// What is left of a number below 2^48 divided by a range. The quotient is right, or one too large.
static inline double remainder_of(uint64_t number, double range)
{
    double all = real_of(number), quotient = all * (1 / range) + 0x1p52 - 0x1p52, rest = all - quotient * range;
    return rest < 0 ? rest + range : rest;
}

static inline __attribute__((always_inline)) void draw(const struct run *run, bool is_power, bool adds,
                                                       double *restrict values)
{
    const struct fill fill = run->maker->fill;
    const uint64_t first = run->maker->state + RANDOM_STEP, holes = run->maker->holes,
                   whole = run->maker->has_holes ? 0 : 1;
    const double rough = run->rough;
    const size_t count = run->count;
    for (size_t i = 0; i < count; i++) {
        uint64_t index = run->first + i * run->step, z = first + index * RANDOM_STEP;
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        uint64_t random = (z ^ z >> 31) >> 16;
        double drawn = is_power ? real_of(random & (fill.range - 1)) : remainder_of(random, (double)fill.range);
        double value = fill.low + fill.step * drawn;
        if (adds)
            value += rough * (0x1p-12 - 0x1p-23 * (1 + real_of(random >> 32 & 1023)));
        uint64_t hole = (holes + (index >> HOLE_BITS) * RANDOM_STEP) >> 60 | whole;
        values[i] = bits_f64(f64_bits(value) & (hole ? UINT64_MAX : 0));
    }
}

static inline __attribute__((always_inline)) void draw_any(const struct run *run, double *values)
{
    bool is_power = (run->maker->fill.range & (run->maker->fill.range - 1)) == 0;
    if (is_power && run->rough > 0)
        draw(run, true, true, values);
    else if (is_power)
        draw(run, true, false, values);
    else
        draw(run, false, true, values);
}

static void draw_plain(const struct run *run, double *values)
{
    draw_any(run, values);
}

// back: values become what the halves hold.
static void halves_plain(double *values, size_t count, uint16_t *halves, bool back)
{
    for (size_t i = 0; i < count; i++) {
        halves[i] = (uint16_t)f16_from_f64(values[i], ROUND_NEAREST);
        if (back)
            values[i] = (double)f16_to_f32(halves[i]);
    }
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void draw_wide(const struct run *run, double *values)
{
    draw_any(run, values);
}

__attribute__((target("avx512f,avx512dq"))) static void draw_widest(const struct run *run, double *values)
{
    draw_any(run, values);
}

// What a float can not hold would be rounded twice.
__attribute__((target("avx,f16c"))) static void halves_wide(double *values, size_t count, uint16_t *halves, bool back)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256d four = _mm256_loadu_pd(values + i);
        __m128 singles = _mm256_cvtpd_ps(four);
        __m128i rounded = _mm_cvtps_ph(singles, _MM_FROUND_TO_NEAREST_INT);
        if (_mm256_movemask_pd(_mm256_cmp_pd(_mm256_cvtps_pd(singles), four, _CMP_NEQ_UQ)))
            break;
        _mm_storel_epi64((__m128i *)(void *)(halves + i), rounded);
        if (back)
            _mm256_storeu_pd(values + i, _mm256_cvtps_pd(_mm_cvtph_ps(rounded)));
    }
    halves_plain(values + i, count - i, halves + i, back);
}

__attribute__((target("avx512f,f16c"))) static void halves_widest(double *values, size_t count, uint16_t *halves,
                                                                  bool back)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m512d eight = _mm512_loadu_pd(values + i);
        __m256 singles = _mm512_cvtpd_ps(eight);
        __m128i rounded = _mm256_cvtps_ph(singles, _MM_FROUND_TO_NEAREST_INT);
        if (_mm512_cmp_pd_mask(_mm512_cvtps_pd(singles), eight, _CMP_NEQ_UQ))
            break;
        _mm_storeu_si128((__m128i *)(void *)(halves + i), rounded);
        if (back)
            _mm512_storeu_pd(values + i, _mm512_cvtps_pd(_mm256_cvtph_ps(rounded)));
    }
    halves_wide(values + i, count - i, halves + i, back);
}

static void draw_fast(const struct run *run, double *values)
{
    if (__builtin_cpu_supports("avx512dq"))
        draw_widest(run, values);
    else if (__builtin_cpu_supports("avx2"))
        draw_wide(run, values);
    else
        draw_plain(run, values);
}

static void halves_of(double *values, size_t count, uint16_t *halves, bool back)
{
    if (__builtin_cpu_supports("avx512f"))
        halves_widest(values, count, halves, back);
    else if (__builtin_cpu_supports("avx2")) // these have F16C, too
        halves_wide(values, count, halves, back);
    else
        halves_plain(values, count, halves, back);
}
#else
static void draw_fast(const struct run *run, double *values)
{
    draw_plain(run, values);
}

static void halves_of(double *values, size_t count, uint16_t *halves, bool back)
{
    halves_plain(values, count, halves, back);
}
#endif

// The same for bfloat16. Of what a float can hold all are rounded at once.
static void bfloats_of(double *values, size_t count, uint16_t *bfloats, bool back)
{
    bool differ = false;
    for (size_t i = 0; i < count; i++)
        differ |= (double)(float)values[i] != values[i];
    for (size_t i = 0; i < count && differ; i++)
        bfloats[i] = (uint16_t)bf16_from_f64(values[i], ROUND_NEAREST);
    for (size_t i = 0; i < count && !differ; i++)
        bfloats[i] = (uint16_t)bf16_from_f32((float)values[i]);
    for (size_t i = 0; i < count && back; i++)
        values[i] = (double)bf16_to_f32(bfloats[i]);
}

// False: another type.
static bool to_16_bits(enum ptx_type type, double *values, size_t count, uint16_t *to, bool back)
{
    if (type == PTX_F16)
        halves_of(values, count, to, back);
    if (type == PTX_BF16)
        bfloats_of(values, count, to, back);
    return type == PTX_F16 || type == PTX_BF16;
}

// Before they are rounded.
static void draw_values(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    bool has_first = maker->fill.first != NULL;
    if (maker->numbered || !maker->fill.range || (has_first && step != 1) || count < FEW) {
        for (size_t i = 0; i < count; i++)
            values[i] = make_value(maker, first + i * step);
        return;
    }
    for (size_t i = 0, left; i < count; i += left) { // row by row, where these differ
        size_t index = first + i * step, column = index % maker->columns;
        left = has_first && count - i > maker->columns - column ? maker->columns - column : count - i;
        struct run run = {maker, index, step, left, is_rough(maker, index) ? maker->rough : 0};
        draw_fast(&run, values + i);
        if (has_first && column == 0)
            values[i] = maker->fill.first(maker->state, index / maker->columns);
    }
}

void maker_values(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    draw_values(maker, first, step, count, values);
    uint16_t narrowed[AT_ONCE];
    size_t done = 0;
    while (done < count &&
           to_16_bits(maker->type, values + done, count - done < AT_ONCE ? count - done : AT_ONCE, narrowed, true))
        done += AT_ONCE;
    for (size_t i = done; i < count; i++) {
        uint64_t bits = maker->type == PTX_F32 ? 0 : args_bits(maker->type, values[i]);
        values[i] = maker->type == PTX_F32 ? (double)(float)values[i] : args_element(maker->type, &bits);
    }
}

void maker_fill(const struct maker *maker, size_t first, size_t count, void *to)
{
    size_t size = ptx_type_size(maker->type);
    double values[AT_ONCE];
    for (size_t i = 0; i < count; i += AT_ONCE) {
        size_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
        unsigned char *out = (unsigned char *)to + i * size;
        draw_values(maker, first + i, 1, some, values);
        if (to_16_bits(maker->type, values, some, (void *)out, false))
            continue;
        if (maker->type == PTX_F32) {
            float singles[AT_ONCE];
            for (size_t j = 0; j < some; j++)
                singles[j] = (float)values[j];
            memcpy(out, singles, some * sizeof *singles);
            continue;
        }
        for (size_t j = 0; j < some; j++) {
            uint64_t bits = args_bits(maker->type, values[j]);
            memcpy(out + j * size, &bits, size);
        }
    }
}
