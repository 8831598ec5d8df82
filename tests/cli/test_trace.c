// `trace`: the machine interface, against what the hardware counted.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/text.h"
#include "toolchain/toolchain.h"

Suite *suite_trace(void);

enum { MAX_FIELDS = 32, MAX_ROW = 2048 };

// ---- golden rows

static size_t split(char *row, char *fields[MAX_FIELDS])
{
    size_t count = 0;
    for (char *at = row; at && count < MAX_FIELDS;) {
        if (*at == '"') {
            fields[count++] = at + 1;
            at = strchr(at + 1, '"');
            *at++ = '\0';
            at = *at == ',' ? at + 1 : NULL;
        } else {
            fields[count++] = strsep(&at, ",\n");
        }
    }
    return count;
}

// The golden file's value of a column in the first row (256 x 256) of a kernel.
static long long golden(const char *kernel, const char *column)
{
    char heading[MAX_ROW] = "", row[MAX_ROW], *names[MAX_FIELDS], *fields[MAX_FIELDS];
    FILE *file = fopen("tests/golden/h200_kernels.csv", "r");
    ck_assert_ptr_nonnull(file);
    long long value = -1;
    size_t count = 0;
    while (value < 0 && fgets(row, sizeof row, file)) {
        if (row[0] == '#')
            continue;
        if (!heading[0]) {
            snprintf(heading, sizeof heading, "%s", row);
            count = split(heading, names);
            continue;
        }
        split(row, fields);
        if (strcmp(fields[0], kernel) != 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], column) == 0)
                value = atoll(fields[i]);
    }
    fclose(file);
    ck_assert_msg(value >= 0, "the golden file has no %s of %s", column, kernel);
    return value;
}

// ---- transposes at 256 x 256

static const struct {
    const char *kernel, *grid, *block;
    int elements; // of one float of the element type: 4 for float4
} kernels[] = {
    {"copy_f32", "256", "256", 1},         {"copy_strided<2>", "256", "256", 1},  {"copy_strided<8>", "256", "256", 1},
    {"copy_strided<32>", "256", "256", 1}, {"tr_naive", "8,8", "32,32", 0},       {"tr_naive_r", "8,8", "32,32", 0},
    {"tr_tile<0, 32>", "8,8", "32,32", 0}, {"tr_tile<1, 32>", "8,8", "32,32", 0}, {"tr_swz<32>", "8,8", "32,32", 0},
    {"tr_tile<0, 8>", "8,8", "32,8", 0},   {"tr_tile<1, 8>", "8,8", "32,8", 0},   {"tr_swz<8>", "8,8", "32,8", 0},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static json_t *trace(const char *file, const char *compiler, size_t kernel)
{
    const char *const words[] = {"trace",
                                 file,
                                 "--kernel",
                                 kernels[kernel].kernel,
                                 "--grid",
                                 kernels[kernel].grid,
                                 "--block",
                                 kernels[kernel].block,
                                 "--device",
                                 "sim",
                                 "--compiler",
                                 compiler,
                                 "--json",
                                 "--arg",
                                 "o:f32[65536]=none",
                                 "--arg",
                                 "a:f32[65536]=random",
                                 "--arg",
                                 kernels[kernel].elements ? "n:s32=65536" : "n:s32=256",
                                 NULL};
    struct process_result result = program_run(words, NULL);
    ck_assert_msg(result.exit_code == 0, "%s: %s", kernels[kernel].kernel, text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_ptr_nonnull(json);
    process_result_free(&result);
    return json;
}

static void agrees_with_hardware(const char *file, const char *compiler, size_t kernel)
{
    static const char *const columns[] = {"shared_load_wavefronts", "shared_load_conflicts", "shared_store_wavefronts",
                                          "shared_store_conflicts", "global_load_requests",  "global_load_sectors",
                                          "global_store_requests",  "global_store_sectors"};
    json_t *json = trace(file, compiler, kernel), *counters = json_object_get(json, "counters");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        long long counted = json_integer_value(json_object_get(counters, columns[i]));
        ck_assert_msg(counted == golden(kernels[kernel].kernel, columns[i]), "%s, %s: %lld, the hardware counted %lld",
                      kernels[kernel].kernel, columns[i], counted, golden(kernels[kernel].kernel, columns[i]));
    }
    ck_assert_str_eq(json_string_value(json_object_get(json, "kernel")), kernels[kernel].kernel);
    ck_assert_str_eq(json_string_value(json_object_get(json, "device")), "simulated (sm_90)");
    ck_assert_uint_eq(json_array_size(json_object_get(json, "hazards")), 0);
    json_decref(json);
}

START_TEST(counts_the_ladder_as_the_hardware_does_from_nvcc)
{
    agrees_with_hardware("tests/ptx/data/ladder.sm_90.ptx", "auto", (size_t)_i);
}
END_TEST

START_TEST(counts_the_ladder_as_the_hardware_does_from_clang)
{
    struct toolchain toolchain;
    struct diagnostic diagnostic;
    if (toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, &diagnostic) != STATUS_OK) {
        skip_check("no clang");
        return;
    }
    agrees_with_hardware("tests/kernels/ladder.cu", "clang", (size_t)_i);
}
END_TEST

// ---- all forms of arguments, and mistakes

