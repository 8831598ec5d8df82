// Sources that mean harm, or look so: each gets one clear verdict, nothing is left running, and no byte that a terminal
// acts on comes through.
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/skip.h"
#include "base/process.h"
#include "toolchain/toolchain.h"

Suite *suite_hostile(void);

#define KERNEL "__global__ void k(int *p) { *p = 1; }\n"

static struct toolchain clang, nvcc;
static bool has_nvcc;
static char folder[64];

static void set_up(void)
{
    struct diagnostic diagnostic;
    snprintf(folder, sizeof folder, "/tmp/bankshot-hostile-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("TMPDIR", folder, 1);
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_CLANG, NULL, &clang, &diagnostic), STATUS_OK);
    has_nvcc = toolchain_find(TOOLCHAIN_NVCC, NULL, &nvcc, &diagnostic) == STATUS_OK;
    prctl(PR_SET_CHILD_SUBREAPER, 1); // what escapes from below becomes ours, and is seen
}

// The fixture runs in the test runner itself, so it leaves nothing changed.
static void tear_down(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("TMPDIR");
    const char *argv[] = {"/bin/rm", "-rf", folder, NULL};
    struct process_options options = {.argv = argv};
    struct process_result result;
    process_run(&options, &result, NULL);
    process_result_free(&result);
}

static void check_harmless(const struct compile_result *result)
{
    ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a process was left behind");
    for (size_t i = 0; i < result->diagnostics.count; i++) {
        char line[1200];
        diagnostic_format(&result->diagnostics.items[i], line, sizeof line);
        for (const char *byte = line; *byte; byte++)
            ck_assert_msg((unsigned char)*byte >= 0x20 && *byte != 0x7f, "a control byte in: %s", line);
        ck_assert_msg(!strstr(line, "root:"), "the content of a file came through: %s", line);
    }
    struct stat info; // every private folder is gone: only the cache is left
    ck_assert_int_eq(stat(folder, &info), 0);
    ck_assert_uint_le(info.st_nlink, 3);
}

// says: a part of the message of the first error; NULL = it compiles, harmlessly
struct hostile {
    const char *source, *says;
};

static const struct hostile by_all[] = {
    {"__global__ void k(int *p) { *p = 1 }\n", "expected"},
    // words of a compiler that cannot work here
    {"static_assert(false, \"a\\nunsupported GNU version\\nb\");\n" KERNEL, "ssert"},
    {"static_assert(false, \"a\\nunsupported CUDA gpu architecture\\nb\");\n" KERNEL, "ssert"},
    {"static_assert(false, \"a\\nNo space left on device\\nToo many open files\\nb\");\n" KERNEL, "ssert"},
    {"#include \"/etc/passwd\"\n" KERNEL, "only system headers and the lab's own"},
    {"#include </etc/passwd>\n" KERNEL, "only system headers and the lab's own"},
    {"#include <../../etc/passwd>\n" KERNEL, "only system headers and the lab's own"},
    {"#include \"/proc/self/environ\"\n" KERNEL, "only system headers and the lab's own"},
    {"#include \"/dev/tty\"\n" KERNEL, "only system headers and the lab's own"},
    {"#include_next \"passwd\"\n" KERNEL, "no such header"},
    {"#if __has_include(\"/etc/passwd\")\n#error it is there\n#endif\n" KERNEL, "only system headers"},
    {"#error \x1b[31mred \x1b]0;owned\a\n" KERNEL, "red"},
    {"#warning \x1b[2J\n" KERNEL, NULL},
    {"#line 1 \"\x1b[31m/etc/shadow\"\nint x = ;\n" KERNEL, "expected"},
    {"#include __FILE__\n" KERNEL, "nested"},
    {"constexpr int f() { int i = 0; while (true) i = (i + 1) % 7; return i; }\nconstexpr int x = f();\n"
     "__global__ void k(int *p) { *p = x; }\n",
     "const"},
    {"#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(x))))))))\n__global__ void k(int *p) { B(*p += "
     "1;) }\n",
     "stopped"},
    {"#undef __global__\n" KERNEL, ""},
    {"__global__ void k(int *p) { oops(\"out of memory, internal error\"); }\n", "oops"},
    {"__attribute__((constructor)) void start() { __builtin_trap(); }\n" KERNEL, NULL},
};

