// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: eight lanes a row as cooperative-groups tiles, 32 rows a block; quads where rows allow, and the last three additions through volatile shared memory with tile.sync() between reading and writing, lanes of one tile alone
#include <cooperative_groups.h>

LAUNCH(256, 1, 32, 1)

namespace cg = cooperative_groups;

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ volatile float place[256];
    const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    const int lane = eight.thread_rank(), at = threadIdx.x, row = blockIdx.x * 32 + at / 8;

    float sum = 0.0f;
    if (row < rows) {
        const float *const from = in + (size_t)row * cols;
        if (cols % 4 == 0) {
            const float4 *const quads = reinterpret_cast<const float4 *>(from);
#pragma unroll 8
            for (int i = lane; i < cols / 4; i += 8) {
                const float4 v = __ldcs(quads + i);
                sum += (v.x + v.y) + (v.z + v.w);
            }
        } else
            for (int i = lane; i < cols; i += 8)
                sum += from[i];
    }

    place[at] = sum;
    eight.sync();
    for (int s = 4; s > 0; s /= 2) {
        if (lane < s)
            sum += place[at + s];
        eight.sync();
        if (lane < s)
            place[at] = sum;
        eight.sync();
    }
    if (lane == 0 && row < rows)
        out[row] = sum;
}
