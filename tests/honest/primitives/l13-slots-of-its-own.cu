// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: a thread's bytes come by cp.async into a ring of slots that only this thread uses, counts in shared memory
#include <cuda_pipeline.h>

LAUNCH(256, 1, 1, 1)

constexpr int SLOTS = 4;

__global__ void __launch_bounds__(256) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ uint4 ring[SLOTS][256];
    __shared__ unsigned counts[256];

    const int t = threadIdx.x;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    const int quads = cols % 16 == 0 ? cols / 16 : 0;  // else rows begin anywhere

    // The copies may be under way while the counts are cleared.
    auto fetch = [&](int turn) {
        int i = turn * 256 + t;
        if (i < quads)
            __pipeline_memcpy_async(&ring[turn % SLOTS][t], bytes + (size_t)i * 16, 16);
        __pipeline_commit();
    };
#pragma unroll
    for (int turn = 0; turn < SLOTS - 1; turn++)
        fetch(turn);

    counts[t] = 0;
    __syncthreads();

    for (int turn = 0; turn * 256 + t < quads; turn++) {
        __pipeline_wait_prior(SLOTS - 2);  // this thread's copy, and no one else reads it
        const uint4 q = ring[turn % SLOTS][t];
        fetch(turn + SLOTS - 1);           // into the slot that the turn before has emptied
        const unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int w = 0; w < 4; w++)
#pragma unroll
            for (int b = 0; b < 4; b++)
                atomicAdd(&counts[__byte_perm(words[w], 0, 0x4440 | b) >> shift], 1u);
    }
    __pipeline_wait_prior(0);

    if (cols % 16 != 0) {
        // Up to the first multiple of 4 by bytes, then words, then bytes again.
        const int head = min(cols, (int)(-(size_t)bytes & 3)), words = (cols - head) / 4;
        const unsigned *from = reinterpret_cast<const unsigned *>(bytes + head);
        if (t < head)
            atomicAdd(&counts[bytes[t] >> shift], 1u);
        for (int i = t; i < words; i += 256) {
            const unsigned w = from[i];
#pragma unroll
            for (int b = 0; b < 4; b++)
                atomicAdd(&counts[__byte_perm(w, 0, 0x4440 | b) >> shift], 1u);
        }
        if (head + words * 4 + t < cols)
            atomicAdd(&counts[bytes[head + words * 4 + t] >> shift], 1u);
    }
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
