// What is worked out without running anything is what the machine makes of it: one instruction at a time, of every type
// that it has, on edges and on random numbers.
#include <check.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"
#include "base/random.h"
#include "base/text.h"
#include "model/deduction.h"
#include "ptx/arithmetic.h"

Suite *suite_deduction(void);

#define INTS "u16 s16 u32 s32 u64 s64"
#define SMALLER "u8 s8 u16 s16 u32 s32 u64 s64"

// T: each of the types; A, B, C: registers of that size, with the inputs; D: the one that is written. %f10 … hold
// inputs as f32, %h10 … their low halves, %p10 … whether they are odd.
static const struct {
    const char *inst, *types;
} rows[] = {
    {"add.T D, A, B", INTS " f32"},
    {"sub.T D, A, B", INTS " f32"},
    {"mul.lo.T D, A, B", INTS},
    {"mul.hi.T D, A, B", INTS},
    {"mul.wide.T %r20, A, B", "u16 s16"},
    {"mul.wide.T %rd20, A, B", "u32 s32"},
    {"mad.lo.T D, A, B, C", INTS},
    {"mad.hi.T D, A, B, C", INTS},
    {"mad.wide.T %r20, A, B, %r12", "u16 s16"},
    {"mad.wide.T %rd20, A, B, %rd12", "u32 s32"},
    {"div.T D, A, B", INTS},
    {"rem.T D, A, B", INTS},
    {"neg.T D, A", "s16 s32 s64 f32"},
    {"abs.T D, A", "s16 s32 s64 f32"},
    {"min.T D, A, B", INTS " f32"},
    {"max.T D, A, B", INTS " f32"},
    {"min.relu.T D, A, B", "s32"},
    {"max.relu.T D, A, B", "s32"},
    {"and.T D, A, B", "b16 b32 b64 pred"},
    {"or.T D, A, B", "b16 b32 b64 pred"},
    {"xor.T D, A, B", "b16 b32 b64 pred"},
    {"not.T D, A", "b16 b32 b64 pred"},
    {"shl.T D, A, %r11", "b16 b32 b64"},
    {"shr.T D, A, %r11", INTS " b16 b32 b64"},
    {"shf.l.clamp.b32 %r20, %r10, %r11, %r12", "b32"},
    {"shf.r.clamp.b32 %r20, %r10, %r11, %r12", "b32"},
    {"shf.l.wrap.b32 %r20, %r10, %r11, %r12", "b32"},
    {"shf.r.wrap.b32 %r20, %r10, %r11, %r12", "b32"},
    {"bfe.T D, A, %r11, %r12", "u32 s32 u64 s64"},
    {"popc.T %r20, A", "b32 b64"},
    {"clz.T %r20, A", "b32 b64"},
    {"lop3.b32 %r20, %r10, %r11, %r12, 0x6a", "b32"},
    {"selp.T D, A, B, %p12", INTS " f32"},
    {"selp.T D, A, B, !%p12", "b32"},
    {"setp.eq.T %p20, A, B", INTS " b16 b32 b64 f32"},
    {"setp.ne.T %p20, A, B", INTS " b16 b32 b64 f32"},
    {"setp.lt.T %p20, A, B", INTS " f32"},
    {"setp.le.T %p20, A, B", INTS " f32"},
    {"setp.gt.T %p20, A, B", INTS " f32"},
    {"setp.ge.T %p20, A, B", INTS " f32"},
    {"setp.lo.T %p20, A, B", "u16 u32 u64"},
    {"setp.ls.T %p20, A, B", "u16 u32 u64"},
    {"setp.hi.T %p20, A, B", "u16 u32 u64"},
    {"setp.hs.T %p20, A, B", "u16 u32 u64"},
    {"setp.equ.T %p20, A, B", "f32"},
    {"setp.ltu.T %p20, A, B", "f32"},
    {"setp.num.T %p20, A, B", "f32"},
    {"setp.nan.T %p20, A, B", "f32"},
    {"setp.lt.and.T %p20, A, B, %p12", "s32"},
    {"setp.lt.or.T %p20, A, B, !%p12", "s32"},
    {"setp.lt.xor.T %p20, A, B, %p12", "f32"},
    {"cvt.T.s8 %rd20, %h10", SMALLER},
    {"cvt.T.u8 %rd20, %h10", SMALLER},
    {"cvt.T.s16 %rd20, %h10", SMALLER},
    {"cvt.T.u32 %rd20, %r10", SMALLER},
    {"cvt.T.s32 %rd20, %r10", SMALLER},
    {"cvt.T.s64 %rd20, %rd10", SMALLER},
    {"cvt.s8.T %h20, A", INTS},
    {"cvt.rzi.T.f32 %rd20, %f10", SMALLER},
    {"cvt.rni.T.f32 %rd20, %f10", SMALLER},
    {"cvt.rmi.T.f32 %rd20, %f10", "s32 u32"},
    {"cvt.rpi.T.f32 %rd20, %f10", "s32 u32"},
    {"cvt.rzi.T.f16 %r20, %h10", "s16 u16 s32 u32"},
    {"cvt.rn.f32.T %f20, A", INTS},
    {"cvt.rni.f32.f32 %f20, %f10", "f32"},
    {"cvt.rzi.f32.f32 %f20, %f10", "f32"},
    {"cvt.f32.f32 %f20, %f10", "f32"},
    {"cvt.f32.f16 %f20, %h10", "f32"},
    {"mul.T D, A, B", "f32"},
    {"div.rn.T D, A, B", "f32"},
    {"rcp.rn.T D, A", "f32"},
    {"sqrt.rn.T D, A", "f32"},
    {"fma.rn.T D, A, B, C", "f32"},
    {"add.T D, A, 1.5", "f32"},
    {"mov.T D, A", INTS " f32 pred"},
    {"and.b32 %r50, %r10, 7; cvt.u64.u32 %rd30, %r50; mov.u64 %rd31, elements; add.s64 %rd32, %rd30, %rd31; "
     "ld.const.T %r20, [%rd32]",
     "u8 s8"},
};

