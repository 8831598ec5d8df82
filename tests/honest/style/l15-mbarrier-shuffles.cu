// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: neighbours by shuffles and a seam array, totals by cg tiles, reverse by t ^ 255 and a named barrier, differences by cp.async.mbarrier.arrive.noinc
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

static __device__ __forceinline__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void neighbours(float *out, const float *in, int n)
{
    // What the warps have at their ends; places 0 and 9 belong to the blocks next door.
    __shared__ float first[10], last[10];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t & 31, warp = t / 32 + 1;

    const float mine = i < n ? in[i] : 0.0f;
    if (lane == 0)
        first[warp] = mine;
    if (lane == 31)
        last[warp] = mine;
    if (t == 0)
        last[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        first[9] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();

    float before = __shfl_up_sync(~0u, mine, 1), after = __shfl_down_sync(~0u, mine, 1);
    if (lane == 0)
        before = last[warp - 1];
    if (lane == 31)
        after = first[warp + 1];
    if (i < n)
        out[i] = before + mine + after;
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int i = blockIdx.x * 256 + threadIdx.x;

    float sum = i < n ? in[i] : 0.0f;
    for (int d = 16; d >= 1; d >>= 1)
        sum += warp.shfl_down(sum, d);
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        auto eight = cg::tiled_partition<8>(warp);
        sum = part[eight.thread_rank()];
        for (int d = 4; d >= 1; d >>= 1)
            sum += eight.shfl_down(sum, d);
        if (warp.thread_rank() == 0)
            out[blockIdx.x] = sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    const int t = threadIdx.x, first = blockIdx.x * 256;

    if (first + t < n)
        tile[t ^ 255] = in[first + t];
    asm volatile("barrier.sync 7, 256;" ::: "memory");
    const int to = n - first - 256 + t;
    if (to >= 0)
        out[to] = tile[t];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    __shared__ unsigned long long come;
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    const unsigned gate = shared_address(&come);

    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(gate) : "memory");
    __syncthreads();

    if (i < n)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + t + 1)), "l"(in + i) : "memory");
    if (t == 0)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     ::"r"(shared_address(tile)), "l"(i > 0 ? in + i - 1 : in), "r"(i > 0 ? 4 : 0)
                     : "memory");
    // Arrives for this thread when all copies that it has issued are there.
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(gate) : "memory");
    unsigned over;
    do
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(gate) : "memory");
    while (!over);

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
