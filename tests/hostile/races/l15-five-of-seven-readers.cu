// lesson 15; device sim,gpu; nvcc,clang; want: fail; tries: seven warps read a word that an eighth overwrites, and it comes after the first and the last reader alone: between the loads of the five others and its store stand counts with no fence
// 15 debug clinic. Solution.
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    __shared__ float word, got[8];
    __shared__ int seen, first_done, last_done;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;

    // tile[t] and tile[t + 2] come from other threads. Inside a warp it would often work by
    // luck, at the seams it does not.
    if (t == 0) {
        word = 1;
        seen = first_done = last_done = 0;
    }
    __syncthreads();

    // Warps 0 to 6 read a word, warp 0 first and warp 6 last. Warp 7 waits for these two, and takes it back.
    int warp = t / 32;
    if (t % 32 == 0 && warp < 7) {
        int after = warp == 0 ? 0 : warp == 6 ? 6 : 1;
        while (*(volatile int *)&seen < after)
            ;
        got[warp] = word;
        atomicAdd(&seen, 1);
        if (warp == 0 || warp == 6) {
            __threadfence_block();
            *(volatile int *)(warp ? &last_done : &first_done) = 1;
        }
    } else if (t == 224) {
        while (!*(volatile int *)&first_done || !*(volatile int *)&last_done)
            ;
        __threadfence_block();
        word = 0;
    }
    __syncthreads();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2] * got[t % 7];                    // @sum
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
