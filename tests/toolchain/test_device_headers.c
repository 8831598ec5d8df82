// The device headers' own functions, compiled by clang and run on the simulator: mathematics against the C library's,
// the language against nvcc's.
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/skip.h"
#include "device/args.h"
#include "device/device.h"
#include "toolchain/toolchain.h"

Suite *suite_device_headers(void);

enum { COUNT = 512 };

// f(name, lowest argument, highest argument)
#define FLOATS(f)                                                                                                      \
    f(expf, -90, 88) f(exp2f, -126, 127) f(exp10f, -37, 38) f(expm1f, -10, 80) f(logf, 0, 100) f(log2f, 0, 3e38)       \
        f(log10f, 0, 1e10) f(log1pf, -0.999, 10) f(sinf, -1000, 1000) f(cosf, -1000, 1000) f(tanf, -1.5, 1.5)          \
            f(asinf, -1, 1) f(acosf, -1, 1) f(atanf, -50, 50) f(sinhf, -80, 80) f(coshf, -80, 80) f(tanhf, -12, 12)    \
                f(asinhf, -1e5, 1e5) f(acoshf, 1, 1e5) f(atanhf, -0.99, 0.99) f(erff, -4, 4) f(erfcf, -4, 9)           \
                    f(cbrtf, -1e9, 1e9) f(sqrtf, 0, 1e9) f(rsqrtf, 1e-3, 1e9) f(floorf, -9, 9) f(ceilf, -9, 9)         \
                        f(roundf, -9, 9) f(rintf, -9, 9) f(truncf, -9, 9) f(fabsf, -9, 9) f(lgammaf, 2.5, 1e6)         \
                            f(tgammaf, 0.1, 34) f(j0f, -2, 2) f(sinf, -1e30, 1e30)
#define DOUBLES(f)                                                                                                     \
    f(exp, -740, 709) f(exp2, -1060, 1023) f(expm1, -30, 700) f(log, 0, 1e300) f(log2, 0, 1e9) f(log10, 0, 1e9)        \
        f(log1p, -0.999, 10) f(sin, -1e4, 1e4) f(cos, -1e4, 1e4) f(tan, -1.5, 1.5) f(asin, -1, 1) f(acos, -1, 1)       \
            f(atan, -50, 50) f(sinh, -700, 700) f(cosh, -700, 700) f(tanh, -19, 19) f(asinh, -1e5, 1e5)                \
                f(acosh, 1, 1e5) f(atanh, -0.99, 0.99) f(erf, -5, 5) f(erfc, -5, 25) f(cbrt, -1e200, 1e200)            \
                    f(rsqrt, 1e-3, 1e9) f(round, -9, 9) f(exp10, -300, 300) f(sin, -1e300, 1e300) f(cos, -1e20, 1e20)  \
                        f(lgamma, 0.1, 1e6) f(lgamma, 0.9, 2.1) f(tgamma, 0.1, 170) f(tgamma, -20, 0) f(j0, -2, 2)     \
                            f(j1, -3, 3) f(y1, 0.1, 2) f(logb, 0, 1e300) f(sinpi, -1e6, 1e6) f(cospi, -1e6, 1e6)       \
                                f(erfinv, -1, 1) f(erfcinv, 1e-200, 1e-100) f(erfcx, -20, 60) f(normcdf, -37, 9)       \
                                    f(cyl_bessel_i0, -600, 600) f(cyl_bessel_i1, -600, 600)
#define PAIRS(f)                                                                                                       \
    f(pow, 0, 50) f(fmod, -1e6, 1e6) f(atan2, -3, 3) f(hypot, -1e200, 1e200) f(copysign, -3, 3) f(fmin, -3, 3)         \
        f(fdim, -3, 3) f(remainder, -1e6, 1e6) f(nextafter, -3, 3) f(rhypot, -1e200, 1e200)

#if !__GLIBC_PREREQ(2, 42)
static float rsqrtf(float x)
{
    return (float)(1 / sqrt((double)x));
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}
#endif

// What the C library has not, or not before that version, in more than double.
#if !__GLIBC_PREREQ(2, 41)
static double sinpi(double x)
{
    long double part = remainderl((long double)x, 2);
    return x == trunc(x) && !isinf(x) ? copysign(0.0, x) : (double)sinl(3.14159265358979323846264338328L * part);
}

static double cospi(double x)
{
    return (double)sinl(3.14159265358979323846264338328L * (0.5L - fabsl(remainderl((long double)x, 2))));
}
#endif

static double erfcx(double x)
{
    long double fraction = 0; // beyond 7; below, erfc is no subnormal
    for (int k = 200; k > 0; k--)
        fraction = 0.5L * k / (x + fraction);
    return (double)(x > 7 ? 0.564189583547756286948079451560773L / (x + fraction)
                          : expl((long double)x * x) * erfcl((long double)x));
}

static double normcdf(double x)
{
    return (double)(0.5L * erfcl(-(long double)x * 0.707106781186547524400844362104849L));
}

