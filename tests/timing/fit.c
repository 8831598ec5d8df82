// Fits the constants of timing.def to the fitted half of golden/h200_times.csv; and how well they would do on families
// that had no part in the fit.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "timing.h"

// Mean distance in logarithms over the fitted rows, with the worst ones weighing more. One size is left out for speed.
static double distance(const struct timing *timing, const struct replay_constants *constants)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < timing->count; i++) {
        const struct timing_row *row = &timing->rows[i];
        const struct ladder_model model = {.gpu = row->gpu, .constants = constants};
        struct prediction prediction;
        struct diagnostic diagnostic;
        if (!row->kernel->fitted || strcmp(row->gpu, "H200") != 0 || row->measured < timing_least_us || row->n == 2048)
            continue;
        if (ladder_predict(timing->modules[row->kernel->set], row->kernel, row->n, &model, &prediction, &diagnostic) !=
            STATUS_OK) {
            fprintf(stderr, "timing: %s at %u: %s\n", row->kernel->times, row->n, diagnostic.message);
            exit(2);
        }
        double away = fabs(log(prediction.us / row->measured));
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

static double *value_of(struct replay_constants *constants, const struct constant *constant)
{
    return (double *)(void *)((char *)constants + constant->offset);
}

// Coordinate descent: each constant a step up or down while that helps; steps shrink.
void timing_fit(struct timing *timing)
{
    struct replay_constants best = replay_defaults;
    const size_t count = sizeof constants_table / sizeof *constants_table;
    double at = distance(timing, &best);
    printf("start %.4f\n", at);
    for (double step = 0.16; step > 0.03; step /= 2)
        for (size_t i = 0; i < count; i++)
            for (int direction = -1; direction <= 1; direction += 2) {
                const struct constant *c = &constants_table[i];
                struct replay_constants next = best;
                double *value = value_of(&next, c);
                *value = fmax(c->low, fmin(c->high, *value * (1 + direction * step)));
                double there = distance(timing, &next);
                if (there >= at - 1e-5)
                    continue;
                at = there;
                best = next;
                printf("%.4f  %s = %.4g\n", at, c->name, *value);
                fflush(stdout);
                direction = 1;
            }
    for (size_t i = 0; i < count; i++)
        printf("%s %.4g\n", constants_table[i].name, *value_of(&best, &constants_table[i]));
}

// ---- kinds left out

enum { FREE_MAX = 32 };

// Families whose kernels are of one kind: whatever the fit learns from one of them, it would know of the others. What
// is named here is left out together; a family that is not is a kind of its own.
static const struct {
    const char *kind, *families;
} kinds[] = {
    {"copies", "|copy|move|moves|moves again|eight in a row|records|beside|block shapes|planes|"},
    {"transposes", "|transpose|pairs turned|bytes turned|types|"},
    {"products", "|gemm|product|products|small products|products of others|double|small matrices|batch|"},
    {"matrix times vector", "|matrix times vector|rows times vector|few bits|"},
    {"sums", "|reduction|sums|"},
    {"histograms and atomics", "|histogram|counting|bytes counted|atomics|clusters|kept|"},
    {"neighbours", "|stencil|grids|convolution|filters|pictures|stars|cube|channels|cells|other orders|bytes|"},
    {"scans", "|scan|prefixes|passes|segments|"},
    {"sorting", "|sort|order|radix|digits|sorted in blocks|"},
    {"rows", "|softmax|rows|rows again|rows normed|language|"},
    {"gathers", "|gather|sparse|compressed rows|padded rows|graphs|tables|points|paths|trees|bags|"},
    {"arithmetic", "|arithmetic|wide integers|halves|half pairs|fractals|whole numbers|unrolling|chance|"
                   "paths by chance|branches|optimisers|"},
    {"bodies", "|bodies|pairs|"},
    {"transforms", "|transforms|steps|number transforms|"},
    {"strings", "|text|texts|words|dynamic|scores|warps|"},
};

static const char *kind_of(const struct timing_row *row)
{
    char name[64];
    snprintf(name, sizeof name, "|%s|", row->kernel->family);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(kinds[i].families, name))
            return kinds[i].kind;
    return row->kernel->family;
}

// The constants that are not measured one by one.
static size_t free_constants(size_t free[FREE_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof constants_table / sizeof *constants_table; i++)
        if (constants_table[i].low < constants_table[i].high && count < FREE_MAX)
            free[count++] = i;
    return count;
}

// Those that the trace wants, too.
static bool is_traced(size_t constant)
{
    const char *name = constants_table[constant].name;
    return !strcmp(name, "window") || !strcmp(name, "l2_part");
}

