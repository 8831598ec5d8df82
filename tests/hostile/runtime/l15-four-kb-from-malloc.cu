// lesson 15; device sim,gpu; nvcc; want: fail; tries: each thread of reverse takes 4 KB from malloc and never asks whether it got them: 79 blocks that run together want 80 MB, and the heap has 8
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
    float *own = (float *)malloc(4096);  // of each thread

    // Only what exists is read. Nobody leaves: the thread may have something to store.
    if (first + t < n)
        own[t] = in[first + t];
    if (first + t < n)
        tile[255 - t] = own[t];
    free(own);
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
