// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: one array of 32 rows of 64 floats in shared memory, a's row in the left half and b's row in the right half of each; every float by an asynchronous copy of 4 bytes with zero fill, commit, wait, barrier; right, aligned rows, no conflicts
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(16) float both[32][64];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    auto bring = [](float &to, const float *matrix, int index, bool exists) {
        __pipeline_memcpy_async(&to, matrix + (exists ? index : 0), sizeof to, exists ? 0 : sizeof to);
    };

    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        bring(both[ty][tx], a, row * k + k0 + tx, row < m && k0 + tx < k);
        bring(both[ty][32 + tx], b, (k0 + ty) * n + column, k0 + ty < k && column < n);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = __fmaf_rn(both[ty][i], both[i][32 + tx], sum);
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
