// Refusals: what is named, and where.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_errors(void);

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

struct bad_case {
    const char *text;
    enum status status;
    int line, column;
    const char *message;
};

static void expect(const struct bad_case *bad, const char *text, size_t length)
{
    struct ptx_module *module;
    struct diagnostic diagnostic = {0};
    enum status status = ptx_parse("x.ptx", text, length, &module, &diagnostic);
    ck_assert_msg(status == bad->status, "status %d for: %s", (int)status, bad->text);
    ck_assert_ptr_null(module);
    ck_assert_int_eq(diagnostic.code, status);
    ck_assert_str_eq(diagnostic.message, bad->message);
    ck_assert_int_eq(diagnostic.line, bad->line);
    ck_assert_int_eq(diagnostic.column, bad->column);
    ck_assert_str_eq(diagnostic.file, "x.ptx");
}

static const struct bad_case modules[] = {
    {"", STATUS_PARSE, 1, 1, "expected '.version' at the start of the PTX text, found the end of the file"},
    {"hello", STATUS_PARSE, 1, 1, "expected '.version' at the start of the PTX text, found 'hello'"},
    {"\177ELF\002\001", STATUS_PARSE, 0, 0, "this is a binary (ELF) file, not PTX text; compile with 'nvcc -ptx'"},
    {".version x", STATUS_PARSE, 1, 10, "expected a version such as 8.0, found 'x'"},
    {".version 8", STATUS_PARSE, 1, 10, "expected a version such as 8.0, found '8'"},
    {".version 1.4", STATUS_UNSUPPORTED, 1, 10, "PTX version 1.4 is not read here; versions 3.0 to 9.x are"},
    {".version 8.0\n.address_size 64", STATUS_PARSE, 2, 1,
     "expected '.target' after '.version', found '.address_size'"},
    {".version 8.0\n.target sm_90x", STATUS_PARSE, 2, 9, "expected a target such as sm_90 or sm_90a"},
    {".version 8.0\n.target sm_90\n.address_size 32", STATUS_UNSUPPORTED, 3, 15,
     "only 64-bit addresses are supported; compile without -m32"},
    {HEAD ".entry", STATUS_PARSE, 4, 7, "expected the function's name, found the end of the file"},
    {HEAD ".entry k()", STATUS_PARSE, 4, 11, "expected '{' of the function's body, or ';', found the end of the file"},
    {HEAD ".entry k(.param .u32 a .param", STATUS_PARSE, 4, 24,
     "expected ',' or ')' after the parameter, found '.param'"},
    {HEAD ".entry k(.reg .u32 a)", STATUS_PARSE, 4, 10, "expected '.param', found '.reg'"},
    {HEAD ".func f(.reg .b128 a)", STATUS_PARSE, 4, 20, "a '.reg' parameter has at most 8 bytes"},
    {HEAD ".entry k(.param .u32 a, .param .u32 a) { ret; }", STATUS_PARSE, 4, 8,
     "'a' is declared twice; the first time on line 4"},
    {HEAD ".entry k() {\n  ret;\n", STATUS_PARSE, 6, 1,
     "expected an instruction, a label, a directive or '}', found the end of the file"},
    {HEAD ".entry k() { ret; }\n.entry k() { ret; }", STATUS_PARSE, 5, 8, "'k' has two bodies"},
    {HEAD ".global .u32 k;\n.entry k() { ret; }", STATUS_PARSE, 5, 8,
     "'k' is declared twice; the first time, as something else, on line 4"},
    {HEAD ".frobnicate 3", STATUS_UNSUPPORTED, 4, 1, "the directive '.frobnicate' on line 4 is not supported"},
    {HEAD "int x;", STATUS_PARSE, 4, 1, "expected a directive such as '.entry' or '.global', found 'int'"},
    {HEAD ".global .texref t;", STATUS_UNSUPPORTED, 4, 9, "the type '.texref' on line 4 is not supported"},
    {HEAD ".global .u32 a;\n.global .u32 a;", STATUS_PARSE, 5, 14, "'a' is declared twice; the first time on line 4"},
    {HEAD ".global .align 3 .u32 a;", STATUS_PARSE, 4, 16, "the alignment 3 is not a power of two"},
    {HEAD ".global .align 131072 .u32 a;", STATUS_PARSE, 4, 16, "the alignment is 131072; it must be from 1 to 65536"},
    {HEAD ".global .pred a;", STATUS_PARSE, 4, 15, "a variable cannot have the type '.pred'"},
    {HEAD ".global .u32 a[];", STATUS_PARSE, 4, 14, "an array without a size must be '.extern' or have initial values"},
    {HEAD ".global .u32 a[2][0];", STATUS_PARSE, 4, 18, "the size of an array must be from 1 to 274877906944"},
    {HEAD ".global .u32 a[0xffffffff][0xffffffff];", STATUS_PARSE, 4, 27,
     "the array is larger than 274877906944 elements"},
    {HEAD ".global .u32 a[2] = {1, 2, 3};", STATUS_PARSE, 4, 28, "more initial values than 'a' has room for"},
    {HEAD ".global .u32 a[2] = {{1}};", STATUS_PARSE, 4, 22, "the braces nest deeper than the array has dimensions"},
    {HEAD ".global .u32 a = b;", STATUS_PARSE, 4, 18,
     "an initial value needs a number, a '.global' or '.const' variable or a function; 'b' is none of these"},
    {HEAD ".global .u32 b;\n.global .u16 a = b;", STATUS_PARSE, 5, 18,
     "an address does not fit in an element of 2 bytes"},
    {HEAD ".global .u32 b;\n.global .u8 a = 0x0ff0(b);", STATUS_PARSE, 5, 17,
     "the mask of an address must select one byte: 0xff, 0xff00, …"},
    {HEAD ".shared .u32 a = 1;", STATUS_PARSE, 4, 18, "only '.global' and '.const' variables take initial values"},
    {HEAD ".global .u8 a[] = {1, 2", STATUS_PARSE, 4, 24,
     "expected ',' or '}' in the initial values, found the end of the file"},
    {HEAD ".global .u8 a[1/0];", STATUS_PARSE, 4, 16, "the constant expression divides by zero"},
    {HEAD ".global .u32 a = 0f3f80;", STATUS_PARSE, 4, 18, "'0f3f80': '0f' must be followed by 8 hexadecimal digits"},
    {HEAD ".file 1 \"a.cu", STATUS_PARSE, 4, 9, "'\"a.cu': the string has no closing '\"' on its line"},
    {HEAD "/* no end", STATUS_PARSE, 4, 1, "'/* no end': this comment never ends"},
    {HEAD ".section .debug_str { .b8 1", STATUS_PARSE, 4, 28, "expected '}' of the section, found the end of the file"},
    {".version 8.0\n.target 90", STATUS_PARSE, 2, 9, "expected a target such as sm_90, found '90'"},
    {".version 8.0\n.target sm_90\n.address_size x", STATUS_PARSE, 3, 15, "expected the address size, found 'x'"},
    {HEAD ".section", STATUS_PARSE, 4, 9, "expected the section's name, found the end of the file"},
    {HEAD ".section .d 1", STATUS_PARSE, 4, 13, "expected '{' of the section, found '1'"},
    {HEAD ".pragma x;", STATUS_PARSE, 4, 9, "expected the pragma in quotes, found 'x'"},
    {HEAD ".alias a b;", STATUS_PARSE, 4, 10, "expected ',', found 'b'"},
    {HEAD ".loc 1 2", STATUS_PARSE, 4, 9, "expected the column, found the end of the file"},
    {HEAD ".file x", STATUS_PARSE, 4, 7, "expected the file's number, found 'x'"},
    {HEAD ".visible 3", STATUS_PARSE, 4, 10, "expected a directive such as '.entry' or '.global', found '3'"},
    {HEAD ".entry k() .maxntid 0 { ret; }", STATUS_PARSE, 4, 21,
     "a size of '.maxntid' is 0; it must be from 1 to 4294967295"},
    {HEAD ".entry k() .attribute(.x", STATUS_PARSE, 4, 25, "expected ')' of the attribute, found the end of the file"},
    {HEAD ".entry k() .attribute x", STATUS_PARSE, 4, 23, "expected '(' of the attribute, found 'x'"},
    {HEAD ".entry k(.param .u32) { ret; }", STATUS_PARSE, 4, 21, "expected the parameter's name, found ')'"},
    {HEAD ".entry k(3)", STATUS_PARSE, 4, 10, "expected '.param', found '3'"},
    {HEAD ".entry k(.param u32 a)", STATUS_PARSE, 4, 17, "expected a type such as '.b32', found 'u32'"},
    {HEAD ".entry k(.param .u64 .ptr .u32 a)", STATUS_PARSE, 4, 27,
     "expected a state space or '.align' after '.ptr', found '.u32'"},
    {HEAD ".entry k(.param .b8 a[0x80000000])", STATUS_PARSE, 4, 21, "the parameters exceed 2 GB"},
    {HEAD ".func f(.param .b32 a", STATUS_PARSE, 4, 22,
     "expected ',' or ')' after the parameter, found the end of the file"},
    {HEAD ".func (.param .pred r) f();", STATUS_PARSE, 4, 21, "a variable cannot have the type '.pred'"},
    {HEAD ".global .u32 a = 1.5 + 1;", STATUS_PARSE, 4, 22, "'+' needs integers, not floating-point numbers"},
    {HEAD ".global .u32 a = 1.5 << 1;", STATUS_PARSE, 4, 22, "'<<' needs integers, not floating-point numbers"},
    {HEAD ".global .u32 a = ~1.5;", STATUS_PARSE, 4, 18, "'~' needs integers, not floating-point numbers"},
    {HEAD ".global .u32 a = (.f32)1;", STATUS_PARSE, 4, 19, "expected '.s64' or '.u64' in the cast, found '.f32'"},
    {HEAD ".global .u32 a = (1;", STATUS_PARSE, 4, 20, "expected ')' after the constant expression, found ';'"},
    {HEAD ".global .u32 a = 1 ? 2;", STATUS_PARSE, 4, 23, "expected ':' of the '?' expression, found ';'"},
    {HEAD ".global .u32 a[2][2] = {{1, 2}, {3, 4}, {5}};", STATUS_PARSE, 4, 41,
     "more initial values than 'a' has room for"},
    {HEAD ".global .u32 b;\n.global .u64 a = generic(b;", STATUS_PARSE, 5, 27, "expected ')', found ';'"},
    {HEAD ".global .u64 a = generic(3);", STATUS_PARSE, 4, 26, "expected a variable's name, found '3'"},
    {HEAD ".global .u32 a[1", STATUS_PARSE, 4, 17, "expected ']' of the array, found the end of the file"},
    {HEAD ".global .align x .u32 a;", STATUS_PARSE, 4, 16, "expected the alignment, found 'x'"},
    {HEAD ".alias a, b;", STATUS_PARSE, 4, 8, "the alias 'a' needs two functions, and only the second has a body"},
};

