// The clocks that the lab reads.
#include "base/clock.h"

#include <math.h>
#include <time.h>

static int64_t clock_read(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return clock_wall_of(time.tv_sec, time.tv_nsec);
}

int64_t clock_wall_of(int64_t seconds, long nanoseconds)
{
    enum { SECOND = 1000000000 };
    if (seconds >= INT64_MAX / SECOND)
        return INT64_MAX;
    return seconds <= INT64_MIN / SECOND ? INT64_MIN : seconds * SECOND + nanoseconds;
}

double clock_seconds(void)
{
    return (double)clock_read(CLOCK_MONOTONIC) * 1e-9;
}

double clock_processor(void)
{
    return (double)clock_read(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}

struct clock_limit clock_limit_of(double seconds, double least_share)
{
    return (struct clock_limit){seconds, least_share, clock_seconds(), clock_processor()};
}

double clock_limit_left(const struct clock_limit *limit)
{
    if (limit->seconds <= 0)
        return limit->seconds < 0 ? limit->seconds : INFINITY;
    double wall = clock_seconds() - limit->began, processor = clock_processor() - limit->processor;
    return limit->seconds - fmin(wall, fmax(processor, wall * limit->least_share));
}

bool clock_limit_passed(const struct clock_limit *limit)
{
    // The other clock is slower to read, and no limit passes before this one.
    if (limit->seconds == 0 || (limit->seconds > 0 && clock_seconds() - limit->began < limit->seconds))
        return false;
    return clock_limit_left(limit) <= 0;
}

int64_t clock_wall(void)
{
    return clock_read(CLOCK_REALTIME);
}
