// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: four warps of 32 x 4 threads, eight rows of c for each thread and eight copies of each tile, guards, wait, both barriers are the solution's, and a word of b serves eight products
#include <cuda_pipeline.h>

LAUNCH(32, 4, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
    float sum[8] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = ty + 4 * j;
            bool in_a = row0 + r < m && k0 + tx < k, in_b = k0 + r < k && column < n;
            __pipeline_memcpy_async(&a_tile[r][tx], a + (in_a ? (row0 + r) * k + k0 + tx : 0), 4, in_a ? 0 : 4);
            __pipeline_memcpy_async(&b_tile[r][tx], b + (in_b ? (k0 + r) * n + column : 0), 4, in_b ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float y0 = b_tile[i][tx], y1 = b_tile[i + 1][tx];
            float y2 = b_tile[i + 2][tx], y3 = b_tile[i + 3][tx];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                float4 x = *(const float4 *)&a_tile[ty * 8 + p][i];
                sum[p] += x.x * y0 + x.y * y1 + x.z * y2 + x.w * y3;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
        if (row0 + ty * 8 + p < m && column < n)
            c[(row0 + ty * 8 + p) * n + column] = sum[p];
}