static const char kernel_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry scale(.param .u64 p, .param .f32 f, .param .u32 n) {\n"
    "  .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p1;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.f32 %f1, [f]; ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
    "  mad.lo.u32 %r5, %r3, %r4, %r2; setp.ge.u32 %p1, %r5, %r1; @%p1 bra DONE;\n"
    "  cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd2, %rd3;\n"
    "  ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f2, %f1; st.global.f32 [%rd3], %f3;\n"
    "DONE: ret;\n}\n";

static char ptx_path[64];

static void write_ptx(void)
{
    snprintf(ptx_path, sizeof ptx_path, "/tmp/bankshot-trace-%d.ptx", (int)getpid());
    FILE *file = fopen(ptx_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(kernel_ptx, file);
    fclose(file);
}

static void remove_ptx(void)
{
    unlink(ptx_path);
}

START_TEST(dumps_what_the_kernel_left)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "trace %s --grid 2 --block 4 --arg p:f32[8]=iota --arg f:f32=0.5 --arg n:u32=7 --dump p --json --device %s",
        ptx_path, _i ? "auto" : "sim"); // without a GPU, "auto" is the simulator, and that is no error
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    json_t *values = json_object_get(json_object_get(json, "dumps"), "p");
    ck_assert_uint_eq(json_array_size(values), 8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq(json_number_value(json_array_get(values, i)), i < 7 ? 0.5 * (double)i : 7.0);
    json_t *counters = json_object_get(json, "counters");
    ck_assert_int_eq(json_integer_value(json_object_get(counters, "global_load_requests")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(counters, "global_load_sectors")), 2);
    ck_assert(json_is_null(json_object_get(json, "error")));
    json_t *modelled = json_object_get(json, "modelled");
    ck_assert_double_gt(json_number_value(json_object_get(modelled, "us")), 0);
    ck_assert_str_eq(json_string_value(json_object_get(modelled, "gpu")), "H200");
    ck_assert_ptr_nonnull(json_string_value(json_object_get(modelled, "bound_by")));
    json_decref(json);
    process_result_free(&result);
}
END_TEST

// What lint only compiles, since it has not the lesson's kernel: lesson 12's sums of cubes of 27, without a tile, with
// one, and along z. Whole numbers, so that every order of adding has the same sum.
enum { VOLUME_X = 40, VOLUME_Y = 13, VOLUME_Z = 21 };

static double volume_sum(int x, int y, int z)
{
    double sum = 0;
    for (int c = z - 1; c <= z + 1; c++)
        for (int b = y - 1; b <= y + 1; b++)
            for (int a = x - 1; a <= x + 1; a++)
                if (a >= 0 && a < VOLUME_X && b >= 0 && b < VOLUME_Y && c >= 0 && c < VOLUME_Z)
                    sum += (c * VOLUME_Y + b) * VOLUME_X + a;
    return sum;
}

static const struct {
    const char *kernel, *compiler;
    int grid_z;
} volumes[] = {{"plain", "clang", 21}, {"tile", "clang", 21}, {"queue", "clang", 2}, {"queue", "nvcc", 2}};

START_TEST(the_stencils_in_three_dimensions_are_right)
{
    char line[512];
    struct toolchain toolchain;
    if (toolchain_find(strcmp(volumes[_i].compiler, "nvcc") == 0 ? TOOLCHAIN_NVCC : TOOLCHAIN_CLANG, NULL, &toolchain,
                       NULL)) {
        skip_check("no %s", volumes[_i].compiler);
        return;
    }
    snprintf(line, sizeof line,
             "trace lessons/12-stencil/variants/volume.cu --kernel %s --compiler %s --device sim --grid 2,2,%d "
             "--block 32,8 --arg out:f32[10920]=none --arg in:f32[10920]=iota --arg nx:s32=%d --arg ny:s32=%d "
             "--arg nz:s32=%d --dump out --json",
             volumes[_i].kernel, volumes[_i].compiler, volumes[_i].grid_z, VOLUME_X, VOLUME_Y, VOLUME_Z);
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    json_t *values = json_object_get(json_object_get(json, "dumps"), "out");
    ck_assert_uint_eq(json_array_size(values), VOLUME_X * VOLUME_Y * VOLUME_Z);
    for (int i = 0; i < VOLUME_X * VOLUME_Y * VOLUME_Z; i++)
        ck_assert_double_eq(json_number_value(json_array_get(values, (size_t)i)),
                            volume_sum(i % VOLUME_X, i / VOLUME_X % VOLUME_Y, i / VOLUME_X / VOLUME_Y));
    ck_assert_uint_eq(json_array_size(json_object_get(json, "hazards")), 0);
    json_decref(json);
    process_result_free(&result);
}
END_TEST

// Structs by value, pointers into buffers and in them, variables of the module, and arguments from a file.
static const char struct_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 4 .f32 scale = 0f3F800000;\n"
    ".global .align 4 .b8 table[16];\n"
    ".visible .entry mix(.param .align 8 .b8 s[24], .param .u64 list, .param .u64 out) {\n"
    "  .reg .b32 %r<6>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
    "  ld.param.f32 %f1, [s]; ld.param.u32 %r1, [s+4]; ld.param.u64 %rd1, [s+8]; ld.param.u64 %rd2, [s+16];\n"
    "  ld.param.u64 %rd3, [list]; ld.param.u64 %rd4, [out]; ld.u64 %rd5, [%rd3+8]; ld.f32 %f2, [%rd5];\n"
    "  ld.f32 %f3, [%rd1]; ld.const.f32 %f4, [scale]; ld.global.f32 %f5, [table+8]; cvt.rn.f32.u32 %f6, %r1;\n"
    "  st.f32 [%rd4], %f1; st.f32 [%rd4+4], %f6; st.f32 [%rd4+8], %f3; st.f32 [%rd4+12], %f2;\n"
    "  st.f32 [%rd4+16], %f4; st.f32 [%rd4+20], %f5; st.u64 [%rd4+24], %rd2; ret;\n}\n";

START_TEST(passes_structs_pointers_and_variables)
{
    static const char given[] = "{\"s\": \"{f32=1.5,u32=7,ptr=a+12,u64=0}\", \"list\": \"ptr[2]=a,hidden+4\", "
                                "\"out\": \"f32[8]=zero\"}";
    static const double want[8] = {1.5, 7, 3, 21, 4, 6, 0, 0};
    char path[] = "/tmp/bankshot-structs-XXXXXX.ptx", file[] = "/tmp/bankshot-structs-XXXXXX.json", line[700];
    FILE *ptx = fdopen(mkstemps(path, 4), "w"), *args = fdopen(mkstemps(file, 5), "w");
    fputs(struct_ptx, ptx);
    fputs(given, args);
    fclose(ptx);
    fclose(args);
    snprintf(line, sizeof line,
             "trace %s --grid 1 --block 1 %s --buffer a:f32[4]=iota --buffer hidden:f32[2]=20,21 --set scale=4 "
             "--set table:f32[4]=4,5,6,7 --dump out --json --device sim",
             path,
             _i ? "--arg s:{f32=1.5,u32=7,ptr=a+12,u64=0} --arg list:ptr[2]=a,hidden+4 --arg out:f32[8]=zero"
                : "--args");
    if (!_i) {
        char *at = strstr(line, "--args") + 6, rest[700];
        snprintf(rest, sizeof rest, " %s%s", file, at);
        snprintf(at, sizeof line - (size_t)(at - line), "%s", rest);
    }
    struct process_result result = program_run_line(line);
    unlink(path);
    unlink(file);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    json_t *values = json_object_get(json_object_get(json, "dumps"), "out");
    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq(json_number_value(json_array_get(values, i)), want[i]);
    json_decref(json);
    process_result_free(&result);
}
END_TEST

// Loads the box at x = 4, y = 1 of the map that `map` points to, and stores its first element of each lane.
static const char map_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 map, .param .u64 out)\n{\n"
    "  .reg .b64 %rd<5>; .reg .b32 %r<6>; .reg .pred %p<3>;\n"
    "  .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 bar;\n"
    "  mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, tile; mov.u32 %r3, bar;\n"
    "  ld.param.u64 %rd1, [map]; ld.param.u64 %rd2, [out];\n"
    "  @%p1 mbarrier.init.shared.b64 [%r3], 1;\n  bar.sync 0;\n"
    "  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 128;\n"
    "  @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd1, {4, 1}], "
    "[%r3];\n"
    "AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n  @!%p2 bra AGAIN;\n"
    "  shl.b32 %r4, %r1, 2; add.s32 %r4, %r2, %r4; ld.shared.u32 %r5, [%r4];\n"
    "  mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd2, %rd3; st.global.u32 [%rd3], %r5; ret;\n}\n";

// By --arg, where the parameter is a pointer; and in a buffer of its own.
START_TEST(a_tensor_map_may_lie_in_global_memory)
{
    static const char *const given[] = {
        "--arg map:tmap(s32[16*8],of=a,box=8*4) --arg out:s32[32]=zero",
        "--arg map:ptr=m --arg out:s32[32]=zero --buffer m:tmap(s32[16*8],of=a,box=8*4)",
    };
    char path[] = "/tmp/bankshot-maps-XXXXXX.ptx", line[400];
    FILE *ptx = fdopen(mkstemps(path, 4), "w");
    fputs(map_ptx, ptx);
    fclose(ptx);
    snprintf(line, sizeof line,
             "trace %s --grid 1 --block 32 %s --buffer a:s32[128]=iota --dump out --json --device sim", path,
             given[_i]);
    struct process_result result = program_run_line(line);
    unlink(path);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    json_t *values = json_object_get(json_object_get(json, "dumps"), "out");
    for (size_t i = 0; i < 32; i++)
        ck_assert_int_eq(json_integer_value(json_array_get(values, i)), (int)(16 * (1 + i / 8) + 4 + i % 8));
    json_decref(json);
    process_result_free(&result);
}
END_TEST

static const struct {
    const char *words; // after "trace FILE"
    int exit;
    const char *err;
} mistakes[] = {
    {"", 2, "--grid is missing: 'bankshot trace --list"},
    {"--grid 1", 2, "--block is missing"},
    {"--grid 0 --block 1", 2, "--grid wants"},
    {"--grid 1,2,3,4 --block 1", 2, "--grid wants"},
    {"--grid 1 --block x", 2, "--block wants"},
    {"--grid 1 --block 1", 1, "takes 3 arguments, 0 are given: 'bankshot trace --list' prints"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:s32=1 --arg n:u32=1", 1, "one is a whole number"},
    {"--grid 1 --block 1 --arg p:f32=0 --arg f:f32=1 --arg n:u32=1", 1, "the sizes differ"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u64=1", 1, "the sizes differ"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1 --dump q", 2, "--dump q"},
    {"--grid 1 --block 1 --arg p:f32[64]=zero --arg m:tmap(f32[8*8],of=p,box=8*8) --arg n:u32=1 --dump m", 2,
     "--dump m"},
    {"--grid 1 --block 1 --arg p:ptr=q --arg f:f32=1 --arg n:u32=1", 2, "points to 'q', and no argument of that name"},
    {"--grid 1 --block 1 --arg p:{f32=1,u64=2} --arg f:f32=1 --arg n:u32=1", 1, "'p' is given as a struct: the sizes"},
    {"--grid 1 --block 1 --buffer b:f32=1", 2, "--buffer b: it is no buffer"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1 --set v=1", 2, "--set v: the module has no"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=@f.bin --arg n:u32=1", 2, "as in f:f32[64]=@f.bin"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=random", 2, "as in n:u32[64]=random"},
    {"--grid 1 --block 1 --args /nonexistent.json", 2, "/nonexistent.json"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg p:f32=1", 2, "two arguments are named 'p'"},
    {"--grid 1 --block 1025 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 1, "cudaErrorInvalidConfiguration"},
    {"--grid 1 --block 64,32 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 1, "2048 threads"},
    {"--grid 1,65536 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 1, "its y must be 1 to 65535"},
    {"--grid 1 --block 1 --shared 999999 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 1, "at most 232448"},
    {"--grid 1 --block 32 --arg p:f32[8]=zero --arg f:f32=1 --arg n:u32=32", 1, "past the end of `p`"},
    {"--grid 1 --block 1 --kernel other --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 2, "other"},
    {"--grid 1 --block 1 --arg p:f33[1]=zero", 2, "no type 'f33'"},
    {"--grid 1 --block 1 --schedule later", 2, "--schedule wants in-turn"},
    {"--grid 1 --block 1 --device tpu", 2, "--device is"},
    {"--grid 1 --block 1 --gpu-model Z80 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 2,
     "no model of a GPU 'Z80'"},
    {"--grid 1 --block 1 --gpu-model T4 --shared 65537 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 1,
     "at most 65536"},
    {"--grid 1 --block 1 --time-limit 0", 2, "--time-limit wants a number of seconds"},
    {"--grid 2000000000 --block 1024 --time-limit 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=0", 1,
     "--time-limit SECONDS gives it longer"},
    {"--grid 1 --block 1 --arg p:tex(f32[8]", 2, "'p:tex(f32[8]': ')=' and a fill are missing"},
    {"--grid 1 --block 1 --arg p:tex(f64[8])=zero", 2, "'f64[8]' are no elements"},
    {"--grid 1 --block 1 --arg p:tex(f32x3[8])=zero", 2, "x2 or x4 behind it"},
    {"--grid 1 --block 1 --arg p:tex(s32[8],linear)=zero", 2, "linear is for floats"},
    {"--grid 1 --block 1 --arg p:tex(f32[8],blue)=zero", 2, "'blue' is no word for a texture"},
    {"--grid 1 --block 1 --arg p:surf(f32[8],linear)=zero", 2, "'linear' is no word for a surface"},
    {"--grid 1 --block 1 --arg p:surf(f32[8])=none", 2, "zero instead of none"},
    {"--grid 1 --block 1 --arg p:tex(f32[8*8*5],cube)=zero", 2, "a cubemap is TYPE[W*W*6]"},
    {"--grid 1 --block 1 --arg p:tex(of=q) --arg f:f32=1 --arg n:u32=1", 2, "'p' shows 'q', and no argument of that"},
    {"--grid 1 --block 1 --as-written", 2, "a .ptx file is compiled already"},
    {"--grid 1 --block 32 --arg p:f32[8]=zero --arg f:f32=1 --arg n:u32=32", 1, ": `ld.global.f32 %f2, [%rd3]"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1 --timeline /dev/null/x.json", 2,
     "/dev/null/x.json: error: cannot write it"},
    {"--grid 1 --block 1 --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1 --timeline /dev/full", 2,
     "/dev/full: error: cannot write it"},
    {"--grid 1 --block 1 --predict --dump p --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 2,
     "--dump needs a whole"},
    {"--grid 1 --block 1 --predict --cooperative --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 2,
     "waits for all of its blocks"},
    {"--grid 1 --block 1 --predict --device gpu --arg p:f32[1]=zero --arg f:f32=1 --arg n:u32=1", 2,
     "leave --device away"},
    {"--grid 1 --block 32 --predict --arg p:f32[8]=zero --arg f:f32=1 --arg n:u32=32", 1, "past the end of `p`"},
    {"--grid 1 --block 1 --timeline ", 2, "'--timeline' needs a value"},
    {"--grid 1 --block 1 more.ptx", 2, "give one .cu or .ptx file"},
};

START_TEST(says_what_is_wrong_with_a_trace)
{
    char line[512];
    snprintf(line, sizeof line, "trace %s --device sim%s%s", ptx_path, *mistakes[_i].words ? " " : "",
             mistakes[_i].words);
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == mistakes[_i].exit && strstr(text_get(&result.err), mistakes[_i].err),
                  "'%s' exits with %d: %s", mistakes[_i].words, result.exit_code, text_get(&result.err));
    process_result_free(&result);
}
END_TEST

static const struct {
    const char *words;
    int exit;
    const char *out, *err;
} grids[] = {
    {"--grid 8 --cooperative", 0, "No hazards", ""},
    {"--grid 8", 1, "", "cudaLaunchCooperativeKernel; trace --cooperative"},
    {"--grid 132,33 --cooperative", 1, "", "the H200 has room for 4224"},
    {"--grid 132,33 --cooperative", 1, "", "cudaErrorCooperativeLaunchTooLarge"},
    {"--grid 2000 --cooperative --gpu-model T4 --shared 16384", 1, "", "the T4 has room for 120"},
};

START_TEST(a_grid_that_meets_needs_a_cooperative_launch_that_fits)
{
    char line[512];
    snprintf(line, sizeof line,
             "trace tests/kernels/correct/grid.ptx --kernel sums_of_blocks_added_by_one --block 64 --device sim "
             "--arg in:s32[65536]=iota --arg out:s32[2048]=none --arg n:s32=0 %s",
             grids[_i].words);
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == grids[_i].exit && strstr(text_get(&result.out), grids[_i].out) &&
                      strstr(text_get(&result.err), grids[_i].err),
                  "'%s' exits with %d: %s%s", grids[_i].words, result.exit_code, text_get(&result.out),
                  text_get(&result.err));
    process_result_free(&result);
}
END_TEST

static const struct {
    const char *words;
    int exit;
    const char *says; // of what is printed, or of the error
} clusters[] = {
    // rank 0 reads rank 3, which is the last block, from its end; rank 1 reads rank 2
    {"read_from_the_neighbour --grid 2,2 --dump out", 0, "out\n255 254 253"},
    {"read_from_the_neighbour --grid 2,2 --dump out", 0, "\n1191 1190 1189"},
    {"read_from_the_neighbour --grid 2,2", 0, "Clusters\n  2 x 2 x 1 blocks each. Races in the shared"},
    {"read_from_the_neighbour --grid 2,2", 0, "No hazards"},
    {"read_from_the_neighbour --grid 2,1", 1, "not made of whole clusters of 2 x 2 x 1"},
    {"a_cluster_of_one_meets_itself --grid 6 --cluster 3", 0, "3 x 1 x 1 blocks each"},
    {"a_cluster_of_one_meets_itself --grid 18 --cluster 9", 1, "9 blocks, 8 are allowed (cudaErrorInvalidClusterSize)"},
    {"a_cluster_of_one_meets_itself --grid 6 --cluster 0", 2, "--cluster wants X, X,Y or X,Y,Z from 1"},
};

START_TEST(blocks_of_a_cluster_see_each_others_shared_memory)
{
    char line[512];
    snprintf(line, sizeof line,
             "trace tests/kernels/correct/cluster.ptx --block 64 --device sim --arg in:s32[2048]=iota "
             "--arg out:s32[2048]=none --arg n:s32=0 --kernel %s",
             clusters[_i].words);
    struct process_result result = program_run_line(line);
    const char *said = text_get(clusters[_i].exit ? &result.err : &result.out);
    ck_assert_msg(result.exit_code == clusters[_i].exit && strstr(said, clusters[_i].says), "'%s' exits with %d: %s%s",
                  clusters[_i].words, result.exit_code, text_get(&result.out), text_get(&result.err));
    process_result_free(&result);
}
END_TEST

static const struct {
    const char *words;
    int exit;
    const char *words_of;
} images[] = {
    {"lookup -a t:tex(f32[16],linear)=iota", 0, "Warps fetched from textures 4 times"},
    {"brighter -a t:surf(u8x4[8*8])=iota --dump t", 0, "surfaces 4 times"},
    {"lookup -a t:f32[16]=iota", 1,
     "uses the buffer `t` as a 1D texture: make it one, as in --arg 't:tex(f32[64])=random'"},
    {"lookup -a t:tex(f32[8*8])=iota", 1, "uses a 2D texture as a 1D one"},
    {"lookup -a t:surf(f32[8])=iota", 1, "uses a surface as a texture"},
    {"lookup -a t:tex(f32[8],memory)=iota", 1, "tex1Dfetch does that"},
    {"reverse -a t:tex(f32[64])=iota", 1, "of a texture that is no linear memory"},
    {"reverse -a t:tex(of=b) --buffer b:f32[64]=iota", 0, "Warps fetched from textures 4 times"},
    {"brighter -a t:surf(u8x4[4*8])=iota", 1, "reaches byte 16 of a surface of 4 x 8 x 1 elements"},
    {"lookup -a t:tex(f32[16],linear)=iota --predict", 2, "no model of their time"},
    {"lookup -a t:u64=0", 1, "uses 0x0 as a 1D texture, and no texture has that handle"},
};

START_TEST(textures_and_surfaces_are_arguments)
{
    char line[512];
    snprintf(line, sizeof line,
             "trace tests/kernels/textures.ptx --grid 2,2 --block 4,4 --device sim --kernel %s "
             "-a out:f32[64]=none -a w:s32=8 -a h:s32=8",
             images[_i].words);
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == images[_i].exit && (strstr(text_get(&result.out), images[_i].words_of) ||
                                                          strstr(text_get(&result.err), images[_i].words_of)),
                  "'%s' exits with %d: %s%s", images[_i].words, result.exit_code, text_get(&result.out),
                  text_get(&result.err));
    process_result_free(&result);
}
END_TEST

static json_t *predicted(const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "trace tests/ptx/data/ladder.sm_90.ptx --device sim --json %s", words);
    struct process_result result = program_run_line(line);
    ck_assert_msg(result.exit_code == 0, "%s: %s", words, text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_ptr_nonnull(json);
    process_result_free(&result);
    return json;
}

static double modelled_us(const json_t *json)
{
    return json_number_value(json_object_get(json_object_get(json, "modelled"), "us"));
}

START_TEST(a_grid_too_large_to_run_is_predicted_from_a_few_blocks)
{
    json_t *json = predicted("--kernel tr_tile<1,8> --grid 256,256 --block 32,8 --arg o:f32[8192*8192]=none --arg "
                             "a:f32[8192*8192]=random --arg n:s32=8192 --predict");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "blocks")), 65536);
    ck_assert_int_gt(json_integer_value(json_object_get(json, "blocks_run")), 0);
    ck_assert_int_lt(json_integer_value(json_object_get(json, "blocks_run")), 1000);
    ck_assert_double_eq_tol(modelled_us(json), 149, 15); // the H200 took 149 us
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(json, "modelled"), "gpu")), "H200");
    static const char *const unseen[] = {"counters", "counters_as_written", "lines", "hazards", "measured"};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        ck_assert_msg(json_is_null(json_object_get(json, unseen[i])), "%s", unseen[i]);
    json_decref(json);
}
END_TEST

