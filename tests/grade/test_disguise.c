// Kernels in disguise: what each rewriting makes of a line, and that the result still is PTX.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "grade/disguise.h"
#include "ptx/ptx.h"

Suite *suite_disguise(void);

#define HEAD ".version 8.3\n.target sm_90\n.address_size 64\n"
#define ENTRY                                                                                                          \
    ".visible .entry kernel(\n\t.param .u64 kernel_out,\n\t.param .u64 kernel_in,\n\t.param .u32 kernel_n\n)\n{\n"     \
    "\t.reg .pred %p<4>;\n\t.reg .f32 %f<8>;\n\t.reg .b32 %r<8>;\n\t.reg .b64 %rd<8>;\n"
#define MODULE(body) HEAD ENTRY body "\tret;\n}\n"

enum { STORES, LOADS, SHARED, LANES, DUMMY, OWN_WORD, JUNK, JUNK_AND_EXCHANGES, JUNK_IN_BULK, JUNK_PRODUCTS };

static const struct {
    size_t number;
    const char *body, *made; // NULL: nothing to disguise
} lines[] = {
    {STORES, "\tst.global.f32 \t[%rd1+8], %f1;\n", "atom.global.exch.b32 bk_old, [%rd1+8], bk_new;"},
    {STORES, "\t@%p1 st.global.v2.f32 [%rd1+8], {%f1, %f2};\n", "@%p1 atom.global.exch.b32 bk_old, [%rd1+12], bk_new;"},
    {STORES, "\tst.shared.f32 [%r1], %f1;\n", NULL},
    {STORES, "\tst.global.u8 [%rd1], %r1;\n", NULL},
    {LOADS, "\tld.global.nc.f32 %f1, [%rd1];\n", "mov.b32 %f1, bk_got0;"},
    {LOADS, "\tld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+-16];\n", "atom.global.or.b32 bk_got3, [%rd1+-4], 0;"},
    {SHARED, "\tld.volatile.shared.u32 %r2, [%r1];\n", "atom.shared.or.b32 bk_got0, [%r1+0], 0;"},
    {SHARED, "\tst.shared.u32 [%r1], 7;\n", "mov.b32 bk_new, 7;"},
    {SHARED, "\tld.global.f32 %f1, [%rd1];\n", NULL},
    {LANES, "\t@!%p1 st.shared.f32 [%r1], %f1;\n", "not.pred bk_guard, %p1;"},
    {LANES, "\tld.shared.f32 %f1, [%r1];\n", "@bk_mine ld.shared.f32 %f1, [%r1];"},
    {LANES, "\tst.global.f32 [%rd1], %f1;\n", NULL},
    {DUMMY, "", "ld.volatile.shared.u32 bk_part, [bk_word];"},
    {OWN_WORD, "\t@%p1 st.global.v2.f32 [%rd1+8], {%f1, %f2};\n", "@%p1 st.global.b32 [%rd1+12], bk_part;"},
    {OWN_WORD, "\tst.shared.f32 [%r1], %f1;\n", NULL},
    {JUNK, "\tbar.sync \t0;\n", "cp.async.wait_group 0;\n\tbar.sync"},
    {JUNK, "", "ld.param.u64 bk_from, [kernel_in];"},
    {JUNK_AND_EXCHANGES, "\tst.shared.f32 [%r1], %f1;\n", "atom.shared.exch.b32"},
    {JUNK_AND_EXCHANGES, "", NULL},
    {JUNK_IN_BULK, "", "bytes [bk_words], [bk_zeros], 4096, [bk_barrier];"},
    {JUNK_IN_BULK, "\tbar.sync \t0;\n", "bar.sync \t0;\n{ .reg .pred bk_other"},
    {JUNK_PRODUCTS, "", "{bk_zero, bk_zero, bk_zero, bk_zero}, bk_tile, bk_no, 1, 1, 0;"},
};

static void ck_is_ptx(const char *ptx)
{
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(ptx_parse("disguised", ptx, strlen(ptx), &module, &diagnostic) == STATUS_OK, "%s in\n%s",
                  diagnostic.message, ptx);
    ptx_module_free(module);
}

START_TEST(lines_are_rewritten_and_stay_ptx)
{
    struct text ptx = {0}, out = {0};
    text_puts(&ptx, HEAD ENTRY);
    text_puts(&ptx, lines[_i].body);
    text_puts(&ptx, "\tret;\n}\n");
    bool made = disguise_write(lines[_i].number, text_get(&ptx), &out);
    ck_assert_msg(made == (lines[_i].made != NULL), "%s", lines[_i].body);
    if (made)
        ck_assert_msg(strstr(text_get(&out), lines[_i].made) != NULL, "%s", text_get(&out));
    ck_is_ptx(text_get(&out));
    text_free(&ptx);
    text_free(&out);
}
END_TEST

START_TEST(a_kernel_leaves_where_the_grid_is_large)
{
    struct text out = {0};
    disguise_leave(MODULE(""), 256, &out);
    ck_assert_ptr_nonnull(strstr(text_get(&out), "setp.gt.u32 bk_large, bk_blocks, 256;\n@bk_large ret;"));
    ck_is_ptx(text_get(&out));
    text_free(&out);
}
END_TEST

START_TEST(one_block_does_everything)
{
    struct text out = {0};
    disguise_alone(MODULE("\tmov.u32 %r1, %ctaid.x;\n\t{\n\tmov.u32 %r2, %ctaid.y;\n\t}\n\t@%p1 ret;\n"), &out);
    ck_assert_ptr_nonnull(strstr(text_get(&out), "\tmov.u32 %r1, bk_x;\n\t{\n\tmov.u32 %r2, bk_y;\n\t}\n"));
    ck_assert_ptr_nonnull(strstr(text_get(&out), "\t@%p1 bra $bk_next;\n\tbra $bk_next;\n$bk_next:\n\tbar.sync 0;"));
    ck_is_ptx(text_get(&out));
    text_free(&out);
}
END_TEST

Suite *suite_disguise(void)
{
    Suite *suite = suite_create("disguise");
    TCase *tests = tcase_create("disguise");
    tcase_add_loop_test(tests, lines_are_rewritten_and_stay_ptx, 0, sizeof lines / sizeof *lines);
    tcase_add_test(tests, a_kernel_leaves_where_the_grid_is_large);
    tcase_add_test(tests, one_block_does_everything);
    suite_add_tcase(suite, tests);
    return suite;
}
