// Kernels of this file and of its header, and functions of the header and of this file that are not inlined.
#include "tile.cuh"

__device__ __noinline__ float pick(const float *in, int at)
{
    return in[at];
}

__global__ void own(float *out, const float *in)
{
    out[threadIdx.x] = pick(in, threadIdx.x);
}

void launch(float *data)
{
    tile<32><<<1, 32>>>(data, data);
}
