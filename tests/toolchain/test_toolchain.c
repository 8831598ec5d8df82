#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/skip.h"
#include "base/memory.h"
#include "base/process.h"
#include "ptx/ptx.h"
#include "toolchain/headers.h"
#include "toolchain/launch.h"
#include "toolchain/toolchain.h"

Suite *suite_toolchain(void);

// Every compiler of this machine; a test loops over them. clang is always there, nvcc may be missing.
enum { COMPILERS = 3 };
static struct toolchain compilers[COMPILERS];
static bool has_compiler[COMPILERS];
static char folder[64];

static void find_compilers(void)
{
    struct diagnostic diagnostic;
    snprintf(folder, sizeof folder, "/tmp/bankshot-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    has_compiler[0] = toolchain_find(TOOLCHAIN_CLANG, NULL, &compilers[0], &diagnostic) == STATUS_OK;
    ck_assert_msg(has_compiler[0], "the tests need clang: %s", diagnostic.message);
    has_compiler[1] = toolchain_find(TOOLCHAIN_CLANG, "clang-19", &compilers[1], &diagnostic) == STATUS_OK;
    has_compiler[2] = toolchain_find(TOOLCHAIN_NVCC, NULL, &compilers[2], &diagnostic) == STATUS_OK;
}

// The fixture runs in the test runner itself, so it leaves nothing changed.
static void remove_files(void)
{
    unsetenv("XDG_CACHE_HOME");
    const char *argv[] = {"/bin/rm", "-rf", folder, NULL};
    struct process_options options = {.argv = argv};
    struct process_result result;
    process_run(&options, &result, NULL);
    process_result_free(&result);
}

// A check that runs only where compiler `which` is installed.
static bool skipped(int which)
{
    static const char *const names[COMPILERS] = {"clang", "clang-19", "nvcc"};
    if (!has_compiler[which])
        skip_check("no %s", names[which]);
    return !has_compiler[which];
}

static enum status compile_text(int which, const char *source, struct compile_request request,
                                struct compile_result *result, struct diagnostic *diagnostic)
{
    *diagnostic = (struct diagnostic){0};
    request.path = request.path ? request.path : "exercise.cu";
    request.source = source;
    request.source_length = strlen(source);
    return toolchain_compile(&compilers[which], &request, result, diagnostic);
}

static char *write_file(const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static const char transpose[] = "LAUNCH(32, 8, 32, 32, 16, 32);\n"
                                "__global__ void transpose(float *out, const float *in, int n)\n"
                                "{\n"
                                "    __shared__ float tile[32][33];\n"
                                "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
                                "    tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n"
                                "    __syncthreads();\n"
                                "    out[x * n + y] = tile[threadIdx.x][threadIdx.y];\n"
                                "}\n";

START_TEST(compiles_to_ptx_with_the_users_name_and_lines)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct ptx_module *module;
    if (skipped(_i))
        return;
    struct compile_request request = {.path = "work/transpose.cu", .no_cache = true};
    ck_assert_msg(compile_text(_i, transpose, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_ptr_nonnull(strstr(result.ptx, "\"work/transpose.cu\""));
    ck_assert_ptr_null(strstr(result.ptx, "bankshot-compile")); // the private folder
    ck_assert_msg(ptx_parse("transpose", result.ptx, result.ptx_length, &module, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    const struct ptx_function *entry;
    ck_assert_int_eq(ptx_find_entry(module, "transpose", &entry, &diagnostic), STATUS_OK);
    bool found = false;
    for (uint32_t i = 0; i < entry->inst_count; i++) {
        const char *file;
        uint32_t line;
        ptx_source(module, &entry->insts[i], "work/transpose.cu", &file, &line);
        if (entry->insts[i].op == PTX_OP_ST && entry->insts[i].space == PTX_SHARED) {
            found = true;
            ck_assert_uint_eq(line, 6);
            ck_assert_str_eq(file, "work/transpose.cu");
        }
    }
    ck_assert_msg(found, "no st.shared");
    ptx_module_free(module);
    compile_result_free(&result);
}
END_TEST

// cooperative groups' own examples do so. Where every lane counts, the branch around the atomic was lost.
START_TEST(a_value_that_only_the_leader_has_may_be_passed_to_a_shuffle)
{
    static const char source[] = "__device__ int broadcast(int value) { return __shfl_sync(~0u, value, 0); }\n"
                                 "__global__ void take(int *o, int *counter)\n"
                                 "{\n"
                                 "    int first;\n"
                                 "    if (threadIdx.x == 0) first = atomicAdd(counter, 32);\n"
                                 "    o[threadIdx.x] = broadcast(first);\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    const char *atomic = strstr(result.ptx, "atom.global.add"), *line = atomic;
    ck_assert_ptr_nonnull(atomic);
    while (line[-1] != '\n')
        line--;
    const char *branch = strstr(result.ptx, " bra");
    ck_assert_msg((branch && branch < atomic) || memchr(line, '@', (size_t)(atomic - line)), "%s", result.ptx);
    compile_result_free(&result);
}
END_TEST

// The line's accesses of one kind, in the PTX: "ld.global", "v4" …
static unsigned accesses(const struct compile_result *result, const char *what, const char *width)
{
    unsigned count = 0;
    for (const char *at = result->ptx; (at = strstr(at, what)); at++)
        count += memmem(at, strcspn(at, " "), width, strlen(width)) != NULL;
    return count;
}

// clang's back end takes words of 8 bytes for them. Volatile ones, and those of less alignment, stay as they are.
START_TEST(aligned_structs_are_copied_as_wide_as_they_are)
{
    static const char source[] = "struct alignas(16) four { float a, b, c, d; };\n"
                                 "struct alignas(16) eight { double a, b, c, d; };\n"
                                 "struct alignas(8) loose { float a, b, c, d; };\n"
                                 "__global__ void take(four *o, const four *i, eight *p, loose *q, int n)\n"
                                 "{\n"
                                 "    __shared__ four tile[64];\n"
                                 "    tile[threadIdx.x] = i[blockIdx.x * 64 + threadIdx.x];\n"
                                 "    __syncthreads();\n"
                                 "    o[n + threadIdx.x] = tile[63 - threadIdx.x];\n"
                                 "    p[threadIdx.x] = p[threadIdx.x + n];\n"
                                 "    q[threadIdx.x] = q[threadIdx.x + n];\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    const char *width = _i == 2 ? "v" : "v4"; // nvcc takes two doubles for a pair of words
    ck_assert_msg(accesses(&result, "st.shared", width) == 1 && accesses(&result, "ld.shared", width) == 1, "%s",
                  result.ptx);
    ck_assert_uint_ge(accesses(&result, "ld.global", width), 3);
    ck_assert_uint_ge(accesses(&result, "st.global", width), 3);
    if (_i != 2)
        ck_assert_uint_eq(accesses(&result, "ld.global", ".u64"), 2); // the loose one
    const char *store = strstr(result.ptx, "st.shared"), *place = NULL;
    for (const char *at = result.ptx; (at = strstr(at, ".loc")) && at < store; at++)
        place = at;
    unsigned file = 0, line = 0;
    ck_assert_ptr_nonnull(place);
    ck_assert_int_eq(sscanf(place, ".loc %u %u", &file, &line), 2);
    ck_assert_uint_eq(line, 7);
    ck_assert_ptr_nonnull(strstr(result.ptx, "\"exercise.cu\""));
    compile_result_free(&result);
}
END_TEST

// clang would load the word that only the branch uses behind it, and the other three as a pair and one.
START_TEST(a_vector_is_loaded_whole_where_a_branch_uses_a_part_of_it)
{
    static const char source[] =
        "__global__ void sum(float *o, const float4 *i, int n)\n"
        "{\n"
        "    __shared__ float4 tile[64];\n"
        "    tile[threadIdx.x] = i[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    const float4 e = tile[63 - threadIdx.x];\n"
        "    const float s = e.x + e.y;\n"
        "    switch (min(4, n)) {\n"
        "    case 4:\n"
        "        *reinterpret_cast<float4 *>(o + 4 * threadIdx.x) = make_float4(s, s + e.z, s * e.x, s + e.w);\n"
        "        break;\n"
        "    case 3: o[threadIdx.x + 2] = s + e.z;\n"
        "    case 2: o[threadIdx.x + 1] = s * e.x;\n"
        "    default: o[threadIdx.x] = s;\n"
        "    }\n"
        "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(accesses(&result, "ld.shared", "v4") == 1 && accesses(&result, "ld.shared", "") == 1, "%s",
                  result.ptx);
    compile_result_free(&result);
}
END_TEST

// clang's back end joins four elements at most, where its optimiser took the struct to pieces. Those of less alignment,
// and loads with something between them, stay.
START_TEST(aligned_structs_of_small_elements_are_loaded_whole)
{
    static const char source[] = "struct alignas(16) bytes { unsigned char e[16]; };\n"
                                 "struct alignas(16) shorts { unsigned short e[8]; };\n"
                                 "struct alignas(8) loose { unsigned short e[8]; };\n"
                                 "template <class T> __device__ int sum(T s)\n"
                                 "{\n"
                                 "    int all = 0;\n"
                                 "#pragma unroll\n"
                                 "    for (int j = 0; j < sizeof s.e / sizeof s.e[0]; j++)\n"
                                 "        all = all * 3 + s.e[j];\n"
                                 "    return all;\n"
                                 "}\n"
                                 "__global__ void take(int *o, const bytes *b, const shorts *s, const loose *l)\n"
                                 "{\n"
                                 "    __shared__ shorts tile[64];\n"
                                 "    tile[threadIdx.x] = s[threadIdx.x];\n"
                                 "    __syncthreads();\n"
                                 "    o[threadIdx.x] = sum(b[threadIdx.x]) + sum(tile[63 - threadIdx.x]);\n"
                                 "    o[threadIdx.x + 64] = sum(l[threadIdx.x]);\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(accesses(&result, "ld.global", ".v4.u32") + accesses(&result, "ld.global", ".v4.b32") == 2, "%.3000s",
                  strstr(result.ptx, "ld.global"));
    ck_assert_msg(accesses(&result, "ld.shared", "v4") == 1 && accesses(&result, "ld.shared", "16 ") == 0, "%.3000s",
                  strstr(result.ptx, "ld.shared"));
    ck_assert_uint_eq(accesses(&result, "ld.global", ".v4.u8"), 0);
    compile_result_free(&result);
}
END_TEST

START_TEST(launch_line_comes_through_the_ptx)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct ptx_module *module;
    struct launch_shape shape;
    if (skipped(_i))
        return;
    ck_assert_int_eq(compile_text(_i, transpose, (struct compile_request){0}, &result, &diagnostic), STATUS_OK);
    ck_assert_int_eq(ptx_parse("transpose", result.ptx, result.ptx_length, &module, &diagnostic), STATUS_OK);
    ck_assert(launch_is_given(module));
    ck_assert_int_eq(launch_from_module(module, &shape, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(shape.block[0], 32);
    ck_assert_uint_eq(shape.block[1], 8);
    ck_assert_uint_eq(shape.tile[0], 32);
    ck_assert_uint_eq(shape.tile[1], 32);
    ck_assert_uint_eq(shape.dynamic_shared, 16);
    ck_assert_uint_eq(shape.asked_shared, 32);
    ptx_module_free(module);
    compile_result_free(&result);
}
END_TEST

static const struct {
    const char *line, *says;
} launch_lines[] = {
    {"", "no LAUNCH line"},
    {"LAUNCH(33, 32, 32, 32);", "33 x 32 x 1 has 1056 threads"},
    {"LAUNCH(32, 0, 32, 32);", "32 x 0 x 1"},
    {"LAUNCH(32, 8);", "0 x 0 elements"},
    {"LAUNCH(32, 8, 1 << 21, 32);",
     "2097152 x 32 elements, its third and fourth number: both must be from 1 to 1048576"},
    {"LAUNCH(32, 8, 0u - 5, 32);", "number 3 of the LAUNCH line is -5: none may be negative"},
    {"LAUNCH(32, 8, 32, 32, 1 << 20);", "1048576 of dynamic shared memory"},
    {"LAUNCH(32, 8, 32, 32, 16, 232449);", "asks for 232449 bytes"},
    {"__constant__ unsigned bankshot_launch[2] = {1, 2};", "no LAUNCH line"},
};

START_TEST(launch_lines_that_no_gpu_runs_are_refused)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct ptx_module *module;
    struct launch_shape shape;
    char source[300];
    snprintf(source, sizeof source, "%s\n__global__ void k(int *p) { *p = 1; }\n", launch_lines[_i].line);
    ck_assert_int_eq(compile_text(0, source, (struct compile_request){0}, &result, &diagnostic), STATUS_OK);
    ck_assert_int_eq(ptx_parse("k", result.ptx, result.ptx_length, &module, &diagnostic), STATUS_OK);
    ck_assert_int_eq(launch_from_module(module, &shape, &diagnostic), STATUS_LAUNCH);
    ck_assert_msg(strstr(diagnostic.message, launch_lines[_i].says), "%s", diagnostic.message);
    ptx_module_free(module);
    compile_result_free(&result);
}
END_TEST

START_TEST(an_unchanged_source_is_not_compiled_again)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct compile_request request = {.path = "a.cu"};
    const char *source = "__global__ void cached(int *p) { int unused; *p = 1; }\n";
    ck_assert_int_eq(compile_text(0, source, request, &result, &diagnostic), STATUS_OK);
    ck_assert(!result.from_cache);
    char *first = mem_strdup(result.ptx);
    compile_result_free(&result);
    ck_assert_int_eq(compile_text(0, source, request, &result, &diagnostic), STATUS_OK);
    ck_assert(result.from_cache);
    ck_assert_str_eq(result.ptx, first);
    compile_result_free(&result);
    free(first);
    request.path = "b.cu"; // the name is not part of it, and is still the right one
    ck_assert_int_eq(compile_text(0, source, request, &result, &diagnostic), STATUS_OK);
    ck_assert(result.from_cache);
    ck_assert_ptr_nonnull(strstr(result.ptx, "\"b.cu\""));
    compile_result_free(&result);
    static const char *const flags[] = {"-DX=1", NULL};
    request.flags = flags;
    ck_assert_int_eq(compile_text(0, source, request, &result, &diagnostic), STATUS_OK);
    ck_assert(!result.from_cache);
    compile_result_free(&result);
    ck_assert_int_eq(compile_text(0, "__global__ void cached(int *p) { *p = 2; }\n", request, &result, &diagnostic),
                     STATUS_OK);
    ck_assert(!result.from_cache);
    compile_result_free(&result);
}
END_TEST

START_TEST(a_damaged_cache_is_a_miss)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    const char *source = "__global__ void damaged(int *p) { *p = 1; }\n";
    char command[300];
    ck_assert_int_eq(compile_text(0, source, (struct compile_request){0}, &result, &diagnostic), STATUS_OK);
    compile_result_free(&result);
    static const char *const damages[] = {"truncate -s -1", "truncate -s 0", "truncate -s 30",
                                          "sed -i s/damaged/dbmaged/",
                                          "sh -c 'rm \"$@\"; mkfifo \"$@\"' sh"}; // who writes there waits
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        snprintf(command, sizeof command, "%s %s/bankshot/ptx/*", damages[i], folder);
        ck_assert_int_eq(system(command), 0);
        ck_assert_int_eq(compile_text(0, source, (struct compile_request){0}, &result, &diagnostic), STATUS_OK);
        ck_assert_msg(!result.from_cache, "taken after: %s", command);
        compile_result_free(&result);
    }
    ck_assert_int_eq(compile_text(0, source, (struct compile_request){0}, &result, &diagnostic), STATUS_OK);
    ck_assert(result.from_cache);
    compile_result_free(&result);
}
END_TEST

