// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: each of four warps loads a quarter of the tile by rows as an accumulator fragment (wmma, nothing is multiplied) and stores it to shared memory column by column; after the barrier every warp takes rows that all four have filled; edges the plain way; right, coalesced, through the tile
#include <mma.h>
using namespace nvcuda;

LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr int pitch = 36;
    __shared__ alignas(128) float turned[32 * pitch];  // (r, c) at turned[c * pitch + r]
    const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;

    if (left + 32 <= width && top + 32 <= height && width % 8 == 0) {
        const int r0 = y / 2 * 16, c0 = y % 2 * 16;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> quarter;
        wmma::load_matrix_sync(quarter, in + (top + r0) * width + left + c0, width, wmma::mem_row_major);
        wmma::store_matrix_sync(turned + c0 * pitch + r0, quarter, pitch, wmma::mem_col_major);
    } else {
        for (int r = y; r < 32; r += 4)
            if (top + r < height && left + x < width)
                turned[x * pitch + r] = in[(top + r) * width + left + x];
    }
    __syncthreads();

#pragma unroll
    for (int c = y; c < 32; c += 4)
        if (left + c < width && top + x < height)
            out[(left + c) * height + top + x] = turned[c * pitch + x];
}
