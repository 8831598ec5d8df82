// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline with roles: four of eight bring, four multiply, two stages
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
LAUNCH(32, 8, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(16) float as[2][32][32], bs[2][32][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32, steps = (k + 31) / 32;
    const bool brings = y >= 4;
    auto pipe = cuda::make_pipeline(block, &state, brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (brings) {
        for (int t = 0; t < steps; t++) {
            pipe.producer_acquire();
            for (int r = y - 4; r < 32; r += 4) {
                int i = t * 32 + x, h = t * 32 + r;
                if (r0 + r < m && i < k) cuda::memcpy_async(&as[t % 2][r][x], a + (size_t)(r0 + r) * k + i, cuda::aligned_size_t<4>(4), pipe);
                else as[t % 2][r][x] = 0;
                if (h < k && c0 + x < n) cuda::memcpy_async(&bs[t % 2][r][x], b + (size_t)h * n + c0 + x, cuda::aligned_size_t<4>(4), pipe);
                else bs[t % 2][r][x] = 0;
            }
            pipe.producer_commit();
        }
        return;
    }
    float s[8] = {};
    for (int t = 0; t < steps; t++) {
        pipe.consumer_wait();
#pragma unroll
        for (int i = 0; i < 32; i++)
#pragma unroll
            for (int p = 0; p < 8; p++) s[p] += as[t % 2][y + 4 * p][i] * bs[t % 2][i][x];
        pipe.consumer_release();
    }
    for (int p = 0; p < 8; p++)
        if (r0 + y + 4 * p < m && c0 + x < n) c[(size_t)(r0 + y + 4 * p) * n + c0 + x] = s[p];
}
