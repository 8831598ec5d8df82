// lesson 13; device sim,gpu; nvcc; want: full; tries: two rows a block, each for a cg tile of 128 threads that syncs by itself
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
LAUNCH(256, 1, 2, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ unsigned counts[2][256];
    auto block = cg::this_thread_block(memory);
    auto team = cg::tiled_partition<128>(block);
    const unsigned me = team.thread_rank(), row = blockIdx.x * 2 + team.meta_group_rank();
    if (row >= (unsigned)rows) return;
    unsigned *h = counts[team.meta_group_rank()];
    for (unsigned v = me; v < 256; v += team.size()) h[v] = 0;
    team.sync();
    const unsigned char *p = in + (size_t)row * cols;
    if (cols % 16 == 0)
        for (int i = me; i < cols / 16; i += team.size()) {
            union { uint4 q; unsigned char b[16]; } u;
            u.q = reinterpret_cast<const uint4 *>(p)[i];
#pragma unroll
            for (int j = 0; j < 16; j++) atomicAdd(h + (u.b[j] >> shift), 1);
        }
    else
        for (int i = me; i < cols; i += team.size()) atomicAdd(h + (p[i] >> shift), 1);
    team.sync();
    for (unsigned v = me; v < 256; v += team.size()) out[row * 256 + v] = h[v];
}
