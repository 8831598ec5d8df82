// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups' memcpy_async of the whole range that exists, zeros stored beside it, cg::wait; four outputs a thread
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    constexpr int LENGTH = 1024 + 16;
    __shared__ __align__(16) float tile[LENGTH];
    const cg::thread_block block = cg::this_thread_block();
    const int origin = blockIdx.x * 1024 - 8;
    const int from = max(origin, 0), to = min(origin + LENGTH, n);  // [from, to) exists

    cg::memcpy_async(block, tile + (from - origin), in + from, sizeof(float) * (to - from));
    for (int k = block.thread_rank(); k < LENGTH; k += block.size())
        if (origin + k < from || origin + k >= to)
            tile[k] = 0.0f;
    cg::wait(block);  // for the copies, and for one another
    block.sync();

    const float4 *quads = reinterpret_cast<const float4 *>(tile) + threadIdx.x;
    float w[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        const float4 v = quads[q];
        w[4 * q] = v.x, w[4 * q + 1] = v.y, w[4 * q + 2] = v.z, w[4 * q + 3] = v.w;
    }
    float sums[4] = {};
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int d = 0; d <= 16; d++)
            sums[j] += w[j + d];

    const int i = blockIdx.x * 1024 + 4 * threadIdx.x;
    if (i + 4 <= n)
        reinterpret_cast<float4 *>(out)[i / 4] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4 && i + j < n; j++)
            out[i + j] = sums[j];
}
