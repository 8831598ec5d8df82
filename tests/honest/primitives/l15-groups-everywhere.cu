// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: all four kernels with cooperative groups: block.sync(), a reduction by warps, and one collective memcpy_async for the differences
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void neighbours(float *out, const float *in, int n)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[258];
    const int t = block.thread_rank(), first = blockIdx.x * 256;

    // 258 words, element first - 1 at the front; two threads bring a second one.
    for (int k = t; k < 258; k += block.size()) {
        const int i = first - 1 + k;
        tile[k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    block.sync();

    if (first + t < n)
        out[first + t] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    __shared__ float part[8];
    const int i = blockIdx.x * 256 + block.thread_rank();

    // Everybody takes part, with 0 where there is no element.
    const float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = sum;
    block.sync();

    if (warp.meta_group_rank() == 0) {
        const unsigned lane = warp.thread_rank();
        const float all = cg::reduce(warp, lane < 8 ? part[lane] : 0.0f, cg::plus<float>());
        if (lane == 0)
            out[blockIdx.x] = all;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[256];
    const int t = block.thread_rank(), first = blockIdx.x * 256, here = min(256, n - first);

    if (t < here)
        tile[here - 1 - t] = in[first + t];  // turned round among those that exist
    block.sync();
    if (t < here)
        out[n - first - here + t] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    auto block = cg::this_thread_block();
    __shared__ float tile[257];
    const int t = block.thread_rank(), first = blockIdx.x * 256, here = min(256, n - first);

    // One copy for the whole block: its elements and, but for the first block, the one before.
    const int before = first > 0 ? 1 : 0;
    cg::memcpy_async(block, tile + 1 - before, in + first - before, sizeof(float) * (here + before));
    if (t == 0 && !before)
        tile[0] = 0.0f;
    cg::wait(block);  // for all copies of all threads
    block.sync();     // and for the 0

    if (t < here)
        out[first + t] = tile[t + 1] - tile[t];
}