// Which bin an element belongs to, and so what atomics cost, is in data that are made when a block reads them.
START_TEST(a_prediction_alone_is_that_of_a_whole_run)
{
    static const char *const launches[] = {
        "--kernel hist_global --grid 1056 --block 256 --arg a:u8[1048576]=random --arg h:u32[256]=zero --arg "
        "n:s32=1048576",
        "--kernel hist_global --grid 1056 --block 256 --arg a:u8[1048576]=7 --arg h:u32[256]=zero --arg n:s32=1048576"};
    double us[2];
    for (int i = 0; i < 2; i++) {
        char words[512];
        json_t *whole = predicted(launches[i]);
        snprintf(words, sizeof words, "%s --predict", launches[i]);
        json_t *alone = predicted(words);
        ck_assert_int_eq(json_integer_value(json_object_get(whole, "blocks_run")), 1056);
        us[i] = modelled_us(alone);
        ck_assert_double_eq(modelled_us(whole), us[i]);
        json_decref(whole);
        json_decref(alone);
    }
    ck_assert_double_gt(us[1], 1.2 * us[0]);
}
END_TEST

START_TEST(a_prediction_says_how_many_blocks_ran_and_that_nothing_was_counted)
{
    char line[512];
    snprintf(line, sizeof line,
             "trace %s --device sim --grid 100000 --block 32 --arg p:f32[3200000]=iota --arg f:f32=1 --arg "
             "n:u32=3200000 --predict",
             ptx_path);
    struct process_result result = program_run_line(line);
    const char *out = text_get(&result.out);
    ck_assert_msg(strstr(out, "of 100000 blocks ran") && strstr(out, "modelled (H200)") &&
                      strstr(out, "not measured") && !strstr(out, "No hazards") && !strstr(out, "wavefronts"),
                  "%s%s", out, text_get(&result.err));
    process_result_free(&result);
}
END_TEST

