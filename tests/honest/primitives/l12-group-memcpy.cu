// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: cg::memcpy_async of the whole tile where it exists, guarded fill at the two ends, template over the radius
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

LAUNCH(128, 1, 512, 1)

namespace cg = cooperative_groups;

template <int RADIUS, int THREADS> struct Stencil {
    static_assert(RADIUS % 4 == 0, "chunks of the window begin at multiples of 16 bytes");
    static constexpr int OUTPUTS = 4 * THREADS, TILE = OUTPUTS + 2 * RADIUS, WINDOW = 4 + 2 * RADIUS;

    static __device__ void fill(const cg::thread_block &block, float *tile, const float *in, int n)
    {
        const int first = (int)blockIdx.x * OUTPUTS - RADIUS;
        if (first >= 0 && first + TILE <= n && ((size_t)in & 15) == 0) {  // the same for the whole block
            cg::memcpy_async(block, reinterpret_cast<float4 *>(tile), reinterpret_cast<const float4 *>(in + first),
                             cuda::aligned_size_t<16>(TILE * sizeof(float)));
            cg::wait(block);  // for the copies, and for all threads
        } else {
            for (int w = block.thread_rank(); w < TILE; w += THREADS) {
                const int i = first + w;
                tile[w] = i >= 0 && i < n ? in[i] : 0.0f;
            }
            block.sync();
        }
    }

    static __device__ float4 sums(const float *tile, int t)
    {
        float w[WINDOW];
#pragma unroll
        for (int q = 0; q < WINDOW / 4; q++)
            *reinterpret_cast<float4 *>(w + 4 * q) = reinterpret_cast<const float4 *>(tile)[t + q];
        // w[3] to w[2 RADIUS] are in all four sums: two running halves, then what each has for itself.
        float low = 0.0f, high = 0.0f;
#pragma unroll
        for (int i = 3; i < RADIUS + 2; i++)
            low += w[i];
#pragma unroll
        for (int i = RADIUS + 2; i <= 2 * RADIUS; i++)
            high += w[i];
        const float all = low + high;
        float s[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            s[j] = all;
#pragma unroll
            for (int i = j; i < 3; i++)
                s[j] += w[i];
#pragma unroll
            for (int i = 2 * RADIUS + 1; i <= 2 * RADIUS + j; i++)
                s[j] += w[i];
        }
        return make_float4(s[0], s[1], s[2], s[3]);
    }
};

__global__ void __launch_bounds__(128) stencil(float *out, const float *in, int n)
{
    using S = Stencil<8, 128>;
    __shared__ __align__(16) float tile[S::TILE];
    cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank(), i = (int)blockIdx.x * S::OUTPUTS + 4 * t;

    S::fill(block, tile, in, n);
    const float4 four = S::sums(tile, t);

    if (i + 4 <= n)
        __stcs(reinterpret_cast<float4 *>(out + i), four);
    else {
        const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = each[j];
    }
}
