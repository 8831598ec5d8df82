#include <check.h>
#include <string.h>

#include "base/text.h"

#include "toolchain/compilation.h"
#include "toolchain/messages.h"
#include "toolchain/toolchain.h"

Suite *suite_messages(void);

static const char source[] = "__global__ void k(float *p)\n"
                             "{\n"
                             "    float q = z;\n"
                             "}\n"
                             "# include <curand_kernel.h> // of the toolkit\n";

static const struct messages_names names = {
    .main_name = "kernel.cu",
    .display = "exercises/padding.cu",
    .own_folder = "/home/ada/work",
    .display_folder = "exercises",
    .source = source,
};

// What a compiler printed, and the list that must come of it, one "file:line:column: severity: message" a line.
static const struct {
    const char *printed, *expected;
} cases[] = {
    // clang
    {"kernel.cu(2): error: kernel launch from __device__ or __global__ functions requires separate compilation mode\n",
     "exercises/padding.cu:2: error: a kernel launches another one (dynamic parallelism), which needs a GPU. The "
     "kernels that do "
     "not launch any run with --compiler-option=-rdc=true\n"},
    {"kernel.cu:3:15: error: use of undeclared identifier 'z'\n1 error generated when compiling for sm_86.\n",
     "exercises/padding.cu:3:15: error: use of undeclared identifier 'z'\n"},
    {"kernel.cu:3:15: error: use of undeclared identifier '__nv_new'\n",
     "exercises/padding.cu:3:15: error: use of undeclared identifier '__nv_new'. If CUDA has '__nv_new', nvcc knows it "
     "(--compiler nvcc): the lab's headers for clang do not\n"},
    {"kernel.cu(3): error: variable \"bankshot_launch\" has already been defined (previous definition at line 2)\n",
     "exercises/padding.cu:3: error: variable \"bankshot_launch\" has already been defined (previous definition at "
     "line "
     "2). That is what LAUNCH makes: keep one LAUNCH line\n"},
    {"kernel.cu:3:1: error: redefinition of 'bankshot_launch'\n",
     "exercises/padding.cu:3:1: error: redefinition of 'bankshot_launch'. That is what LAUNCH makes: keep one LAUNCH "
     "line\n"},
    {"kernel.cu(9): error: asm operand type size(8) does not match type/size implied by constraint 'r'\n",
     "exercises/padding.cu:9: error: asm operand type size(8) does not match type/size implied by constraint 'r': "
     "\"r\" "
     "is a register of 32 bits. Cast the operand to unsigned, or give it \"l\" where the instruction takes 64\n"},
    {"kernel.cu(3): error: texture is not a template\n",
     "exercises/padding.cu:3: error: texture is not a template. CUDA 12 took texture references out: give the kernel a "
     "cudaTextureObject_t parameter, and read it as tex1Dfetch<float>(t, i)\n"},
    {"kernel.cu:1:10: fatal error: cudla.h: No such file or directory\n",
     "exercises/padding.cu:1:10: error: cannot #include \"cudla.h\": no such header. The CUDA Toolkit that this nvcc "
     "is "
     "of does not have it\n"},
    {"kernel.cu:1:10: fatal error: cutting/tiles.h: No such file or directory\n",
     "exercises/padding.cu:1:10: error: cannot #include \"cutting/tiles.h\": no such header. -I DIR adds the "
     "folder that has it; if only host code needs it, put the kernel into a file of its own\n"},
    {"kernel.cu(2): error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag\n",
     "exercises/padding.cu:2: error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag: "
     "trace has it as --compiler-option=--extended-lambda\n"},
    {"kernel.cu:3:15: note: in instantiation of 'f<(lambda at kernel.cu:2:22)>' with T = (lambda at kernel.cu:2:22)\n",
     "exercises/padding.cu:3:15: note: in instantiation of 'f<(lambda at exercises/padding.cu:2:22)>' with T = (lambda "
     "at exercises/padding.cu:2:22)\n"},
    {"kernel.cu:3:15: error: unknown type name 'uintptr_t'; did you mean '__intptr_t'?\n",
     "exercises/padding.cu:3:15: error: unknown type name 'uintptr_t': #include <cstdint> declares it\n"},
    {"kernel.cu:3:15: error: use of undeclared identifier '__nv_bfloat162'; did you mean '__nv_bswap16'?\n",
     "exercises/padding.cu:3:15: error: use of undeclared identifier '__nv_bfloat162': #include <cuda_bf16.h> declares "
     "it\n"},
    {"kernel.cu(2): error: identifier \"FLT_MAX\" is undefined\n",
     "exercises/padding.cu:2: error: identifier \"FLT_MAX\" is undefined: #include <cfloat> declares it\n"},
    {"kernel.cu(2): error: identifier \"int8_total\" is undefined\n",
     "exercises/padding.cu:2: error: identifier \"int8_total\" is undefined\n"},
    {"kernel.cu(2): error: identifier \"concept\" is undefined\n",
     "exercises/padding.cu:2: error: identifier \"concept\" is undefined: C++20 has it (trace --std c++20)\n"},
    {"kernel.cu:1:10: fatal error: cannot open file '/opt/include/curand_kernel.h': Permission denied\n",
     "exercises/padding.cu:1:10: error: cannot #include \"/opt/include/curand_kernel.h\": no such header. It belongs "
     "to "
     "the CUDA Toolkit and needs nvcc; the lab's own for clang do not have it\n"},
    {"kernel.cu:5:11: fatal error: cannot open file '/opt/include/curand_kernel.h': Permission denied\n",
     "exercises/padding.cu:5:11: error: cannot #include \"curand_kernel.h\": no such header. It belongs to the CUDA "
     "Toolkit and needs nvcc; the lab's own for clang do not have it\n"},
    {"kernel.cu:5:11: fatal error: cannot open file '/opt/include/other_kernel.h': Permission denied\n",
     "exercises/padding.cu:5:11: error: cannot #include \"/opt/include/other_kernel.h\": only system headers and the "
     "lab's own may be included here\n"},
    {"./kernel.cu:2:1: warning: unused [-Wunused]\nkernel.cu:2:1: note: here\n",
     "exercises/padding.cu:2:1: warning: unused [-Wunused]\nexercises/padding.cu:2:1: note: here\n"},
    {"kernel.cu:1:10: fatal error: 'foo.h' file not found\n",
     "exercises/padding.cu:1:10: error: cannot #include \"foo.h\": no such header. -I DIR adds the folder that has "
     "it; if only host code needs it, put the kernel into a file of its own\n"},
    {"kernel.cu:1:10: fatal error: cannot open file '/etc/passwd': Permission denied\n",
     "exercises/padding.cu:1:10: error: cannot #include \"/etc/passwd\": only system headers and the lab's own may be "
     "included here\n"},
    {"In file included from kernel.cu:7:\n/usr/include/c++/12/vector:9:2: error: no member named 'x'\n",
     "exercises/padding.cu:7: error: in a header included here (/usr/include/c++/12/vector:9): no member named 'x'\n"},
    {"/usr/include/stdio.h:3:1: warning: something old\n", ""},
    {"/home/ada/work/tile.h:4:2: error: no\n", "exercises/tile.h:4:2: error: no\n"},
    {"error: cannot find CUDA installation\n", "error: cannot find CUDA installation\n"},
    {"clang: error: unable to execute command: Killed\n", ""},
    {"fatal error: error in backend: Cannot select: f16\n", "error: error in backend: Cannot select: f16\n"},
    // nvcc: the front end's column is the caret's, unless a macro changed the line
    {"kernel.cu(3): error: identifier \"z\" is undefined\n      float q = z;\n                ^\n\n"
     "1 error detected in the compilation of \"kernel.cu\".\n",
     "exercises/padding.cu:3:15: error: identifier \"z\" is undefined\n"},
    {"kernel.cu(1): error: expected a \")\"\n  __attribute__((global)) void k(float *p)\n                     ^\n",
     "exercises/padding.cu:1: error: expected a \")\"\n"},
    {"kernel.cu(3): warning #177-D: variable \"q\" was declared but never referenced\n      float q = z;\n            "
     "^\n\n"
     "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n",
     "exercises/padding.cu:3:11: warning: variable \"q\" was declared but never referenced\n"},
    {"kernel.cu(2): error: no instance of function \"f\" matches the argument list\n"
     "            argument types are: (int)\n",
     "exercises/padding.cu:2: error: no instance of function \"f\" matches the argument list; argument types are: "
     "(int)\n"},
    {"kernel.cu:1:10: fatal error: foo.h: No such file or directory\n    1 | #include \"foo.h\"\n      |          "
     "^~~~~~~\n"
     "compilation terminated.\n",
     "exercises/padding.cu:1:10: error: cannot #include \"foo.h\": no such header. -I DIR adds the folder that has "
     "it; if only host code needs it, put the kernel into a file of its own\n"},
    {"nvcc fatal   : Unsupported gpu architecture 'compute_10'\n",
     "error: nvcc: Unsupported gpu architecture 'compute_10'\n"},
    {"nvcc warning : Support for offline compilation for architectures prior to sm_75 will be removed\n", ""},
    {"ptxas fatal   : Unresolved extern function '_Z1fv'\n", "error: ptxas: Unresolved extern function '_Z1fv'\n"},
    {"ptxas kernel.ptx, line 12; error   : Unknown symbol 'x'\n", "error: ptxas: Unknown symbol 'x'\n"},
    {"ptxas kernel.ptx, line 9; error   : Instruction 'wgmma.fence' not supported on .target 'sm_90'\n",
     "error: ptxas: Instruction 'wgmma.fence' not supported on .target 'sm_90'; if it is that GPU's own, 'trace --arch "
     "sm_90a' has it\n"},
    {"ptxas kernel.ptx, line 9; error   : Instruction 'x' not supported on .target 'sm_86'\n",
     "error: ptxas: Instruction 'x' not supported on .target 'sm_86'\n"},
    {"ptxas\033[2J fatal   : no\n", "error: ptxas: no\n"},
    // hostile
    {"kernel.cu:1:2: error: \x1b]0;owned\a\x1b[31mred\n",
     "exercises/padding.cu:1:2: error: \\x1b]0;owned\\x07\\x1b[31mred\n"},
    {"kernel.cu:99999999999999999999:1: error: x\n", "kernel.cu:99999999999999999999:1: error: x\n"},
    {"kernel.cu:\nkernel.cu(\n:1:\n(1)\n::::\nerror\nerror:", "error: \n"},
};

