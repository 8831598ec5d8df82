// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: the minimal cures written by a beginner, other ways round: __syncthreads_count as barrier, loops from the other end, wait via cp.async.wait_group
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

    // this also counts, but I only need the waiting
    int number_of_threads_with_an_element = __syncthreads_count(i < n);

    if (t < number_of_threads_with_an_element)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? in[i] : 0.0f;
    int distance = 128;
    while (1) {
        __syncthreads();
        if (t < distance)
            part[t] = part[t] + part[t + distance];
        if (distance == 1)
            break;
        distance = distance / 2;
    }
    if (t == 0)  // the same thread that has just written it
        out[blockIdx.x] = part[0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    int how_many = n - first;
    if (how_many > 256)
        how_many = 256;

    // my block has how_many elements; they go to a range of as many, which ends at n - first
    if (t < how_many)
        tile[how_many - 1 - t] = in[first + t];
    __syncthreads();
    if (t < how_many)
        out[n - first - how_many + t] = tile[t];
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
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
