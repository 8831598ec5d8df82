// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: cured with cooperative groups: block.sync(), cg::reduce, guards by signed index, cg::memcpy_async with cg::wait
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    auto block = cg::this_thread_block();
    int t = block.thread_rank(), i = blockIdx.x * 256 + t;

    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;
    block.sync();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank(), i = blockIdx.x * 256 + t;

    float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {  // a whole warp
        sum = cg::reduce(warp, t < 8 ? part[t] : 0.0f, cg::plus<float>());
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    auto block = cg::this_thread_block();
    int t = block.thread_rank(), first = blockIdx.x * 256;

    if (first + t < n)
        tile[255 - t] = in[first + t];
    block.sync();
    int to = n - first - 256 + t;  // negative where thread 255 - t had nothing to bring
    if (to >= 0)
        out[to] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    auto block = cg::this_thread_block();
    int t = block.thread_rank(), first = blockIdx.x * 256, i = first + t;
    int count = min(256, n - first);

    if (first > 0) {  // the one before the block as well
        cg::memcpy_async(block, tile, in + first - 1, sizeof(float) * (count + 1));
    } else {
        if (t == 0)
            tile[0] = 0.0f;
        cg::memcpy_async(block, tile + 1, in, sizeof(float) * count);
    }
    cg::wait(block);  // everybody's copies, and a barrier

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
