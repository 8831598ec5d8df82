// lesson 15; device sim,gpu; nvcc,clang; want: pass; tries: each bug cured another way: extra barriers, warp shuffles, guards by min, cuda::pipeline
#include <cuda_pipeline.h>
__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i >= n) return;
    float left = t ? tile[t - 1] : i ? in[i - 1] : 0.0f;
    float right = t < 255 ? tile[t + 1] : i + 1 < n ? in[i + 1] : 0.0f;
    out[i] = left + tile[t] + right;
}
__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (t % 32 == 0) part[t / 32] = v;
    __syncthreads();
    if (t) return;
    for (int w = 1; w < 8; w++) v += part[w];
    out[blockIdx.x] = v;
}
__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256, have = min(256, n - first);
    if (t < have) tile[have - 1 - t] = in[first + t];
    __syncthreads();
    if (t < have) out[n - first - have + t] = tile[t];
}
__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) __pipeline_memcpy_async(&tile[t + 1], &in[i], 4);
    if (t == 0) __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (i < n) out[i] = tile[t + 1] - tile[t];
}
