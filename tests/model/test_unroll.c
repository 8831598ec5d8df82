// Which loops are unrolled, held against what ptxas 13.0 made of the same text for sm_90; and what becomes of their
// steps.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/ptx_text.h"
#include "base/memory.h"
#include "model/describe.h"
#include "model/sass.h"
#include "model/unroll.h"

Suite *suite_unroll(void);

#define LOAD "ld.global.nc.f32 %f3, [%l6]; add.s64 %l6, %l6, 128; fma.rn.f32 %f1, %f3, %f2, %f1;\n"
#define STORE "st.global.f32 [%l6], %f1; add.s64 %l6, %l6, 128;\n"
#define SHARED "ld.shared.f32 %f3, [%r9]; add.s32 %r9, %r9, 4; fma.rn.f32 %f1, %f3, %f2, %f1;\n"
#define END "add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1;\n"

// fmas: behind the body, each waiting for the one before.
static const struct {
    const char *body;
    int fmas;
    const char *end;
    bool unrolled;
} cases[] = {
    {LOAD, 0, END, true},
    {LOAD, 43, END, true},
    {LOAD, 44, END, false},
    {"", 18, END, true},
    {"", 20, END, false},
    {SHARED, 20, END, true},
    {SHARED, 24, END, false},
    {STORE, 16, END, true},
    {STORE, 24, END, false},
    {".pragma \"nounroll\";\n" LOAD, 0, END, false},
    {LOAD "bar.sync 0;\n", 0, END, true},
    {LOAD "setp.lt.f32 %p2, %f3, %f2; @%p2 bra K; add.f32 %f1, %f1, %f3; K:\n", 0, END, true},
    {LOAD "setp.lt.f32 %p2, %f3, %f2; @%p2 bra OUT;\n", 0, END, false},
    {LOAD "div.rn.f32 %f1, %f1, %f2;\n", 0, END, false},
    {LOAD "ex2.approx.ftz.f32 %f1, %f1;\n", 0, END, true},
    {LOAD, 0, "add.s32 %r3, %r3, 32; setp.ne.s32 %p1, %r3, %r1;\n", true},
    {LOAD, 0, "add.s32 %r3, %r3, %r8; setp.lt.s32 %p1, %r3, %r1;\n", false},
    {LOAD, 0, "shr.u32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0;\n", false},
    {LOAD, 0, "setp.lt.f32 %p1, %f3, %f2;\n", false},
    {LOAD, 0, "add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0;\n", true},
    {LOAD, 0, "add.s64 %l1, %l1, 1; setp.lt.u64 %p1, %l1, %l2;\n", true},
    {LOAD, 0, "add.s32 %r4, %r3, 1; setp.lt.s32 %p1, %r4, %r1; mov.u32 %r3, %r4;\n", true},
};

static struct ptx_module *parse_loop(int i)
{
    char text[4096];
    int at =
        snprintf(text, sizeof text,
                 ".reg .b32 %%r<10>; .reg .f32 %%f<9>; .reg .b64 %%l<9>; .reg .pred %%p<3>;\nTOP:\n%s", cases[i].body);
    for (int k = 0; k < cases[i].fmas; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "fma.rn.f32 %%f1, %%f1, %%f2, %%f1;\n");
    snprintf(text + at, sizeof text - (size_t)at, "%s@%%p1 bra TOP;\nOUT: ret;", cases[i].end);
    return ptx_parse_in_kernel(text);
}

// The caller frees its insts and loops.
static struct unrolling unroll(const struct ptx_function *function)
{
    struct unrolling u = {.register_count = function->register_count};
    for (uint32_t i = 0; i < function->inst_count; i++)
        *mem_append(u.insts, u.inst_capacity, u.inst_count) = describe_inst(function, i, 0, 90);
    sass_join(function, 90, u.insts);
    unroll_function(&u, function, 0);
    return u;
}

START_TEST(loops_are_unrolled_that_ptxas_unrolls)
{
    struct ptx_module *module = parse_loop(_i);
    struct unrolling u = unroll(module->functions[0]);
    ck_assert_msg((u.count == 1) == cases[_i].unrolled, "case %d: %s %s", _i, cases[_i].body, cases[_i].end);
    free(u.insts);
    free(u.loops);
    ptx_module_free(module);
}
END_TEST

static double cost_of(const struct unrolling *u, uint32_t first, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = first; i < first + count; i++)
        sum += u->insts[i].kind == REPLAY_FREE ? 0 : u->insts[i].cost.instructions;
    return sum;
}

START_TEST(seven_turns_are_four_and_two_and_one)
{
    enum { TURNS = 7 };
    struct ptx_module *module = parse_loop(0);
    struct unrolling u = unroll(module->functions[0]);
    const struct unrolled_loop *loop = u.loops;
    uint32_t length = loop->last - loop->first + 1;
    struct replay_step *steps = mem_alloc(TURNS * length * sizeof *steps);
    for (uint32_t i = 0; i < TURNS * length; i++)
        steps[i].inst = loop->first + i % length;
    unroll_steps(&u, steps, TURNS * length);
    const uint32_t expected[TURNS] = {loop->copies[0], loop->copies[1], loop->copies[2], loop->copies[3],
                                      loop->copies[4], loop->copies[3], loop->first};
    for (uint32_t i = 0; i < TURNS * length; i++)
        ck_assert_uint_eq(steps[i].inst, expected[i / length] + i % length);
    // One comparison, branch and step of the address for all: the others load and multiply.
    for (int turn = 0; turn < UNROLL_TURNS - 1; turn++)
        ck_assert_double_eq(cost_of(&u, loop->copies[turn], length), 2);
    ck_assert_double_eq(cost_of(&u, loop->copies[UNROLL_TURNS - 1], length), cost_of(&u, loop->first, length));
    // What a turn loads has a register of its own; what it adds to is the sum of the turn before.
    const struct replay_inst *load = &u.insts[loop->copies[0]], *next = &u.insts[loop->copies[1]];
    ck_assert_uint_ne(load->results[0], next->results[0]);
    uint16_t sum = u.insts[loop->copies[0] + 2].results[0];
    ck_assert_uint_eq(u.insts[loop->copies[1] + 2].sources[2], sum);
    ck_assert_uint_eq(u.insts[loop->copies[3] + 2].results[0], u.insts[loop->first + 2].results[0]);
    free(steps);
    free(u.insts);
    free(u.loops);
    ptx_module_free(module);
}
END_TEST

Suite *suite_unroll(void)
{
    Suite *suite = suite_create("unroll");
    TCase *tcase = tcase_create("unroll");
    tcase_add_loop_test(tcase, loops_are_unrolled_that_ptxas_unrolls, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tcase, seven_turns_are_four_and_two_and_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
