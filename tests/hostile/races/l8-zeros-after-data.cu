// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: past the edges a copy of a wrong number and a copy of zeros go to the same place in one group: two asynchronous copies have no order, so either may be there last
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        // First something for everybody, from the nearest place inside the matrix ...
        __pipeline_memcpy_async(&a_tile[ty][tx], &a[min(row, m - 1) * k + min(k0 + tx, k - 1)], 4);
        __pipeline_memcpy_async(&b_tile[ty][tx], &b[min(k0 + ty, k - 1) * n + min(column, n - 1)], 4);
        // ... and zeros over it where it should not be.
        if (row >= m || k0 + tx >= k)
            __pipeline_memcpy_async(&a_tile[ty][tx], a, 4, 4);
        if (k0 + ty >= k || column >= n)
            __pipeline_memcpy_async(&b_tile[ty][tx], b, 4, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