START_TEST(a_source_cannot_say_whose_lines_it_has)
{
    static const char *const forms[] = {"#line 7 \"/usr/include/cub/x.cuh\"\n", "# 7 \"/usr/include/cub/x.cuh\" 1 3\n",
                                        "%:line 7 \"/usr/include/cub/x.cuh\"\n",
                                        "/* a\n */ # /**/ li\\\nne 7 \"/usr/include/cub/x.cuh\" // end\n",
                                        "#define WHERE 7 \"/usr/include/cub/x.cuh\"\n #line WHERE\n"};
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char source[400];
        snprintf(source, sizeof source, "%s__global__ void k(int *p) { *p = __LINE__ + 1000; }\n", forms[i]);
        struct compile_request request = {.no_cache = true};
        ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
        ck_assert_msg(!strstr(result.ptx, "x.cuh"), "%s", forms[i]);
        snprintf(source, sizeof source, "100%d", i < 3 ? 2 : 3);
        ck_assert_msg(i == 3 || strstr(result.ptx, source), "%s", forms[i]);
        compile_result_free(&result);
    }
}
END_TEST

START_TEST(strings_and_names_that_look_like_line_directives_stay)
{
    static const char source[] = "#define line(x) (x)\n#define lines 5\n"
                                 "__global__ void k(int *p) { *p = line(lines) + __LINE__ + 1000; }\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_ptr_nonnull(strstr(result.ptx, "1008"));
    compile_result_free(&result);
}
END_TEST

