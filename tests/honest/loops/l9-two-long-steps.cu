// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: two places of 32 along k in 64 KB of dynamic memory, a struct of stages, keys of three bits
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128, 65536)

struct Stage {
    float4 a[128][8];  // 128 x 32 floats: chunk q of row r at q ^ r / 4 % 8
    float4 b[32][32];  // 32 x 128
};

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__device__ __forceinline__ void product(float (&sum)[8][8], const Stage &stage, int ty, int tx)
{
#pragma unroll 2
    for (int j = 0; j < 8; j++) {
        float4 x[8];
#pragma unroll
        for (int p = 0; p < 8; p++)
            x[p] = stage.a[p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 7)];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 u = stage.b[j * 4 + i][tx], v = stage.b[j * 4 + i][tx + 16];
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

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    extern __shared__ __align__(128) unsigned char memory[];
    Stage *stages = reinterpret_cast<Stage *>(memory);

    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};

    auto fetch = [&](int step) {
        Stage &to = stages[step & 1];
        int k0 = step * 32;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 8 + j * 32, q = id % 8, i = k0 + q * 4;
            copy4(&to.a[r][q ^ (r >> 2 & 7)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 32 + j * 8, q = id % 32, i = k0 + r, column = column0 + q * 4;
            copy4(&to.b[r][q], b, i * n + column, i < k ? n - column : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };

    int steps = (k + 31) / 32;
    fetch(0);
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(0);
        // All have what this step wants, and nobody reads the other place any more.
        __syncthreads();
        if (step + 1 < steps)
            fetch(step + 1);
        product(sum, stages[step & 1], ty, tx);
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