// Optimised, the race is gone with the value that nobody needs.
START_TEST(says_of_which_code_there_are_no_hazards)
{
    char path[] = "/tmp/bankshot-trace-XXXXXX.cu", line[512];
    FILE *file = fdopen(mkstemps(path, 3), "w");
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    fputs("__global__ void k()\n{\n    __shared__ int one;\n    one = threadIdx.x;\n}\n", file);
    fclose(file);
    snprintf(line, sizeof line, "trace %s --grid 1 --block 64 --device sim%s", path, _i ? " --as-written" : "");
    struct process_result result = program_run_line(line);
    unlink(path);
    ck_assert_msg(result.exit_code == 0, "exit %d: %s", result.exit_code, text_get(&result.err));
    const char *out = text_get(&result.out);
    ck_assert((strstr(out, "No hazards in the code as compiled") != NULL) == !_i);
    ck_assert((strstr(out, "race") != NULL) == (bool)_i);
    ck_assert((strstr(out, " without optimisation") != NULL) == (bool)_i);
    process_result_free(&result);
}
END_TEST

// CUB reads what it does not need, and is not told of; a file of one's own in a folder of that name is.
START_TEST(a_folder_called_cub_makes_no_library)
{
    char folder[] = "/tmp/bankshot-trace-XXXXXX", path[128], line[512];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cub", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/cub/own.cu", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("__global__ void k(int *o)\n{\n    __shared__ int s[64];\n    if (threadIdx.x < 8)\n        s[threadIdx.x] = "
          "1;\n"
          "    __syncthreads();\n    o[threadIdx.x] = s[threadIdx.x];\n}\n",
          file);
    fclose(file);
    snprintf(line, sizeof line, "trace %s --grid 1 --block 64 --device sim -a o:s32[64]=zero", path);
    struct process_result result = {0};
    if (program_has_compiler()) {
        result = program_run_line(line);
        ck_assert_msg(strstr(text_get(&result.out), "uninitialised-shared  line 7") != NULL, "%s%s",
                      text_get(&result.out), text_get(&result.err));
    } else {
        skip_check("no compiler");
    }
    process_result_free(&result);
    unlink(path);
    snprintf(path, sizeof path, "%s/cub", folder);
    rmdir(path);
    rmdir(folder);
}
END_TEST