START_TEST(headers_of_the_own_folder_are_read_when_asked)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    if (_i == 1 || skipped(_i)) // one clang is enough
        return;
    write_file("tile.h", "#define TILE 32\n");
    char *path = write_file("uses.cu", "#include \"tile.h\"\n__global__ void k(int *p) { *p = TILE; }\n");
    struct compile_request request = {.path = path, .own_folder = true};
    ck_assert_msg(toolchain_compile(&compilers[_i], &request, &result, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    compile_result_free(&result);
    ck_assert_int_eq(toolchain_compile(&compilers[_i], &request, &result, &diagnostic), STATUS_OK);
    ck_assert(result.from_cache);
    compile_result_free(&result);
    write_file("tile.h", "#define TILE 33\n");
    path = write_file("uses.cu", "#include \"tile.h\"\n__global__ void k(int *p) { *p = TILE; }\n");
    ck_assert_int_eq(toolchain_compile(&compilers[_i], &request, &result, &diagnostic), STATUS_OK);
    ck_assert_msg(!result.from_cache, "a changed header is a changed source");
    ck_assert_ptr_nonnull(strstr(result.ptx, "33;"));
    compile_result_free(&result);
    request.own_folder = false;
    ck_assert_int_eq(toolchain_compile(&compilers[_i], &request, &result, &diagnostic), STATUS_COMPILE);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "cannot #include \"tile.h\""));
    compile_result_free(&result);
    const char *const dirs[] = {folder, NULL};
    request.include_dirs = dirs;
    ck_assert_int_eq(toolchain_compile(&compilers[_i], &request, &result, &diagnostic), STATUS_OK);
    compile_result_free(&result);
    request = (struct compile_request){.path = path, .own_folder = true};
    write_file("tile.h", "int wrong = ;\n");
    write_file("uses.cu", "#include \"tile.h\"\n__global__ void k(int *p) { *p = TILE; }\n");
    ck_assert_int_eq(toolchain_compile(&compilers[_i], &request, &result, &diagnostic), STATUS_COMPILE);
    ck_assert_msg(strstr(diagnostic.file, "tile.h"), "%s", diagnostic.file);
    ck_assert_int_eq(diagnostic.line, 1);
    compile_result_free(&result);
}
END_TEST

START_TEST(a_source_finds_any_kernel_beside_it)
{
    static const char *const names[] = {"kernel.cu", "source.cu", "main.cu"};
    struct compile_result result;
    struct diagnostic diagnostic;
    if (_i == 1 || skipped(_i)) // one clang is enough
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char includes[128];
        write_file(names[i], "__global__ void beside(int *p) { *p = 1; }\n");
        snprintf(includes, sizeof includes, "#include \"%s\"\n", names[i]);
        struct compile_request request = {.path = write_file("includes.cu", includes), .own_folder = true};
        ck_assert_msg(toolchain_compile(&compilers[_i], &request, &result, &diagnostic) == STATUS_OK, "%s: %s",
                      names[i], diagnostic.message);
        ck_assert_ptr_nonnull(strstr(result.ptx, "beside"));
        compile_result_free(&result);
    }
}
END_TEST

