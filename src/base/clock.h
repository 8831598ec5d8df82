// What time it is, and how times are written for people.
#ifndef BANKSHOT_BASE_CLOCK_H
#define BANKSHOT_BASE_CLOCK_H

#include <stdint.h>

// Seconds since some moment that stays the same while the machine runs: for durations and deadlines. Safe in a signal
// handler and after a fork.
double clock_seconds(void);

// Seconds that processors have worked for this process, all its threads together.
double clock_processor(void);

// Nanoseconds since 1970, UTC: for what is kept.
int64_t clock_wall(void);

#endif
