#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/skip.h"
#include "base/process.h"
#include "toolchain/ptxas.h"
#include "toolchain/toolchain.h"

Suite *suite_ptxas(void);

static char folder[64];

static const char *path(const char *name)
{
    static char text[128];
    snprintf(text, sizeof text, "%s/%s", folder, name);
    return text;
}

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/bankshot-ptxas-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
}

static void run_program(const char *const argv[])
{
    struct process_options options = {.argv = argv};
    struct process_result result;
    process_run(&options, &result, NULL);
    process_result_free(&result);
}

static void remove_folder(void)
{
    const char *const argv[] = {"/bin/rm", "-rf", folder, NULL};
    run_program(argv);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("BANKSHOT_PTXAS");
    unsetenv("BANKSHOT_NVCC");
}

static void put_program(const char *name, const char *script)
{
    FILE *file = fopen(path(name), "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\n%s", script);
    fclose(file);
    ck_assert_int_eq(chmod(path(name), 0700), 0);
}

// A stand-in that lists what ptxas 13.0 lists for two kernels, and the .target line as a warning.
#define LISTING                                                                                                        \
    "grep '^.target' kernel.ptx >&2\ncat >&2 <<END\n"                                                                  \
    "ptxas info    : 0 bytes gmem, 24 bytes cmem[3]\n"                                                                 \
    "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"                                                   \
    "ptxas info    : Function properties for other\n"                                                                  \
    "    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"                                             \
    "ptxas info    : Used 255 registers, used 1 barriers, 8 bytes cumulative stack size\n"                             \
    "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"                                                  \
    "ptxas info    : Function properties for kernel\n"                                                                 \
    "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"                                          \
    "ptxas info    : Used 42 registers, used 1 barriers, 16 bytes cumulative stack size, 4224 bytes smem\n"            \
    "END\n"

static const char ptx[] = "// made up\n.version 8.0\n.target sm_90\n.address_size 64\n";

static bool ask(const char *text, const char *entry, unsigned sm, struct device_resources *resources)
{
    struct ptxas *ptxas = ptxas_start(text, strlen(text), entry, sm);
    bool good = ptxas_wait(ptxas, resources);
    ck_assert_int_eq(ptxas_wait(ptxas, resources), good);
    ptxas_free(ptxas);
    return good;
}

START_TEST(the_kernels_own_section_is_read)
{
    struct device_resources resources;
    put_program("ptxas", LISTING);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    ck_assert(ask(ptx, "kernel", 90, &resources));
    ck_assert_uint_eq(resources.registers, 42);
    ck_assert_uint_eq(resources.stack, 16);
    ck_assert_uint_eq(resources.spill_stores, 12);
    ck_assert_uint_eq(resources.spill_loads, 20);
    ck_assert_uint_eq(resources.static_shared, 4224);
    ck_assert(ask(ptx, "other", 90, &resources));
    ck_assert_uint_eq(resources.registers, 255);
    ck_assert_uint_eq(resources.static_shared, 0);
    ck_assert(!ask(ptx, "third", 90, &resources));
}
END_TEST

START_TEST(the_same_question_is_answered_from_the_cache)
{
    struct device_resources resources = {0};
    put_program("ptxas", LISTING);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    struct stat before;
    ck_assert_int_eq(stat(path("ptxas"), &before), 0);
    ck_assert(ask(ptx, "kernel", 90, &resources));
    // The same program by path, size and time, that now fails: only the cache can answer.
    char script[sizeof LISTING];
    memcpy(script, LISTING, sizeof script);
    memcpy(script, "exit 1\n", 7);
    put_program("ptxas", script);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, path("ptxas"), times, 0), 0);
    resources.registers = 0;
    ck_assert(ask(ptx, "kernel", 90, &resources));
    ck_assert_uint_eq(resources.registers, 42);
    ck_assert(!ask(ptx, "kernel", 80, &resources));
    char other[sizeof ptx];
    memcpy(other, ptx, sizeof ptx);
    other[3] = 'M';
    ck_assert(!ask(other, "kernel", 90, &resources));
}
END_TEST