START_TEST(both_compilers_speak_one_language)
{
    struct diagnostic_list list = {0};
    struct text all = {0};
    messages_parse(&names, cases[_i].printed, strlen(cases[_i].printed), &list);
    for (size_t i = 0; i < list.count; i++) {
        char line[1200];
        text_printf(&all, "%s\n", diagnostic_format(&list.items[i], line, sizeof line));
    }
    ck_assert_str_eq(text_get(&all), cases[_i].expected);
    text_free(&all);
    diagnostic_list_free(&list);
}
END_TEST

START_TEST(a_flood_of_messages_is_counted_not_kept)
{
    struct diagnostic_list list = {0};
    struct text flood = {0};
    for (int i = 0; i < 1000; i++)
        text_printf(&flood, "kernel.cu:%d:1: error: again\n", i);
    messages_parse(&names, text_get(&flood), flood.length, &list);
    ck_assert_uint_eq(list.count, TOOLCHAIN_DIAGNOSTICS_MAX + 1);
    ck_assert_str_eq(list.items[TOOLCHAIN_DIAGNOSTICS_MAX].message, "and 950 more messages");
    text_free(&flood);
    diagnostic_list_free(&list);
}
END_TEST

START_TEST(an_error_behind_a_flood_of_warnings_is_kept)
{
    struct diagnostic_list list = {0};
    struct text flood = {0};
    for (int i = 0; i < 100; i++)
        text_printf(&flood, "kernel.cu:%d:1: warning: again\n", i);
    text_puts(&flood, "kernel.cu:7:1: error: the cause\nkernel.cu:8:1: error: and another\n");
    messages_parse(&names, text_get(&flood), flood.length, &list);
    ck_assert_uint_eq(list.count, TOOLCHAIN_DIAGNOSTICS_MAX + 1);
    ck_assert_str_eq(list.items[0].message, "again");
    ck_assert_str_eq(list.items[TOOLCHAIN_DIAGNOSTICS_MAX - 2].message, "the cause");
    ck_assert_str_eq(list.items[TOOLCHAIN_DIAGNOSTICS_MAX - 1].message, "and another");
    ck_assert_str_eq(list.items[TOOLCHAIN_DIAGNOSTICS_MAX].message, "and 52 more messages");
    text_free(&flood);
    diagnostic_list_free(&list);
}
END_TEST

