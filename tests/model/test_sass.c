// What one PTX instruction costs as SASS: the table against what the H200 took for a full SM (golden/h200_micro.csv).
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/ptx_text.h"
#include "model/sass.h"

Suite *suite_sass(void);

// Cycles of the SM a warp instruction takes with 32 warps. Divisions by what stays the same are left out: ptxas takes
// their reciprocal out of the probe's loop.
static const struct {
    const char *body, *row;
    double within;
} cases[] = {
    {"fma.rn.f32 %f1, %f2, %f3, %f4;", "fma_f32", 1.1},
    {"div.rn.f32 %f1, %f2, %f3;", "div_rn_f32", 1.15},
    {"rsqrt.approx.f32 %f1, %f2;", "rsqrt_approx_f32", 1.1},
    {"ex2.approx.ftz.f32 %f1, %f2;", "ex2_approx_ftz_f32", 1.1},
    {"sin.approx.f32 %f1, %f2;", "sin_approx_f32", 1.1},
    {"div.rn.f64 %d1, %d2, %d3;", "div_rn_f64", 1.6},
    {"fma.rn.f64 %d1, %d2, %d3, %d4;", "fma_f64", 1.1},
    {"mul.lo.s64 %l1, %l2, %l3;", "mul_lo_s64", 1.1},
    {"mul.hi.u32 %r1, %r2, %r3;", "mul_hi_u32", 1.1},
    {"div.u64 %l1, %l2, %l3;", "div_u64", 1.15},
    {"rem.s64 %l1, %l2, %l3;", "rem_s64", 1.3},
    {"popc.b32 %r1, %r2;", "popc", 1.1},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
     "{%f1, %f2, %f3, %f4};",
     "mma_f16", 1.1},
    {"shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", "shfl_bfly", 1.1},
    {"match.any.sync.b32 %r1, %r2, -1;", "match_any", 1.1},
    {"fma.rn.f16x2 %r1, %r2, %r3, %r4;", "fma_f16x2", 1.1},
};

static double measured(const char *name)
{
    char line[256], key[96];
    double found = 0;
    FILE *file = fopen("tests/golden/h200_micro.csv", "r");
    snprintf(key, sizeof key, "pipe,%s,32 warps,", name);
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key)))
            found = strtod(line + strlen(key), NULL);
    if (file)
        fclose(file);
    return found;
}

#define REGISTERS ".reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b64 %l<9>; .reg .pred %p<3>;\n"

static struct ptx_module *parse(const char *body)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s\nret;", REGISTERS, body);
    return ptx_parse_in_kernel(text);
}

START_TEST(a_full_sm_takes_as_long_as_the_h200)
{
    static const double cycles[PIPES] = {1, 2, 2, 8, 2, 6, 4}; // of a scheduler's pipe on sm_90
    struct ptx_module *module = parse(cases[_i].body);
    struct sass_cost cost;
    ck_assert_msg(sass_cost_find(&module->functions[0]->insts[0], 90, &cost), "%s: no row", cases[_i].body);
    double most = cost.instructions;
    for (int pipe = 0; pipe < PIPES; pipe++)
        most = fmax(most, cost.turns[pipe] * cycles[pipe]);
    double ratio = most / 4 / measured(cases[_i].row);
    ck_assert_msg(ratio < cases[_i].within && ratio > 1 / cases[_i].within, "%s: %g, the H200 %g", cases[_i].row,
                  most / 4, measured(cases[_i].row));
    ptx_module_free(module);
}
END_TEST

START_TEST(modifiers_choose_the_row)
{
    struct ptx_module *module = parse("div.rn.f32 %f1, %f2, %f3; div.approx.ftz.f32 %f1, %f2, %f3; bar.sync 0;");
    const struct ptx_inst *insts = module->functions[0]->insts;
    struct sass_cost exact, quick, none;
    ck_assert(sass_cost_find(&insts[0], 90, &exact) && sass_cost_find(&insts[1], 90, &quick));
    ck_assert_double_gt(exact.instructions, 2 * quick.instructions);
    ck_assert(!sass_cost_find(&insts[2], 90, &none));
    ptx_module_free(module);
}
END_TEST

