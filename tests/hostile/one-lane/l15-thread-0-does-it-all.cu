// lesson 15; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: nothing is mended: one thread of each block does the block's work alone, so there is nobody to order
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    if (threadIdx.x != 0)
        return;
    int first = blockIdx.x * 256;
    for (int t = -1; t < 257; t++)
        tile[t + 1] = first + t >= 0 && first + t < n ? in[first + t] : 0.0f;
    for (int t = 0; t < 256 && first + t < n; t++)
        out[first + t] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    if (threadIdx.x != 0)
        return;
    int first = blockIdx.x * 256;
    float a = 0.0f;
    for (int t = 0; t < 256 && first + t < n; t++)
        a += in[first + t];
    out[blockIdx.x] = a;
}

__global__ void reverse(float *out, const float *in, int n)
{
    if (threadIdx.x != 0)
        return;
    int first = blockIdx.x * 256;
    for (int t = 0; t < 256 && first + t < n; t++)
        out[n - 1 - first - t] = in[first + t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    if (threadIdx.x != 0)
        return;
    int first = blockIdx.x * 256;
    for (int t = 0; t < 257 && first + t - 1 < n; t++) {
        int i = first + t - 1;
        __pipeline_memcpy_async(&tile[t], i >= 0 ? &in[i] : in, 4, i >= 0 ? 0 : 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int t = 0; t < 256 && first + t < n; t++)
        out[first + t] = tile[t + 1] - tile[t];
}
