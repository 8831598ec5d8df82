// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline of a thread, 128 x 64 tiles, 128 threads, steps of 8, four stages, zeros by stores
#include <cuda/pipeline>
#include <cooperative_groups.h>
LAUNCH(8, 16, 64, 128)
enum { STAGES = 4, BK = 8 };
__global__ void __launch_bounds__(128) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 at[STAGES][128][2], bt[STAGES][BK][16];
    auto pipe = cuda::make_pipeline();
    auto block = cooperative_groups::this_thread_block();
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 8 + tx, r0 = blockIdx.y * 128, c0 = blockIdx.x * 64;
    const int steps = (k + BK - 1) / BK;
    auto quad = [&](float4 *to, const float *from, int have, bool vec) {
        if (have >= 4 && vec) cuda::memcpy_async(to, (const float4 *)from, cuda::aligned_size_t<16>(16), pipe);
        else
            for (int j = 0; j < 4; j++)
                if (j < have) cuda::memcpy_async(&to->x + j, from + j, cuda::aligned_size_t<4>(4), pipe);
                else (&to->x)[j] = 0.0f;
    };
    auto fetch = [&](int t) {
        pipe.producer_acquire();
        if (t < steps) {
#pragma unroll
            for (int e = id; e < 256; e += 128) {
                int r = e / 2, i = t * BK + e % 2 * 4;
                quad(&at[t % STAGES][r][e % 2], a + (size_t)(r0 + r) * k + i, r0 + r < m ? k - i : 0, k % 4 == 0);
            }
            int h = t * BK + id / 16, q = c0 + id % 16 * 4;
            quad(&bt[t % STAGES][id / 16][id % 16], b + (size_t)h * n + q, h < k ? n - q : 0, n % 4 == 0);
        }
        pipe.producer_commit();
    };
    for (int t = 0; t < STAGES - 1; t++) fetch(t);
    float s[8][8] = {};
    for (int t = 0; t < steps; t++) {
        cuda::pipeline_consumer_wait_prior<STAGES - 2>(pipe);
        block.sync();
        fetch(t + STAGES - 1);
        const int st = t % STAGES;
#pragma unroll
        for (int g = 0; g < 2; g++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++) x[p] = at[st][ty + 16 * p][g];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = bt[st][g * 4 + i][tx], v = bt[st][g * 4 + i][tx + 8];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++) s[p][q] += f * y[q];
                }
            }
        }
        pipe.consumer_release();
    }
#pragma unroll
    for (int e = 0; e < 64; e++) {
        int r = r0 + ty + e / 8 * 16, q = c0 + e % 8 / 4 * 32 + tx * 4 + e % 4;
        if (r < m && q < n) c[(size_t)r * n + q] = s[e / 8][e % 8];
    }
}
