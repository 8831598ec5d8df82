#include <check.h>
#include <string.h>

#include "base/half.h"
#include "base/random.h"
#include "grade/inner.h"

Suite *suite_inner(void);

enum { LONGEST = 200 };

static double lines[2][INNER_SIDE][LONGEST];

static void draw_lines(void)
{
    uint64_t state = 3;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < INNER_SIDE; i++)
            for (size_t k = 0; k < LONGEST; k++)
                lines[side][i][k] = (double)(random_next(&state) >> 11) * 0x1p-52 - 1;
}

// The order in which a product is added up, whatever the instructions.
static double in_eight_sums(const double *a, const double *b, size_t depth)
{
    double sums[8] = {0}, all = 0;
    size_t whole = depth / 8 * 8;
    for (size_t i = 0; i < whole; i++)
        sums[i % 8] += a[i] * b[i];
    for (size_t i = whole; i < depth; i++)
        all += a[i] * b[i];
    for (size_t i = 0; i < 8; i++)
        all += sums[i];
    return all;
}

START_TEST(products_are_the_same_to_the_bit)
{
    draw_lines();
    for (size_t depth = 0; depth < LONGEST; depth++) {
        const double *a[INNER_SIDE], *b[INNER_SIDE];
        double result[INNER_SIDE][INNER_SIDE];
        for (size_t i = 0; i < INNER_SIDE; i++) {
            a[i] = lines[0][i];
            b[i] = lines[1][i];
        }
        inner_products(a, b, depth, result);
        for (size_t r = 0; r < INNER_SIDE; r++)
            for (size_t q = 0; q < INNER_SIDE; q++) {
                uint64_t want = f64_bits(in_eight_sums(a[r], b[q], depth));
                ck_assert_uint_eq(f64_bits(inner_product(a[r], b[q], depth)), want);
                ck_assert_uint_eq(f64_bits(result[r][q]), want);
            }
    }
}
END_TEST

START_TEST(combinations_are_the_same_to_the_bit)
{
    enum { COUNT = 7, MOST = LONGEST / 2 };
    draw_lines();
    for (size_t columns = 1; columns < MOST; columns++) {
        double row[MOST], want[MOST];
        const double *weights = lines[1][3], *values = lines[0][0];
        memcpy(row, lines[1][0], sizeof row);
        memcpy(want, row, sizeof want);
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < columns; j++)
                want[j] += weights[i] * values[i * columns + j];
        inner_combine(weights, values, COUNT, columns, row);
        ck_assert_mem_eq(row, want, sizeof row);
    }
}
END_TEST

Suite *suite_inner(void)
{
    Suite *suite = suite_create("inner");
    TCase *tests = tcase_create("inner");
    tcase_add_test(tests, products_are_the_same_to_the_bit);
    tcase_add_test(tests, combinations_are_the_same_to_the_bit);
    suite_add_tcase(suite, tests);
    return suite;
}
