// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: whole tiles lie unpadded in shared memory and are read down the columns by wmma's load of an accumulator in column-major order, 8 rows of one word by 4 columns 32 words apart: four words in each of eight banks, a 4-way conflict in each read, which the lesson forbids
#include <mma.h>
using namespace nvcuda;

LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ alignas(128) float tile[32 * 32];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
    bool whole = left + 32 <= width && top + 32 <= height && height % 8 == 0;

#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = y + j;
        if (top + r < height && left + x < width)
            tile[r * 32 + (whole ? x : x ^ r)] = in[(top + r) * width + left + x];
    }
    __syncthreads();

    if (whole) {
        int c0 = y / 2 * 16, r0 = y % 2 * 16;  // a quarter of the tile for each warp
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> quarter;
        wmma::load_matrix_sync(quarter, tile + r0 * 32 + c0, 32, wmma::mem_col_major);
        wmma::store_matrix_sync(out + (left + c0) * height + top + r0, quarter, height, wmma::mem_row_major);
    } else {
        for (int j = 0; j < 32; j += 4) {
            int c = y + j;
            if (left + c < width && top + x < height)
                out[(left + c) * height + top + x] = tile[x * 32 + (c ^ x)];
        }
    }
}
