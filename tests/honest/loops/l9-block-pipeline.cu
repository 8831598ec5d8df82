// lesson 9; device sim; nvcc,clang; want: full; tries: libcu++ block-scope cuda::pipeline with a shared state of three stages: no __syncthreads in the loop at all, acquire / commit / wait / release
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 128, 128, 49152)

constexpr int STAGES = 3;

struct Stage {
    float4 a[128][4];
    float4 b[16][32];
};
static_assert(sizeof(Stage) * STAGES == 49152, "as in LAUNCH");

extern __shared__ __align__(1024) unsigned char raw[];

#pragma nv_diag_suppress static_var_with_dynamic_init

template <typename Pipe>
__device__ __forceinline__ void bring(float4 *to, const float *from, long long at, int have, bool aligned, Pipe &pipe)
{
    if (have >= 4 && aligned)
        cuda::memcpy_async(to, reinterpret_cast<const float4 *>(from + at), cuda::aligned_size_t<16>(16), pipe);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            if (j < have)
                cuda::memcpy_async((float *)to + j, from + at + j, cuda::aligned_size_t<4>(4), pipe);
            else
                ((float *)to)[j] = 0.0f;
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    Stage *const stages = reinterpret_cast<Stage *>(raw);
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2), tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const int steps = (k + 15) / 16;

    auto produce = [&](int step) {
        Stage &s = stages[step % STAGES];
        pipe.producer_acquire();
        const int k0 = step * 16;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = id / 4 + j * 64, q = id % 4, i = k0 + q * 4;
            bring(&s.a[r][q ^ (r >> 2 & 3)], a, (long long)(row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0, pipe);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = id / 32 + j * 8, i = k0 + r, q = column0 + lane * 4;
            bring(&s.b[r][lane], b, (long long)i * n + q, i < k ? n - q : 0, n % 4 == 0, pipe);
        }
        pipe.producer_commit();
    };

    float sum[8][8] = {};
    int ahead = 0;
    while (ahead < STAGES - 1 && ahead < steps)
        produce(ahead++);

    for (int step = 0; step < steps; step++) {
        pipe.consumer_wait();
        if (ahead < steps)
            produce(ahead++);  // acquires what all released one step ago
        const Stage &s = stages[step % STAGES];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = s.a[p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = s.b[j * 4 + i][tx], v = s.b[j * 4 + i][tx + 16];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] += f * y[q];
                }
            }
        }
        pipe.consumer_release();
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int row = row0 + p / 4 * 64 + ty * 4 + p % 4, column = column0 + q / 4 * 64 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[(long long)row * n + column] = sum[p][q];
        }
}
