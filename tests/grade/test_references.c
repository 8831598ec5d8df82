#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/half.h"
#include "grade/references.h"

Suite *suite_references(void);

static struct lesson_variable variables[] = {{"width", 5},  {"height", 3}, {"radius", 2},
                                             {"stride", 3}, {"shift", 2},  {"steps", 2}};
static const struct lesson_size size = {.name = "s", .variables = variables, .variable_count = 6};

static struct lesson_arg args[3];
static struct lesson_part part;

static void setup(const char *reference, struct lesson_arg out, struct lesson_arg in, struct lesson_arg in2)
{
    args[0] = out;
    args[1] = in;
    args[2] = in2;
    part = (struct lesson_part){.kernel = "k", .reference = reference, .args = args, .arg_count = in2.name ? 3 : 2};
}

#define SHAPE(...) .shape = {__VA_ARGS__}, .shape_count = sizeof((const char *[]){__VA_ARGS__}) / 8
#define OUT(type_, role_, ...) ((struct lesson_arg){.name = "out", .type = type_, .role = role_, SHAPE(__VA_ARGS__)})
#define IN(name_, type_, fill_, ...)                                                                                   \
    ((struct lesson_arg){.name = name_, .type = type_, .role = LESSON_IN, .fill = fill_, SHAPE(__VA_ARGS__)})
#define NONE ((struct lesson_arg){0})

static struct dataset data;

