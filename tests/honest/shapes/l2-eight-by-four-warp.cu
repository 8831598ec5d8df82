// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a warp stands 8 rows by 4 columns over the matrix (lane numbers are cut up by bfe), so that each of its stores is four whole sectors of four rows of out
LAUNCH(128, 1, 32, 32)

__device__ __forceinline__ unsigned ptx_bits(unsigned word, unsigned from, unsigned many)
{
    unsigned bits;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bits) : "r"(word), "r"(from), "r"(many));
    return bits;
}

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    const unsigned id = threadIdx.x;
    // Bits 0-2: row within eight. Bits 3-4: column within four. Bits 5-6 (the warp): which eight columns.
    const unsigned r = ptx_bits(id, 0, 3), c = ptx_bits(id, 3, 2), strip = ptx_bits(id, 5, 2);
    const unsigned column = blockIdx.x * 32u + strip * 8 + c, row = blockIdx.y * 32u + r;

    // Both halves of a sector of in one after the other: the second comes from L1. Four groups of
    // eight rows; the loads do not wait for each other.
    float held[4][2];
#pragma unroll
    for (unsigned down = 0; down < 4; down++)
#pragma unroll
        for (unsigned half = 0; half < 2; half++) {
            const unsigned y = row + down * 8, x = column + half * 4;
            held[down][half] = y < (unsigned)height && x < (unsigned)width ? in[(size_t)y * width + x] : 0.0f;
        }
#pragma unroll
    for (unsigned half = 0; half < 2; half++)
#pragma unroll
        for (unsigned down = 0; down < 4; down++) {
            const unsigned y = row + down * 8, x = column + half * 4;
            if (y < (unsigned)height && x < (unsigned)width)
                out[(size_t)x * height + y] = held[down][half];
        }
}