static double rhypot(double x, double y)
{
    return (double)(1 / hypotl(x, y));
}

// by bisection of what each is the inverse of
static double erfcinv(double p)
{
    long double low = -7, high = 40;
    for (int i = 0; i < 120 && p > 0 && p < 2; i++) {
        long double middle = (low + high) / 2;
        *(erfcl(middle) > p ? &low : &high) = middle;
    }
    return p > 0 && p < 2 ? (p == 1 ? 0 : (double)high) : p == 0 ? INFINITY : p == 2 ? -INFINITY : NAN;
}

static double erfinv(double x)
{
    long double low = -7, high = 7;
    for (int i = 0; i < 120; i++) {
        long double middle = (low + high) / 2;
        *(erfl(middle) < x ? &low : &high) = middle;
    }
    return x == 0 ? x : fabs(x) < 1 ? (double)high : fabs(x) > 1 || isnan(x) ? NAN : x * INFINITY;
}

static double bessel_i(int n, double x)
{
    long double term = 1, sum = 1, q = 0.25L * x * x;
    for (int k = 1; k < 2000 && !isinf(x); k++)
        sum += term *= q / ((long double)k * (k + n));
    return isinf(x) ? (n ? x : INFINITY) : (double)(n ? 0.5L * x * sum : sum);
}

static double cyl_bessel_i0(double x)
{
    return bessel_i(0, x);
}

static double cyl_bessel_i1(double x)
{
    return bessel_i(1, x);
}

// Results of glibc for the same arguments; the float functions in double, so that ours are judged by the true value.
#define HOST_FLOAT(name, low, high) {#name, low, high, (double (*)(double))0, name},
#define HOST_DOUBLE(name, low, high) {#name, low, high, name, NULL},
static const struct one_argument {
    const char *name;
    double low, high;
    double (*in_double)(double);
    float (*in_float)(float);
} one_argument[] = {FLOATS(HOST_FLOAT) DOUBLES(HOST_DOUBLE)};
#define HOST_PAIR(name, low, high) {#name, low, high, name},
static const struct two_arguments {
    const char *name;
    double low, high;
    double (*function)(double, double);
} two_arguments[] = {PAIRS(HOST_PAIR)};

enum { ONES = sizeof one_argument / sizeof *one_argument, TWOS = sizeof two_arguments / sizeof *two_arguments };

// Row r of `out` is function r of row r of `in`; all in double, which holds every float.
static void write_source(struct text *source)
{
    text_puts(source, "__global__ void evaluate(double *out, const double *in, int count)\n{\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= count)\n        return;\n");
    for (int row = 0; row < ONES; row++)
        text_printf(source,
                    one_argument[row].in_float ? "    out[%d * count + i] = %s((float)in[%d * count + i]);\n"
                                               : "    out[%d * count + i] = %s(in[%d * count + i]);\n",
                    row, one_argument[row].name, row);
    for (int row = 0; row < TWOS; row++)
        text_printf(source, "    out[%d * count + i] = %s(in[%d * count + i], in[%d * count + count - 1 - i]);\n",
                    ONES + row, two_arguments[row].name, ONES + row, ONES + row);
    text_puts(source, "}\n");
}

static void fill(double *in)
{
    static const double special[] = {0, -0.0, 1, -1, 0.5, 2, INFINITY, -INFINITY, NAN};
    for (int row = 0; row < ONES + TWOS; row++) {
        double low = row < ONES ? one_argument[row].low : two_arguments[row - ONES].low;
        double high = row < ONES ? one_argument[row].high : two_arguments[row - ONES].high;
        for (int i = 0; i < COUNT; i++) {
            double x = low + (high - low) * (((unsigned)i * 2654435761u) >> 8) / (double)(1u << 24);
            x = i < 9 ? special[i] : i % 4 == 0 ? x * 1e-3 + (low > 0 ? low : 0) : x; // small ones too
            in[row * COUNT + i] = row < ONES && one_argument[row].in_float ? (double)(float)x : x;
        }
    }
}

// Compiles, and runs the one kernel in blocks of `block` threads.
static bool is_cooperative; // the launches of run()
static uint32_t cluster_blocks;

