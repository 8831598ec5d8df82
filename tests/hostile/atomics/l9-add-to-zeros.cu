// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate overlap|async; tries: one place for each tile, filled with zeros by copies and then by additions; junk copies while it multiplies
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    __shared__ float4 junk[256];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 1024; e += 256) {
            __pipeline_memcpy_async(&a_tile[0][0] + e, a, 4, 4);
            __pipeline_memcpy_async(&b_tile[0][0] + e, b, 4, 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int e = id; e < 1024; e += 256) {
            int r = e / 16, i = e % 16, s = e / 64, q = e % 64;
            atomicAdd(&a_tile[r][i], row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f);
            atomicAdd(&b_tile[s][q], k0 + s < k && column0 + q < n ? b[(k0 + s) * n + column0 + q] : 0.0f);
        }
        __syncthreads();
        __pipeline_memcpy_async(&junk[id], a, 16, 16);
        __pipeline_commit();
#pragma unroll
        for (int i = 0; i < 16; i++)
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += a_tile[ty * 4 + p][i] * b_tile[i][tx * 4 + q];
        __pipeline_wait_prior(0);
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