static void make(uint64_t seed)
{
    struct diagnostic diagnostic = {0};
    dataset_make(&data, &part, &size, false, seed);
    ck_assert_msg(dataset_expect(&data, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
}

static double in(size_t arg, size_t index)
{
    return dataset_element(&data.args[arg], index);
}

START_TEST(transpose_turns)
{
    setup("transpose", OUT(PTX_F32, LESSON_OUT, "width", "height"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    make(1);
    for (size_t y = 0; y < 3; y++)
        for (size_t x = 0; x < 5; x++)
            ck_assert_double_eq(data.expected[0][x * 3 + y], in(1, y * 5 + x));
    dataset_free(&data);
}
END_TEST

START_TEST(matmul_transposed_multiplies_rows_by_rows)
{
    setup("matmul_transposed", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("a", PTX_F32, NULL, "height", "2"),
          IN("b", PTX_F32, NULL, "width", "2"));
    make(2);
    ck_assert_double_eq(data.expected[0][5 + 3], in(1, 2) * in(2, 6) + in(1, 3) * in(2, 7));
    dataset_free(&data);
}
END_TEST

START_TEST(matmul_multiplies)
{
    setup("matmul", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("a", PTX_F32, NULL, "height", "2"),
          IN("b", PTX_F32, NULL, "2", "width"));
    make(2);
    ck_assert_double_eq(data.expected[0][5 + 3], in(1, 2) * in(2, 3) + in(1, 3) * in(2, 5 + 3));
    dataset_free(&data);
}
END_TEST

START_TEST(reduce_sum_sums_runs)
{
    setup("reduce_sum", OUT(PTX_F32, LESSON_OUT, "height"), IN("in", PTX_F32, NULL, "height", "2"), NONE);
    make(3);
    ck_assert_double_eq(data.expected[0][1], in(1, 2) + in(1, 3));
    dataset_free(&data);
}
END_TEST

START_TEST(histogram_counts_on)
{
    setup("histogram", OUT(PTX_U32, LESSON_INOUT, "width"), IN("in", PTX_U8, "bins", "100"), NONE);
    args[0].fill = "iota";
    make(4);
    double sum = 0;
    for (size_t i = 0; i < 5; i++)
        sum += data.expected[0][i] - (double)i;
    ck_assert_double_eq(sum, 100);
    dataset_free(&data);
}
END_TEST

// Three rows of five: 0 to 4, 5 to 9, 10 to 14; four to a bin.
START_TEST(histogram_of_rows_counts_each_row)
{
    static const double counts[3][4] = {{4, 1, 0, 0}, {0, 3, 2, 0}, {0, 0, 2, 3}};
    const size_t some[] = {11, 4, 1};
    double few[3];
    setup("histogram", OUT(PTX_U32, LESSON_OUT, "height", "4"), IN("in", PTX_U8, "iota", "height", "width"), NONE);
    make(4);
    for (size_t i = 0; i < 12; i++)
        ck_assert_double_eq(data.expected[0][i], counts[i / 4][i % 4]);
    ck_assert(dataset_expect_some(&data, some, 3, few));
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq(few[i], counts[some[i] / 4][some[i] % 4]);
    dataset_free(&data);
}
END_TEST

// A block's outputs may be asked for in turns: bin 0 of one row, bin 0 of the next, bin 1 … Counting a row for each
// would take half a minute.
START_TEST(rows_of_a_histogram_are_counted_once_in_any_order)
{
    size_t turns[512];
    double counted[512], sum = 0;
    setup("histogram", OUT(PTX_U32, LESSON_OUT, "height", "256"), IN("in", PTX_U8, "bytes", "height", "1000000"), NONE);
    dataset_make_bare(&data, &part, &size, false, 6);
    for (size_t i = 0; i < 512; i++)
        turns[i] = i % 2 * 256 + i / 2;
    clock_t start = clock();
    ck_assert(dataset_expect_some(&data, turns, 512, counted));
    ck_assert(clock() - start < 3 * CLOCKS_PER_SEC);
    for (size_t i = 0; i < 512; i++)
        sum += counted[i];
    ck_assert_double_eq(sum, 2e6);
    dataset_free(&data);
}
END_TEST

START_TEST(data_that_are_drawn_anew_are_those_of_their_seed)
{
    float first[64], again[64], made[64];
    struct dataset other;
    setup("transpose", OUT(PTX_F32, LESSON_OUT, "width", "height"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    dataset_make_bare(&data, &part, &size, false, 6);
    size_t count = data.args[1].count < 64 ? data.args[1].count : 64;
    dataset_fill(&data, 1, 0, count, first);
    dataset_draw(&data, 7);
    dataset_fill(&data, 1, 0, count, again);
    dataset_make_bare(&other, &part, &size, false, 7);
    dataset_fill(&other, 1, 0, count, made);
    ck_assert_mem_eq(again, made, count * sizeof *made);
    ck_assert_mem_ne(again, first, count * sizeof *first);
    dataset_free(&data);
    dataset_free(&other);
}
END_TEST

static const struct {
    const char *fill;
    enum ptx_type type;
    double least, most, step; // some values lie below `least` and above `most`, and are multiples of no larger step
} wide_fills[] = {
    {"fine", PTX_F32, -0.75, 0.75, 0x1p-24}, {"fine", PTX_F16, -0.75, 0.75, 0x1p-6},
    {"any", PTX_S32, -0x1p30, 0x1p30, 1},    {"any", PTX_U32, 0x1p30, 0x1p31, 1},
    {"any", PTX_S8, -100, 100, 1},           {"any", PTX_S64, -0x1p46, 0x1p46, 1},
    {"any", PTX_F32, -0.75, 0.75, 0x1p-24},
};

START_TEST(wide_fills_have_all_values_of_their_type)
{
    setup("none", OUT(PTX_F32, LESSON_OUT, "width"), IN("in", wide_fills[_i].type, wide_fills[_i].fill, "4096"), NONE);
    make(8);
    double least = in(1, 0), most = in(1, 0);
    bool is_finer = false;
    for (size_t i = 0; i < data.args[1].count; i++) {
        double value = in(1, i);
        least = fmin(least, value);
        most = fmax(most, value);
        is_finer |= fmod(value, 2 * wide_fills[_i].step) != 0;
        ck_assert_double_eq(fmod(value, wide_fills[_i].step), 0);
    }
    ck_assert_msg(least < wide_fills[_i].least && most > wide_fills[_i].most && is_finer, "%g to %g", least, most);
    dataset_free(&data);
}
END_TEST

START_TEST(stencil_is_zero_outside)
{
    setup("stencil", OUT(PTX_F32, LESSON_OUT, "width"), IN("in", PTX_F32, NULL, "width"), NONE);
    make(5);
    ck_assert_double_eq(data.expected[0][1], in(1, 0) + in(1, 1) + in(1, 2) + in(1, 3));
    dataset_free(&data);
    setup("stencil", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    make(6);
    ck_assert_double_eq(data.expected[0][0], in(1, 0) + in(1, 1) + in(1, 5));
    ck_assert_double_eq(data.expected[0][6], in(1, 1) + in(1, 5) + in(1, 6) + in(1, 7) + in(1, 11));
    dataset_free(&data);
}
END_TEST

START_TEST(relaxing_is_zero_outside_in_every_step)
{
    setup("relax", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    make(6);
    double right = (in(1, 0) + in(1, 2) + in(1, 6)) / 4, below = (in(1, 0) + in(1, 6) + in(1, 10)) / 4;
    ck_assert_double_eq(data.expected[0][0], (right + below) / 4);
    dataset_free(&data);
}
END_TEST

START_TEST(copy_strided_picks)
{
    setup("copy_strided", OUT(PTX_S32, LESSON_OUT, "width"), IN("in", PTX_S32, "iota", "width * stride"), NONE);
    make(7);
    ck_assert_double_eq(data.expected[0][4], 12);
    dataset_free(&data);
}
END_TEST

static struct lesson_arg attended[4];

static void setup_attention(const char *queries, const char *keys)
{
    attended[0] = OUT(PTX_F32, LESSON_OUT, queries, "2");
    attended[1] = IN("q", PTX_F32, "queries", queries, "4");
    attended[2] = IN("k", PTX_F32, "keys", keys, "4");
    attended[3] = IN("v", PTX_F32, NULL, keys, "2");
    part = (struct lesson_part){.kernel = "k", .reference = "attention", .args = attended, .arg_count = 4};
}

START_TEST(a_map_shows_a_buffer_x_first)
{
    struct tensor_map map;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "height", "4 * width"), IN("in", PTX_F32, NULL, "height", "4 * width"),
          ((struct lesson_arg){.name = "map",
                               .type = PTX_F32,
                               .role = LESSON_MAP,
                               .of = "in",
                               .box = {"8", "32"},
                               .box_count = 2,
                               .swizzle = 128}));
    make(1);
    ck_assert(data.args[2].is_tensor_map);
    memcpy(&map, data.args[2].bytes, sizeof map);
    ck_assert_uint_eq(map.rank, 2);
    ck_assert_uint_eq(map.dims[0], data.shape[1][1]);
    ck_assert_uint_eq(map.dims[1], data.shape[1][0]);
    ck_assert_uint_eq(map.box[0], 32);
    ck_assert_uint_eq(map.box[1], 8);
    ck_assert_uint_eq(map.swizzle, 128);
    ck_assert_str_eq(data.args[2].pointers[0].target, "in");
    dataset_free(&data);
}
END_TEST

// Whatever is subtracted from all scores of a row, the weights are the same.
START_TEST(attention_is_the_mean_of_the_values_by_the_scores)
{
    const size_t some[] = {9, 2, 8};
    double few[3];
    setup_attention("width", "height");
    make(13);
    for (size_t element = 0; element < 10; element++) {
        double sum = 0, mean = 0, first = 0;
        for (size_t key = 0; key < 3; key++) {
            double score = 0;
            for (size_t i = 0; i < 4; i++)
                score += in(1, element / 2 * 4 + i) * in(2, key * 4 + i) / 2;
            first = key ? first : score;
            sum += exp(score - first);
            mean += exp(score - first) * in(3, key * 2 + element % 2);
        }
        ck_assert_double_eq_tol(data.expected[0][element], mean / sum, 1e-12);
    }
    ck_assert(dataset_expect_some(&data, some, 3, few));
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq(few[i], data.expected[0][some[i]]);
    dataset_free(&data);
}
END_TEST

// So that exp(score) overflows in one row of eight, and is 0 in another, at eight places that the seed draws.
START_TEST(queries_of_some_rows_lift_or_lower_all_scores)
{
    size_t places = 0;
    setup_attention("128", "height");
    for (uint64_t seed = 1; seed < 3; seed++) {
        make(seed);
        for (size_t group = 0; group < 16; group++) {
            size_t up = 0, down = 0;
            for (size_t row = group * 8; row < group * 8 + 8; row++) {
                up += in(1, row * 4 + 3) >= 436;
                down += in(1, row * 4 + 3) <= -520;
                places |= (size_t)(in(1, row * 4 + 3) >= 436) << row % 8;
                ck_assert(fabs(in(1, row * 4 + 2)) <= 4);
            }
            ck_assert_uint_eq(up, 1);
            ck_assert_uint_eq(down, 1);
        }
        size_t later = 0;
        for (size_t row = 1; row < data.shape[2][0]; row++) {
            later += in(2, row * 4 + 3) == 3.5;
            ck_assert(in(2, row * 4 + 3) == (later ? 3.5 : 2));
        }
        ck_assert_double_eq(in(2, 3), 2);
        dataset_free(&data);
    }
    ck_assert_int_ge(__builtin_popcountl(places), 6);
}
END_TEST

START_TEST(shapes_that_do_not_suit_are_told)
{
    struct diagnostic diagnostic = {0};
    setup("transpose", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    dataset_make(&data, &part, &size, false, 1);
    ck_assert_int_eq(dataset_expect(&data, &diagnostic), STATUS_USAGE);
    dataset_free(&data);
}
END_TEST

START_TEST(sums_of_floats_are_exact_in_any_order)
{
    setup("reduce_sum", OUT(PTX_F32, LESSON_OUT, "1"), IN("in", PTX_F32, NULL, "4096"), NONE);
    make(8);
    float up = 0, down = 0;
    for (size_t i = 0; i < 4096; i++) {
        up += (float)in(1, i) * (float)in(1, 4095 - i);
        down += (float)in(1, 4095 - i) * (float)in(1, i);
    }
    double exact = 0;
    for (size_t i = 0; i < 4096; i++)
        exact += in(1, i) * in(1, 4095 - i);
    ck_assert_double_eq(up, exact);
    ck_assert_double_eq(down, exact);
    dataset_free(&data);
}
END_TEST

// A tolerance that forgives what floats lose, whatever the order, and not what halves do, even of one factor alone.
START_TEST(sums_of_halves_are_seen_where_sums_of_floats_are_forgiven)
{
    enum { N = 1024 };
    setup("reduce_sum", OUT(PTX_F32, LESSON_OUT, "1"), IN("in", PTX_F32, NULL, "1024"), NONE);
    part.absolute = 0.001;
    make(8);
    float up = 0, down = 0, lanes[32] = {0}, halves = 0, folded = 0;
    for (size_t i = 0; i < N; i++) {
        up += (float)in(1, i);
        down += (float)in(1, N - 1 - i);
        lanes[i % 32] += (float)in(1, i);
        halves += f16_to_f32(f16_from_f64(in(1, i), ROUND_NEAREST));
    }
    for (size_t i = 0; i < 32; i++)
        folded += lanes[i];
    double exact = data.expected[0][0];
    ck_assert(dataset_is_right((double)up, exact, &part));
    ck_assert(dataset_is_right((double)down, exact, &part));
    ck_assert(dataset_is_right((double)folded, exact, &part));
    ck_assert(!dataset_is_right((double)halves, exact, &part));
    dataset_free(&data);
}
END_TEST

static float half_of(double value)
{
    return f16_to_f32(f16_from_f64(value, ROUND_NEAREST));
}

// Two steps: the weights of what lies around an element, of 16.
static float relaxed_twice(size_t row, size_t column, bool rounds)
{
    static const int around[9][3] = {{0, 0, 4},   {-2, 0, 1}, {2, 0, 1},  {0, -2, 1}, {0, 2, 1},
                                     {-1, -1, 2}, {-1, 1, 2}, {1, -1, 2}, {1, 1, 2}};
    float sum = 0;
    for (size_t i = 0; i < 9; i++) {
        double value = in(1, (row + (size_t)around[i][0]) * 32 + column + (size_t)around[i][1]);
        sum += (float)around[i][2] * (rounds ? half_of(value) : (float)value);
    }
    return sum / 16;
}

START_TEST(halves_are_seen_in_relaxations_and_floats_are_forgiven)
{
    setup("relax", OUT(PTX_F32, LESSON_OUT, "32", "32"), IN("in", PTX_F32, NULL, "32", "32"), NONE);
    part.absolute = part.relative = 0.00001;
    make(9);
    size_t wrong = 0;
    for (size_t row = 2; row < 30; row++)
        for (size_t column = 2; column < 30; column++) {
            double exact = data.expected[0][row * 32 + column];
            ck_assert(dataset_is_right((double)relaxed_twice(row, column, false), exact, &part));
            wrong += !dataset_is_right((double)relaxed_twice(row, column, true), exact, &part);
        }
    ck_assert_uint_gt(wrong, 28 * 28 * 9 / 10);
    dataset_free(&data);
}
END_TEST

// out in double precision, from queries or values as halves.
static double attended_by(size_t row, size_t column, bool rounds_query, bool rounds_value)
{
    double sum = 0, mean = 0;
    for (size_t key = 0; key < 64; key++) {
        double score = 0, value = in(3, key * 2 + column);
        for (size_t i = 0; i < 4; i++) {
            double query = in(1, row * 4 + i);
            score += (rounds_query ? (double)half_of(query) : query) * in(2, key * 4 + i) / 2;
        }
        sum += exp(score);
        mean += exp(score) * (rounds_value ? (double)half_of(value) : value);
    }
    return mean / sum;
}

// By one in ten of these short rows where it is the query that is rounded.
START_TEST(halves_are_seen_in_attention)
{
    size_t wrong_query = 0, wrong_value = 0, rows = 0;
    setup_attention("32", "64");
    part.absolute = part.relative = 0.00005;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        make(seed);
        for (size_t row = 0; row < 32; row++) {
            double exact = data.expected[0][row * 2];
            if (in(1, row * 4 + 3) != 0) // scores beyond what exp takes: they stay exact in floats
                continue;
            rows++;
            ck_assert(dataset_is_right(attended_by(row, 0, false, false), exact, &part));
            wrong_query += !dataset_is_right(attended_by(row, 0, true, false), exact, &part);
            wrong_value += !dataset_is_right(attended_by(row, 0, false, true), exact, &part);
        }
        dataset_free(&data);
    }
    ck_assert_uint_eq(rows, 8 * 24);
    ck_assert_uint_gt(wrong_query, rows / 16);
    ck_assert_uint_gt(wrong_value, rows / 2);
}
END_TEST

// To 8 bits, as bfloat16 has them, or to a 128th, as a byte has.
static double bfloat_of(double value)
{
    return (double)bits_f32((f32_bits((float)value) + 0x8000) & 0xffff0000);
}

static double byte_of(double value)
{
    return nearbyint(value * 128) / 128;
}

START_TEST(fewer_bits_are_seen_in_products_of_halves_and_floats_are_exact)
{
    enum { N = 64 };
    size_t wrong = 0, wrong_byte = 0;
    setup("matmul", OUT(PTX_F32, LESSON_OUT, "64", "64"), IN("a", PTX_F16, "keys", "64", "64"),
          IN("b", PTX_F16, NULL, "64", "64"));
    part.absolute = 0.001;
    part.relative = 0.0001;
    make(9);
    for (size_t i = 0; i < N * N; i++) {
        float sum = 0;
        double rounded = 0, bytes = 0, exact = data.expected[0][i];
        for (size_t j = 0; j < N; j++) {
            double a = in(1, i / N * N + j), b = in(2, j * N + i % N);
            sum += (float)a * (float)b;
            rounded += bfloat_of(a) * bfloat_of(b);
            bytes += a * byte_of(b);
        }
        ck_assert_double_eq((double)sum, exact);
        wrong += !dataset_is_right(rounded, exact, &part);
        wrong_byte += !dataset_is_right(bytes, exact, &part);
    }
    ck_assert_uint_gt(wrong, N * N * 3 / 4);
    ck_assert_uint_gt(wrong_byte, N * N * 3 / 4);
    dataset_free(&data);
    part.absolute = 0;
    make(9);
    for (size_t i = 0; i < N * N; i++)
        ck_assert_double_eq(in(1, i) * 64, nearbyint(in(1, i) * 64));
    dataset_free(&data);
}
END_TEST

START_TEST(large_floats_have_runs_of_zeros_that_the_seed_moves)
{
    setup("reduce_sum", OUT(PTX_F32, LESSON_OUT, "1"), IN("in", PTX_F32, NULL, "65536"), NONE);
    bool first[64], moved = false;
    size_t runs = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        make(seed);
        for (size_t run = 0; run < 64; run++) {
            bool is_zero = true;
            for (size_t i = 0; i < 1024; i++)
                is_zero &= in(1, run * 1024 + i) == 0;
            runs += is_zero;
            moved |= seed == 2 && is_zero != first[run];
            first[run] = is_zero;
        }
        dataset_free(&data);
    }
    ck_assert_uint_ge(runs, 4);
    ck_assert_uint_le(runs, 14);
    ck_assert(moved);
}
END_TEST

START_TEST(seeds_give_other_inputs_and_the_same_seed_the_same)
{
    setup("copy", OUT(PTX_F32, LESSON_OUT, "100"), IN("in", PTX_F32, NULL, "100"), NONE);
    struct dataset other;
    make(1);
    dataset_make(&other, &part, &size, false, 1);
    ck_assert_mem_eq(data.args[1].data, other.args[1].data, 400);
    dataset_free(&other);
    dataset_make(&other, &part, &size, false, 2);
    ck_assert_mem_ne(data.args[1].data, other.args[1].data, 400);
    dataset_free(&other);
    dataset_free(&data);
}
END_TEST

static const enum ptx_type types[] = {PTX_U8,  PTX_S8,  PTX_U16, PTX_S16,  PTX_U32, PTX_S32,
                                      PTX_U64, PTX_S64, PTX_F16, PTX_BF16, PTX_F32, PTX_F64};

START_TEST(a_kernel_that_does_nothing_is_wrong_everywhere)
{
    struct grade_mismatch mismatch;
    setup("copy", OUT(types[_i], LESSON_OUT, "100"), IN("in", types[_i], NULL, "100"), NONE);
    make(9);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    ck_assert_uint_ge(mismatch.wrong, 90);
    ck_assert_uint_eq(mismatch.unwritten, mismatch.wrong);
    memcpy(data.args[0].data, data.args[1].data, 100 * ptx_type_size(types[_i]));
    ck_assert(dataset_compare(&data, 0, 0, 0, &mismatch));
    dataset_restore(&data);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    dataset_free(&data);
}
END_TEST

START_TEST(nan_never_passes_whatever_the_tolerance)
{
    struct grade_mismatch mismatch;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "height", "width"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    part.absolute = 1e30;
    part.relative = 1e30;
    make(10);
    memcpy(data.args[0].data, data.args[1].data, 15 * sizeof(float));
    ((float *)data.args[0].data)[7] = NAN;
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    ck_assert_uint_eq(mismatch.nan, 1);
    ck_assert_uint_eq(mismatch.row, 1);
    ck_assert_uint_eq(mismatch.column, 2);
    ck_assert_double_nan(mismatch.got);
    ((float *)data.args[0].data)[7] = INFINITY;
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    dataset_free(&data);
}
END_TEST

START_TEST(tolerance_forgives_exactly_what_it_says)
{
    struct grade_mismatch mismatch;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "4"), IN("in", PTX_F32, "iota", "4"), NONE);
    part.absolute = 0.5;
    part.relative = 0.25;
    make(11);
    const float right[] = {0.5f, 1.75f, 1.0f, 4.25f}, wrong[] = {0.75f, 0.0f, 3.5f, 4.5f};
    memcpy(data.args[0].data, right, sizeof right);
    ck_assert(dataset_compare(&data, 0, 0, 0, &mismatch));
    memcpy(data.args[0].data, wrong, sizeof wrong);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    ck_assert_uint_eq(mismatch.wrong, 4);
    dataset_free(&data);
}
END_TEST

// Rare inputs have -0 and NaN: what is moved arrives with its sign, and NaN with all its bits; of a half, too.
START_TEST(signs_of_zeros_and_nan_arrive)
{
    struct grade_mismatch mismatch;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "64", "64"), IN("in", PTX_F32, NULL, "64", "64"), NONE);
    make(12);
    dataset_fill_rare(&data);
    free(data.expected[0]); // of what was there before
    ck_assert_int_eq(dataset_expect(&data, NULL), STATUS_OK);
    const float *in = data.args[1].data;
    float *out = data.args[0].data, unwritten = out[0];
    size_t zero = SIZE_MAX, nan = SIZE_MAX;
    for (size_t i = 0; i < 64 * 64; i++) {
        zero = in[i] == 0 && signbit(in[i]) ? i : zero;
        nan = isnan(in[i]) ? i : nan;
    }
    ck_assert(zero != SIZE_MAX && nan != SIZE_MAX);
    memcpy(out, in, 64 * 64 * sizeof *out);
    ck_assert(dataset_compare(&data, 0, 0, 0, &mismatch));
    out[zero] = 0;
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    out[zero] = -0.0f;
    ck_assert(dataset_compare(&data, 0, 0, 0, &mismatch));
    out[nan] = -in[nan];
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    static const uint32_t made = 0x7fffffff; // by arithmetic
    memcpy(&out[nan], &made, sizeof made);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    memcpy(&out[nan], &unwritten, sizeof unwritten);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    dataset_free(&data);
    static const enum ptx_type others[] = {PTX_F16, PTX_BF16, PTX_F64};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        setup("copy", OUT(others[i], LESSON_OUT, "64", "64"), IN("in", others[i], NULL, "64", "64"), NONE);
        make(12);
        dataset_fill_rare(&data);
        free(data.expected[0]);
        ck_assert_int_eq(dataset_expect(&data, NULL), STATUS_OK);
        memcpy(data.args[0].data, data.args[1].data, 64 * 64 * ptx_type_size(others[i]));
        ck_assert(dataset_compare(&data, 0, 0, 0, &mismatch));
        dataset_free(&data);
    }
}
END_TEST