static const char *register_class(const char *type)
{
    return type[0] == 'f' ? "%f" : type[0] == 'p' ? "%p" : type[1] == '1' ? "%h" : type[1] == '6' ? "%rd" : "%r";
}

static void put_instruction(struct text *text, const char *inst, const char *type)
{
    for (; *inst; inst++) {
        if (*inst == 'T')
            text_puts(text, type);
        else if (*inst == 'D')
            text_printf(text, "%s20", register_class(type));
        else if (*inst >= 'A' && *inst <= 'C')
            text_printf(text, "%s%d", register_class(type), 10 + (*inst - 'A'));
        else
            text_printf(text, "%c", *inst);
    }
    text_puts(text, ";\n");
}

// From the inputs in %rd10 to %rd12 to the result in %rd20.
static void put_middle(struct text *text, const char *inst, const char *type)
{
    struct text one = {0};
    put_instruction(&one, inst, type);
    for (int i = 10; i < 13; i++)
        text_printf(text,
                    "cvt.u32.u64 %%r%d, %%rd%d; cvt.u16.u64 %%h%d, %%rd%d; mov.b32 %%f%d, %%r%d;\n"
                    "and.b32 %%r%d, %%r%d, 1; setp.ne.u32 %%p%d, %%r%d, 0;\n",
                    i, i, i, i, i, i, i + 20, i, i, i + 20);
    text_puts(text, text_get(&one));
    const char *to = strstr(text_get(&one), "20");
    text_puts(text, to[-1] == 'h'   ? "cvt.u64.u16 %rd20, %h20;\n"
                    : to[-1] == 'r' ? "cvt.u64.u32 %rd20, %r20;\n"
                    : to[-1] == 'f' ? "mov.b32 %r20, %f20; cvt.u64.u32 %rd20, %r20;\n"
                    : to[-1] == 'p' ? "selp.u64 %rd20, 1, 0, %p20;\n"
                                    : "");
    text_free(&one);
}

enum { INPUTS = 500 };
#define ELEMENTS ".const .align 1 .b8 elements[8] = {0, 1, 127, 128, 255, 200, 3, 129};\n"

static void run_on_machine(const char *inst, const char *type, uint64_t in[][3], uint64_t *out)
{
    struct text body = {0};
    text_puts(&body, "mul.wide.u32 %rd4, %r2, 24; add.s64 %rd4, %rd4, %rd0; mul.wide.u32 %rd5, %r2, 8;\n"
                     "add.s64 %rd5, %rd5, %rd1; setp.ge.u32 %p1, %r2, %r0; @%p1 ret;\n"
                     "ld.global.u64 %rd10, [%rd4]; ld.global.u64 %rd11, [%rd4+8]; ld.global.u64 %rd12, [%rd4+16];\n");
    put_middle(&body, inst, type);
    text_puts(&body, "st.global.u64 [%rd5], %rd20;\n");
    struct kernel kernel = {.before = ELEMENTS,
                            .body = text_get(&body),
                            .grid = 1,
                            .block = (INPUTS + 31) / 32 * 32,
                            .n = INPUTS,
                            .in = in,
                            .in_size = INPUTS * sizeof *in,
                            .out = out,
                            .out_size = INPUTS * sizeof *out};
    ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s of %s: %s", inst, type, kernel.diagnostic.message);
    text_free(&body);
}

