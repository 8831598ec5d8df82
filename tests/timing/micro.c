// The microbenchmarks of tests/kernels/micro.cu that launch one kernel each: one mechanism at a time, beside what
// golden/*_micro.csv measured. The constants of timing.def come from these rows.
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "timing.h"

enum { SMS = 132, KEY_MAX = 256 };
static const char ptx_path[] = "tests/ptx/data/micro.sm_90.ptx";
static const uint64_t big_bytes = (uint64_t)1 << 30;

// What a launch of the probe is, and how its time becomes the row's value.
struct micro_launch {
    const char *kernel;
    uint32_t blocks, threads, shared;
    uint64_t args[5];    // in the order of the parameters; the addresses of buffers by these names
    double work;         // the row's value is work / us, or cycles / work
    bool is_rate, in_us; // neither: cycles
    uint64_t big;        // bytes of its buffer; 0: big_bytes
};
enum { BIG = 1, OUT, CLOCKS }; // args: stands for a buffer's address

struct bench {
    const char *gpu, *only;
    struct ptx_module *module;
    double errors[TIMING_ROWS_MAX];
    size_t count;
};

static double measured_of(const char *gpu, const char *key)
{
    char line[KEY_MAX], path[64];
    snprintf(path, sizeof path, "tests/golden/%s_micro.csv", strcmp(gpu, "H200") ? "h100" : "h200");
    FILE *file = fopen(path, "r");
    double found = 0;
    size_t length = strlen(key);
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, key, length) && line[length] == ',')
            found = strtod(line + length + 1, NULL);
    if (file)
        fclose(file);
    return found;
}

static double predict_launch(const struct bench *bench, const struct micro_launch *row)
{
    const uint64_t big = row->big ? row->big : big_bytes;
    const struct ptx_function *entry;
    struct diagnostic diagnostic;
    struct sim_program *program = NULL;
    struct sim_memory *memory = sim_memory_new();
    const uint64_t addresses[] = {0, sim_memory_add(memory, "big", big, false)->address,
                                  sim_memory_add(memory, "out", 64 << 20, false)->address,
                                  sim_memory_add(memory, "clocks", 4096, false)->address};
    unsigned char params[64] = {0};
    struct prediction prediction = {0};
    enum status status = ptx_find_entry(bench->module, row->kernel, &entry, &diagnostic);
    if (!status)
        status = sim_program_new(bench->module, entry, memory, &program, &diagnostic);
    for (uint32_t i = 0; !status && i < entry->param_count; i++) {
        uint64_t value = entry->params[i].size == 8 && row->args[i] <= CLOCKS ? addresses[row->args[i]] : row->args[i];
        memcpy(params + entry->params[i].offset, &value, entry->params[i].size);
    }
    if (!status) {
        struct sim_launch launch = {
            .memory = memory,
            .program = program,
            .shape = {.grid = {row->blocks, 1, 1}, .block = {row->threads, 1, 1}, .dynamic_shared = row->shared},
            .params = params};
        struct predict_job job = {.gpu = gpu_profile_find(bench->gpu), .launch = &launch, .registers = 32};
        status = predict_run(&job, &prediction, &diagnostic);
    }
    if (status)
        fprintf(stderr, "timing: %s: %s\n", row->kernel, diagnostic.message);
    sim_program_free(program);
    sim_memory_free(memory);
    return prediction.us;
}

__attribute__((format(printf, 3, 4))) static void row(struct bench *bench, const struct micro_launch *launch,
                                                      const char *format, ...)
{
    char key[KEY_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key, sizeof key, format, arguments);
    va_end(arguments);
    double measured = measured_of(bench->gpu, key);
    if ((bench->only && !strstr(key, bench->only)) || measured <= 0)
        return;
    double us = predict_launch(bench, launch);
    double cycles = (us - replay_defaults.launch_us) * gpu_profile_find(bench->gpu)->mhz;
    double value = launch->is_rate ? launch->work / us : launch->in_us ? us : cycles / launch->work;
    double error = timing_error(value, measured);
    printf("%s %-78s %10.3f %10.3f %+6.1f %%\n", bench->gpu, key, measured, value, error);
    if (bench->count < TIMING_ROWS_MAX)
        bench->errors[bench->count++] = error;
}

