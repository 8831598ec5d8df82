// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: red.shared on counts that even and odd lanes keep apart, head and tail of a row peeled, loops by goto
LAUNCH(512, 1, 1, 1)

// Bin v of set s is word 2 v + s.
struct __align__(16) Counts {
    unsigned word[512];
    __device__ __forceinline__ unsigned base(unsigned lane) const
    {
        return (unsigned)__cvta_generic_to_shared(word) + (lane & 1) * 4;
    }
};

__device__ __forceinline__ void count(unsigned base, unsigned bin)
{
    asm volatile("red.relaxed.cta.shared::cta.add.u32 [%0], 1;" :: "r"(base + bin * 8) : "memory");
}

template <int AT>
__device__ __forceinline__ void four_bytes(unsigned base, unsigned word, int shift)
{
    if constexpr (AT < 32) {
        unsigned byte;
        asm("bfe.u32 %0, %1, %2, 8;" : "=r"(byte) : "r"(word), "n"(AT));
        count(base, byte >> shift);
        four_bytes<AT + 8>(base, word, shift);
    }
}

__global__ void __launch_bounds__(512) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ Counts counts;
    __builtin_assume(cols > 0);

    const unsigned t = threadIdx.x;
    const unsigned base = counts.base(t);
    const unsigned char *row = in + blockIdx.x * (size_t)cols;

    counts.word[t] = 0;
    __syncthreads();

    {
        // Bytes before the first multiple of 16, whole quads, bytes behind the last of them.
        const int head = min(cols, (int)(-(unsigned long long)row & 15));
        const int quads = (cols - head) / 16, tail = cols - head - quads * 16;
        const uint4 *from = reinterpret_cast<const uint4 *>(row + head);

        if (t < head)
            count(base, row[t] >> shift);
        if (t < tail)
            count(base, row[head + quads * 16 + t] >> shift);

        int i = t;
        uint4 next;
        if (i >= quads)
            goto counted;
        next = __ldcs(from + i);
    again: {
        const uint4 now = next;
        i += 512;
        if (i < quads)
            next = __ldcs(from + i);  // on its way while these sixteen are counted
        four_bytes<0>(base, now.x, shift);
        four_bytes<0>(base, now.y, shift);
        four_bytes<0>(base, now.z, shift);
        four_bytes<0>(base, now.w, shift);
        if (i < quads)
            goto again;
    }
    counted:;
    }
    __syncthreads();

    if (t < 256) {
        const uint2 both = reinterpret_cast<const uint2 *>(counts.word)[t];
        out[blockIdx.x * 256 + t] = both.x + both.y;
    }
}
