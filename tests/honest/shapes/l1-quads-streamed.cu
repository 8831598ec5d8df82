// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups, a lambda that is given chunks, float4 with streaming hints, and another path for pointers that are no multiples of 16
#include <cooperative_groups.h>

LAUNCH(256, 1, 8192, 1)

namespace cg = cooperative_groups;

// Calls f(i) for i = first, first + 1, ... last - 1, each by one thread of the group.
template <class Group, class F>
__device__ __forceinline__ void share_out(const Group &group, int first, int last, F f)
{
#pragma unroll 4
    for (int i = first + static_cast<int>(group.thread_rank()); i < last; i += static_cast<int>(group.size()))
        f(i);
}

__global__ void copy(float *out, const float *in, int n)
{
    const cg::thread_block block = cg::this_thread_block();
    const int first = blockIdx.x * 8192, last = first + min(8192, n - first);

    const bool aligned = ((reinterpret_cast<unsigned long long>(out) | reinterpret_cast<unsigned long long>(in)) & 15) == 0;
    if (aligned) {
        auto *to = reinterpret_cast<float4 *>(out);
        auto *from = reinterpret_cast<const float4 *>(in);
        share_out(block, first / 4, last / 4, [=](int q) { __stcs(&to[q], __ldcs(&from[q])); });
        // At most three floats are left over, and only where the array ends.
        share_out(block, last / 4 * 4, last, [=](int i) { out[i] = in[i]; });
    } else {
        share_out(block, first, last, [=](int i) { out[i] = in[i]; });
    }
}