#define FIFTY "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwx"
static const struct hostile by_clang[] = {
    {"#pragma clang __debug crash\n" KERNEL, "crashed"},
    {"template <int N, int M> struct F { static const int v = F<N - 1, M * 2>::v + F<N - 1, M * 2 + 1>::v; };\n"
     "template <int M> struct F<0, M> { static const int v = 1; };\n"
     "__global__ void k(int *p) { *p = F<40, 0>::v; }\n",
     "stopped after"},
    {"template <int N> struct A { typename A<N + 1>::t a; typedef A t; };\n__global__ void k(int *p) { *p = A<0>::v; "
     "}\n",
     "depth"},
    {"__device__ const unsigned char c[] = {\n#embed \"/etc/passwd\"\n};\n__global__ void k(int *p) { *p = c[3]; }\n",
     ""},
    {"__global__ void k(int *p) { asm volatile(\".incbin \\\"/etc/passwd\\\"\"); *p = 1; }\n", NULL},
    {"asm(\".incbin \\\"/etc/passwd\\\"\");\n" KERNEL, NULL},
    // 10 million characters, none of them zero: newer compilers leave out the zeros at an array's end
    {"#define A(x) x x x x x x x x x x\n#define S \"" FIFTY FIFTY "\"\n__global__ void k(const char **p) { *p = "
     "A(A(A(A(A(S))))); }\n",
     "stopped because it wrote"},
};

static void try_source(const struct toolchain *toolchain, const struct hostile *hostile)
{
    struct compile_request request = {.path = "k.cu",
                                      .source = hostile->source,
                                      .source_length = strlen(hostile->source),
                                      .no_cache = true,
                                      .wall_limit = 45,
                                      .memory_limit = 700 << 20};
    if (hostile->says && strcmp(hostile->says, "stopped after") == 0)
        request.wall_limit = 1;
    struct compile_result result;
    struct diagnostic diagnostic = {0};
    enum status status = toolchain_compile(toolchain, &request, &result, &diagnostic);
    // On a machine that is busy with other work, an endless one may be that one's fault: no mark either.
    bool is_busy = status == STATUS_ENVIRONMENT && strstr(diagnostic.message, "busy") && request.wall_limit == 1;
    if (is_busy) {
        compile_result_free(&result);
        return;
    }
    ck_assert_msg(status == (hostile->says ? STATUS_COMPILE : STATUS_OK), "%s: %s", status_name(status),
                  diagnostic.message);
    if (hostile->says)
        ck_assert_msg(strstr(diagnostic.message, hostile->says), "said: %s", diagnostic.message);
    else
        ck_assert_ptr_null(strstr(result.ptx, "root:"));
    check_harmless(&result);
    compile_result_free(&result);
}

START_TEST(clang_gives_a_verdict)
{
    try_source(&clang, &by_all[_i]);
}
END_TEST

START_TEST(nvcc_gives_a_verdict)
{
    if (has_nvcc)
        try_source(&nvcc, &by_all[_i]);
    else
        skip_check("no nvcc");
}
END_TEST

START_TEST(clang_alone_gives_a_verdict)
{
    try_source(&clang, &by_clang[_i]);
}
END_TEST

