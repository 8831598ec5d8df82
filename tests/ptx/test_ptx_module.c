// What a parsed module holds: operands, data, tables, places, blocks, layout.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_module(void);

#define HEAD ".version 8.0\n.target sm_90a\n.address_size 64\n"

static const struct ptx_function *kernel(const struct ptx_module *module)
{
    const struct ptx_function *entry;
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, NULL), STATUS_OK);
    return entry;
}

static const struct ptx_operand *operand(const struct ptx_function *function, uint32_t inst, unsigned number)
{
    ck_assert_uint_lt(inst, function->inst_count);
    ck_assert_uint_lt(number, function->insts[inst].operand_count);
    return &function->operands[function->insts[inst].operands + number];
}

// ---- operands

#define REGISTERS                                                                                                      \
    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>, q; .reg .v4 .f32 v;\n.shared .b32 s[8];\n"

static const struct {
    const char *text;
    enum ptx_operand_kind kind;
    uint64_t bits;
} literals[] = {
    {"mov.u32 %r1, 0x10;", PTX_OPERAND_INTEGER, 16},
    {"mov.u32 %r1, -1;", PTX_OPERAND_INTEGER, UINT64_MAX},
    {"mov.u32 %r1, 2+3*4;", PTX_OPERAND_INTEGER, 14},
    {"mov.u32 %r1, (2+3)*4;", PTX_OPERAND_INTEGER, 20},
    {"mov.u32 %r1, 7/2 % 2;", PTX_OPERAND_INTEGER, 1},
    {"mov.u32 %r1, -7/2;", PTX_OPERAND_INTEGER, (uint64_t)-3},
    {"mov.u32 %r1, -9223372036854775807-1;", PTX_OPERAND_INTEGER, UINT64_C(1) << 63},
    {"mov.u32 %r1, (-9223372036854775807-1)/-1;", PTX_OPERAND_INTEGER, UINT64_C(1) << 63},
    {"mov.u32 %r1, (-9223372036854775807-1) % -1;", PTX_OPERAND_INTEGER, 0},
    {"mov.u32 %r1, -8>>1;", PTX_OPERAND_INTEGER, (uint64_t)-4},
    {"mov.u32 %r1, 1<<65;", PTX_OPERAND_INTEGER, 0},
    {"mov.u32 %r1, -1>>70;", PTX_OPERAND_INTEGER, UINT64_MAX},
    {"mov.u32 %r1, 0xffffffffffffffffU>>60;", PTX_OPERAND_INTEGER, 15},
    {"mov.u32 %r1, 5&3|8^1;", PTX_OPERAND_INTEGER, 9},
    {"mov.u32 %r1, 7U/2U;", PTX_OPERAND_INTEGER, 3},
    {"mov.u32 %r1, 7U % 4U;", PTX_OPERAND_INTEGER, 3},
    {"mov.u32 %r1, 0 ? 1 : 0 ? 2 : 3;", PTX_OPERAND_INTEGER, 3},
    {"mov.u32 %r1, ~0;", PTX_OPERAND_INTEGER, UINT64_MAX},
    {"mov.u32 %r1, !5;", PTX_OPERAND_INTEGER, 0},
    {"mov.u32 %r1, 3>2 && 2>=2 && 1<2 && 2<=2 && 1==1 && 1!=2;", PTX_OPERAND_INTEGER, 1},
    {"mov.u32 %r1, 0||0;", PTX_OPERAND_INTEGER, 0},
    {"mov.u32 %r1, -1 < 0 ? 7 : 8;", PTX_OPERAND_INTEGER, 7},
    {"mov.u32 %r1, -1 < 0U ? 7 : 8;", PTX_OPERAND_INTEGER, 8},
    {"mov.u32 %r1, (.u64)-1 < 0 ? 7 : 8;", PTX_OPERAND_INTEGER, 8},
    {"mov.u32 %r1, (.s64)0xffffffffffffffff < 0;", PTX_OPERAND_INTEGER, 1},
    {"mov.f32 %f1, 0f3F800000;", PTX_OPERAND_FLOAT, 0x3f800000},
    {"mov.f32 %f1, -0f3F800000;", PTX_OPERAND_FLOAT, 0xbf800000},
    {"mov.f32 %f1, 1.5;", PTX_OPERAND_FLOAT, UINT64_C(0x3ff8000000000000)},
    {"mov.f32 %f1, -1.5;", PTX_OPERAND_FLOAT, UINT64_C(0xbff8000000000000)},
};

START_TEST(a_constant_has_its_value)
{
    struct text body = {0};
    text_puts(&body, REGISTERS);
    text_puts(&body, literals[_i].text);
    struct ptx_module *module = ptx_parse_in_kernel(text_get(&body));
    const struct ptx_function *function = kernel(module);
    const struct ptx_operand *value = operand(function, 0, 1);
    ck_assert_int_eq(value->kind, literals[_i].kind);
    ck_assert_msg(value->value.bits == literals[_i].bits, "%llx", (unsigned long long)value->value.bits);
    ck_assert_int_eq(value->is_single, strstr(literals[_i].text, "0f") != NULL);
    ptx_module_free(module);
    text_free(&body);
}
END_TEST

