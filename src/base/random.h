// splitmix64 (Steele, Lea, Flood 2014): numbers that look random and are the same everywhere. Every seed gives a stream
// of its own.
#ifndef BANKSHOT_BASE_RANDOM_H
#define BANKSHOT_BASE_RANDOM_H

#include <stdint.h>

// What a draw adds to the state: state + n * RANDOM_STEP is where the stream is after n draws.
#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += RANDOM_STEP;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// What belongs to a number, in any order: neighbours' have nothing in common.
static inline uint64_t random_of(uint64_t number)
{
    return random_next(&number);
}

#endif
