// lesson 8; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with braces and parentheses more
// 08 cp.async: from global to shared memory without a register in between.
//
// Contract: c = a b; a is m x k, b is k x n, c is m x n, any positive sizes. All elements
// of a and b reach shared memory through asynchronous copies:
//   __pipeline_memcpy_async(to, from, bytes, zeros)   issue: bytes is 4, 8 or 16; the last
//                                                     `zeros` of them are not read but set
//                                                     to 0 (leave it out for none)
//   __pipeline_commit()                               close the group of copies issued
//                                                     since the last commit
//   __pipeline_wait_prior(g)                          wait until at most the g latest
//                                                     groups are still under way
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

        // TODO: each of these lines loads a float into a register and stores it to the
        //       tile. Replace them with asynchronous copies. A copy that has been issued is
        //       not a copy that has arrived: who may read its data, and when? What if the
        //       element does not exist?
        a_tile[ty][tx] = in_a ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = in_b ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            { sum = (sum + (a_tile[ty][i] * b_tile[i][tx])); }
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