START_TEST(every_form_of_operand_is_kept)
{
    struct ptx_module *module = ptx_parse_in_kernel(REGISTERS "@!%p1 ld.shared.v4.f32 {%f1, _, %f2, v.y}, [s+8];\n"
                                                              "setp.lt.and.s32 %p2|%p3, %r1, -5, !q;\n"
                                                              "shfl.sync.idx.b32 _|%p4, %r1, %r2, 31, -1;\n"
                                                              "elect.sync %r1|_, 0xffffffff;\n"
                                                              "mov.u32 %r3, %ctaid.z;\n"
                                                              "mov.b32 %r3, %envreg12;\n"
                                                              "mov.u64 %rd1, s+4;\n"
                                                              "mov.u64 %rd1, k;\n"
                                                              "ld.global.u32 %r1, [%rd1+-4-8];\n"
                                                              "ld.shared.u32 %r1, [16];\n"
                                                              "vadd.u32.u32.u32 %r1, %r2.b1, %r3.h1;\n"
                                                              "mov.u32 %r1, WARP_SZ;\n");
    const struct ptx_function *f = kernel(module);
    const struct ptx_operand *o = operand(f, 0, 0);
    ck_assert_int_eq(f->insts[0].guard_negated, true);
    ck_assert_str_eq(f->registers[f->insts[0].guard].name, "%p1");
    ck_assert_int_eq(f->insts[0].vector, 4);
    ck_assert_int_eq(o->kind, PTX_OPERAND_VECTOR);
    ck_assert_uint_eq(o->value.vector.count, 4);
    ck_assert_int_eq(f->operands[o->value.vector.first + 1].kind, PTX_OPERAND_NONE);
    ck_assert_int_eq(f->operands[o->value.vector.first + 3].element, 2);
    o = operand(f, 0, 1);
    ck_assert_int_eq(o->kind, PTX_OPERAND_ADDRESS);
    ck_assert_int_eq(o->base_kind, PTX_OPERAND_VARIABLE);
    ck_assert_ptr_eq(o->value.variable, f->variables[0]);
    ck_assert_int_eq(o->offset, 8);
    ck_assert_str_eq(f->registers[operand(f, 1, 0)->pair_reg].name, "%p3");
    ck_assert_int_eq(operand(f, 1, 3)->negated, true);
    ck_assert_int_eq(operand(f, 2, 0)->kind, PTX_OPERAND_NONE);
    ck_assert_str_eq(f->registers[operand(f, 2, 0)->pair_reg].name, "%p4");
    ck_assert_int_eq(operand(f, 3, 0)->pair_reg, -1);
    ck_assert_int_eq(operand(f, 4, 1)->value.special, PTX_SPECIAL_CTAID);
    ck_assert_int_eq(operand(f, 4, 1)->element, 3);
    ck_assert_int_eq(operand(f, 5, 1)->value.special, PTX_SPECIAL_ENVREG);
    ck_assert_int_eq(operand(f, 5, 1)->element, 12);
    ck_assert_int_eq(operand(f, 6, 1)->kind, PTX_OPERAND_VARIABLE);
    ck_assert_int_eq(operand(f, 6, 1)->offset, 4);
    ck_assert_int_eq(operand(f, 7, 1)->kind, PTX_OPERAND_FUNCTION);
    ck_assert_int_eq(operand(f, 8, 1)->offset, -12);
    ck_assert_int_eq(operand(f, 9, 1)->base_kind, PTX_OPERAND_NONE);
    ck_assert_int_eq(operand(f, 9, 1)->offset, 16);
    ck_assert_uint_eq(operand(f, 10, 1)->selector, 1 | 1 << PTX_SELECTOR_COUNT);
    ck_assert_uint_eq(operand(f, 10, 2)->selector, 1 | 1 << PTX_SELECTOR_COUNT | PTX_SELECTOR_HALVES);
    ck_assert_int_eq(operand(f, 11, 1)->kind, PTX_OPERAND_INTEGER);
    ck_assert_uint_eq(operand(f, 11, 1)->value.bits, 32);
    ptx_module_free(module);
}
END_TEST

START_TEST(words_of_an_instruction_are_sorted_out)
{
    struct ptx_module *module = ptx_parse_in_kernel(
        REGISTERS "cp.async.ca.shared::cta.global.L2::128B [%r1], [%rd1], 16, %r2;\n"
                  "cvt.rn.satfinite.relu.f16x2.f32 %r1, %f1, %f2;\n"
                  "st.param::func.v2.b32 [s], {%r1, %r2};\n"
                  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];\n"
                  "bar.sync 0;\nlop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x3f, %p2;\n");
    const struct ptx_function *f = kernel(module);
    ck_assert_int_eq(f->insts[0].op, PTX_OP_CP_ASYNC);
    ck_assert_int_eq(f->insts[0].space, PTX_SHARED);
    ck_assert_int_eq(f->insts[0].space2, PTX_GLOBAL);
    ck_assert(ptx_has(&f->insts[0], PTX_MOD_CA) && ptx_has(&f->insts[0], PTX_MOD_L2__128B));
    ck_assert(!ptx_has(&f->insts[0], PTX_MOD_CG));
    ck_assert_uint_eq(f->insts[1].type_count, 2);
    ck_assert_int_eq(f->insts[1].types[0], PTX_F16X2);
    ck_assert_int_eq(f->insts[1].types[1], PTX_F32);
    ck_assert_uint_eq(f->insts[1].modifier_count, 3);
    ck_assert_int_eq(f->insts[2].space, PTX_PARAM);
    ck_assert(ptx_has(&f->insts[2], PTX_MOD_PARAM__FUNC));
    ck_assert_int_eq(f->insts[3].op, PTX_OP_CP_ASYNC_BULK);
    ck_assert_int_eq(f->insts[3].space, PTX_SHARED_CLUSTER);
    ck_assert_int_eq(f->insts[4].op, PTX_OP_BAR_SYNC);
    ck_assert(!f->insts[4].has_space);
    ck_assert_uint_eq(f->insts[5].operand_count, 6);
    ptx_module_free(module);
}
END_TEST

// ---- scopes

