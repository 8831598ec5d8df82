// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: neighbours with early return behind the barrier, totals by a recursive template tree with a barrier in each step for all, reverse turned on the way out, differences by one copy functor with wait and barrier; all right for every n from 1
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ struct { float left, own[256], right; } tile;
    const int t = threadIdx.x;
    const long long i = blockIdx.x * 256ll + t;

    tile.own[t] = i < n ? in[i] : 0.0f;
    switch (t) {
    case 0: tile.left = i > 0 ? in[i - 1] : 0.0f; break;
    case 255: tile.right = i + 1 < n ? in[i + 1] : 0.0f; break;
    }
    __syncthreads();
    if (i >= n)
        return;
    const float before = t == 0 ? tile.left : tile.own[t - 1];
    const float after = t == 255 ? tile.right : tile.own[t + 1];
    out[i] = before + tile.own[t] + after;
}

template <int Distance> __device__ void tree(float *part, int t)
{
    if (t < Distance)
        part[t] += part[t + Distance];
    __syncthreads();
    if constexpr (Distance > 1)
        tree<Distance / 2>(part, t);
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    tree<128>(part, t);
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    const int t = threadIdx.x, first = blockIdx.x * 256;
    const int count = min(256, n - first);  // what this block has

    if (t < count)
        tile[t] = in[first + t];
    __syncthreads();
    if (t < count)
        out[n - first - count + t] = tile[count - 1 - t];
}

struct CopyOne {
    const float *from;
    int count;
    __device__ void operator()(float *to, int i) const
    {
        const bool exists = i >= 0 && i < count;
        __pipeline_memcpy_async(to, exists ? from + i : from, 4, exists ? 0 : 4);
    }
};

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    const CopyOne copy{in, n};
    const int t = threadIdx.x, first = blockIdx.x * 256 - 1;  // tile[e] is in[first + e]
    for (int e = t; e < 257; e += 256)
        copy(&tile[e], first + e);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (first + 1 + t < n)
        out[first + 1 + t] = tile[t + 1] - tile[t];
}