static const char host_and_device[] =
    "#include <cstdio>\n#include <vector>\n#include <algorithm>\n#include <cmath>\n#include <cassert>\n"
    "#include <cuda_runtime.h>\n"
    "template <int N> __global__ void scale(float *p) { assert(N > 1); p[threadIdx.x] *= N + sqrtf(2.0f); }\n"
    "__global__ void most(unsigned *p) { register unsigned all = UINT_MAX; *p = all; }\n"
    // as headers ask that courses share
    "#ifdef __DRIVER_TYPES_H__\nstatic const char *why(cudaError_t error) { return cudaGetErrorName(error); }\n#endif\n"
    "#ifdef __CUDA_RUNTIME_H__\nstatic bool is_usable(int device)\n{\n"
    "    int mode = -1;\n"
    "    printf(\"%s\\n\", why(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device)));\n"
    "    return mode != cudaComputeModeProhibited;\n}\n#endif\n"
    "int main()\n{\n"
    "    std::vector<float> host(100, std::sqrt(2.0f));\n"
    "    float *device;\n"
    "    if (is_usable(0))\n"
    "        cudaMalloc(&device, 400);\n"
    "    cudaMemcpy(device, host.data(), 400, cudaMemcpyHostToDevice);\n"
    "    scale<3><<<dim3(1), 100>>>(device);\n"
    "    scale<3> << <dim3(1), 100, (8 >> 1) >> >(device);\n" // as editors that know only C++ put it
    "    scale<2> << < 1, dim3(100, 1) >>> (device);\n"
    "    host.front() = 8 >> 1 > 3;\n"
    "    if (cudaDeviceSynchronize() != cudaSuccess)\n"
    "        printf(\"%s\\n\", cudaGetErrorString(cudaGetLastError()));\n"
    "    std::sort(host.begin(), host.end());\n"
    // which CUDA 13 has no more
    "    cudaDeviceProp prop = {0};\n"
    "    printf(\"%d %d\\n\", prop.clockRate, prop.deviceOverlap);\n"
    "    cudaMemPrefetchAsync(device, 400, 0);\n"
    "    cudaThreadSynchronize();\n"
    // flags, to functions that take anything
    "    cudaSetDeviceFlags(cudaDeviceMapHost);\n"
    "    cudaHostRegister(device, 400, cudaHostRegisterMapped);\n"
    "}\n";

// clang 14 says so itself; later ones wrote an alignment that ptxas refuses
START_TEST(a_size_of_stack_memory_may_vary_or_the_message_says_who_can)
{
    static const char source[] =
        "extern \"C\" __global__ void fold(int *out, int n)\n{\n    int *x = (int *)__builtin_alloca(n * 4);\n"
        "    for (int i = 0; i < n; i++)\n        x[i * 5 % n] = i;\n    *out = x[n / 2];\n}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    if (compile_text(_i, source, (struct compile_request){0}, &result, &diagnostic) == STATUS_OK)
        ck_assert(strstr(result.ptx, "alloca.u64") && !strstr(result.ptx, ", 0;\n\tcvta.local"));
    else
        ck_assert_msg(strstr(diagnostic.message, "no alloca()"), "%s", diagnostic.message);
    compile_result_free(&result);
}
END_TEST

START_TEST(host_code_beside_a_kernel_is_accepted)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    ck_assert_msg(compile_text(_i, host_and_device, (struct compile_request){0}, &result, &diagnostic) == STATUS_OK,
                  "line %d: %s", diagnostic.line, diagnostic.message);
    ck_assert_ptr_nonnull(strstr(result.ptx, ".entry _Z5scaleILi3EEvPf"));
    compile_result_free(&result);
}
END_TEST

// Of the numbers the toolkit's own headers say the same.
static const char libraries[] =
    "#include <cublas_v2.h>\n#include <cublasLt.h>\n#include <cuda_fp8.h>\n#include <curand.h>\n"
    "#include <nvtx3/nvToolsExt.h>\n#include <nvtx3/nvToolsExtCudaRt.h>\n"
    "static_assert(CUDA_R_16BF == 14 && CUDA_R_8F_E4M3 == 28 && CUBLAS_OP_C == 2 && CUBLAS_GEMM_DEFAULT_TENSOR_OP == "
    "99 "
    "&&\n"
    "              CUBLAS_COMPUTE_32F_FAST_TF32 == 77 && CUBLAS_STATUS_NOT_SUPPORTED == 15, \"\");\n"
    "static_assert(CUBLASLT_EPILOGUE_GELU_AUX_BIAS == 164 && CUBLASLT_EPILOGUE_DGELU_BGRAD == 208 &&\n"
    "              CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE == 26 && CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES == 1, \"\");\n"
    "static_assert(sizeof(cublasLtMatmulHeuristicResult_t) == 96 && CURAND_RNG_PSEUDO_PHILOX4_32_10 == 161, \"\");\n"
    "__global__ void scale(float *p) { p[threadIdx.x] *= 3; }\n"
    "void reference(float *a, float *b, float *c, int n)\n{\n"
    "    const float one = 1, none = 0;\n"
    "    cublasHandle_t handle;\n    cublasLtHandle_t light;\n    curandGenerator_t random;\n"
    "    nvtxRangePushA(\"reference\");\n"
    "    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cublasLtCreate(&light) != CUBLAS_STATUS_SUCCESS) "
    "return;\n"
    "    cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);\n"
    "    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &none, c, n);\n"
    "    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n, &none, c,\n"
    "                 CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);\n"
    "    cublasLtMatmulDesc_t description;\n"
    "    cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);\n"
    "    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT);\n    curandGenerateUniform(random, a, n);\n"
    "    nvtxRangePop();\n    cublasDestroy(handle);\n}\n";

START_TEST(libraries_that_host_code_calls_are_known)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    ck_assert_msg(compile_text(_i, libraries, (struct compile_request){0}, &result, &diagnostic) == STATUS_OK,
                  "line %d: %s", diagnostic.line, diagnostic.message);
    compile_result_free(&result);
}
END_TEST

START_TEST(errors_have_their_place)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    const char *source = "__global__ void k(float *p)\n{\n    p[0] = z;\n}\n";
    struct compile_request request = {.path = "k.cu"};
    ck_assert_int_eq(compile_text(_i, source, request, &result, &diagnostic), STATUS_COMPILE);
    ck_assert_str_eq(diagnostic.file, "k.cu");
    ck_assert_int_eq(diagnostic.line, 3);
    ck_assert_int_eq(diagnostic.column, 12);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "z"));
    ck_assert_ptr_null(result.ptx);
    compile_result_free(&result);
}
END_TEST

