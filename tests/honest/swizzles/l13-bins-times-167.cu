// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: bin v lives at 167 v mod 256; bytes walk through a templated visitor, 8 at a time, 512 threads
LAUNCH(512, 1, 1, 1)

struct Bins {
    unsigned at[256];

    // 167 is odd: v -> 167 v is one to one modulo 256.
    __device__ static unsigned place(unsigned v) { return v * 167u & 255u; }
    __device__ unsigned &operator[](unsigned v) { return at[place(v)]; }
    __device__ void operator+=(unsigned v) { atomicAdd(&(*this)[v], 1u); }
};

template <int LEFT>
struct Bytes {
    template <typename Visit>
    __device__ __forceinline__ static void each(unsigned long long bits, Visit &&visit)
    {
        visit((unsigned)(bits & 255));
        Bytes<LEFT - 1>::each(bits >> 8, visit);
    }
};
template <>
struct Bytes<0> {
    template <typename Visit>
    __device__ __forceinline__ static void each(unsigned long long, Visit &&)
    {
    }
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ Bins bins;
    const unsigned char *bytes = in + (size_t)cols * blockIdx.x;
    unsigned t = threadIdx.x;

    if (t < 256)
        bins.at[t] = 0;
    __syncthreads();

    auto seen = [&](unsigned byte) { bins += byte >> shift; };
    if (cols % 8 == 0) {
        const unsigned long long *eights = (const unsigned long long *)bytes;
#pragma unroll 4
        for (unsigned i = t; i < (unsigned)cols / 8; i += 512)
            Bytes<8>::each(eights[i], seen);
    } else
        for (unsigned i = t; i < (unsigned)cols; i += 512)
            Bytes<1>::each(bytes[i], seen);
    __syncthreads();

    if (t < 256)
        out[blockIdx.x * 256 + t] = bins[t];
}
