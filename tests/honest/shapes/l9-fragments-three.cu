// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: warp tiles of 32 x 64, lanes 4 x 8, fragments of the next four along k fetched ahead, three stages
#include <cuda_pipeline.h>
LAUNCH(256, 1, 128, 128)
struct Frag { float4 x[8]; };
__device__ __forceinline__ void quad(float4 *to, const float *from, size_t at, int have, bool vec)
{
    if (vec) { __pipeline_memcpy_async(to, from + (have > 0 ? at : 0), 16, have > 0 ? 0 : 16); return; }
#pragma unroll
    for (int j = 0; j < 4; j++) __pipeline_memcpy_async(&to->x + j, from + (have > j ? at + j : 0), 4, have > j ? 0 : 4);
}
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 at[3][128][4], bt[3][16][32];
    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int lr = lane >> 3, lc = lane & 7;  // 4 x 8 lanes: a quarter-warp shares its row of a
    const int ra = (warp >> 1) * 32 + lr, cb = (warp & 1) * 16 + lc;  // rows ra + 4 p, chunks cb and cb + 8
    const int r0 = blockIdx.y * 128, c0 = blockIdx.x * 128, steps = (k + 15) / 16;
    auto fetch = [&](int t, int st) {
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + 256 * j, r = e >> 2, q = e & 3, i = t * 16 + q * 4;
            quad(&at[st][r][q ^ (r & 3)], a, (size_t)(r0 + r) * k + i, r0 + r < m ? k - i : 0, k % 4 == 0);
            int h = t * 16 + (e >> 5), w = c0 + (e & 31) * 4;
            quad(&bt[st][e >> 5][e & 31], b, (size_t)h * n + w, h < k ? n - w : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };
    float s[8][8] = {};
    auto load = [&](int st, int g) {
        Frag f;
#pragma unroll
        for (int p = 0; p < 8; p++) f.x[p] = at[st][ra + 4 * p][g ^ (ra & 3)];
        return f;
    };
    fetch(0, 0);
    fetch(1, 1);
    int st = 0;
    for (int t = 0; t < steps; t++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        fetch(t + 2, st == 0 ? 2 : st - 1);
        Frag now = load(st, 0), next = now;
#pragma unroll
        for (int g = 0; g < 4; g++) {
            if (g < 3) next = load(st, g + 1);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = bt[st][g * 4 + i][cb], v = bt[st][g * 4 + i][cb + 8];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int e = 0; e < 64; e++) {
                    const float4 &x = now.x[e / 8];
                    s[e / 8][e % 8] += (i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w) * y[e % 8];
                }
            }
            now = next;
        }
        st = st == 2 ? 0 : st + 1;
    }
#pragma unroll
    for (int e = 0; e < 64; e++) {
        int r = r0 + ra + e / 8 * 4, w = c0 + (warp & 1) * 64 + e % 8 / 4 * 32 + lc * 4 + e % 4;
        if (r < m && w < n) c[(size_t)r * n + w] = s[e / 8][e % 8];
    }
}