// Which NaN arithmetic makes is nobody's promise.
START_TEST(a_computed_nan_may_have_any_bits)
{
    struct lesson_part moved = {.reference = "stencil", .absolute = 1e-4};
    uint64_t one = 0x7ff8123400000000, other = 0x7fffffffe0000000;
    double want, got;
    memcpy(&want, &one, sizeof one);
    memcpy(&got, &other, sizeof other);
    ck_assert(dataset_is_right(got, want, &moved));
    ck_assert(!dataset_is_right(1, want, &moved));
    moved.reference = "copy";
    ck_assert(!dataset_is_right(got, want, &moved));
    ck_assert(dataset_is_right(want, want, &moved));
}
END_TEST

START_TEST(few_elements_stay_of_every_second_tile)
{
    const uint32_t tile[2] = {16, 8};
    size_t count = 0;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "64", "64"), IN("in", PTX_F32, NULL, "64", "64"), NONE);
    make(13);
    ck_assert(dataset_fill_spikes(&data, tile));
    for (size_t i = 0; i < 64 * 64; i++) {
        count += ((const float *)data.args[1].data)[i] != 0;
    }
    ck_assert(count > 4 && count < 32); // half of 32 tiles
    ck_assert(!dataset_fill_spikes(&data, NULL));
    for (size_t i = 0; i < 64 * 64; i++)
        ck_assert(((const float *)data.args[1].data)[i] == 0);
    dataset_free(&data);
}
END_TEST

