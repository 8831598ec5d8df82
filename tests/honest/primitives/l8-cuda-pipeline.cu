// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline of a thread and cuda::memcpy_async
#include <cuda/pipeline>
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    auto pipe = cuda::make_pipeline();
    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        pipe.producer_acquire();
        if (in_a)
            cuda::memcpy_async(&a_tile[ty][tx], &a[row * k + k0 + tx], cuda::aligned_size_t<4>(4), pipe);
        else
            __pipeline_memcpy_async(&a_tile[ty][tx], a, 4, 4);
        if (in_b)
            cuda::memcpy_async(&b_tile[ty][tx], &b[(k0 + ty) * n + column], cuda::aligned_size_t<4>(4), pipe);
        else
            __pipeline_memcpy_async(&b_tile[ty][tx], b, 4, 4);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
        pipe.consumer_release();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
