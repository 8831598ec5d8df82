// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: rows may begin anywhere: bytes up to a multiple of 16 are peeled off, then four 16-byte loads are in flight before any count
LAUNCH(256, 1, 1, 1)

constexpr unsigned THREADS = 256;

// Sixteen bytes, one count each.
__device__ __forceinline__ void count16(unsigned *counts, const uint4 &q, int shift)
{
    auto word = [=](unsigned w) {
        atomicAdd(&counts[(w & 0xff) >> shift], 1u);
        atomicAdd(&counts[(w >> 8 & 0xff) >> shift], 1u);
        atomicAdd(&counts[(w >> 16 & 0xff) >> shift], 1u);
        atomicAdd(&counts[w >> 24 >> shift], 1u);
    };
    word(q.x);
    word(q.y);
    word(q.z);
    word(q.w);
}

__global__ void __launch_bounds__(THREADS)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[THREADS];
    const unsigned t = threadIdx.x, length = cols;
    const unsigned char *bytes = in + (size_t)blockIdx.x * length;

    counts[t] = 0;

    unsigned head = (unsigned)(0 - (size_t)bytes) & 15;
    if (head > length)
        head = length;
    const unsigned quads = (length - head) / 16, tail = (length - head) % 16;
    const uint4 *body = reinterpret_cast<const uint4 *>(bytes + head);

    // The first batch need not wait for anybody.
    uint4 q[4];
    const bool first = 4 * THREADS <= quads;
    if (first)
#pragma unroll
        for (unsigned j = 0; j < 4; j++)
            q[j] = __ldcs(body + j * THREADS + t);
    __syncthreads();

    unsigned done = 0;
    if (first) {
        for (;;) {
#pragma unroll
            for (unsigned j = 0; j < 4; j++)
                count16(counts, q[j], shift);
            done += 4 * THREADS;
            if (done + 4 * THREADS > quads)
                break;
#pragma unroll
            for (unsigned j = 0; j < 4; j++)
                q[j] = __ldcs(body + done + j * THREADS + t);
        }
    }
    for (unsigned i = done + t; i < quads; i += THREADS)
        count16(counts, __ldcs(body + i), shift);

    // One warp has the bytes in front, another those behind.
    if (t < head)
        atomicAdd(&counts[bytes[t] >> shift], 1u);
    if (t - 32 < tail)  // unsigned: t from 32 on
        atomicAdd(&counts[bytes[head + quads * 16 + (t - 32)] >> shift], 1u);
    __syncthreads();

    out[(size_t)blockIdx.x * 256 + t] = counts[t];
}
