// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: four warps, rows of any alignment peeled to 16-byte loads in batches of four, bytes picked by __byte_perm
#include <cstdint>

LAUNCH(128, 1, 1, 1)

constexpr int THREADS = 128;

struct Counter {
    unsigned *counts;
    int shift;
    __device__ __forceinline__ void operator()(unsigned byte) const { atomicAdd(counts + (byte >> shift), 1); }
    __device__ __forceinline__ void word(unsigned w) const
    {
        (*this)(__byte_perm(w, 0, 0x4440));
        (*this)(__byte_perm(w, 0, 0x4441));
        (*this)(__byte_perm(w, 0, 0x4442));
        (*this)(__byte_perm(w, 0, 0x4443));
    }
    __device__ __forceinline__ void vector(const uint4 &v) const
    {
        word(v.x);
        word(v.y);
        word(v.z);
        word(v.w);
    }
};

__global__ void __launch_bounds__(THREADS)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ uint2 counts[128];  // 256 counts
    const int t = threadIdx.x;
    const unsigned char *row = in + blockIdx.x * (size_t)cols;

    counts[t] = make_uint2(0, 0);
    __syncthreads();

    const Counter count{reinterpret_cast<unsigned *>(counts), shift};

    // head | vectors of 16 bytes | tail
    const int head = min(cols, (int)(-reinterpret_cast<uintptr_t>(row) & 15));
    const int vectors = (cols - head) / 16, tail = head + vectors * 16;
    const uint4 *body = reinterpret_cast<const uint4 *>(row + head);

    int i = t;
    for (; i + 3 * THREADS < vectors; i += 4 * THREADS) {
        uint4 v[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            v[j] = __ldcs(body + i + j * THREADS);
#pragma unroll
        for (int j = 0; j < 4; j++)
            count.vector(v[j]);
    }
    for (; i < vectors; i += THREADS)
        count.vector(__ldcs(body + i));

    if (t < head)  // at most 15
        count(row[t]);
    if (t >= 64 && tail + t - 64 < cols)  // at most 15, by another warp
        count(row[tail + t - 64]);

    __syncthreads();
    reinterpret_cast<uint2 *>(out)[blockIdx.x * (size_t)128 + t] = counts[t];
}
