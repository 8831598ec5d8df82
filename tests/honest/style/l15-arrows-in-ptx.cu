// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: barrier and wait as PTX helpers, the sum's branch became a select, the mirrored range is cut to what exists
#include <cuda_pipeline.h>

__device__ __forceinline__ void everybody() { asm volatile("barrier.sync 0;" ::: "memory"); }
__device__ __forceinline__ void my_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;

    everybody();  // tile[t] and tile[t + 2] are other threads'

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];                    // @sum
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? in[i] : 0.0f;
    everybody();
    for (int distance = 128; distance > 0; distance /= 2) {
        float more = t < distance ? part[t + distance] : 0.0f;
        if (t < distance)
            part[t] += more;
        everybody();  // all threads, in every round
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;
    int count = min(256, n - first);  // of this block

    if (t < count)
        tile[count - 1 - t] = in[first + t];  // turned round here …
    everybody();
    if (t < count)
        out[n - first - count + t] = tile[t];  // … and stored in order, at the mirrored place
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
    my_copies();
    everybody();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
