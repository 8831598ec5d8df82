// The probe's transposes and GEMMs from clang's PTX, by the lab's own device headers, against the counters of the
// hardware, which were taken of nvcc's. tests/ptx/data/generate.sh makes the PTX kept here.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/device.h"

Suite *suite_ladder(void);

static const char *const ptx_files[] = {
    "tests/ptx/data/ladder.clang14.sm_86.ptx",
    "tests/ptx/data/ladder.clang19.sm_90.ptx",
};

static const struct launch {
    const char *kernel;
    uint32_t grid, block[2], dynamic_shared;
} launches[] = {
    {"tr_naive", 8, {32, 32}, 0},
    {"tr_naive_r", 8, {32, 32}, 0},
    {"tr_tile<0, 32>", 8, {32, 32}, 0},
    {"tr_tile<1, 32>", 8, {32, 32}, 0},
    {"tr_swz<32>", 8, {32, 32}, 0},
    {"tr_tile<0, 8>", 8, {32, 8}, 0},
    {"tr_tile<1, 8>", 8, {32, 8}, 0},
    {"tr_swz<8>", 8, {32, 8}, 0},
    {"mm_naive", 4, {32, 32}, 0},
    {"mm_naive_bad", 4, {32, 32}, 0},
    {"mm_tile<16, 0>", 8, {16, 16}, 0},
    {"mm_tile<32, 0>", 4, {32, 32}, 0},
    {"mm_tile<32, 1>", 4, {32, 32}, 0},
    {"mm_tile_conflict<32>", 4, {32, 32}, 0},
    {"mm_double<32>", 4, {32, 32}, 0},
    {"mm_cpasync<32>", 4, {32, 32}, 0},
    {"mm_reg<64, 64, 16, 4, 4, 1>", 2, {16, 16}, 0},
    {"mm_reg<64, 64, 16, 4, 4, 0>", 2, {16, 16}, 0},
    {"mm_reg<128, 128, 8, 8, 8, 4>", 1, {16, 16}, 0},
    {"mm_pipe", 1, {256, 1}, 3 * 2 * 128 * 16 * 4},
};

enum { FILES = sizeof ptx_files / sizeof *ptx_files, LAUNCHES = sizeof launches / sizeof *launches };

static const char *const compared[] = {
    "shared_load_wavefronts", "shared_load_conflicts", "shared_store_wavefronts", "shared_store_conflicts",
    "global_load_requests",   "global_load_sectors",   "global_store_requests",   "global_store_sectors",
};

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "no %s", path);
    struct text text = {0};
    char buffer[65536];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_append(&text, buffer, got);
    fclose(file);
    *length = text.length;
    return text.data;
}

// Field `column` of a CSV line whose first field is quoted; -1 if there is none.
static long long field(const char *line, int column)
{
    const char *at = strchr(line + 1, '"');
    for (int i = 0; i < column && at; i++)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    return at && column > 0 ? atoll(at) : -1;
}

static int column_of(const char *header, const char *name)
{
    int column = 0;
    for (const char *at = header; *at; column++) {
        size_t length = strcspn(at, ",\n");
        if (length == strlen(name) && memcmp(at, name, length) == 0)
            return column;
        at += length + (at[length] == ',');
    }
    return -1;
}

// What the hardware counted: the first row of that kernel, block and grid.
static const char *golden_row(const char *csv, const struct launch *launch)
{
    char start[120];
    snprintf(start, sizeof start, "\n\"%s\",%ux%ux1,%ux%ux1,", launch->kernel, launch->grid, launch->grid,
             launch->block[0], launch->block[1]);
    const char *row = strstr(csv, start);
    ck_assert_msg(row != NULL, "no row for %s", start + 1);
    return row + 1;
}

static void run(const struct ptx_module *module, const struct launch *launch, struct record *record)
{
    bool is_gemm = launch->kernel[0] == 'm';
    uint32_t n = is_gemm ? 128 : 256;
    struct device device = {0};
    struct diagnostic diagnostic = {0};
    float *data = mem_alloc(3 * n * n * sizeof *data);
    struct device_arg args[4] = {0};
    for (size_t i = 0; i < 3; i++)
        args[i] = (struct device_arg){
            .name = "p", .type = PTX_F32, .is_buffer = true, .data = data + i * n * n, .count = (size_t)n * n};
    args[is_gemm ? 3 : 2] = (struct device_arg){.name = "n", .type = PTX_S32, .scalar = n};
    struct device_job job = {.module = module,
                             .shape.grid = {launch->grid, launch->grid, 1},
                             .shape.block = {launch->block[0], launch->block[1], 1},
                             .shape.dynamic_shared = launch->dynamic_shared,
                             .args = args,
                             .arg_count = is_gemm ? 4 : 3,
                             .want_counters = true,
                             .want_hazards = true};
    ck_assert_msg(ptx_find_entry(module, launch->kernel, &job.entry, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    ck_assert_int_eq(device_open(&device, "sim", NULL, -1, &diagnostic), STATUS_OK);
    ck_assert_msg(device_run(&device, &job, record, &diagnostic) == STATUS_OK, "%s: %s", launch->kernel,
                  diagnostic.message);
    device_close(&device);
    free(data);
}

START_TEST(clangs_ptx_counts_as_the_hardware)
{
    size_t length;
    struct ptx_module *module;
    struct diagnostic diagnostic;
    struct text off = {0};
    char *ptx = read_text(ptx_files[_i], &length);
    ck_assert_msg(ptx_parse(ptx_files[_i], ptx, length, &module, &diagnostic) == STATUS_OK, "line %d: %s",
                  diagnostic.line, diagnostic.message);
    char *csv = read_text("tests/golden/h200_kernels.csv", &length);
    const char *header = strstr(csv, "\nkernel,") + 1;
    for (int i = 0; i < LAUNCHES; i++) {
        struct record record = {0};
        const char *row = golden_row(csv, &launches[i]);
        run(module, &launches[i], &record);
        if (record.hazards.count)
            text_printf(&off, "%s: %zu hazards\n", launches[i].kernel, record.hazards.count);
        for (size_t j = 0; j < sizeof compared / sizeof *compared; j++) {
            uint64_t ours = 0;
            long long theirs = field(row, column_of(header, compared[j]));
            ck_assert(counters_get(&record.counters.compiled, compared[j], &ours));
            if ((long long)ours != theirs)
                text_printf(&off, "%s: %s is %llu, the H200 counts %lld\n", launches[i].kernel, compared[j],
                            (unsigned long long)ours, theirs);
        }
        record_free(&record);
    }
    ck_assert_msg(off.length == 0, "%s:\n%.3000s", ptx_files[_i], text_get(&off));
    ptx_module_free(module);
    free(csv);
    free(ptx);
    text_free(&off);
}
END_TEST

Suite *suite_ladder(void)
{
    Suite *suite = suite_create("ladder");
    TCase *tests = tcase_create("ladder");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, clangs_ptx_counts_as_the_hardware, 0, FILES);
    suite_add_tcase(suite, tests);
    return suite;
}