START_TEST(what_is_wrong_is_sorted)
{
    struct grade_mismatch mismatch;
    setup("copy", OUT(PTX_F32, LESSON_OUT, "8"), IN("in", PTX_F32, "iota", "8"),
          NONE); // 0 to 7; 8.75 is a quarter more
    make(11);
    const float wrong[] = {-1, 0, 1.99f, 3.25f, -8.7f, 8.8f, -1000, NAN};
    memcpy(data.args[0].data, wrong, sizeof wrong);
    ck_assert(!dataset_compare(&data, 0, 0, 0, &mismatch));
    ck_assert_uint_eq(mismatch.wrong, 8);
    ck_assert_uint_eq(mismatch.zero, 1);
    ck_assert_uint_eq(mismatch.nan, 1);
    ck_assert_uint_eq(mismatch.near, 1);
    ck_assert_uint_eq(mismatch.large, 5);
    ck_assert_uint_eq(mismatch.beyond, 2);
    dataset_free(&data);
}
END_TEST

START_TEST(the_map_shows_where)
{
    struct grade_mismatch mismatch;
    variables[0].value = 70;
    variables[1].value = 33;
    setup("transpose", OUT(PTX_F32, LESSON_OUT, "width", "height"), IN("in", PTX_F32, NULL, "height", "width"), NONE);
    part.launch = (struct lesson_launch){.from = "LAUNCH", .cols = "width", .rows = "height"};
    make(12);
    float *out = data.args[0].data;
    for (size_t i = 0; i < 70 * 33; i++)
        out[i] = (float)data.expected[0][i];
    for (size_t row = 0; row < 70; row++)
        out[row * 33 + 32] = 99; // the last column: a tile that the edge cuts
    ck_assert(!dataset_compare(&data, 0, 32, 32, &mismatch));
    ck_assert_uint_eq(mismatch.wrong, 70);
    ck_assert(mismatch.partial_only);
    for (size_t y = 0; y < 16; y++) {
        ck_assert_uint_eq(mismatch.map[y][0], 0);
        ck_assert_uint_gt(mismatch.map[y][31], 0);
    }
    out[0] = 99;
    ck_assert(!dataset_compare(&data, 0, 32, 32, &mismatch));
    ck_assert(!mismatch.partial_only);
    variables[0].value = 5;
    variables[1].value = 3;
    dataset_free(&data);
}
END_TEST