START_TEST(scopes_have_their_own_names)
{
    struct ptx_module *module = ptx_parse_in_kernel(".reg .b32 %r<4>, x; .reg .pred p;\n"
                                                    "mov.u32 %r1, 1;\n"
                                                    "{ .reg .b32 %r<4>; .reg .b64 x;\n"
                                                    "  mov.u32 %r1, 2; mov.u64 x, 3;\n"
                                                    "  L: @p bra DONE; bra L; DONE: }\n"
                                                    "{ L: @p bra DONE; { bra L; } DONE: }\n"
                                                    "mov.u32 %r1, x;\n");
    const struct ptx_function *f = kernel(module);
    ck_assert_uint_ne(operand(f, 0, 0)->value.reg, operand(f, 1, 0)->value.reg);
    ck_assert_uint_eq(operand(f, 0, 0)->value.reg, operand(f, 7, 0)->value.reg);
    ck_assert_int_eq(f->registers[operand(f, 2, 0)->value.reg].type, PTX_B64);
    ck_assert_int_eq(f->registers[operand(f, 7, 1)->value.reg].type, PTX_B32);
    ck_assert_uint_eq(operand(f, 3, 0)->value.target, 5); // the first DONE
    ck_assert_uint_eq(operand(f, 4, 0)->value.target, 3); // the first L
    ck_assert_uint_eq(operand(f, 5, 0)->value.target, 7);
    ck_assert_uint_eq(operand(f, 6, 0)->value.target, 5);
    ptx_module_free(module);
}
END_TEST

START_TEST(a_register_first_named_in_an_inner_scope_is_the_outer_one)
{
    struct ptx_module *module =
        ptx_parse_in_kernel(".reg .b32 %r<4>;\n{ mov.u32 %r2, 1; }\n{ mov.u32 %r2, 2; }\nmov.u32 %r2, 3;");
    const struct ptx_function *f = kernel(module);
    ck_assert_uint_eq(f->register_count, 1);
    ck_assert_str_eq(f->registers[0].name, "%r2");
    ptx_module_free(module);
}
END_TEST

START_TEST(a_range_whose_name_ends_in_a_digit_is_told_apart)
{
    struct ptx_module *module =
        ptx_parse_in_kernel(".reg .b32 %r<5>; .reg .b64 %r1<3>;\nmov.u32 %r4, 1;\nmov.u64 %r12, 1;");
    const struct ptx_function *f = kernel(module);
    ck_assert_int_eq(f->registers[operand(f, 0, 0)->value.reg].type, PTX_B32);
    ck_assert_int_eq(f->registers[operand(f, 1, 0)->value.reg].type, PTX_B64);
    ptx_module_free(module);
}
END_TEST

// ---- variables

