// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: a histogram for each of eight warps, added up at the end; bytes taken out by prmt and handed to a functor; rows by 16, 4 or 1 bytes
LAUNCH(256, 1, 1, 1)

constexpr int BINS = 256, WARPS = 8;

struct Counter {
    unsigned *bins;
    int shift;
    __device__ void operator()(unsigned byte) const { atomicAdd(bins + (byte >> shift), 1u); }
};

// f(byte) for the four bytes of a word.
template <class F>
__device__ __forceinline__ void each_byte(unsigned word, const F &f)
{
    f(__byte_perm(word, 0, 0x4440));
    f(__byte_perm(word, 0, 0x4441));
    f(__byte_perm(word, 0, 0x4442));
    f(__byte_perm(word, 0, 0x4443));
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[WARPS][BINS];
    const int t = threadIdx.x;

    for (int e = t; e < WARPS * BINS; e += 256)
        (&bins[0][0])[e] = 0;
    __syncthreads();

    const Counter count{bins[t / 32], shift};
    const unsigned char *row = in + (size_t)blockIdx.x * cols;

    if (cols % 16 == 0) {
        const uint4 *quads = reinterpret_cast<const uint4 *>(row);
        for (int i = t; i < cols / 16; i += 256) {
            const uint4 q = quads[i];
            each_byte(q.x, count);
            each_byte(q.y, count);
            each_byte(q.z, count);
            each_byte(q.w, count);
        }
    } else if (cols % 4 == 0) {
        const unsigned *words = reinterpret_cast<const unsigned *>(row);
        for (int i = t; i < cols / 4; i += 256)
            each_byte(words[i], count);
    } else {
        for (int i = t; i < cols; i += 256)
            count(row[i]);
    }
    __syncthreads();

    unsigned sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        sum += bins[w][t];
    out[(size_t)blockIdx.x * BINS + t] = sum;
}
