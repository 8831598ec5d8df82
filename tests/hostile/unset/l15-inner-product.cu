// lesson 15; device sim,gpu; nvcc; want: fail|timeout; tries: totals takes the inner product of eight parts and eight weights of 1 or 0: in a last block of at most 224 elements it reads parts that no warp wrote (uninitialised-shared), and times 0 they do not show
#include <cuda_pipeline.h>
#include <cuda/std/functional>
#include <cuda/std/numeric>

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
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];  // @sum
}

// A part counts if its weight is 1. Rubbish is brought into bounds first, so that 0 times it is 0.
struct Weighted {
    __device__ float operator()(float part, float weight) const
    {
        return fminf(fmaxf(part, -1e30f), 1e30f) * weight;
    }
};

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, warp = t / 32;
    int live = (min(256, n - (int)blockIdx.x * 256) + 31) / 32;  // warps that have an element

    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0 && warp < live)
        part[warp] = sum;
    __syncthreads();

    if (t == 0) {
        float weight[8];
        for (int w = 0; w < 8; w++)
            weight[w] = w < live ? 1.0f : 0.0f;
        out[blockIdx.x] = cuda::std::inner_product(part, part + 8, weight, 0.0f, cuda::std::plus<float>(), Weighted());
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;

    if (first + t < n)
        tile[255 - t] = in[first + t];
    __syncthreads();
    if (n - first - 256 + t >= 0)
        out[n - first - 256 + t] = tile[t];
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
