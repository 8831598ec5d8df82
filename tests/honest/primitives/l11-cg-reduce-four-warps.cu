// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: cg::reduce on tiles of 32, four rows to a block of 128, batches of eight float4 summed pairwise by recursion
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
namespace cg = cooperative_groups;

LAUNCH(128, 1, 4, 1)

__device__ __forceinline__ float4 operator+(const float4 &x, const float4 &y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

template <int N>
__device__ __forceinline__ float4 pairwise(const float4 *x)
{
    if constexpr (N == 1)
        return *x;
    else
        return pairwise<N / 2>(x) + pairwise<N - N / 2>(x + N / 2);
}

template <int WIDTH>
__device__ __forceinline__ float lane_sum(const float *row, int cols, int lane)
{
    constexpr int BATCH = 8;
    float rest = 0.0f;
    float4 four = make_float4(0, 0, 0, 0);
    int done = 0;

    if ((reinterpret_cast<uintptr_t>(row) & 15) == 0) {
        const float4 *vec = reinterpret_cast<const float4 *>(row);
        const int vecs = cols / 4;
        int i = lane;
        for (; i + (BATCH - 1) * WIDTH < vecs; i += BATCH * WIDTH) {
            float4 x[BATCH];
#pragma unroll
            for (int j = 0; j < BATCH; j++)
                x[j] = __ldg(vec + i + j * WIDTH);
            four = four + pairwise<BATCH>(x);
        }
        for (; i < vecs; i += WIDTH)
            four = four + __ldg(vec + i);
        done = vecs * 4;
    }
#pragma unroll 8
    for (int i = done + lane; i < cols; i += WIDTH)
        rest += __ldg(row + i);
    return rest + ((four.x + four.y) + (four.z + four.w));
}

__global__ void row_sums(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows)  // the whole warp
        return;

    const float mine = lane_sum<32>(in + (size_t)row * cols, cols, warp.thread_rank());
    const float all = cg::reduce(warp, mine, cg::plus<float>());
    if (warp.thread_rank() == 0)
        out[row] = all;
}
