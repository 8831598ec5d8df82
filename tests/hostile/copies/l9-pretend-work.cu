// lesson 9; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: cheat: at every size the copies of a step start when they are needed and are waited for at once, with a chain of useless multiplications between issue and wait so that the warp seems to work meanwhile; no tile is multiplied while another arrives.
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};
    float warm = tx;

    for (int k0 = 0; k0 < k; k0 += 16) {
        int stage = k0 / 16 % 2;
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[stage][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        __pipeline_commit();

        // Work while the copies are under way.
#pragma unroll
        for (int j = 0; j < 64; j++)
            warm = fmaf(warm, 0.99f, 0.01f);
        asm volatile("" :: "f"(warm));

        __pipeline_wait_prior(0);
        __syncthreads();

        const float (*x)[16] = (const float (*)[16])&a_tile[stage][ty * 4];
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 y = b_tile[stage][j][tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p][0] += x[p][j] * y.x;
                sum[p][1] += x[p][j] * y.y;
                sum[p][2] += x[p][j] * y.z;
                sum[p][3] += x[p][j] * y.w;
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
