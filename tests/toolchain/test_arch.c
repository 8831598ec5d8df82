#include <check.h>
#include <string.h>

#include "toolchain/toolchain.h"

Suite *suite_arch(void);

// An architecture, as what a compiler of that version compiles it.
static const struct {
    enum toolchain_kind kind;
    unsigned major, minor;
    const char *wanted, *arch; // arch NULL: refused
} cases[] = {
    {TOOLCHAIN_NVCC, 13, 0, "sm_75", "sm_75"},    {TOOLCHAIN_NVCC, 13, 0, "sm_86", "sm_86"},
    {TOOLCHAIN_NVCC, 13, 0, "sm_90", "sm_90"},    {TOOLCHAIN_NVCC, 13, 0, "sm_90a", "sm_90a"},
    {TOOLCHAIN_NVCC, 13, 0, "sm_121", "sm_121"},  {TOOLCHAIN_NVCC, 13, 0, "sm_130", "sm_121"},
    {TOOLCHAIN_NVCC, 13, 0, "sm_70", NULL},       {TOOLCHAIN_NVCC, 12, 9, "sm_70", "sm_70"},
    {TOOLCHAIN_NVCC, 12, 4, "sm_100", "sm_90"},   {TOOLCHAIN_NVCC, 12, 4, "sm_120a", "sm_90"},
    {TOOLCHAIN_NVCC, 12, 8, "sm_120", "sm_120"},  {TOOLCHAIN_NVCC, 11, 4, "sm_89", "sm_87"},
    {TOOLCHAIN_NVCC, 11, 0, "sm_90", "sm_80"},    {TOOLCHAIN_CLANG, 14, 0, "sm_75", "sm_75"},
    {TOOLCHAIN_CLANG, 14, 0, "sm_90", "sm_86"},   {TOOLCHAIN_CLANG, 14, 0, "sm_89", "sm_86"},
    {TOOLCHAIN_CLANG, 16, 0, "sm_90", "sm_90"},   {TOOLCHAIN_CLANG, 16, 0, "sm_90a", "sm_90"},
    {TOOLCHAIN_CLANG, 19, 1, "sm_120", "sm_90"},  {TOOLCHAIN_CLANG, 20, 1, "sm_120", "sm_120"},
    {TOOLCHAIN_CLANG, 14, 0, "sm_52", NULL},      {TOOLCHAIN_CLANG, 19, 0, "sm_9x", NULL},
    {TOOLCHAIN_CLANG, 19, 0, "compute_90", NULL}, {TOOLCHAIN_NVCC, 13, 0, "", NULL},
};

START_TEST(the_nearest_architecture_before_it_is_taken)
{
    struct toolchain toolchain = {.kind = cases[_i].kind, .major = cases[_i].major, .minor = cases[_i].minor};
    struct diagnostic diagnostic = {0};
    char arch[16] = "";
    enum status status = toolchain_choose_arch(&toolchain, cases[_i].wanted, arch, &diagnostic);
    ck_assert_msg((status == STATUS_OK) == (cases[_i].arch != NULL), "%s: %s", cases[_i].wanted, diagnostic.message);
    if (cases[_i].arch)
        ck_assert_str_eq(arch, cases[_i].arch);
}
END_TEST

START_TEST(a_gpu_before_all_that_a_compiler_knows_gets_an_error_with_a_way_out)
{
    struct toolchain toolchain = {.kind = TOOLCHAIN_NVCC, .major = 13, .label = "nvcc 13.0"};
    struct diagnostic diagnostic = {0};
    char arch[16];
    ck_assert_int_eq(toolchain_choose_arch(&toolchain, "sm_70", arch, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_str_eq(diagnostic.message, "nvcc 13.0 compiles for sm_75 and later, not for sm_70: use an older CUDA "
                                         "Toolkit, or --compiler clang");
}
END_TEST

Suite *suite_arch(void)
{
    Suite *suite = suite_create("arch");
    TCase *tests = tcase_create("arch");
    tcase_add_loop_test(tests, the_nearest_architecture_before_it_is_taken, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, a_gpu_before_all_that_a_compiler_knows_gets_an_error_with_a_way_out);
    suite_add_tcase(suite, tests);
    return suite;
}
