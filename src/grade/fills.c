// Values of a buffer's elements, eight at a time: with the widest instructions that there are, and the same with any.
#include "grade/fills.h"

#include <math.h>
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

static double last_of(const struct maker *maker, size_t index)
{
    double value = maker->fill.last(maker->state, index / maker->columns, maker->rows);
    return fabs(value) >= FILL_BARE && ptx_type_size(maker->type) < 4 ? value / 128 : value;
}

static bool is_bare(const struct maker *maker, size_t index)
{
    size_t row = index / maker->columns;
    return maker->fill.last && fabs(maker->fill.last(maker->state, row, maker->rows)) >= FILL_BARE;
}

static bool is_rough(const struct maker *maker, size_t index)
{
    return maker->rough > 0 && !(maker->fill.last && last_of(maker, index) != 0);
}

// ---- where values lean

enum lean { LEAN_NOT, LEAN_UP, LEAN_DOWN, LEAN_HIGHEST, LEAN_LOWEST, LEAN_SMALL, LEAN_EQUAL, LEAN_FAR, LEAN_ASKEW };
enum { EIGHT_ROWS = 8, ONE_IN = 4, LEAST_RANGE = 64 };

// What was drawn last: many places that follow one another ask for the same.
struct last_drawn {
    bool is_known;
    uint64_t number, drawn;
};
enum { DRAWN_OF_BAND, DRAWN_OF_GROUP, DRAWN_OF_EIGHT, DRAWN_KINDS };

static uint64_t drawn_of(struct last_drawn *last, uint64_t number)
{
    if (!last->is_known || last->number != number)
        *last = (struct last_drawn){true, number, random_of(number)};
    return last->drawn;
}

// Each kind in its turn, from any: there are all of them in so many places.
static enum lean kind_in_turn(const struct leaning *leaning, uint64_t turn)
{
    return LEAN_UP + (leaning->seed + turn) % (leaning->goes_far ? LEAN_FAR : LEAN_EQUAL);
}

struct lean_place {
    enum lean lean;
    bool is_piece;   // of a row, which is leaning as far as it has no hole; others have none
    uint64_t random; // its own
};

// Of LEAN_PIECE elements of a row, or fewer at its end.
static struct lean_place lean_at(const struct leaning *leaning, size_t row, size_t piece,
                                 struct last_drawn last[DRAWN_KINDS])
{
    size_t pieces = (leaning->columns + LEAN_PIECE - 1) / LEAN_PIECE, band = row / LEAN_BAND, pair = band / 2;
    bool has_tiles = !leaning->is_flat && (drawn_of(&last[DRAWN_OF_BAND], leaning->seed + pair) + band) % 2;
    size_t groups = (pieces + ONE_IN - 1) / ONE_IN, group = has_tiles ? pair * groups + piece / ONE_IN : row / ONE_IN;
    uint64_t drawn = drawn_of(&last[DRAWN_OF_GROUP], (leaning->seed ^ (has_tiles ? 1 : 2) * RANDOM_STEP) + group);
    if ((has_tiles ? piece : row) % ONE_IN == drawn % ONE_IN)
        return (struct lean_place){kind_in_turn(leaning, group), false, drawn >> 8};
    group = row / EIGHT_ROWS * pieces + piece;
    drawn = drawn_of(&last[DRAWN_OF_EIGHT], (leaning->seed ^ 3 * RANDOM_STEP) + group);
    enum lean lean = (leaning->seed + group) % 2 ? LEAN_ASKEW : kind_in_turn(leaning, group / 2);
    return (struct lean_place){row % EIGHT_ROWS == drawn % EIGHT_ROWS ? lean : LEAN_NOT, true, drawn >> 8};
}

