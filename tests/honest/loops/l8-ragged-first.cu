// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: the short step along k comes first and fills its tile from the end, zeros before; all later steps are whole along k, walk by pointers and only ask whether the row or the column exists
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

constexpr int STEP = 16;

struct Short { static constexpr bool value = false; };
struct Whole { static constexpr bool value = true; };

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][STEP];
    __shared__ __align__(16) float b_tile[STEP][64];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;

    // a: rows ty, ty + 16, …, column tx. b: rows 0, 4, 8, 12 from `upper` on, column `q`.
    const int id = ty * 16 + tx, upper = id / 64, q = id % 64;

    // The first step ends at `end` = 1 to 16, and stands against the far edge of the tile: its element
    // i is the matrix' element end - 16 + i. From there on everything is a multiple of 16.
    const int end = (k - 1) % STEP + 1;
    int at = end - STEP;  // negative, or 0

    const float *from_a[4], *from_b[4];
    bool row_there[4], column_there = column0 + q < n;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int r = row0 + ty + j * 16;
        row_there[j] = r < m;
        from_a[j] = a + (row_there[j] ? (long long)r * k : 0) + tx;
        from_b[j] = b + (upper + j * 4) * (long long)n + (column_there ? column0 + q : 0);
    }

    auto issue = [&](auto whole) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const bool in_k = decltype(whole)::value || at + tx >= 0;
            const bool there = row_there[j] && in_k;
            __pipeline_memcpy_async(&a_tile[ty + j * 16][tx], there ? from_a[j] + at : a, 4, there ? 0 : 4);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const bool in_k = decltype(whole)::value || at + upper + j * 4 >= 0;
            const bool there = column_there && in_k;
            __pipeline_memcpy_async(&b_tile[upper + j * 4][q], there ? from_b[j] + (long long)at * n : b, 4, there ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    };

    float sum[4][4] = {};
    auto multiply = [&] {
#pragma unroll
        for (int i = 0; i < STEP; i += 4) {
            float4 x[4];
#pragma unroll
            for (int r = 0; r < 4; r++)
                x[r] = *(const float4 *)&a_tile[ty * 4 + r][i];
#pragma unroll
            for (int l = 0; l < 4; l++) {
                const float4 y = *(const float4 *)&b_tile[i + l][tx * 4];
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    const float f = l == 0 ? x[r].x : l == 1 ? x[r].y : l == 2 ? x[r].z : x[r].w;
                    sum[r][0] += f * y.x;
                    sum[r][1] += f * y.y;
                    sum[r][2] += f * y.z;
                    sum[r][3] += f * y.w;
                }
            }
        }
        __syncthreads();
    };

    issue(Short{});
    multiply();
    for (at = end; at < k; at += STEP) {
        issue(Whole{});
        multiply();
    }

#pragma unroll
    for (int r = 0; r < 4; r++) {
        const int row = row0 + ty * 4 + r, column = column0 + tx * 4;
#pragma unroll
        for (int l = 0; l < 4; l++)
            if (row < m && column + l < n)
                c[(long long)row * n + column + l] = sum[r][l];
    }
}
