// lesson 4; device sim; nvcc,clang; want: full; tries: each warp brings whole rows by cooperative_groups::memcpy_async into rows of 33 words
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

LAUNCH(128, 1, 32, 32)

namespace cg = cooperative_groups;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) float tile[32][33];

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int columns = min(32, width - x0), rows = min(32, height - y0);
    int lane = warp.thread_rank();

    // A row is one copy of up to 128 bytes, shared out among the lanes by the library. A row of the tile
    // begins at a multiple of 4 bytes only, and the library finds out how wide the pieces may be.
    for (int r = warp.meta_group_rank(); r < rows; r += warp.meta_group_size())
        cg::memcpy_async(warp, tile[r], in + (y0 + r) * width + x0, sizeof(float) * columns);
    cg::wait(warp);
    block.sync();

    for (int c = warp.meta_group_rank(); c < columns; c += warp.meta_group_size())
        if (lane < rows)
            out[(x0 + c) * height + y0 + lane] = tile[lane][c];
}