// What is drawn from there: a part of the range, on the same steps.
static void lean_fill(enum lean lean, uint64_t random, struct fill *fill)
{
    uint64_t range = fill->range, all = UINT64_C(1) << (63 - __builtin_clzll(range)), first = 0, count = all / 16;
    double scale = 1;
    switch (lean) {
    case LEAN_NOT:
        return;
    case LEAN_UP:
        first = range / 2 + 1;
        count = range - first;
        break;
    case LEAN_DOWN:
        count = range / 2;
        break;
    case LEAN_HIGHEST:
        first = range - count;
        break;
    case LEAN_LOWEST:
        break;
    case LEAN_SMALL:
        count = all / 64;
        first = random & 1 ? range / 2 + 1 : range / 2 - count;
        break;
    case LEAN_EQUAL:
        first = random % range;
        count = 1;
        break;
    case LEAN_FAR:
        count = all;
        scale = (double)(2 << random % 8);
        break;
    case LEAN_ASKEW:
        count = all / 2;
        first = random % (range - count + 1);
    }
    fill->low = scale * (fill->low + fill->step * (double)first);
    fill->step *= scale;
    fill->range = count;
}

static bool has_leaning(const struct maker *maker)
{
    return maker->leaning.columns > 0 && maker->fill.range >= LEAST_RANGE;
}

// How elements are drawn.
struct manner {
    struct fill fill;
    double rough;   // so many times a little is added
    bool has_holes; // where the maker has them
};

static struct manner lean_manner(const struct maker *maker, struct lean_place place, double rough)
{
    struct manner manner = {maker->fill, place.lean == LEAN_EQUAL ? 0 : rough, maker->has_holes && place.is_piece};
    lean_fill(place.lean, place.random, &manner.fill);
    return manner;
}

// Of the element at `index` and those after it: *count at most, less where the next is drawn otherwise.
static struct manner manner_at(const struct maker *maker, size_t index, size_t *count)
{
    double rough = is_rough(maker, index) ? maker->rough : 0;
    size_t columns = maker->leaning.columns;
    if (!has_leaning(maker))
        return (struct manner){maker->fill, rough, maker->has_holes};
    size_t row = index / columns, column = index % columns, piece = column / LEAN_PIECE;
    size_t end = (piece + 1) * LEAN_PIECE < columns ? (piece + 1) * LEAN_PIECE : columns;
    *count = *count < end - column ? *count : end - column;
    return lean_manner(maker, lean_at(&maker->leaning, row, piece, (struct last_drawn[DRAWN_KINDS]){0}), rough);
}

static double value_in(const struct manner *manner, const struct maker *maker, size_t index)
{
    const struct fill *fill = &manner->fill;
    uint64_t drawn = index, random = 0, state = maker->state + index * RANDOM_STEP;
    if (manner->has_holes && is_hole(maker, index))
        return 0;
    if (fill->range) {
        random = random_next(&state) >> 16;
        drawn = fill->range & (fill->range - 1) ? random % fill->range : random & (fill->range - 1);
    }
    double value = fill->low + fill->step * (double)drawn;
    return manner->rough > 0 ? value + manner->rough * below_half(random) : value;
}

static double make_value(const struct maker *maker, size_t index)
{
    if (maker->numbered)
        return 100.0 * (double)(index / maker->columns) + (double)(index % maker->columns);
    if (maker->fill.last && index % maker->columns == maker->columns - 1)
        return last_of(maker, index);
    if (is_bare(maker, index))
        return 0;
    size_t one = 1;
    const struct manner manner = manner_at(maker, index, &one);
    return value_in(&manner, maker, index);
}

// ---- where they repeat

struct equal_run {
    size_t first, end; // of elements: all have the first one's value
    bool has_specks;   // but for some, as a picture's background has
};

// Of the piece of `size` elements that this one is in.
static struct equal_run drawn_run(uint64_t drawn, size_t index, size_t size, size_t least, size_t *end)
{
    size_t length = least + (drawn >> 8 & 0xffff) % (size - least + 1), start = index / size * size;
    size_t first = start + (drawn >> 32) % (size - length + 1);
    *end = start + size;
    return (struct equal_run){first, first + length, false};
}