START_TEST(initial_values_are_laid_out_in_bytes)
{
    static const struct {
        const char *name;
        uint64_t size;
        unsigned char bytes[16];
    } cases[] = {
        {"a", 4, {0x78, 0x56, 0x34, 0x12}},
        {"b", 8, {1, 0, 2, 0, 0, 0, 4, 0}},
        {"c", 3, {1, 2, 255}},
        {"d", 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
        {"e", 8, {0, 0, 0, 0, 0, 0, 0xf8, 0x3f}},
        {"f", 12, {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0, 0}},
        {"g", 4, {0, 0, 0x80, 0x3f}},
        {"h", 8, {0, 0, 0, 0, 0, 0, 0x14, 0x40}},
        {"v", 8, {1, 0, 0, 0, 2, 0, 0, 0}},
        {"w", 16, {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}},
        {"s", 1, {7}},
    };
    struct ptx_module *module = ptx_parse_good("t", HEAD ".global .u32 a = 0x12345678;\n"
                                                         ".const .u16 b[2][2] = {{1, 2}, {0, 4}};\n"
                                                         ".global .b8 c[] = {1, 2, -1};\n"
                                                         ".global .f32 d[2] = {1.0, 0fC0000000};\n"
                                                         ".global .f64 e = 1.5;\n"
                                                         ".global .u16 f[][2] = {{1, 2}, {3, 4}, {5}};\n"
                                                         ".global .b32 g = 0f3F800000;\n"
                                                         ".global .f64 h = 5;\n"
                                                         ".global .v2 .u32 v = {1, 2};\n"
                                                         ".global .v2 .u32 w[2] = {{1, 2}, {3}};\n"
                                                         ".global .b8 s = {7};\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ptx_variable *variable = ptx_find_variable(module, cases[i].name);
        ck_assert_ptr_nonnull(variable);
        ck_assert_msg(variable->size == cases[i].size, "size of %s: %llu", cases[i].name,
                      (unsigned long long)variable->size);
        ck_assert_msg(!memcmp(variable->data, cases[i].bytes, variable->size), "bytes of %s", cases[i].name);
    }
    ck_assert_uint_eq(ptx_find_variable(module, "v")->align, 8);
    ck_assert_ptr_null(ptx_find_variable(module, "nope"));
    ptx_module_free(module);
}
END_TEST

START_TEST(addresses_in_initial_values_are_kept)
{
    struct ptx_module *module = ptx_parse_good("t", HEAD ".global .u32 x[4];\n.func f() { ret; }\n"
                                                         ".global .u64 a[3] = {x, generic(x)+8, f};\n"
                                                         ".global .u8 m[3] = {0xff(x), 0xFF00(generic(x)+4), 9};\n"
                                                         ".global .u64 self = self;\n");
    const struct ptx_variable *x = ptx_find_variable(module, "x"), *a = ptx_find_variable(module, "a");
    const struct ptx_variable *m = ptx_find_variable(module, "m"), *self = ptx_find_variable(module, "self");
    ck_assert_uint_eq(a->initializer_count, 3);
    ck_assert_ptr_eq(a->initializers[0].variable, x);
    ck_assert_int_eq(a->initializers[0].generic, false);
    ck_assert_uint_eq(a->initializers[0].size, 8);
    ck_assert_uint_eq(a->initializers[1].offset, 8);
    ck_assert_int_eq(a->initializers[1].addend, 8);
    ck_assert_int_eq(a->initializers[1].generic, true);
    ck_assert_str_eq(a->initializers[2].function->name, "f");
    ck_assert_uint_eq(m->initializer_count, 2);
    ck_assert_uint_eq(m->initializers[0].size, 1);
    ck_assert_uint_eq(m->initializers[1].shift, 8);
    ck_assert_int_eq(m->initializers[1].addend, 4);
    ck_assert_uint_eq(m->initializers[1].offset, 1);
    ck_assert_uint_eq(m->data[2], 9);
    ck_assert_ptr_eq(self->initializers[0].variable, self);
    ptx_module_free(module);
}
END_TEST

START_TEST(an_external_variable_may_be_declared_again_and_defined)
{
    struct ptx_module *module = ptx_parse_good("t", HEAD ".extern .global .u32 x;\n.extern .global .u32 x;\n"
                                                         ".entry k() { .reg .b32 r; ld.global.u32 r, [x]; ret; }\n"
                                                         ".visible .global .u32 x = 3;\n");
    ck_assert_uint_eq(module->variable_count, 1);
    ck_assert_ptr_eq(operand(kernel(module), 0, 1)->value.variable, module->variables[0]);
    ck_assert_uint_eq(module->variables[0]->data[0], 3);
    ck_assert_int_eq(module->variables[0]->is_extern, false);
    ptx_module_free(module);
}
END_TEST

// ---- functions

START_TEST(parameters_are_laid_out_by_alignment)
{
    struct ptx_module *module = ptx_parse_good(
        "t", HEAD ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 c[12],\n"
                  ".param .u16 d, .param .v2 .f32 e)\n"
                  ".maxntid 128, 2\n.reqntid 32, 1, 1\n.minnctapersm 2 .maxnreg 64\n.explicitcluster\n"
                  ".reqnctapercluster 2, 1, 1\n.maxclusterrank 8\n{ ret; }\n");
    static const uint32_t offsets[] = {0, 8, 16, 28, 32};
    const struct ptx_function *f = kernel(module);
    ck_assert_uint_eq(f->param_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(f->params[i].offset, offsets[i]);
    ck_assert_uint_eq(f->param_size, 40);
    ck_assert_uint_eq(f->maxntid[0], 128);
    ck_assert_uint_eq(f->maxntid[1], 2);
    ck_assert_uint_eq(f->maxntid[2], 1);
    ck_assert_uint_eq(f->reqntid[0], 32);
    ck_assert_uint_eq(f->minnctapersm, 2);
    ck_assert_uint_eq(f->maxnreg, 64);
    ck_assert(f->explicit_cluster);
    ck_assert_uint_eq(f->reqnctapercluster[0], 2);
    ck_assert_uint_eq(f->maxclusterrank, 8);
    ck_assert_uint_eq(module->version, 80);
    ck_assert_uint_eq(module->sm, 90);
    ck_assert_int_eq(module->sm_suffix, 'a');
    ptx_module_free(module);
}
END_TEST

START_TEST(a_call_has_its_four_parts)
{
    struct ptx_module *module = ptx_parse_good(
        "t", HEAD ".func (.param .b32 r) f(.param .b64 a);\n.func g() .noreturn;\n"
                  ".entry k()\n{ .reg .b64 %rd<3>;\n"
                  "{ .param .b64 p0; .param .b32 r0; st.param.b64 [p0+0], %rd1; call.uni (r0), f, (p0); }\n"
                  "{ .param .align 16 .b8 p1[20]; .param .b64 p2; call g; }\n"
                  "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _) .noreturn;\n"
                  "T: .calltargets f, g;\n"
                  ".param .b32 r1;\n"
                  "call (r1), %rd1, (%rd2, 4), P;\ncall %rd1, (), T;\nret; }\n"
                  ".func (.param .b32 r) f(.param .b64 b) { ret; }\n");
    const struct ptx_function *k = kernel(module);
    for (uint32_t i = 1; i < 5; i++)
        ck_assert_uint_eq(k->insts[i].operand_count, 4);
    ck_assert_int_eq(operand(k, 1, 0)->kind, PTX_OPERAND_VECTOR);
    ck_assert_str_eq(k->operands[operand(k, 1, 0)->value.vector.first].value.variable->name, "r0");
    ck_assert_str_eq(operand(k, 1, 1)->value.function->name, "f");
    ck_assert(operand(k, 1, 1)->value.function->is_defined);
    ck_assert_int_eq(operand(k, 2, 0)->kind, PTX_OPERAND_NONE);
    ck_assert_int_eq(operand(k, 2, 2)->kind, PTX_OPERAND_NONE);
    ck_assert(operand(k, 2, 1)->value.function->is_noreturn);
    ck_assert_int_eq(operand(k, 3, 1)->kind, PTX_OPERAND_REGISTER);
    ck_assert_uint_eq(operand(k, 3, 2)->value.vector.count, 2);
    ck_assert_uint_eq(operand(k, 3, 3)->value.table->prototype->param_count, 2);
    ck_assert_uint_eq(operand(k, 3, 3)->value.table->prototype->param_size, 12);
    ck_assert(operand(k, 3, 3)->value.table->prototype->is_noreturn);
    ck_assert_uint_eq(operand(k, 4, 2)->value.vector.count, 0);
    ck_assert_uint_eq(operand(k, 4, 3)->value.table->count, 2);
    // p0 0..8, r0 8..12; then, in their place, p1 0..20, p2 24..32; r1 0..4
    ck_assert_uint_eq(k->variable_count, 5);
    ck_assert_uint_eq(k->variables[1]->offset, 8);
    ck_assert_uint_eq(k->variables[2]->offset, 0);
    ck_assert_uint_eq(k->variables[3]->offset, 24);
    ck_assert_uint_eq(k->variables[4]->offset, 0);
    ck_assert_uint_eq(k->call_param_size, 32);
    ptx_module_free(module);
}
END_TEST

START_TEST(attributes_without_meaning_here_are_passed_over)
{
    struct ptx_module *module = ptx_parse_good(
        "t", HEAD
        ".visible .entry k() .attribute(.unified(1, 2)) .abi_preserve 3 .local_maxnreg 4 .blocksareclusters\n"
        ".pragma \"x\" ; { ret; }\n.func .attribute(.y) f() { ret; }\n.func f();\n"
        ".entry b() { .extern .shared .b8 d[]; .global .u64 g = g; .const .u64 c = g; .reg .b64 r; .reg .b32 i;\n"
        "ld.global.u64 r, [g]; .global .u64 list[1] = {f}; call r, list; call r, P; P: .callprototype _; ret; }\n");
    const struct ptx_function *b = module->functions[2];
    ck_assert_ptr_eq(b->variables[1]->initializers[0].variable, b->variables[1]);
    ck_assert_ptr_eq(b->variables[2]->initializers[0].variable, b->variables[1]);
    ck_assert_int_eq(operand(b, 1, 3)->kind, PTX_OPERAND_VARIABLE);
    ck_assert_str_eq(operand(b, 2, 3)->value.table->prototype->name, "_");
    ptx_module_free(module);
}
END_TEST

START_TEST(the_end_of_a_string_may_be_counted)
{
    static const char text[] = HEAD ".entry k() { ret; }";
    struct ptx_module *module;
    ck_assert_int_eq(ptx_parse(NULL, text, sizeof text, &module, NULL), STATUS_OK);
    ck_assert_str_eq(module->name, "PTX");
    ptx_module_free(module);
    ck_assert_int_eq(ptx_parse("x", "nonsense", 8, &module, NULL), STATUS_PARSE);
    ck_assert_ptr_null(module);
    ptx_module_free(module);
}
END_TEST

START_TEST(names_may_be_long)
{
    struct text text = {0}, name = {0};
    for (int i = 0; i < 5000; i++)
        text_puts(&name, "n");
    text_printf(&text, HEAD ".entry %s() { ret; }", text_get(&name));
    struct ptx_module *module = ptx_parse_good("t", text_get(&text));
    ck_assert_str_eq(kernel(module)->name, text_get(&name));
    ptx_module_free(module);
    text_free(&text);
    text_free(&name);
}
END_TEST

START_TEST(functions_as_template_arguments_are_found_as_they_are_written)
{
    struct ptx_module *module = ptx_parse_good("t", HEAD ".entry _Z3deqILi3EXadL_Z4convPKviiR6float2EEEvPf() { ret; }\n"
                                                         ".entry _Z3appIXadL_ZN6traits5twiceEfEEEvPf() { ret; }\n");
    static const char *const names[][2] = {{"deq<3, conv>", "app<traits::twice>"},
                                           {"deq<3, &conv>", "app<&traits::twice>"},
                                           {"deq<3, &(conv(void const*, int, int, float2&))>", "app<& traits::twice>"}};
    const struct ptx_function *entry;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint32_t j = 0; j < 2; j++) {
            ck_assert_int_eq(ptx_find_entry(module, names[i][j], &entry, NULL), STATUS_OK);
            ck_assert_ptr_eq(entry, module->functions[j]);
        }
    ck_assert_int_eq(ptx_find_entry(module, "deq<3, &(conv", &entry, NULL), STATUS_USAGE);
    ptx_module_free(module);
}
END_TEST

START_TEST(kernels_in_namespaces_are_found_by_their_last_name)
{
    struct ptx_module *module = ptx_parse_good(
        "t", HEAD ".entry _ZN12_GLOBAL__N_16hiddenEPf() { ret; }\n.entry _ZN1a1b4kernILi3EEEvv() { ret; }\n"
                  ".entry _ZN1c4twinEv() { ret; }\n.entry _ZN1d4twinEv() { ret; }\n.func kern() { ret; }\n"
                  ".entry declared();\n.entry _Z3addPf() { ret; }\n.entry _Z3addPii() { ret; }\n");
    static const struct {
        const char *name;
        int index;
    } cases[] = {{"hidden", 0},         {"(anonymous namespace)::hidden", 0},
                 {"a::b::kern<3>", 1},  {"kern<3>", 1},
                 {"kern", 1},           {"a::b::kern", 1},
                 {"c::twin", 2},        {"twin", -1},
                 {"kern < 3 > ()", 1},  {"kern<4>", -1},
                 {"add", -1},           {"add(float*)", 6},
                 {"add(int *,int)", 7}, {"add(int)", -1},
                 {"declared", -1},      {"", -1}};
    const struct ptx_function *entry;
    struct diagnostic diagnostic;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum status status = ptx_find_entry(module, cases[i].name, &entry, &diagnostic);
        ck_assert_msg((status == STATUS_OK) == (cases[i].index >= 0), "%s", cases[i].name);
        ck_assert_ptr_eq(entry, cases[i].index >= 0 ? module->functions[cases[i].index] : NULL);
    }
    ck_assert_str_eq(diagnostic.message,
                     "there is no kernel ''; there are: (anonymous namespace)::hidden, a::b::kern<3>, "
                     "c::twin, d::twin, add(float*), add(int*, int)");
    ptx_module_free(module);
    module = ptx_parse_good("t", HEAD);
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_USAGE);
    ck_assert_str_eq(diagnostic.message, "there is no kernel (.entry) in t");
    ptx_module_free(module);
}
END_TEST

