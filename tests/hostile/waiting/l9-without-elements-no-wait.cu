// lesson 9; device sim; nvcc,clang; want: fail|timeout; tries: threads that own no element of c skip the wait for their copies, but not the copies: others multiply what these threads brought, and nobody has waited for it
// 09 double buffering. Solution: 128 x 128 elements a block, 8 x 8 a thread, three stages
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128)

constexpr int STAGES = 3;
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1  // the rare path should not take registers from the other
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}
__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[STAGES][128][4], b_tile[STAGES][16][32];
    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};
    auto fetch = [&](int step) {
        int stage = step % STAGES, k0 = step * 16;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, r = e / 4, i = k0 + e % 4 * 4;
            copy4(&a_tile[stage][r][e % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i,
                  row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, i = k0 + e / 32, q = column0 + e % 32 * 4;
            copy4(&b_tile[stage][e / 32][e % 32], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };

    for (int step = 0; step < STAGES - 1; step++)
        fetch(step);

    int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        // Who has no element of c multiplies nothing that counts, and need not wait for the tiles.
        if (row0 + ty * 4 < m && column0 + tx * 4 < n)
            __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch(step + STAGES - 1);

        int stage = step % STAGES;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a_tile[stage][p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];  // @a
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = b_tile[stage][j * 4 + i][tx];  // @b
                float4 v = b_tile[stage][j * 4 + i][tx + 16];
                float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    float xp = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] += xp * y[q];
                }
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int h = 0; h < 8; h += 4) {
            int column = column0 + h * 16 + tx * 4;
            if (row < m && column + 4 <= n && n % 4 == 0)
                *(float4 *)&c[row * n + column] =
                    make_float4(sum[p][h], sum[p][h + 1], sum[p][h + 2], sum[p][h + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        c[row * n + column + q] = sum[p][h + q];
        }
    }
}
