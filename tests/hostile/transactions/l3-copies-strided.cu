// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate reads; tries: strided reads by asynchronous copies, so that the tile leaves row by row
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &in[row * width + column], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (row < height && column < width)
        out[column * height + row] = tile[threadIdx.y][threadIdx.x];
}