// Stores of line 2 of the source, and whether a note says so.
static const struct {
    const char *line, *stores;
    const char *name; // of the vector that is stored in parts; NULL: none is
} parts[] = {
    {"*(float4 *)p = v;",
     "st.global.f32 [%rd1], %f1;\nst.global.f32 [%rd1+4], %f2;\nst.global.f32 [%rd1+8], %f3;\nst.global.f32 "
     "[%rd1+12], %f4;\n",
     "float4"},
    {"*(uint2 *)p = v;", "st.global.u32 [%rd1+-4], %r1;\nadd.s32 %r1, %r1, 1;\nst.global.u32 [%rd1], %r2;\n", "uint2"},
    {"*(float4 *)p = v;", "st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};\n", NULL},
    {"*(float4 *)p = v;", "st.global.f32 [%rd1], %f1;\nst.global.f32 [%rd1+4], %f2;\n", NULL},
    {"p[0] = a; p[1] = b;", "st.global.f32 [%rd1], %f1;\nst.global.f32 [%rd1+4], %f2;\n", NULL},
    {"*(float2 *)p = v;", "st.global.f32 [%rd1], %f1;\nst.global.f32 [%rd2+4], %f2;\n", NULL},
    {"*(float2 *)p = v;", "st.global.f32 [%rd1], %f1;\nst.global.f32 [%rd1+128], %f2;\n", NULL},
    {"*(float2 *)p = v;", "st.global.f32 [%rd1], %f1;\n.loc 1 3 1\nst.global.f32 [%rd1+4], %f2;\n", NULL},
};

