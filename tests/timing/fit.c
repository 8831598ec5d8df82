// Fits the constants of timing.def to the fitted half of golden/h200_times.csv.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