// Without optimisation atomics and shuffles are calls of headers. A value that is not asked for is no read there,
// either, the guess before a swap is one, and a finding has the line of the call.
static const struct {
    const char *kernel, *said; // "": nothing
} written_calls[] = {
    {"__global__ void k(int *o)\n{\n    __shared__ unsigned s;\n    atomicExch(&s, 0u);\n    __syncthreads();\n"
     "    o[threadIdx.x] = s;\n}\n",
     ""},
    {"__global__ void k(int *o)\n{\n    __shared__ unsigned s;\n    unsigned old = atomicExch(&s, 0u);\n"
     "    __syncthreads();\n    o[threadIdx.x] = s + old;\n}\n",
     "uninitialised-shared  line 4"},
    {"__global__ void k(int *o)\n{\n    int old = *o, seen;\n    do {\n        seen = old;\n"
     "        old = atomicCAS(o, seen, seen + 2);\n    } while (seen != old);\n}\n",
     ""},
    {"__global__ void k(int *o)\n{\n    if (threadIdx.x < 16)\n        o[threadIdx.x] = __shfl_sync(~0u, 7, 0);\n"
     "    o[threadIdx.x + 32] = 1;\n}\n",
     "wrong-membermask  line 4"},
};

START_TEST(calls_of_headers_have_the_callers_line_as_written)
{
    char path[] = "/tmp/bankshot-trace-XXXXXX.cu", line[512];
    FILE *file = fdopen(mkstemps(path, 3), "w");
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    fputs(written_calls[_i].kernel, file);
    fclose(file);
    snprintf(line, sizeof line, "trace %s --grid 1 --block 32 --device sim --as-written -a o:s32[64]=zero", path);
    struct process_result result = program_run_line(line);
    unlink(path);
    ck_assert_msg(result.exit_code == 0, "exit %d: %s", result.exit_code, text_get(&result.err));
    const char *out = text_get(&result.out), *said = written_calls[_i].said;
    // unoptimised, clang's atomics keep their answers in variables of their own: they are still told of
    if (!*said && strstr(out, "compiled by clang")) {
        process_result_free(&result);
        skip_check("as written, clang keeps answers that nobody asks for");
        return;
    }
    ck_assert_msg(strstr(out, *said ? said : "No hazards in the source as written") != NULL, "%s", out);
    process_result_free(&result);
}
END_TEST