// Replaces the program by another one of the same path, size and time, and asks again: true if the cache answered.
static bool is_kept(const char *first)
{
    struct device_resources resources = {0};
    char script[sizeof LISTING];
    struct stat before;
    memcpy(script, LISTING, sizeof script);
    memcpy(script, first, strlen(first));
    put_program("ptxas", script);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    ck_assert_int_eq(stat(path("ptxas"), &before), 0);
    ck_assert(!ask(ptx, "kernel", 90, &resources));
    bool refused = resources.refused;
    put_program("ptxas", LISTING);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, path("ptxas"), times, 0), 0);
    bool kept = !ask(ptx, "kernel", 90, &resources);
    ck_assert(resources.refused == kept && refused == kept);
    return kept;
}

START_TEST(what_ptxas_has_against_the_ptx_is_kept_and_nothing_else_that_it_fails_by)
{
    ck_assert(!is_kept("echo ptxas fatal: Memory allocation failure >&2; exit 1\n"));
    setenv("XDG_CACHE_HOME", path("other"), 1);
    ck_assert(!is_kept("echo 'ptxas kernel.ptx, line 4; error   : no' >&2; kill $$\n"));
    setenv("XDG_CACHE_HOME", path("third"), 1);
    ck_assert(is_kept("echo 'ptxas kernel.ptx, line 4; error   : no' >&2; exit 1\n"));
    char said[16];
    struct device_resources resources;
    struct ptxas *ptxas = ptxas_start(ptx, strlen(ptx), "kernel", 90); // from the cache
    ck_assert_ptr_nonnull(ptxas);
    ck_assert(!ptxas_wait(ptxas, &resources));
    ck_assert(ptxas_refusal(ptxas, said, sizeof said));
    ck_assert_str_eq(said, "no");
    ptxas_free(ptxas);
}
END_TEST

#define CODE(place, name, more)                                                                                        \
    ".version 8.0\n.target sm_90\n.address_size 64\n" place ".visible .entry kernel()\n{\n" more "\tret;\n}\n" name
#define SECTION(name) "\t.section\t.debug_str\n\t{\n$L__info_string0:\n.b8 " name "\n\t}\n"

// What only tells debuggers where code comes from changes with a comment and a path; what may be code does not count as
// that, however it is written.
static const struct {
    const char *text;
    bool is_same;
} sources[] = {
    {CODE("", "", ""), true},
    {CODE("\t.file\t1 \"another.cu\"\n", SECTION("7,8,9"),
          "\t.loc\t1 12 3, function_name $L__info_string0, inlined_at 1 2 3\n"),
     true},
    {CODE("", "", "\tbar.sync 0;\n"), false},
    {CODE("", "", "\t.loc 1 1 1 bar.sync 0;\n"), false},
    {CODE("", "", "\t.loc 1 1 1 {\n\tbar.sync 0; }\n"), false},
    {CODE("", "", "/*\n\t.loc 1 1 1 */\n"), false},
    {CODE("", "\t.section .debug_str\n\t{\n.b8 1 }\n.func f() { ret; }\n.func g()\n{\nret;\n}\n", ""), false},
    {CODE("", "\t.section .debug_str\n\t{\n.func f() {\nret;\n}\n", ""), false},
    {CODE("", "\t.section .other\n\t{\n.b8 1\n}\n", ""), false},
    {CODE("", "\t.section .debug_str\n\t{\n.b8 1\n", ""), false},
};

START_TEST(only_what_changes_code_needs_a_new_answer)
{
    struct device_resources resources = {0};
    put_program("ptxas", LISTING);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    struct stat before;
    ck_assert_int_eq(stat(path("ptxas"), &before), 0);
    ck_assert(ask(CODE("\t.file\t1 \"one.cu\"\n", SECTION("1,2"), "\t.loc\t1 10 5\n"), "kernel", 90, &resources));
    char script[sizeof LISTING];
    memcpy(script, LISTING, sizeof script);
    memcpy(script, "exit 1\n", 7);
    put_program("ptxas", script);
    const struct timespec times[2] = {before.st_atim, before.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, path("ptxas"), times, 0), 0);
    ck_assert_msg(ask(sources[_i].text, "kernel", 90, &resources) == sources[_i].is_same, "%s", sources[_i].text);
}
END_TEST

