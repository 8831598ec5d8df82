// lesson 15; device sim; nvcc,clang; want: fail|timeout; tries: totals keeps its eight partial sums in global memory, in a row chosen by the number of the SM: eight blocks of 256 threads live on one SM at once and overwrite one another
// 15 debug clinic. Solution.
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

    // tile[t] and tile[t + 2] come from other threads. Inside a warp it would often work by
    // luck, at the seams it does not.
    __syncthreads();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];                    // @sum
}

__device__ float scratch[1024][8];  // a row for each SM

__global__ void totals(float *out, const float *in, int n)
{
    unsigned sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    float x = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(~0u, x, d);
    if (t % 32 == 0)
        scratch[sm][t / 32] = x;
    __syncthreads();
    if (t == 0) {
        float total = 0.0f;
        for (int w = 0; w < 8; w++)
            total += scratch[sm][w];
        out[blockIdx.x] = total;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;

    // Only what exists is read. Nobody leaves: the thread may have something to store.
    if (first + t < n)
        tile[255 - t] = in[first + t];   // turned round here …
    __syncthreads();
    // In the last block the first places of the mirrored range lie before the array. They
    // are those that were not filled.
    if (n - first - 256 + t >= 0)
        out[n - first - 256 + t] = tile[t];  // … and stored in order, at the mirrored place
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
    // First wait for one's own copies, then for the threads that wait for theirs.
    __pipeline_wait_prior(0);
    __syncthreads();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
