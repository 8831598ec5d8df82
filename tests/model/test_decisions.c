#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/text.h"
#include "model/decisions.h"

Suite *suite_decisions(void);

enum { WIDE = 64, HIGH = 64, MOST = 8 };

// Kernels of (n, pointer), and which of their blocks decide as few do: as many as it takes to show all of it.
#define PLACE "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.s32 %r3, %r2, 7, %r1; "
#define CALL(from, to)                                                                                                 \
    "{ .param .b32 p0; st.param.b32 [p0], " from "; .param .b32 r0; call.uni (r0), less, (p0); ld.param.b32 " to       \
    ", [r0]; }\n"
#define CALL_AT(function, from, number, to)                                                                            \
    "{ .param .b64 p0; st.param.b64 [p0], " from "; .param .b32 p1; st.param.b32 [p1], " number                        \
    "; .param .b32 r0; call.uni (r0), " function ", (p0, p1); ld.param.b32 " to ", [r0]; }\n"
static const struct {
    const char *why, *body;
    size_t count;
    int divisor, rest; // of x + 7 y in each of them; 0: anything
} cases[] = {
    {"nothing is decided", PLACE "st.global.u32 [%rd1], %r3;", 0, 0, 0},
    {"one in 37 branches",
     PLACE "rem.u32 %r4, %r3, 37; setp.eq.s32 %p1, %r4, 5; @%p1 bra L; st.global.u32 [%rd1], %r3; L: ret;", 1, 37, 5},
    {"one in 37 takes another number",
     PLACE "rem.u32 %r4, %r3, 37; setp.ne.s32 %p1, %r4, 5; selp.b32 %r5, 64, 0, %p1; st.global.u32 [%rd1], %r5;", 1, 37,
     5},
    {"no comparison, but two numbers, one of them rare",
     PLACE "rem.u32 %r4, %r3, 37; div.u32 %r5, %r4, 36; shl.b32 %r6, %r5, 6; st.global.u32 [%rd1], %r6;", 1, 37, 36},
    {"a remainder by multiplication",
     PLACE "mul.hi.u32 %r4, %r3, 116080198; mul.lo.s32 %r5, %r4, 37; sub.s32 %r6, %r3, %r5; setp.eq.s32 %p1, %r6, 9; "
           "@%p1 st.global.u32 [%rd1], %r3;",
     1, 37, 9},
    {"a remainder by rotation", // -858993459 is 1/5 modulo 2^32
     PLACE "mul.lo.s32 %r4, %r3, -858993459; shf.r.wrap.b32 %r5, %r4, %r4, 1; setp.lt.u32 %p1, %r5, 429496730; "
           "@%p1 st.global.u32 [%rd1], %r3;",
     1, 10, 0},
    {"a comparison in one of two branches",
     PLACE "mov.pred %p1, 0; mov.u32 %r5, %nctaid.x; setp.lt.u32 %p2, %r5, 9; @%p2 bra L; rem.u32 %r4, %r3, 37; "
           "setp.eq.s32 %p1, %r4, 5; L: @%p1 st.global.u32 [%rd1], %r3;",
     1, 37, 5},
    {"two rare things are shown by two blocks",
     PLACE "rem.u32 %r4, %r3, 37; setp.eq.s32 %p1, %r4, 5; setp.eq.s32 %p2, %r4, 6; @%p1 st.global.u32 [%rd1], %r3; "
           "@%p2 st.global.u32 [%rd1], %r4;",
     2, 0, 0},
    {"with a number of the launch",
     PLACE "ld.param.u32 %r7, [n]; rem.u32 %r4, %r3, %r7; setp.eq.s32 %p1, %r4, 1; @%p1 st.global.u32 [%rd1], %r3;", 1,
     50, 1},
    {"every other block is no rare one",
     PLACE "and.b32 %r4, %r3, 1; setp.eq.s32 %p1, %r4, 1; @%p1 st.global.u32 [%rd1], %r3;", 0, 0, 0},
    {"the end of a row has good reason", PLACE "setp.eq.s32 %p1, %r1, 63; @%p1 st.global.u32 [%rd1], %r3;", 0, 0, 0},
    {"what lies beyond the end, too",
     PLACE
     "mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r1, 64, %r4; setp.lt.s32 %p1, %r5, 4033; @%p1 st.global.u32 [%rd1], %r3;",
     0, 0, 0},
    {"what follows from a number of the data",
     PLACE "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3+8]; "
           "setp.lt.f32 %p1, %f1, 0f41200000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 0, 0},
    {"… that is loaded beside others",
     PLACE "mul.wide.s32 %rd2, %r3, 16; add.s64 %rd3, %rd1, %rd2; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3+16]; "
           "setp.lt.f32 %p1, %f3, 0f41200000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 0, 0},
    {"the largest of two numbers of the data",
     PLACE
     "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4]; "
     "max.f32 %f3, %f1, %f2; setp.gt.f32 %p1, %f3, 0f43110000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 0, 0},
    {"an element of a table",
     PLACE "and.b32 %r4, %r3, 31; cvt.u64.u32 %rd2, %r4; mov.u64 %rd3, odd; add.s64 %rd4, %rd2, %rd3; "
           "ld.const.u8 %r5, [%rd4]; shl.b32 %r6, %r5, 6; st.global.u32 [%rd1], %r6;",
     1, 32, 21},
    {"what a function decides that is called", PLACE CALL("%r3", "%r4") "st.global.u32 [%rd1], %r4;", 1, 37, 5},
    {"an element of a table that a function is given",
     PLACE
     "mov.u64 %rd2, odd; " CALL_AT("element", "%rd2", "%r3", "%r4") "shl.b32 %r6, %r4, 6; st.global.u32 [%rd1], %r6;",
     1, 32, 21},
    {"the case of a switch",
     PLACE "rem.u32 %r4, %r3, 37; min.u32 %r6, %r4, 2; brx.idx %r6, cases; cases: .branchtargets A, B, C; "
           "A: st.global.u32 [%rd1], %r3; B: add.s32 %r5, %r3, 1; st.global.u32 [%rd1], %r5; C: ret;",
     2, 0, 0},
    {"numbers of the data are no choices",
     PLACE "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; "
           "ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f1, %f1; "
           "st.global.f32 [%rd1], %f2;",
     0, 0, 0},
    {"a register that is given something else later",
     PLACE
     "rem.u32 %r4, %r3, 37; setp.eq.s32 %p1, %r4, 5; mov.u32 %r3, 7; @%p1 bra L; st.global.u32 [%rd1], %r3; L: ret;",
     1, 37, 5},
    {"… and is read after that",
     PLACE "mov.u32 %r5, %r1; mov.u32 %r6, %r2; mov.u32 %r3, 7; rem.u32 %r4, %r3, 37; "
           "setp.eq.s32 %p1, %r4, 5; @%p1 bra L; st.global.u32 [%rd1], %r3; L: ret;",
     0, 0, 0},
    {"what follows from what is written is not known",
     PLACE "atom.global.add.u32 %r4, [%rd1], 1; add.s32 %r5, %r4, %r1; setp.eq.s32 %p1, %r5, 5; @%p1 st.global.u32 "
           "[%rd1], %r3;",
     0, 0, 0},
    {"what a loop works out is not, either",
     PLACE
     "mov.u32 %r4, %r1; L: sub.s32 %r4, %r4, 37; setp.gt.s32 %p1, %r4, 36; @%p1 bra L; st.global.u32 [%rd1], %r4;",
     0, 0, 0},
};

static const struct ptx_function *read_kernel(const char *why, const char *body, struct ptx_module **module)
{
    struct text text = {0};
    const struct ptx_function *entry;
    struct diagnostic diagnostic = {0};
    text_printf(
        &text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 1 .b8 odd[32] = {0, 0, 0, 0, 0, 0, 0, 0, "
        "0, 0, 0, 0, 0, "
        "0, 0, 0, 0, 0, 0, 0, 0, 1};\n.const .align 1 .b8 even[32] = {0, 1};\n"
        ".func (.param .b32 back) element(.param .b64 table, .param .b32 x) {\n.reg .b32 %%r<5>; .reg .b64 %%rd<5>;\n"
        "mov.u64 %%rd4, even; ld.const.u8 %%r4, [%%rd4]; ld.param.u64 %%rd1, [table]; ld.param.u32 %%r1, [x]; "
        "and.b32 %%r2, %%r1, 31; cvt.u64.u32 %%rd2, %%r2; add.s64 %%rd3, %%rd1, %%rd2; ld.u8 %%r3, [%%rd3]; "
        "st.param.b32 [back], %%r3; ret;\n}\n"
        ".func (.param .b32 back) below(.param .b64 data, .param .b32 x) {\n.reg .b32 %%r<3>; .reg .b64 %%rd<4>; "
        ".reg .f32 %%f<2>; .reg .pred %%p<2>;\nld.param.u64 %%rd1, [data]; ld.param.u32 %%r1, [x]; "
        "mul.wide.u32 %%rd2, %%r1, 4; add.s64 %%rd3, %%rd1, %%rd2; ld.global.f32 %%f1, [%%rd3]; "
        "setp.lt.f32 %%p1, %%f1, 0f41200000; selp.b32 %%r2, 1, 0, %%p1; st.param.b32 [back], %%r2; ret;\n}\n"
        ".func (.param .b32 back) less(.param .b32 x) {\n.reg .b32 %%r<5>; .reg .pred %%p<2>;\nld.param.u32 %%r1, "
        "[x]; rem.u32 %%r2, %%r1, 37; setp.eq.s32 %%p1, %%r2, 5; selp.b32 %%r3, 1, 0, %%p1; "
        "sub.s32 %%r4, %%r1, %%r3; st.param.b32 [back], %%r4; ret;\n}\n.visible .entry k(.param .u32 n, .param .u64 p) "
        "{\n"
        ".reg .pred %%p<4>;\n.reg .b32 %%r<9>;\n.reg .f32 %%f<6>;\n.reg .b64 %%rd<6>;\nld.param.u64 %%rd1, "
        "[p];\n%s\nret;\n}\n",
        body);
    ck_assert_msg(ptx_parse("k", text_get(&text), text.length, module, &diagnostic) == STATUS_OK, "%s: %s", why,
                  diagnostic.message);
    ck_assert(ptx_find_entry(*module, NULL, &entry, &diagnostic) == STATUS_OK);
    text_free(&text);
    return entry;
}

// An input that counts: element i is the float i % 150.
static uint64_t read_counting(void *context, uint64_t address, unsigned bytes)
{
    ck_assert_ptr_null(context);
    ck_assert_uint_eq(bytes, 4);
    return f32_bits((float)((address - (UINT64_C(1) << 36)) / 4 % 150));
}

START_TEST(blocks_that_decide_as_few_do)
{
    const struct deduction_data data = {read_counting, NULL};
    struct ptx_module *module;
    const struct launch_shape shape = {.grid = {WIDE, HIGH, 1}, .block = {64, 1, 1}};
    const uint64_t values[] = {50, UINT64_C(1) << 36};
    uint64_t blocks[MOST];
    const struct ptx_function *entry = read_kernel(cases[_i].why, cases[_i].body, &module);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t count = decisions_rare(entry, &shape, values, &data, seed, blocks, MOST);
        ck_assert_msg(count == cases[_i].count, "%s: %zu blocks", cases[_i].why, count);
        for (size_t i = 0; i < count && cases[_i].divisor; i++)
            ck_assert_msg((int)(blocks[i] % WIDE + 7 * (blocks[i] / WIDE)) % cases[_i].divisor == cases[_i].rest,
                          "%s: block %d", cases[_i].why, (int)blocks[i]);
    }
    ptx_module_free(module);
}
END_TEST

// One block of a million, by the numbers of its place, or by those of its tile.
START_TEST(a_block_that_is_named_is_found)
{
    static const char *const bodies[] = {
        PLACE "setp.eq.s32 %p1, %r1, 200; setp.eq.s32 %p2, %r2, 177; and.pred %p1, %p1, %p2; "
              "@%p1 st.global.u32 [%rd1], %r3;",
        PLACE "shl.b32 %r4, %r1, 5; shl.b32 %r5, %r2, 5; setp.ne.s32 %p1, %r4, 6400; setp.ne.s32 %p2, %r5, 5664; "
              "or.pred %p1, %p1, %p2; @%p1 bra L; st.global.u32 [%rd1], %r3; L: ret;",
    };
    const struct launch_shape shape = {.grid = {1000, 1000, 1}, .block = {64, 1, 1}, .tile = {32, 32}};
    const uint64_t values[] = {50, UINT64_C(1) << 36};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct ptx_module *module;
        const struct ptx_function *entry = read_kernel("a block that is named", bodies[i], &module);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            uint64_t blocks[MOST];
            bool found = false;
            size_t count = decisions_rare(entry, &shape, values, NULL, seed, blocks, MOST);
            for (size_t k = 0; k < count; k++)
                found |= blocks[k] == 177 * 1000 + 200;
            ck_assert_msg(found, "%zu, seed %d: %zu blocks", i, (int)seed, count);
        }
        ptx_module_free(module);
    }
}
END_TEST

// Kernels, how many of their predicates follow from data, and how many outcomes these have.
static const struct {
    const char *why, *body;
    size_t predicates, shown;
} data_cases[] = {
    {"what follows from a block's place", PLACE "setp.eq.s32 %p1, %r3, 5; @%p1 st.global.u32 [%rd1], %r3;", 0, 0},
    {"a number of the data",
     PLACE "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; "
           "setp.lt.f32 %p1, %f1, 0f41200000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 2},
    {"… that all blocks find alike",
     PLACE "mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; "
           "setp.lt.f32 %p1, %f1, 0f00000000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 1},
    {"… that the last two of a row find otherwise", // 62 and 63
     "mov.u32 %r3, %ctaid.x; mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; "
     "setp.lt.f32 %p1, %f1, 0f42780000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 2},
    {"… that only the last of a row finds otherwise, which will not be run for that",
     "mov.u32 %r3, %ctaid.x; mul.wide.s32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3]; "
     "setp.lt.f32 %p1, %f1, 0f427c0000; @%p1 st.global.u32 [%rd1], %r3;",
     1, 1},
    {"… in a function that is called", PLACE CALL_AT("below", "%rd1", "%r3", "%r4") "st.global.u32 [%rd1], %r4;", 1, 2},
    {"… one and the same for all blocks",
     PLACE "ld.global.f32 %f1, [%rd1+20]; setp.lt.f32 %p1, %f1, 0f41200000; @%p1 st.global.u32 [%rd1], %r3;", 1, 1},
};

START_TEST(predicates_that_follow_from_data)
{
    const struct deduction_data data = {read_counting, NULL};
    const struct launch_shape shape = {.grid = {WIDE, HIGH, 1}, .block = {64, 1, 1}};
    const uint64_t values[] = {50, UINT64_C(1) << 36};
    const char *why = data_cases[_i].why;
    struct ptx_module *module;
    size_t shown;
    const struct ptx_function *entry = read_kernel(why, data_cases[_i].body, &module);
    size_t predicates = decisions_of_data(entry, &shape, values, &data, 1, &shown);
    ck_assert_msg(predicates == data_cases[_i].predicates, "%s: %zu predicates", why, predicates);
    ck_assert_msg(shown == data_cases[_i].shown, "%s: %zu outcomes", why, shown);
    ptx_module_free(module);
}
END_TEST

// Of sizes (n) from 1 on, those at which a kernel decides as at none of 1, 32, 38, 40, 96 and 100.
static const struct {
    const char *why, *body;
    size_t count;
    int divisor, rest; // of n in the first of them; 0: anything
} size_cases[] = {
    {"nothing is decided", "ld.param.u32 %r1, [n]; st.global.u32 [%rd1], %r1;", 0, 0, 0},
    {"a remainder", "ld.param.u32 %r1, [n]; rem.u32 %r2, %r1, 37; setp.eq.s32 %p1, %r2, 5; @%p1 bra L; ret; L:", 1, 37,
     5},
    {"low bits", "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 31; setp.ne.s32 %p1, %r2, 16; @%p1 ret;", 1, 32, 16},
    {"a power of two", "ld.param.u32 %r1, [n]; popc.b32 %r2, %r1; setp.eq.s32 %p1, %r2, 2; @%p1 ret;", 0, 0, 0},
    {"all bits", "ld.param.u32 %r1, [n]; popc.b32 %r2, %r1; setp.eq.s32 %p1, %r2, 6; @%p1 ret;", 1, 0, 0},
    {"leading zeros", "ld.param.u32 %r1, [n]; clz.b32 %r2, %r1; setp.eq.s32 %p1, %r2, 28; @%p1 ret;", 1, 0, 0},
    {"both outcomes were seen", "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 0; @%p1 ret;", 0, 0,
     0},
    {"one value", "ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 77; @%p1 ret;", 1, 1000, 77},
    {"a number that is chosen", "ld.param.u32 %r1, [n]; bfe.u32 %r4, %r1, 4, 1; st.global.u32 [%rd1], %r4;", 1, 0, 0},
    {"two comparisons as at no size, by branches",
     "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 1; shl.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r2, 1; @%p1 bra L; ret; "
     "L: setp.lt.u32 %p2, %r3, 13; @%p2 bra M; st.global.u32 [%rd1], %r1; M: ret;",
     1, 2, 1},
    {"an element of a table",
     "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 31; cvt.u64.u32 %rd2, %r2; mov.u64 %rd3, odd; add.s64 %rd4, %rd2, %rd3; "
     "ld.const.u8 %r5, [%rd4]; add.s32 %r3, %r1, %r5; st.global.u32 [%rd1], %r3;",
     1, 32, 21},
    {"a number as a float",
     "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 31; cvt.rn.f32.u32 %f1, %r2; setp.eq.f32 %p1, %f1, 0f41A80000; @%p1 "
     "ret;",
     1, 32, 21},
    {"… and back",
     "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 31; cvt.rn.f32.u32 %f1, %r2; mul.f32 %f2, %f1, 0f3F000000; "
     "cvt.rzi.s32.f32 %r3, %f2; setp.eq.s32 %p1, %r3, 15; @%p1 ret;",
     1, 0, 0},
    {"a quotient of floats",
     "ld.param.u32 %r1, [n]; cvt.rn.f32.u32 %f1, %r1; div.rn.f32 %f2, %f1, 0f42140000; cvt.rmi.f32.f32 %f3, %f2; "
     "sub.f32 %f4, %f2, %f3; setp.lt.f32 %p1, %f4, 0f3C23D70A; @%p1 ret;",
     1, 37, 0},
    {"what a function decides that is called",
     "ld.param.u32 %r1, [n]; " CALL("%r1", "%r2") "st.global.u32 [%rd1], %r2;", 1, 37, 5},
    {"… or what it gives back",
     "ld.param.u32 %r1, [n]; and.b32 %r3, %r1, 31; " CALL("%r3", "%r2") "setp.eq.s32 %p1, %r2, 4; @%p1 ret;", 1, 0, 0},
    {"the case of a switch",
     "ld.param.u32 %r1, [n]; and.b32 %r2, %r1, 31; brx.idx %r2, cases; cases: .branchtargets A, A, A, A, A, A, A, A, "
     "A, "
     "A, A, A, A, A, A, A, A, A, A, A, A, B, A, A, A, A, A, A, A, A, A, A; B: st.global.u32 [%rd1], %r1; A: ret;",
     1, 32, 21},
    {"with a number of the launch, once where 32 divides n",
     "mov.u32 %r1, %nctaid.x; and.b32 %r2, %r1, 7; setp.eq.s32 %p1, %r2, 5; @%p1 ret;", 2, 0, 0},
    {"a bound that is met", "ld.param.u32 %r1, [n]; setp.gt.u32 %p1, %r1, 63; @%p1 ret;", 1, 1000, 63},
    {"a product that is divided, and n is not",
     "ld.param.u32 %r1, [n]; mul.lo.u32 %r2, %r1, %r1; and.b32 %r3, %r2, 255; setp.eq.s32 %p1, %r3, 0; @%p1 ret;", 1,
     32, 16},
};

START_TEST(sizes_that_decide_as_no_other)
{
    enum { OWN = 6, ALL = 206 };
    static const uint64_t own[OWN] = {1, 32, 38, 40, 96, 100}; // 1, 1, 2, 2, 3 and 4 blocks
    const struct launch_shape shape = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct deduction_at sizes[ALL];
    uint64_t values[ALL][2];
    size_t picked[MOST];
    bool by_predicate[MOST];
    struct ptx_module *module;
    const struct ptx_function *entry = read_kernel(size_cases[_i].why, size_cases[_i].body, &module);
    for (size_t i = 0; i < ALL; i++) {
        values[i][0] = i < OWN ? own[i] : i - OWN + 1;
        values[i][1] = UINT64_C(1) << 36;
        sizes[i] = (struct deduction_at){.grid = {(uint32_t)(values[i][0] + 31) / 32, 1, 1}, .params = values[i]};
    }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t count = decisions_new(entry, &shape, sizes, OWN, ALL, seed, picked, by_predicate, MOST);
        ck_assert_msg(count == size_cases[_i].count, "%s: %zu sizes", size_cases[_i].why, count);
        for (size_t i = 0; i < count && size_cases[_i].divisor; i++)
            ck_assert_uint_eq(values[picked[i]][0] % (uint64_t)size_cases[_i].divisor, (uint64_t)size_cases[_i].rest);
    }
    ptx_module_free(module);
}
END_TEST

START_TEST(sizes_whose_grid_is_divided_as_no_other)
{
    enum { OWN = 2, ALL = 9 };
    const struct launch_shape shape = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct deduction_at sizes[ALL];
    uint64_t values[] = {7, UINT64_C(1) << 36};
    struct ptx_module *module;
    const struct ptx_function *entry = read_kernel("no choice", "ret;", &module);
    for (uint32_t i = 0; i < ALL; i++)
        sizes[i] = (struct deduction_at){.grid = {1, i < OWN ? 4 * i + 1 : i, 1}, .params = values}; // 1, 5; 2 … 8
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t picked[MOST];
        bool by_predicate[MOST];
        uint32_t fours = 1 << 1, threes = 1 << 1 | 1 << 2;
        size_t count = decisions_new(entry, &shape, sizes, OWN, ALL, seed, picked, by_predicate, 3);
        for (size_t i = 0; i < count; i++) {
            fours |= 1u << sizes[picked[i]].grid[1] % 4;
            threes |= 1u << sizes[picked[i]].grid[1] % 3;
        }
        ck_assert_uint_eq(fours, 15);
        ck_assert_uint_eq(threes, 7);
    }
    ptx_module_free(module);
}
END_TEST

START_TEST(sizes_that_powers_of_two_divide_as_no_other)
{
    enum { OWN = 3, ALL = 43 };
    static const uint64_t own[OWN] = {5, 6, 16}; // powers 0, 1 and 4
    const struct launch_shape shape = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct deduction_at sizes[ALL];
    uint64_t values[ALL][2];
    struct ptx_module *module;
    const struct ptx_function *entry = read_kernel("no choice", "ret;", &module);
    for (size_t i = 0; i < ALL; i++) {
        values[i][0] = i < OWN ? own[i] : i - OWN + 1;
        values[i][1] = UINT64_C(1) << 36;
        sizes[i] = (struct deduction_at){.grid = {1, 1, 1}, .params = values[i]};
    }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t picked[MOST];
        bool by_predicate[MOST];
        unsigned powers = 0;
        size_t count = decisions_new(entry, &shape, sizes, OWN, ALL, seed, picked, by_predicate, 3);
        ck_assert_uint_eq(count, 2);
        for (size_t i = 0; i < count; i++)
            powers |= 1u << __builtin_ctzll(values[picked[i]][0]);
        ck_assert_uint_eq(powers, 1 << 2 | 1 << 3);
    }
    ptx_module_free(module);
}
END_TEST

Suite *suite_decisions(void)
{
    Suite *suite = suite_create("decisions");
    TCase *tests = tcase_create("rare");
    tcase_add_loop_test(tests, blocks_that_decide_as_few_do, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, a_block_that_is_named_is_found);
    tcase_add_loop_test(tests, predicates_that_follow_from_data, 0, (int)(sizeof data_cases / sizeof *data_cases));
    tcase_add_loop_test(tests, sizes_that_decide_as_no_other, 0, (int)(sizeof size_cases / sizeof *size_cases));
    tcase_add_test(tests, sizes_whose_grid_is_divided_as_no_other);
    tcase_add_test(tests, sizes_that_powers_of_two_divide_as_no_other);
    suite_add_tcase(suite, tests);
    return suite;
}