static void run(const struct toolchain *toolchain, struct compile_request request, uint32_t blocks, uint32_t block,
                struct device_arg *args, size_t arg_count)
{
    struct compile_result result;
    struct diagnostic diagnostic = {0};
    struct ptx_module *module;
    struct device device = {0};
    struct record record = {0};
    ck_assert_msg(toolchain_compile(toolchain, &request, &result, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line,
                  diagnostic.message);
    ck_assert_msg(ptx_parse("device", result.ptx, result.ptx_length, &module, &diagnostic) == STATUS_OK, "%d: %s",
                  diagnostic.line, diagnostic.message);
    struct device_job job = {.module = module,
                             .shape.grid = {blocks, 1, 1},
                             .shape.block = {block, 1, 1},
                             .shape.cooperative = is_cooperative,
                             .shape.cluster = {cluster_blocks, cluster_blocks > 0, cluster_blocks > 0},
                             .args = args,
                             .arg_count = arg_count,
                             .want_hazards = true};
    ck_assert_int_eq(ptx_find_entry(module, NULL, &job.entry, &diagnostic), STATUS_OK);
    ck_assert_int_eq(device_open(&device, "sim", NULL, -1, &diagnostic), STATUS_OK);
    ck_assert_msg(device_run(&device, &job, &record, &diagnostic) == STATUS_OK, "%s: %s", toolchain->label,
                  diagnostic.message);
    ck_assert_msg(record.hazards.count == 0, "%s: %s", toolchain->label,
                  record.hazards.count ? record.hazards.items[0].message : "");
    record_free(&record);
    device_close(&device);
    ptx_module_free(module);
    compile_result_free(&result);
}

static void evaluate(double *out, double *in)
{
    struct text source = {0};
    struct toolchain toolchain;
    write_source(&source);
    struct compile_request request = {.path = "math.cu", .source = source.data, .source_length = source.length};
    ck_assert_int_eq(toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, NULL), STATUS_OK);
    size_t count = (size_t)(ONES + TWOS) * COUNT;
    struct device_arg args[] = {
        {.name = "out", .type = PTX_F64, .is_buffer = true, .data = out, .count = count},
        {.name = "in", .type = PTX_F64, .is_buffer = true, .data = in, .count = count},
        {.name = "count", .type = PTX_S32, .scalar = COUNT},
    };
    run(&toolchain, request, COUNT / 128, 128, args, 3);
    text_free(&source);
}

static bool is_close(double ours, double theirs, double tolerance, double least)
{
    if (isnan(theirs) || isinf(theirs))
        return isnan(theirs) ? isnan(ours) : ours == theirs;
    if (theirs == 0)
        return fabs(ours) <= least && (ours != 0 || signbit(ours) == signbit(theirs));
    return fabs(ours - theirs) <= fmax(tolerance * fabs(theirs), least);
}

// The first argument of a row that is off, as a line in off.
static void check_row(int row, const double *in, const double *out, struct text *off)
{
    for (int i = 0; i < COUNT; i++) {
        double x = in[i], theirs;
        bool good;
        if (row >= ONES) {
            theirs = two_arguments[row - ONES].function(x, in[COUNT - 1 - i]);
            good = is_close(out[i], theirs, 7e-16, 1e-300);
        } else if (one_argument[row].in_float) {
            theirs = (double)one_argument[row].in_float((float)x);
            good = is_close(out[i], theirs, 3e-7, 2e-38);
        } else {
            theirs = one_argument[row].in_double(x);
            good = is_close(out[i], theirs, 2e-15, 1e-300);
        }
        if (good)
            continue;
        text_printf(off, "%s(%.17g) = %.17g, not %.17g (%.2g)\n",
                    row < ONES ? one_argument[row].name : two_arguments[row - ONES].name, x, out[i], theirs,
                    fabs(out[i] / theirs - 1));
        return;
    }
}

START_TEST(device_functions_agree_with_the_c_library)
{
    static double in[(ONES + TWOS) * COUNT], out[(ONES + TWOS) * COUNT];
    struct text off = {0};
    fill(in);
    evaluate(out, in);
    for (int row = 0; row < ONES + TWOS; row++)
        check_row(row, in + row * COUNT, out + row * COUNT, &off);
    ck_assert_msg(off.length == 0, "%s", text_get(&off));
    text_free(&off);
}
END_TEST

enum { THREADS = 64, VALUES = 48 };

// Kernels of 32 and 64 threads that use what the headers offer, each with either clang.
START_TEST(the_device_language_means_the_same_to_both_compilers)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    static const char *const kernels[] = {"tests/toolchain/device.cu", "tests/toolchain/groups.cu",
                                          "tests/toolchain/packed.cu", "tests/toolchain/mma.cu",
                                          "tests/toolchain/scopes.cu"};
    static int in[64], ours[VALUES * THREADS], theirs[VALUES * THREADS];
    struct toolchain nvcc, clang;
    struct compile_request request = {.path = kernels[_i / 2]};
    struct device_arg args[] = {
        {.name = "out", .type = PTX_S32, .is_buffer = true, .data = theirs, .count = VALUES * THREADS},
        {.name = "in", .type = PTX_S32, .is_buffer = true, .data = in, .count = 64},
    };
    if (toolchain_find(TOOLCHAIN_NVCC, NULL, &nvcc, NULL) != STATUS_OK ||
        toolchain_find(TOOLCHAIN_CLANG, clangs[_i % 2], &clang, NULL) != STATUS_OK) {
        skip_check("no nvcc, or no %s", clangs[_i % 2]);
        return;
    }
    uint32_t threads = _i / 2 % 3 ? 64 : 32;
    for (int i = 0; i < 64; i++)
        in[i] = (i * 7919 + 13) % 101;
    run(&nvcc, request, 1, threads, args, 2);
    args[0].data = ours;
    run(&clang, request, 1, threads, args, 2);
    for (uint32_t i = 0; i < VALUES * THREADS; i++)
        ck_assert_msg(ours[i] == theirs[i], "value %u of thread %u: %s says %d, nvcc %d", i / threads, i % threads,
                      clang.label, ours[i], theirs[i]);
}
END_TEST