static void blocks_and_barriers(struct bench *bench)
{
    for (uint32_t threads = 32; threads <= 1024; threads *= 2)
        for (int i = 0; i < 4; i++) {
            uint32_t blocks = (uint32_t[]){SMS * 8, 1 << 15, 1 << 17, 1 << 20}[i];
            row(bench, &(struct micro_launch){"empty_blocks", blocks, threads, 0, {OUT}, .in_us = true},
                "blocks,empty,%u blocks of %u", blocks, threads);
        }
    for (int i = 0; i < 5; i++) {
        uint32_t kb = (uint32_t[]){1, 8, 24, 48, 100}[i];
        row(bench, &(struct micro_launch){"smem_blocks", 1 << 17, 64, kb << 10, {OUT}, .in_us = true},
            "blocks,with shared memory,131072 blocks of 64 with %u KB", kb);
    }
    for (uint32_t warps = 1; warps <= 32; warps *= 2) {
        uint32_t each = 64 / warps > 32 ? 32 : 64 / warps;
        row(bench, &(struct micro_launch){"barriers", 1, 32 * warps, 0, {CLOCKS}, .work = 256},
            "barrier,one block on the SM,%u warps", warps);
        row(bench, &(struct micro_launch){"barriers", SMS * each, 32 * warps, 0, {CLOCKS}, .work = 256},
            "barrier,full SM,%u warps a block and %u blocks", warps, each);
    }
}

static void one_sm(struct bench *bench)
{
    static const uint32_t offsets[] = {0, 1, 4, 8, 16, 31};
    static const char *const atomics[] = {"add without result", "add with result", "float add without result",
                                          "compare and swap", "exchange"};
    for (int i = 0; i < 6; i++)
        for (uint32_t warps = 8; warps <= 32; warps *= 4)
            row(bench,
                &(struct micro_launch){
                    "l1_loads", 1, 32 * warps, 0, {CLOCKS, BIG, OUT, offsets[i], 1}, .work = 1024.0 * warps},
                "l1,hits at a word offset of %u,%u warps", offsets[i], warps);
    for (uint32_t stride = 2; stride <= 32; stride *= 2)
        row(bench, &(struct micro_launch){"l1_loads", 1, 1024, 0, {CLOCKS, BIG, OUT, 0, stride}, .work = 1024.0 * 32},
            "l1,hits at a stride of %u words,32 warps", stride);
    row(bench, &(struct micro_launch){"shared_chase", 1, 32, 0, {CLOCKS, OUT}, .work = 512},
        "shared,load latency,dependent");
    for (uint32_t stride = 0; stride <= 32; stride = stride ? 2 * stride : 1)
        for (uint32_t warps = 1; warps <= 32; warps = warps == 1 ? 4 : 2 * warps)
            row(bench,
                &(struct micro_launch){"shared_loads", 1, 32 * warps, 0, {CLOCKS, OUT, stride}, .work = 1024.0 * warps},
                "shared,loads at a stride of %u words,%u warps", stride, warps);
    for (uint32_t spread = 1; spread <= 1024; spread *= spread < 32 ? 2 : spread < 256 ? 8 : 4)
        for (uint32_t warps = 1; warps <= 32; warps = warps == 1 ? 8 : 4 * warps)
            for (int mode = 0; mode < 5; mode++) {
                char kernel[40];
                snprintf(kernel, sizeof kernel, "shared_atomics<%d>", mode);
                row(bench,
                    &(struct micro_launch){kernel, 1, 32 * warps, 0, {CLOCKS, OUT, spread}, .work = 256.0 * warps},
                    "shared atomic,%s,%u addresses and %u warps", atomics[mode], spread, warps);
            }
}

