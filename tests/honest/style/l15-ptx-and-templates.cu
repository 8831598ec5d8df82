// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: a named barrier of all 256 threads, a tree by templates, a guarded mirror, copies that arrive at an mbarrier
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

    // All 256 threads come here, also those that have nothing to store.
    asm volatile("barrier.cta.sync.aligned 5, 256;" ::: "memory");

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];                    // @sum
}

// Halves the number of sums; the last five rounds are one warp's.
template <int DISTANCE>
__device__ __forceinline__ void fold(float *part, int t)
{
    if constexpr (DISTANCE >= 32) {
        if (t < DISTANCE)
            part[t] += part[t + DISTANCE];
        __syncthreads();
        fold<DISTANCE / 2>(part, t);
    } else if constexpr (DISTANCE > 0) {
        if (t < DISTANCE)
            part[t] += part[t + DISTANCE];
        __syncwarp();
        fold<DISTANCE / 2>(part, t);
    }
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    fold<128>(part, t);
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;

    const int have = min(256, n - first);  // elements of this block; 1 at least
    if (t < have)
        tile[have - 1 - t] = in[first + t];
    __syncthreads();
    if (t < have)
        out[n - first - have + t] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    __shared__ __align__(8) unsigned long long arrived;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&arrived);

    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" :: "r"(bar) : "memory");
    __syncthreads();

    if (i < n)
        __pipeline_memcpy_async(&tile[t + 1], &in[i], 4);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    // When all copies of this thread so far have come, it has arrived: one of the 256.
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(bar) : "memory");

    unsigned over = 0;
    while (!over)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(bar) : "memory");

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
