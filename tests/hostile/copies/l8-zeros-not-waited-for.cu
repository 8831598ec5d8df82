// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: threads whose two copies only write zeros skip the wait, but such copies are under way like any others, and their zeros are multiplied (columns of a past k times rows of b); wherever a tile is not full in both: m, n or k no multiple of 32
// 08 cp.async: only those who fetched something wait for it.
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);
        __pipeline_commit();

        // Zeros do not come from memory, so there is nothing to wait for.
        if (in_a || in_b)
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
