#include <check.h>
#include <string.h>

#include "base/half.h"
#include "base/random.h"
#include "device/args.h"
#include "grade/fills.h"

Suite *suite_fills(void);

enum { MOST = 150 };

static double first_of_row(uint64_t state, size_t row)
{
    return row % 3 == 0 ? 0 : (double)(state % 5) + (double)row;
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
    return (struct maker){.fill = fills[drawn % (sizeof fills / sizeof *fills)],
                          .type = types[drawn >> 8 & 7],
                          .state = random_next(state),
                          .columns = 1 + (drawn >> 16) % 200,
                          .numbered = (drawn >> 24 & 31) == 0,
                          .rough = drawn >> 32 & 1 ? 4 : 0,
                          .has_holes = drawn >> 33 & 1,
                          .holes = random_next(state)};
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

Suite *suite_fills(void)
{
    Suite *suite = suite_create("fills");
    TCase *tests = tcase_create("fills");
    tcase_add_test(tests, many_are_made_as_each_alone);
    tcase_add_test(tests, values_stay_what_they_were);
    suite_add_tcase(suite, tests);
    return suite;
}
