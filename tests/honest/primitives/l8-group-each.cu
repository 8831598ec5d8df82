// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: each tile a group of its own, waited for in turn with two barriers
#include <cuda_pipeline.h>
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float at[32][32], bt[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        const size_t za = row < m && k0 + tx < k ? 0 : 4, zb = k0 + ty < k && col < n ? 0 : 4;
        __pipeline_memcpy_async(&at[ty][tx], za ? a : &a[row * k + k0 + tx], 4, za);
        __pipeline_commit();
        __pipeline_memcpy_async(&bt[ty][tx], zb ? b : &b[(k0 + ty) * n + col], 4, zb);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __pipeline_wait_prior(0);
        if (__syncthreads_or(0)) return;
#pragma unroll
        for (int i = 31; i >= 0; i--) sum += at[ty][i] * bt[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
