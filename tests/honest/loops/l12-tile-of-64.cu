// lesson 12; device sim,gpu; nvcc; want: pass; tries: cooperative groups' tiles of 64 threads (two warps) with block_tile_memory: each has 256 outputs, a tile of its own and its own sync (their barriers take wavefronts beyond the 8 that full marks allow)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ float4 strips[4][68];
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto two_warps = cg::tiled_partition<64>(block);
    const int which = two_warps.meta_group_rank(), rank = two_warps.thread_rank();
    float4 *const strip = strips[which];
    const int begin = blockIdx.x * 1024 + which * 256;

    auto word = [&](int i) { return i >= 0 && i < n ? in[i] : 0.0f; };
    for (int q = rank; q < 68; q += 64) {
        const int i = begin - 8 + q * 4;
        strip[q] = i >= 0 && i + 4 <= n ? *(const float4 *)(in + i) : make_float4(word(i), word(i + 1), word(i + 2), word(i + 3));
    }
    two_warps.sync();

    const int i = begin + rank * 4;
    if (i >= n)
        return;
    const float4 a = strip[rank], b = strip[rank + 1], c = strip[rank + 2], d = strip[rank + 3], e = strip[rank + 4];
    const float inner = b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
    const float r[4] = {a.x + a.y + a.z + a.w + inner + e.x, a.y + a.z + a.w + inner + e.x + e.y,
                        a.z + a.w + inner + e.x + e.y + e.z, a.w + inner + e.x + e.y + e.z + e.w};
    if (i + 4 <= n)
        *(float4 *)(out + i) = make_float4(r[0], r[1], r[2], r[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = r[j];
}
