// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the tile is kept in Z order (Morton), as textures are: row and column bits interleaved
LAUNCH(32, 8, 32, 32)

// abcde -> 0a0b0c0d0e
__device__ constexpr unsigned spread(unsigned x)
{
    x = (x | x << 4) & 0x10f;
    x = (x | x << 2) & 0x133;
    return (x | x << 1) & 0x155;
}

static_assert(spread(31) == 0x155 && spread(16) == 0x100 && spread(5) == 0x11 && spread(10) == 0x44, "");

struct Place {
    unsigned bits;  // columns in the even bits, rows in the odd ones
    __device__ Place(unsigned r, unsigned c) : bits(spread(r) << 1 | spread(c)) {}
    __device__ operator unsigned() const { return bits; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float z[1024];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;

    {
        const unsigned column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
        const float *from = in + (size_t)row * width + column;
#pragma unroll
        for (unsigned j = 0; j < 32; j += 8)
            if (column < (unsigned)width && row + j < (unsigned)height)
                z[Place(ty + j, tx)] = from[(size_t)j * width];
    }
    __syncthreads();
    {
        const unsigned column = blockIdx.y * 32 + tx, row = blockIdx.x * 32 + ty;
        float *to = out + (size_t)row * height + column;
#pragma unroll
        for (unsigned j = 0; j < 32; j += 8)
            if (column < (unsigned)height && row + j < (unsigned)width)
                to[(size_t)j * height] = z[Place(tx, ty + j)];
    }
}
