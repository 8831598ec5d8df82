// lesson 15; device sim,gpu; nvcc,clang; want: fail|timeout; tries: totals adds its eight warps' sums one after the other in out[blockIdx.x] itself: each reads what the warp before stored, by ldu.global. ldu is for data that is only read while the kernel runs (PTX ISA: "load read-only data"); what another thread of this launch has just stored need not be seen, and the chain may add to an older value (the poison, or a shorter sum); sm_90 happens to make a plain load of it. Every n; blocks with more than one warp of data are off by whole warps' sums.
// 15 debug clinic: fixed. totals takes shuffles, then the warps add in turn.
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
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];                    // @sum
}

// A word that all lanes want from one address: one load for the warp, not one for each lane.
__device__ float uniform(const float *at)
{
    float value;
    asm volatile("ldu.global.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(at)) : "memory");
    return value;
}

__global__ void totals(float *out, const float *in, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 256 + t, warp = t / 32;

    float sum = i < n ? in[i] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    for (int turn = 0; turn < 8; turn++) {
        if (turn == warp && t % 32 == 0)
            out[blockIdx.x] = turn == 0 ? sum : uniform(&out[blockIdx.x]) + sum;
        // Outside the branch: a barrier is for all threads of the block, in every round.
        __syncthreads();
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;

    if (first + t < n)
        tile[255 - t] = in[first + t];  // turned round here …
    __syncthreads();
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
    __pipeline_wait_prior(0);
    __syncthreads();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
