// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: neighbours by arrive/wait tokens, totals by a Hillis-Steele scan, reverse through a union of words, differences by cuda::barrier
#include <cuda/barrier>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using barrier_t = cuda::barrier<cuda::thread_scope_block>;

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 2];
    auto g = cg::this_thread_block();
    const int t = g.thread_rank(), first = blockIdx.x * 256;
    for (int j = t; j < 258; j += 256) {
        int i = first + j - 1;
        tile[j] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    auto token = g.barrier_arrive();
    float *to = out + first + t;
    g.barrier_wait(std::move(token));
    if (first + t < n) *to = tile[t] + tile[t + 1] + tile[t + 2];
}
__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float scan[2][256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int now = 0;
    scan[0][t] = i < n ? in[i] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 1; d < 256; d <<= 1) {
        float v = scan[now][t];
        if (t >= d) v += scan[now][t - d];
        now ^= 1;
        scan[now][t] = v;
        __syncthreads();
    }
    if (t == 255) out[blockIdx.x] = scan[now][255];
}
__global__ void reverse(float *out, const float *in, int n)
{
    union Word { float f; unsigned u; };
    __shared__ Word tile[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) tile[t].f = in[i];
    __syncthreads();
    const int mine = blockIdx.x * 256 + (255 ^ t);
    if (mine < n) out[n - 1 - mine] = __uint_as_float(tile[255 ^ t].u);
}
__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    __shared__ alignas(barrier_t) char raw[sizeof(barrier_t)];
    barrier_t &bar = *reinterpret_cast<barrier_t *>(raw);
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t == 0) { init(&bar, blockDim.x); tile[0] = 0.0f; }
    __syncthreads();
    if (i < n) cuda::memcpy_async(tile + t + 1, in + i, cuda::aligned_size_t<4>(4), bar);
    if (t == 0 && i > 0) cuda::memcpy_async(tile, in + i - 1, cuda::aligned_size_t<4>(4), bar);
    barrier_t::arrival_token tok = bar.arrive();
    bar.wait(std::move(tok));
    if (i < n) out[i] = tile[t + 1] - tile[t];
}
