// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: each warp turns a tile of its own, and the lanes that have a column wait for each other by coalesced_threads().sync() inside the guard; lanes without a column wait for nobody, and then take what the others stored: a race in every partial tile
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(32, 4, 32, 128)  // four warps, a tile each, one below the other

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[4][32][32];
    float (*tile)[32] = tiles[threadIdx.y];

    int lane = threadIdx.x;
    int column = blockIdx.x * 32 + lane;
    int row0 = blockIdx.y * 128 + threadIdx.y * 32;

    if (column < width) {
        for (int r = 0; r < 32; r++)
            if (row0 + r < height)
                tile[r][lane] = in[(row0 + r) * width + column];
        cg::coalesced_threads().sync();
    }

    int out_column = row0 + lane;
    if (out_column < height)
        for (int c = 0; c < 32; c++) {
            int out_row = blockIdx.x * 32 + c;
            if (out_row < width)
                out[out_row * height + out_column] = tile[lane][c];
        }
}
