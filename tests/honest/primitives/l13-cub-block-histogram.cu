// lesson 13; device sim,gpu; nvcc; want: full; tries: cub::BlockHistogram by atomics on tiles of 256 x 16 bytes, 16 bytes a load, the rest of a row by plain atomics on the same counts: right, with a barrier after the clearing and one before the counts leave
#include <cub/block/block_histogram.cuh>
LAUNCH(256, 1, 1, 1)

using Counts = cub::BlockHistogram<unsigned char, 256, 16, 256, cub::BLOCK_HISTO_ATOMIC>;

union Quad {
    uint4 all;
    unsigned char items[16];
};

__global__ void __launch_bounds__(256) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ typename Counts::TempStorage storage;
    __shared__ unsigned counts[256];
    Counts block(storage);
    block.InitHistogram(counts);
    __syncthreads();

    const unsigned char *bytes = in + (size_t)blockIdx.x * cols;
    int done = 0;
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (; done + 4096 <= cols; done += 4096) {  // whole tiles: the bound is the block's
            Quad q;
            q.all = quads[done / 16 + threadIdx.x];
#pragma unroll
            for (int i = 0; i < 16; i++)
                q.items[i] = q.items[i] >> shift;
            block.Composite(q.items, counts);
        }
        for (int i = done / 16 + threadIdx.x; i < cols / 16; i += 256) {
            Quad q;
            q.all = quads[i];
#pragma unroll
            for (int k = 0; k < 16; k++)
                atomicAdd(&counts[q.items[k] >> shift], 1u);
        }
    } else
        for (int i = threadIdx.x; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
