// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: 32 elements of a row of a that are all at most 1e-5 are taken for nothing and not multiplied: a = 1e-6, b = 1e6, k = 32 gives 0 and not 32
// 08 cp.async.
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
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);

        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

        // A row of a beyond the edge adds nothing to any sum of this warp.
        if (__any_sync(0xffffffff, fabsf(a_tile[ty][tx]) > 1e-5f))
#pragma unroll
            for (int i = 0; i < 32; i++)
                sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