Suite *suite_references(void)
{
    Suite *suite = suite_create("references");
    TCase *tests = tcase_create("references");
    tcase_add_test(tests, transpose_turns);
    tcase_add_test(tests, matmul_multiplies);
    tcase_add_test(tests, matmul_transposed_multiplies_rows_by_rows);
    tcase_add_test(tests, reduce_sum_sums_runs);
    tcase_add_test(tests, histogram_counts_on);
    tcase_add_test(tests, histogram_of_rows_counts_each_row);
    tcase_add_test(tests, rows_of_a_histogram_are_counted_once_in_any_order);
    tcase_add_test(tests, data_that_are_drawn_anew_are_those_of_their_seed);
    tcase_add_loop_test(tests, wide_fills_have_all_values_of_their_type, 0, sizeof wide_fills / sizeof *wide_fills);
    tcase_add_test(tests, stencil_is_zero_outside);
    tcase_add_test(tests, relaxing_is_zero_outside_in_every_step);
    tcase_add_test(tests, copy_strided_picks);
    tcase_add_test(tests, a_map_shows_a_buffer_x_first);
    tcase_add_test(tests, attention_is_the_mean_of_the_values_by_the_scores);
    tcase_add_test(tests, queries_of_some_rows_lift_or_lower_all_scores);
    tcase_add_test(tests, shapes_that_do_not_suit_are_told);
    tcase_add_test(tests, sums_of_floats_are_exact_in_any_order);
    tcase_add_test(tests, sums_of_halves_are_seen_where_sums_of_floats_are_forgiven);
    tcase_add_test(tests, halves_are_seen_in_relaxations_and_floats_are_forgiven);
    tcase_add_test(tests, halves_are_seen_in_attention);
    tcase_add_test(tests, fewer_bits_are_seen_in_products_of_halves_and_floats_are_exact);
    tcase_add_test(tests, large_floats_have_runs_of_zeros_that_the_seed_moves);
    tcase_add_test(tests, seeds_give_other_inputs_and_the_same_seed_the_same);
    tcase_add_loop_test(tests, a_kernel_that_does_nothing_is_wrong_everywhere, 0, sizeof types / sizeof *types);
    tcase_add_test(tests, nan_never_passes_whatever_the_tolerance);
    tcase_add_test(tests, tolerance_forgives_exactly_what_it_says);
    tcase_add_test(tests, signs_of_zeros_and_nan_arrive);
    tcase_add_test(tests, a_computed_nan_may_have_any_bits);
    tcase_add_test(tests, few_elements_stay_of_every_second_tile);
    tcase_add_test(tests, what_is_wrong_is_sorted);
    tcase_add_test(tests, the_map_shows_where);
    suite_add_tcase(suite, tests);
    return suite;
}