// '.' stays, 'x' is a part of another.
static const struct {
    const char *body, *joined;
} joins[] = {
    {"shl.b32 %r1, %r2, 2; add.s32 %r3, %r4, %r1;", "x.."},
    {"mul.lo.s32 %r1, %r2, %r5; add.s32 %r3, %r4, %r1;", "x.."},
    {"add.s32 %r1, %r2, %r5; add.s32 %r3, %r4, %r1;", "x.."},
    {"add.s32 %r1, %r2, %r5; add.s32 %r3, %r4, %r1; add.s32 %r6, %r3, %r7;", "x..."}, // three sums are two IADD3
    {"add.s32 %r1, %r2, %r5; add.s32 %r3, %r1, %r1;", "..."},
    {"and.b32 %r1, %r2, %r5; xor.b32 %r3, %r4, %r1;", "x.."},
    {"shl.b32 %r1, %r2, %r5; add.s32 %r3, %r4, %r1;", "..."}, // by a register
    {"shl.b32 %r1, %r2, 2; xor.b32 %r3, %r4, %r1;", "..."},
    {"xor.b32 %r1, %r2, %r5; and.b32 %r3, %r1, 3; setp.ne.s32 %p1, %r3, 0;", "xx.."}, // LOP3 gives the predicate
    {"and.b32 %r1, %r2, 7; setp.eq.s32 %p1, %r1, 5;", "..."},
    {"and.b32 %r1, %r2, 7; setp.gt.s32 %p1, %r1, 0;", "..."},
    {"and.b64 %l1, %l2, %l3; setp.ne.s64 %p1, %l1, 0;", "..."},
    {"and.b32 %r1, %r2, %r5; setp.eq.s32 %p1, %r1, 0; setp.lt.s32 %p0, %r3, %r4; and.pred %p2, %p0, %p1;", "x..x."},
    {"add.s32 %r1, %r2, 1; min.s32 %r3, %r1, %r4;", "x.."}, // VIADDMNMX
    {"sub.u32 %r1, %r2, %r5; max.u32 %r3, %r4, %r1;", "x.."},
    {"add.s32 %r1, %r2, 1; add.s32 %r3, %r4, %r5; min.s32 %r6, %r1, %r3;", "x..."},
    {"add.s32 %r1, %r2, %r5; add.s32 %r3, %r1, %r4; min.s32 %r6, %r7, %r3;", "x..."}, // IADD3
    {"shl.b32 %r1, %r2, 3; add.s32 %r3, %r1, %r4; min.s32 %r6, %r7, %r3;", "x..."},
    {"add.s64 %l1, %l2, 1; min.s64 %l3, %l1, %l4;", "..."},
    {"selp.u32 %r1, 1, 0, %p1; add.s32 %r3, %r2, %r1; min.s32 %r4, %r3, %r5;", "...."},
    {"mul.lo.s32 %r1, %r2, %r5; mul.hi.u32 %r3, %r5, %r2;", "x.."}, // IMAD.WIDE
    {"mov.u32 %r6, 7; mul.lo.s32 %r1, %r2, 7; mul.hi.u32 %r3, %r2, %r6;", ".x.."},
    {"mul.lo.s32 %r1, %r2, 7; mul.hi.u32 %r3, %r4, 7;", "..."},
    {"shr.u64 %l1, %l2, 32; add.s64 %l3, %l4, %l1;", "x.."}, // the high word is there already
    {"setp.lt.s32 %p1, %r1, %r2; setp.lt.s32 %p0, %r3, %r4; and.pred %p2, %p0, %p1;", "..x."}, // ISETP.AND
    {"and.pred %p2, %p0, %p1;", ".."},
    {"neg.f32 %f1, %f2; fma.rn.f32 %f3, %f4, %f5, %f1;", "x.."}, // FFMA takes signs
    {"neg.f32 %f1, %f2; mul.f32 %f3, %f4, %f1; add.f32 %f5, %f3, %f1;", "...."},
    {"neg.f32 %f1, %f2; mov.b32 %r1, %f1;", "..."},
    {"min.f32 %f1, %f2, %f3; max.f32 %f4, %f3, %f2; selp.f32 %f5, %f1, %f4, %p1;", "xx.."}, // FMNMX
    {"min.f32 %f1, %f2, %f3; max.f32 %f4, %f3, %f6; selp.f32 %f5, %f1, %f4, %p1;", "...."},
    {"mul.hi.u32 %r1, %r2, %r3; mul.hi.u32 %r4, %r2, %r3;", ".x."}, // is there already
    {"mul.hi.u32 %r1, %r2, %r3; mul.hi.s32 %r4, %r2, %r3;", "..."},
    {"mul.hi.u32 %r1, %r2, 5; mul.hi.u32 %r4, %r2, 6;", "..."},
    {"mul.hi.u32 %r1, %r2, %r3; mul.hi.u32 %r4, %r2, %r3; mul.hi.u32 %r5, %r1, 7; mul.hi.u32 %r6, %r4, 7;", ".x.x."},
    {"mul.hi.u32 %r1, %r2, %r3; @%p1 bra A; mul.hi.u32 %r4, %r2, %r3; A: mul.hi.u32 %r5, %r2, %r4;", "..x.."},
    {"@%p1 bra A; mul.hi.u32 %r1, %r2, %r3; A: mul.hi.u32 %r4, %r2, %r3;", "...."}, // only on one of two ways
    {"mov.u32 %r2, 1; mov.u32 %r2, 2; mul.hi.u32 %r1, %r2, %r3; mul.hi.u32 %r4, %r2, %r3;", "....."},
    {"@%p1 bra A; min.f32 %f1, %f2, %f3; bra.uni B; A: max.f32 %f1, %f2, %f3; B: add.f32 %f4, %f1, %f1;", "...x.."},
};

