// timing: predicts every row of golden/h200_times.csv and compares.
//
//   timing                    one line for each row, then the summary
//   timing --fit              moves the constants of timing.def to fit the fitted half; prints them
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "ladder.h"
#include "model/predict.h"

enum { MOST_ROWS = 256 };
static const char ladder_ptx[] = "tests/ptx/data/ladder.sm_90.ptx", times_csv[] = "tests/golden/h200_times.csv";

struct row {
    const struct ladder_kernel *kernel;
    uint32_t n;
    double measured, predicted;
    struct prediction prediction;
    double seconds;
};

static struct row rows[MOST_ROWS];
static size_t row_count;
static size_t fit_steps; // warp instructions traced for each row while fitting; 0 = as users get it

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void read_rows(void)
{
    FILE *file = fopen(times_csv, "r");
    char line[512], name[64];
    unsigned n;
    double us;
    if (!file) {
        perror(times_csv);
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63[^,],%u,%lf", name, &n, &us) != 3 || row_count == MOST_ROWS)
            continue;
        for (size_t i = 0; i < ladder_count; i++)
            if (strcmp(ladder_kernels[i].row, name) == 0)
                rows[row_count++] = (struct row){.kernel = &ladder_kernels[i], .n = n, .measured = us};
    }
    fclose(file);
}

static struct ptx_module *read_module(void)
{
    struct diagnostic diagnostic;
    struct ptx_module *module = NULL;
    FILE *file = fopen(ladder_ptx, "r");
    if (!file) {
        perror(ladder_ptx);
        exit(2);
    }
    static char text[4 << 20];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    if (ptx_parse(ladder_ptx, text, length, &module, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "%s\n", diagnostic.message);
        exit(2);
    }
    return module;
}

// As the probe filled its inputs: floats of [-0.5, 0.5), 2^24 of them again and again.
static void fill(struct sim_allocation *allocation)
{
    static float *block;
    enum { COUNT = 1 << 24 };
    if (!block) {
        block = mem_alloc(COUNT * sizeof *block);
        for (int i = 0; i < COUNT; i++)
            block[i] = (float)rand() / (float)RAND_MAX - .5f;
    }
    size_t bytes = allocation->size < COUNT * sizeof *block ? allocation->size : COUNT * sizeof *block;
    memcpy(allocation->data, block, bytes);
}

static void predict(const struct ptx_module *module, struct row *row, const struct replay_constants *constants)
{
    const struct ladder_kernel *k = row->kernel;
    const struct ptx_function *entry;
    struct diagnostic diagnostic;
    struct sim_program *program = NULL;
    uint64_t n = row->n, words = n * n;
    if (ptx_find_entry(module, k->name, &entry, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "%s\n", diagnostic.message);
        exit(2);
    }
    struct sim_memory *memory = sim_memory_new();
    struct sim_allocation *a = sim_memory_add(memory, "a", words * 4, false);
    struct sim_allocation *b = sim_memory_add(memory, "b", words * 4, false);
    struct sim_allocation *c = sim_memory_add(memory, "c", words * 4 < 4096 ? 4096 : words * 4, false);
    struct sim_launch launch = {.memory = memory,
                                .grid = {1, 1, 1},
                                .block = {k->block[0], k->block[1], 1},
                                .dynamic_shared = k->dynamic_shared};
    uint64_t params[4] = {c->address, a->address, words, 0};
    launch.params = params;
    switch (k->shape) {
    case LADDER_COPY:
        launch.grid[0] = (uint32_t)(words / 256);
        break;
    case LADDER_COPY4:
        launch.grid[0] = (uint32_t)(words / 1024);
        params[2] = words / 4;
        break;
    case LADDER_TILE:
        launch.grid[0] = launch.grid[1] = row->n / 32;
        params[2] = n;
        break;
    case LADDER_REDUCE:
    case LADDER_STRIDE:
        launch.grid[0] = k->shape == LADDER_REDUCE ? (uint32_t)(words / 256) : 1056;
        params[0] = a->address;
        params[1] = c->address;
        break;
    case LADDER_GEMM:
        launch.grid[0] = launch.grid[1] = row->n / k->tile;
        params[0] = a->address;
        params[1] = b->address;
        params[2] = c->address;
        params[3] = n;
        break;
    }
    if (strcmp(k->family, "histogram") == 0)
        fill(a);
    if (sim_program_new(module, entry, memory, &program, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "%s\n", diagnostic.message);
        exit(2);
    }
    launch.program = program;
    struct predict_job job = {.gpu = gpu_profile_find("H200"),
                              .launch = &launch,
                              .registers = k->registers,
                              .constants = constants,
                              .steps = fit_steps};
    double start = now();
    if (predict_run(&job, &row->prediction, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "%s at %u: %s\n", k->row, row->n, diagnostic.message);
        exit(2);
    }
    row->seconds = now() - start;
    row->predicted = row->prediction.us;
    sim_program_free(program);
    sim_memory_free(memory);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double error_of(const struct row *row)
{
    return fabs(row->predicted - row->measured) / row->measured;
}

static void summary(const char *what, bool fitted, bool judged)
{
    double errors[MOST_ROWS];
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].measured >= 10 && ((rows[i].kernel->fitted && fitted) || (!rows[i].kernel->fitted && judged)))
            errors[count++] = error_of(&rows[i]);
    qsort(errors, count, sizeof *errors, by_value);
    printf("%-12s %3zu rows: median error %.1f %%, nine in ten under %.1f %%, worst %.1f %%\n", what, count,
           100 * errors[count / 2], 100 * errors[count * 9 / 10], 100 * errors[count - 1]);
}

