#include "ladder_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const ladder_set_ptx[LADDER_SETS] = {
    "tests/ptx/data/ladder.sm_90.ptx",   "tests/ptx/data/ladder_b.sm_90.ptx", "tests/ptx/data/ladder_c.sm_90.ptx",
    "tests/ptx/data/ladder_d.sm_90.ptx", "tests/ptx/data/ladder_e.sm_90.ptx", "tests/ptx/data/ladder_f.sm_90.ptx",
    "tests/ptx/data/ladder_g.sm_90.ptx", "tests/ptx/data/ladder_h.sm_90.ptx", "tests/ptx/data/ladder_i.sm_90.ptx"};

#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    static void shape_##kernel(uint32_t n, uint32_t grid[3], uint32_t block[3])                                        \
    {                                                                                                                  \
        (void)n;                                                                                                       \
        memcpy(grid, (uint32_t[]){gx, gy, 1}, 3 * sizeof *grid);                                                       \
        memcpy(block, (uint32_t[]){bx, by, bz}, 3 * sizeof *block);                                                    \
    }
#include "../kernels/ladder_c.def"
#include "../kernels/ladder_d.def"
#include "../kernels/ladder_e.def"
#include "../kernels/ladder_f.def"
#include "../kernels/ladder_g.def"
#include "../kernels/ladder_h.def"
#include "../kernels/ladder_i.def"
#undef K

