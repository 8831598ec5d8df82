// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: rows at any address: a head up to the next multiple of 16, uint4s, a tail; two counters for even and odd warps; __byte_perm
LAUNCH(256, 1, 1, 1)

// Byte number B of a word, and zeros above it.
template <unsigned B>
__device__ __forceinline__ unsigned byte(unsigned word)
{
    return __byte_perm(word, 0u, 0x4440u + B);
}

struct Counter {
    unsigned *counts;
    int shift;

    __device__ __forceinline__ void one(unsigned value) const { atomicAdd(counts + (value >> shift), 1u); }
    __device__ __forceinline__ void word(unsigned w) const
    {
        one(byte<0>(w));
        one(byte<1>(w));
        one(byte<2>(w));
        one(byte<3>(w));
    }
};

__global__ void __launch_bounds__(256)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[2][256];
    const unsigned t = threadIdx.x;

    counts[0][t] = 0u;
    counts[1][t] = 0u;
    __syncthreads();

    const unsigned char *const row = in + size_t(blockIdx.x) * size_t(cols);
    const unsigned bytes = unsigned(cols);
    const unsigned head = min(bytes, unsigned(-reinterpret_cast<unsigned long long>(row)) & 15u);
    const unsigned quads = (bytes - head) >> 4, tail = head + (quads << 4);

    const Counter count{counts[(t >> 5) & 1u], shift};
    if (t < head)
        count.one(__ldg(row + t));
    if (t < bytes - tail)
        count.one(__ldg(row + tail + t));
    const uint4 *const wide = reinterpret_cast<const uint4 *>(row + head);
    for (unsigned i = t; i < quads; i += 256u) {
        const uint4 q = __ldg(wide + i);
        count.word(q.x);
        count.word(q.y);
        count.word(q.z);
        count.word(q.w);
    }
    __syncthreads();

    out[blockIdx.x * 256u + t] = counts[0][t] + counts[1][t];
}
