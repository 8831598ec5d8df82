// lesson 11; device sim,gpu; nvcc; want: full; tries: cg tile of 64 threads (two warps) with block_tile_memory and cg::reduce, a row for each
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
LAUNCH(256, 1, 4, 1)
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ cg::block_tile_memory<256> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<64>(block);
    const int row = blockIdx.x * 4 + tile.meta_group_rank();
    if (row >= rows) return;
    const float *p = in + (size_t)row * cols;
    float s = 0.0f;
    if (cols % 4 == 0)
        for (int i = tile.thread_rank(); i < cols / 4; i += tile.num_threads()) {
            float4 q = ((const float4 *)p)[i];
            s += q.x + q.y + q.z + q.w;
        }
    else
        for (int i = tile.thread_rank(); i < cols; i += tile.num_threads()) s += p[i];
    s = cg::reduce(tile, s, cg::plus<float>());
    if (tile.thread_rank() == 0) out[row] = s;
}
