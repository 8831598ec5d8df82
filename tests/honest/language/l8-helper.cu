// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: one function that copies an element or a zero
#include <cuda_pipeline.h>

__device__ __forceinline__ void bring(float *to, const float *from, int index, bool exists)
{
    __pipeline_memcpy_async(to, from + (exists ? index : 0), sizeof *to, exists ? 0 : sizeof *to);
}

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        bring(&a_tile[ty][tx], a, row * k + k0 + tx, row < m && k0 + tx < k);
        bring(&b_tile[ty][tx], b, (k0 + ty) * n + column, k0 + ty < k && column < n);
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
