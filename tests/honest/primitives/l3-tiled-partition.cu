// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: cooperative groups: warps of 32 and barrier_arrive with barrier_wait
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

LAUNCH(256, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int lane = warp.thread_rank(), first = warp.meta_group_rank();
    for (int y = first; y < 32; y += warp.meta_group_size())
        if (blockIdx.y * 32 + y < height && blockIdx.x * 32 + lane < width)
            tile[y][lane] = in[(blockIdx.y * 32 + y) * width + blockIdx.x * 32 + lane];
    cg::sync(block);
    for (int y = first; y < 32; y += warp.meta_group_size())
        if (blockIdx.x * 32 + y < width && blockIdx.y * 32 + lane < height)
            out[(blockIdx.x * 32 + y) * height + blockIdx.y * 32 + lane] = tile[lane][y];
}
