// lesson 15; device sim,gpu; nvcc; want: full; tries: every cure from a library or a register: neighbours by shuffles with only the warps' edges read again, totals by cub::BlockReduce, reverse by a shuffle alone, differences by cuda::memcpy_async into a cuda::barrier
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() makes it

namespace cg = cooperative_groups;

__global__ void neighbours(float *out, const float *in, int n)
{
    const int lane = threadIdx.x & 31, i = blockIdx.x * 256 + threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());

    const float here = i < n ? in[i] : 0.0f;
    float left = warp.shfl_up(here, 1), right = warp.shfl_down(here, 1);
    if (lane == 0)
        left = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
    if (lane == 31)
        right = i + 1 < n ? in[i + 1] : 0.0f;
    if (i < n)
        out[i] = left + here + right;
}

__global__ void totals(float *out, const float *in, int n)
{
    using Reduce = cub::BlockReduce<float, 256, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    __shared__ typename Reduce::TempStorage storage;

    const int i = blockIdx.x * 256 + threadIdx.x;
    const float sum = Reduce(storage).Sum(i < n ? in[i] : 0.0f);  // for thread 0
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void reverse(float *out, const float *in, int n)
{
    // Lane l stores what lane 31 - l has read: still 32 neighbours in order, at the mirrored place.
    const int lane = threadIdx.x & 31, first = blockIdx.x * 256 + (threadIdx.x & ~31);
    const float mine = first + lane < n ? in[first + lane] : 0.0f;
    const float other = __shfl_sync(0xffffffffu, mine, 31 - lane);
    const int to = n - 1 - (first + 31 - lane);
    if (to >= 0)
        out[to] = other;
}

__global__ void differences(float *out, const float *in, int n)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ float tile[257];
    __shared__ barrier arrived;

    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t == 0)
        init(&arrived, 256);
    __syncthreads();

    // Thread 0 of the first block has nobody on its left: a zero that is no copy of anything.
    if (i < n)
        cuda::memcpy_async(&tile[t + 1], &in[i], cuda::aligned_size_t<4>(4), arrived);
    if (t == 0) {
        if (i > 0)
            cuda::memcpy_async(&tile[0], &in[i - 1], cuda::aligned_size_t<4>(4), arrived);
        else
            tile[0] = 0.0f;
    }
    arrived.arrive_and_wait();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
