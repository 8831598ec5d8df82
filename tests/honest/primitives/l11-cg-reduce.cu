// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: cooperative groups' own reduction, two rows a warp
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
LAUNCH(128, 1, 8, 1)
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int j = 0; j < 2; j++) {
        int row = blockIdx.x * 8 + warp.meta_group_rank() * 2 + j;
        if (row >= rows) return;
        float v = 0;
        for (int i = warp.thread_rank(); i < cols; i += warp.size()) v += in[row * cols + i];
        v = cg::reduce(warp, v, cg::plus<float>());
        if (warp.thread_rank() == 0) out[row] = v;
    }
}
