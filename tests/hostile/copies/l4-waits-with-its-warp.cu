// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cooperative groups' wait of a warp waits for that warp's copies and synchronises the warp, but the column that is read was brought by all eight warps: no barrier of the block between filling and reading, all sizes with more than one row
// 04 padding: rows come by memcpy_async of cooperative groups, a warp for each.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());

    int column0 = blockIdx.x * 32, row = blockIdx.y * 32 + threadIdx.y;
    int columns = min(32, width - column0);
    for (int j = 0; j < 32; j += 8)
        if (row + j < height)
            cg::memcpy_async(warp, tile[threadIdx.y + j], in + (size_t)(row + j) * width + column0, columns * sizeof(float));

    // Waits for the copies and for all who made them.
    cg::wait(warp);

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(size_t)(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