// clang 14 knows neither sm_90 nor PTX 8.0, and passes the line on.
START_TEST(assembly_is_for_the_gpu_that_was_asked_for)
{
    static const char source[] = "__global__ void wait(int *o)\n"
                                 "{\n"
                                 "    asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");\n"
                                 "    o[threadIdx.x] = 1;\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    unsigned major = 0, minor = 0;
    if (skipped(_i))
        return;
    struct compile_request request = {.arch = "sm_90a", .no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    const char *version = strstr(result.ptx, ".version ");
    ck_assert_msg(version && sscanf(version, ".version %u.%u", &major, &minor) == 2 && major >= 8, "%.300s",
                  result.ptx);
    ck_assert_msg(strstr(result.ptx, "\n.target sm_90a") != NULL, "%.300s", result.ptx);
    compile_result_free(&result);
}
END_TEST

// clang before 20 copies the map to local memory, where a GPU's copies cannot read it.
START_TEST(tensor_maps_stay_where_they_were_passed)
{
    static const char source[] = "#include <cuda.h>\n"
                                 "__global__ void fetch(float *o, const __grid_constant__ CUtensorMap a, int n,\n"
                                 "                      const __grid_constant__ CUtensorMap b)\n"
                                 "{\n"
                                 "    asm volatile(\"prefetch.tensormap [%0];\" ::\"l\"(&a) : \"memory\");\n"
                                 "    if (threadIdx.x < n)\n"
                                 "        asm volatile(\"prefetch.tensormap [%0];\" ::\"l\"(&b) : \"memory\");\n"
                                 "    o[threadIdx.x] = 1;\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    size_t parameters = 0;
    if (skipped(_i))
        return;
    struct compile_request request = {.arch = "sm_90a", .no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    for (const char *at = result.ptx; (at = strstr(at, "cvta.param.u64")); at++)
        parameters++;
    ck_assert_msg(parameters == 2 && !strstr(result.ptx, "st.local"), "%.4000s", result.ptx);
    compile_result_free(&result);
}
END_TEST

// Nor is it put right for a source that takes it by value, as nvcc does not.
START_TEST(tensor_maps_by_value_are_copied)
{
    static const char source[] = "#include <cuda.h>\n"
                                 "__global__ void fetch(float *o, const CUtensorMap a) // no __grid_constant__\n"
                                 "{\n"
                                 "    asm volatile(\"prefetch.tensormap [%0];\" ::\"l\"(&a) : \"memory\");\n"
                                 "}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.arch = "sm_90a", .no_cache = true};
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(strstr(result.ptx, "st.local") != NULL, "%.4000s", result.ptx);
    struct ptx_module *module;
    ck_assert_int_eq(ptx_parse("x", result.ptx, result.ptx_length, &module, &diagnostic), STATUS_OK);
    ck_assert(module->copies_maps);
    ptx_module_free(module);
    compile_result_free(&result);
}
END_TEST

// What nvcc's own headers bring is there with clang, too, and what needs a header needs it.
START_TEST(both_compilers_want_the_same_headers)
{
    static const char with[] =
        "__global__ void k(float *o, int n)\n{\n    o[0] = std::min(n, 3) + std::lround(o[1]) +\n"
        "           std::numeric_limits<float>::max();\n}\n";
    static const char *const bringing[] = {"cuda/atomic", "cuda/barrier", "cuda/pipeline", "cooperative_groups.h",
                                           "cuda_pipeline.h"};
    static const char without[] = "__global__ void k() { __pipeline_commit(); }\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    struct compile_request request = {.no_cache = true};
    ck_assert_msg(compile_text(_i, with, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    compile_result_free(&result);
    ck_assert_int_eq(compile_text(_i, without, request, &result, &diagnostic), STATUS_COMPILE);
    ck_assert_msg(strstr(diagnostic.message, "cuda_pipeline.h") != NULL, "%s", diagnostic.message);
    compile_result_free(&result);
    for (size_t i = 0; i < sizeof bringing / sizeof *bringing; i++) {
        char source[200];
        snprintf(source, sizeof source, "#include <%s>\n__global__ void k(uint32_t *p) { *p = 1; }\n", bringing[i]);
        ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s: %s", bringing[i],
                      diagnostic.message);
        compile_result_free(&result);
    }
}
END_TEST

START_TEST(a_compiler_that_is_named_in_vain_is_told)
{
    struct toolchain toolchain;
    struct diagnostic diagnostic;
    setenv("BANKSHOT_CLANG", "/nonexistent/clang", 1);
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_msg(strstr(diagnostic.message, "BANKSHOT_CLANG names /nonexistent/clang") != NULL, "%s",
                  diagnostic.message);
}
END_TEST

START_TEST(says_when_clang_takes_an_older_architecture)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct compile_request request = {.arch = "sm_999"};
    ck_assert_int_eq(compile_text(0, transpose, request, &result, &diagnostic), STATUS_OK);
    ck_assert_str_ne(result.arch, "sm_999");
    ck_assert_uint_ge(result.diagnostics.count, 1);
    ck_assert_ptr_nonnull(strstr(result.diagnostics.items[0].message, "does not know sm_999"));
    compile_result_free(&result);
}
END_TEST

static const struct compile_request refused_requests[] = {
    {.arch = "sm_"}, {.arch = "90"}, {.arch = "sm_90 -o x"}, {.optimisation = "-O4"}, {.optimisation = "-O3 x"},
};
static const char *const refused_flags[] = {"-o/etc/x", "-fplugin=x.so", "-I/", "@file", "-D", "-std=c++99", "-Xclang"};

START_TEST(odd_words_are_refused_before_any_compiler_runs)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    ck_assert_int_eq(compile_text(0, transpose, refused_requests[_i], &result, &diagnostic), STATUS_USAGE);
    compile_result_free(&result);
}
END_TEST

START_TEST(only_harmless_flags_are_taken)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    const char *flags[] = {refused_flags[_i], NULL};
    struct compile_request request = {.flags = flags};
    ck_assert_int_eq(compile_text(0, transpose, request, &result, &diagnostic), STATUS_USAGE);
    compile_result_free(&result);
}
END_TEST

START_TEST(flags_work_with_every_compiler)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    static const char *const flags[] = {"-DWIDTH=7", "-UNOTHING", "-use_fast_math", "-std=c++20", NULL};
    if (skipped(_i))
        return;
    struct compile_request request = {.flags = flags, .optimisation = "-O1", .arch = "sm_80"};
    const char *source = "__global__ void k(float *p) { *p = *p / WIDTH; }\n";
    ck_assert_msg(compile_text(_i, source, request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_ptr_nonnull(strstr(result.ptx, ".target sm_80"));
    compile_result_free(&result);
}
END_TEST

START_TEST(folders_of_killed_compilations_are_removed)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    char old[100], fresh[100], command[600];
    snprintf(old, sizeof old, "%s/bankshot-compile-aaaaaa", folder);
    snprintf(fresh, sizeof fresh, "%s/bankshot-compile-bbbbbb", folder);
    snprintf(command, sizeof command, "mkdir %s %s; touch %s/kernel.cu; touch -d '1 hour ago' %s", old, fresh, old,
             old);
    ck_assert_int_eq(system(command), 0);
    setenv("TMPDIR", folder, 1);
    struct compile_request request = {.no_cache = true};
    ck_assert_int_eq(compile_text(0, transpose, request, &result, &diagnostic), STATUS_OK);
    ck_assert_int_ne(access(old, F_OK), 0);
    ck_assert_int_eq(access(fresh, F_OK), 0);
    compile_result_free(&result);
}
END_TEST