START_TEST(a_flood_of_errors_is_cut)
{
    struct text source = {0};
    for (int i = 0; i < 60000; i++)
        text_printf(&source, "x%d;\n", i);
    struct compile_request request = {.path = "k.cu", .source = source.data, .source_length = source.length};
    struct compile_result result;
    struct diagnostic diagnostic;
    ck_assert_int_eq(toolchain_compile(&clang, &request, &result, &diagnostic), STATUS_COMPILE);
    ck_assert_uint_le(result.diagnostics.count, TOOLCHAIN_DIAGNOSTICS_MAX + 1);
    check_harmless(&result);
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

// A kernel without Landlock, by a filter that answers for it: what was read is found out afterwards.
static const struct hostile without_landlock[] = {
    {"#include \"/etc/passwd\"\n" KERNEL, "cannot #include \"/etc/passwd\""},
    {"#include </etc/../etc/ld.so.conf>\n" KERNEL, "cannot #include"},
    {"#if 0\n#include \"/etc/passwd\"\n#endif\n" KERNEL, NULL},
    {"#include \"/dev/null\"\n" KERNEL, "cannot #include \"/dev/null\""},
    {"#include <stdint.h>\n" KERNEL, NULL},
};

START_TEST(foreign_headers_are_refused_without_landlock_too)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    ck_assert_int_eq(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0), 0);
    ck_assert_int_eq(seccomp_load(filter), 0);
    seccomp_release(filter);
    char protection[200];
    toolchain_protection(protection, sizeof protection);
    ck_assert_msg(strstr(protection, "no Landlock"), "%s", protection);
    try_source(&clang, &without_landlock[_i]);
    if (has_nvcc)
        try_source(&nvcc, &without_landlock[_i]);
}
END_TEST

// Too little for any source: no mistake of this one.
static const struct {
    int resource;
    rlim_t most;
    const struct toolchain *toolchain;
    const char *source, *says;
} lower[] = {
    {RLIMIT_FSIZE, 64 << 10, &nvcc, KERNEL, "ulimit -f"},
    {RLIMIT_AS, 100 << 20, &clang, KERNEL, "ulimit -v"},
    {RLIMIT_CPU, 1, &clang,
     "template <int N, int M> struct F { static const int v = F<N - 1, M * 2>::v + F<N - 1, M * 2 + 1>::v; };\n"
     "template <int M> struct F<0, M> { static const int v = 1; };\n"
     "__global__ void k(int *p) { *p = F<18, 0>::v; }\n",
     "ulimit -t"},
};

START_TEST(a_lower_limit_of_the_machine_is_told)
{
    const struct rlimit limit = {lower[_i].most, lower[_i].most};
    struct compile_request request = {
        .path = "k.cu", .source = lower[_i].source, .source_length = strlen(lower[_i].source), .no_cache = true};
    struct compile_result result;
    struct diagnostic diagnostic = {0};
    if (!has_nvcc && lower[_i].toolchain == &nvcc) {
        skip_check("no nvcc");
        return;
    }
#if defined(__SANITIZE_ADDRESS__)
    if (lower[_i].resource == RLIMIT_AS) {
        skip_check("a sanitizer needs more addresses than this limit leaves");
        return;
    }
#endif
    ck_assert_int_eq(setrlimit((__rlimit_resource_t)lower[_i].resource, &limit), 0);
    enum status status = toolchain_compile(lower[_i].toolchain, &request, &result, &diagnostic);
    ck_assert_msg(status == STATUS_ENVIRONMENT && strstr(diagnostic.message, lower[_i].says), "%s: %s",
                  status_name(status), diagnostic.message);
    compile_result_free(&result);
}
END_TEST

// ---- files that no compiler gets to see

enum kind { TEXT, FOLDER, FIFO, LINK, SPARSE, NOTHING };