START_TEST(an_alias_takes_the_other_ones_body)
{
    struct ptx_module *module =
        ptx_parse_good("t", HEAD ".func a();\n.func b() { ret; }\n.alias a, b;\n.entry k() { call a; ret; }\n");
    const struct ptx_function *a = operand(kernel(module), 0, 1)->value.function;
    ck_assert_str_eq(a->name, "a");
    ck_assert(a->is_defined);
    ck_assert_uint_eq(a->inst_count, 1);
    ptx_module_free(module);
}
END_TEST

START_TEST(what_is_no_code_is_passed_over)
{
    struct ptx_module *module =
        ptx_parse_good("t", HEAD ".pragma \"a\", \"b\";\n.file 1 \"x.cu\", 3, 4\n.file 2 \"a\\\"b\\\\c\"\n"
                                 ".global .attribute(.managed) .u32 m;\n"
                                 ".weak .entry k() { .pragma \"nounroll\"; ; ret; }\n"
                                 ".section .debug_str { L: .b8 1,2 // }\n { } .b64 L+3 }\n");
    ck_assert_uint_eq(module->file_count, 3);
    ck_assert_ptr_null(module->files[0]);
    ck_assert_str_eq(module->files[2], "a\"b\\c");
    ptx_module_free(module);
}
END_TEST

