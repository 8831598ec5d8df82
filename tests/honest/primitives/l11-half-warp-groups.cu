// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: tiles of 16 lanes from cooperative groups, a row each, cg::reduce; rows past the end bring zero instead of leaving
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

LAUNCH(128, 1, 8, 1)

namespace cg = cooperative_groups;

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * 8 + threadIdx.x / 16, lane = tile.thread_rank();
    const int have = row < rows ? cols : 0;
    const float *from = in + (size_t)(row < rows ? row : 0) * cols;

    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = reinterpret_cast<const float4 *>(from);
#pragma unroll 8
        for (int i = lane; i < have / 4; i += 16) {
            const float4 q = __ldg(quads + i);
            sum += (q.x + q.z) + (q.y + q.w);
        }
    } else {
#pragma unroll 4
        for (int i = lane; i < have; i += 16)
            sum += __ldg(from + i);
    }

    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (row < rows && lane == 0)
        out[row] = sum;
}
