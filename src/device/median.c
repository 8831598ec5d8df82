#include "device/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Sorts the values. Ranks of the interval: binomial, normal approximation.
static struct median summarise(float *values, size_t count)
{
    if (!count)
        return (struct median){0};
    qsort(values, count, sizeof *values, by_value);
    double last = (double)count - 1, middle = 0.5 * (double)count, spread = 0.98 * sqrt((double)count);
    double low = fmax(floor(middle - spread), 0), high = fmin(ceil(middle + spread) - 1, last);
    return (struct median){.value = 0.5 * ((double)values[(count - 1) / 2] + (double)values[count / 2]),
                           .low = (double)values[(size_t)low],
                           .high = (double)values[(size_t)high],
                           .least = (double)values[0],
                           .most = (double)values[count - 1]};
}

struct median median_of(const float *values, size_t count)
{
    float sorted[MEDIAN_MAX];
    count = count < MEDIAN_MAX ? count : MEDIAN_MAX;
    memcpy(sorted, values, count * sizeof *sorted);
    return summarise(sorted, count);
}

struct median median_of_ratios(const float *over, const float *under, size_t count)
{
    float ratios[MEDIAN_MAX];
    size_t used = 0;
    for (size_t i = 0; i < count && used < MEDIAN_MAX; i++)
        if (under[i] > 0)
            ratios[used++] = over[i] / under[i];
    return summarise(ratios, used);
}

double median_width(const struct median *median)
{
    return median->value > 0 ? (median->high - median->low) / median->value : 1;
}
