// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: column XOR bit-reversed row (__brev), extern-free raw byte buffer with __align__, registers loaded first, stored after
LAUNCH(32, 8, 32, 32)

__device__ static unsigned where(unsigned r, unsigned c)
{
    // The five bits of r in reverse. Also a permutation, so it does as well as r itself.
    const unsigned mirrored = __brev(r) >> 27;
    return (r << 7) | ((c ^ mirrored) << 2);  // in bytes
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) unsigned char raw[4096];

    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned W = width, H = height;

    {
        float held[4];
        const unsigned column = blockIdx.x * 32 + x;
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned row = blockIdx.y * 32 + y + 8 * j;
            held[j] = row < H && column < W ? __ldg(in + (unsigned long long)row * W + column) : 0.0f;
        }
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
            *reinterpret_cast<float *>(raw + where(y + 8 * j, x)) = held[j];
    }
    __syncthreads();
    {
        float held[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
            held[j] = *reinterpret_cast<const float *>(raw + where(x, y + 8 * j));
        const unsigned column = blockIdx.y * 32 + x;
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned row = blockIdx.x * 32 + y + 8 * j;
            if (row < W && column < H)
                __stcs(out + (unsigned long long)row * H + column, held[j]);
        }
    }
}
