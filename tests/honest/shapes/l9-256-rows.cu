// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 256 x 128 elements a block, 16 x 8 a thread in two sweeps over b, two places in 48 KB
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 256)

__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__device__ __forceinline__ float part(float4 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][256][4], b_tile[2][16][32];  // 32 + 16 KB

    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = blockIdx.y * 256, column0 = blockIdx.x * 128;
    float sum[2][8][8] = {};  // rows 64 (2 s + p / 4) + 4 ty + p % 4

    auto fetch = [&](int step) {
        int at = step % 2, k0 = step * 16;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 4 + j * 64, q = id % 4, i = k0 + q * 4;
            copy4(&a_tile[at][r][q ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int r = id / 32 + j * 8, q = id % 32, i = k0 + r, column = column0 + q * 4;
            copy4(&b_tile[at][r][q], b, i * n + column, i < k ? n - column : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };

    int steps = (k + 15) / 16;
    fetch(0);
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        fetch(step + 1);  // past the end of k these are zeros

        int at = step % 2;
#pragma unroll 1
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int s = 0; s < 2; s++) {
                if (s == 1 && row0 + 128 >= m)
                    continue;  // the lower half does not exist
                float4 x[8];
#pragma unroll
                for (int p = 0; p < 8; p++)
                    x[p] = a_tile[at][s * 128 + p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    float4 u = b_tile[at][j * 4 + i][tx], v = b_tile[at][j * 4 + i][tx + 16];
                    float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                    for (int p = 0; p < 8; p++)
#pragma unroll
                        for (int q = 0; q < 8; q++)
                            sum[s][p][q] += part(x[p], i) * y[q];
                }
            }
    }

#pragma unroll
    for (int e = 0; e < 32; e++) {
        int s = e / 16, p = e / 2 % 8, h = e % 2;
        int row = row0 + s * 128 + p / 4 * 64 + ty * 4 + p % 4, column = column0 + h * 64 + tx * 4;
        float *to = c + row * n + column;
        const float *four = &sum[s][p][h * 4];
        if (row < m && column + 4 <= n && n % 4 == 0)
            *(float4 *)to = make_float4(four[0], four[1], four[2], four[3]);
        else
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (row < m && column + q < n)
                    to[q] = four[q];
    }
}
