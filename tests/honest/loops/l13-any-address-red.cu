// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 16 bytes a load in rows that begin anywhere: ragged ends byte by byte, the middle in uint4; red.shared in PTX; 512 threads
LAUNCH(512, 1, 1, 1)

typedef unsigned char byte;

__device__ __forceinline__ void tally(unsigned counts, unsigned value)
{
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(counts + 4 * value) : "memory");
}

__global__ void __launch_bounds__(512)
histograms(unsigned *out, const byte *in, int rows, int cols, int shift)
{
    __shared__ unsigned table[256];
    const unsigned counts = static_cast<unsigned>(__cvta_generic_to_shared(table));
    const int t = threadIdx.x, threads = blockDim.x;

    if (t < 256)
        table[t] = 0;
    __syncthreads();

    const byte *const begin = in + blockIdx.x * static_cast<size_t>(cols), *const end = begin + cols;
    // The whole chunks of 16 bytes lie between `middle` and `rest`; a short row may have none.
    const byte *middle = reinterpret_cast<const byte *>((reinterpret_cast<unsigned long long>(begin) + 15) & ~15ull);
    const byte *rest = reinterpret_cast<const byte *>(reinterpret_cast<unsigned long long>(end) & ~15ull);
    if (middle >= rest)
        middle = rest = end;

    for (const byte *p = begin + t; p < middle; p += threads)
        tally(counts, *p >> shift);

    for (const uint4 *p = reinterpret_cast<const uint4 *>(middle) + t; p < reinterpret_cast<const uint4 *>(rest); p += threads) {
        const uint4 q = *p;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const unsigned word = i < 4 ? q.x : i < 8 ? q.y : i < 12 ? q.z : q.w;
            tally(counts, (word >> i % 4 * 8 & 0xff) >> shift);
        }
    }

    for (const byte *p = rest + t; p < end; p += threads)
        tally(counts, *p >> shift);
    __syncthreads();

    if (t < 256)
        out[blockIdx.x * static_cast<size_t>(256) + t] = table[t];
}
