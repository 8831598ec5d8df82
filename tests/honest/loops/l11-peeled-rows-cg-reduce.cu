// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: four rows a block of 128, float4 in rows that begin anywhere (head and tail peeled), four loads ahead, cg::reduce
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

LAUNCH(128, 1, 4, 1)

namespace cg = cooperative_groups;

__device__ __forceinline__ float total(float4 q) { return (q.x + q.y) + (q.z + q.w); }

__global__ void __launch_bounds__(128) row_sums(float *out, const float *in, int rows, int cols)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned lane = tile.thread_rank(), row = blockIdx.x * 4 + tile.meta_group_rank();
    if (row >= (unsigned)rows)
        return;  // the whole warp, and no barrier follows

    const float *from = in + (size_t)row * cols;
    const unsigned count = cols;
    // Floats in front of the first multiple of 16 bytes.
    unsigned head = (unsigned)(-(long long)((size_t)from / 4) & 3);
    if (head > count)
        head = count;
    const unsigned quads = (count - head) / 4, tail = (count - head) % 4;
    const float4 *body = reinterpret_cast<const float4 *>(from + head);

    // Lanes 0, 1, 2 take the head, 4, 5, 6 the tail.
    float sum = 0.0f;
    if (lane < head)
        sum = __ldg(from + lane);
    else if (lane >= 4 && lane - 4 < tail)
        sum = __ldg(from + head + quads * 4 + (lane - 4));

    unsigned i = lane;
    float part[4] = {};
    for (; i + 96 < quads; i += 128) {
        float4 q[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            q[j] = __ldcs(body + i + 32 * j);
#pragma unroll
        for (int j = 0; j < 4; j++)
            part[j] += total(q[j]);
    }
    for (; i < quads; i += 32)
        part[0] += total(__ldcs(body + i));
    sum += (part[0] + part[1]) + (part[2] + part[3]);

    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (lane == 0)
        out[row] = sum;
}
