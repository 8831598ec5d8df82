// lesson 8; device sim,gpu; nvcc; want: full; tries: the primitives' mbarrier in place of commit, wait and first barrier: each thread hands its copies to it (__pipeline_arrive_on), then arrives, then waits for its phase, which ends when all have arrived and all copies are here
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ __mbarrier_t here;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    if (tx == 0 && ty == 0)
        __mbarrier_init(&here, 32 * 32);
    __syncthreads();

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        __pipeline_memcpy_async(&a_tile[ty][tx], a + (in_a ? row * k + k0 + tx : 0), 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&b_tile[ty][tx], b + (in_b ? (k0 + ty) * n + column : 0), 4, in_b ? 0 : 4);
        __pipeline_arrive_on(&here);  // counts one more arrival, which comes with the copies
        __mbarrier_token_t phase = __mbarrier_arrive(&here);
        while (!__mbarrier_try_wait(&here, phase, 1000))
            ;

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
