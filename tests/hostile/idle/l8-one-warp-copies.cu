// lesson 8; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: one warp of eight issues every copy of both tiles while the other seven have nothing to do but wait at the barrier; what all warps read later hides it
#include <cuda_pipeline.h>

LAUNCH(32, 8, 32, 32)

__device__ void copy4(float *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async(to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
        if (ty == 0) {
            for (int j = 0; j < 8; j++) {
                int y = j * 4 + tx / 8, x = tx % 8 * 4;
                copy4(&a_tile[y][x], a, (row0 + y) * k + k0 + x, row0 + y < m ? k - k0 - x : 0, k % 4 == 0);
                copy4(&b_tile[y][x], b, (k0 + y) * n + column0 + x, k0 + y < k ? n - column0 - x : 0, n % 4 == 0);
            }
            __pipeline_commit();
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += a_tile[ty + j * 8][i] * b_tile[i][tx];
        __syncthreads();
    }

    for (int j = 0; j < 4; j++)
        if (row + j * 8 < m && column < n)
            c[(row + j * 8) * n + column] = sum[j];
}
