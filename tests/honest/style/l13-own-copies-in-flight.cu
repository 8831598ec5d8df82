// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: each thread keeps three 16-byte cp.async of its own under way in a ring of four and counts what it alone has copied and waited for, so the ring needs no barrier, counts are cleared, counted and written between two
#include <cuda_pipeline.h>

LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ uint4 ring[4][256];
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, quads = cols % 16 == 0 ? cols / 16 : 0;

    auto fetch = [&](int turn) {
        int i = t + turn * 256;
        if (i < quads)
            __pipeline_memcpy_async(&ring[turn % 4][t], (const uint4 *)bytes + i, 16);
        __pipeline_commit();  // an empty group where there is nothing, so that the number fits
    };
    for (int turn = 0; turn < 3; turn++)
        fetch(turn);
    counts[t] = 0;
    __syncthreads();

    if (cols % 16 == 0)
        for (int turn = 0; t + turn * 256 < quads; turn++) {
            fetch(turn + 3);
            __pipeline_wait_prior(3);
            uint4 q = ring[turn % 4][t];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int w = 0; w < 4; w++)
#pragma unroll
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(words[w] >> at & 255) >> shift], 1);
        }
    else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