// ---- places in the source

START_TEST(an_instruction_knows_its_line_through_inlining)
{
    struct ptx_module *module =
        ptx_parse_in_kernel(".reg .b32 %r<3>;\nmov.u32 %r1, 0;\n"
                            ".loc 1 10 5\nmov.u32 %r1, 1;\n"
                            ".loc 2 69 9, function_name L, inlined_at 1 12 3\nmov.u32 %r1, 2;\n"
                            ".loc 3 7 1, function_name L+4, inlined_at 2 69 9\nmov.u32 %r1, 3;\n"
                            ".loc 1 30 1, function_name L, inlined_at 1 40 1\nmov.u32 %r1, 4;\n"
                            ".loc 1 50 1\nmov.u32 %r1, 5;\n.loc 1 0 0\nmov.u32 %r1, 6;\n"
                            "ret;\n}\n.file 1 \"/a/kernel.cu\"\n.file 2 \"/h/helper.h\"\n"
                            ".file 3 \"deep.h\"\n.entry last() {\n.loc 9 1 1\nret;");
    static const struct {
        const char *main_file, *file;
        uint32_t inst, line;
    } cases[] = {
        {"kernel.cu", "", 0, 0},
        {"/b/kernel.cu", "/a/kernel.cu", 1, 10},
        {"kernel.cu", "/a/kernel.cu", 2, 12},
        {"kernel.cu", "/a/kernel.cu", 3, 12},
        {"helper.h", "/h/helper.h", 3, 69},
        {"deep.h", "deep.h", 3, 7},
        {"nope.cu", "/a/kernel.cu", 3, 12}, // a kernel in a header
        {NULL, "/a/kernel.cu", 3, 12},
        {"kernel.cu", "/a/kernel.cu", 4, 30}, // the innermost of two in the file
        {NULL, "/a/kernel.cu", 4, 40},
        {"kernel.cu", "/a/kernel.cu", 6, 50}, // code without a line: that of what stands before it
    };
    const struct ptx_function *entry;
    ck_assert_int_eq(ptx_find_entry(module, "k", &entry, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *file;
        uint32_t line;
        ptx_source(module, &entry->insts[cases[i].inst], cases[i].main_file, &file, &line);
        ck_assert_str_eq(file, cases[i].file);
        ck_assert_uint_eq(line, cases[i].line);
    }
    const char *file;
    uint32_t line;
    ck_assert_int_eq(ptx_find_entry(module, "last", &entry, NULL), STATUS_OK);
    ptx_source(module, &entry->insts[0], "a.cu", &file, &line); // file 9 has no .file
    ck_assert_uint_eq(line, 0);
    ptx_source(module, &entry->insts[0], NULL, &file, &line); // PTX is its own source
    ck_assert_uint_eq(line, entry->insts[0].text_line);
    ptx_module_free(module);
}
END_TEST

START_TEST(a_place_that_inline_assembly_names_is_none)
{
    struct ptx_module *module =
        ptx_parse_in_kernel(".reg .b32 %r<3>;\n.loc 1 10 5\n\t// begin inline asm\n.loc 2 69 9\nmov.u32 %r1, 1;\n"
                            "\t// end inline asm\nmov.u32 %r1, 2;\n.loc 2 70 1\nmov.u32 %r1, 3;\n"
                            "ret;\n}\n.file 1 \"/a/kernel.cu\"\n.file 2 \"/cub/block.cuh\"\n"
                            "// Start of file scope inline assembly\n.func other() {\n.loc 2 71 1\nret;\n}\n"
                            "// End of file scope inline assembly\n.entry last() {\n.loc 2 72 1\nret;");
    static const uint32_t lines[] = {10, 10, 70};
    const struct ptx_function *entry;
    const char *file;
    uint32_t line;
    ck_assert_int_eq(ptx_find_entry(module, "k", &entry, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ptx_source(module, &entry->insts[i], NULL, &file, &line);
        ck_assert_uint_eq(line, lines[i]);
        ck_assert_str_eq(file, i < 2 ? "/a/kernel.cu" : "/cub/block.cuh");
    }
    ck_assert_uint_eq(module->functions[1]->insts[0].location, 0);
    ck_assert_uint_eq(module->locations[module->functions[2]->insts[0].location].line, 72);
    ptx_module_free(module);
}
END_TEST

START_TEST(a_chain_of_inlining_may_be_as_long_as_the_text)
{
    struct text body = {0};
    for (int i = 0; i < 5000; i++)
        text_puts(&body, ".loc 1 5 5, function_name L, inlined_at 1 5 5\n");
    text_puts(&body, "ret;\n}\n.file 1 \"a.cu\"\n.entry other() { ret;");
    struct ptx_module *module = ptx_parse_in_kernel(text_get(&body));
    const char *file;
    uint32_t line;
    ptx_source(module, &module->functions[0]->insts[0], NULL, &file, &line);
    ck_assert_uint_eq(line, 5);
    ptx_module_free(module);
    text_free(&body);
}
END_TEST

// ---- shared memory

START_TEST(shared_variables_are_laid_out_in_order_of_declaration)
{
    struct ptx_module *module = ptx_parse_good(
        "t",
        HEAD ".extern .shared .align 64 .b8 dyn[];\n.shared .b8 first[5];\n.shared .u32 unused;\n"
             ".func leaf() { .shared .align 8 .b8 in_leaf[8]; .reg .b32 r; st.shared.u32 [in_leaf], r; ret; }\n"
             ".func not_called() { .shared .b8 other[100]; .reg .b32 r; mov.u32 r, other; ret; }\n"
             ".entry k() { .shared .align 128 .b32 big[3]; .shared .b8 idle[9]; .reg .b32 r; call leaf;\n"
             "ld.shared.u32 r, [big]; ld.shared.u8 r, [first+1]; mov.u32 r, dyn; ld.shared.u8 r, [big+4]; ret; }\n");
    static const struct {
        const char *name;
        uint32_t offset;
    } slots[] = {{"first", 0}, {"in_leaf", 8}, {"big", 128}, {"dyn", 192}};
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(kernel(module), arena);
    ck_assert_uint_eq(layout.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_str_eq(layout.slots[i].variable->name, slots[i].name);
        ck_assert_uint_eq(layout.slots[i].offset, slots[i].offset);
    }
    ck_assert_uint_eq(layout.static_size, 140);
    ck_assert_uint_eq(layout.dynamic_offset, 192);
    arena_free(arena);
    ptx_module_free(module);
}
END_TEST

START_TEST(a_call_through_a_register_reaches_every_function_with_an_address)
{
    struct ptx_module *module =
        ptx_parse_good("t", HEAD ".func f() { .shared .b32 s; .reg .b32 r; ld.shared.u32 r, [s]; ret; }\n"
                                 ".global .u64 table = f;\n"
                                 ".entry k() { .reg .b64 r; P: .callprototype _ (); call r, P; ret; }\n");
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(kernel(module), arena);
    ck_assert_uint_eq(layout.count, 1);
    ck_assert_str_eq(layout.slots[0].variable->name, "s");
    arena_free(arena);
    ptx_module_free(module);
}
END_TEST

// ---- the same program

#define LOOP(start, step)                                                                                              \
    "mov.u32 %r1, " start "; L: st.shared.u32 [s], %r1; add.u32 %r1, %r1, " step                                       \
    "; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;"

static const struct {
    const char *one, *other;
    bool same;
} programs[] = {
    {"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; add.u32 %r3, %r1, %r2; st.shared.u32 [s], %r3;",
     "mov.u32 %r7, %tid.y; mov.u32 %r4, %tid.x; add.u32 %r8, %r4, %r7; st.shared.u32 [s], %r8;", true},
    {"mov.u32 %r1, %tid.x; st.shared.u32 [s], %r1;", "mov.u32 %r1, %tid.y; st.shared.u32 [s], %r1;", false},
    {"st.shared.u32 [s], 1; bar.sync 0;", "bar.sync 0; st.shared.u32 [s], 1;", false},
    {"st.shared.u32 [s], 1;", "st.shared.u32 [s+4], 1;", false},
    {"st.shared.u32 [s], 1;", "st.volatile.shared.u32 [s], 1;", false},
    {LOOP("0", "1"), LOOP("0", "1"), true},
    {LOOP("0", "1"), LOOP("0", "2"), false}, // used before, in the text
    {LOOP("0", "1"), LOOP("1", "1"), false},
    {"setp.eq.u32 %p1, %r1, 1; @%p1 bar.sync 0;", "setp.eq.u32 %p1, %r1, 1; @!%p1 bar.sync 0;", false},
};

START_TEST(a_signature_stands_for_what_a_function_does)
{
    struct ptx_module *modules[2];
    const char *bodies[] = {programs[_i].one, programs[_i].other};
    for (int i = 0; i < 2; i++) {
        struct text text = {0};
        text_puts(&text, REGISTERS);
        text_puts(&text, bodies[i]);
        modules[i] = ptx_parse_in_kernel(text_get(&text));
        text_free(&text);
    }
    bool same = ptx_signature(kernel(modules[0])) == ptx_signature(kernel(modules[1]));
    ck_assert_msg(same == programs[_i].same, "%s | %s", bodies[0], bodies[1]);
    for (int i = 0; i < 2; i++)
        ptx_module_free(modules[i]);
}
END_TEST

// ---- calls that are written out

#define HEADER_CALL                                                                                                    \
    ".file 1 \"a/kernel.cu\"\n.file 2 \"b/atomics.hpp\"\n.shared .b32 s;\n"                                            \
    ".func (.param .b32 out) inner(.param .b64 at, .param .b32 value)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"       \
    "ld.param.u64 %rd1, [at];\nld.param.u32 %r1, [value];\natom.exch.b32 %r2, [%rd1], %r1;\n"                          \
    "st.param.b32 [out], %r2;\nret;\n}\n"                                                                              \
    ".func (.param .b32 out) outer(.param .b64 at, .param .b32 value)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"       \
    ".loc 2 70 1\nld.param.u64 %rd1, [at];\nld.param.u32 %r1, [value];\n{\n.param .b64 p0;\n"                          \
    "st.param.b64 [p0], %rd1;\n.param .b32 p1;\nst.param.b32 [p1], %r1;\n.param .b32 r0;\n"                            \
    "call.uni (r0), inner, (p0, p1);\nld.param.b32 %r2, [r0];\n}\nst.param.b32 [out], %r2;\nret;\n}\n"

// Two calls, one in a loop, of a header's function that calls another: atomics of the calling lines, and moves.
START_TEST(calls_of_headers_are_written_out_with_the_calling_line)
{
    struct ptx_module *module = ptx_parse_good(
        "k", HEAD HEADER_CALL
        ".func own()\n{\n.loc 1 3 1\nret;\n}\n"
        ".entry k()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n.reg .pred %p;\n.loc 1 7 1\nmov.u32 %r1, 0;\n"
        "mov.u64 %rd1, s;\nagain:\n{\n.param .b64 q0;\nst.param.b64 [q0], %rd1;\n.param .b32 q1;\n"
        "st.param.b32 [q1], %r1;\n.param .b32 t0;\n.loc 1 8 1\ncall.uni (t0), outer, (q0, q1);\n"
        "ld.param.b32 %r2, [t0];\n}\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 4;\n@%p bra again;\n"
        "{\n.param .b64 q0;\nst.param.b64 [q0], %rd1;\n.param .b32 q1;\nst.param.b32 [q1], 5;\n.param .b32 t0;\n"
        ".loc 1 11 1\ncall.uni (t0), outer, (q0, q1);\nld.param.b32 %r3, [t0];\n}\ncall.uni own;\nret;\n}\n");
    ptx_write_out(module, "kernel.cu");
    const struct ptx_function *entry = kernel(module);
    uint32_t line, lines[4], atomics = 0, calls = 0, passes = 0;
    const char *file;
    for (uint32_t i = 0; i < entry->inst_count; i++) {
        const struct ptx_inst *inst = &entry->insts[i];
        calls += inst->op == PTX_OP_CALL;
        passes += inst->op == PTX_OP_ST || inst->op == PTX_OP_LD;
        if (inst->op == PTX_OP_BRA)
            ck_assert_uint_eq(operand(entry, i, 0)->value.target, 2);
        if (inst->op != PTX_OP_ATOM || atomics == 2)
            continue;
        ptx_source(module, inst, "kernel.cu", &file, &line);
        ck_assert_str_eq(file, "a/kernel.cu");
        lines[atomics++] = line;
    }
    ck_assert_uint_eq(atomics, 2);
    ck_assert_uint_eq(lines[0], 8);
    ck_assert_uint_eq(lines[1], 11);
    ck_assert_uint_eq(calls, 1);  // of the source's own function
    ck_assert_uint_eq(passes, 2); // the constant
    ptx_module_free(module);
}
END_TEST

// Recursion, blocks of its own, memory of its own, and a call that hands over other than it takes: calls as before.
static const char *const calls_that_stay[] = {
    ".func f()\n{\n.loc 2 1 1\ncall.uni f;\nret;\n}\n",
    ".func f()\n{\n.reg .pred %p;\n.loc 2 1 1\nsetp.eq.u32 %p, 1, 2;\n@%p ret;\nbar.sync 0;\nret;\n}\n",
    ".func f()\n{\n.local .b32 own[4];\n.loc 2 1 1\nst.local.u32 [own], 1;\nret;\n}\n",
    ".func f()\n{\n.loc 1 1 1\nbar.sync 0;\nret;\n}\n",
};

START_TEST(a_call_stays_where_it_cannot_be_written_out)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD ".file 1 \"kernel.cu\"\n.file 2 \"b.hpp\"\n%s.entry k()\n{\n.loc 1 7 1\ncall.uni f;\nret;\n}\n",
             calls_that_stay[_i]);
    struct ptx_module *module = ptx_parse_good("k", text);
    ptx_write_out(module, "kernel.cu");
    ck_assert_int_eq(kernel(module)->insts[0].op, PTX_OP_CALL);
    ptx_module_free(module);
}
END_TEST

