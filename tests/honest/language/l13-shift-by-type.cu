// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: the shift becomes a compile-time constant: a fold over an index sequence picks one of nine instances, in which a bin is one bit field of the word, and a bin of no bits needs no counting byte by byte
#include <utility>

LAUNCH(256, 1, 1, 1)

template <int SHIFT>
struct Counter {
    unsigned *counts;

    __device__ __forceinline__ void byte(unsigned value) const { atomicAdd(&counts[value >> SHIFT], 1u); }

    __device__ __forceinline__ void word(unsigned four) const
    {
#pragma unroll
        for (int at = 0; at < 32; at += 8)
            atomicAdd(&counts[four >> (at + SHIFT) & (255 >> SHIFT)], 1u);
    }
};

// All bytes are in bin 0. Lanes add how many they have met.
template <>
struct Counter<8> {
    unsigned *counts;
    __device__ __forceinline__ void byte(unsigned) const { atomicAdd(&counts[0], 1u); }
    __device__ __forceinline__ void word(unsigned) const { atomicAdd(&counts[0], 4u); }
};

template <int SHIFT>
__device__ void count_row(unsigned *counts, const unsigned char *bytes, int cols)
{
    const Counter<SHIFT> counter{counts};
    const int t = threadIdx.x;
    if (cols % 16 == 0) {
        const uint4 *from = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            const uint4 q = from[i];
            counter.word(q.x);
            counter.word(q.y);
            counter.word(q.z);
            counter.word(q.w);
        }
    } else if (cols % 4 == 0) {
        const unsigned *from = (const unsigned *)bytes;
        for (int i = t; i < cols / 4; i += 256)
            counter.word(from[i]);
    } else
        for (int i = t; i < cols; i += 256)
            counter.byte(bytes[i]);
}

template <int... SHIFT>
__device__ void dispatch(int shift, unsigned *counts, const unsigned char *bytes, int cols, std::integer_sequence<int, SHIFT...>)
{
    ((shift == SHIFT && (count_row<SHIFT>(counts, bytes, cols), true)) || ...);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    dispatch(shift, counts, in + blockIdx.x * (size_t)cols, cols, std::make_integer_sequence<int, 9>{});
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
