// lesson 8; device sim,gpu; nvcc; want: launch-error; tries: 1024 threads of 8 x 4 elements each with no launch bounds, the compiler takes more than 64 registers a thread, an SM has 65536, and such a launch fails ("too many resources requested")
#include <cuda_pipeline.h>

LAUNCH(32, 32, 128, 256)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[256][32];  // 48 KB together
    __shared__ __align__(16) float b_tile[32][128];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column0 = blockIdx.x * 128, row0 = blockIdx.y * 256;
    float sum[8][4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = ty + 32 * j;
            bool in_a = row0 + r < m && k0 + tx < k;
            __pipeline_memcpy_async(&a_tile[r][tx], a + (in_a ? (row0 + r) * k + k0 + tx : 0), 4, in_a ? 0 : 4);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int q = column0 + tx + 32 * j;
            bool in_b = k0 + ty < k && q < n;
            __pipeline_memcpy_async(&b_tile[ty][tx + 32 * j], b + (in_b ? (k0 + ty) * n + q : 0), 4, in_b ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float4 x[8];
            float y[4][4];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = *(const float4 *)&a_tile[ty * 8 + p][i];
#pragma unroll
            for (int d = 0; d < 4; d++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    y[d][q] = b_tile[i + d][tx + 32 * q];
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += x[p].x * y[0][q] + x[p].y * y[1][q] + x[p].z * y[2][q] + x[p].w * y[3][q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int row = row0 + ty * 8 + p, column = column0 + tx + 32 * q;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q];
        }
}
