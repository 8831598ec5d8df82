// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: counters go down from 0xffffffff by atomicDec, and the count is the complement
LAUNCH(256, 1, 1, 1)

// Four bytes, each a bin.
__device__ __forceinline__ void count(unsigned *left, unsigned word, int shift)
{
#pragma unroll
    for (int j = 0; j < 4; j++, word >>= 8)
        atomicDec(left + ((word & 0xff) >> shift), 0xffffffffu);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned left[256];
    const unsigned char *bytes = in + (size_t)blockIdx.x * cols;
    unsigned *to = out + blockIdx.x * 256;

    left[threadIdx.x] = ~0u;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
#pragma unroll 2
        for (int i = threadIdx.x; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            count(left, q.x, shift);
            count(left, q.y, shift);
            count(left, q.z, shift);
            count(left, q.w, shift);
        }
    } else if (cols % 4 == 0) {
        const unsigned *words = (const unsigned *)bytes;
        for (int i = threadIdx.x; i < cols / 4; i += 256)
            count(left, words[i], shift);
    } else
        for (int i = threadIdx.x; i < cols; i += 256)
            atomicDec(left + (bytes[i] >> shift), 0xffffffffu);
    __syncthreads();

    to[threadIdx.x] = ~left[threadIdx.x];
}