static const struct {
    const char *what, *script;
} failing[] = {
    {"fails", "exit 255\n"},
    {"says nothing", "exit 0\n"},
    {"says something else", "echo ptxas info : Used many registers >&2\n"},
    {"counts more than a thread can have", "echo 'ptxas info    : Function properties for kernel' >&2\necho 'ptxas "
                                           "info    : Used 4000000000 registers' >&2\n"},
    {"crashes", "kill -SEGV $$\n"},
};

START_TEST(without_an_answer_nothing_breaks)
{
    struct device_resources resources;
    put_program("ptxas", failing[_i].script);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    ck_assert_msg(!ask(ptx, "kernel", 90, &resources), "%s", failing[_i].what);
}
END_TEST

// Then an estimate must not stand for the answer.
START_TEST(what_the_machine_did_is_told)
{
    struct device_resources resources;
    put_program("ptxas", "kill -KILL $$\n");
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    setenv("TMPDIR", folder, 1);
    struct ptxas *ptxas = ptxas_start(ptx, strlen(ptx), "kernel", 90);
    ck_assert(!ptxas_wait(ptxas, &resources));
    ck_assert_ptr_nonnull(ptxas_fault(ptxas));
    ck_assert_ptr_nonnull(strstr(ptxas_fault(ptxas)->message, "ptxas was killed from outside"));
    ptxas_free(ptxas);
    // who tidies up in the temporary folder takes the compiler's files away
    char tidy[300];
    snprintf(tidy, sizeof tidy,
             "until ls %s/bankshot-compile-*/started >/dev/null 2>&1; do :; done; rm -rf %s/bankshot-compile-*", folder,
             folder);
    const char *const argv[] = {"/bin/sh", "-c", tidy, NULL};
    put_program("ptxas", ": >started\nwhile [ -e kernel.ptx ]; do :; done\nexit 255\n");
    ptxas = ptxas_start(ptx, strlen(ptx), "kernel", 90);
    run_program(argv);
    ck_assert(!ptxas_wait(ptxas, &resources));
    ck_assert_ptr_nonnull(ptxas_fault(ptxas));
    ck_assert_ptr_nonnull(strstr(ptxas_fault(ptxas)->message, "ptxas lost its folder"));
    ptxas_free(ptxas);
    put_program("ptxas", "exit 255\n");
    ptxas = ptxas_start(ptx, strlen(ptx), "kernel", 90);
    ck_assert(!ptxas_wait(ptxas, &resources));
    ck_assert_ptr_null(ptxas_fault(ptxas));
    ptxas_free(ptxas);
}
END_TEST

START_TEST(no_ptxas_is_no_answer)
{
    struct device_resources resources;
    char text[128];
    setenv("BANKSHOT_PTXAS", "", 1);
    ck_assert(!ptxas_find(text, sizeof text));
    ck_assert_ptr_null(ptxas_start(ptx, strlen(ptx), "kernel", 90));
    ck_assert(!ptxas_wait(NULL, &resources));
    ptxas_free(NULL);
    setenv("BANKSHOT_PTXAS", path("nowhere"), 1);
    ck_assert(!ptxas_find(text, sizeof text));
}
END_TEST

START_TEST(a_run_that_nobody_waits_for_is_stopped)
{
    put_program("ptxas", "sleep 100\n");
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    struct ptxas *ptxas = ptxas_start(ptx, strlen(ptx), "kernel", 90);
    ck_assert_ptr_nonnull(ptxas);
    ptxas_free(ptxas);
}
END_TEST

// What ptxas is asked: its arguments and the .target that it finds, as "registers".
static const struct {
    const char *target;
    unsigned sm;
    const char *arch, *written;
} aims[] = {
    {"sm_90", 90, "-arch=sm_90", ".target sm_90"},    {"sm_80", 90, "-arch=sm_90", ".target sm_80"},
    {"sm_90", 80, "-arch=sm_80", ".target sm_80"},    {"sm_90a", 90, "-arch=sm_90a", ".target sm_90a"},
    {"sm_100a", 90, "-arch=sm_90", ".target sm_90a"}, {"sm_75, debug", 80, "-arch=sm_80", ".target sm_75, debug"},
};

