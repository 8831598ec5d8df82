// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline of a thread, memcpy_async of single floats into rows of 33
#include <cuda/pipeline>
#include <cooperative_groups.h>
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto pipe = cuda::make_pipeline();
    const int tx = threadIdx.x, ty = threadIdx.y;
    pipe.producer_acquire();
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int r = blockIdx.y * 32 + ty + j, c = blockIdx.x * 32 + tx;
        if (r < height && c < width)
            cuda::memcpy_async(&tile[ty + j][tx], in + r * width + c, cuda::aligned_size_t<4>(4), pipe);
    }
    pipe.producer_commit();
    pipe.consumer_wait();
    cooperative_groups::this_thread_block().sync();
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int r = blockIdx.x * 32 + ty + j, c = blockIdx.y * 32 + tx;
        if (r < width && c < height)
            out[r * height + c] = tile[tx][ty + j];
    }
    pipe.consumer_release();
}
