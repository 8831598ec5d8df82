// The same product with copies of 16 bytes where rows allow it: a quarter of the instructions, addresses and sizes.
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    bool whole = n % 4 == 0 && k % 4 == 0;  // rows begin at multiples of 16 bytes
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        if (whole) {
            // 256 threads bring a, 256 others b: four floats each, eight threads to a row.
            int r = t % 256 / 8, q = t % 8 * 4;
            if (t < 256) {
                bool in_a = blockIdx.y * 32 + r < m && k0 + q < k;
                const float *from = in_a ? &a[(blockIdx.y * 32 + r) * k + k0 + q] : a;
                __pipeline_memcpy_async(&a_tile[r][q], from, 16, in_a ? 0 : 16);  // @a
            } else if (t < 512) {
                bool in_b = k0 + r < k && blockIdx.x * 32 + q < n;
                const float *from = in_b ? &b[(k0 + r) * n + blockIdx.x * 32 + q] : b;
                __pipeline_memcpy_async(&b_tile[r][q], from, 16, in_b ? 0 : 16);
            }
        } else {
            bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
            __pipeline_memcpy_async(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);
            __pipeline_memcpy_async(&b_tile[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
