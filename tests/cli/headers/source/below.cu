#include "deeper.cuh"

__global__ void below(int *out)
{
    out[threadIdx.x] = DEPTH;
}