START_TEST(a_missing_compiler_is_explained)
{
    struct toolchain toolchain;
    struct diagnostic diagnostic;
    setenv("PATH", folder, 1);
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "install clang"));
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_NVCC, "/bin/true", &toolchain, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_CLANG, "/nonexistent/clang", &toolchain, &diagnostic),
                     STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(an_nvcc_without_host_compiler_is_no_fault_of_the_source)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    if (skipped(2))
        return;
    setenv("NVCC_CCBIN", "/nonexistent/gcc", 1);
    ck_assert_int_eq(compile_text(2, transpose, (struct compile_request){0}, &result, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "NVCC_CCBIN"));
    compile_result_free(&result);
}
END_TEST

// A clang that something befalls: what its wrapper does first. `once` is a file that is not there the first time.
static const struct {
    const char *script, *source; // source: NULL = one that compiles
    enum status status;
    const char *says;
} befallen[] = {
    {"[ -e once ] || { : >once; kill -KILL $$; }", NULL, STATUS_OK, ""},
    {"[ -e once ] || { : >once; kill -TERM $$; }", NULL, STATUS_OK, ""},
    {"[ -e once ] || { : >once; echo 'gcc: fatal error: Killed signal terminated program cc1plus' >&2; exit 4; }", NULL,
     STATUS_OK, ""},
    {"[ -e once ] || { : >once; kill -SEGV $$; }", NULL, STATUS_OK, ""},
    {"kill -ILL $$", NULL, STATUS_ENVIRONMENT, "not even an empty kernel"},
    {"kill -BUS $$", NULL, STATUS_ENVIRONMENT, "not even an empty kernel"},
    {"kill -XFSZ $$", NULL, STATUS_ENVIRONMENT, "not even an empty kernel"},
    {"exit 139", NULL, STATUS_ENVIRONMENT, "not even an empty kernel"},
    {"grep -q CRASHES bankshot-source.cu && kill -SEGV $$", "// CRASHES\n", STATUS_COMPILE, "crashed on this file"},
    {"kill -KILL $$", NULL, STATUS_ENVIRONMENT, "was killed from outside"},
    {"kill -HUP $$", NULL, STATUS_ENVIRONMENT, "was killed from outside"},
    {"echo 'cicc: not found' >&2; exit 127", NULL, STATUS_ENVIRONMENT, "not even an empty kernel"},
    {"echo 'vfork: Resource temporarily unavailable' >&2; exit 1", NULL, STATUS_ENVIRONMENT, "too few processes"},
    {"echo 'when writing output to x.ii: Disk quota exceeded' >&2; exit 1", NULL, STATUS_ENVIRONMENT,
     "not even an empty kernel"},
    // The same words, of a source that has the compiler say them: it compiles anything else.
    {"grep -q FORGES bankshot-source.cu && { echo 'cicc: not found' >&2; exit 127; }", "// FORGES\n", STATUS_COMPILE,
     "gave up: cicc: not found"},
    {"grep -q FORGES bankshot-source.cu && { echo 'Killed signal terminated program cc1plus' >&2; exit 1; }",
     "// FORGES\n", STATUS_COMPILE, "gave up"},
    {"grep -q FORGES bankshot-source.cu && { echo 'vfork: Resource temporarily unavailable' >&2; exit 1; }",
     "// FORGES\n", STATUS_COMPILE, "gave up"},
};

START_TEST(what_befalls_a_compiler_is_no_fault_of_the_source)
{
    char path[128], text[512];
    struct toolchain toolchain = compilers[0];
    struct compile_result result;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%.63s/clang-%d", folder, _i);
    snprintf(text, sizeof text, "#!/bin/sh\n%.300s\nexec '%.120s' \"$@\"\n", befallen[_i].script, toolchain.path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0700), 0);
    snprintf(toolchain.path, sizeof toolchain.path, "%s", path);
    snprintf(text, sizeof text, "%s%s", befallen[_i].source ? befallen[_i].source : "",
             "__global__ void k(int *p) { *p = 1; }\n");
    struct compile_request request = {.path = "k.cu", .source = text, .source_length = strlen(text), .no_cache = true};
    enum status status = toolchain_compile(&toolchain, &request, &result, &diagnostic);
    ck_assert_msg(status == befallen[_i].status && strstr(diagnostic.message, befallen[_i].says), "%s: %s: %s",
                  befallen[_i].script, status_name(status), diagnostic.message);
    compile_result_free(&result);
}
END_TEST

START_TEST(optimisation_reaches_device_code)
{
    struct compile_result plain, full;
    struct diagnostic diagnostic;
    if (skipped(_i))
        return;
    const char *source = "__global__ void k(int *p, int n)\n{\n    int a = n * 2, b = a + 0;\n    p[b - a] = b;\n}\n";
    struct compile_request request = {.optimisation = "-O0"};
    ck_assert_int_eq(compile_text(_i, source, request, &plain, &diagnostic), STATUS_OK);
    ck_assert_int_eq(compile_text(_i, source, (struct compile_request){0}, &full, &diagnostic), STATUS_OK);
    ck_assert_uint_gt(plain.ptx_length, full.ptx_length);
    compile_result_free(&plain);
    compile_result_free(&full);
}
END_TEST

START_TEST(a_cancelled_compilation_says_so)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    atomic_bool cancel = true;
    struct compile_request request = {.cancel = &cancel, .no_cache = true};
    ck_assert_int_eq(compile_text(0, transpose, request, &result, &diagnostic), STATUS_CANCELLED);
    compile_result_free(&result);
}
END_TEST

// What a workspace gets must satisfy a plain clang, as clangd is one.
START_TEST(clangd_flags_accept_an_exercise)
{
    struct text flags = {0};
    char headers[100], file[128];
    snprintf(headers, sizeof headers, "%s/lab", folder);
    ck_assert_int_eq(toolchain_write_headers(headers, NULL), STATUS_OK);
    toolchain_clangd_flags(&flags, headers);
    snprintf(file, sizeof file, "%s", write_file("transpose.cu", transpose));
    const char *argv[64] = {compilers[0].path, "-fsyntax-only", "-Werror"};
    size_t count = 3;
    char *state;
    for (char *flag = strtok_r(flags.data, "\n", &state); flag; flag = strtok_r(NULL, "\n", &state))
        argv[count++] = flag;
    argv[count] = file;
    struct process_options options = {.argv = argv};
    struct process_result result;
    ck_assert_int_eq(process_run(&options, &result, NULL), STATUS_OK);
    ck_assert_msg(process_succeeded(&result), "%s", text_get(&result.err));
    process_result_free(&result);
    text_free(&flags);
}
END_TEST

