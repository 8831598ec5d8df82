// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: each half warp turns a tile of 16 x 16 of its own and meets as a cooperative group of 16 only, nobody outside the half touches its tile, so no block barrier is needed, 16 neighbours are two whole sectors on both sides, and where the edge cuts, the halves of a warp take different numbers of turns, which a group of 16 allows
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
LAUNCH(16, 16, 64, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[16][16][17];
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    int x = half.thread_rank(), h = threadIdx.y;
    float (*tile)[17] = tiles[h];

    int column0 = blockIdx.x * 64 + h % 4 * 16, row0 = blockIdx.y * 64 + h / 4 * 16;
    int columns = min(16, width - column0), rows = min(16, height - row0);  // may be negative

#pragma unroll 16
    for (int r = 0; r < rows; r++)
        if (x < columns)
            tile[r][x] = in[(row0 + r) * width + column0 + x];

    half.sync();

#pragma unroll 16
    for (int c = 0; c < columns; c++)
        if (x < rows)
            out[(column0 + c) * height + row0 + x] = tile[x][c];
}
