// What time it is, and how times are written for people.
#ifndef BANKSHOT_BASE_CLOCK_H
#define BANKSHOT_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

// Seconds since some moment that stays the same while the machine runs: for durations and deadlines. Safe in a signal
// handler and after a fork.
double clock_seconds(void);

// Seconds that processors have worked for this process, all its threads together.
double clock_processor(void);

// A limit of time that a busy machine does not use up. Its seconds go by as the wall clock's do, but no faster than
// processors work for this process, and no slower than least_share of the wall clock (1: the wall clock alone).
struct clock_limit {
    double seconds; // 0: no limit; less: it has passed
    double least_share;
    double began, processor; // clock_seconds() and clock_processor() then
};

// From now on.
struct clock_limit clock_limit_of(double seconds, double least_share);
double clock_limit_left(const struct clock_limit *limit); // seconds; 0 or less: it has passed. INFINITY without one
bool clock_limit_passed(const struct clock_limit *limit);

// Nanoseconds since 1970, UTC: for what is kept.
int64_t clock_wall(void);
// The same of another moment; what lies before 1677 or after 2262 is the first or the last that can be told.
int64_t clock_wall_of(int64_t seconds, long nanoseconds);

#endif
