// timing: predicts every row of golden/h200_times.csv and compares. Run from the repository root.
//
//   timing [KERNEL]                 one line for each row (of kernels whose name has this in it), then the bounds:
//                                   exits 1 when one is missed
//   timing --fit                    moves the constants of timing.def to fit the fitted half; prints them
//   timing --profile FILE GPU       the sets measured on that GPU (H200, H100), predicted by a profile that 'bankshot
//                                   calibrate' wrote on one: exits 1 when the first set's median is above 5 %
//   timing --folds                  errors with whole kinds of kernels left out, for tests/golden/timing_folds.csv
//   timing --instructions           warp instructions that the model counts on, beside those executed
//   timing --ahead                  what the ninth ladder's kernels will take, whether they were measured or not
//   timing --micro [NAME]           the microbenchmarks, one mechanism each
//   timing --docs FOLDER            writes timing-model.md and timing-model.svg (`make docs`)
//   timing --report REPORT.json     the lessons' kernels: predicted beside what tests/gpu/run measured
//   timing --lessons                the same with tests/golden/h200_lessons.csv
//   timing --lessons-csv REPORT.json  that file from a report, on stdout
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/ladder.h"
#include "model/profiles.h"

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void read_rows(struct timing *timing)
{
    static const uint32_t sizes[] = {512, 1024, 2048, 4096, 8192};
    for (int gpu = 0; gpu < 2; gpu++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (size_t k = 0; k < ladder_kernel_count; k++) {
                struct timing_row row = {.kernel = &ladder_kernels[k], .gpu = gpu ? "H100" : "H200", .n = sizes[i]};
                row.measured = ladder_measured(row.kernel, row.gpu, row.n);
                if (row.measured > 0 && timing->count == TIMING_ROWS_MAX) {
                    fprintf(stderr, "timing: more than %d rows: raise TIMING_ROWS_MAX\n", TIMING_ROWS_MAX);
                    exit(2);
                }
                if (row.measured > 0)
                    timing->rows[timing->count++] = row;
            }
}

static void predict(const struct timing *timing, struct timing_row *row)
{
    const struct ladder_model model = {.gpu = row->gpu, .profile = timing->profile};
    struct diagnostic diagnostic;
    double start = processor_seconds();
    if (ladder_predict(timing->modules[row->kernel->set], row->kernel, row->n, &model, &row->prediction, &diagnostic) !=
        STATUS_OK) {
        fprintf(stderr, "timing: %s at %u: %s\n", row->kernel->times, row->n, diagnostic.message);
        exit(2);
    }
    row->seconds = processor_seconds() - start;
}

static void print_row(const struct timing_row *row)
{
    const struct prediction *p = &row->prediction;
    printf("%s %-20s %5u %10.1f %10.1f %+6.1f %%  %.3fs %-22s dram %.2f l2 %.2f l1 %.2f sh %.2f issue %.2f\n", row->gpu,
           row->kernel->times, row->n, row->measured, p->us, timing_error(p->us, row->measured), row->seconds,
           p->bound_by, p->dram_busy, p->l2_busy, p->l1_busy, p->shared_busy, p->issue_busy);
    if (getenv("WAITS")) {
        for (int i = 0; i < REPLAY_REASONS; i++)
            printf("   %s %.2f", predict_reason_name((enum replay_reason)i), p->waits[i]);
        printf("\n   instructions %.0f\n", p->instructions);
    }
}

// ---- bounds

static bool missed;

static void hold(bool holds, const char *bound)
{
    if (!holds)
        printf("  MISSED: %s\n", bound);
    missed |= !holds;
}

static void print_errors(const struct timing *timing, const struct timing_bound *bound)
{
    struct timing_errors errors = timing_errors_of(timing, &bound->part);
    size_t right, pairs = timing_pairs(timing, &bound->part, &right);
    printf("%-22s %3zu rows: median error %.1f %%, nine in ten under %.1f %%, worst %.1f %%; %zu of %zu pairs in order "
           "(%.1f %%)\n",
           bound->what, errors.count, errors.median, errors.ninth, errors.worst, right, pairs,
           100.0 * (double)right / (double)pairs);
    hold(errors.median <= bound->median && errors.ninth < bound->ninth && errors.worst < bound->worst, "its bounds");
    hold(100 * right >= bound->order * pairs, "its pairs in order");
}

static void print_steps(const struct timing *timing)
{
    printf("\n%-58s %5s %9s %9s\n", "times faster", "n", "measured", "predicted");
    for (size_t i = 0; i < timing_step_count; i++) {
        const struct timing_step *step = &timing_steps[i];
        double measured = timing_ratio(timing, step, true), predicted = timing_ratio(timing, step, false);
        double error = timing_error(predicted, measured);
        printf("%-58s %5u %9.2f %9.2f %+6.1f %%\n", step->what, step->n, measured, predicted, error);
        hold(step->is_surprise || fabs(error) <= TIMING_RATIO, "within 20 %");
    }
}

static void print_published(const struct timing *timing)
{
    double before = 0;
    const char *gpu = "";
    printf("\n%-34s %9s %9s\n", "published", "published", "predicted");
    for (size_t i = 0; i < timing_published_count; i++) {
        const struct timing_published *published = &timing_published[i];
        double rate = timing_published_rate(timing, published);
        printf("%-4s %-29s %9.0f %9.0f\n", published->gpu, published->label, published->rate, rate);
        hold(strcmp(gpu, published->gpu) != 0 || rate > before, "in the published order");
        gpu = published->gpu;
        before = rate;
    }
}

static void print_bounds(const struct timing *timing)
{
    const struct timing_row *slowest = timing_slowest(timing);
    for (size_t i = 0; i < timing_bound_count; i++)
        print_errors(timing, &timing_bounds[i]);
    printf("slowest prediction: %.2f s, %s at %u\n", slowest->seconds, slowest->kernel->times, slowest->n);
    hold(slowest->seconds < 1, "less than a second");
    print_steps(timing);
    print_published(timing);
}

// The instructions that the model counts on beside those that the H200 executed.
static void print_instructions(const struct timing *timing)
{
    static struct ladder_row rows[LADDER_ROWS_MAX];
    for (int set = 0; set < LADDER_SETS; set++) {
        int count = ladder_golden_paths[set] ? ladder_read(ladder_golden_paths[set], rows) : 0;
        for (int i = 0; i < count; i++) {
            const struct ladder_kernel *kernel = ladder_find(rows[i].kernel);
            struct prediction prediction;
            struct diagnostic diagnostic;
            if (!kernel || ladder_predict(timing->modules[set], kernel, ladder_once_size(kernel, rows[i].occurrence),
                                          &(struct ladder_model){0}, &prediction, &diagnostic) != STATUS_OK)
                continue;
            double executed = (double)rows[i].hardware.warp_instructions;
            printf("%-32s %12.0f %12.0f %+6.1f %%\n", rows[i].kernel, executed, prediction.instructions,
                   timing_error(prediction.instructions, executed));
        }
    }
}

// Whether what was measured on the GPU by itself predicts the ladders' kernels there.
static void print_profile(struct timing *timing, const char *path, const char *gpu)
{
    static struct gpu_profile profile;
    static struct replay_constants constants;
    struct diagnostic diagnostic;
    if (profile_read(path, &profile, &constants, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "timing: %s:%d: %s\n", path, diagnostic.line, diagnostic.message);
        exit(2);
    }
    profile.name = gpu;
    timing->profile = &profile;
    for (size_t i = 0; i < timing->count; i++)
        if (!strcmp(timing->rows[i].gpu, gpu) && timing->rows[i].measured >= timing_least_us)
            predict(timing, &timing->rows[i]);
    for (int set = 0; set < LADDER_SETS; set++) {
        static const char *const names[LADDER_SETS] = {"first", "second",  "third",  "fourth", "fifth",
                                                       "sixth", "seventh", "eighth", "ninth"};
        const struct timing_part part = {.gpu = gpu, .sets = 1u << set};
        struct timing_errors errors = timing_errors_of(timing, &part);
        if (!errors.count)
            continue;
        printf("%s set, %s: %zu rows, median error %.1f %%, nine in ten under %.1f %%, worst %.1f %%\n", names[set],
               gpu, errors.count, errors.median, errors.ninth, errors.worst);
        hold(set != LADDER_FIRST || errors.median <= 5, "5 % in the median");
    }
}

// Predictions to be written down before anything is measured.
static void print_ahead(const struct timing *timing)
{
    static const struct {
        const char *name;
        uint32_t sizes[2];
    } kernels[] = {
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers) {#kernel, {first, second}},
#include "../kernels/ladder_i.def"
#undef K
    };
    printf("gpu,family,kernel,n,measured,predicted\n");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        for (int at = 0; at < 4; at++) {
            struct timing_row row = {
                .kernel = ladder_find(kernels[i].name), .gpu = at / 2 ? "H100" : "H200", .n = kernels[i].sizes[at % 2]};
            predict(timing, &row);
            printf("%s,%s,%s,%u,%.2f,%.2f\n", row.gpu, row.kernel->family, kernels[i].name, row.n,
                   ladder_measured(row.kernel, row.gpu, row.n), row.prediction.us);
        }
}

static int lessons(const char *report, bool as_csv)
{
    struct timing_lesson rows[TIMING_LESSONS_MAX];
    size_t count = report ? timing_lessons_report(report, rows) : timing_lessons_read(timing_lessons_path, rows);
    if (!count) {
        fprintf(stderr, "timing: no times of lessons in %s\n", report ? report : timing_lessons_path);
        return 1;
    }
    if (as_csv) {
        printf("# Medians at the lessons' GPU sizes, L2 flushed between runs, NVIDIA H200: `timing --lessons-csv` of "
               "a report of tests/gpu/run.\nlesson,source,us_median\n");
        for (size_t i = 0; i < count; i++)
            printf("%s,%s,%.5g\n", rows[i].lesson, rows[i].source, rows[i].measured);
        return 0;
    }
    if (!timing_lessons_predict(rows, count))
        return 1;
    timing_lessons_print(stdout, rows, count, false);
    timing_lessons_print_climbs(stdout, rows, count, false);
    return 0;
}

int main(int argc, char **argv)
{
    static struct timing timing;
    struct diagnostic diagnostic;
    const char *command = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : NULL;
    if (!strcmp(command, "--lessons") || (!strcmp(command, "--report") && argument) ||
        (!strcmp(command, "--lessons-csv") && argument))
        return lessons(argument, !strcmp(command, "--lessons-csv"));
    bool is_profile = !strcmp(command, "--profile") && argc > 3;
    if (!strcmp(command, "--micro"))
        return timing_micro(argument) ? 0 : 1;
    if (command[0] == '-' && !is_profile && strcmp(command, "--fit") != 0 && strcmp(command, "--instructions") != 0 &&
        strcmp(command, "--ahead") != 0 && strcmp(command, "--folds") != 0 &&
        (strcmp(command, "--docs") != 0 || !argument)) {
        fprintf(stderr, "timing: see tests/timing/timing.c for its commands\n");
        return 2;
    }
    for (int set = 0; set < LADDER_SETS; set++)
        if (ladder_load((enum ladder_set)set, &timing.modules[set], &diagnostic) != STATUS_OK) {
            fprintf(stderr, "timing: %s\n", diagnostic.message);
            return 2;
        }
    if (!strcmp(command, "--instructions")) {
        print_instructions(&timing);
        return 0;
    }
    if (!strcmp(command, "--ahead")) {
        print_ahead(&timing);
        return 0;
    }
    read_rows(&timing);
    if (is_profile) {
        print_profile(&timing, argument, argv[3]);
        return missed ? 1 : 0;
    }
    if (!strcmp(command, "--folds")) {
        timing_folds(&timing);
        return 0;
    }
    bool ok = true, prints = command[0] != '-';
    for (size_t i = 0; i < timing.count && strcmp(command, "--fit") != 0; i++) {
        struct timing_row *row = &timing.rows[i];
        if (prints && *command && !strstr(row->kernel->times, command))
            continue;
        predict(&timing, row);
        if (prints)
            print_row(row);
    }
    if (!strcmp(command, "--fit"))
        timing_fit(&timing);
    else if (!prints)
        ok = timing_document(&timing, argument);
    else if (!*command)
        print_bounds(&timing);
    for (int set = 0; set < LADDER_SETS; set++)
        ptx_module_free(timing.modules[set]);
    return ok && !missed ? 0 : 1;
}