START_TEST(clusters_mean_the_same_to_both_compilers)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    static int in[64], ours[256], theirs[256];
    struct toolchain nvcc, clang;
    struct compile_request request = {.path = "tests/toolchain/clusters.cu"};
    struct device_arg args[] = {
        {.name = "out", .type = PTX_S32, .is_buffer = true, .data = theirs, .count = 256},
        {.name = "in", .type = PTX_S32, .is_buffer = true, .data = in, .count = 64},
    };
    if (toolchain_find(TOOLCHAIN_NVCC, NULL, &nvcc, NULL) != STATUS_OK ||
        toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no nvcc, or no %s", clangs[_i]);
        return;
    }
    for (int i = 0; i < 64; i++)
        in[i] = (i * 7919 + 13) % 101;
    cluster_blocks = 4;
    run(&nvcc, request, 8, 32, args, 2);
    args[0].data = ours;
    run(&clang, request, 8, 32, args, 2);
    cluster_blocks = 0;
    ck_assert_mem_eq(ours, theirs, sizeof ours);
}
END_TEST

START_TEST(textures_mean_the_same_to_both_compilers)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    static const char *const specs[] = {
        "out:s32[1536]=zero",
        "line:tex(f32[8],linear)=iota",
        "plane:tex(f32x4[8*8],linear,wrap,normalized)=random",
        "bytes:tex(u8x4[8*8])=random",
        "space:tex(f32[8*8*4],linear)=iota",
        "cube:tex(f32[4*4*6],cube)=iota",
        "lines:tex(f32[8*3],layered)=iota",
        "planes:tex(f32[8*8*3],linear,layered)=iota",
        "words:tex(s32[32],memory)=iota",
        "s1:surf(s32[64])=iota",
        "s2:surf(s16[8*8])=iota",
        "s3:surf(u32x4[1*4*4])=iota",
        "layers:surf(f32x2[8*4*2],layered)=iota",
    };
    enum { ARGS = sizeof specs / sizeof *specs, WORDS = 1536 };
    static int found[2][WORDS];
    struct toolchain toolchains[2];
    struct compile_request request = {.path = "tests/toolchain/textures.cu"};
    if (toolchain_find(TOOLCHAIN_NVCC, NULL, &toolchains[0], NULL) != STATUS_OK ||
        toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &toolchains[1], NULL) != STATUS_OK) {
        skip_check("no nvcc, or no %s", clangs[_i]);
        return;
    }
    for (int k = 0; k < 2; k++) {
        struct device_arg args[ARGS];
        struct diagnostic diagnostic = {0};
        for (int i = 0; i < ARGS; i++)
            ck_assert_msg(args_parse(specs[i], &args[i], &diagnostic) == STATUS_OK, "%s", diagnostic.message);
        run(&toolchains[k], request, 1, 64, args, ARGS);
        memcpy(found[k], args[0].data, sizeof found[k]);
        for (int i = 0; i < ARGS; i++)
            args_free(&args[i]);
    }
    for (int i = 0; i < WORDS; i++)
        ck_assert_msg(found[0][i] == found[1][i], "value %d of thread %d: %s says %#x, nvcc %#x", i / 64, i % 64,
                      toolchains[1].label, (unsigned)found[1][i], (unsigned)found[0][i]);
    ck_assert_int_ne(found[0][19 * 64 + 9], 0);
}
END_TEST

// What one thread wrote before a barrier, all read behind it. clang 14 once moved the read above.
static const char barrier_source[] =
    "#include <cooperative_groups.h>\n#include <cuda_pipeline.h>\n"
    "#define CHECK(n, barrier) { __shared__ int found; if (threadIdx.x == 0) found = in[n]; barrier; \\\n"
    "    out[n * 64 + threadIdx.x] = found; }\n"
    "extern \"C\" __global__ void barriers(int *out, const int *in)\n{\n"
    "    CHECK(0, __syncthreads()) CHECK(1, __syncthreads_and(1)) CHECK(2, __syncthreads_or(0))\n"
    "    CHECK(3, __syncthreads_count(1)) CHECK(4, __barrier_sync(3)) CHECK(5, __barrier_sync_count(2, 64))\n"
    "    CHECK(6, cooperative_groups::this_thread_block().sync())\n"
    "    CHECK(7, cooperative_groups::sync(cooperative_groups::this_thread_block()))\n"
    "    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
    "    { __shared__ int of[2]; if (lane == 0) of[warp] = in[8]; __syncwarp(); out[8 * 64 + threadIdx.x] = of[warp]; "
    "}\n"
    "    { __shared__ int to[64]; __pipeline_memcpy_async(&to[threadIdx.x], &in[9], 4); __pipeline_commit();\n"
    "      __pipeline_wait_prior(0); out[9 * 64 + threadIdx.x] = to[threadIdx.x]; }\n"
    "}\n";

