// The clocks that the lab reads.
#include "base/clock.h"

#include <time.h>

static int64_t clock_read(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

double clock_seconds(void)
{
    return (double)clock_read(CLOCK_MONOTONIC) * 1e-9;
}

double clock_processor(void)
{
    return (double)clock_read(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}

int64_t clock_wall(void)
{
    return clock_read(CLOCK_REALTIME);
}
