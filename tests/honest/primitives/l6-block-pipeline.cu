// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline shared by the block, two stages, single floats by memcpy_async and zeros by stores
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(16) float as[2][32][32], bs[2][32][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    const int steps = (k + 31) / 32;
    auto bring = [&](int s) {
        pipe.producer_acquire();
        int i = s * 32 + x, h = s * 32 + y;
        if (row < m && i < k) cuda::memcpy_async(&as[s & 1][y][x], a + row * k + i, sizeof(float), pipe);
        else as[s & 1][y][x] = 0.0f;
        if (h < k && col < n) cuda::memcpy_async(&bs[s & 1][y][x], b + h * n + col, sizeof(float), pipe);
        else bs[s & 1][y][x] = 0.0f;
        pipe.producer_commit();
    };
    bring(0);
    float sum = 0;
    for (int s = 0; s < steps; ++s) {
        if (s + 1 < steps) bring(s + 1);
        pipe.consumer_wait();
        const float(*pa)[32] = as[s & 1];
        const float(*pb)[32] = bs[s & 1];
#pragma unroll
        for (int i = 0; i < 32; ++i) sum += pa[y][i] * pb[i][x];
        pipe.consumer_release();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
