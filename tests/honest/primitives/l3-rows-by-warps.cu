// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups: each warp copies a row asynchronously
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
LAUNCH(32, 8, 32, 32)
namespace cg = cooperative_groups;
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, have = min(32, width - x0);
    for (int r = threadIdx.y; r < 32 && y0 + r < height; r += 8)
        cg::memcpy_async(warp, tile[r], in + (y0 + r) * width + x0, sizeof(float) * have);
    cg::wait(warp);
    block.sync();
    for (int r = threadIdx.y; r < 32; r += 8)
        if (x0 + r < width && y0 + (int)threadIdx.x < height)
            out[(x0 + r) * height + y0 + threadIdx.x] = tile[threadIdx.x][r];
}
