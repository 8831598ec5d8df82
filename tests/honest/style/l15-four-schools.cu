// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: the four kernels mended in four styles: group sync, shuffles with one barrier, unsigned wraparound as a guard, PTX copies
#include <cooperative_groups.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    const auto block = cooperative_groups::this_thread_block();
    const int t = block.thread_rank(), i = block.group_index().x * 256 + t;

    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;

    block.sync();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    float sum = i < n ? in[i] : 0.0f;
    for (int distance = 16; distance > 0; distance >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t == 0) {
        sum = 0.0f;
        for (float one : part)
            sum += one;
        out[blockIdx.x] = sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    const unsigned t = threadIdx.x, first = blockIdx.x * 256u, count = n;

    if (first + t < count)
        tile[255u - t] = in[first + t];
    __syncthreads();
    // Where a place lies before the array it wraps round to a number far beyond count.
    const unsigned place = count - first - 256u + t;
    if (place < count)
        out[place] = tile[t];
}

__device__ __forceinline__ void copy_word(float *to, const float *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes)
                 : "memory");
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (i < n)
        copy_word(&tile[t + 1], &in[i], 4);
    if (t == 0)
        copy_word(&tile[0], i > 0 ? &in[i - 1] : in, i > 0 ? 4 : 0);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
