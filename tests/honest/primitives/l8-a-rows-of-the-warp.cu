// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: a warp alone brings and reads its four rows of a, so behind a __syncwarp it asks for the next ones while others still multiply; only the copies of b lie between two block barriers; each thread waits for all of its copies first
#include <cuda_pipeline.h>

LAUNCH(32, 8, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_rows[8][4][32];  // of each warp
    __shared__ float b_tile[32][32];
    const int tx = threadIdx.x, warp = threadIdx.y;
    const int row = blockIdx.y * 32 + warp * 4, column = blockIdx.x * 32 + tx;
    float (&mine)[4][32] = a_rows[warp];
    float sum[4] = {};

    auto ask_a = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const bool have = row + j < m && k0 + tx < k;
            __pipeline_memcpy_async(&mine[j][tx], have ? &a[(row + j) * k + k0 + tx] : a, 4, have ? 0 : 4);
        }
    };
    auto ask_b = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = warp + 8 * j;
            const bool have = k0 + i < k && column < n;
            __pipeline_memcpy_async(&b_tile[i][tx], have ? &b[(k0 + i) * n + column] : b, 4, have ? 0 : 4);
        }
    };

    ask_a(0);
    for (int k0 = 0; k0 < k; k0 += 32) {
        ask_b(k0);
        __pipeline_commit();  // with the rows of a that were asked for before
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float b0 = b_tile[i][tx], b1 = b_tile[i + 1][tx], b2 = b_tile[i + 2][tx], b3 = b_tile[i + 3][tx];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float4 x = *reinterpret_cast<const float4 *>(&mine[j][i]);
                sum[j] += x.x * b0 + x.y * b1 + x.z * b2 + x.w * b3;
            }
        }
        __syncwarp();  // this warp has read its rows
        if (k0 + 32 < k)
            ask_a(k0 + 32);
        __syncthreads();  // all have read b_tile
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (row + j < m && column < n)
            c[(row + j) * n + column] = sum[j];
}
