// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: cg::reduce in a tile of 32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * 8 + tile.meta_group_rank();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = tile.thread_rank(); i < cols; i += 32)
        sum += in[(size_t)row * cols + i];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0)
        out[row] = sum;
}