// With each of the constants, which differ in what the replay alone wants. steps: 0 = as users get it
static void log_errors(const struct timing *timing, const struct timing_row *row,
                       const struct replay_constants *constants, size_t count, size_t steps, double *errors)
{
    const struct ladder_model model = {.gpu = row->gpu, .constants = constants, .steps = steps};
    struct prediction predictions[2 * FREE_MAX + 1];
    struct diagnostic diagnostic;
    if (ladder_predict_each(timing->modules[row->kernel->set], row->kernel, row->n, &model, count, predictions,
                            &diagnostic) != STATUS_OK) {
        fprintf(stderr, "timing: %s at %u: %s\n", row->kernel->times, row->n, diagnostic.message);
        exit(2);
    }
    for (size_t i = 0; i < count; i++)
        errors[i] = log(predictions[i].us / row->measured);
}

static double log_error(const struct timing *timing, const struct timing_row *row,
                        const struct replay_constants *constants, size_t steps)
{
    double error;
    log_errors(timing, row, constants, 1, steps, &error);
    return error;
}

// Its largest size on the H200 stands for each kernel.
static bool is_fold_row(const struct timing *timing, const struct timing_row *row)
{
    if (row->measured < timing_least_us || strcmp(row->gpu, "H200") != 0)
        return false;
    for (size_t i = 0; i < timing->count; i++)
        if (timing->rows[i].kernel == row->kernel && timing->rows[i].n > row->n &&
            !strcmp(timing->rows[i].gpu, row->gpu))
            return false;
    return true;
}

struct slopes {
    const struct timing_row *row;
    double error, by[FREE_MAX]; // of the logarithm, by the logarithm of each free constant
};

// The error is the one that users get. Slopes come from a replay of fewer steps, to be done in minutes.
static void find_slopes_of(const struct timing *timing, const size_t *free, size_t count, struct slopes *at)
{
    const double step = 0.08;
    const size_t few = 60000;
    struct replay_constants all[2 * FREE_MAX];
    double errors[2 * FREE_MAX];
    size_t together = 0;
    at->error = log_error(timing, at->row, &replay_defaults, 0);
    for (size_t j = 0; j < count; j++) {
        struct replay_constants both[2] = {replay_defaults, replay_defaults};
        *value_of(&both[0], &constants_table[free[j]]) *= exp(step);
        *value_of(&both[1], &constants_table[free[j]]) *= exp(-step);
        if (is_traced(free[j]))
            at->by[j] =
                (log_error(timing, at->row, &both[0], few) - log_error(timing, at->row, &both[1], few)) / (2 * step);
        memcpy(&all[together], both, sizeof both);
        together += is_traced(free[j]) ? 0 : 2;
    }
    log_errors(timing, at->row, all, together, few, errors);
    for (size_t j = 0, k = 0; j < count; j++)
        if (!is_traced(free[j])) {
            at->by[j] = (errors[k] - errors[k + 1]) / (2 * step);
            k += 2;
        }
}

// What the processes of timing_folds have in common: slopes lie in memory that they share, and each kind's rows in a
// file of its own, so that it makes no difference how many there are.
struct folding {
    const struct timing *timing;
    size_t free[FREE_MAX], free_count;
    struct slopes *slopes;
    size_t row_count;
    size_t kinds[TIMING_ROWS_MAX], kind_count; // by the first row of each
    FILE *files[TIMING_ROWS_MAX];
};

// Does every part, each in one of as many processes as there are processors.
static void do_parts(struct folding *folding, size_t count, void (*part)(struct folding *, size_t))
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = processors > 1 ? (size_t)processors : 1;
    bool good = true;
    fflush(stdout);
    for (size_t job = 0; job < jobs; job++) {
        pid_t child = fork();
        if (child > 0)
            continue;
        for (size_t i = job; i < count; i += jobs)
            part(folding, i);
        if (child == 0)
            _exit(0);
    }
    for (int status; wait(&status) > 0;)
        good &= status == 0;
    if (!good) {
        fprintf(stderr, "timing: a part of the folds failed\n");
        exit(2);
    }
}

static void find_slopes_at(struct folding *folding, size_t i)
{
    find_slopes_of(folding->timing, folding->free, folding->free_count, &folding->slopes[i]);
}

static void find_slopes(struct folding *folding)
{
    const struct timing *timing = folding->timing;
    for (size_t i = 0; i < timing->count; i++)
        if (is_fold_row(timing, &timing->rows[i]))
            folding->slopes[folding->row_count++].row = &timing->rows[i];
    do_parts(folding, folding->row_count, find_slopes_at);
}

