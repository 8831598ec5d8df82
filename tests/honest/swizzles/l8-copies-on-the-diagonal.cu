// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: a row's 32 copies are dealt to its lanes rotated by the row; from the last step to the first
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y, q = (tx + ty) % 32;  // copies column q, multiplies for column tx
    int row = blockIdx.y * 32 + ty, first = blockIdx.x * 32;
    float sum = 0;

    for (int k0 = (k - 1) / 32 * 32; k0 >= 0; k0 -= 32) {
        size_t no_a = row < m && k0 + q < k ? 0 : 4, no_b = k0 + ty < k && first + q < n ? 0 : 4;
        __pipeline_memcpy_async(&a_tile[ty][q], no_a ? a : a + row * k + k0 + q, 4, no_a);
        __pipeline_memcpy_async(&b_tile[ty][q], no_b ? b : b + (k0 + ty) * n + first + q, 4, no_b);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

        const float4 *mine = (const float4 *)a_tile[ty];
#pragma unroll
        for (int i = 7; i >= 0; i--) {
            float4 x = mine[i];
            sum += x.w * b_tile[4 * i + 3][tx];
            sum += x.z * b_tile[4 * i + 2][tx];
            sum += x.y * b_tile[4 * i + 1][tx];
            sum += x.x * b_tile[4 * i][tx];
        }
        __syncthreads();
    }

    if (row < m && first + tx < n)
        c[row * n + first + tx] = sum;
}