// Of the piece that the element is in, which ends at *end; one of no elements if nothing repeats there.
static struct equal_run run_at(const struct repeating *repeating, size_t index, size_t *end)
{
    uint64_t drawn = random_of((repeating->seed ^ RANDOM_STEP) + index / RUN_LONG);
    if (repeating->has_long && drawn % LONG_ONE_IN == 0) {
        struct equal_run run = drawn_run(drawn, index, RUN_LONG, RUN_LONG / 2, end);
        run.has_specks = drawn >> 24 & 1;
        return run;
    }
    drawn = random_of(repeating->seed + index / RUN_PIECE);
    struct equal_run run = drawn_run(drawn, index, RUN_PIECE, RUN_LEAST, end);
    return drawn % repeating->one_in == 0 ? run : (struct equal_run){0};
}

static void repeat(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    for (size_t i = 0, end; i < count;) {
        const struct equal_run run = run_at(&maker->repeating, first + i * step, &end);
        double value = run.end ? make_value(maker, run.first) : 0;
        for (; i < count && first + i * step < end; i++) {
            size_t index = first + i * step;
            bool is_speck = run.has_specks && random_of(maker->repeating.seed - index) % SPECK_ONE_IN == 0;
            if (index >= run.first && index < run.end && !is_speck)
                values[i] = value;
        }
    }
}

// ---- many

// Elements that differ in nothing but their numbers and holes. Nothing here branches, so that compilers take several
// elements at a time.
struct run {
    const struct maker *maker;
    struct manner manner;
    size_t first, step, count;
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
    const struct fill fill = run->manner.fill;
    const uint64_t first = run->maker->state + RANDOM_STEP, holes = run->maker->holes,
                   whole = run->manner.has_holes ? 0 : 1;
    const double rough = run->manner.rough;
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
    bool is_power = (run->manner.fill.range & (run->manner.fill.range - 1)) == 0;
    if (is_power && run->manner.rough > 0)
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

// Elements of several rows, none of which ends with a number of its own: first as if none leant.
static void draw_apart(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    const struct run run = {maker, {maker->fill, maker->rough, maker->has_holes}, first, step, count};
    const size_t columns = maker->leaning.columns;
    struct last_drawn last[DRAWN_KINDS] = {0};
    draw_fast(&run, values);
    for (size_t i = 0; i < count && has_leaning(maker); i++) {
        size_t index = first + i * step, row = index / columns, column = index % columns;
        struct lean_place place = lean_at(&maker->leaning, row, column / LEAN_PIECE, last);
        const struct manner manner = lean_manner(maker, place, maker->rough);
        if (place.lean)
            values[i] = value_in(&manner, maker, index);
    }
}

static void draw_apiece(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    bool has_last = maker->fill.last != NULL;
    if (maker->numbered || !maker->fill.range || (has_last && step != 1) || count < FEW) {
        for (size_t i = 0; i < count; i++)
            values[i] = make_value(maker, first + i * step);
        return;
    }
    if (step != 1) {
        draw_apart(maker, first, step, count, values);
        return;
    }
    for (size_t i = 0, left; i < count; i += left) { // row by row, where these differ
        size_t index = first + i, column = index % maker->columns;
        left = has_last && count - i > maker->columns - column ? maker->columns - column : count - i;
        const struct run run = {maker, manner_at(maker, index, &left), index, step, left};
        draw_fast(&run, values + i);
        if (is_bare(maker, index))
            memset(values + i, 0, left * sizeof *values);
        if (has_last && column + left == maker->columns)
            values[i + left - 1] = last_of(maker, index);
    }
}

// Before they are rounded.
static void draw_values(const struct maker *maker, size_t first, size_t step, size_t count, double *values)
{
    draw_apiece(maker, first, step, count, values);
    if (maker->repeating.one_in && !maker->numbered)
        repeat(maker, first, step, count, values);
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