const struct ladder_kernel ladder_kernels[] = {
    {"copy_f32", "copy_f32", "copy", LADDER_COPY, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"copy_f4", "copy_f4", "copy", LADDER_COPY4, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"copy_strided<2>", "copy_s2", "copy", LADDER_COPY, {256, 1}, 0, 0, 22, false, LADDER_FIRST, NULL},
    {"copy_strided<8>", "copy_s8", "copy", LADDER_COPY, {256, 1}, 0, 0, 22, true, LADDER_FIRST, NULL},
    {"copy_strided<32>", "copy_s32", "copy", LADDER_COPY, {256, 1}, 0, 0, 22, false, LADDER_FIRST, NULL},
    {"tr_naive", "tr_naive", "transpose", LADDER_TILE, {32, 32}, 32, 0, 16, true, LADDER_FIRST, NULL},
    {"tr_naive_r", "tr_naive_r", "transpose", LADDER_TILE, {32, 32}, 32, 0, 16, true, LADDER_FIRST, NULL},
    {"tr_tile<0, 32>", "tr_tile_32x32", "transpose", LADDER_TILE, {32, 32}, 32, 0, 16, true, LADDER_FIRST, NULL},
    {"tr_tile<1, 32>", "tr_pad_32x32", "transpose", LADDER_TILE, {32, 32}, 32, 0, 16, false, LADDER_FIRST, NULL},
    {"tr_swz<32>", "tr_swz_32x32", "transpose", LADDER_TILE, {32, 32}, 32, 0, 16, true, LADDER_FIRST, NULL},
    {"tr_tile<0, 8>", "tr_tile_32x8", "transpose", LADDER_TILE, {32, 8}, 32, 0, 28, false, LADDER_FIRST, NULL},
    {"tr_tile<1, 8>", "tr_pad_32x8", "transpose", LADDER_TILE, {32, 8}, 32, 0, 28, true, LADDER_FIRST, NULL},
    {"tr_swz<8>", "tr_swz_32x8", "transpose", LADDER_TILE, {32, 8}, 32, 0, 28, false, LADDER_FIRST, NULL},
    {"red_interleaved", "red_interleaved", "reduction", LADDER_REDUCE, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"red_sequential", "red_sequential", "reduction", LADDER_REDUCE, {256, 1}, 0, 0, 16, false, LADDER_FIRST, NULL},
    {"red_shuffle", "red_shuffle", "reduction", LADDER_LOOP, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"red_global", "red_global", "reduction", LADDER_REDUCE, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"hist_global", "hist_global", "histogram", LADDER_LOOP, {256, 1}, 0, 0, 16, false, LADDER_FIRST, NULL},
    {"hist_shared", "hist_shared", "histogram", LADDER_LOOP, {256, 1}, 0, 0, 16, true, LADDER_FIRST, NULL},
    {"sten_global", "sten_global", "stencil", LADDER_COPY, {256, 1}, 0, 0, 31, false, LADDER_FIRST, NULL},
    {"sten_shared", "sten_shared", "stencil", LADDER_COPY, {256, 1}, 0, 0, 24, true, LADDER_FIRST, NULL},
    {"mm_naive", "mm_naive", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, true, LADDER_FIRST, NULL},
    {"mm_naive_bad", "mm_naive_bad", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, false, LADDER_FIRST, NULL},
    {"mm_tile<16, 0>", "mm_tile16", "gemm", LADDER_GEMM, {16, 16}, 16, 0, 32, false, LADDER_FIRST, NULL},
    {"mm_tile<32, 0>", "mm_tile32", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, true, LADDER_FIRST, NULL},
    {"mm_tile<32, 1>", "mm_tile32_pad", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 29, false, LADDER_FIRST, NULL},
    {"mm_tile_conflict<32>", "mm_tile32_conflict", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, true, LADDER_FIRST, NULL},
    {"mm_double<32>", "mm_double32", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, true, LADDER_FIRST, NULL},
    {"mm_cpasync<32>", "mm_cpasync32", "gemm", LADDER_GEMM, {32, 32}, 32, 0, 32, false, LADDER_FIRST, NULL},
    {"mm_reg<64, 64, 16, 4, 4, 1>", "mm_reg64_p1", "gemm", LADDER_GEMM, {16, 16}, 64, 0, 64, true, LADDER_FIRST, NULL},
    {"mm_reg<64, 64, 16, 4, 4, 0>", "mm_reg64_p0", "gemm", LADDER_GEMM, {16, 16}, 64, 0, 64, false, LADDER_FIRST, NULL},
    {"mm_reg<128, 128, 8, 8, 8, 4>",
     "mm_reg128_p4",
     "gemm",
     LADDER_GEMM,
     {16, 16},
     128,
     0,
     124,
     false,
     LADDER_FIRST,
     NULL},
    {"mm_pipe", "mm_pipe128", "gemm", LADDER_GEMM, {256, 1}, 128, 49152, 178, true, LADDER_FIRST, NULL},
    {"copy_offset", "copy_offset", "copy", LADDER_COPY, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"copy_reverse", "copy_reverse", "copy", LADDER_COPY, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"copy_stride4_write", "copy_stride4_write", "copy", LADDER_COPY, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"tr_square<16, 0>", "tr_square16_p0", "transpose", LADDER_TILE, {16, 16}, 16, 0, 16, false, LADDER_SECOND, NULL},
    {"tr_square<16, 1>", "tr_square16_p1", "transpose", LADDER_TILE, {16, 16}, 16, 0, 16, false, LADDER_SECOND, NULL},
    {"tr_square<8, 0>", "tr_square8_p0", "transpose", LADDER_TILE, {8, 8}, 8, 0, 16, false, LADDER_SECOND, NULL},
    {"tr_64<0>", "tr_64_p0", "transpose", LADDER_TILE, {16, 16}, 64, 0, 32, false, LADDER_SECOND, NULL},
    {"tr_64<1>", "tr_64_p1", "transpose", LADDER_TILE, {16, 16}, 64, 0, 29, false, LADDER_SECOND, NULL},
    {"mv_row<1>", "mv_row1", "matrix times vector", LADDER_VECTOR, {256, 1}, 1, 0, 30, false, LADDER_SECOND, NULL},
    {"mv_row<32>", "mv_row32", "matrix times vector", LADDER_VECTOR, {256, 1}, 32, 0, 31, false, LADDER_SECOND, NULL},
    {"conv5_global", "conv5_global", "convolution", LADDER_PIXELS, {32, 8}, 0, 0, 32, false, LADDER_SECOND, NULL},
    {"conv5_shared", "conv5_shared", "convolution", LADDER_PIXELS, {32, 8}, 0, 0, 32, false, LADDER_SECOND, NULL},
    {"scan_hs", "scan_hs", "scan", LADDER_COPY, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"scan_blelloch<0>", "scan_blelloch_p0", "scan", LADDER_SCAN, {256, 1}, 0, 0, 21, false, LADDER_SECOND, NULL},
    {"scan_blelloch<1>", "scan_blelloch_p1", "scan", LADDER_SCAN, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"softmax_row", "softmax_row", "softmax", LADDER_ROWS, {256, 1}, 0, 0, 32, false, LADDER_SECOND, NULL},
    {"hist_warp", "hist_warp", "histogram", LADDER_LOOP, {256, 1}, 0, 0, 16, false, LADDER_SECOND, NULL},
    {"mm_tile_t<8>", "mm_tile8", "gemm", LADDER_GEMM, {8, 8}, 8, 0, 32, false, LADDER_SECOND, NULL},
    {"mm_stage<32, 32, 32, 1, 1, 2>",
     "mm_stage_32_k32_s2",
     "gemm",
     LADDER_GEMM,
     {1024, 1},
     32,
     0,
     40,
     false,
     LADDER_SECOND,
     NULL},
    {"mm_stage<32, 32, 8, 2, 2, 3>",
     "mm_stage_32_k8_s3",
     "gemm",
     LADDER_GEMM,
     {256, 1},
     32,
     0,
     48,
     false,
     LADDER_SECOND,
     NULL},
    {"mm_stage<64, 64, 16, 4, 4, 2>",
     "mm_stage_64_k16_s2",
     "gemm",
     LADDER_GEMM,
     {256, 1},
     64,
     0,
     64,
     false,
     LADDER_SECOND,
     NULL},
    {"mm_stage<64, 64, 16, 4, 4, 3>",
     "mm_stage_64_k16_s3",
     "gemm",
     LADDER_GEMM,
     {256, 1},
     64,
     0,
     64,
     false,
     LADDER_SECOND,
     NULL},
    {"mm_stage<64, 64, 8, 8, 4, 4>",
     "mm_stage_64_k8_s4",
     "gemm",
     LADDER_GEMM,
     {128, 1},
     64,
     0,
     80,
     false,
     LADDER_SECOND,
     NULL},
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_THIRD, shape_##kernel},
#include "../kernels/ladder_c.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_FOURTH, shape_##kernel},
#include "../kernels/ladder_d.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_FIFTH, shape_##kernel},
#include "../kernels/ladder_e.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_SIXTH, shape_##kernel},
#include "../kernels/ladder_f.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_SEVENTH, shape_##kernel},
#include "../kernels/ladder_g.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_EIGHTH, shape_##kernel},
#include "../kernels/ladder_h.def"
#undef K
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    {#kernel, #kernel, family, LADDER_OWN, {0, 0}, 0, 0, registers, false, LADDER_NINTH, shape_##kernel},
#include "../kernels/ladder_i.def"
#undef K
};
const size_t ladder_kernel_count = sizeof ladder_kernels / sizeof *ladder_kernels;

const struct ladder_kernel *ladder_find(const char *name)
{
    for (size_t i = 0; i < ladder_kernel_count; i++)
        if (!strcmp(ladder_kernels[i].name, name) || !strcmp(ladder_kernels[i].times, name))
            return &ladder_kernels[i];
    return NULL;
}

uint32_t ladder_once_size(const struct ladder_kernel *kernel, uint32_t occurrence)
{
    static const struct {
        const char *name;
        uint32_t first;
    } own[] = {
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers) {#kernel, first},
#include "../kernels/ladder_c.def"
#include "../kernels/ladder_d.def"
#include "../kernels/ladder_e.def"
#include "../kernels/ladder_f.def"
#include "../kernels/ladder_g.def"
#include "../kernels/ladder_h.def"
#include "../kernels/ladder_i.def"
#undef K
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) // as ladder_run.h launches them
        if (!strcmp(own[i].name, kernel->name))
            return !strncmp(kernel->family, "product", 7) || own[i].first > 1024 ? 512 : own[i].first;
    if (kernel->shape == LADDER_GEMM)
        return occurrence ? 256 : 128;
    return occurrence ? 1024 : 256;
}

void ladder_set_launch(const struct ladder_kernel *kernel, uint32_t n, uint64_t a, uint64_t b, uint64_t c,
                       struct sim_launch *launch, uint64_t params[4])
{
    const uint64_t square = (uint64_t)n * n;
    const uint32_t tiles = kernel->tile ? n / kernel->tile : 0, many = (uint32_t)(square / 256);
    const struct {
        uint32_t x, y;
        uint64_t first, second, third;
    } shapes[] = {
        [LADDER_COPY] = {many, 1, c, a, square},
        [LADDER_COPY4] = {many / 4, 1, c, a, square / 4},
        [LADDER_TILE] = {tiles, tiles, c, a, n},
        [LADDER_REDUCE] = {many, 1, a, c, square},
        [LADDER_LOOP] = {1056, 1, a, c, square},
        [LADDER_GEMM] = {tiles, tiles, a, b, c},
        [LADDER_SCAN] = {many / 2, 1, c, a, square},
        [LADDER_PIXELS] = {n / 32, n / 8, c, a, n},
        [LADDER_ROWS] = {n, 1, c, a, n},
        [LADDER_VECTOR] = {n * kernel->tile / 256, 1, a, b, c},
        [LADDER_OWN] = {1, 1, c, a, b},
    };
    uint32_t x = shapes[kernel->shape].x;
    memcpy(params,
           (uint64_t[]){shapes[kernel->shape].first, shapes[kernel->shape].second, shapes[kernel->shape].third, n},
           4 * sizeof *params);
    memcpy(launch->shape.grid, (uint32_t[]){x ? x : 1, shapes[kernel->shape].y, 1}, sizeof launch->shape.grid);
    memcpy(launch->shape.block, (uint32_t[]){kernel->block[0], kernel->block[1], 1}, sizeof launch->shape.block);
    if (kernel->shape_at)
        kernel->shape_at(n, launch->shape.grid, launch->shape.block);
    launch->shape.dynamic_shared = kernel->dynamic_shared;
    launch->params = params;
}

// glibc's rand() is an additive feedback generator: x[i] = x[i-3] + x[i-31].
static void make_floats(float *values, size_t count)
{
    enum { HISTORY = 34, WARM_UP = 344 };
    uint32_t *state = mem_alloc((count + WARM_UP) * sizeof *state);
    int64_t word = 1;
    for (size_t i = 0; i < count + WARM_UP; i++) {
        if (i > 0 && i < 31) {
            word = 16807 * word % 2147483647;
            word += word < 0 ? 2147483647 : 0;
        }
        state[i] = i < 31 ? (uint32_t)word : i < HISTORY ? state[i - 31] : state[i - 3] + state[i - 31];
        if (i >= WARM_UP)
            values[i - WARM_UP] = (float)(state[i] >> 1) / 2147483648.0f - 0.5f;
    }
    free(state);
}

// Thousands of predictions want the same floats: the most so far are kept.
void ladder_fill(float *values, size_t count)
{
    static float *kept;
    static size_t kept_count;
    if (kept_count < count) {
        free(kept);
        kept = mem_alloc(count * sizeof *kept);
        kept_count = count;
        make_floats(kept, count);
    }
    memcpy(values, kept, count * sizeof *kept);
}

double ladder_measured(const struct ladder_kernel *kernel, const char *gpu, uint32_t n)
{
    static const char *const paths[LADDER_SETS][2] = {
        {"tests/golden/h200_times.csv", "tests/golden/h100_times.csv"},
        {"tests/golden/h200_ladder_b_times.csv", "tests/golden/h100_ladder_b_times.csv"},
        {"tests/golden/h200_ladder_c_times.csv", "tests/golden/h100_ladder_c_times.csv"},
        {"tests/golden/h200_ladder_d_times.csv", "tests/golden/h100_ladder_d_times.csv"},
        {"tests/golden/h200_ladder_e_times.csv", "tests/golden/h100_ladder_e_times.csv"},
        {"tests/golden/h200_ladder_f_times.csv", "tests/golden/h100_ladder_f_times.csv"},
        {"tests/golden/h200_ladder_g_times.csv", "tests/golden/h100_ladder_g_times.csv"},
        {"tests/golden/h200_ladder_h_times.csv", "tests/golden/h100_ladder_h_times.csv"},
        {"tests/golden/h200_ladder_i_times.csv", "tests/golden/h100_ladder_i_times.csv"}};
    FILE *file = fopen(paths[kernel->set][strcmp(gpu, "H200") != 0], "r");
    char line[512], name[64];
    unsigned size;
    double us, found = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%63[^,],%u,%lf", name, &size, &us) == 3 && size == n && !strcmp(name, kernel->times))
            found = us;
    if (file)
        fclose(file);
    return found;
}

// With each of the constants, from one trace, that of the first.
static enum status predict_each(struct predict_job *job, const struct replay_constants *constants, size_t count,
                                struct prediction *predictions, struct diagnostic *diagnostic)
{
    struct predict_trace *trace;
    job->constants = constants;
    enum status status = predict_trace(job, &trace, diagnostic);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        job->constants = &constants[i];
        predict_from(job, trace, &predictions[i]);
    }
    predict_trace_free(trace);
    return status;
}