START_TEST(what_ptxas_joins_costs_once)
{
    struct ptx_module *module = parse(joins[_i].body);
    const struct ptx_function *function = module->functions[0];
    struct replay_inst insts[8] = {{0}};
    for (uint32_t i = 0; i < function->inst_count; i++)
        insts[i].kind = REPLAY_INT;
    sass_join(function, 90, insts);
    for (uint32_t i = 0; i < function->inst_count; i++)
        ck_assert_msg((insts[i].kind == REPLAY_FREE) == (joins[_i].joined[i] == 'x'), "%s: %u", joins[_i].body, i);
    ptx_module_free(module);
}
END_TEST

START_TEST(older_gpus_have_no_sum_in_a_minimum)
{
    struct ptx_module *module = parse("add.s32 %r1, %r2, 1; min.s32 %r3, %r1, %r4;");
    struct replay_inst insts[8] = {{.kind = REPLAY_INT}, {.kind = REPLAY_INT}, {.kind = REPLAY_INT}};
    sass_join(module->functions[0], 80, insts);
    ck_assert_int_eq(insts[0].kind, REPLAY_INT);
    sass_join(module->functions[0], 100, insts);
    ck_assert_int_eq(insts[0].kind, REPLAY_FREE);
    ptx_module_free(module);
}
END_TEST

// ptxas 13.0 adds the constant and moves what was there before where the condition says so: SEL is the ALU's alone.
static const struct {
    const char *body;
    double turns;
} choices[] = {
    {"selp.u32 %r1, 1, 0, %p1; add.s32 %r2, %r3, %r1;", 0.5}, {"selp.b32 %r1, 5, 3, %p1; add.s32 %r2, %r3, %r1;", 0.5},
    {"selp.u32 %r1, 1, 0, %p1; sub.s32 %r2, %r3, %r1;", 1},   {"selp.b32 %r1, %r4, 0, %p1; add.s32 %r2, %r3, %r1;", 1},
    {"selp.b32 %r1, 1, 0, %p1; xor.b32 %r2, %r3, %r1;", 1},   {"selp.u32 %r1, 1, 0, %p1; add.s32 %r2, %r1, %r1;", 1},
};

START_TEST(a_choice_in_a_sum_is_a_sum)
{
    struct ptx_module *module = parse(choices[_i].body);
    const struct ptx_function *function = module->functions[0];
    struct replay_inst insts[8] = {{0}};
    for (uint32_t i = 0; i < function->inst_count; i++)
        sass_cost_find(&function->insts[i], 90, &insts[i].cost);
    sass_join(function, 90, insts);
    ck_assert_msg(insts[0].cost.turns[PIPE_INT] == choices[_i].turns, "%s", choices[_i].body);
    ptx_module_free(module);
}
END_TEST

// Turns of the ALU that the last instruction takes: of two words, or of one where the other is zero or comes from
// nowhere.
static const struct {
    const char *body;
    double turns;
} words[] = {
    {"shr.u64 %l1, %l2, 31;", 2},
    {"shr.u64 %l1, %l2, 33;", 1},
    {"shl.b64 %l1, %l2, 40;", 1},
    {"shr.s64 %l1, %l2, 33;", 2}, // the sign
    {"shr.u64 %l1, %l2, %r1;", 2},
    {"shr.u64 %l1, %l2, 33; xor.b64 %l3, %l2, %l1;", 1},
    {"shr.u64 %l1, %l2, 31; xor.b64 %l3, %l2, %l1;", 2},
    {"cvt.u64.u32 %l1, %r2; or.b64 %l3, %l2, %l1;", 1},
    {"and.b64 %l3, %l2, 255;", 1},
};

START_TEST(a_word_that_is_known_costs_nothing)
{
    struct ptx_module *module = parse(words[_i].body);
    const struct ptx_function *function = module->functions[0];
    struct replay_inst insts[8] = {{0}};
    for (uint32_t i = 0; i < function->inst_count; i++)
        sass_cost_find(&function->insts[i], 90, &insts[i].cost);
    sass_join(function, 90, insts);
    ck_assert_msg(insts[function->inst_count - 2].cost.turns[PIPE_INT] == words[_i].turns, "%s", words[_i].body);
    ptx_module_free(module);
}
END_TEST

Suite *suite_sass(void)
{
    Suite *suite = suite_create("sass");
    TCase *tests = tcase_create("sass");
    tcase_add_loop_test(tests, a_full_sm_takes_as_long_as_the_h200, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, modifiers_choose_the_row);
    tcase_add_loop_test(tests, what_ptxas_joins_costs_once, 0, sizeof joins / sizeof *joins);
    tcase_add_loop_test(tests, a_word_that_is_known_costs_nothing, 0, sizeof words / sizeof *words);
    tcase_add_test(tests, older_gpus_have_no_sum_in_a_minimum);
    tcase_add_loop_test(tests, a_choice_in_a_sum_is_a_sum, 0, sizeof choices / sizeof *choices);
    suite_add_tcase(suite, tests);
    return suite;
}
