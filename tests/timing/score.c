#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

double timing_error(double predicted, double measured)
{
    return 100 * (predicted / measured - 1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timing_errors timing_errors_from(double *errors, size_t count)
{
    if (!count)
        return (struct timing_errors){0};
    for (size_t i = 0; i < count; i++)
        errors[i] = fabs(errors[i]);
    qsort(errors, count, sizeof *errors, by_value);
    return (struct timing_errors){count, errors[count / 2], errors[count * 9 / 10], errors[count - 1]};
}

// The aim of the first two sets is 6 %, 15 %, 35 % and 97 % of the pairs. The others are held to what was reached.
const struct timing_bound timing_bounds[] = {
    {"first set, H200", {.gpu = "H200", .sets = 1 << LADDER_FIRST}, 4, 15, 35, 97},
    {"first set, H100", {.gpu = "H100", .sets = 1 << LADDER_FIRST}, 6, 15, 35, 97},
    {"second set, H200", {.gpu = "H200", .sets = 1 << LADDER_SECOND}, 6, 15, 17, 97},
    {"second set, H100", {.gpu = "H100", .sets = 1 << LADDER_SECOND}, 6, 15, 35, 97},
    {"third set, H200", {.gpu = "H200", .sets = 1 << LADDER_THIRD}, 7.5, 23, 64, 96},
    {"third set, H100", {.gpu = "H100", .sets = 1 << LADDER_THIRD}, 7.5, 21, 65, 96},
    {"fourth set, H200", {.gpu = "H200", .sets = 1 << LADDER_FOURTH}, 9.5, 23, 29, 94},
    {"fourth set, H100", {.gpu = "H100", .sets = 1 << LADDER_FOURTH}, 9.5, 19, 31, 94},
    {"fifth set, H200", {.gpu = "H200", .sets = 1 << LADDER_FIFTH}, 8.5, 22, 41, 97},
    {"fifth set, H100", {.gpu = "H100", .sets = 1 << LADDER_FIFTH}, 7, 22, 34, 96},
    {"sixth set, H200", {.gpu = "H200", .sets = 1 << LADDER_SIXTH}, 8.5, 23, 34, 94},
    {"seventh set, H200", {.gpu = "H200", .sets = 1 << LADDER_SEVENTH}, 9.5, 26, 51, 97},
    {"eighth set, H200", {.gpu = "H200", .sets = 1 << LADDER_EIGHTH}, 8, 36, 110, 96},
    {"eighth set, H100", {.gpu = "H100", .sets = 1 << LADDER_EIGHTH}, 9, 36, 110, 92},
    {"ninth set, H200", {.gpu = "H200", .sets = 1 << LADDER_NINTH}, 10.5, 27, 74, 92},
    {"ninth set, H100", {.gpu = "H100", .sets = 1 << LADDER_NINTH}, 12.5, 30, 74, 92},
};
const size_t timing_bound_count = sizeof timing_bounds / sizeof *timing_bounds;

bool timing_is_in(const struct timing_row *row, const struct timing_part *part)
{
    return row->measured >= timing_least_us && (!part->gpu || !strcmp(part->gpu, row->gpu)) &&
           (!part->family || !strcmp(part->family, row->kernel->family)) &&
           (!part->kernel || part->kernel == row->kernel) && (!part->sets || part->sets >> row->kernel->set & 1);
}

struct timing_errors timing_errors_of(const struct timing *timing, const struct timing_part *part)
{
    double errors[TIMING_ROWS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < timing->count; i++) {
        const struct timing_row *row = &timing->rows[i];
        if (timing_is_in(row, part))
            errors[count++] = timing_error(row->prediction.us, row->measured);
    }
    return timing_errors_from(errors, count);
}

size_t timing_pairs(const struct timing *timing, const struct timing_part *part, size_t *right)
{
    size_t pairs = 0;
    *right = 0;
    for (size_t i = 0; i < timing->count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct timing_row *a = &timing->rows[i], *b = &timing->rows[j];
            if (a->n != b->n || strcmp(a->kernel->family, b->kernel->family) != 0 || strcmp(a->gpu, b->gpu) != 0 ||
                a->kernel->set != b->kernel->set || !timing_is_in(a, part) || !timing_is_in(b, part))
                continue;
            double ratio = a->measured / b->measured;
            if (ratio < 1.1 && ratio > 1 / 1.1)
                continue;
            pairs++;
            *right += (a->prediction.us > b->prediction.us) == (a->measured > b->measured);
        }
    return pairs;
}

const struct timing_row *timing_row_of(const struct timing *timing, const char *times, uint32_t n)
{
    for (size_t i = 0; i < timing->count; i++)
        if (timing->rows[i].n == n && !strcmp(timing->rows[i].kernel->times, times) &&
            !strcmp(timing->rows[i].gpu, "H200"))
            return &timing->rows[i];
    return NULL;
}

const struct timing_row *timing_slowest(const struct timing *timing)
{
    const struct timing_row *slowest = &timing->rows[0];
    for (size_t i = 0; i < timing->count; i++)
        if (timing->rows[i].seconds > slowest->seconds)
            slowest = &timing->rows[i];
    return slowest;
}

// ---- ladders and surprises

const struct timing_step timing_steps[] = {
    {"naive -> tiled", "tr_naive", "tr_tile_32x8", 4096, false},
    {"tiled -> padded", "tr_tile_32x8", "tr_pad_32x8", 4096, false},
    {"padded -> swizzled", "tr_pad_32x8", "tr_swz_32x8", 4096, false},
    {"naive -> tiled", "tr_naive", "tr_tile_32x8", 8192, false},
    {"tiled -> padded", "tr_tile_32x8", "tr_pad_32x8", 8192, false},
    {"padded -> swizzled", "tr_pad_32x8", "tr_swz_32x8", 8192, false},
    {"naive -> tiled", "mm_naive", "mm_tile32", 2048, false},
    {"tiled -> register-tiled", "mm_tile32", "mm_reg64_p0", 2048, false},
    {"tiled -> the same with cp.async", "mm_tile32", "mm_cpasync32", 2048, false},
    {"register-tiled -> cp.async, staged", "mm_reg64_p0", "mm_pipe128", 2048, false},
    {"naive -> tiled", "mm_naive", "mm_tile32", 4096, false},
    {"tiled -> register-tiled", "mm_tile32", "mm_reg64_p0", 4096, false},
    {"tiled -> the same with cp.async", "mm_tile32", "mm_cpasync32", 4096, false},
    {"register-tiled -> cp.async, staged", "mm_reg64_p0", "mm_pipe128", 4096, false},
    {"Padding a product's tile loses", "mm_tile32", "mm_tile32_pad", 4096, true},
    {"cp.async gains nothing on a 32x32 tile of 1024 threads", "mm_tile32", "mm_cpasync32", 4096, true},
    {"Two buffers gain little on a padded 32x32 tile", "mm_tile32_pad", "mm_double32", 4096, true},
    {"Three stages of cp.async gain on a 128x128 register tile", "mm_reg128_p4", "mm_pipe128", 4096, true},
    {"float4 copies faster than float", "copy_f32", "copy_f4", 8192, true},
    {"32x8 threads are faster than 32x32", "tr_pad_32x32", "tr_pad_32x8", 8192, true},
    {"A histogram wants shared atomics", "hist_global", "hist_shared", 8192, true},
};
const size_t timing_step_count = sizeof timing_steps / sizeof *timing_steps;

double timing_ratio(const struct timing *timing, const struct timing_step *step, bool measured)
{
    const struct timing_row *from = timing_row_of(timing, step->from, step->n);
    const struct timing_row *to = timing_row_of(timing, step->to, step->n);
    return measured ? from->measured / to->measured : from->prediction.us / to->prediction.us;
}

// ---- published ladders

const struct timing_published timing_published[] = {
    {"V100", "naive", "tr_naive", 4096, 120},
    {"V100", "tiled, no padding", "tr_tile_32x32", 4096, 580},
    {"V100", "tiled, padded", "tr_pad_32x32", 4096, 750},
    {"A100", "naive", "mm_naive_bad", 4096, 310},
    {"A100", "tiled 32x32", "mm_tile32", 4096, 2800},
    {"A100", "64x64, 4x4 a thread", "mm_reg64_p0", 4096, 6200},
    {"A100", "+ cp.async pipeline", "mm_pipe128", 4096, 7100},
};
const size_t timing_published_count = sizeof timing_published / sizeof *timing_published;

double timing_published_rate(const struct timing *timing, const struct timing_published *published)
{
    const struct ladder_kernel *kernel = ladder_find(published->kernel);
    const struct ladder_model model = {.gpu = published->gpu};
    struct prediction prediction;
    struct diagnostic diagnostic;
    double n = published->n;
    if (ladder_predict(timing->modules[kernel->set], kernel, published->n, &model, &prediction, &diagnostic) !=
        STATUS_OK)
        return 0;
    return kernel->shape == LADDER_GEMM ? 2e-3 * n * n * n / prediction.us : 8e-3 * n * n / prediction.us;
}
