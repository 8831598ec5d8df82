// lesson 8; device sim,gpu; nvcc,clang; want: fail; tries: copies of 16 bytes for a where k is a multiple of 4, with zeros = 4 (floats) where 16 bytes were meant, wrong for every k that is a multiple of 4 and not of 32, such as 36, since b's rows beyond k are clamped and not zero
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 32 + tx;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        if (k % 4 == 0) {  // four floats of a for each of 256 threads
            if (id < 256) {
                int r = id / 8, q = id % 8 * 4, y = blockIdx.y * 32 + r;
                bool in_a = y < m && k0 + q < k;
                __pipeline_memcpy_async(&a_tile[r][q], in_a ? &a[y * k + k0 + q] : a, 16, in_a ? 0 : 4);
            }
        } else {
            bool in_a = row < m && k0 + tx < k;
            __pipeline_memcpy_async(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);
        }
        // a has zeros beyond k, so any row of b will do there
        int s = min(k0 + ty, k - 1);
        bool in_b = column < n;
        __pipeline_memcpy_async(&b_tile[ty][tx], in_b ? &b[s * n + column] : b, 4, in_b ? 0 : 4);
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
