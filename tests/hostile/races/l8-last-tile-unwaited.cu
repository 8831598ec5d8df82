// lesson 8; device sim,gpu; nvcc,clang; want: fail, gate hazards, diagnosis no-wait; tries: for the last of several tiles nobody waits
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

        // Issue. `zeros` = 4 sets the whole float to 0 and reads nothing; the address is
        // then not used, but it should not point outside the matrix either, so it is the
        // first element's.
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);

        // Commit, wait, barrier, in this order. The wait is for this thread's own copies:
        // it knows that they have arrived. The barrier is for everybody else's: all have
        // waited before anyone reads. Either alone is not enough.
        __pipeline_commit();
        __pipeline_wait_prior(k0 + 32 < k || k <= 32 ? 0 : 1);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        // As before: nobody may start copying into the tiles while others still read them.
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
