// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: a histogram for each of eight warps, zeroed with __syncwarp only, 16 bytes a load, merged by uint4 at the end; __byte_perm picks bytes
LAUNCH(256, 1, 1, 1)

struct Counts {
    unsigned bin[256];
    __device__ __forceinline__ void add(unsigned v) { atomicAdd_block(bin + v, 1u); }
};

template <int... Byte>
__device__ __forceinline__ void four(Counts &mine, unsigned word, int shift)
{
    // Selector 0x444n: byte n, and zeros of the other operand.
    (mine.add(__byte_perm(word, 0, 0x4440 + Byte) >> shift), ...);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(16) Counts of_warp[8];
    const unsigned t = threadIdx.x, lane = t % 32;
    Counts &mine = of_warp[t / 32];
    for (unsigned v = lane; v < 64; v += 32)
        reinterpret_cast<uint4 *>(mine.bin)[v] = uint4{0, 0, 0, 0};
    __syncwarp();

    const unsigned char *bytes = in + (size_t)blockIdx.x * (unsigned)cols;
    const unsigned count = cols;
    if ((count & 15) == 0)
        for (unsigned i = t; i < count >> 4; i += 256) {
            const uint4 q = reinterpret_cast<const uint4 *>(bytes)[i];
            const unsigned words[] = {q.x, q.y, q.z, q.w};
            for (unsigned word : words)
                four<0, 1, 2, 3>(mine, word, shift);
        }
    else if ((count & 3) == 0)
        for (unsigned i = t; i < count >> 2; i += 256)
            four<0, 1, 2, 3>(mine, reinterpret_cast<const unsigned *>(bytes)[i], shift);
    else
        for (unsigned i = t; i < count; i += 256)
            mine.add(bytes[i] >> shift);
    __syncthreads();

    unsigned sum = 0;
#pragma unroll
    for (const Counts &c : of_warp)
        sum += c.bin[t];
    out[blockIdx.x * 256u + t] = sum;
}
