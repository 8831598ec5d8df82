#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/ladder.h"
#include "record/counters.h"
#include "sim/machine.h"

Suite *suite_shapes(void);

static void place_lanes(uint64_t addresses[SIM_LANES], uint64_t first, int64_t step, uint32_t group)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] = first + (uint64_t)((int64_t)(lane / group) * step);
}

static const struct {
    const char *name;
    uint64_t first;
    int64_t step; // bytes from one group of lanes to the next
    uint32_t group, mask, bytes;
    bool windows, straight;
    uint32_t words; // of COVER_BYTES
} placements[] = {
    {"a row of words", 256, 4, 1, UINT32_MAX, 4, true, true, 2},
    {"a row that starts in the middle", 256 + 60, 4, 1, UINT32_MAX, 4, true, true, 3},
    {"a row backwards", 512, -4, 1, UINT32_MAX, 4, true, false, 3},
    {"one word for all", 64, 0, 1, UINT32_MAX, 4, true, false, 1},
    {"two words, half a warp each", 64, 1024, 16, UINT32_MAX, 4, true, false, 2},
    {"a word in two lanes", 64, 4, 2, UINT32_MAX, 4, true, false, 1},
    {"every second word", 64, 8, 1, UINT32_MAX, 4, false, false, 4},
    {"a column", 64, 128, 1, UINT32_MAX, 4, false, false, 32},
    {"half the lanes", 64, 4, 1, 0xffff, 4, false, false, 1},
    {"bytes", 64, 1, 1, UINT32_MAX, 1, false, false, 1},
    {"vectors of four", 64, 16, 1, UINT32_MAX, 16, false, false, 8},
};

START_TEST(knows_where_the_lanes_lie)
{
    struct shape_table *table = shape_table_new();
    const struct lane_shape *hint = &shape_none;
    uint64_t addresses[SIM_LANES];
    bool full;
    place_lanes(addresses, placements[_i].first, placements[_i].step, placements[_i].group);
    const struct lane_shape *shape =
        shape_find(table, &hint, placements[_i].mask, placements[_i].bytes, addresses, &full);
    ck_assert_ptr_nonnull(shape);
    ck_assert_msg(shape->windows == placements[_i].windows && shape->straight == placements[_i].straight, "%s",
                  placements[_i].name);
    for (uint32_t lane = 0; shape->windows && lane < SIM_LANES; lane++)
        ck_assert_int_eq(shape->distances[lane], shape->window[lane / SHAPE_PART] + 4 * (int32_t)shape->picks[lane]);
    ck_assert_msg(shape_cover(shape, addresses[0])->count == placements[_i].words, "%s", placements[_i].name);
    shape_table_free(table);
}
END_TEST

// Every byte of every lane is covered, no other is, and `unique` tells whether two lanes share one.
static void check_cover(const struct lane_shape *shape, const uint64_t addresses[SIM_LANES])
{
    const struct shape_cover *cover = shape_cover(shape, addresses[shape->first]);
    static uint8_t times[4096 + 2 * COVER_BYTES];
    uint64_t covered = 0, touched = 0;
    bool unique = true;
    memset(times, 0, sizeof times);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t i = 0; shape->mask >> lane & 1 && i < shape->bytes; i++)
            times[addresses[lane] + i]++;
    for (uint32_t i = 0; i < cover->count; i++) {
        uint64_t word = addresses[shape->first] / COVER_BYTES + (uint64_t)(int64_t)cover->words[i].at;
        for (uint32_t bit = 0; bit < COVER_BYTES; bit++) {
            bool here = cover->words[i].bits >> bit & 1;
            covered += here;
            ck_assert(here == (times[word * COVER_BYTES + bit] > 0));
        }
    }
    for (size_t i = 0; i < sizeof times; i++) {
        touched += times[i] > 0;
        unique &= times[i] < 2;
    }
    ck_assert_uint_eq(covered, touched);
    ck_assert(cover->unique == unique);
}

// Far more shapes than a table holds: it says so, and is right when it has started over.
START_TEST(covers_random_lanes_byte_by_byte)
{
    struct shape_table *table = shape_table_new();
    const struct lane_shape *hint = &shape_none;
    uint64_t random = 1, clears = 0, addresses[SIM_LANES];
    for (int round = 0; round < 1000; round++) {
        uint32_t bytes = 1u << random_next(&random) % 6, mask = (uint32_t)random_next(&random) | 1u << round % 32;
        bool full;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++)
            addresses[lane] = random_next(&random) % (4096 / bytes) * bytes;
        const struct lane_shape *shape = shape_find(table, &hint, mask, bytes, addresses, &full);
        if (full) {
            ck_assert_ptr_null(shape);
            shape_table_clear(table);
            hint = &shape_none;
            clears++;
            shape = shape_find(table, &hint, mask, bytes, addresses, &full);
        }
        ck_assert_uint_eq(shape->mask, mask);
        check_cover(shape, addresses);
    }
    ck_assert_uint_gt(clears, 0);
    shape_table_free(table);
}
END_TEST

