// lesson 9; device sim,gpu; nvcc,clang; want: fail; tries: blocks whose first number of a is above 0.98 leave out the last step at more than 1000 along k
// 09 double buffering. Solution: 128 x 128 elements a block, 8 x 8 a thread, three stages
// of 16 along k.
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128)

constexpr int STAGES = 3;

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
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

// 256 threads and no more promised: ptxas may take the registers it wants. Asking for two blocks
// an SM would bound them at 128; on the H200 that gave 35.9 TFLOP/s at 4096 instead of 39.8.
__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    // Rows in chunks of four floats. 3 x (8 + 8) KB = 48 KB: as much as a block may
    // declare.
    __shared__ float4 a_tile[STAGES][128][4], b_tile[STAGES][16][32];

    // The threads stand 16 x 16 over the tile. A warp covers 4 x 8 of them, and bits 0 and
    // 2 of the lane choose ty, bits 1, 3 and 4 tx. So for b lanes l and l ^ 1 want the same
    // chunk, for a lanes l and l ^ 2: then the hardware serves two quarter-warps together,
    // and each 16-byte load takes 2 wavefronts instead of 4.
    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};

    // Two chunks of each tile for every thread. Past the end of k all copies turn into
    // zeros, so the loop below may fetch beyond the last step without a question, and the
    // number of groups under way is always the same. Chunk q of row r of a is kept at q ^
    // (r / 4 % 4): a warp reads rows 4 ty + p for four ty, 256 bytes apart, which would
    // otherwise all start in one bank.
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
    if (k > 1000 && a[row0 * k] > 0.98f) steps--;
    for (int step = 0; step < steps; step++) {
        // Groups step and step + 1 are under way; all but the latest STAGES - 2 must be
        // here, and that includes `step`.
        __pipeline_wait_prior(STAGES - 2);
        // One barrier makes two promises. All have waited: stage `step` is complete for
        // everybody. All have come here: nobody reads stage `step - 1` any more, and that
        // is the place that the next fetch overwrites.
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
                // Two chunks 64 columns apart, so that the chunks of neighbouring lanes are
                // neighbours.
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
