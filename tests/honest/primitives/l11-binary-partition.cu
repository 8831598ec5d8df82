// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: even and odd lanes are two groups of a binary_partition, each reduces, one shuffle joins them
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

LAUNCH(256, 1, 8, 1)

namespace cg = cooperative_groups;

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows)
        return;
    const float *from = in + (long long)row * cols;

    float sum = 0;
    if (cols % 4 == 0) {
        auto quads = reinterpret_cast<const float4 *>(from);
#pragma unroll 4
        for (int i = warp.thread_rank(); i < cols / 4; i += warp.num_threads()) {
            float4 q = quads[i];
            sum += q.x + q.y + (q.z + q.w);
        }
    } else
        for (int i = warp.thread_rank(); i < cols; i += warp.num_threads())
            sum += from[i];

    // Lanes 0, 2, 4 … and lanes 1, 3, 5 …: each half is a group of 16 with its own reduction.
    bool odd = warp.thread_rank() % 2 != 0;
    auto half = cg::binary_partition(warp, odd);
    float part = cg::reduce(half, sum, cg::plus<float>());
    warp.sync();
    float other = warp.shfl_xor(part, 1);
    if (warp.thread_rank() == 0)
        out[row] = part + other;
}
