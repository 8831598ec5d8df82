// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: four stages of only 8 along k, rows of a thread 16 apart so that no swizzle is needed, stage counters that wrap, empty groups at the end
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128)

namespace {
constexpr int STAGES = 4, STEP = 8;

struct Ring {
    int at;
    __device__ void next() { at = at == STAGES - 1 ? 0 : at + 1; }
};

// Four neighbours, of which the first `have` exist; zeros for the others.
__device__ void bring(float4 *to, const float *from, size_t index, int have, bool whole)
{
    if (whole) {
        __pipeline_memcpy_async(to, have > 0 ? from + index : from, 16, have > 0 ? 0 : 16);
    } else {
#pragma unroll 1
        for (int j = 0; j < 4; ++j)
            __pipeline_memcpy_async(reinterpret_cast<float *>(to) + j, j < have ? from + index + j : from, 4, j < have ? 0 : 4);
    }
}
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[STAGES][128][STEP / 4], b_tile[STAGES][STEP][32];

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const int steps = (k + STEP - 1) / STEP;
    float sum[8][8] = {};

    // What this thread brings: one chunk of each tile in every step.
    const int a_row = id / 2, a_chunk = id % 2, b_row = id / 32, b_chunk = id % 32;
    int fetched = 0;
    Ring put{0}, take{0};
    auto fetch = [&]() {
        if (fetched < steps) {
            const int i = fetched * STEP + a_chunk * 4, s = fetched * STEP + b_row, q = column0 + b_chunk * 4;
            bring(&a_tile[put.at][a_row][a_chunk], a, (size_t)(row0 + a_row) * k + i, row0 + a_row < m ? k - i : 0, k % 4 == 0);
            bring(&b_tile[put.at][b_row][b_chunk], b, (size_t)s * n + q, s < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();  // a group for every step, if only an empty one
        ++fetched;
        put.next();
    };

#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s)
        fetch();

    for (int left = steps; left > 0; --left) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch();

#pragma unroll
        for (int j = 0; j < STEP / 4; ++j) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; ++p)
                x[p] = a_tile[take.at][ty + 16 * p][j];  // four ty: rows of 32 bytes side by side
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float4 u = b_tile[take.at][4 * j + i][tx], v = b_tile[take.at][4 * j + i][tx + 16];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; ++p) {
                    const float z = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; ++q)
                        sum[p][q] += z * y[q];
                }
            }
        }
        take.next();
    }

#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const int row = row0 + ty + 16 * p;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int column = column0 + 4 * tx + 64 * h;
            if (row < m && column < n && n % 4 == 0)
                *reinterpret_cast<float4 *>(c + (size_t)row * n + column) =
                    make_float4(sum[p][4 * h], sum[p][4 * h + 1], sum[p][4 * h + 2], sum[p][4 * h + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (row < m && column + q < n)
                        c[(size_t)row * n + column + q] = sum[p][4 * h + q];
        }
    }
}