// PTX that cannot be read is laid at the source's door, at the line of the inline assembly. nvcc refuses some by
// itself.
static const struct blamed {
    const char *body;
    int line; // 0 = not known
    const char *says;
} blamed[] = {
    {"*p = 1;\n    asm volatile(\"frobnicate.u32 %r1;\");", 4, "'frobnicate.u32'"},
    {"if (*p == 77)\n        asm volatile(\"frobnicate.u32 %r1;\");", 4, "'frobnicate.u32'"},
    {"asm volatile(\"{ mov.u32 %0, 1;\" : \"=r\"(*p));", 3, "leave something open"},
    {"asm volatile(\"/* never ends\");\n    *p = 1;", 3, "never ends"},
    {"asm volatile(\".file 9 \\\"x\\\"\");", 3, "'.file'"},
    {"asm volatile(\".loc 4294967296 1 1\");", 3, "4294967296"},
    {"asm volatile(\".include \\\"/etc/passwd\\\"\");", 3, "'.include'"},
    {"asm volatile(\"{ .extern .func secret; call secret; }\");", 3, "'.func'"},
    {"asm volatile(\".loc 1 77777 1\\n\\tfrobnicate;\");", 3, "frobnicate"},
};

START_TEST(what_assembly_breaks_is_told_at_its_line)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    struct ptx_module *module = NULL;
    int which = _i % 2;
    const struct blamed *row = &blamed[_i / 2];
    char source[512];
    if (skipped(which))
        return;
    snprintf(source, sizeof source, "__global__ void k(int *p)\n{\n    %s\n}\n", row->body);
    ck_assert_msg(compile_text(which, source, (struct compile_request){0}, &result, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    ck_assert_int_ne(ptx_parse("exercise.cu", result.ptx, result.ptx_length, &module, &diagnostic), STATUS_OK);
    ck_assert_int_eq(toolchain_blame_source(&result, &diagnostic), STATUS_COMPILE);
    ck_assert_str_eq(diagnostic.file, "exercise.cu");
    ck_assert_msg(diagnostic.line == row->line && strstr(diagnostic.message, row->says), "%d: %s", diagnostic.line,
                  diagnostic.message);
    ck_assert_uint_eq(result.diagnostics.count, 1);
    compile_result_free(&result);
}
END_TEST

// nvcc has ptxas find some of it, which knows the line of the PTX alone.
START_TEST(what_ptxas_finds_in_assembly_is_told_at_its_line)
{
    static const char source[] = "__global__ void k(int *p)\n{\n    *p = 1;\n    asm volatile(\"bra nolabel;\");\n}\n";
    struct compile_result result;
    struct diagnostic diagnostic;
    struct ptx_module *module = NULL;
    if (skipped(_i))
        return;
    if (compile_text(_i, source, (struct compile_request){0}, &result, &diagnostic) == STATUS_OK) {
        ck_assert_int_ne(ptx_parse("exercise.cu", result.ptx, result.ptx_length, &module, &diagnostic), STATUS_OK);
        ck_assert_int_eq(toolchain_blame_source(&result, &diagnostic), STATUS_COMPILE);
    }
    ck_assert_str_eq(diagnostic.file, "exercise.cu");
    ck_assert_msg(diagnostic.line == 4 && strstr(diagnostic.message, "this inline assembly is no PTX") &&
                      strstr(diagnostic.message, "bra nolabel;)"),
                  "%d: %s", diagnostic.line, diagnostic.message);
    compile_result_free(&result);
}
END_TEST

#define ASKS "#if __has_include(\"/nowhere\")\n#endif\n"

// What asks about files outside is refused in the same words whether they are there or not.
static const struct asking {
    const char *source, *says; // says NULL: allowed
} asking[] = {
    {"#include \"/dev/stdin\"\n", "only system headers"},
    {"#define F \"/dev/stdin\"\n#include F\n", "only system headers"},
    {"#include </nowhere/at/all.h>\n", "only system headers"},
    {"#define F </nowhere/at/all.h>\n#include F\n", "only system headers"},
    {"#include \"../../nowhere.h\"\n", "only system headers"},
    {"/* x */ # /* y */ include /* z */ \"/nowhere\"\n", "only system headers"},
    {"#inc\\\nlude \"/nowhere\"\n", "only system headers"},
    {"%:include \"/nowhere\"\n", "only system headers"},
    {"#if 0\n#include \"/nowhere\"\n#endif\n", NULL},
    {"#if __has_include(\"/nowhere\")\n#endif\n", "only system headers"},
    {"#if __has_include(\"/etc/passwd\")\n#endif\n", "only system headers"},
    {"#define H(x) __has_include(x)\n#if H(</nowhere>)\n#endif\n", "must name its header"},
    {"#define C(a, b) a##b\n#if C(__has_inc, lude)(</nowhere>)\n#endif\n", "from pieces"},
    {"#pragma GCC dependency \"/nowhere\"\n", "asks about files"},
    // what is code to a compiler must not look like a comment or a string to the lab
    {"#define S R\"x(\" /*)x\"\n" ASKS "/* */\n", "only system headers"},
    {"#define S R\"x()\\\nx\" /*)x\"\n" ASKS "/* */\n", "only system headers"},
    {"#define S aR\"x(\" /* )x\"\n*/\n" ASKS, "only system headers"},
    {"#define N 1'0 \"x' /* y\"\n" ASKS "/* */\n", "only system headers"},
    {"// x\r" ASKS, "only system headers"},
    {"// x \\ \r\r\n" ASKS, "only system headers"},
    {"// x \\\v\n /*\n" ASKS "/* */\n", "only system headers"},
    {"#pragma GCC /*\n*/ dependency \"/nowhere\"\n", "asks about files"},
    {"#if __has_include(<x/*>)\n#endif\n" ASKS "/* >) */\n", "only system headers"},
    {"#if __has_include(<x'>) || 'a' /* '\n// */ __has_include(\"/nowhere\")\n#endif\n", "only system headers"},
    {"#define S R\"x\n" ASKS, "raw string is not closed"},
    {"#define S R\"x(\n" ASKS ")x\"\n", "only system headers"}, // too careful: it is a string
    {"#define Q(x) _Pragma(#x)\nQ(GCC dependency \"/nowhere\")\n", "from pieces"},
    {"#if __has_include(<stdint.h>) && !__has_include(\"none.h\") && defined(__has_include)\n#include <stdint.h>\n"
     "#else\n#error\n#endif\n",
     NULL},
    {"#define NAME(a, b) a##_##b\n__device__ int NAME(x, y), include, n, _h; // #include \"/nowhere\"\n", NULL},
    {"#define NAME(a, b) a##_##b\n__device__ int NAME(x, y), include, has, _h;\n", "from pieces"},
    {"#define Q __has_include\n#if Q(\"/nowhere\")\n#endif\n", "must name its header"},
    {"#define Q __has_include\n#define P Q\n#if P(\"/etc/passwd\")\n#endif\n", "must name its header"},
    {"%:define Q __has_include\n%:if Q(\"/nowhere\") || 0\n%:endif\n", "must name its header"},
    {"#define C(a, b) a##b\n#define D(a, b) C(a, b)\n#if D(D(D(D(__h, as_), in), clu), de)(</nowhere>)\n#endif\n",
     "from pieces"},
    {"#define ifdef(x) x\n#if ifdef(__has_include)(\"/nowhere\")\n#endif\n", "must name its header"},
    {"#define I ifndef\n#define ifndef(x) x\n#if I(__has_include)(\"/nowhere\")\n#endif\n", "must name its header"},
    {"#define D(x) defined x\n#if D(__has_include)\n#endif\n", "must name its header"}, // too careful
    {"  #  ifndef __has_include\n#endif\n%:ifdef __has_include\n%:endif\n", NULL},
    {"#ifdef __has_include\n#if defined ( __has_include )\n#endif\n#endif\n", NULL},
    {"#include \"/proc/self/fd/1\"\n", "only system headers"},
    {"#include \"/proc/self/fd/2\"\n", "only system headers"},
    {"#define DO(x) _Pragma(#x)\n__device__ int dependency = 1'000; /* '\"/* */\n", NULL},
};

START_TEST(a_source_cannot_ask_which_files_there_are)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    const struct asking *row = &asking[_i];
    struct text source = {0};
    text_puts(&source, row->source);
    text_puts(&source, "__global__ void k(int *p) { *p = 1; }\n");
    enum status status = compile_text(0, source.data, (struct compile_request){0}, &result, &diagnostic);
    ck_assert_msg(status == (row->says ? STATUS_COMPILE : STATUS_OK), "%s: %s", row->source, diagnostic.message);
    ck_assert_msg(!row->says || strstr(diagnostic.message, row->says), "%s", diagnostic.message);
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

START_TEST(a_header_that_only_the_toolkit_has_is_named_so)
{
    struct compile_result result;
    struct diagnostic diagnostic;
    ck_assert_int_eq(compile_text(0, "#include <cub/cub.cuh>\n", (struct compile_request){0}, &result, &diagnostic),
                     STATUS_COMPILE);
    ck_assert_msg(strstr(diagnostic.message, "CUDA Toolkit"), "%s", diagnostic.message);
    ck_assert_int_eq(diagnostic.line, 1);
    compile_result_free(&result);
}
END_TEST

Suite *suite_toolchain(void)
{
    Suite *suite = suite_create("toolchain");
    TCase *tests = tcase_create("toolchain");
    tcase_set_timeout(tests, 60);
    tcase_add_unchecked_fixture(tests, find_compilers, remove_files);
    tcase_add_loop_test(tests, compiles_to_ptx_with_the_users_name_and_lines, 0, COMPILERS);
    tcase_add_loop_test(tests, a_value_that_only_the_leader_has_may_be_passed_to_a_shuffle, 0, COMPILERS);
    tcase_add_loop_test(tests, aligned_structs_are_copied_as_wide_as_they_are, 0, COMPILERS);
    tcase_add_loop_test(tests, a_vector_is_loaded_whole_where_a_branch_uses_a_part_of_it, 0, COMPILERS);
    tcase_add_loop_test(tests, aligned_structs_of_small_elements_are_loaded_whole, 0, COMPILERS);
    tcase_add_loop_test(tests, assembly_is_for_the_gpu_that_was_asked_for, 0, COMPILERS);
    tcase_add_loop_test(tests, tensor_maps_stay_where_they_were_passed, 0, COMPILERS);
    tcase_add_loop_test(tests, tensor_maps_by_value_are_copied, 0, COMPILERS);
    tcase_add_loop_test(tests, both_compilers_want_the_same_headers, 0, COMPILERS);
    tcase_add_test(tests, a_compiler_that_is_named_in_vain_is_told);
    tcase_add_loop_test(tests, launch_line_comes_through_the_ptx, 0, COMPILERS);
    tcase_add_loop_test(tests, launch_lines_that_no_gpu_runs_are_refused, 0,
                        sizeof launch_lines / sizeof *launch_lines);
    tcase_add_test(tests, an_unchanged_source_is_not_compiled_again);
    tcase_add_test(tests, a_damaged_cache_is_a_miss);
    tcase_add_loop_test(tests, headers_of_the_own_folder_are_read_when_asked, 0, COMPILERS);
    tcase_add_loop_test(tests, a_source_cannot_say_whose_lines_it_has, 0, COMPILERS);
    tcase_add_loop_test(tests, strings_and_names_that_look_like_line_directives_stay, 0, COMPILERS);
    tcase_add_loop_test(tests, a_source_finds_any_kernel_beside_it, 0, COMPILERS);
    tcase_add_loop_test(tests, a_size_of_stack_memory_may_vary_or_the_message_says_who_can, 0, COMPILERS);
    tcase_add_loop_test(tests, host_code_beside_a_kernel_is_accepted, 0, COMPILERS);
    tcase_add_loop_test(tests, libraries_that_host_code_calls_are_known, 0, COMPILERS);
    tcase_add_loop_test(tests, errors_have_their_place, 0, COMPILERS);
    tcase_add_test(tests, says_when_clang_takes_an_older_architecture);
    tcase_add_loop_test(tests, odd_words_are_refused_before_any_compiler_runs, 0,
                        sizeof refused_requests / sizeof *refused_requests);
    tcase_add_loop_test(tests, only_harmless_flags_are_taken, 0, sizeof refused_flags / sizeof *refused_flags);
    tcase_add_loop_test(tests, flags_work_with_every_compiler, 0, COMPILERS);
    tcase_add_test(tests, folders_of_killed_compilations_are_removed);
    tcase_add_test(tests, a_missing_compiler_is_explained);
    tcase_add_test(tests, an_nvcc_without_host_compiler_is_no_fault_of_the_source);
    tcase_add_loop_test(tests, optimisation_reaches_device_code, 0, COMPILERS);
    tcase_add_test(tests, a_cancelled_compilation_says_so);
    tcase_add_test(tests, clangd_flags_accept_an_exercise);
    tcase_add_loop_test(tests, what_assembly_breaks_is_told_at_its_line, 0, 2 * sizeof blamed / sizeof *blamed);
    tcase_add_loop_test(tests, what_ptxas_finds_in_assembly_is_told_at_its_line, 0, 2);
    tcase_add_loop_test(tests, a_source_cannot_ask_which_files_there_are, 0, sizeof asking / sizeof *asking);
    tcase_add_test(tests, a_header_that_only_the_toolkit_has_is_named_so);
    tcase_add_loop_test(tests, what_befalls_a_compiler_is_no_fault_of_the_source, 0,
                        sizeof befallen / sizeof *befallen);
    suite_add_tcase(suite, tests);
    return suite;
}
