// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: filled by asynchronous copies, swizzled
#include <cuda_pipeline_primitives.h>
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ unsigned tile[32 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            __pipeline_memcpy_async(&tile[(ty + j) << 5 | (tx ^ (ty + j))], &in[(row + j) * width + column], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = __uint_as_float(tile[tx << 5 | ((ty + j) ^ tx)]);
}