START_TEST(a_bad_module_is_refused_where_it_is_bad)
{
    expect(&modules[_i], modules[_i].text, strlen(modules[_i].text));
}
END_TEST

// Bodies of a kernel; they start on line 6.
static const struct bad_case bodies[] = {
    {"add.s32 %r1, %r2;", STATUS_PARSE, 6, 9, "'%r1' is not declared"},
    {".reg .b32 %r<3>;\nadd.s32 %r1, %r2;", STATUS_PARSE, 7, 1, "'add' takes 3 operands, found 2"},
    {".reg .b32 %r<4>;\nshl.sat.b32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'shl.b32' does not take '.sat'"},
    {".reg .b32 %r<4>;\nand.ftz.b32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'and.b32' does not take '.ftz'"},
    {".reg .b32 %r<4>;\nadd.volatile.u32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'add.u32' does not take '.volatile'"},
    {".reg .b32 %r<4>;\nbfe.hi.u32 %r1, %r2, %r3, 1;", STATUS_PARSE, 7, 4, "'bfe.u32' does not take '.hi'"},
    {".reg .b32 %r<4>;\nsub.sat.u32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'sub.u32' does not take '.sat'"},
    {".reg .b32 %r<4>;\nadd.global.s32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'add.s32' does not take '.global'"},
    {".reg .b32 %r<4>;\nadd.sat.cc.s32 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'add.cc.s32' does not take '.sat'"},
    {".reg .f32 %f<4>;\nadd.rn.rz.f32 %f1, %f2, %f3;", STATUS_PARSE, 7, 7, "'add.rn.f32' does not take '.rz'"},
    {".reg .f32 %f<4>;\ndiv.ftz.f32 %f1, %f2, %f3;", STATUS_PARSE, 7, 1,
     "'div.ftz.f32' needs .approx, .rn, .rz, .rm, .rp or .full"},
    {".reg .b32 %r<4>;\nmul.s32 %r1, %r2, %r3;", STATUS_PARSE, 7, 1, "'mul.s32' needs .lo, .hi or .wide"},
    {".reg .b64 %r<4>;\nmul.wide.s64 %r1, %r2, %r3;", STATUS_PARSE, 7, 4, "'mul.s64' does not take '.wide'"},
    {".reg .b64 %r<4>;\nld.relaxed.global.u64 %r1, [%r2];", STATUS_PARSE, 7, 1,
     "'ld.relaxed.global.u64' needs .cta, .cluster, .gpu, .sys or .mmio"},
    {".reg .b32 %r<4>;\nset.eq.u32 %r1, %r2, %r3;", STATUS_PARSE, 7, 1, "'set' does not take these types together"},
    {".reg .b32 %r<4>;\nmin.s32 %r1, %r2, %r3, %r1;", STATUS_PARSE, 7, 1,
     "'min' does not take 4 operands with these words"},
    {".reg .b32 %r<3>;\nadd.s32 %r1, %r2, %r3;", STATUS_PARSE, 7, 19, "'%r3' is not declared"},
    {".reg .b32 %r<3>;\nmov.u32 %r01, 1;", STATUS_PARSE, 7, 9, "'%r01' is not declared"},
    {".reg .b32 %r<3>;\nfrob.s32 %r1, %r2;", STATUS_UNSUPPORTED, 7, 1,
     "the instruction 'frob.s32' on line 7 is not supported"},
    {".reg .b32 %r<3>;\nadd.wobbly.s32 %r1, %r2, %r2;", STATUS_UNSUPPORTED, 7, 4,
     "'.wobbly' of 'add' on line 7 is not supported"},
    {".reg .b32 %r<3>;\nadd.s32 %r1, %r2.b0, %r2;", STATUS_PARSE, 7, 1,
     "'add' takes neither parts of a register nor its negative"},
    {".reg .b32 %r<3>;\nvadd.s32.s32.s32 %r1, %r2.h4, %r2;", STATUS_UNSUPPORTED, 7, 26,
     "the element '.h4' on line 7 is not supported"},
    {".reg .b32 %r<3>;\ncvt.u32.u32.u32 %r1, %r2;", STATUS_PARSE, 7, 12,
     "'cvt' does not take '.u32' after another type"},
    {".reg .b32 %r<3>;\nmma.sync.f32.f32.f32.f32.f32 %r1, %r2;", STATUS_PARSE, 7, 25,
     "'mma.sync' does not take '.f32' after another type"},
    {".reg .pred %p<3>;\nadd.pred %p0, %p1, %p2;", STATUS_PARSE, 7, 4, "'add' does not take '.pred'"},
    {".reg .b32 %r<3>;\nadd.b32 %r0, %r1, %r2;", STATUS_PARSE, 7, 4, "'add' does not take '.b32'"},
    {".reg .b32 %r<3>;\nadd %r0, %r1, %r2;", STATUS_PARSE, 7, 1, "'add' needs a type"},
    {".reg .f32 %f<3>;\nand.f32 %f0, %f1, %f2;", STATUS_PARSE, 7, 4, "'and' does not take '.f32'"},
    {".reg .f32 %f<3>;\nadd.f32.s32 %f0, %f1, %f2;", STATUS_PARSE, 7, 8,
     "'add' does not take '.s32' after another type"},
    {"bar.sync.u32 0;", STATUS_PARSE, 6, 9, "'bar.sync' does not take '.u32'"},
    {".reg .b32 %r<3>;\nsetp.eq.pred %r0, %r1, %r2;", STATUS_PARSE, 7, 8, "'setp' does not take '.pred'"},
    {".reg .b32 %r<3>;\nld.global.f16 %r0, [%r1];", STATUS_PARSE, 7, 10, "'ld' does not take '.f16'"},
    {".reg .b32 %r<3>;\nadd.s32 %r1, %r2, 3", STATUS_PARSE, 8, 1, "expected ',' or ';' after the operand, found '}'"},
    {"ret", STATUS_PARSE, 7, 1, "expected an operand, found '}'"},
    {".reg .b32 %r<3>;\n@%r1 ret;", STATUS_PARSE, 7, 2, "'%r1' is not a predicate"},
    {".reg .b32 %r<3>;\n@!%p1 ret;", STATUS_PARSE, 7, 3, "'%p1' is not declared"},
    {".reg .b32 %r<3>;\nmov.u32 %r1, -%r2;", STATUS_PARSE, 7, 1,
     "'mov' takes neither parts of a register nor its negative"},
    {".reg .b32 %r<3>;\nmov.u32 %r1, !%r2;", STATUS_PARSE, 7, 15, "'%r2' is not a predicate"},
    {".reg .b32 %r<3>;\nld.shared.u32 %r1, [%r2;", STATUS_PARSE, 7, 24, "expected ']' after the address, found ';'"},
    {".reg .b32 %r<3>;\nld.shared.u32 %r1, [%tid.x];", STATUS_PARSE, 7, 21,
     "an address needs a register, a variable or a number"},
    {".reg .b32 %r<3>;\nld.shared.u32 %r1, [%r2+1.5];", STATUS_PARSE, 7, 24, "an offset must be an integer"},
    {".reg .b32 %r<3>;\nmov.u32 %r1, %tid.q;", STATUS_UNSUPPORTED, 7, 18,
     "the element '.q' on line 7 is not supported"},
    {".reg .b32 %r<3>;\nmov.b64 {%r1, %r2, %r2;", STATUS_PARSE, 7, 23,
     "expected ',' or '}' after the element, found ';'"},
    {"bra NOWHERE;", STATUS_PARSE, 6, 5, "the label 'NOWHERE' is not in this function"},
    {"{ L: ret; }\nbra L;", STATUS_PARSE, 7, 5, "the label 'L' is not in this function"},
    {"L: L: ret;", STATUS_PARSE, 6, 4, "'L' is declared twice; the first time on line 6"},
    {".reg .b32 %r<3>;\nbrx.idx %r1, T;", STATUS_PARSE, 7, 14, "the table 'T' is not in this function"},
    {".reg .b32 %r<3>;\nT: .callprototype _ ();\nbrx.idx %r1, T;", STATUS_PARSE, 8, 0,
     "brx.idx needs '.branchtargets', 'T' is none"},
    {"T: .branchtargets A; A: .reg .b64 r;\ncall r, T;", STATUS_PARSE, 7, 0,
     "call needs '.calltargets' or '.callprototype', 'T' is neither"},
    {"call (1;", STATUS_PARSE, 6, 8, "expected ',' or ')' after the argument, found ';'"},
    {"call (1) k;", STATUS_PARSE, 6, 10, "expected ',' between the results and the function, found 'k'"},
    {"call k, (1;", STATUS_PARSE, 6, 11, "expected ',' or ')' after the argument, found ';'"},
    {".shared .b32 s; call s;", STATUS_PARSE, 6, 22, "call needs a function or a register"},
    {".reg .pred p;\n@p 3;", STATUS_PARSE, 7, 4, "expected an instruction, found '3'"},
    {"mbarrier.arrive.shared.b64 1, 2, 3, 4;", STATUS_PARSE, 6, 1, "'mbarrier.arrive' takes 1 to 3 operands, found 4"},
    {"ld.shared.u32 1, [1.5];", STATUS_PARSE, 6, 19, "an address must be an integer"},
    {"ld.shared.u32 1, [x];", STATUS_PARSE, 6, 19, "'x' is not declared"},
    {"ld.shared.u32 1, [1, [2]];", STATUS_PARSE, 6, 22, "expected a register or coordinates in braces, found '['"},
    {"mov.u32 1, {2, };", STATUS_PARSE, 6, 16, "expected an operand, found '}'"},
    {"mov.u32 1, ;", STATUS_PARSE, 6, 12, "expected an operand, found ';'"},
    {"mov.u32 1, %envreg32;", STATUS_PARSE, 6, 12, "'%envreg32' is not declared"},
    {".reg .b32 ;", STATUS_PARSE, 6, 11, "expected the register's name, found ';'"},
    {".reg .b32 a<3;", STATUS_PARSE, 6, 14, "expected '>' after the number of registers, found ';'"},
    {"P: .callprototype 3;", STATUS_PARSE, 6, 19, "expected '_' in place of the function's name, found '3'"},
    {"P: .callprototype (3) _;", STATUS_PARSE, 6, 20, "expected '.param', found '3'"},
    {"P: .callprototype _ (3);", STATUS_PARSE, 6, 22, "expected '.param', found '3'"},
    {"T: .branchtargets 3;", STATUS_PARSE, 6, 19, "expected a label, found '3'"},
    {".loc x", STATUS_PARSE, 6, 6, "expected the file's number, found 'x'"},
    {".loc 1 1 1, 3", STATUS_PARSE, 6, 13, "expected 'function_name' or 'inlined_at', found '3'"},
    {".loc 1 1 1, function_name 3", STATUS_PARSE, 6, 27, "expected a label, found '3'"},
    {".loc 1 1 1, inlined_at 3 x", STATUS_PARSE, 6, 26, "expected the line, found 'x'"},
    {".param .b8 a[0x7fffffff], b[2];", STATUS_PARSE, 6, 27, "the function's '.param' variables exceed 2 GB"},
    {"call nobody;", STATUS_PARSE, 6, 6, "'nobody' is not declared"},
    {"call 3;", STATUS_PARSE, 6, 6, "expected an operand, found '3'"},
    {".reg .b32 %r<0x200000>;", STATUS_PARSE, 6, 14,
     "the number of registers is 2097152; it must be from 0 to 1048576"},
    {".reg .frog %r;", STATUS_UNSUPPORTED, 6, 6, "the type '.frog' on line 6 is not supported"},
    {".reg .b32 a, a;", STATUS_PARSE, 6, 14, "'a' is declared twice; the first time on line 6"},
    {".bogus 1;", STATUS_UNSUPPORTED, 6, 1, "the directive '.bogus' on line 6 is not supported here"},
    {"mov.u32 09, 1;", STATUS_PARSE, 6, 9, "'09': not a number: a digit does not belong here"},
    {"mov.u32 99999999999999999999, 1;", STATUS_PARSE, 6, 9,
     "'99999999999999999999': the number does not fit in 64 bits"},
    {"mov.u32 #, 1;", STATUS_PARSE, 6, 9, "'#': this character has no meaning in PTX"},
    {"mov.u32 \033[31m;", STATUS_PARSE, 6, 9, "'\\x1b': this character has no meaning in PTX"},
    {".loc 1 2;", STATUS_PARSE, 6, 9, "expected the column, found ';'"},
    {".loc 1 2 3, bogus 1", STATUS_PARSE, 6, 13, "expected 'function_name' or 'inlined_at'"},
    {"T: .branchtargets A B;", STATUS_PARSE, 6, 21, "expected ',' or ';' after the label, found 'B'"},
    {"T: .calltargets nobody;", STATUS_PARSE, 6, 17, "'nobody' is not a function declared above"},
};

