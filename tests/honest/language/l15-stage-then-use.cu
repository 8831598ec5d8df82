// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: one pattern for all: stage(tile, how) brings and meets; what is used comes after it
#include <cuda_pipeline.h>

// Runs `bring` in every thread of the block, whatever it has to bring, and lets nobody go on before all have.
template <class Bring>
__device__ void stage(Bring bring)
{
    bring();
    __pipeline_commit();
    __pipeline_wait_prior(0);  // one's own copies; there may be none
    __syncthreads();
}

// Half of what is left is added to the other half, until one is left. All threads go along all the way down.
template <int LEFT>
struct Tree {
    static __device__ void add(float *part)
    {
        const int t = threadIdx.x;
        if (t < LEFT)
            part[t] += part[t + LEFT];
        __syncthreads();
        Tree<LEFT / 2>::add(part);
    }
};

template <>
struct Tree<0> {
    static __device__ void add(float *) {}
};

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    const int t = threadIdx.x, first = blockIdx.x * 256;

    stage([&] {
        for (int k = t; k < 258; k += 256) {
            const int i = first - 1 + k;
            tile[k] = i >= 0 && i < n ? in[i] : 0.0f;
        }
    });
    if (first + t < n)
        out[first + t] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    stage([&] { part[t] = i < n ? in[i] : 0.0f; });
    Tree<128>::add(part);
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    const int t = threadIdx.x, first = blockIdx.x * 256, to = n - first - 256 + t;

    // Beyond the end the last element is brought once more, to places that nobody stores.
    stage([&] { tile[255 - t] = in[min(first + t, n - 1)]; });
    if (to >= 0)
        out[to] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    stage([&] {
        if (i < n)
            __pipeline_memcpy_async(&tile[t + 1], &in[i], sizeof(float));
        if (t == 0)
            __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, sizeof(float), i > 0 ? 0 : sizeof(float));
    });
    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
