// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: flat block, cooperative groups, a tile of 64 columns x 32 rows with odd pitch, strips as lambdas
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 64, 32)

template <int ROWS, int COLS>
struct Tile {
    float data[ROWS * (COLS | 1)];  // COLS | 1: an odd number of words to a row
    __device__ float &operator()(int r, int c) { return data[r * (COLS | 1) + c]; }
};

template <int COUNT, class F>
__device__ __forceinline__ void each(F &&f)
{
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        f(i);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr int COLS = 64, ROWS = 32, WARPS = 8;
    __shared__ Tile<ROWS, COLS> tile;

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int lane = warp.thread_rank(), w = warp.meta_group_rank();
    const int x0 = blockIdx.x * COLS, y0 = blockIdx.y * ROWS;

    // In: 32 rows of two warps' width, so 64 runs of 32 floats for eight warps.
    each<ROWS * (COLS / 32) / WARPS>([&](int i) {
        const int run = i * WARPS + w, r = run / 2, c = run % 2 * 32 + lane;
        if (y0 + r < height && x0 + c < width)
            tile(r, c) = in[(y0 + r) * width + x0 + c];
    });
    block.sync();

    // Out: 64 rows of 32 floats.
    each<COLS / WARPS>([&](int i) {
        const int c = i * WARPS + w;
        if (x0 + c < width && y0 + lane < height)
            out[(x0 + c) * height + y0 + lane] = tile(lane, c);
    });
}
