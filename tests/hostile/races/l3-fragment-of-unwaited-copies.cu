// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: the tile comes by cp.async, and only blocks at the edge wait for it; whole tiles are taken as fragments (wmma) behind a barrier, which waits for threads and not for copies: what the fragment loads may not have arrived
#include <cuda_pipeline.h>
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
            __pipeline_memcpy_async(&tile[r * pitch + x], &in[(top + r) * width + left + x], 4);
    }
    __pipeline_commit();
    bool whole = left + 32 <= width && top + 32 <= height && height % 8 == 0;
    if (!whole)
        __pipeline_wait_prior(0);
    __syncthreads();

    if (whole) {
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
