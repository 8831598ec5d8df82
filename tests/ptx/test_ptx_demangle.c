#include <check.h>
#include <string.h>

#include "ptx/ptx.h"

Suite *suite_ptx_demangle(void);

static const struct {
    const char *name, *demangled;
} names[] = {
    {"_Z8copy_f32PfPKfi", "copy_f32(float*, float const*, int)"},
    {"_Z7copy_f4P6float4PKS_i", "copy_f4(float4*, float4 const*, int)"},
    {"_Z7tr_tileILi1ELi32EEvPfPKfi", "tr_tile<1, 32>(float*, float const*, int)"},
    {"_ZZ7tr_tileILi1ELi32EEvPfPKfiE1t", "tr_tile<1, 32>(float*, float const*, int)::t"},
    {"_ZZ4kernPfE1s_0", "kern(float*)::s"},
    {"_ZZ4kernPfE1s__12_", "kern(float*)::s"},
    {"_ZN2ns4kernILb1EfEEvPT0_S2_", "ns::kern<true, float>(float*, float*)"},
    {"_ZN2ns4kernILb0EEEvv", "ns::kern<false>()"},
    {"_ZN12_GLOBAL__N_14kernEPf", "(anonymous namespace)::kern(float*)"},
    {"_ZN39_GLOBAL__N__2336986d_9_ladder_cu_fb8b5e4kernEPf", "(anonymous namespace)::kern(float*)"},
    {"_ZN39_INTERNAL_2336986d_9_ladder_cu_fb8b5eaa9atomicAddEPff", "atomicAdd(float*, float)"},
    {"_ZN6nvcuda12experimental19__pipeline_internal21pipeline_memcpy_asyncILm16ELm16EEEvPvPKv",
     "nvcuda::experimental::__pipeline_internal::pipeline_memcpy_async<16ul, 16ul>(void*, void const*)"},
    {"_ZN3cub11BlockReduceIfLi256ELNS_20BlockReduceAlgorithmE1ELi1ELi1EE3SumEf",
     "cub::BlockReduce<float, 256, (cub::BlockReduceAlgorithm)1, 1, 1>::Sum(float)"},
    {"_Z4kernIN4cuda3std3__45arrayIfLm4EEES4_EvT_T0_PS5_",
     "kern<cuda::std::__4::array<float, 4ul>, cuda::std::__4::array<float, 4ul>>(cuda::std::__4::array<float, 4ul>, "
     "cuda::std::__4::array<float, 4ul>, cuda::std::__4::array<float, 4ul>*)"},
    {"_Z1fPFvfE", "f(void (*)(float))"},
    {"_Z1fRA4_f", "f(float (&) [4])"},
    {"_Z1fRA4_A5_Kf", "f(float const (&) [4][5])"},
    {"_Z1fM1AFviE", "f(void (A::*)(int))"},
    {"_Z1fPPKPVi", "f(int volatile* const**)"},
    {"_Z3fooILc65ELj3ELl4ELm5EEvv", "foo<(char)65, 3u, 4l, 5ul>()"},
    {"_Z1fIRfiOjEvOT_RT0_RT1_", "f<float&, int, unsigned int&&>(float&, int&, unsigned int&)"},
    {"_ZN1AIXT_EEC2Ev", "_ZN1AIXT_EEC2Ev"},
    {"_ZTV6circle", "vtable for circle"},
    {"_Z1kILin5EEvv", "k<-5>()"},
    {"_Z1kIJifdEEvDpT_", "k<int, float, double>(int, float, double)"},
    {"_Z3barIXadL_Z3foovEEEvv", "bar<&(foo())>()"},
    {"_Z3runI4addfEvT_Pf", "run<addf>(addf, float*)"},
    {"_Z3abcIZ4mainEUlvE_EvT_", "abc<main::{lambda()#1}>(main::{lambda()#1})"},
    {"_ZZ4mainENKUlifE0_clEif", "main::{lambda(int, float)#2}::operator()(int, float) const"},
    {"_ZL4kernPf", "kern(float*)"},
    {"_ZN1A1BC1Ev", "A::B::B()"},
    {"_ZN1A1BD1Ev", "A::B::~B()"},
    {"_ZN1AcvfEv", "A::operator float()"},
    {"_ZNK1AplERKS_", "A::operator+(A const&) const"},
    {"_ZNSt4pairIifEC2Ev", "std::pair<int, float>::pair()"},
    {"_Z1gPU3AS1f", "g(float AS1*)"},
    {"_Z1gDv4_fDhDF16_u6__bf16", "g(float __vector(4), half, _Float16, __bf16)"},
    {"_Z1gmxyabstjwnoez",
     "g(unsigned long, long long, unsigned long long, signed char, bool, short, unsigned short, unsigned int, wchar_t, "
     "__int128, unsigned __int128, long double, ...)"},
    {"_Z7weights", "weights"},
    {"_Z4kernPf.kd", "kern(float*)"},
    {"_ZN2ns1xE", "ns::x"},
    {"_Z1fILDn0EEvv", "f<(decltype(nullptr))0>()"},
    {"_Z1fILf3f800000EEvv", "f<(float)[3f800000]>()"},
    {"_Z1fIL_Z3barfEEvv", "f<bar(float)>()"},
    {"_Z1fIXLi3EEEvv", "f<3>()"},
    {"_Z1fB5cxx11v", "f[abi:cxx11]()"},
    {"_Z1frPf", "f(float* restrict)"},
    {"_Z1fRVA3_i", "f(int volatile (&) [3])"},
    {"_Z1fN1AIiEES_IfE", "f(A<int>, A<float>)"},
    {"_Z1fIi1AEvT0_IT_E", "f<int, A>(A<int>)"},
    {"_ZZ1fvEd0_1x", "f()::{default arg#2}::x"},
    {"_ZZ1fvEs", "f()::string literal"},
    {"_ZNT_1xE", "_ZNT_1xE"},
    // left as they stand
    {"_Z1fA4f", "_Z1fA4f"},
    {"_Z1fDv4f", "_Z1fDv4f"},
    {"_Z1fDzf", "_Z1fDzf"},
    {"_Z1fFvi", "_Z1fFvi"},
    {"_Z1fT", "_Z1fT"},
    {"_ZZ1fv", "_ZZ1fv"},
    {"_ZNUlvE", "_ZNUlvE"},
    {"_ZNUxE", "_ZNUxE"},
    {"_Z1fIXplLi3ELi4EEEvv", "f<(3)+(4)>()"},
    {"transpose", "transpose"},
    {"__cuda_local_var", "__cuda_local_var"},
    {"", ""},
    {"_Z", "_Z"},
    {"_ZN", "_ZN"},
    {"_ZN1A", "_ZN1A"},
    {"_Z99abc", "_Z99abc"},
    {"_Z999999999999999999999abc", "_Z999999999999999999999abc"},
    {"_Z1fS_", "_Z1fS_"},
    {"_Z1fS99999999_", "_Z1fS99999999_"},
    {"_Z1fI", "_Z1fI"},
    {"_Z1fILi", "_Z1fILi"},
    {"_Z8copy_f32PfPKfi_param_0", "_Z8copy_f32PfPKfi_param_0"},
    {"_ZDTplfp_fp_E", "_ZDTplfp_fp_E"},
};

