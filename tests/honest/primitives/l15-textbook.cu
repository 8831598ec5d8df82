// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: the least change, as a beginner would: barriers added, guards, wait before the barrier
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, u = 128;
    part[t] = i < n ? in[i] : 0.0f;
    do {
        __syncthreads();
        if (t < u) part[t] += part[t + u];
        u >>= 1;
    } while (u);
    if (!t) out[blockIdx.x] = *part;
}
__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256, have = n - first < 256 ? n - first : 256;
    if (t < have) tile[have - 1 - t] = in[first + t];
    __syncthreads();
    if (t < have) out[n - first - have + t] = tile[t];
}
__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n)
        __pipeline_memcpy_async(&tile[t + 1], &in[i], 4);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
