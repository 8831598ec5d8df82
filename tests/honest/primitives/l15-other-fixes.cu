// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: other fixes: cuda::barrier, shuffles, mirrored reads, wait_all
#include <cuda_pipeline.h>
#include <cuda/barrier>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t == 0)
        init(&met, 256);
    __syncthreads();
    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;
    met.arrive_and_wait();
    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (float p : part)
            sum += p;
        out[blockIdx.x] = sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256, have = min(256, n - first);
    if (t < have)
        tile[t] = in[first + t];
    __syncthreads();
    if (t < have)
        out[n - first - have + t] = tile[have - 1 - t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    __pipeline_memcpy_async(&tile[t + 1], i < n ? &in[i] : in, 4, i < n ? 0 : 4);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
