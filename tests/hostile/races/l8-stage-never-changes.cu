// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the second barrier is left out since there are two places, but the place is k0 / 16 % 2 with k0 a multiple of 32, so always 0: for every k > 32 a fast warp's copies overwrite tiles that slow warps still read.
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[2][32][32], b_tile[2][32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        int place = k0 / 16 % 2;  // the tiles take turns
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;

        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[place][ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[place][ty][tx], from_b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[place][ty][i] * b_tile[place][i][tx];  // @multiply
        // No second barrier: the next step has the other place, and the barrier of the next
        // step keeps the one after it from coming back here too early.
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