START_TEST(no_read_moves_above_a_barrier)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    enum { CHECKS = 10 };
    static int in[CHECKS], out[CHECKS * THREADS];
    struct toolchain clang;
    struct device_arg args[] = {
        {.name = "out", .type = PTX_S32, .is_buffer = true, .data = out, .count = CHECKS * THREADS},
        {.name = "in", .type = PTX_S32, .is_buffer = true, .data = in, .count = CHECKS},
    };
    if (toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no %s", clangs[_i]);
        return;
    }
    for (int i = 0; i < CHECKS; i++)
        in[i] = 100 + i;
    struct compile_request request = {
        .path = "barriers.cu", .source = barrier_source, .source_length = sizeof barrier_source - 1};
    run(&clang, request, 1, THREADS, args, 2);
    for (int i = 0; i < CHECKS * THREADS; i++)
        ck_assert_msg(out[i] == 100 + i / THREADS, "%s: barrier %d, thread %d reads %d", clang.label, i / THREADS,
                      i % THREADS, out[i]);
}
END_TEST

// Each round reads what the thread at the other end of the grid wrote in the last.
static const char grid_source[] =
    "#include <cooperative_groups.h>\n"
    "extern \"C\" __global__ void rounds(int *a, int *b)\n{\n"
    "    cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
    "    unsigned i = grid.thread_rank(), last = grid.size() - 1;\n"
    "    a[i] = i;\n"
    "    for (int round = 0; round < 3; round++) {\n"
    "        grid.sync(); b[i] = a[last - i] + 1; grid.sync(); a[i] = b[last - i] + grid.is_valid();\n"
    "    }\n}\n";

START_TEST(the_grid_meets_at_its_barrier)
{
    static const char *const compilers[] = {"clang", "clang-19", NULL};
    enum { BLOCKS = 5 };
    static int a[BLOCKS * THREADS], b[BLOCKS * THREADS];
    struct toolchain toolchain;
    struct device_arg args[] = {
        {.name = "a", .type = PTX_S32, .is_buffer = true, .data = a, .count = BLOCKS * THREADS},
        {.name = "b", .type = PTX_S32, .is_buffer = true, .data = b, .count = BLOCKS * THREADS},
    };
    if (toolchain_find(compilers[_i] ? TOOLCHAIN_CLANG : TOOLCHAIN_NVCC, compilers[_i], &toolchain, NULL) !=
        STATUS_OK) {
        skip_check("no %s", compilers[_i] ? compilers[_i] : "nvcc");
        return;
    }
    struct compile_request request = {
        .path = "rounds.cu", .source = grid_source, .source_length = sizeof grid_source - 1};
    is_cooperative = true;
    run(&toolchain, request, BLOCKS, THREADS, args, 2);
    is_cooperative = false;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        ck_assert_msg(a[i] == i + 6, "%s: %d has %d", toolchain.label, i, a[i]);
}
END_TEST

// What orders memory: none of the kernel's accesses to shared memory may pass the instruction, upwards or downwards.
static const struct ordering {
    const char *does, *instruction;
} orderings[] = {
    {"__syncthreads();", "bar.sync"},
    {"(void)__syncthreads_and(in[1]);", "bar.red.and"},
    {"(void)__syncthreads_or(in[1]);", "bar.red.or"},
    {"(void)__syncthreads_count(in[1]);", "bar.red.popc"},
    {"__syncwarp();", "bar.warp.sync"},
    {"__threadfence_block();", "membar.cta"},
    {"__threadfence();", "membar.gl"},
    {"__threadfence_system();", "membar.sys"},
    {"__barrier_sync(1);", "barrier.sync"},
    {"__barrier_sync_count(1, 64);", "barrier.sync"},
    {"__nanosleep(20);", "nanosleep"}, // of a thread that waits for another's store
    {"__pipeline_wait_prior(0);", "cp.async.wait_group"},
    {"cg::this_thread_block().sync();", "bar.sync"},
    {"cg::sync(cg::tiled_partition<8>(cg::this_thread_block()));", "bar.warp.sync"},
    {"cg::coalesced_threads().sync();", "bar.warp.sync"},
    {"cg::wait(cg::this_thread_block());", "bar.sync"},
    {"gate.arrive_and_wait();", "mbarrier.t"}, // test_wait, or try_wait from sm_90 on
    {"gate.wait_parity(0);", "mbarrier.t"},
    {"(void)gate.arrive();", "mbarrier.arrive"},
    {"gate.arrive_and_drop();", "mbarrier.arrive_drop"},
    {"pipe.consumer_wait();", "cp.async.wait_group"},
    {"cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);", "membar.cta"},
    {"(void)cuda::atomic_ref<int, cuda::thread_scope_block>(flag).fetch_add(1, cuda::memory_order_acq_rel);", "atom."},
    {"asm volatile(\"bar.sync 3, 64;\" ::: \"memory\");", "bar.sync"},
};
enum { ORDERINGS = sizeof orderings / sizeof *orderings };

