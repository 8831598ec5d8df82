// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: bar.red, templates that halve a type, named barriers of pairs of warps, copies that arrive by themselves
// 15 debug clinic, each kernel mended with another kind of meeting.
#include <cuda_pipeline.h>

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

// A run of floats whose first index is -1.
template <int N>
struct WithMargins {
    float word[N + 2];
    __device__ float &operator[](int i) { return word[i + 1]; }
};

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ WithMargins<256> tile;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    tile[t] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[-1] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[256] = i + 1 < n ? in[i + 1] : 0.0f;

    // A barrier that also counts: how many of the block's elements exist?
    int have = __syncthreads_count(i < n);

    if (t < have)
        out[i] = tile[t - 1] + tile[t] + tile[t + 1];
}

// The tree: a level is a type, and each has its barrier for all 256 threads, until a warp is left.
template <int DISTANCE>
struct Level {
    __device__ static float down(float *part, int t)
    {
        if (t < DISTANCE)
            part[t] += part[t + DISTANCE];
        __syncthreads();
        return Level<DISTANCE / 2>::down(part, t);
    }
};
template <>
struct Level<16> {
    __device__ static float down(float *part, int t)
    {
        if (t >= 32)
            return 0.0f;
        float mine = part[t];
#pragma unroll
        for (int distance = 16; distance; distance >>= 1)
            mine += __shfl_xor_sync(0xffffffffu, mine, distance);
        return mine;
    }
};

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    float sum = Level<128>::down(part, t);
    if (t == 0)
        out[blockIdx.x] = sum;
}

// Warp w wants what warp 7 - w has brought, and the other way round: four pairs, each with a barrier of
// its own for 64 threads.
__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256, warp = t / 32;

    if (first + t < n)
        tile[255 - t] = in[first + t];
    int pair = warp < 4 ? warp : 7 - warp;
    asm volatile("bar.sync %0, 64;" :: "r"(pair + 1) : "memory");
    int to = n - first - 256 + t;
    if (to >= 0)
        out[to] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    __shared__ __align__(8) unsigned long long arrived;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" :: "r"(SHARED(&arrived)) : "memory");
    __syncthreads();

    if (i < n)
        __pipeline_memcpy_async(&tile[t + 1], &in[i], 4);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);

    // Each thread's copies arrive for it, once they are there. Who waits for the barrier has waited for all.
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(SHARED(&arrived)) : "memory");
    unsigned over = 0;
    while (!over)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over) : "r"(SHARED(&arrived)) : "memory");

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
