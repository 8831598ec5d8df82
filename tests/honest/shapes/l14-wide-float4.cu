// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tile 128 wide and 80 high, rows padded to 132, a thread computes four neighbours of a row as float4 with their row neighbours by scalar loads, cg sync
#include <cooperative_groups.h>

constexpr int W = 128, H = 80, PITCH = W + 4, TILE = PITCH * H;
LAUNCH(32, 16, W - 16, H - 16, 2 * TILE * 4, 2 * TILE * 4)

extern __shared__ float4 pool[];

__global__ void __launch_bounds__(512) relax(float *out, const float *in, int rows, int cols)
{
    const auto block = cooperative_groups::this_thread_block();
    float *const tile[2] = {reinterpret_cast<float *>(pool), reinterpret_cast<float *>(pool) + TILE};
    const int c4 = threadIdx.x * 4;
    const int x = blockIdx.x * (W - 16) - 8 + c4, y0 = blockIdx.y * (H - 16) - 8;

    for (int r = threadIdx.y; r < H; r += 16) {
        const int y = y0 + r;
        const bool row_there = y >= 0 && y < rows;
        for (int j = 0; j < 4; j++) {  // neighbours by neighbours
            const int c = threadIdx.x + 32 * j, xx = blockIdx.x * (W - 16) - 8 + c;
            tile[0][r * PITCH + c] = row_there && xx >= 0 && xx < cols ? in[(size_t)y * cols + xx] : 0.0f;
        }
    }
    block.sync();

    for (int step = 1; step <= 8; step++) {
        const float *now = tile[(step - 1) & 1];
        float *next = tile[step & 1];
        // Columns c4 … c4 + 3, all of them if any is still wanted: columns 0 and W - 1 never are.
        for (int r = threadIdx.y; r < H; r += 16) {
            if (r < step || r >= H - step)
                continue;
            const int y = y0 + r;
            const float *p = now + r * PITCH + c4;
            const float4 up = *(const float4 *)(p - PITCH), here = *(const float4 *)p, down = *(const float4 *)(p + PITCH);
            const float left = c4 > 0 ? p[-1] : 0.0f, right = c4 + 4 < W ? p[4] : 0.0f;
            float4 v;
            v.x = 0.25f * (up.x + down.x + left + here.y);
            v.y = 0.25f * (up.y + down.y + here.x + here.z);
            v.z = 0.25f * (up.z + down.z + here.y + here.w);
            v.w = 0.25f * (up.w + down.w + here.z + right);
            const bool row_there = y >= 0 && y < rows;
            v.x = row_there && x >= 0 && x < cols ? v.x : 0.0f;
            v.y = row_there && x + 1 >= 0 && x + 1 < cols ? v.y : 0.0f;
            v.z = row_there && x + 2 >= 0 && x + 2 < cols ? v.z : 0.0f;
            v.w = row_there && x + 3 >= 0 && x + 3 < cols ? v.w : 0.0f;
            *(float4 *)(next + r * PITCH + c4) = v;
        }
        block.sync();
    }

    for (int r = 8 + threadIdx.y; r < H - 8; r += 16) {
        const int y = y0 + r;
        if (y >= rows)
            break;
        for (int j = 0; j < 4; j++) {
            const int c = threadIdx.x + 32 * j, xx = blockIdx.x * (W - 16) - 8 + c;
            if (c >= 8 && c < W - 8 && xx < cols)
                out[(size_t)y * cols + xx] = tile[0][r * PITCH + c];
        }
    }
}