START_TEST(a_fault_is_told_in_json_too)
{
    char line[512];
    snprintf(line, sizeof line,
             "trace %s --grid 1 --block 32 --arg p:f32[8]=zero --arg f:f32=1 --arg n:u32=32 --json --device sim",
             ptx_path);
    struct process_result result = program_run_line(line);
    ck_assert_int_eq(result.exit_code, 1);
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    json_t *error = json_object_get(json, "error");
    ck_assert_str_eq(json_string_value(json_object_get(error, "kind")), "fault");
    json_decref(json);
    process_result_free(&result);
}
END_TEST

static const struct {
    const char *device, *more, *sm, *arch, *nearest; // of the PTX; nearest: with clang 14, which ends at sm_86
} targets[] = {
    {"gpu", NULL, "75", "sm_75", NULL},
    {"auto", NULL, "80", "sm_80", NULL},
    {"sim", NULL, "80", "sm_90", "sm_86"},
    {"gpu", "--arch=sm_80", "86", "sm_80", NULL},
};

static const struct {
    const char *kernel, *file, *title, *fault;
} homes[] = {
    {"tile", "tile.cuh", "\n tile.cuh, line 7: shared store", "tests/cli/headers/tile.cuh:7: error: "},
    {"own", "main.cu", "\n Line 6: global load", "tests/cli/headers/main.cu:6: error: "},
};

// Every count, picture and fault names file and line, for kernels in headers, too.
START_TEST(a_kernel_in_a_header_is_told_with_its_lines)
{
    char line[512];
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    for (int run = 0; run < 3; run++) {
        const char *const more[] = {"-a in:f32[32]=iota --json", "-a in:f32[32]=iota", "-a in:f32[5]=iota"};
        snprintf(line, sizeof line,
                 "trace tests/cli/headers/main.cu --kernel %s --grid 1 --block 32 --device sim -a out:f32[32]=zero %s",
                 homes[_i].kernel, more[run]);
        struct process_result result = program_run_line(line);
        const char *out = text_get(&result.out), *err = text_get(&result.err);
        json_t *json = json_loads(out, 0, NULL), *lines = json_object_get(json, "lines"), *row;
        size_t index;
        json_array_foreach(lines, index, row)
        {
            const char *file = json_string_value(json_object_get(row, "file"));
            ck_assert_msg(text_ends(file, homes[_i].file), "%s", file);
            ck_assert_int_gt(json_integer_value(json_object_get(row, "line")), 0);
        }
        ck_assert(run != 0 || json_array_size(lines) > 1);
        ck_assert_msg(run != 1 || strstr(out, homes[_i].title), "%s", out);
        ck_assert_msg(run != 2 || strstr(err, homes[_i].fault), "%s", err);
        json_decref(json);
        process_result_free(&result);
    }
}
END_TEST

// What `trace` says of sources that it cannot run as they are, and of what it can do about them.
static const struct {
    const char *words, *out, *err;
} cures[] = {
    {"main.cu --list",
     "bankshot trace tests/cli/headers/main.cu --kernel 'tile<32>' --grid 4 --block 64 -a "
     "'out:f32[65536]=random' -a 'in:f32[65536]=random'",
     ""},
    {"main.cu --list", "\nTemplates that nothing instantiates: --instantiate 'deep::spread<float, 32>'", ""},
    {"main.cu --list --instantiate deep::spread<double,3>",
     "--kernel 'deep::spread<double, 3, false>' --grid 2,2 --block 16,16 --shared 16384 -a 'to:f64[65536]=random' -a "
     "n:u32=32",
     ""},
    {"main.cu --list --instantiate deep::spread<nothing,3>", "", "--instantiate:1"},
    {"../pictures.ptx --list",
     "bankshot trace tests/cli/headers/../pictures.ptx --kernel copies --grid 4 --block 64 -a 'p:f32[65536]=random'",
     ""},
    {"../maps.ptx --list",
     "--kernel planes --grid 4 --block 64 -a 'map:tmap(f32[64*32*32],of=map_data,box=32*8*4)' --buffer "
     "'map_data:f32[65536]=random' -a n:u32=32",
     ""},
    {"main.cu --list --instantiate spread", "", "a kernel with its template's arguments is wanted"},
    {"main.cu --grid 1 --block 32 --kernel spread", "", "--instantiate 'deep::spread<float, 32>'"},
    {"main.cu --grid 1 --block 32 --instantiate deep::spread<float,3> --kernel spread -a to:f32[32]=zero -a n:s32=3",
     "", "the launch gives `staged` 0 bytes: --shared BYTES"},
    {"main.cu --grid 1 --block 32 --kernel deep::spread<float,3> -a to:f32[32]=zero -a n:s32=3", "",
     "the launch gives `staged` 0 bytes: --shared BYTES"},
    {"main.cu --grid 1 --block 32 --kernel deep::spread<nothing,3>", "", "--instantiate 'deep::spread<float, 32>'"},
    {"defaults.cu --list", "\nTemplates that nothing instantiates: --instantiate 'thrice<>'\n", ""},
    {"defaults.cu --grid 1 --block 32 --kernel twice<> -a a:f32[32]=iota", "twice<32>, grid 1", ""},
    {"defaults.cu --grid 1 --block 32 --kernel thrice -a a:f32[32]=iota", "thrice<32>, grid 1", ""},
    {"defaults.cu --grid 1 --block 32 --kernel thrice --std c++14 -a a:f32[32]=iota", "thrice<32>, grid 1", ""},
    {"source/below.cu --list", "", "Try -I tests/cli/headers/more/include"},
    {"source/far.cu --list", "",
     "cannot #include \"near.cuh\": no folder that was given has it. Try -I "
     "tests/cli/headers/inc"},
    {"source/up.cu --list", "", "Try -I tests/cli/headers/inc"},
    {"source/far.cu --list -I tests/cli/headers/inc", "far  (tests/cli/headers/source/far.cu:", ""},
    {"source/up.cu --list -I tests/cli/headers/inc", "up  (tests/cli/headers/source/up.cu:", ""},
};

