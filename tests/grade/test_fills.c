#include <check.h>
#include <string.h>

#include "base/half.h"
#include "base/random.h"
#include "device/args.h"
#include "grade/fills.h"

Suite *suite_fills(void);

enum { MOST = 150 };

static double first_of_row(uint64_t state, size_t row, size_t rows)
{
    return row % 3 == 0 ? 0 : (double)(state % 5) + (double)(row + rows);
}

static const struct fill fills[] = {
    {-1, 0x1p-6, 128, NULL, 0},
    {-1, 0x1p-24, UINT64_C(1) << 25, NULL, 0},
    {-4, 0x1p-4, 128, first_of_row, 4},
    {-1.5, 0x1p-6, 192, first_of_row, 0},
    {0, 1, 1, NULL, 0},
    {0, 1, 0, NULL, 0}, // numbers of the elements
    {-8, 1, 17, NULL, 0},
    {0, 1, 3, NULL, 0},
    {0, 1, 99991, NULL, 0},
    {0, 1, UINT64_C(0xffffffff), NULL, 0},
};
static const enum ptx_type types[] = {PTX_F32, PTX_F16, PTX_BF16, PTX_F64, PTX_S32, PTX_U8, PTX_S16, PTX_U64};

static struct maker any_maker(uint64_t *state)
{
    uint64_t drawn = random_next(state);
    return (struct maker){
        .fill = fills[drawn % (sizeof fills / sizeof *fills)],
        .type = types[drawn >> 8 & 7],
        .state = random_next(state),
        .columns = 1 + (drawn >> 16) % 200,
        .numbered = (drawn >> 24 & 31) == 0,
        .rough = drawn >> 32 & 1 ? 4 : 0,
        .has_holes = drawn >> 33 & 1,
        .holes = random_next(state),
        .leaning = {random_next(state), drawn >> 34 & 1 ? 1 + (drawn >> 16) % 200 : 0, drawn >> 35 & 1,
                    drawn >> 36 & 1},
        .repeating = {random_next(state), drawn >> 37 & 1 ? 1 + (drawn >> 38 & 3) : 0, drawn >> 40 & 1}};
}

// One alone is made by itself, many are made several at a time.
START_TEST(many_are_made_as_each_alone)
{
    uint64_t state = 5;
    for (int i = 0; i < 4000; i++) {
        const struct maker maker = any_maker(&state);
        double values[MOST], one;
        unsigned char bytes[MOST * 8];
        size_t first = random_next(&state) >> (20 + random_next(&state) % 40), count = random_next(&state) % MOST;
        size_t step = i % 2 ? 1 : 1 + random_next(&state) % 5000, size = ptx_type_size(maker.type);
        maker_values(&maker, first, step, count, values);
        maker_fill(&maker, first, count, bytes);
        for (size_t j = 0; j < count; j++) {
            maker_values(&maker, first + j * step, 1, 1, &one);
            ck_assert_msg(f64_bits(values[j]) == f64_bits(one), "case %d, %zu: %.17g, alone %.17g", i, j, values[j],
                          one);
            maker_values(&maker, first + j, 1, 1, &one);
            ck_assert_double_eq(args_element(maker.type, bytes + j * size), one);
        }
    }
}
END_TEST

// As a picture's do. Random ones have four equal bytes in a row at one place in 16 million.
START_TEST(bytes_repeat_in_places)
{
    enum { COUNT = 1 << 15 };
    static double values[COUNT];
    const struct maker maker = {
        .fill = {0, 1, 256, NULL, 0}, .type = PTX_U8, .state = 7, .columns = COUNT, .repeating = {11, 4, false}};
    size_t in_runs = 0, longest = 0;
    maker_values(&maker, 0, 1, COUNT, values);
    for (size_t i = 0, length; i < COUNT; i += length) {
        for (length = 1; i + length < COUNT && values[i + length] == values[i];)
            length++;
        in_runs += length >= RUN_LEAST ? length : 0;
        longest = length > longest ? length : longest;
    }
    ck_assert_msg(in_runs > COUNT / 10 && in_runs < COUNT / 6, "%zu", in_runs);
    ck_assert_msg(longest > RUN_PIECE / 2 && longest < 2 * RUN_PIECE, "%zu", longest);
}
END_TEST

// What lessons ask of random numbers: the same for a seed, whatever makes them.
START_TEST(values_stay_what_they_were)
{
    const struct maker uniform = {.fill = fills[0], .type = PTX_F16, .state = 7, .columns = 64};
    const struct maker rough = {.fill = fills[0], .type = PTX_F32, .state = 7, .columns = 64, .rough = 1};
    const struct maker keys = {.fill = {-1.5, 0x1p-6, 192, NULL, 0}, .type = PTX_F16, .state = 7, .columns = 64};
    double values[3][8];
    uint64_t state = 7;
    maker_values(&uniform, 0, 1, 8, values[0]);
    maker_values(&rough, 0, 1, 8, values[1]);
    maker_values(&keys, 0, 1, 8, values[2]);
    for (int i = 0; i < 8; i++) {
        uint64_t random = random_next(&state) >> 16;
        double value = -1 + 0x1p-6 * (double)(random % 128);
        ck_assert_double_eq(values[0][i], value);
        ck_assert_double_eq(values[1][i],
                            (double)(float)(value + 0x1p-12 - 0x1p-23 * (double)(1 + (random >> 32 & 1023))));
        ck_assert_double_eq(values[2][i], -1.5 + 0x1p-6 * (double)(random % 192));
    }
}
END_TEST