START_TEST(a_bad_body_is_refused_where_it_is_bad)
{
    struct text text = {0};
    text_printf(&text, HEAD ".entry k()\n{\n%s\n}\n", bodies[_i].text);
    expect(&bodies[_i], text_get(&text), text.length);
    text_free(&text);
}
END_TEST

// ---- hostile sizes

static void expect_message(const char *text, size_t length, const char *message)
{
    struct ptx_module *module;
    struct diagnostic diagnostic;
    ck_assert_int_eq(ptx_parse("x.ptx", text, length, &module, &diagnostic), STATUS_PARSE);
    ck_assert_msg(strstr(diagnostic.message, message) != NULL, "got: %s", diagnostic.message);
}

START_TEST(a_huge_file_is_refused_at_once)
{
    char *text = mem_alloc(50 * 1024 * 1024);
    memset(text, 'x', 50 * 1024 * 1024);
    expect_message(text, 50 * 1024 * 1024, "the file has 50 MB; PTX of up to 32 MB is read");
    free(text);
}
END_TEST

START_TEST(binary_data_is_refused_in_words)
{
    static const char text[] = ".version 8.0\n\0\1\2";
    expect_message(text, sizeof text, "this is not PTX text: byte 13 is zero");
}
END_TEST

// before × count, in the middle of a text
static void expect_repeated(const char *head, const char *repeated, size_t count, const char *message)
{
    struct text text = {0};
    text_puts(&text, head);
    for (size_t i = 0; i < count; i++)
        text_puts(&text, repeated);
    expect_message(text_get(&text), text.length, message);
    text_free(&text);
}

