// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: a block of 32 x 8 threads and cooperative groups
#include <cooperative_groups.h>
LAUNCH(32, 8, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    auto block = cooperative_groups::this_thread_block();
    int t = block.thread_rank();

    for (int v = t; v < 256; v += block.size())
        counts[v] = 0;
    block.sync();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += block.size()) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += block.size())
            atomicAdd(&counts[bytes[i] >> shift], 1);
    block.sync();

    for (int v = t; v < 256; v += block.size())
        out[blockIdx.x * 256 + v] = counts[v];
}
