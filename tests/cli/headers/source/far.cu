// A header of another folder, and one that host code alone reads and nobody has.
#include "near.cuh"
#ifndef __CUDA_ARCH__
#include "only_on_the_host.h"
#endif

__global__ void far(int *out)
{
    out[threadIdx.x] = NEAR;
}
