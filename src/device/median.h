// Medians with their 95 % interval, by order statistics: nothing is assumed of how the values are spread. Times on a
// GPU come in two or three clusters, where a mean and its deviation say little.
#ifndef BANKSHOT_DEVICE_MEDIAN_H
#define BANKSHOT_DEVICE_MEDIAN_H

#include <stddef.h>

enum { MEDIAN_MAX = 1000 };

struct median {
    double value, low, high; // low, high: 95 % interval of the median
    double least, most;
};

// Of count values, at most MEDIAN_MAX; all zero when there are none.
struct median median_of(const float *values, size_t count);
// Of the ratios over[i] / under[i]: what hit both alike in one round, such as a slower clock, cancels out.
struct median median_of_ratios(const float *over, const float *under, size_t count);
// The interval's width as a part of the median; 1 when there is none.
double median_width(const struct median *median);

#endif