enum status ladder_predict(const struct ptx_module *module, const struct ladder_kernel *kernel, uint32_t n,
                           const struct ladder_model *model, struct prediction *prediction,
                           struct diagnostic *diagnostic)
{
    return ladder_predict_each(module, kernel, n, model, 0, prediction, diagnostic);
}

enum status ladder_predict_each(const struct ptx_module *module, const struct ladder_kernel *kernel, uint32_t n,
                                const struct ladder_model *model, size_t each, struct prediction *prediction,
                                struct diagnostic *diagnostic)
{
    enum { PERIOD = 1 << 24 }; // floats that the probe makes, and repeats
    const struct ptx_function *entry;
    struct sim_program *program = NULL;
    size_t count = (size_t)n * n;
    uint64_t addresses[3], params[4];
    enum status status = ptx_find_entry(module, kernel->name, &entry, diagnostic);
    if (status)
        return status;
    struct sim_memory *memory = sim_memory_new();
    for (int i = 0; i < 3; i++) {
        const char *name = (const char *[]){"a", "b", "c"}[i];
        struct sim_allocation *buffer = sim_memory_add(memory, name, (count < 1024 ? 1024 : count) * 4, false);
        addresses[i] = buffer->address;
        // No other kernel's cost depends on data.
        if (i < 2 && (!strcmp(kernel->family, "histogram") || kernel->set >= LADDER_THIRD))
            ladder_fill((float *)(void *)buffer->data, count < PERIOD ? count : PERIOD);
    }
    status = sim_program_new(module, entry, memory, &program, diagnostic);
    if (!status) {
        struct sim_launch launch = {.memory = memory, .program = program};
        ladder_set_launch(kernel, n, addresses[0], addresses[1], addresses[2], &launch, params);
        struct predict_job job = {.gpu = model->profile ? model->profile : gpu_profile_find(model->gpu),
                                  .launch = &launch,
                                  .registers = model->registers ? model->registers : kernel->registers,
                                  .constants = model->constants,
                                  .steps = model->steps};
        if (model->estimate_registers)
            job.registers = 0;
        status = each ? predict_each(&job, model->constants, each, prediction, diagnostic)
                      : predict_run(&job, prediction, diagnostic);
    }
    sim_program_free(program);
    sim_memory_free(memory);
    return status;
}