START_TEST(depth_and_counts_are_bounded)
{
    expect_repeated(HEAD ".global .u32 x = ", "(", 100000, "the constant expression nests deeper than 64 levels");
    expect_repeated(HEAD ".global .u32 x = ", "-", 100000, "the constant expression nests deeper than 64 levels");
    expect_repeated(HEAD ".global .u32 x = ", "1?", 100000, "the constant expression nests deeper than 64 levels");
    expect_repeated(HEAD ".global .u32 x = ", "{", 100000, "the braces nest deeper than the array has dimensions");
    expect_repeated(HEAD ".entry k() ", "{", 100000, "scopes nest deeper than 64 levels");
    expect_repeated(HEAD ".entry k() { mov.u32 1", ",1", 100000, "more than 24 operands");
    expect_repeated(HEAD ".entry k() { mov.u32 {1", ",1", 100000, "more than 256 elements");
    expect_repeated(HEAD ".entry k(.param .u32 _", ", .param .u32 _", 100000, "more than 4096 parameters");
    expect_repeated(HEAD ".global .u32 x", "[1]", 100, "more than 8 dimensions");
    expect_repeated(HEAD ".global .u32 ", "x", 100000, "the name is longer than 8192 characters");
    expect_repeated(HEAD ".global .u8 x[0x3fffffff] = {1};", "\n", 1, "more than 64 MB of initial data");
    expect_repeated(HEAD ".global .u8 x[][0x3fffffff] = {{1}, {1", "", 0, "more than 64 MB of initial data");
}
END_TEST

Suite *suite_ptx_errors(void)
{
    Suite *suite = suite_create("ptx_errors");
    TCase *tables = tcase_create("tables");
    tcase_add_loop_test(tables, a_bad_module_is_refused_where_it_is_bad, 0, sizeof modules / sizeof *modules);
    tcase_add_loop_test(tables, a_bad_body_is_refused_where_it_is_bad, 0, sizeof bodies / sizeof *bodies);
    tcase_add_test(tables, a_huge_file_is_refused_at_once);
    tcase_add_test(tables, binary_data_is_refused_in_words);
    tcase_add_test(tables, depth_and_counts_are_bounded);
    suite_add_tcase(suite, tables);
    return suite;
}