START_TEST(a_vector_that_is_stored_in_parts_is_noted)
{
    struct compile_result result = {.display = "a.cu"};
    struct text code = {0}, ptx = {0};
    text_printf(&code, "//\n%s\n//\n", parts[_i].line);
    text_printf(&ptx, ".loc 1 2 5\n%s.file\t1 \"a.cu\"\n", parts[_i].stores);
    result.source = code.data;
    result.ptx = ptx.data;
    compilation_note_parts(&result);
    ck_assert_uint_eq(result.diagnostics.count, parts[_i].name ? 1 : 0);
    for (size_t i = 0; i < result.diagnostics.count; i++) {
        ck_assert_int_eq(result.diagnostics.items[i].line, 2);
        ck_assert_ptr_nonnull(strstr(result.diagnostics.items[i].message, parts[_i].name));
    }
    compile_result_free(&result);
}
END_TEST

Suite *suite_messages(void)
{
    Suite *suite = suite_create("messages");
    TCase *tests = tcase_create("messages");
    tcase_add_loop_test(tests, both_compilers_speak_one_language, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, a_flood_of_messages_is_counted_not_kept);
    tcase_add_test(tests, an_error_behind_a_flood_of_warnings_is_kept);
    tcase_add_loop_test(tests, a_vector_that_is_stored_in_parts_is_noted, 0, sizeof parts / sizeof *parts);
    suite_add_tcase(suite, tests);
    return suite;
}
