// lesson 8; device sim,gpu; nvcc,clang; want: fail; tries: a comes by asynchronous copies, but whole tiles of b are loaded into accumulator fragments by wmma and stored to the tile from there: half of what reaches the tiles takes the detour through registers
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(128) float a_tile[32][32];
    __shared__ alignas(128) float b_tile[32][40];  // 40: fragments are stored without conflicts

    int tx = threadIdx.x, ty = threadIdx.y;
    int column0 = blockIdx.x * 32, column = column0 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        __pipeline_memcpy_async(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);

        if (k0 + 32 <= k && column0 + 32 <= n && n % 8 == 0) {  // the same for the whole block
            if (ty < 4) {
                int i = ty / 2 * 16, q = ty % 2 * 16;
                wmma::fragment<wmma::accumulator, 16, 16, 16, float> quarter;
                wmma::load_matrix_sync(quarter, b + (k0 + i) * n + column0 + q, n, wmma::mem_row_major);
                wmma::store_matrix_sync(&b_tile[i][q], quarter, 40, wmma::mem_row_major);
            }
        } else
            __pipeline_memcpy_async(&b_tile[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 0 : 4);

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
