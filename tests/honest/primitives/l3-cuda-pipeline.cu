// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline and cuda::memcpy_async for each element
#include <cuda/pipeline>
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            cuda::memcpy_async(&tile[ty + j][tx], &in[(row + j) * width + column], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    pipe.consumer_release();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[tx][ty + j];
}