START_TEST(says_what_would_make_a_source_run)
{
    char line[512];
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    snprintf(line, sizeof line, "trace --device sim tests/cli/headers/%s", cures[_i].words);
    struct process_result result = program_run_line(line);
    ck_assert_msg(strstr(text_get(&result.out), cures[_i].out) && strstr(text_get(&result.err), cures[_i].err),
                  "%s:\n%s%s", cures[_i].words, text_get(&result.out), text_get(&result.err));
    ck_assert_int_eq(result.exit_code == 0, *cures[_i].err == '\0');
    process_result_free(&result);
}
END_TEST

START_TEST(a_kernel_for_a_gpu_is_compiled_for_it)
{
    char path[] = "/tmp/bankshot-trace-XXXXXX.cu", sm[32];
    FILE *file = fdopen(mkstemps(path, 3), "w");
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    // the stand-in for the driver knows by the name what the kernel does
    fputs("extern \"C\" __global__ void right_add(float *out, const float *in, int n)\n"
          "{\n    int i = threadIdx.x;\n    if (i < n) out[i] = in[i] + 1;\n}\n",
          file);
    fclose(file);
    snprintf(sm, sizeof sm, "FAKE_CUDA_SM=%s", targets[_i].sm);
    const char *words[] = {"trace",    path,
                           "--grid",   "1",
                           "--block",  "32",
                           "--arg",    "o:f32[32]=zero",
                           "--arg",    "i:f32[32]=iota",
                           "--arg",    "n:s32=32",
                           "--device", targets[_i].device,
                           "--json",   targets[_i].more,
                           NULL};
    const char *environment[] = {"BANKSHOT_LIBCUDA=" FAKE_CUDA_LIBRARY, "BANKSHOT_LIBNVML=/nonexistent", sm, NULL};
    struct process_result result = program_run(words, environment);
    unlink(path);
    ck_assert_msg(result.exit_code == 0, "exit %d: %s", result.exit_code, text_get(&result.err));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    const char *arch = json_string_value(json_object_get(json, "arch"));
    if (!targets[_i].nearest || !arch || strcmp(arch, targets[_i].nearest) != 0)
        ck_assert_str_eq(arch ? arch : "none", targets[_i].arch);
    ck_assert(json_is_object(json_object_get(json, "measured")) == (strcmp(targets[_i].device, "sim") != 0));
    json_decref(json);
    process_result_free(&result);
}
END_TEST

// What the list says of the dearest access, and what the picture below it draws.
static const struct {
    const char *kernel, *row, *title, *cost;
} pictures[] = {
    {"fused", "shared load 128-bit            1          8         4", ": shared load, 16 bytes a lane",
     "\n8 wavefronts, 4 conflicts"},
    {"atomics", "shared atomic 32-bit           1         32        31", ": shared atomic, 4 bytes a lane",
     "\n32 wavefronts, 31 conflicts"},
    {"copies", "shared copy 128-bit            1          4         0", ": shared copy, 16 bytes a lane",
     "\n4 wavefronts, 0 conflicts"},
    {"matrices", "shared load 128-bit            1          4         2", ": shared load, 16 bytes a lane",
     "\n4 wavefronts, 2 conflicts"},
};

START_TEST(the_picture_is_of_the_dearest_access_as_it_runs)
{
    char line[256];
    snprintf(line, sizeof line, "trace tests/cli/pictures.ptx --kernel %s --grid 1 --block 32%s --device sim",
             pictures[_i].kernel, strcmp(pictures[_i].kernel, "copies") == 0 ? " --arg p:f32[128]=iota" : "");
    struct process_result result = program_run_line(line);
    const char *text = text_get(&result.out);
    ck_assert_msg(result.exit_code == 0, "%s", text_get(&result.err));
    ck_assert_msg(strstr(text, pictures[_i].row) && strstr(text, pictures[_i].title) && strstr(text, pictures[_i].cost),
                  "%s:\n%s", pictures[_i].kernel, text);
    process_result_free(&result);
}
END_TEST

// What a source sees of the options for its compiler: the standard, and whether mathematics are fast.
static const char options_cu[] = "#ifndef __USE_FAST_MATH__\n#define __USE_FAST_MATH__ 0\n#endif\n"
                                 "extern \"C\" __global__ void k(int *o)\n"
                                 "{\n    o[0] = __cplusplus / 100;\n    o[1] = __USE_FAST_MATH__ + 0;\n}\n";
static const struct {
    const char *words, *out, *err;
} compilings[] = {
    {"", "\n2017 0\n", ""},
    {"--std c++20", "\n2020 0\n", ""},
    {"--std c++14 --compiler-option -maxrregcount=32", "\n2014 0\n", ""},
    {"--std c++99", "", "'-std=c++99' is not accepted"},
    {"--compiler-option -shared", "", "'-shared' is not accepted"},
    {"--compile-seconds 0", "", "--compile-seconds wants"},
    {"--compile-memory 0", "", "--compile-memory wants"},
};

START_TEST(options_reach_the_compiler)
{
    char path[] = "/tmp/bankshot-options-XXXXXX.cu", line[256];
    FILE *file = fdopen(mkstemps(path, 3), "w");
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    fputs(options_cu, file);
    fclose(file);
    snprintf(line, sizeof line, "trace %s --device sim --grid 1 --block 1 -a o:s32[2]=zero --dump o%s%s", path,
             *compilings[_i].words ? " " : "", compilings[_i].words);
    struct process_result result = program_run_line(line);
    unlink(path);
    ck_assert_msg(strstr(text_get(&result.out), compilings[_i].out) &&
                      strstr(text_get(&result.err), compilings[_i].err),
                  "%s:\n%s%s", compilings[_i].words, text_get(&result.out), text_get(&result.err));
    ck_assert_int_eq(result.exit_code == 0, *compilings[_i].err == '\0');
    process_result_free(&result);
}
END_TEST

// Twenty-two times twice as many elements as before keep any compiler busy for longer.
START_TEST(a_compiler_is_given_as_long_as_asked)
{
    char path[] = "/tmp/bankshot-slow-XXXXXX.cu", line[256];
    FILE *file = fdopen(mkstemps(path, 3), "w");
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    fputs("#define D0 0,\n", file);
    for (int i = 0; i < 24; i++)
        fprintf(file, "#define D%d D%d D%d\n", i + 1, i, i);
    fputs("__constant__ char t[] = {D24};\nextern \"C\" __global__ void k(int *o) { o[0] = t[threadIdx.x]; }\n", file);
    fclose(file);
    snprintf(line, sizeof line, "trace %s --compile-seconds 1 --device sim --grid 1 --block 1 -a o:s32[1]=zero", path);
    struct process_result result = program_run_line(line);
    unlink(path);
    ck_assert_int_ne(result.exit_code, 0);
    ck_assert_msg(strstr(text_get(&result.err), "1 s") != NULL, "%s", text_get(&result.err));
    process_result_free(&result);
}
END_TEST