START_TEST(a_name_reads_as_in_the_source)
{
    char text[1024];
    ck_assert_ptr_eq(ptx_demangle(names[_i].name, text, sizeof text), text);
    ck_assert_str_eq(text, names[_i].demangled);
}
END_TEST

START_TEST(a_short_buffer_is_filled_and_ended)
{
    char text[8];
    ck_assert_str_eq(ptx_demangle("_Z8copy_f32PfPKfi", text, sizeof text), "copy_f3");
}
END_TEST

START_TEST(names_that_double_again_and_again_are_left)
{
    // Each argument is a template of the last one twice: the text would double with every step.
    char name[2048] = "_Z1fI1AIiiE", text[4096];
    for (int i = 0; i < 60; i++)
        strcat(name, i % 2 ? "1AIS0_S0_E" : "1BIS1_S1_E");
    strcat(name, "Evv");
    ptx_demangle(name, text, sizeof text);
    memset(name, 'P', 2000);
    memcpy(name, "_Z1f", 4);
    name[2000] = '\0';
    ck_assert_str_eq(ptx_demangle(name, text, sizeof text), name);
}
END_TEST

Suite *suite_ptx_demangle(void)
{
    Suite *suite = suite_create("ptx_demangle");
    TCase *table = tcase_create("names");
    tcase_add_loop_test(table, a_name_reads_as_in_the_source, 0, sizeof names / sizeof *names);
    tcase_add_test(table, a_short_buffer_is_filled_and_ended);
    tcase_add_test(table, names_that_double_again_and_again_are_left);
    suite_add_tcase(suite, table);
    return suite;
}