// Solves a x = b in place, a symmetric and positive.
static void solve(double a[FREE_MAX][FREE_MAX], double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            double part = a[j][i] / a[i][i];
            for (size_t k = i; k < count; k++)
                a[j][k] -= part * a[i][k];
            b[j] -= part * b[i];
        }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

// The constants for which the sum of errors is least over the rows of all kinds but one (NULL: of all), by the slopes
// from those in use. Errors count by their size, not by its square: a kernel that the rules do not fit pulls no more
// than others. What the rows say nothing about stays.
static struct replay_constants fit_without(const char *kind, const struct slopes *slopes, size_t rows,
                                           const size_t *free, size_t count)
{
    const double stays = 1, small = 0.03, far = 0.25;
    double moved[FREE_MAX] = {0};
    struct replay_constants constants = replay_defaults;
    for (int round = 0; round < 30; round++) {
        double a[FREE_MAX][FREE_MAX] = {{0}}, b[FREE_MAX] = {0};
        for (size_t i = 0; i < rows; i++) {
            double error = slopes[i].error;
            if (kind && !strcmp(kind_of(slopes[i].row), kind))
                continue;
            for (size_t j = 0; j < count; j++)
                error += slopes[i].by[j] * moved[j];
            for (size_t j = 0; j < count; j++) {
                double weighed = slopes[i].by[j] / fmax(fabs(error), small);
                b[j] -= weighed * slopes[i].error;
                for (size_t k = 0; k < count; k++)
                    a[j][k] += weighed * slopes[i].by[k];
            }
        }
        for (size_t j = 0; j < count; j++)
            a[j][j] += stays;
        solve(a, b, count);
        for (size_t j = 0; j < count; j++)
            moved[j] = fmax(-far, fmin(far, b[j]));
    }
    for (size_t j = 0; j < count; j++) {
        const struct constant *c = &constants_table[free[j]];
        double *value = value_of(&constants, c);
        *value = fmax(c->low, fmin(c->high, *value * exp(moved[j])));
    }
    return constants;
}

static void predict_kind(struct folding *folding, size_t index)
{
    const struct timing *timing = folding->timing;
    const char *kind = kind_of(&timing->rows[folding->kinds[index]]);
    FILE *file = folding->files[index];
    struct replay_constants constants =
        fit_without(kind, folding->slopes, folding->row_count, folding->free, folding->free_count);
    for (size_t i = folding->kinds[index]; i < timing->count; i++) {
        const struct timing_row *row = &timing->rows[i];
        if (!strcmp(kind_of(row), kind))
            fprintf(file, "%s,%s,%s,%u,%.2f,%.2f\n", row->gpu, kind, row->kernel->times, row->n, row->measured,
                    row->measured * exp(log_error(timing, row, &constants, 0)));
    }
    fflush(file);
}

static void find_kinds(struct folding *folding)
{
    const struct timing *timing = folding->timing;
    for (size_t i = 0; i < timing->count; i++) {
        size_t at = 0;
        while (at < folding->kind_count &&
               strcmp(kind_of(&timing->rows[folding->kinds[at]]), kind_of(&timing->rows[i])) != 0)
            at++;
        if (at < folding->kind_count)
            continue;
        if (!(folding->files[at] = tmpfile())) {
            perror("timing: a file for a kind's rows");
            exit(2);
        }
        folding->kinds[folding->kind_count++] = i;
    }
}

// Prints "gpu,kind,kernel,n,measured,predicted" for every row, predicted with constants that its kind had no part in.
void timing_folds(const struct timing *timing)
{
    static struct folding folding;
    folding.timing = timing;
    folding.free_count = free_constants(folding.free);
    folding.slopes =
        mmap(NULL, TIMING_ROWS_MAX * sizeof *folding.slopes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (folding.slopes == MAP_FAILED) {
        perror("timing: memory for the slopes");
        exit(2);
    }
    find_slopes(&folding);
    struct replay_constants all =
        fit_without(NULL, folding.slopes, folding.row_count, folding.free, folding.free_count);
    printf(
        "# Written by `timing --folds`: each row predicted with constants fitted to all kinds but its own. Fitted to "
        "all:\n");
    for (size_t j = 0; j < folding.free_count; j++)
        printf("# %s %.4g\n", constants_table[folding.free[j]].name,
               *value_of(&all, &constants_table[folding.free[j]]));
    printf("gpu,kind,kernel,n,measured,predicted\n");
    find_kinds(&folding);
    do_parts(&folding, folding.kind_count, predict_kind);
    for (size_t i = 0; i < folding.kind_count; i++) {
        char line[256];
        rewind(folding.files[i]);
        while (fgets(line, sizeof line, folding.files[i]))
            fputs(line, stdout);
        fclose(folding.files[i]);
    }
}