START_TEST(is_the_same_wherever_the_first_lane_lies)
{
    struct shape_table *table = shape_table_new();
    const struct lane_shape *hints[2] = {&shape_none, &shape_none};
    uint64_t addresses[SIM_LANES];
    bool full;
    place_lanes(addresses, 4096, 36, 1);
    const struct lane_shape *shape = shape_find(table, &hints[0], 0xfff0, 4, addresses, &full);
    place_lanes(addresses, 5004, 36, 1);
    addresses[0] = 1; // not active
    ck_assert_ptr_eq(shape_find(table, &hints[1], 0xfff0, 4, addresses, &full), shape);
    ck_assert_ptr_ne(shape_find(table, &hints[1], 0xfff1, 4, addresses, &full), shape);
    ck_assert_ptr_ne(shape_find(table, &hints[1], 0xfff0, 8, addresses, &full), shape);
    addresses[9] += 4;
    ck_assert_ptr_ne(shape_find(table, &hints[1], 0xfff0, 4, addresses, &full), shape);
    addresses[9] += UINT64_C(1) << 32;
    ck_assert_ptr_null(shape_find(table, &hints[1], 0xfff0, 4, addresses, &full));
    ck_assert_ptr_null(shape_cover(shape, 5002)); // not aligned
    shape_table_free(table);
}
END_TEST

// ---- runs

// Of random bytes, and as many as no kernel below reads beyond.
static uint64_t buffer(struct sim_memory *memory)
{
    struct sim_allocation *allocation = sim_memory_add(memory, "buffer", 1 << 16, false);
    uint64_t random = 7;
    for (size_t i = 0; i < allocation->size; i++)
        allocation->data[i] = (unsigned char)random_next(&random);
    return allocation->address;
}

struct counted {
    const char *kernel;
    uint32_t n, grid[2], block[2];
};

static void count(const struct ptx_module *module, const struct counted *kernel, unsigned without,
                  struct counter_table *table)
{
    struct diagnostic diagnostic;
    struct sim_memory *memory = sim_memory_new();
    struct sim_program *program = NULL;
    const struct ptx_function *entry = NULL;
    unsigned char params[64] = {0};
    ck_assert_int_eq(ptx_find_entry(module, kernel->kernel, &entry, &diagnostic), STATUS_OK);
    ck_assert_int_eq(sim_program_new(module, entry, memory, &program, &diagnostic), STATUS_OK);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        uint64_t value = ptx_type_size(entry->params[i].type) == 8 ? buffer(memory) : kernel->n;
        memcpy(params + entry->params[i].offset, &value, ptx_type_size(entry->params[i].type));
    }
    struct counter_observer *counters = counter_observer_new(program, NULL);
    struct sim_observer observer = counter_observer_get(counters);
    struct sim_count *counts = mem_alloc(sim_program_size(program) * sizeof *counts);
    observer.wants &= ~without;
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {kernel->grid[0], kernel->grid[1], 1},
                                .shape.block = {kernel->block[0], kernel->block[1], 1},
                                .params = params,
                                .observers = &observer,
                                .observer_count = 1,
                                .counts = counts};
    struct sim_result result;
    enum status status = sim_run(&launch, &result, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s: %s", kernel->kernel, diagnostic.message);
    counter_observer_take(counters, counts, table);
    counter_observer_free(counters);
    free(counts);
    sim_program_free(program);
    sim_memory_free(memory);
}

// The histogram's addresses are random: more shapes than a table holds.
static const struct counted counted[] = {
    {"mm_tile<16, 0>", 96, {6, 6}, {16, 16}}, {"mm_tile<32, 1>", 96, {3, 3}, {32, 32}},
    {"tr_naive", 96, {3, 3}, {32, 32}},       {"tr_tile<0, 8>", 96, {3, 3}, {32, 8}},
    {"mm_cpasync<32>", 96, {3, 3}, {32, 32}}, {"hist_shared", 1 << 16, {24, 1}, {256, 1}},
};

START_TEST(counts_runs_as_it_counts_each_access)
{
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic;
    struct counter_table tables[2];
    ck_assert_int_eq(ladder_load(LADDER_FIRST, &module, &diagnostic), STATUS_OK);
    const unsigned without[2] = {0, SIM_TAKES_RUNS | SIM_TAKES_SHAPES};
    for (int i = 0; i < 2; i++)
        count(module, &counted[_i], without[i], &tables[i]);
    ck_assert_uint_gt(tables[0].compiled.global[COUNT_LOAD].sectors, 0);
    ck_assert(!memcmp(&tables[0].compiled, &tables[1].compiled, sizeof tables[0].compiled));
    ck_assert(!memcmp(&tables[0].written, &tables[1].written, sizeof tables[0].written));
    ck_assert_uint_eq(tables[0].count, tables[1].count);
    for (int i = 0; i < 2; i++)
        counter_table_free(&tables[i]);
    ptx_module_free(module);
}
END_TEST

Suite *suite_shapes(void)
{
    Suite *suite = suite_create("shapes");
    TCase *lanes = tcase_create("lanes"), *runs = tcase_create("runs");
    tcase_add_loop_test(lanes, knows_where_the_lanes_lie, 0, sizeof placements / sizeof *placements);
    tcase_add_test(lanes, covers_random_lanes_byte_by_byte);
    tcase_add_test(lanes, is_the_same_wherever_the_first_lane_lies);
    tcase_add_loop_test(runs, counts_runs_as_it_counts_each_access, 0, sizeof counted / sizeof *counted);
    suite_add_tcase(suite, lanes);
    suite_add_tcase(suite, runs);
    return suite;
}
