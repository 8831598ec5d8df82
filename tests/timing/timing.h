// The timing model beside what was measured. timing.c predicts and prints; score.c judges; fit.c fits the constants;
// lessons.c does the lessons' kernels; document.c writes docs/timing-model.md and its figure.
#ifndef BANKSHOT_TESTS_TIMING_H
#define BANKSHOT_TESTS_TIMING_H

#include <stdio.h>

#include "../support/ladder_launch.h"

enum { TIMING_ROWS_MAX = 2048, TIMING_LESSONS_MAX = 64 };

// What is compared: rows of 10 us and more. Shorter ones are mostly launch cost, which varies.
static const double timing_least_us = 10;

// A row of golden/*_times.csv.
struct timing_row {
    const struct ladder_kernel *kernel;
    const char *gpu;
    uint32_t n;
    double measured; // microseconds
    struct prediction prediction;
    double seconds; // of processor time that the prediction took
};

struct timing {
    struct ptx_module *modules[LADDER_SETS];
    const struct gpu_profile *profile; // of every row's GPU; NULL: the built-in one of its name
    struct timing_row rows[TIMING_ROWS_MAX];
    size_t count;
};

void timing_fit(struct timing *timing);
void timing_folds(const struct timing *timing);

// ---- micro.c

// One line for each microbenchmark (whose name has `only` in it) on each GPU.
bool timing_micro(const char *only);

// ---- score.c

enum { TIMING_RATIO = 20 }; // per cent off the measured ratio

struct timing_errors {
    size_t count;
    double median, ninth, worst; // per cent; ninth: nine in ten are below
};
// Which rows. What is NULL or 0 does not choose.
struct timing_part {
    const char *gpu, *family;
    const struct ladder_kernel *kernel;
    unsigned sets; // one bit each
};
// What each set on each GPU is held to, in per cent.
struct timing_bound {
    const char *what;
    struct timing_part part;
    double median, ninth, worst;
    size_t order; // of the pairs in order, at least
};
extern const struct timing_bound timing_bounds[];
extern const size_t timing_bound_count;
bool timing_is_in(const struct timing_row *row, const struct timing_part *part);
struct timing_errors timing_errors_of(const struct timing *timing, const struct timing_part *part);
struct timing_errors timing_errors_from(double *errors, size_t count); // sorts them; per cent
double timing_error(double predicted, double measured);                // signed, per cent

// Pairs of one family, size and GPU whose measured times differ by more than 10 %, and how many are predicted in that
// order.
size_t timing_pairs(const struct timing *timing, const struct timing_part *part, size_t *right);

// From one kernel to a better one: how many times faster.
struct timing_step {
    const char *what, *from, *to; // from, to: names of golden/h200_times.csv
    uint32_t n;
    bool is_surprise;
};
extern const struct timing_step timing_steps[];
extern const size_t timing_step_count;
double timing_ratio(const struct timing *timing, const struct timing_step *step, bool measured);

// A ladder published by others, CURRICULUM.md's.
struct timing_published {
    const char *gpu, *label, *kernel;
    uint32_t n;
    double rate; // GB/s of the transpose, GFLOP/s of the product
};
extern const struct timing_published timing_published[];
extern const size_t timing_published_count;
double timing_published_rate(const struct timing *timing, const struct timing_published *published);

const struct timing_row *timing_row_of(const struct timing *timing, const char *times, uint32_t n);
const struct timing_row *timing_slowest(const struct timing *timing);

// ---- lessons.c

struct timing_lesson {
    char lesson[64], source[32]; // source: "starter", "naive", "solution"
    double measured, predicted;  // microseconds; predicted 0 = it could not be
};
// From golden/h200_lessons.csv, or from the report of tests/gpu/run.
size_t timing_lessons_read(const char *path, struct timing_lesson lessons[TIMING_LESSONS_MAX]);
size_t timing_lessons_report(const char *path, struct timing_lesson lessons[TIMING_LESSONS_MAX]);
// Compiles the lessons' sources and predicts each at the lesson's GPU size. False: there is no nvcc.
bool timing_lessons_predict(struct timing_lesson *lessons, size_t count);
void timing_lessons_print(FILE *file, const struct timing_lesson *lessons, size_t count, bool markdown);
// How many times faster each step of the ladder is that a learner climbs.
void timing_lessons_print_climbs(FILE *file, const struct timing_lesson *lessons, size_t count, bool markdown);
extern const char timing_lessons_path[];

// ---- document.c

// Writes FOLDER/timing-model.md and FOLDER/timing-model.svg.
bool timing_document(const struct timing *timing, const char *folder);

#endif
