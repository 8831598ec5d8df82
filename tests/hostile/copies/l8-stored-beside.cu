// lesson 8; device sim,gpu; nvcc,clang; want: fail, gate async; tries: copies, and ordinary stores of the same over them
#include <cuda_pipeline.h>
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        bool ia = row < m && k0 + tx < k, ib = k0 + ty < k && col < n;
        __pipeline_memcpy_async(&as[ty][tx], a + (ia ? row * k + k0 + tx : 0), 4, ia ? 0 : 4);
        __pipeline_memcpy_async(&bs[ty][tx], b + (ib ? (k0 + ty) * n + col : 0), 4, ib ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0); if (ia) as[ty][tx] = a[row * k + k0 + tx];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
