// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 128 threads, counts for each warp (cleared with 16 bytes a lane, __syncwarp is enough), bytes by prmt, next 16 bytes under way, merged in pairs
#include <cooperative_groups.h>

LAUNCH(128, 1, 1, 1)

namespace cg = cooperative_groups;

constexpr unsigned WARPS = 4, BINS = 256;

__device__ __forceinline__ void count4(unsigned *mine, unsigned word, int shift)
{
#pragma unroll
    for (unsigned j = 0; j < 4; j++)
        atomicAdd(mine + (__byte_perm(word, 0, 0x4440 | j) >> shift), 1u);  // byte j, zeros above it
}

__global__ void __launch_bounds__(32 * WARPS)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(16) unsigned counts[WARPS][BINS];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const unsigned t = block.thread_rank(), lane = warp.thread_rank();
    unsigned *mine = counts[warp.meta_group_rank()];

#pragma unroll
    for (unsigned j = 0; j < BINS / 128; j++)
        reinterpret_cast<uint4 *>(mine)[j * 32 + lane] = make_uint4(0, 0, 0, 0);
    warp.sync();

    const unsigned char *p = in + (size_t)blockIdx.x * cols, *const end = p + cols;
    // Up to a multiple of 16 bytes: a byte for each of the first threads.
    unsigned head = (unsigned)(0 - (size_t)p) & 15;
    if (head > (unsigned)cols)
        head = cols;
    if (t < head)
        atomicAdd(mine + (p[t] >> shift), 1u);
    p += head;

    const unsigned quads = (unsigned)(end - p) / 16;
    const uint4 *body = reinterpret_cast<const uint4 *>(p);
    if (t < quads) {
        uint4 now = __ldcs(body + t);
        for (unsigned i = t + 32 * WARPS; i < quads; i += 32 * WARPS) {
            const uint4 next = __ldcs(body + i);
            count4(mine, now.x, shift);
            count4(mine, now.y, shift);
            count4(mine, now.z, shift);
            count4(mine, now.w, shift);
            now = next;
        }
        count4(mine, now.x, shift);
        count4(mine, now.y, shift);
        count4(mine, now.z, shift);
        count4(mine, now.w, shift);
    }

    // What is left behind the last multiple of 16 bytes: the last threads.
    p += quads * 16;
    if (p + (32 * WARPS - 1 - t) < end)
        atomicAdd(mine + (p[32 * WARPS - 1 - t] >> shift), 1u);
    block.sync();

    // Two neighbouring bins a thread.
    uint2 sum = make_uint2(0, 0);
#pragma unroll
    for (unsigned w = 0; w < WARPS; w++) {
        const uint2 two = reinterpret_cast<const uint2 *>(counts[w])[t];
        sum.x += two.x;
        sum.y += two.y;
    }
    reinterpret_cast<uint2 *>(out + (size_t)blockIdx.x * BINS)[t] = sum;
}
