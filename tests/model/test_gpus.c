#include <check.h>

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

Suite *suite_gpus(void)
{
    Suite *suite = suite_create("gpus");
    TCase *tests = tcase_create("gpus");
    tcase_add_test(tests, names_are_found_however_they_are_written);
    tcase_add_loop_test(tests, occupancy_is_the_smallest_limit, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return suite;
}
