// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate overlap; tries: each tile is waited for at once, while copies of junk are under way
#include <cuda_pipeline.h>
LAUNCH(16, 16, 64, 64)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16], b_tile[16][64], junk[256];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int r = id / 4, i = id % 4 * 4 + j;
            bool in_a = row0 + r < m && k0 + i < k;
            __pipeline_memcpy_async(&a_tile[r][i], in_a ? a + (row0 + r) * k + k0 + i : a, 4, in_a ? 0 : 4);
            r = id / 16, i = id % 16 * 4 + j;
            bool in_b = k0 + r < k && column0 + i < n;
            __pipeline_memcpy_async(&b_tile[r][i], in_b ? b + (k0 + r) * n + column0 + i : b, 4, in_b ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_memcpy_async(&junk[id], a, 4, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = a_tile[r0 + j][i], y[j] = b_tile[i][q0 + j];
#pragma unroll
            for (int e = 0; e < 16; e++)
                sum[e / 4][e % 4] += x[e / 4] * y[e % 4];
        }
        __syncthreads();
    }
    __pipeline_wait_prior(0);
#pragma unroll
    for (int e = 0; e < 16; e++)
        if (row0 + r0 + e / 4 < m && column0 + q0 + e % 4 < n)
            c[(row0 + r0 + e / 4) * n + column0 + q0 + e % 4] = sum[e / 4][e % 4];
}
