// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups: a tile of 16 threads sums a row, two rows a warp, recursive template for the shuffles, early return of whole tiles
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(128, 1, 8, 1)

template <unsigned Distance, typename Group>
__device__ float fold(const Group &group, float mine)
{
    if constexpr (Distance == 0)
        return mine;
    else
        return fold<Distance / 2>(group, mine + group.shfl_xor(mine, Distance));
}

__device__ float operator+(float s, const float4 &q) { return s + ((q.x + q.w) + (q.y + q.z)); }

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const unsigned row = blockIdx.x * 8 + tile.meta_group_rank();
    if (row >= (unsigned)rows)
        return;  // all 16 together; the other half of the warp may stay

    const float *first = in + (unsigned long long)row * cols;
    const unsigned rank = tile.thread_rank();
    float sum[4] = {};
    if ((cols & 3) == 0) {
        const float4 *q = reinterpret_cast<const float4 *>(first);
        const unsigned count = cols >> 2;
        unsigned i = rank;
        for (; i + 48 < count; i += 64) {  // four loads under way
            const float4 v[4] = {q[i], q[i + 16], q[i + 32], q[i + 48]};
            for (int j = 0; j < 4; ++j)
                sum[j] = sum[j] + v[j];
        }
        for (; i < count; i += 16)
            sum[0] = sum[0] + q[i];
    } else
        for (unsigned i = rank; i < (unsigned)cols; i += 16)
            sum[i >> 4 & 1] += first[i];

    const float total = fold<8>(tile, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (rank == 0)
        out[row] = total;
}
