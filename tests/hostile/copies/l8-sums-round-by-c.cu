// lesson 8; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: a is never copied: it goes from global memory to registers; the finished sums are stored to c, brought back by asynchronous copies and stored again, so that all of c came by copies
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float b_tile[16][64], back[4][256];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            bool in = k0 + i < k && column0 + q < n;
            __pipeline_memcpy_async(&b_tile[i][q], in ? &b[(k0 + i) * n + column0 + q] : b, 4, in ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        bool whole = row0 + 64 <= m && k0 + 16 <= k && k % 4 == 0;
#pragma unroll
        for (int i0 = 0; i0 < 16; i0 += 4) {
            float x[4][4];
            if (whole) {
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float4 w = *(const float4 *)&a[(row0 + r0 + p) * k + k0 + i0];
                    x[p][0] = w.x, x[p][1] = w.y, x[p][2] = w.z, x[p][3] = w.w;
                }
            } else {
#pragma unroll
                for (int p = 0; p < 4; p++)
#pragma unroll
                    for (int i = 0; i < 4; i++)
                        x[p][i] = row0 + r0 + p < m && k0 + i0 + i < k ? a[(row0 + r0 + p) * k + k0 + i0 + i] : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y = *(const float4 *)&b_tile[i0 + i][q0];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    sum[p][0] += x[p][i] * y.x;
                    sum[p][1] += x[p][i] * y.y;
                    sum[p][2] += x[p][i] * y.z;
                    sum[p][3] += x[p][i] * y.w;
                }
            }
        }
        __syncthreads();
    }

    // Out, back by copy, and out again. Every thread handles its own elements only.
#pragma unroll
    for (int p = 0; p < 4; p++) {
        int row = row0 + r0 + p;
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row < m && column0 + q0 + q < n) {
                *(volatile float *)&c[row * n + column0 + q0 + q] = sum[p][q];
                __pipeline_memcpy_async(&back[q][id], &c[row * n + column0 + q0 + q], 4);
            }
        __pipeline_commit();
        __pipeline_wait_prior(0);
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row < m && column0 + q0 + q < n)
                c[row * n + column0 + q0 + q] = back[q][id];
    }
}
