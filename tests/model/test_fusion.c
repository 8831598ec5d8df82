#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/fusion.h"

Suite *suite_fusion(void);

// The shared accesses of a body in order, each as a letter: '.' unchanged, 'x' gone, '2' or '4' words wide, with '-'
// and '+' in front when it starts below or above its own address.
static const struct {
    const char *why, *body, *plan;
} cases[] = {
    {"four words of an aligned window",
     "ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4]; ld.shared.f32 %f3, [s+8]; ld.shared.f32 %f4, [s+12];", "4xxx"},
    {"three of four words read one more",
     "ld.shared.f32 %f1, [s+4]; ld.shared.f32 %f2, [s+8]; ld.shared.f32 %f3, [s+12];", "-4xx"},
    {"two words of one half", "ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4];", "2x"},
    {"two words of different halves", "ld.shared.f32 %f1, [s+4]; ld.shared.f32 %f2, [s+8];", ".."},
    {"the second comes first", "ld.shared.f32 %f1, [s+12]; ld.shared.f32 %f2, [s+8];", "-2x"},
    {"a load repeated", "ld.shared.f32 %f1, [s+4]; ld.shared.f32 %f2, [s+4];", ".x"},
    {"a volatile load stays", "ld.volatile.shared.f32 %f1, [s]; ld.volatile.shared.f32 %f2, [s+4];", ".."},
    {"a store between fences", "ld.shared.f32 %f1, [s]; st.shared.f32 [s+64], %f1; ld.shared.f32 %f2, [s+4];", "..."},
    {"a barrier between fences", "ld.shared.f32 %f1, [s]; bar.sync 0; ld.shared.f32 %f2, [s+4];", ".."},
    {"a global store is no fence", "ld.shared.f32 %f1, [s]; st.global.f32 [%rd1], %f1; ld.shared.f32 %f2, [s+4];",
     "2x"},
    {"a branch fences",
     "ld.shared.f32 %f1, [s]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L; ld.shared.f32 %f2, [s+4]; L: ret;", ".."},
    {"a thread index times 16",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4];"
     "ld.shared.f32 %f3, [%r2+8];",
     "4xx"},
    {"a thread index times 8 proves halves only",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4];"
     "ld.shared.f32 %f3, [%r2+8];",
     "2x."},
    {"a thread index times 4 proves nothing",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4];", ".."},
    {"rows of 33 words",
     "mov.u32 %r1, %tid.y; mov.u32 %r3, s; mad.lo.s32 %r2, %r1, 132, %r3; ld.shared.f32 %f1, [%r2];"
     "ld.shared.f32 %f2, [%r2+4];",
     ".."},
    {"rows of 32 words and a bit mask",
     "mov.u32 %r1, %tid.y; mov.u32 %r3, s; mad.lo.s32 %r2, %r1, 128, %r3; and.b32 %r4, %r2, -16;"
     "ld.shared.f32 %f1, [%r4+8]; ld.shared.f32 %f2, [%r4+12];",
     "2x"},
    {"definitions meet",
     "mov.u32 %r2, 16; setp.eq.s32 %p1, %r1, 0; @%p1 bra L; mov.u32 %r2, 20; L: ld.shared.f32 %f1, [%r2];"
     "ld.shared.f32 %f2, [%r2+4];",
     ".."},
    {"a base written between is another base",
     "mov.u32 %r2, 16; ld.shared.f32 %f1, [%r2]; add.u32 %r2, %r2, 16; ld.shared.f32 %f2, [%r2+4];", ".."},
    {"different guards", "setp.eq.s32 %p1, %r1, 0; @%p1 ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4];", ".."},
    {"the same guard", "setp.eq.s32 %p1, %r1, 0; @%p1 ld.shared.f32 %f1, [s]; @%p1 ld.shared.f32 %f2, [s+4];", "2x"},
    {"stores fuse when whole",
     "st.shared.f32 [s], %f1; st.shared.f32 [s+4], %f1; st.shared.f32 [s+8], %f1; st.shared.f32 [s+12], %f1;", "xxx-4"},
    {"three stores fuse as two and one", "st.shared.f32 [s], %f1; st.shared.f32 [s+4], %f1; st.shared.f32 [s+8], %f1;",
     "x-2."},
    {"two stores of 8 bytes", "st.shared.v2.f32 [s], {%f1, %f2}; st.shared.v2.f32 [s+8], {%f1, %f2};", "x-4"},
    {"the upper one first", "st.shared.v2.f32 [s+8], {%f1, %f2}; st.shared.v2.f32 [s], {%f1, %f2};", "x4"},
    {"two stores of 8 bytes in different windows",
     "st.shared.v2.f32 [s+8], {%f1, %f2}; st.shared.v2.f32 [s+16], {%f1, %f2};", ".."},
    {"8 bytes among words", "st.shared.f32 [s+4], %f1; st.shared.v2.f32 [s+8], {%f1, %f2}; st.shared.f32 [s], %f1;",
     "xx4"},
    {"8 bytes and one word", "st.shared.v2.f32 [s], {%f1, %f2}; st.shared.f32 [s+8], %f1;", ".."},
    {"a word within 8 bytes", "st.shared.v2.f32 [s], {%f1, %f2}; st.shared.f32 [s+4], %f1;", ".."},
    {"doubles side by side",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; st.shared.b64 [%r2], %rd1; st.shared.b64 [%r2+8], %rd1;", "x-4"},
    {"doubles side by side at a multiple of 8",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 3; st.shared.b64 [%r2], %rd1; st.shared.b64 [%r2+8], %rd1;", ".."},
    {"half words", "st.shared.u16 [s], %rs1; st.shared.u16 [s+2], %rs1;", "x-1"},
    {"eight half words",
     "st.shared.u16 [s], %rs1; st.shared.u16 [s+2], %rs1; st.shared.u16 [s+4], %rs1; st.shared.u16 [s+6], %rs1;"
     "st.shared.u16 [s+8], %rs1; st.shared.u16 [s+10], %rs1; st.shared.u16 [s+12], %rs1; st.shared.u16 [s+14], %rs1;",
     "xxx-2xxx-2"},
    {"bytes", "st.shared.u8 [s], %rs1; st.shared.u8 [s+1], %rs1; st.shared.u16 [s+2], %rs1;", "..."},
    {"a load between stores fences", "st.shared.f32 [s], %f1; ld.shared.f32 %f2, [s+64]; st.shared.f32 [s+4], %f1;",
     "..."},
    {"a store through another base fences",
     "st.shared.f32 [s], %f1; st.shared.f32 [%r1], %f1; st.shared.f32 [s+4], %f1;", "..."},
    {"a place stored twice stays", "st.shared.f32 [s], %f1; st.shared.f32 [s], %f2; st.shared.f32 [s+4], %f1;", "..."},
    {"vectors and scalars", "ld.shared.v2.f32 {%f1, %f2}, [s]; ld.shared.f32 %f3, [s+8];", "4x"},
    {"bytes keep their window apart", "ld.shared.u8 %rs1, [s]; ld.shared.f32 %f1, [s+8]; ld.shared.f32 %f2, [s+12];",
     "..."},
    {"generic addresses stay", "ld.f32 %f1, [%rd1]; ld.f32 %f2, [%rd1+4];", ""},
    {"an array by itself starts at a multiple of 16", "ld.shared.f32 %f1, [t]; ld.shared.f32 %f2, [t+4];", "2x"},
    {"a second array starts where the first ends",
     "ld.shared.f32 %f1, [t]; ld.shared.f32 %f2, [t+4]; ld.shared.f32 %f3, [s];", "..."},
    {"variables are one base", "ld.shared.f32 %f1, [s+128]; ld.shared.f32 %f2, [t];", "2x"},
    {"a variable's address in a register is that base",
     "mov.u32 %r2, t; ld.shared.f32 %f1, [s+128]; ld.shared.f32 %f2, [%r2];", "2x"},
    {"a base by two names",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; add.s32 %r3, %r2, -32; add.s32 %r4, %r3, 8; ld.shared.f32 %f1, "
     "[%r3+32];"
     "ld.shared.f32 %f2, [%r4+28];",
     "2x"},
    {"a name whose base was written since",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; add.s32 %r3, %r2, 16; shl.b32 %r2, %r1, 5; ld.shared.f32 %f1, [%r2+16];"
     "ld.shared.f32 %f2, [%r3+4];",
     ".."},
    {"loads pass atomics of global memory",
     "ld.shared.u32 %r1, [s]; atom.global.add.u32 %r2, [%rd1], %r1; ld.shared.u32 %r3, [s+4];", "2x"},
    {"one word of a vector",
     "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [s]; add.f32 %f5, %f3, %f3; st.global.f32 [%rd1], %f5;", "+1"},
    {"its first half", "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [s]; add.f32 %f5, %f1, %f2;", "2"},
    {"its second half", "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [s]; add.f32 %f5, %f3, %f4;", "+2"},
    {"two words that are no half", "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [s]; add.f32 %f5, %f2, %f3;", "+1t"},
    {"three words", "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [s]; add.f32 %f5, %f2, %f3; add.f32 %f5, %f5, %f4;", "."},
    {"the second of two long words", "ld.shared.v2.b64 {%rd2, %rd3}, [s]; st.global.b64 [%rd1], %rd3;", "+2"},
    {"a word of halves", "ld.shared.v4.u16 {%rs0, %rs1, %rs2, %rs3}, [s]; add.u16 %rs0, %rs2, %rs3;", "+1"},
    {"halves that are no word", "ld.shared.v4.u16 {%rs0, %rs1, %rs2, %rs3}, [s]; add.u16 %rs0, %rs1, %rs2;", "."},
    {"all of a volatile vector", "ld.volatile.shared.v2.f32 {%f1, %f2}, [s]; add.f32 %f5, %f2, %f2;", "."},
    {"and not those that acquire",
     "ld.shared.u32 %r1, [s]; atom.acquire.gpu.global.add.u32 %r2, [%rd1], %r1; ld.shared.u32 %r3, [s+4];", ".."},
};

static char letter(const struct fusion_entry *entry)
{
    return entry->action == FUSION_AWAY        ? 'x'
           : entry->action == FUSION_UNCHANGED ? '.'
                                               : (char)('0' + entry->bytes / 4);
}

START_TEST(plans_what_ptxas_does)
{
    struct text text = {0}, got = {0};
    struct ptx_module *module;
    struct diagnostic diagnostic;
    text_printf(
        &text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<4>; .reg .b16 %%rs<4>; "
        ".reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b64 %%rd<4>;\n.shared .align 4 .b8 s[132];\n"
        ".shared .align 4 .b8 t[64];\n%s\nret;\n}\n",
        cases[_i].body);
    enum status status = ptx_parse("k", text_get(&text), text.length, &module, &diagnostic);
    ck_assert_msg(!status, "%s: %s", cases[_i].why, status ? diagnostic.message : "");
    const struct ptx_function *function;
    ck_assert_int_eq(ptx_find_entry(module, NULL, &function, &diagnostic), STATUS_OK);
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(function, arena);
    struct fusion_entry *plan = fusion_plan(function, &layout);
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        if ((inst->op == PTX_OP_LD || inst->op == PTX_OP_ST) && inst->space == PTX_SHARED)
            text_printf(&got, "%s%c%s",
                        plan[i].delta < 0   ? "-"
                        : plan[i].delta > 0 ? "+"
                                            : "",
                        letter(&plan[i]), plan[i].twice ? "t" : "");
    }
    ck_assert_msg(!strcmp(text_get(&got), cases[_i].plan), "%s: %s, not %s", cases[_i].why, text_get(&got),
                  cases[_i].plan);
    free(plan);
    arena_free(arena);
    ptx_module_free(module);
    text_free(&text);
    text_free(&got);
}
END_TEST

Suite *suite_fusion(void)
{
    Suite *suite = suite_create("fusion");
    TCase *tests = tcase_create("fusion");
    tcase_add_loop_test(tests, plans_what_ptxas_does, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return suite;
}