static void whole_gpu(struct bench *bench)
{
    static const uint32_t spreads[] = {1, 2, 8, 32, 256, 1 << 12, 1 << 16, 1 << 20, 1 << 24};
    static const char *const atomics[] = {"add without result", "add with result", "float add without result"};
    for (int i = 0; i < 9; i++)
        for (int mode = 0; mode < 3; mode++) {
            char kernel[40];
            snprintf(kernel, sizeof kernel, "global_atomics<%d>", mode);
            row(bench,
                &(struct micro_launch){kernel,
                                       SMS * 8,
                                       256,
                                       0,
                                       {BIG, spreads[i], OUT},
                                       .work = 8e-3 * SMS * 8 * 256,
                                       .is_rate = true,
                                       .big = 4 * (uint64_t)spreads[i]},
                "global atomic,%s,%u addresses", atomics[mode], spreads[i]);
        }
    for (int i = 0; i < 9; i++) {
        int bits = (int[]){16, 18, 20, 22, 23, 24, 25, 26, 28}[i];
        row(bench,
            &(struct micro_launch){"gathers",
                                   SMS * 64,
                                   256,
                                   0,
                                   {BIG, OUT, (1u << bits) - 1},
                                   .work = SMS * 64e-3 * 256 * 16,
                                   .is_rate = true,
                                   .big = (uint64_t)4 << bits},
            "gather,random words of %d KB,16 loads a thread", (1 << bits) / 256);
    }
    for (uint32_t blocks = 1; blocks <= 8; blocks *= 2) {
        for (uint32_t loads = 1; loads <= 8; loads *= 2) {
            char kernel[40];
            snprintf(kernel, sizeof kernel, "stream_read<%u>", loads);
            row(bench,
                &(struct micro_launch){kernel,
                                       SMS * blocks,
                                       256,
                                       0,
                                       {BIG, OUT, big_bytes / 4},
                                       .work = (double)big_bytes * 1e-3,
                                       .is_rate = true},
                "stream,read 1 GiB of floats,%u blocks of 256 an SM and %u loads in flight a thread", blocks, loads);
        }
        row(bench,
            &(struct micro_launch){"stream_read4",
                                   SMS * blocks,
                                   256,
                                   0,
                                   {BIG, OUT, big_bytes / 16},
                                   .work = (double)big_bytes * 1e-3,
                                   .is_rate = true},
            "stream,read 1 GiB of float4,%u blocks of 256 an SM", blocks);
        for (uint32_t bytes = 4; bytes <= 16; bytes *= 4) {
            char kernel[40];
            snprintf(kernel, sizeof kernel, "async_copies<%u>", bytes);
            row(bench,
                &(struct micro_launch){kernel,
                                       SMS * blocks,
                                       256,
                                       1024 * bytes,
                                       {BIG, OUT, 128},
                                       .work = SMS * 256e-3 * blocks * bytes * 128,
                                       .is_rate = true},
                "async,cp.async of %u bytes and 4 in flight,%u blocks of 256 an SM", bytes, blocks);
        }
    }
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t bytes = (uint32_t[]){128, 512, 2048, 8192, 16384}[i], blocks = (uint32_t[]){1, 4, 8}[k];
            row(bench,
                &(struct micro_launch){"bulk_copies",
                                       SMS * blocks,
                                       32,
                                       bytes,
                                       {BIG, OUT, 32, bytes},
                                       .work = 32e-3 * SMS * blocks * bytes,
                                       .is_rate = true},
                "async,bulk copy of %u bytes one at a time,%u blocks an SM", bytes, blocks);
        }
    for (uint32_t stride = 1; stride <= 32; stride *= stride < 8 ? 2 : 4)
        row(bench,
            &(struct micro_launch){"stream_write",
                                   1 << 18,
                                   256,
                                   0,
                                   {BIG, big_bytes / 16, stride},
                                   .work = 256e-3 * 1024 * 1024,
                                   .is_rate = true},
            "stream,write 64 Mi floats one a thread,stride %u", stride);
    for (uint32_t first = 0; first <= 3; first += 3)
        row(bench, &(struct micro_launch){"local_array", SMS * 16, 256, 0, {OUT, first}, .in_us = true},
            "local,64 words a thread indexed at run time,%u", first);
}

bool timing_micro(const char *only)
{
    char *text = NULL;
    size_t length = 0;
    struct diagnostic diagnostic;
    struct bench bench = {.only = only};
    enum status status = file_read(ptx_path, 16 << 20, &text, &length, &diagnostic);
    if (!status)
        status = ptx_parse(ptx_path, text, length, &bench.module, &diagnostic);
    free(text);
    if (status) {
        fprintf(stderr, "timing: %s\n", diagnostic.message);
        return false;
    }
    for (int gpu = 0; gpu < 2; gpu++) {
        bench.gpu = gpu ? "H100" : "H200";
        bench.count = 0;
        blocks_and_barriers(&bench);
        one_sm(&bench);
        whole_gpu(&bench);
        struct timing_errors errors = timing_errors_from(bench.errors, bench.count);
        printf("%s, %zu rows of one mechanism: median error %.1f %%, nine in ten under %.1f %%, worst %.1f %%\n",
               bench.gpu, errors.count, errors.median, errors.ninth, errors.worst);
    }
    ptx_module_free(bench.module);
    return true;
}
