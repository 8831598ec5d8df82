// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: three warps for 32 rows (11 turns, the last one partly idle), values staged in a register array, cooperative groups for ranks and the barrier
#include <cooperative_groups.h>

LAUNCH(96, 1, 32, 32)

namespace cg = cooperative_groups;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33];

    cg::thread_block block = cg::this_thread_block();
    const int rank = static_cast<int>(block.thread_rank());
    const int lane = rank & 31, warp = rank >> 5;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const int cols = min(32, width - x0), rows = min(32, height - y0);

    float kept[11];
#pragma unroll
    for (int j = 0; j < 11; ++j) {
        const int r = warp + 3 * j;
        kept[j] = r < rows && lane < cols ? in[(y0 + r) * width + (x0 + lane)] : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < 11; ++j) {
        const int r = warp + 3 * j;
        if (r < rows && lane < cols)
            tile[r * 33 + lane] = kept[j];
    }

    block.sync();

#pragma unroll
    for (int j = 0; j < 11; ++j) {
        const int c = warp + 3 * j;
        if (c < cols && lane < rows)
            out[(x0 + c) * height + (y0 + lane)] = tile[lane * 33 + c];
    }
}