// Each of 40 numbers counts as often as its place says.
START_TEST(a_kernel_may_have_many_parameters)
{
    enum { NUMBERS = 40 };
    char path[] = "/tmp/bankshot-many-XXXXXX.ptx", given[] = "/tmp/bankshot-many-XXXXXX.json", line[256], want[32];
    unsigned sum = 0;
    FILE *ptx = fdopen(mkstemps(path, 4), "w"), *args = fdopen(mkstemps(given, 5), "w");
    fputs(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out", ptx);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(ptx, ", .param .u32 n%d", i);
    fputs(")\n{\n  .reg .b64 %rd<3>; .reg .b32 %r<5>; ld.param.u64 %rd1, [out]; mov.u32 %r1, 0;\n", ptx);
    fputs("{\"out\": \"u32[1]=zero\"", args);
    for (unsigned i = 0; i < NUMBERS; i++) {
        fprintf(ptx, "  ld.param.u32 %%r2, [n%u]; mad.lo.u32 %%r1, %%r2, %u, %%r1;\n", i, i + 1);
        fprintf(args, ", \"n%u\": \"u32=%u\"", i, i + 3);
        sum += (i + 1) * (i + 3);
    }
    fputs("  st.global.u32 [%rd1], %r1; ret;\n}\n", ptx);
    fputs("}", args);
    fclose(ptx);
    fclose(args);
    snprintf(line, sizeof line, "trace %s --device sim --grid 1 --block 1 --dump out --args %s", path, given);
    snprintf(want, sizeof want, "\n%u\n", sum);
    struct process_result result = program_run_line(line);
    unlink(path);
    unlink(given);
    ck_assert_msg(result.exit_code == 0 && strstr(text_get(&result.out), want), "%s%s", text_get(&result.out),
                  text_get(&result.err));
    process_result_free(&result);
}
END_TEST

// tests/outside/run tries every kernel of a folder with arguments of its own making.
START_TEST(the_runner_of_outside_code_tells_what_became_of_each_kernel)
{
    char kept[] = "/tmp/bankshot-outside-XXXXXX";
    const char *words[] = {"tests/outside/run", "-b", program_path(), "-o", kept, "tests/outside", NULL};
    struct process_options options = {.argv = words, .limits = {.wall_seconds = program_seconds(120)}};
    struct process_result result;
    const char *text;
    if (!program_has_compiler() || access("/usr/bin/python3", X_OK) != 0) {
        skip_check("no compiler, or no python3");
        return;
    }
    close(mkstemp(kept));
    ck_assert_int_eq(process_run(&options, &result, NULL), STATUS_OK);
    text = text_get(&result.out);
    ck_assert_msg(strstr(text, "tests/outside: 3 ran, 1 refused, 1 fault") != NULL, "%s%s", text,
                  text_get(&result.err));
    ck_assert_msg(strstr(text, "all: 4 of 5 kernels executed (3 to their end)") != NULL, "%s", text);
    char row[4096];
    unsigned rows = 0, refused = 0;
    FILE *file = fopen(kept, "r");
    for (; file && fgets(row, sizeof row, file); rows++) {
        json_t *json = json_loads(row, 0, NULL);
        const char *class = json_string_value(json_object_get(json, "class"));
        ck_assert_msg(class && json_is_string(json_object_get(json, "kernel")), "%s", row);
        refused += strcmp(class, "refused") == 0 && *json_string_value(json_object_get(json, "why"));
        json_decref(json);
    }
    fclose(file);
    unlink(kept);
    ck_assert_uint_eq(rows, 5);
    ck_assert_uint_eq(refused, 1);
    process_result_free(&result);
}
END_TEST

Suite *suite_trace(void)
{
    Suite *suite = suite_create("trace");
    TCase *tests = tcase_create("trace");
    tcase_set_timeout(tests, 60);
    tcase_add_unchecked_fixture(tests, write_ptx, remove_ptx);
    tcase_add_loop_test(tests, counts_the_ladder_as_the_hardware_does_from_nvcc, 0, KERNELS);
    tcase_add_loop_test(tests, counts_the_ladder_as_the_hardware_does_from_clang, 0, KERNELS);
    tcase_add_loop_test(tests, says_what_would_make_a_source_run, 0, sizeof cures / sizeof *cures);
    tcase_add_loop_test(tests, a_kernel_in_a_header_is_told_with_its_lines, 0, 2);
    tcase_add_loop_test(tests, passes_structs_pointers_and_variables, 0, 2);
    tcase_add_loop_test(tests, a_tensor_map_may_lie_in_global_memory, 0, 2);
    tcase_add_loop_test(tests, options_reach_the_compiler, 0, sizeof compilings / sizeof *compilings);
    tcase_add_test(tests, a_compiler_is_given_as_long_as_asked);
    tcase_add_test(tests, a_kernel_may_have_many_parameters);
    tcase_add_test(tests, the_runner_of_outside_code_tells_what_became_of_each_kernel);
    tcase_add_loop_test(tests, dumps_what_the_kernel_left, 0, 2);
    tcase_add_loop_test(tests, the_stencils_in_three_dimensions_are_right, 0, sizeof volumes / sizeof *volumes);
    tcase_add_loop_test(tests, says_what_is_wrong_with_a_trace, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(tests, the_picture_is_of_the_dearest_access_as_it_runs, 0, sizeof pictures / sizeof *pictures);
    tcase_add_loop_test(tests, a_grid_that_meets_needs_a_cooperative_launch_that_fits, 0, sizeof grids / sizeof *grids);
    tcase_add_loop_test(tests, blocks_of_a_cluster_see_each_others_shared_memory, 0,
                        sizeof clusters / sizeof *clusters);
    tcase_add_loop_test(tests, textures_and_surfaces_are_arguments, 0, sizeof images / sizeof *images);
    tcase_add_test(tests, a_folder_called_cub_makes_no_library);
    tcase_add_loop_test(tests, says_of_which_code_there_are_no_hazards, 0, 2);
    tcase_add_loop_test(tests, calls_of_headers_have_the_callers_line_as_written, 0,
                        sizeof written_calls / sizeof *written_calls);
    tcase_add_test(tests, a_grid_too_large_to_run_is_predicted_from_a_few_blocks);
    tcase_add_test(tests, a_prediction_alone_is_that_of_a_whole_run);
    tcase_add_test(tests, a_prediction_says_how_many_blocks_ran_and_that_nothing_was_counted);
    tcase_add_test(tests, a_fault_is_told_in_json_too);
    tcase_add_loop_test(tests, a_kernel_for_a_gpu_is_compiled_for_it, 0, sizeof targets / sizeof *targets);
    suite_add_tcase(suite, tests);
    return suite;
}
