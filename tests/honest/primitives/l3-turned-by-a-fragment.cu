// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: all warps fill a tile in shared memory by rows; after the barrier each of four warps takes a quarter of it down the columns as an accumulator fragment (wmma, nothing is multiplied) and stores it by rows of out; rows of 36 words: no conflicts; edges by the plain way; right and coalesced, all data go through the tile
#include <mma.h>
using namespace nvcuda;

LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr int pitch = 36;
    __shared__ alignas(128) float tile[32 * pitch];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = y + j;
        if (top + r < height && left + x < width)
            tile[r * pitch + x] = in[(top + r) * width + left + x];
    }
    __syncthreads();

    if (left + 32 <= width && top + 32 <= height && height % 8 == 0) {
        int c0 = y / 2 * 16, r0 = y % 2 * 16;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> quarter;
        wmma::load_matrix_sync(quarter, tile + r0 * pitch + c0, pitch, wmma::mem_col_major);
        wmma::store_matrix_sync(out + (left + c0) * height + top + r0, quarter, height, wmma::mem_row_major);
    } else {
#pragma unroll
        for (int j = 0; j < 32; j += 4) {
            int c = y + j;
            if (left + c < width && top + x < height)
                out[(left + c) * height + top + x] = tile[x * pitch + c];
        }
    }
}
