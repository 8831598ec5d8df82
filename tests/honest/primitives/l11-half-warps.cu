// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups: tiles of 16 lanes with a row each, cg::reduce, two sums a lane
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

LAUNCH(128, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const auto team = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * 8 + team.meta_group_rank();
    if (row >= rows)
        return;  // the whole team, and nobody else waits for it

    const float *const mine = in + static_cast<size_t>(row) * cols;
    float even = 0.0f, odd = 0.0f;
    if (cols % 4 == 0) {
        const float4 *const quads = reinterpret_cast<const float4 *>(mine);
        const int count = cols / 4;
#pragma unroll 8
        for (int i = team.thread_rank(); i < count; i += 16) {
            const float4 q = __ldg(quads + i);
            even += q.x + q.z;
            odd += q.y + q.w;
        }
    } else {
#pragma unroll 4
        for (int i = team.thread_rank(); i < cols; i += 16)
            even += __ldg(mine + i);
    }

    const float sum = cg::reduce(team, even + odd, cg::plus<float>());
    if (team.thread_rank() == 0)
        out[row] = sum;
}