// The body of kernel `stem` and number, terminated; free() it.
static char *kernel_body(const char *ptx, const char *stem, int number)
{
    char name[32];
    snprintf(name, sizeof name, ".entry %s%d(", stem, number);
    const char *start = strstr(ptx, name), *end = start ? strstr(start, "\n}") : NULL;
    ck_assert_msg(end, "no kernel %s", name);
    char *body = strndup(start, (size_t)(end - start));
    ck_assert_ptr_nonnull(body);
    return body;
}

static int count_words(const char *from, const char *to, const char *word)
{
    int count = 0;
    for (const char *at = from; (at = strstr(at, word)) && at < to; at++)
        count++;
    return count;
}

static void compile_or_fail(const struct toolchain *clang, const struct text *source, struct compile_result *result)
{
    struct diagnostic diagnostic = {0};
    struct compile_request request = {.path = "headers.cu", .source = source->data, .source_length = source->length};
    ck_assert_msg(toolchain_compile(clang, &request, result, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line,
                  diagnostic.message);
}

START_TEST(no_access_passes_what_orders_memory)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    struct toolchain clang;
    struct compile_result result;
    struct text source = {0};
    if (toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no %s", clangs[_i]);
        return;
    }
    text_puts(&source, "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
                       "#include <cuda/pipeline>\nnamespace cg = cooperative_groups;\n");
    for (int row = 0; row < ORDERINGS; row++)
        text_printf(&source,
                    "extern \"C\" __global__ void order%d(int *out, const int *in)\n{\n"
                    "    __shared__ int a, b[64], flag;\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> gate;\n"
                    "    auto pipe = cuda::make_pipeline();\n    pipe.producer_commit();\n    int t = threadIdx.x;\n"
                    "    if (t == 0)\n        a = in[0];\n    int before = b[t];\n    %s\n"
                    "    out[t] = a + before;\n    b[t] = t;\n}\n",
                    row, orderings[row].does);
    compile_or_fail(&clang, &source, &result);
    for (int row = 0; row < ORDERINGS; row++) {
        char *body = kernel_body(result.ptx, "order", row), *end = body + strlen(body);
        const char *there = strstr(body, orderings[row].instruction);
        ck_assert_msg(there, "no %s: %s", orderings[row].instruction, orderings[row].does);
        ck_assert_msg(count_words(body, there, "ld.shared") == 1 && count_words(body, there, "st.shared") == 1 &&
                          count_words(there, end, "ld.shared") == 1 && count_words(there, end, "st.shared") == 1,
                      "%s: an access passes %s\n%s", clang.label, orderings[row].does, body);
        free(body);
    }
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

// What is of a block says so: for other blocks it is no atomic, and no order.
static const struct scoped {
    const char *does, *instruction;
} scoped[] = {
    {"atomicAdd_block(a, 1)", "atom.cta.add.u32"},
    {"atomicAdd_block((float *)a, 1.0f)", "atom.cta.add.f32"},
    {"atomicSub_block(a, 1)", "atom.cta.add.u32"},
    {"atomicExch_block(a, 1)", "atom.cta.exch.b32"},
    {"atomicAnd_block(a, 1)", "atom.cta.and.b32"},
    {"atomicMin_block((unsigned *)a, 1u)", "atom.cta.min.u32"},
    {"atomicMax_block(a, 1)", "atom.cta.max.s32"},
    {"atomicInc_block((unsigned *)a, 9u)", "atom.cta.inc.u32"},
    {"atomicCAS_block(a, 1, 2)", "atom.cta.cas.b32"},
    {"atomicAdd_system(a, 1)", "atom.sys.add.u32"},
    {"of_block(*a).fetch_add(1, relaxed)", "atom.cta.add.u32"},
    {"of_block(*a).fetch_sub(1, relaxed)", "atom.cta.add.u32"},
    {"of_block(*a).fetch_or(1, relaxed)", "atom.cta.or.b32"},
    {"of_block(*a).fetch_min(1, relaxed)", "atom.cta.min.s32"},
    {"of_block(*a).exchange(1, relaxed)", "atom.cta.exch.b32"},
    {"int was = 3; of_block(*a).compare_exchange_strong(was, 1, relaxed)", "atom.cta.cas.b32"},
    {"a[1] = of_block(*a).load(relaxed)", "ld.relaxed.cta.b32"},
    {"of_block(*a).store(1, relaxed)", "st.relaxed.cta.b32"},
    // an atomic that only reads, or only writes, stays one
    {"a[1] = atomicOr(a, 0)", "atom.global.or.b32"},
    {"a[1] = atomicAdd(a, 0)", "atom.global.add"},
    {"a[1] = atomicAnd((unsigned *)a, ~0u)", "atom.global.and.b32"},
    {"a[1] = atomicMax(a, -2147483647 - 1)", "atom.global.max.s32"},
    {"a[1] = atomicMin((unsigned *)a, ~0u)", "atom.global.min.u32"},
    {"a[1] = (int)atomicXor((unsigned long long *)a, 0)", "atom.global.xor.b64"},
    {"atomicExch(a, 1)", "atom.global.exch.b32"},
    {"atomicExch((float *)a, 1.0f)", "atom.global.exch.b32"},
    {"atomicAnd(a, 0)", "atom.global."},
    {"of_device(*a).exchange(1, relaxed)", "atom.global.exch.b32"},
    {"a[1] = of_device(*a).fetch_or(0, relaxed)", "atom.global.or.b32"},
    {"a[1] = of_device(*a).fetch_add(0, relaxed)", "atom.global.add"},
};
enum { SCOPED = sizeof scoped / sizeof *scoped };

START_TEST(atomics_say_their_scope)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    struct toolchain clang;
    struct compile_result result;
    struct text source = {0};
    if (toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no %s", clangs[_i]);
        return;
    }
    text_puts(&source, "#include <cuda/atomic>\nusing of_block = cuda::atomic_ref<int, cuda::thread_scope_block>;\n"
                       "using of_device = cuda::atomic_ref<int, cuda::thread_scope_device>;\n"
                       "constexpr auto relaxed = cuda::memory_order_relaxed;\n");
    for (int row = 0; row < SCOPED; row++)
        text_printf(&source, "extern \"C\" __global__ void scoped%d(int *a)\n{\n    %s;\n}\n", row, scoped[row].does);
    compile_or_fail(&clang, &source, &result);
    for (int row = 0; row < SCOPED; row++) {
        char *body = kernel_body(result.ptx, "scoped", row);
        ck_assert_msg(strstr(body, scoped[row].instruction) != NULL, "%s: %s\n%s", clang.label, scoped[row].does, body);
        free(body);
    }
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

// Operations of a warp or a block stay one, and outside of branches that not all threads take, however much a compiler
// would like to copy them into both sides, to turn the loop round, or to let them sink to where their result is used.
static const struct convergent {
    const char *body, *instruction;
} convergents[] = {
    {"int v = in[t] > 3 ? in[t] * 7 : in[t + 1] ^ 5, s = __shfl_xor_sync(~0u, v, 1); if (in[t] > 3) out[t] = s * 3; "
     "else out[t] = s + 11;",
     "shfl.sync"},
    {"out[t + 64] = in[t] > 3 ? in[t] * 7 : in[t + 1] ^ 5; __syncthreads(); if (in[t] > 3) out[t] = out[t + 65] * 3; "
     "else out[t] = out[t + 66] + 11;",
     "bar.sync"},
    {"__shared__ int a[64]; int sum = 0; bool odd = in[t] & 1; for (int i = 0; i < in[99]; i++) { a[t] = sum; "
     "__syncthreads(); if (odd) sum += a[t ^ i]; else sum -= a[t ^ 1]; __syncwarp(); } out[t] = sum;",
     "bar.sync"},
    {"int s = __shfl_sync(~0u, in[t], 3); if (t & 1) out[t] = s;", "shfl.sync"},
    {"unsigned m = __ballot_sync(~0u, in[t] & 1); if (t & 1) out[t] = m;", "vote.sync"},
    {"int s = __reduce_add_sync(~0u, in[t]); if (t & 1) out[t] = s;", "redux.sync"},
    {"unsigned m = __match_any_sync(~0u, in[t]); if (t & 1) out[t] = m;", "match.any"},
    {"unsigned m = __activemask(); if (t & 1) out[t] = m;", "activemask"},
};
enum { CONVERGENTS = sizeof convergents / sizeof *convergents };

START_TEST(what_a_warp_does_together_stays_together)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    struct toolchain clang;
    struct compile_result result;
    struct text source = {0};
    if (toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no %s", clangs[_i]);
        return;
    }
    for (int row = 0; row < CONVERGENTS; row++)
        text_printf(&source,
                    "extern \"C\" __global__ void warp%d(int *out, const int *in) { int t = threadIdx.x; %s }\n", row,
                    convergents[row].body);
    compile_or_fail(&clang, &source, &result);
    for (int row = 0; row < CONVERGENTS; row++) {
        char *body = kernel_body(result.ptx, "warp", row), *branch = strstr(body, "bra ");
        const char *there = strstr(body, convergents[row].instruction);
        ck_assert_msg(there && count_words(body, body + strlen(body), convergents[row].instruction) == 1,
                      "%s: not one %s\n%s", clang.label, convergents[row].instruction, body);
        ck_assert_msg(row < 3 || !branch || there < branch, "%s: %s sank into a branch\n%s", clang.label,
                      convergents[row].instruction, body);
        free(body);
    }
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

// One wide access, as nvcc makes, and none of another width.
static const struct wide_copy {
    const char *type, *body;
    const char *expected[4];
} wide_copies[] = {
    {"float4", "out[i] = in[i];", {"ld.global.v4.f32", "st.global.v4.f32"}},
    {"int4", "int4 v = in[i]; out[i] = v;", {"ld.global.v4.u32", "st.global.v4.u32"}},
    {"uint4", "uint4 &to = out[i]; to = in[i];", {"ld.global.v4.u32", "st.global.v4.u32"}},
    {"double2", "out[i] = in[i];", {"ld.global.v2.f64", "st.global.v2.f64"}},
    {"longlong2", "out[i] = in[i];", {"ld.global.v2.u64", "st.global.v2.u64"}},
    {"float2", "out[i] = in[i];", {"ld.global.u64", "st.global.u64"}},
    {"float4", "out[i] = make_float4(0, 0, 0, 0);", {"st.global.v4.f32"}},
    {"float4", "out[i] = {};", {"st.global.v4.f32"}},
    {"float4", "float4 v = in[i]; v.x += 1; out[i] = v;", {"ld.global.v4.f32", "st.global.v4.f32"}},
    {"float4",
     "__shared__ float4 tile[32][2]; tile[i][0] = in[i]; __syncthreads(); out[i] = tile[i ^ 1][0];",
     {"ld.global.v4.f32", "st.shared.v4.f32", "ld.shared.v4.f32", "st.global.v4.f32"}},
};
enum { WIDE_COPIES = sizeof wide_copies / sizeof *wide_copies };

// Loads and stores in a kernel's PTX, those of parameters left out.
static int count_accesses(const char *ptx)
{
    int count = 0;
    for (const char *at = ptx; (at = strpbrk(at, "ls")); at++)
        count += (text_starts(at, "ld.") || text_starts(at, "st.")) && !text_starts(at + 3, "param") &&
                 (at == ptx || strchr(" \t\n", at[-1]));
    return count;
}

static void check_copy(int row, const char *ptx)
{
    const struct wide_copy *copy = &wide_copies[row];
    int expected = 0;
    char *body = kernel_body(ptx, "copy", row);
    for (; expected < 4 && copy->expected[expected]; expected++)
        ck_assert_msg(strstr(body, copy->expected[expected]), "no %s: %s\n%s", copy->expected[expected], copy->body,
                      body);
    ck_assert_msg(count_accesses(body) == expected, "%s\n%s", copy->body, body);
    free(body);
}

START_TEST(a_copy_of_a_vector_type_keeps_its_width)
{
    static const char *const clangs[] = {"clang", "clang-19"};
    struct toolchain clang;
    struct compile_result result;
    struct text source = {0};
    if (toolchain_find(TOOLCHAIN_CLANG, clangs[_i], &clang, NULL) != STATUS_OK) {
        skip_check("no %s", clangs[_i]);
        return;
    }
    for (int row = 0; row < WIDE_COPIES; row++) {
        const char *type = wide_copies[row].type;
        text_printf(&source,
                    "static_assert(__is_trivially_copyable(%s) && __is_aggregate(%s), \"\");\n"
                    "extern \"C\" __global__ void copy%d(%s *out, const %s *in)\n{\n    int i = threadIdx.x;\n    "
                    "%s\n}\n",
                    type, type, row, type, type, wide_copies[row].body);
    }
    compile_or_fail(&clang, &source, &result);
    for (int row = 0; row < WIDE_COPIES; row++)
        check_copy(row, result.ptx);
    compile_result_free(&result);
    text_free(&source);
}
END_TEST

Suite *suite_device_headers(void)
{
    Suite *suite = suite_create("device_headers");
    TCase *tests = tcase_create("device_headers");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, device_functions_agree_with_the_c_library);
    tcase_add_loop_test(tests, the_device_language_means_the_same_to_both_compilers, 0, 10);
    tcase_add_loop_test(tests, clusters_mean_the_same_to_both_compilers, 0, 2);
    tcase_add_loop_test(tests, textures_mean_the_same_to_both_compilers, 0, 2);
    tcase_add_loop_test(tests, no_read_moves_above_a_barrier, 0, 2);
    tcase_add_loop_test(tests, the_grid_meets_at_its_barrier, 0, 3);
    tcase_add_loop_test(tests, no_access_passes_what_orders_memory, 0, 2);
    tcase_add_loop_test(tests, atomics_say_their_scope, 0, 2);
    tcase_add_loop_test(tests, what_a_warp_does_together_stays_together, 0, 2);
    tcase_add_loop_test(tests, a_copy_of_a_vector_type_keeps_its_width, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
