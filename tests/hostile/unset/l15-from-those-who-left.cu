// lesson 15; device sim,gpu; nvcc,clang; want: fail|timeout; tries: in neighbours the last lane that has an element takes its right neighbour's 0 by a shuffle from a lane that has left the kernel: what such a shuffle gives is undefined; every n that is no multiple of 32
// 15 debug clinic: neighbours without a tile. A warp hands its elements on by shuffles, and only the seams lie in shared memory.
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float front[8], back[8];  // the first and the last element of each warp
    int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32, warp = t / 32;

    float mine = i < n ? in[i] : 0.0f;
    if (lane == 0)
        front[warp] = mine;
    if (lane == 31)
        back[warp] = mine;
    __syncthreads();

    // Nothing to store: nothing to do. What such a thread had for others, a 0, they can still get.
    if (i >= n)
        return;
    float before = __shfl_up_sync(~0u, mine, 1), after = __shfl_down_sync(~0u, mine, 1);
    if (lane == 0)
        before = warp > 0 ? back[warp - 1] : i > 0 ? in[i - 1] : 0.0f;
    if (lane == 31)
        after = warp < 7 ? front[warp + 1] : i + 1 < n ? in[i + 1] : 0.0f;
    out[i] = before + mine + after;
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int distance = 128; distance > 0; distance /= 2) {
        if (t < distance)
            part[t] += part[t + distance];
        // Outside the branch: a barrier is for all threads of the block, in every round.
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
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
