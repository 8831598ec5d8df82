// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: the ring of three stages turns by a fold expression over the stages, each a constant at compile time, that ends early by && when the steps are used up; wait, barrier, fetch two ahead, multiply as in the solution; the test is the same for all threads; right
#include <cuda_pipeline.h>
#include <type_traits>

LAUNCH(256, 1, 128, 128)

template <int... S> struct Ring { static constexpr int size = sizeof...(S); };

// One turn of the ring; false as soon as a stage has nothing left to do.
template <typename F, int... S>
__device__ __forceinline__ bool turn(Ring<S...>, F &&stage)
{
    return (stage(std::integral_constant<int, S>{}) && ...);
}

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
    using Stages = Ring<0, 1, 2>;
    __shared__ float4 a_tile[Stages::size][128][4], b_tile[Stages::size][16][32];

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

    for (int step = 0; step < Stages::size - 1; step++) {
        fetch_a(step, a_tile[step]);
        fetch_b(step, b_tile[step]);
        __pipeline_commit();
    }

    const int steps = (k + 15) / 16;
    int step = 0;
    auto stage = [&](auto number) -> bool {
        if (step == steps)
            return false;
        constexpr int here = decltype(number)::value, there = (here + Stages::size - 1) % Stages::size;
        __pipeline_wait_prior(Stages::size - 2);
        __syncthreads();
        fetch_a(step + Stages::size - 1, a_tile[there]);
        fetch_b(step + Stages::size - 1, b_tile[there]);
        __pipeline_commit();
        const float4 (*a_now)[4] = a_tile[here], (*b_now)[32] = b_tile[here];
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
        step++;
        return true;
    };
    while (turn(Stages{}, stage))
        ;

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
