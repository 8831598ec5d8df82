// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: any row by float4: single floats up to the first multiple of 16 bytes and behind the last; cg::reduce at the end; eight warps, blocks stride over the rows; a comment in Spanish
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

LAUNCH(256, 1, 8, 1)

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(256) row_sums(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned lane = warp.thread_rank();

    for (int row = blockIdx.x * 8 + warp.meta_group_rank(); row < rows; row += gridDim.x * 8) {
        const float *from = in + (long long)row * cols;
        const float *const end = from + cols;
        float sum = 0.f;

        // De 0 a 3 números delante, hasta el primer múltiplo de 16 bytes. Una fila puede acabar antes.
        const unsigned in_front = min((unsigned)(-(long long)from >> 2 & 3), (unsigned)cols);
        if (lane < in_front)
            sum += from[lane];
        from += in_front;

        const int quads = (int)(end - from) / 4;
        const float4 *q = (const float4 *)from;
#pragma unroll 4
        for (int i = lane; i < quads; i += 32) {
            const float4 v = q[i];
            sum += (v.x + v.y) + (v.z + v.w);
        }
        from += 4 * quads;

        if (from + lane < end)
            sum += from[lane];

        sum = cg::reduce(warp, sum, cg::plus<float>());
        if (lane == 0)
            out[row] = sum;
    }
}