static size_t find_choice(const struct deduction *d, const struct ptx_function *entry, const char *name)
{
    size_t count;
    const struct deduction_choice *choices = deduction_choices(d, &count);
    for (size_t i = 0; i < count; i++)
        if (choices[i].reg < entry->register_count && strcmp(entry->registers[choices[i].reg].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static void deduce(const char *inst, const char *type, uint64_t in[][3], uint64_t *out)
{
    struct text text = {0};
    struct ptx_module *module;
    const struct ptx_function *entry;
    struct diagnostic diagnostic = {0};
    text_puts(&text, ".version 8.0\n.target sm_90\n.address_size 64\n" ELEMENTS
                     ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {\n"
                     ".reg .pred %p<32>; .reg .b16 %h<64>; .reg .b32 %r<64>; .reg .f32 %f<64>; .reg .b64 %rd<64>;\n"
                     "ld.param.u64 %rd10, [a]; ld.param.u64 %rd11, [b]; ld.param.u64 %rd12, [c];\n");
    put_middle(&text, inst, type);
    text_puts(&text, "cvt.u32.u64 %r40, %rd20; shr.u64 %rd40, %rd20, 32; cvt.u32.u64 %r41, %rd40;\n"
                     "st.global.u32 [%rd10], %r40; st.global.u32 [%rd10], %r41; ret;\n}\n");
    ck_assert_msg(ptx_parse("k", text_get(&text), text.length, &module, &diagnostic) == STATUS_OK, "%s of %s: %s", inst,
                  type, diagnostic.message);
    ck_assert(ptx_find_entry(module, NULL, &entry, &diagnostic) == STATUS_OK);
    const uint32_t block[] = {1, 1, 1};
    struct deduction_at at = {.grid = {1, 1, 1}, .params = in[0]};
    struct deduction *d = deduction_new(entry, block, 0, &at, DEDUCTION_BY_SIZE, NULL);
    size_t low = find_choice(d, entry, "%r40"), high = find_choice(d, entry, "%r41");
    ck_assert_msg(low != SIZE_MAX && high != SIZE_MAX, "%s of %s is not worked out", inst, type);
    for (int i = 0; i < INPUTS; i++) {
        at.params = in[i];
        deduction_work_out(d, &at);
        out[i] = deduction_value(d, high) << 32 | deduction_value(d, low);
    }
    deduction_free(d);
    ptx_module_free(module);
    text_free(&text);
}

static uint64_t draw_input(uint64_t *random)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     7,
                                     8,
                                     15,
                                     16,
                                     17,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     65,
                                     127,
                                     128,
                                     255,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     UINT64_MAX,
                                     0x3fc00000,
                                     0xc0200000,
                                     0x4f000000,
                                     0xcf000000,
                                     0x4f32d05e,
                                     0x5f800000,
                                     0x7f800000,
                                     0xff800000,
                                     0x7fc00000,
                                     0x3e00,
                                     0xc100,
                                     0x7c00,
                                     0x7e00,
                                     0x1234567890abcdef};
    uint64_t number = random_next(random);
    if (number % 3 == 0)
        return random_next(random);
    return number % 3 == 1 ? random_next(random) % 70 : edges[random_next(random) % (sizeof edges / sizeof *edges)];
}

// Floats are alike as numbers: which zero a smaller one is, and the bits of a NaN, are the machine's affair.
static bool is_same(bool is_float, uint64_t a, uint64_t b)
{
    float x = bits_f32(a), y = bits_f32(b);
    return a == b || (is_float && (x == y || (isnan(x) && isnan(y))));
}

START_TEST(what_is_worked_out_is_what_the_machine_makes)
{
    const char *inst = rows[_i].inst;
    uint64_t in[INPUTS][3], seen[INPUTS], deduced[INPUTS], random = 1 + (uint64_t)_i;
    for (int i = 0; i < INPUTS; i++)
        for (int j = 0; j < 3; j++)
            in[i][j] = draw_input(&random);
    for (const char *at = rows[_i].types; *at;) {
        char type[8] = "";
        size_t length = strcspn(at, " ");
        memcpy(type, at, length);
        at += length + (at[length] == ' ');
        bool is_float = strstr(inst, "%f20") || (type[0] == 'f' && strchr(inst, 'D'));
        run_on_machine(inst, type, in, seen);
        deduce(inst, type, in, deduced);
        for (int i = 0; i < INPUTS; i++)
            ck_assert_msg(is_same(is_float, seen[i], deduced[i]),
                          "%s of %s: of %#llx, %#llx and %#llx the machine makes %#llx, but %#llx is worked out", inst,
                          type, (unsigned long long)in[i][0], (unsigned long long)in[i][1],
                          (unsigned long long)in[i][2], (unsigned long long)seen[i], (unsigned long long)deduced[i]);
    }
}
END_TEST

Suite *suite_deduction(void)
{
    Suite *suite = suite_create("deduction");
    TCase *tests = tcase_create("instructions");
    tcase_add_loop_test(tests, what_is_worked_out_is_what_the_machine_makes, 0, (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(suite, tests);
    return suite;
}
