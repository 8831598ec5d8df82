// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cg::memcpy_async by a tile of 32 lanes a row, clipped bytes, zeros by stores, then cg::wait
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
LAUNCH(32, 16, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(16) float as[32][32], bs[32][32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int x = warp.thread_rank(), w = warp.meta_group_rank();
    float sum[2] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int r = w; r < 32; r += 16) {
            int have = blockIdx.y * 32 + r < m ? min(32, k - k0) : 0;
            if (have > 0) cg::memcpy_async(warp, as[r], a + (size_t)(blockIdx.y * 32 + r) * k + k0, have * sizeof(float));
            if (x >= have) as[r][x] = 0.0f;
            int q = blockIdx.x * 32;
            have = k0 + r < k ? min(32, n - q) : 0;
            if (have > 0) cg::memcpy_async(warp, bs[r], b + (size_t)(k0 + r) * n + q, have * sizeof(float));
            if (x >= have) bs[r][x] = 0.0f;
        }
        cg::wait(warp);
        cg::sync(block);
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float y = bs[i][x];
            sum[0] += as[w][i] * y;
            sum[1] += as[w + 16][i] * y;
        }
        cg::sync(block);
    }
    for (int h = 0; h < 2; h++) {
        int row = blockIdx.y * 32 + w + 16 * h, q = blockIdx.x * 32 + x;
        if (row < m && q < n) c[(size_t)row * n + q] = sum[h];
    }
}