// How many of 32 neighbours are positive, over all warps that read a row; and how many blocks of 32 x 8 threads, or of
// 256 neighbours, are all positive, all negative, or all the same.
struct votes {
    size_t warps[33], up, down, same, highest;
};

static void count_votes(const struct maker *maker, size_t width, size_t height, struct votes *votes)
{
    double block[256];
    *votes = (struct votes){0};
    for (size_t i = 0; i + 256 <= maker->columns * maker->columns; i += 256) {
        // block by block along each row of blocks
        size_t across = maker->columns / width, x = i / 256 % across * width, y = i / 256 / across * height;
        size_t up = 0, down = 0, same = 0, highest = 0;
        for (size_t row = 0; row < height; row++)
            maker_values(maker, (y + row) * maker->columns + x, 1, width, block + row * width);
        for (size_t j = 0, positive = 0; j < 256; j++) {
            positive = (j % 32 ? positive : 0) + (block[j] > 0);
            votes->warps[positive] += j % 32 == 31;
            up += block[j] > 0;
            down += block[j] < 0;
            same += block[j] == block[0] && block[j] != 0;
            highest += block[j] > 0.8;
        }
        votes->up += up == 256;
        votes->down += down == 256;
        votes->same += same == 256;
        votes->highest += highest == 256;
    }
}

// Of 512 x 512 numbers, as large as the modelled lessons' own. What is added, and zeros, change nothing of it.
START_TEST(votes_come_out_in_every_way)
{
    uint64_t random = 11;
    for (int i = 0; i < 20; i++) {
        const struct maker maker = {.fill = fills[i % 2],
                                    .type = PTX_F32,
                                    .state = random_next(&random),
                                    .columns = 512,
                                    .rough = i % 2 ? 0 : 1,
                                    .has_holes = true,
                                    .holes = random_next(&random),
                                    .leaning = {random_next(&random), 512, false, i % 4 == 1}};
        struct maker level = maker;
        struct votes votes;
        for (int shape = 0; shape < 2; shape++) {
            count_votes(&maker, shape ? 256 : 32, shape ? 1 : 8, &votes);
            ck_assert_uint_gt(votes.up, 0);
            ck_assert_uint_gt(votes.down, 0);
            ck_assert_uint_gt(votes.same, 0);
            ck_assert_uint_gt(votes.highest, 0);
            ck_assert_uint_gt(votes.warps[0], 0);
            ck_assert_uint_gt(votes.warps[29] + votes.warps[30] + votes.warps[31], 0);
            ck_assert_uint_gt(votes.warps[32], 0);
        }
        level.leaning.columns = 0;
        count_votes(&level, 32, 8, &votes);
        ck_assert_uint_eq(votes.up + votes.same + votes.highest + votes.warps[32], 0);
    }
}
END_TEST

// Two thirds of all stay as they were, and none leaves the range but where it may.
START_TEST(most_values_do_not_lean)
{
    enum { SIDE = 256 };
    struct maker level = {.fill = fills[0], .type = PTX_F32, .state = 7, .columns = SIDE}, leaning = level;
    double values[2][SIDE];
    size_t same = 0;
    leaning.leaning = (struct leaning){13, SIDE, false, false};
    for (size_t row = 0; row < SIDE; row++) {
        maker_values(&level, row * SIDE, 1, SIDE, values[0]);
        maker_values(&leaning, row * SIDE, 1, SIDE, values[1]);
        for (size_t i = 0; i < SIDE; i++) {
            same += values[0][i] == values[1][i];
            ck_assert(values[1][i] >= -1 && values[1][i] < 1);
        }
    }
    ck_assert_uint_gt(same, SIDE * SIDE * 6 / 10);
    ck_assert_uint_lt(same, SIDE * SIDE * 8 / 10);
}
END_TEST

Suite *suite_fills(void)
{
    Suite *suite = suite_create("fills");
    TCase *tests = tcase_create("fills");
    tcase_add_test(tests, many_are_made_as_each_alone);
    tcase_add_test(tests, bytes_repeat_in_places);
    tcase_add_test(tests, values_stay_what_they_were);
    tcase_add_test(tests, votes_come_out_in_every_way);
    tcase_add_test(tests, most_values_do_not_lean);
    suite_add_tcase(suite, tests);
    return suite;
}
