// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: sixteen lanes a row, cg::reduce, rows that may end early
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
LAUNCH(256, 1, 16, 1)
namespace cg = cooperative_groups;
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto lanes = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * 16 + lanes.meta_group_rank();
    float sum = 0.0f;
    if (row < rows)
        for (int i = lanes.thread_rank(); i < cols; i += lanes.size())
            sum += in[(size_t)row * cols + i];
    sum = cg::reduce(lanes, sum, cg::plus<float>());
    if (row < rows && lanes.thread_rank() == 0)
        out[row] = sum;
}
