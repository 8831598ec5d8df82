// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: a has two places and is fetched one step ahead, b has three and is fetched two ahead, both in one group a step; all groups are waited for, then one barrier, then the fetch into places that were last read a step before; right, copies of both fly while warps multiply
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128)

__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][128][4], b_tile[3][16][32];

    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};
    auto fetch_a = [&](int step, float4 (*to)[4]) {
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, r = e / 4, i = step * 16 + e % 4 * 4;
            copy4(&to[r][e % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
    };
    auto fetch_b = [&](int step, float4 (*to)[32]) {
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, i = step * 16 + e / 32, q = column0 + e % 32 * 4;
            copy4(&to[e / 32][e % 32], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
        }
    };

    fetch_a(0, a_tile[0]);
    fetch_b(0, b_tile[0]);
    fetch_b(1, b_tile[1]);
    __pipeline_commit();

    const int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        fetch_a(step + 1, a_tile[(step + 1) % 2]);
        fetch_b(step + 2, b_tile[(step + 2) % 3]);
        __pipeline_commit();

        const float4 (*a_now)[4] = a_tile[step % 2], (*b_now)[32] = b_tile[step % 3];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a_now[p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = b_now[j * 4 + i][tx], v = b_now[j * 4 + i][tx + 16];
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
                *(float4 *)&c[row * n + column] = make_float4(sum[p][h], sum[p][h + 1], sum[p][h + 2], sum[p][h + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        c[row * n + column + q] = sum[p][h + q];
        }
    }
}
