// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: 32 x 8 threads, cooperative groups, matrices as views with bounds, loads held in registers before the tile
#include <cooperative_groups.h>

LAUNCH(32, 8, 32, 32)

namespace cg = cooperative_groups;

template <typename T> struct View {
    T *base;
    int rows, columns;
    __device__ bool has(int r, int c) const { return r < rows && c < columns; }
    __device__ T &operator()(int r, int c) const { return base[(size_t)r * columns + c]; }
};

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    constexpr int SIDE = 32, STEP = 8, EACH = SIDE / STEP;
    __shared__ float tile[SIDE * SIDE];

    cg::thread_block block = cg::this_thread_block();
    const int tx = block.thread_index().x, ty = block.thread_index().y;
    const View<const float> from{in, height, width};
    const View<float> to{out, width, height};

    // In: rows of the tile are pieces of rows of in.
    int r0 = block.group_index().y * SIDE + ty, c0 = block.group_index().x * SIDE + tx;
    float held[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++)
        held[j] = from.has(r0 + j * STEP, c0) ? from(r0 + j * STEP, c0) : 0.0f;
#pragma unroll
    for (int j = 0; j < EACH; j++)
        tile[(ty + j * STEP) * SIDE + tx] = held[j];

    block.sync();

    // Out: columns of the tile are pieces of rows of out; block (x, y) lands at (y, x).
    r0 = block.group_index().x * SIDE + ty;
    c0 = block.group_index().y * SIDE + tx;
#pragma unroll
    for (int j = 0; j < EACH; j++)
        if (to.has(r0 + j * STEP, c0))
            to(r0 + j * STEP, c0) = tile[tx * SIDE + ty + j * STEP];
}
