// The vector handlers for any processor.
#define LANES_TABLE sim_lanes_plain
#include "sim/lanes_body.h"

op_run *const *sim_lanes(void)
{
#if defined __x86_64__
    if (sim_lanes_have_avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return sim_lanes_avx2;
#endif
    return sim_lanes_plain;
}
