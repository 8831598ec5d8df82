#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/gpus.h"

Suite *suite_gpus(void);

START_TEST(names_are_found_however_they_are_written)
{
    ck_assert_str_eq(gpu_profile_find("rtx-3090")->name, "RTX 3090");
    ck_assert_str_eq(gpu_profile_find(NULL)->name, "H200");
    ck_assert_ptr_null(gpu_profile_find("Voodoo 2"));
    ck_assert_str_eq(gpu_profile_for(87)->name, "RTX 3090");
}
END_TEST

// Blocks as CUDA's occupancy calculator gives them.
static const struct {
    const char *gpu;
    uint32_t threads, registers, shared, blocks;
    const char *limit;
} cases[] = {
    {"H200", 256, 16, 0, 8, "warps"},
    {"H200", 1024, 32, 4224, 2, "warps"},
    {"H200", 1024, 22, 32768, 2, "warps"},     // a 64x64 pair of tiles, CURRICULUM.md
    {"H200", 256, 178, 49152, 1, "registers"}, // the three-stage GEMM of the probe
    {"H200", 256, 64, 8192, 4, "registers"},
    {"H200", 256, 124, 8448, 2, "registers"},
    {"H200", 32, 16, 0, 32, "blocks"},
    {"H200", 128, 32, 100 * 1024, 2, "shared memory"},
    {"H200", 128, 32, 228 * 1024, 0, "shared memory"},
    {"A100", 128, 32, 80 * 1024, 2, "shared memory"},
    {"V100", 1024, 32, 48 * 1024, 2, "warps"},
    {"RTX 4090", 1024, 32, 0, 1, "warps"},
    {"T4", 1024, 64, 0, 1, "warps"},
};

START_TEST(occupancy_is_the_smallest_limit)
{
    struct occupancy occupancy =
        occupancy_of(gpu_profile_find(cases[_i].gpu), cases[_i].threads, cases[_i].registers, cases[_i].shared);
    ck_assert_uint_eq(occupancy.blocks, cases[_i].blocks);
    ck_assert_str_eq(occupancy.limit, cases[_i].limit);
}
END_TEST

// NVIDIA's own calculator, cuda_occupancy.h of CUDA 13.0, was asked for every row: V100 to B200.
START_TEST(limits_are_those_of_the_published_calculator)
{
    const char *other = getenv("OCCUPANCY_CSV");
    FILE *file = fopen(other ? other : "tests/golden/occupancy.csv", "r");
    char line[128], name[32];
    unsigned threads, registers, shared, rows = 0;
    int blocks, by[OCCUPANCY_RESOURCES];
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31[^,],%u,%u,%u,%d,%d,%d,%d,%d", name, &threads, &registers, &shared, &blocks, &by[0],
                   &by[1], &by[2], &by[3]) != 9)
            continue;
        struct occupancy occupancy = occupancy_of(gpu_profile_find(name), threads, registers, shared);
        ck_assert_msg(occupancy.blocks == (uint32_t)blocks, "%s: %u", line, occupancy.blocks);
        for (int i = 0; i < OCCUPANCY_RESOURCES; i++) // -1: no shared memory, so no limit
            ck_assert_msg(by[i] < 0 || occupancy.shares[i].blocks == (uint32_t)by[i], "%s: %s leave room for %u", line,
                          occupancy.shares[i].name, occupancy.shares[i].blocks);
        rows++;
    }
    fclose(file);
    ck_assert_uint_gt(rows, 1000);
}
END_TEST

// Where one more changes something is where the calculator changes.
START_TEST(room_ends_where_the_number_of_blocks_changes)
{
    static const struct {
        const char *gpu;
        uint32_t threads, registers, shared;
    } blocks[] = {{"H200", 352, 17, 61952}, {"V100", 256, 40, 20000}, {"A100", 128, 128, 1000},
                  {"T4", 1024, 64, 0},      {"RTX 4090", 96, 255, 1}, {"B200", 1024, 32, 227 * 1024}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const struct gpu_profile *gpu = gpu_profile_find(blocks[i].gpu);
        uint32_t threads = blocks[i].threads, registers = blocks[i].registers, shared = blocks[i].shared;
        uint32_t now = occupancy_of(gpu, threads, registers, shared).blocks;
        struct occupancy_room room = occupancy_room_of(gpu, threads, registers, shared);
        ck_assert_uint_ge(room.registers, registers);
        ck_assert_uint_ge(room.shared_bytes, shared);
        ck_assert_uint_eq(occupancy_of(gpu, threads, room.registers, shared).blocks, now);
        ck_assert_uint_lt(occupancy_of(gpu, threads, room.registers + 1, shared).blocks, now);
        ck_assert_uint_eq(occupancy_of(gpu, threads, registers, room.shared_bytes).blocks, now);
        ck_assert_uint_lt(occupancy_of(gpu, threads, registers, room.shared_bytes + 1).blocks, now);
        if (room.registers_more) {
            ck_assert_uint_gt(occupancy_of(gpu, threads, room.registers_more, shared).blocks, now);
            ck_assert_uint_eq(occupancy_of(gpu, threads, room.registers_more + 1, shared).blocks, now);
        }
        if (room.shared_bytes_more) {
            ck_assert_uint_gt(occupancy_of(gpu, threads, registers, room.shared_bytes_more).blocks, now);
            ck_assert_uint_eq(occupancy_of(gpu, threads, registers, room.shared_bytes_more + 1).blocks, now);
        }
    }
}
END_TEST

// The sizes of the CUDA C++ Programming Guide: a T4 sets aside 32 or 64 KB, a V100 also nothing, 8, 16 and 96.
START_TEST(l1_keeps_what_shared_memory_leaves)
{
    static const struct {
        const char *gpu;
        uint32_t threads, shared, set_aside, left;
    } blocks[] = {{"T4", 1024, 1024, 32, 64},    {"T4", 1024, 33 * 1024, 64, 32},
                  {"V100", 1024, 0, 0, 128},     {"V100", 1024, 33 * 1024, 96, 32},
                  {"H200", 352, 61952, 196, 60}, {"RTX 3090", 1024, 65 * 1024, 100, 28}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct occupancy occupancy =
            occupancy_of(gpu_profile_find(blocks[i].gpu), blocks[i].threads, 32, blocks[i].shared);
        ck_assert_uint_eq(occupancy.carve_out, blocks[i].set_aside * 1024);
        ck_assert_uint_eq(occupancy.l1_left, blocks[i].left * 1024);
    }
}
END_TEST

Suite *suite_gpus(void)
{
    Suite *suite = suite_create("gpus");
    TCase *tests = tcase_create("gpus");
    tcase_add_test(tests, names_are_found_however_they_are_written);
    tcase_add_loop_test(tests, occupancy_is_the_smallest_limit, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, limits_are_those_of_the_published_calculator);
    tcase_add_test(tests, room_ends_where_the_number_of_blocks_changes);
    tcase_add_test(tests, l1_keeps_what_shared_memory_leaves);
    suite_add_tcase(suite, tests);
    return suite;
}