static void order(void)
{
    size_t pairs = 0, right = 0;
    for (size_t i = 0; i < row_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct row *a = &rows[i], *b = &rows[j];
            if (a->n != b->n || strcmp(a->kernel->family, b->kernel->family) != 0 || a->measured < 10 ||
                b->measured < 10)
                continue;
            double ratio = a->measured / b->measured;
            if (ratio < 1.1 && ratio > 1 / 1.1)
                continue;
            pairs++;
            right += (a->predicted > b->predicted) == (a->measured > b->measured);
        }
    printf("order: %zu of %zu pairs right (%.1f %%)\n", right, pairs, 100.0 * (double)right / (double)pairs);
}

// ---- fitting

// Mean distance in logarithms over the fitted rows, with the worst ones weighing more.
static double distance(const struct ptx_module *module, const struct replay_constants *constants)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++) {
        struct row *row = &rows[i];
        if (!row->kernel->fitted || row->measured < 10 || row->n == 2048)
            continue;
        predict(module, row, constants);
        double away = fabs(log(row->predicted / row->measured));
        sum += away + 2 * away * away;
        count++;
    }
    return sum / (double)count;
}

struct constant {
    const char *name;
    size_t offset;
    double low, high;
};

static const struct constant constants_table[] = {
#define T(name, value, low, high, meaning) {#name, offsetof(struct replay_constants, name), low, high},
#include "model/timing.def"
#undef T
};

// Coordinate descent: each constant a step up or down while that helps; steps shrink.
static void fit(const struct ptx_module *module)
{
    struct replay_constants best = replay_defaults;
    double at = distance(module, &best);
    printf("start %.4f\n", at);
    for (double step = 0.25; step > 0.02; step /= 2)
        for (size_t i = 0; i < sizeof constants_table / sizeof *constants_table; i++)
            for (int direction = -1; direction <= 1; direction += 2) {
                const struct constant *c = &constants_table[i];
                struct replay_constants next = best;
                double *value = (double *)(void *)((char *)&next + c->offset);
                double wanted = *value * (1 + direction * step);
                *value = wanted < c->low ? c->low : wanted > c->high ? c->high : wanted;
                double there = distance(module, &next);
                if (there < at - 1e-5) {
                    at = there;
                    best = next;
                    printf("%.4f  %s = %.4g\n", at, c->name, *value);
                    fflush(stdout);
                    direction = 1;
                }
            }
    for (size_t i = 0; i < sizeof constants_table / sizeof *constants_table; i++)
        printf("%s %.4g\n", constants_table[i].name, *(double *)(void *)((char *)&best + constants_table[i].offset));
}

int main(int argc, char **argv)
{
    struct ptx_module *module = read_module();
    const char *only = argc > 1 ? argv[1] : "";
    read_rows();
    if (strcmp(only, "--fit") == 0) {
        fit_steps = 60000;
        fit(module);
        ptx_module_free(module);
        return 0;
    }
    for (size_t i = 0; i < row_count; i++) {
        struct row *row = &rows[i];
        if (*only && !strstr(row->kernel->row, only))
            continue;
        predict(module, row, NULL);
        printf("%-20s %5u %10.1f %10.1f %+6.1f %%  %.3fs %-22s dram %.2f l2 %.2f l1 %.2f sh %.2f issue %.2f\n",
               row->kernel->row, row->n, row->measured, row->predicted, 100 * (row->predicted / row->measured - 1),
               row->seconds, row->prediction.bound_by, row->prediction.dram_busy, row->prediction.l2_busy,
               row->prediction.l1_busy, row->prediction.shared_busy, row->prediction.issue_busy);
    }
    if (!*only) {
        summary("all", true, true);
        summary("fitted", true, false);
        summary("judged", false, true);
        order();
    }
    ptx_module_free(module);
    return 0;
}
