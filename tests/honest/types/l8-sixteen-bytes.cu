// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: copies of 16 bytes where rows are aligned, of 4 elsewhere
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        int id = ty * 32 + tx, r = id % 256 / 8, q = id % 8 * 4;
        if (k % 4 == 0 && n % 4 == 0) {
            bool in_a = blockIdx.y * 32 + r < m && k0 + q < k, in_b = k0 + r < k && blockIdx.x * 32 + q < n;
            if (id < 256)
                __pipeline_memcpy_async(&a_tile[r][q], in_a ? &a[(blockIdx.y * 32 + r) * k + k0 + q] : a, 16, in_a ? 0 : 16);
            else if (id < 512)
                __pipeline_memcpy_async(&b_tile[r][q], in_b ? &b[(k0 + r) * n + blockIdx.x * 32 + q] : b, 16, in_b ? 0 : 16);
        } else {
            bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
            __pipeline_memcpy_async(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);
            __pipeline_memcpy_async(&b_tile[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 0 : 4);
        }
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
