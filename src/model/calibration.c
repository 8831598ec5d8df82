// What follows from measured rows, by calibration.def.
#include "model/calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the replay takes for the few instructions of a block that does nothing (probe_empty).
static const double EMPTY_BLOCK = 24.5;
// Of the nominal DRAM bandwidth, what reading a gigabyte by a loop reaches (H200, H100).
static const double LONG_READ = 0.88;
// A constant that is further from the nearest GPU's than this is no constant: the machine was busy, or the rule does
// not hold on it.
static const double BELIEVABLE = 20;

struct deriving {
    const struct calibration_row *rows;
    size_t count;
    const struct gpu_profile *profile;
    struct calibration_constant *item; // notes which rows it comes from
    const char *missing;
};

static void note_row(struct deriving *d, const struct calibration_row *row)
{
    struct calibration_constant *item = d->item;
    item->spread = fmax(item->spread, row->spread);
    for (size_t i = 0; i < item->row_count; i++)
        if (item->rows[i] == row->key)
            return;
    if (item->row_count < sizeof item->rows / sizeof *item->rows)
        item->rows[item->row_count++] = row->key;
}

// The next row after `from` (NULL: the first) whose key begins so and goes on as no longer word; NULL: there is none.
static const struct calibration_row *next_row(const struct deriving *d, const struct calibration_row *from,
                                              const char *start)
{
    size_t length = strlen(start);
    for (size_t i = from ? (size_t)(from - d->rows) + 1 : 0; i < d->count; i++)
        if (strncmp(d->rows[i].key, start, length) == 0 && d->rows[i].value > 0)
            return &d->rows[i];
    return NULL;
}

static double row_or(struct deriving *d, const char *start, double otherwise)
{
    const struct calibration_row *found = next_row(d, NULL, start);
    if (found)
        note_row(d, found);
    return found ? found->value : otherwise;
}

static double row(struct deriving *d, const char *start)
{
    double value = row_or(d, start, NAN);
    if (isnan(value) && !d->missing)
        d->missing = start;
    return value;
}

static double most(struct deriving *d, const char *start)
{
    const struct calibration_row *best = NULL, *found = NULL;
    while ((found = next_row(d, found, start)))
        if (!best || found->value > best->value)
            best = found;
    if (best)
        note_row(d, best);
    else if (!d->missing)
        d->missing = start;
    return best ? best->value : NAN;
}

// 2000 loads after 16 go to 256 places of 16 KB, one after another: the first round misses L1, all that follow hit.
static double l1_latency(struct deriving *d, double mean)
{
    const double loads = 2000, misses = 256 - 16;
    return (loads * mean - misses * (double)d->profile->l2_latency) / (loads - misses);
}

// A barrier of one block takes barrier_latency + barrier_warp * warps: the line through what was measured.
static double barrier_line(struct deriving *d, bool slope)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    char key[PROBE_KEY];
    for (int warps = 1; warps <= 32; warps *= 2) {
        snprintf(key, sizeof key, "barrier,one block on the SM,%d warps", warps);
        double cycles = row_or(d, key, NAN);
        if (isnan(cycles)) {
            d->missing = "barrier,one block on the SM";
            return NAN;
        }
        n++, x += warps, y += cycles, xx += warps * warps, xy += warps * cycles;
    }
    double rise = (n * xy - x * y) / (n * xx - x * x), start = (y - rise * x) / n;
    for (int warps = 1; warps <= 32; warps *= 2) {
        snprintf(key, sizeof key, "barrier,one block on the SM,%d warps", warps);
        double cycles = row_or(d, key, NAN);
        d->item->left = fmax(d->item->left, fabs(start + rise * warps - cycles) / cycles);
    }
    return slope ? rise : start;
}

// Microseconds that each further block of so many threads takes.
static double block_us(struct deriving *d, int threads)
{
    char few[PROBE_KEY], many[PROBE_KEY];
    snprintf(few, sizeof few, "blocks,empty,131072 blocks of %d", threads);
    snprintf(many, sizeof many, "blocks,empty,1048576 blocks of %d", threads);
    double more = row_or(d, many, NAN) - row_or(d, few, NAN);
    if (isnan(more))
        d->missing = "blocks,empty";
    return more / (1048576 - 131072);
}

static enum status judge_constant(const struct deriving *d, const struct calibration_constant *item,
                                  struct diagnostic *diagnostic)
{
    if (d->missing)
        return diagnostic_set(diagnostic, STATUS_PARSE, "nothing measures %s: there is no row '%s'", item->name,
                              d->missing);
    double times = item->value / item->nearest;
    if (!(times > 1 / BELIEVABLE && times < BELIEVABLE) && fabs(item->value - item->nearest) > 1)
        return diagnostic_set(
            diagnostic, STATUS_PARSE,
            "%s would be %g %s, and %g on the nearest GPU that is known: the measurement makes no sense "
            "('%s'); run it again when nothing else uses the GPU",
            item->name, item->value, item->unit, item->nearest, item->row_count ? item->rows[0] : "no row");
    return STATUS_OK;
}

enum status calibration_derive(const struct gpu_profile *facts, const struct calibration_row *rows, size_t count,
                               struct calibration *calibration, struct diagnostic *diagnostic)
{
    *calibration = (struct calibration){.profile = *facts, .constants = replay_defaults};
    calibration->profile.l2_gbps = 0; // its constants tell
    struct gpu_profile *g = &calibration->profile;
    const struct gpu_profile *of_name = gpu_profile_of_device(facts->name);
    const struct gpu_profile *profile = of_name ? of_name : gpu_profile_nearest(facts->sm, facts->sms);
    const struct replay_constants *c = &calibration->constants, *constants = &replay_defaults;
    struct deriving deriving = {.rows = rows, .count = count, .profile = g}, *d = &deriving;
    enum status status = STATUS_OK;
    g->constants = c;
#define C(into, constant, unit_of, rule)                                                                               \
    if (!status) {                                                                                                     \
        d->item = &calibration->items[calibration->count++];                                                           \
        *d->item =                                                                                                     \
            (struct calibration_constant){.name = #constant, .unit = unit_of, .nearest = (double)into->constant};      \
        d->item->value = (rule);                                                                                       \
        status = judge_constant(d, d->item, diagnostic);                                                               \
        if (!status)                                                                                                   \
            calibration->into.constant =                                                                               \
                (__typeof__(calibration->into.constant))(sizeof calibration->into.constant == sizeof(uint32_t)         \
                                                             ? round(d->item->value)                                   \
                                                             : d->item->value);                                        \
    }
#include "model/calibration.def"
#undef C
    return status;
}
