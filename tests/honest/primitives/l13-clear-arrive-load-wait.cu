// lesson 13; device sim,gpu; nvcc; want: full; tries: a cluster of one whose barrier is met in two halves: counts are cleared before, the first quads loaded between
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 1, 1)

__global__ void __cluster_dims__(1, 1, 1)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    auto cluster = cg::this_cluster();
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    counts[t] = 0;
    auto token = cluster.barrier_arrive();

    auto count = [&](uint4 q) {
        unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int w = 0; w < 4; w++)
#pragma unroll
            for (int at = 0; at < 32; at += 8)
                atomicAdd(&counts[(words[w] >> at & 255) >> shift], 1);
    };

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        int have = cols / 16;
        uint4 now = t < have ? quads[t] : make_uint4(0, 0, 0, 0);
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
        for (int i = t; i < have; i += 256) {
            uint4 next = i + 256 < have ? quads[i + 256] : make_uint4(0, 0, 0, 0);
            count(now);
            now = next;
        }
    } else {
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    }
    cluster.sync();
    out[blockIdx.x * 256 + t] = counts[t];
}
