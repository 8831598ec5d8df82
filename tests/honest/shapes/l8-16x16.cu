// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: 16 x 16 threads with 2 x 2 elements each
#include <cuda_pipeline.h>
LAUNCH(16, 16, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int id = threadIdx.y * 16 + threadIdx.x, x = blockIdx.x * 32, y = blockIdx.y * 32;
    int r0 = threadIdx.y * 2, q0 = threadIdx.x * 2;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int e = id; e < 1024; e += 256) {
            int r = e / 32, q = e % 32;
            bool in_a = y + r < m && k0 + q < k, in_b = k0 + r < k && x + q < n;
            __pipeline_memcpy_async(&a_tile[r][q], a + (in_a ? (y + r) * k + k0 + q : 0), 4, in_a ? 0 : 4);
            __pipeline_memcpy_async(&b_tile[r][q], b + (in_b ? (k0 + r) * n + x + q : 0), 4, in_b ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float u = a_tile[r0][i], v = a_tile[r0 + 1][i], p = b_tile[i][q0], q = b_tile[i][q0 + 1];
            s00 += u * p;
            s01 += u * q;
            s10 += v * p;
            s11 += v * q;
        }
        __syncthreads();
    }
    if (y + r0 < m && x + q0 < n) c[(y + r0) * n + x + q0] = s00;
    if (y + r0 < m && x + q0 + 1 < n) c[(y + r0) * n + x + q0 + 1] = s01;
    if (y + r0 + 1 < m && x + q0 < n) c[(y + r0 + 1) * n + x + q0] = s10;
    if (y + r0 + 1 < m && x + q0 + 1 < n) c[(y + r0 + 1) * n + x + q0 + 1] = s11;
}
