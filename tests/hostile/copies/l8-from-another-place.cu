// lesson 8; device sim,gpu; nvcc,clang; want: fail, gate async; tries: copies bring data to another array, stores take them to the tiles
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32], a_in[32][32], b_in[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        __pipeline_memcpy_async(&a_in[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&b_in[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        a_tile[ty][tx] = a_in[ty][tx ^ 0];
        b_tile[ty][tx] = b_in[ty][tx];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