Suite *suite_ptx_module(void)
{
    Suite *suite = suite_create("ptx_module");
    TCase *cases = tcase_create("module");
    tcase_add_loop_test(cases, a_constant_has_its_value, 0, sizeof literals / sizeof *literals);
    tcase_add_test(cases, every_form_of_operand_is_kept);
    tcase_add_test(cases, words_of_an_instruction_are_sorted_out);
    tcase_add_test(cases, scopes_have_their_own_names);
    tcase_add_test(cases, a_register_first_named_in_an_inner_scope_is_the_outer_one);
    tcase_add_test(cases, a_range_whose_name_ends_in_a_digit_is_told_apart);
    tcase_add_test(cases, initial_values_are_laid_out_in_bytes);
    tcase_add_test(cases, addresses_in_initial_values_are_kept);
    tcase_add_test(cases, an_external_variable_may_be_declared_again_and_defined);
    tcase_add_test(cases, parameters_are_laid_out_by_alignment);
    tcase_add_test(cases, a_call_has_its_four_parts);
    tcase_add_test(cases, attributes_without_meaning_here_are_passed_over);
    tcase_add_test(cases, the_end_of_a_string_may_be_counted);
    tcase_add_test(cases, names_may_be_long);
    tcase_add_test(cases, functions_as_template_arguments_are_found_as_they_are_written);
    tcase_add_test(cases, kernels_in_namespaces_are_found_by_their_last_name);
    tcase_add_test(cases, an_alias_takes_the_other_ones_body);
    tcase_add_test(cases, what_is_no_code_is_passed_over);
    tcase_add_test(cases, an_instruction_knows_its_line_through_inlining);
    tcase_add_test(cases, calls_of_headers_are_written_out_with_the_calling_line);
    tcase_add_loop_test(cases, a_call_stays_where_it_cannot_be_written_out, 0,
                        sizeof calls_that_stay / sizeof *calls_that_stay);
    tcase_add_test(cases, a_place_that_inline_assembly_names_is_none);
    tcase_add_test(cases, a_chain_of_inlining_may_be_as_long_as_the_text);
    tcase_add_test(cases, shared_variables_are_laid_out_in_order_of_declaration);
    tcase_add_test(cases, a_call_through_a_register_reaches_every_function_with_an_address);
    tcase_add_loop_test(cases, a_signature_stands_for_what_a_function_does, 0, sizeof programs / sizeof *programs);
    suite_add_tcase(suite, cases);
    return suite;
}
