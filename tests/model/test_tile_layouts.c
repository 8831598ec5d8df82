// Layouts of tiles: known answers, and that whatever is found is one to one, inside the tile, and keeps vectors whole.
#include "model/layouts.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/shape.h"

Suite *suite_tile_layouts(void);

static const struct {
    struct layout tile;
    struct layout_access accesses[2];
    bool has_padding, has_swizzle;
    uint32_t padding;
    struct layout_key keys[2];
} cases[] = {
    // a transpose of floats: lessons 4 and 5
    {{32, 32, 4, 0, {{0}}}, {{LAYOUT_ROW, 1, 32}, {LAYOUT_COLUMN, 1, 32}}, true, true, 1, {{5, 0, 5}}},
    {{64, 64, 4, 0, {{0}}}, {{LAYOUT_ROW, 1, 32}, {LAYOUT_COLUMN, 1, 32}}, true, true, 1, {{5, 0, 6}}},
    {{32, 33, 4, 0, {{0}}}, {{LAYOUT_ROW, 1, 32}, {LAYOUT_COLUMN, 1, 32}}, true, true, 0, {{0, 0, 0}}},
    // rows of 128 bytes by ldmatrix: the 128-byte swizzle, as CUTLASS writes it
    {{64, 64, 2, 0, {{0}}}, {{LAYOUT_ROW, 8, 8}, {LAYOUT_MATRIX, 8, 8}}, true, true, 8, {{3, 3, 3}}},
    {{64, 32, 2, 0, {{0}}}, {{LAYOUT_ROW, 8, 4}, {LAYOUT_MATRIX, 8, 8}}, false, true, 0, {{2, 3, 3}}},
    {{64, 64, 2, 0, {{0}}}, {{LAYOUT_ROW, 8, 8}, {LAYOUT_WGMMA, 8, 8}}, false, true, 0, {{3, 3, 3}}},
    // float4
    {{32, 8, 16, 0, {{0}}}, {{LAYOUT_ROW, 1, 8}, {LAYOUT_COLUMN, 1, 32}}, true, true, 1, {{3, 0, 3}}},
    {{32, 32, 4, 0, {{0}}}, {{LAYOUT_ROW, 4, 8}, {LAYOUT_COLUMN, 4, 32}}, true, true, 4, {{3, 2, 3}}},
    // two columns of 16: no row length, but an XOR
    {{16, 16, 4, 0, {{0}}}, {{LAYOUT_ROW, 1, 16}, {LAYOUT_COLUMN, 1, 16}}, false, true, 0, {{3, 1, 4}}},
    // 16 threads in x and rows of 32: one bit for the rows, three for the columns
    {{32, 32, 4, 0, {{0}}}, {{LAYOUT_ROW, 1, 16}, {LAYOUT_COLUMN, 1, 16}}, false, true, 0, {{3, 1, 5}, {1, 4, 1}}},
    // pieces of 16 bytes stay whole: then a column of words meets 8 banks only
    {{64, 64, 4, 0, {{0}}}, {{LAYOUT_ROW, 4, 16}, {LAYOUT_COLUMN, 1, 32}}, false, false, 0, {{0, 0, 0}}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check_layout(const struct layout *layout, const struct layout_access accesses[2])
{
    uint8_t *seen = calloc(1, layout_size(layout));
    for (uint32_t row = 0; row < layout->rows; row++)
        for (uint32_t column = 0; column < layout->columns; column++) {
            uint64_t at = layout_offset(layout, row, column);
            ck_assert(at < layout_size(layout) && at % layout->bytes == 0 && !seen[at]++);
            for (int i = 0; i < 2; i++) { // an element lies where its piece's first one says
                uint32_t vector = accesses[i].vector, first = column / vector * vector;
                uint64_t piece = layout_offset(layout, row, first);
                ck_assert(at == piece + (column - first) * layout->bytes && piece % (vector * layout->bytes) == 0);
            }
        }
    free(seen);
    for (int i = 0; i < 2; i++) {
        struct layout_cost cost;
        layout_count(layout, &accesses[i], false, &cost);
        ck_assert(cost.warps > 0 && cost.conflicts == 0 && cost.wavefronts >= cost.warps);
    }
}

START_TEST(known_tiles_get_the_known_layouts)
{
    struct layout found;
    const struct layout_access *accesses = cases[_i].accesses;
    ck_assert_int_eq(layout_pad(&cases[_i].tile, accesses, 2, &found), cases[_i].has_padding);
    if (cases[_i].has_padding) {
        ck_assert_uint_eq(found.padding, cases[_i].padding);
        check_layout(&found, accesses);
    }
    ck_assert_int_eq(layout_swizzle(&cases[_i].tile, accesses, 2, &found), cases[_i].has_swizzle);
    if (cases[_i].has_swizzle) {
        for (int i = 0; i < LAYOUT_KEYS; i++)
            ck_assert_msg(memcmp(&found.keys[i], &cases[_i].keys[i], sizeof found.keys[i]) == 0 ||
                              !(found.keys[i].b | cases[_i].keys[i].b),
                          "key %d is %u %u %u", i, found.keys[i].b, found.keys[i].m, found.keys[i].s);
        check_layout(&found, accesses);
    }
}
END_TEST

// The lanes that a collision names are there, in one bank, at different words.
START_TEST(a_collision_names_two_lanes_of_one_bank)
{
    struct layout_cost cost;
    layout_count(&cases[_i].tile, &cases[_i].accesses[1], false, &cost);
    if (cost.conflicts == 0)
        return;
    uint64_t a = cost.addresses[cost.lane] / 4, b = cost.addresses[cost.other] / 4;
    ck_assert(cost.mask >> cost.lane & cost.mask >> cost.other & 1);
    ck_assert(a != b && a % 32 == cost.bank && b % 32 == cost.bank);
}
END_TEST

// What `swizzle` calls the 32-, 64- or 128-byte swizzle is the machine's own: a loop test over the spans.
START_TEST(the_machines_swizzle_is_cutes)
{
    uint32_t b = (uint32_t)_i, span = 16u << b;
    struct layout tile = {64, span, 1, 0, {{b, 4, 3}}};
    for (uint32_t row = 0; row < tile.rows; row++)
        for (uint32_t column = 0; column < span; column++)
            ck_assert_uint_eq(layout_offset(&tile, row, column), shape_swizzle((uint64_t)row * span + column, span));
}
END_TEST

Suite *suite_tile_layouts(void)
{
    Suite *suite = suite_create("tile_layouts");
    TCase *search = tcase_create("search");
    tcase_add_loop_test(search, known_tiles_get_the_known_layouts, 0, CASES);
    tcase_add_loop_test(search, a_collision_names_two_lanes_of_one_bank, 0, CASES);
    tcase_add_loop_test(search, the_machines_swizzle_is_cutes, 0, 4);
    suite_add_tcase(suite, search);
    return suite;
}
