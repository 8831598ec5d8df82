// The vector handlers for AVX2 and FMA: the Makefile compiles this file with -mavx2 -mfma where it can. Elsewhere it
// is the plain code once more, and unused.
#define LANES_TABLE sim_lanes_avx2
#include "sim/lanes_body.h"

#ifdef __AVX2__
const bool sim_lanes_have_avx2 = true;
#else
const bool sim_lanes_have_avx2 = false;
#endif