START_TEST(ptx_is_assembled_for_the_gpu_that_is_modelled)
{
    char text[256], script[1200];
    struct device_resources resources;
    snprintf(text, sizeof text, ".version 8.0\n.target %s\n.address_size 64\n", aims[_i].target);
    snprintf(script, sizeof script,
             "test \"$2\" = '%s' || exit 1\ntest \"$(grep target kernel.ptx)\" = '%s' || exit 1\n" LISTING,
             aims[_i].arch, aims[_i].written);
    put_program("ptxas", script);
    setenv("BANKSHOT_PTXAS", path("ptxas"), 1);
    ck_assert_msg(ask(text, "kernel", aims[_i].sm, &resources), "%s for sm_%u", aims[_i].target, aims[_i].sm);
}
END_TEST

START_TEST(the_real_one_counts_registers)
{
    char where[256];
    struct toolchain toolchain;
    struct compile_result compiled;
    struct device_resources resources;
    static const char source[] = "extern \"C\" __global__ void twice(float *x) { __shared__ float s[64];\n"
                                 "s[threadIdx.x] = x[threadIdx.x]; __syncthreads();\n"
                                 "x[threadIdx.x] = 2 * s[63 - threadIdx.x]; }\n";
    if (!ptxas_find(where, sizeof where) || toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, NULL) != STATUS_OK) {
        skip_check("no ptxas");
        return;
    }
    struct compile_request request = {.path = "twice.cu", .source = source, .source_length = sizeof source - 1};
    ck_assert_int_eq(toolchain_compile(&toolchain, &request, &compiled, NULL), STATUS_OK);
    ck_assert(ask(compiled.ptx, "twice", 90, &resources));
    ck_assert_uint_ge(resources.registers, 4);
    ck_assert_uint_le(resources.registers, 32);
    ck_assert_uint_eq(resources.static_shared, 256);
    ck_assert_uint_eq(resources.spill_stores, 0);
    compile_result_free(&compiled);
}
END_TEST

// Each run of the stand-in for nvcc leaves a letter.
START_TEST(a_compilers_version_is_asked_once)
{
    struct toolchain toolchain;
    struct stat info;
    char script[300];
    snprintf(script, sizeof script, "printf x >> %s/runs\necho 'Cuda compilation tools, release 12.4, V12.4.1'\n",
             folder);
    put_program("nvcc", script);
    setenv("BANKSHOT_NVCC", path("nvcc"), 1);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(toolchain_find(TOOLCHAIN_NVCC, NULL, &toolchain, NULL), STATUS_OK);
        ck_assert_str_eq(toolchain.label, "nvcc 12.4");
    }
    ck_assert_int_eq(stat(path("runs"), &info), 0);
    ck_assert_int_eq(info.st_size, 1);
    put_program("nvcc", "echo 'Cuda compilation tools, release 13.1, V13.1.0'\n"); // another one now
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_NVCC, NULL, &toolchain, NULL), STATUS_OK);
    ck_assert_str_eq(toolchain.label, "nvcc 13.1");
}
END_TEST

Suite *suite_ptxas(void)
{
    Suite *suite = suite_create("ptxas");
    TCase *tests = tcase_create("ptxas");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, the_kernels_own_section_is_read);
    tcase_add_test(tests, the_same_question_is_answered_from_the_cache);
    tcase_add_test(tests, what_ptxas_has_against_the_ptx_is_kept_and_nothing_else_that_it_fails_by);
    tcase_add_loop_test(tests, only_what_changes_code_needs_a_new_answer, 0, sizeof sources / sizeof *sources);
    tcase_add_loop_test(tests, without_an_answer_nothing_breaks, 0, sizeof failing / sizeof *failing);
    tcase_add_test(tests, what_the_machine_did_is_told);
    tcase_add_test(tests, no_ptxas_is_no_answer);
    tcase_add_test(tests, a_run_that_nobody_waits_for_is_stopped);
    tcase_add_loop_test(tests, ptx_is_assembled_for_the_gpu_that_is_modelled, 0, sizeof aims / sizeof *aims);
    tcase_add_test(tests, the_real_one_counts_registers);
    tcase_add_test(tests, a_compilers_version_is_asked_once);
    suite_add_tcase(suite, tests);
    return suite;
}