static const struct {
    const char *name;
    enum kind kind;
    const char *content; // or where the link leads
    size_t length;
    enum status status;
    const char *says;
} files[] = {
    {"empty.cu", TEXT, "", 0, STATUS_COMPILE, "empty"},
    {"blank.cu", TEXT, " \n\t\n", 4, STATUS_COMPILE, "empty"},
    {"binary.cu", TEXT,
     "\x7f"
     "ELF\0\1\2",
     7, STATUS_COMPILE, "not a text file"},
    {"control.cu", TEXT, "int x;\n\1\n", 9, STATUS_COMPILE, "not a text file"},
    {"huge.cu", SPARSE, NULL, 50 << 20, STATUS_COMPILE, "52.4 MB"},
    {"passwd.cu", LINK, "/etc/passwd", 0, STATUS_COMPILE, "symbolic link"},
    {"up.cu", LINK, "../../etc/passwd", 0, STATUS_COMPILE, "symbolic link"},
    {"loop.cu", LINK, "loop.cu", 0, STATUS_IO, "cannot read"},
    {"dangling.cu", LINK, "nothing.cu", 0, STATUS_IO, "cannot read"},
    {"zero.cu", LINK, "/dev/zero", 0, STATUS_COMPILE, "symbolic link"},
    {"folder.cu", FOLDER, NULL, 0, STATUS_COMPILE, "folder"},
    {"pipe.cu", FIFO, NULL, 0, STATUS_COMPILE, "pipe"},
    {"missing.cu", NOTHING, NULL, 0, STATUS_IO, "cannot read"},
    {"inside.cu", LINK, "target.cu", 0, STATUS_OK, NULL},
};

static void make(const char *path, size_t i)
{
    int fd = -1;
    if (files[i].kind == TEXT || files[i].kind == SPARSE)
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (files[i].kind == TEXT)
        ck_assert_int_eq(write(fd, files[i].content, files[i].length), (ssize_t)files[i].length);
    if (files[i].kind == SPARSE)
        ck_assert_int_eq(ftruncate(fd, (off_t)files[i].length), 0);
    if (files[i].kind == FOLDER)
        ck_assert_int_eq(mkdir(path, 0700), 0);
    if (files[i].kind == FIFO)
        ck_assert_int_eq(mkfifo(path, 0600), 0);
    if (files[i].kind == LINK)
        ck_assert_int_eq(symlink(files[i].content, path), 0);
    if (fd >= 0)
        close(fd);
}

START_TEST(odd_files_are_refused_at_once)
{
    char work[100], path[200], target[200];
    snprintf(work, sizeof work, "%s-files", folder);
    mkdir(work, 0700);
    snprintf(path, sizeof path, "%s/%s", work, files[_i].name);
    snprintf(target, sizeof target, "%s/target.cu", work);
    make(path, (size_t)_i);
    FILE *file = fopen(target, "w");
    fputs(KERNEL, file);
    fclose(file);
    struct compile_request request = {.path = path, .display = files[_i].name};
    struct compile_result result;
    struct diagnostic diagnostic = {0};
    enum status status = toolchain_compile(&clang, &request, &result, &diagnostic);
    if (files[_i].kind == FOLDER)
        rmdir(path);
    unlink(path);
    unlink(target);
    rmdir(work);
    ck_assert_msg(status == files[_i].status, "%s: %s", status_name(status), diagnostic.message);
    if (files[_i].says) {
        ck_assert_msg(strstr(diagnostic.message, files[_i].says), "said: %s", diagnostic.message);
        ck_assert_str_eq(diagnostic.file, files[_i].name);
    }
    compile_result_free(&result);
}
END_TEST

Suite *suite_hostile(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tests = tcase_create("hostile");
    tcase_set_timeout(tests, 60);
    tcase_add_unchecked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, clang_gives_a_verdict, 0, sizeof by_all / sizeof *by_all);
    tcase_add_loop_test(tests, nvcc_gives_a_verdict, 0, 19);
    tcase_add_loop_test(tests, a_lower_limit_of_the_machine_is_told, 0, sizeof lower / sizeof *lower);
    tcase_add_loop_test(tests, clang_alone_gives_a_verdict, 0, sizeof by_clang / sizeof *by_clang);
    tcase_add_loop_test(tests, foreign_headers_are_refused_without_landlock_too, 0,
                        sizeof without_landlock / sizeof *without_landlock);
    tcase_add_test(tests, a_flood_of_errors_is_cut);
    tcase_add_loop_test(tests, odd_files_are_refused_at_once, 0, sizeof files / sizeof *files);
    suite_add_tcase(suite, tests);
    return suite;
}
