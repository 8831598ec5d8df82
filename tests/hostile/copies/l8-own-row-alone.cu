// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: after the second wait the lanes of a warp read what the other lanes of it copied of a, with no __syncwarp() or barrier since: each lane has waited for its own copy only
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

        // b goes first, in a group of its own: all warps want all of it.
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        // Row ty of a_tile is brought by warp ty, and by no other warp is it ever read.
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_commit();

        // b: wait, then the barrier, since it came by all warps. The copies of a are still under
        // way meanwhile.
        __pipeline_wait_prior(1);
        __syncthreads();
        // a: nobody else to meet.
        __pipeline_wait_prior(0);

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();  // before the next copies overwrite the tiles
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
