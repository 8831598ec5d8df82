// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline of a thread brings both tiles
#include <cuda/pipeline>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    auto pipe = cuda::make_pipeline();
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        pipe.producer_acquire();
        if (row < m && k0 + tx < k)
            cuda::memcpy_async(&a_tile[ty][tx], a + row * k + k0 + tx, sizeof(float), pipe);
        else
            a_tile[ty][tx] = 0;
        if (k0 + ty < k && column < n)
            cuda::memcpy_async(&b_tile[ty][tx], b + (k0 + ty) * n + column, sizeof(float), pipe);
        else
            b_tile[ty][tx] = 0;
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        pipe.consumer_release();
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
