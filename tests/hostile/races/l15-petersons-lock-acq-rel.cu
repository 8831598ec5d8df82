// lesson 15; device sim; nvcc,clang; want: fail|timeout; tries: totals' halves add to one sum under Peterson's lock with fence.acq_rel in place of fence.sc: by PTX both may read the other's wish as 0 (store buffering), both are inside, and an addition is lost
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

#define FENCE() asm volatile("fence.acq_rel.cta;" ::: "memory")

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8], total;
    __shared__ volatile int wants[2], turn;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (t == 0) {
        wants[0] = wants[1] = 0;
        turn = 0;
        total = 0.0f;
    }
    float x = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(~0u, x, d);
    if (t % 32 == 0)
        part[t / 32] = x;
    __syncthreads();

    // Each half of the block has a speaker, and Peterson's lock lets one of them in at a time.
    if (t % 128 == 0) {
        int me = t / 128, other = 1 - me;
        wants[me] = 1;
        turn = other;
        FENCE();
        while (wants[other] && turn == other) {
        }
        FENCE();
        for (int w = 0; w < 4; w++)
            total += part[me * 4 + w];
        FENCE();
        wants[me] = 0;
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = total;
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
