// lesson 5; device sim; nvcc,clang; want: full; tries: (r, c) is kept at column r * c of the dihedral group of order 32, whose table is a Latin square (checked by static_assert), so rows and columns both meet 32 banks; 4096 bytes, 32 x 8 threads
LAUNCH(32, 8, 32, 32)

// Element f * 16 + k is a turn by k, then f flips.
__host__ __device__ constexpr int times(int r, int c)
{
    return ((r ^ c) & 16) | (((r & 15) + (r & 16 ? 32 - (c & 15) : (c & 15))) & 15);
}

constexpr bool latin()
{
    for (int i = 0; i < 32; i++) {
        unsigned row = 0, column = 0;
        for (int j = 0; j < 32; j++) {
            row |= 1u << times(i, j);
            column |= 1u << times(j, i);
        }
        if (row != ~0u || column != ~0u)
            return false;
    }
    return true;
}
static_assert(latin(), "each product once in every row and in every column");

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

#pragma unroll
    for (int r = ty; r < 32; r += 8)
        if (y0 + r < height && x0 + tx < width)
            tile[r][times(r, tx)] = in[(y0 + r) * width + x0 + tx];
    __syncthreads();
#pragma unroll
    for (int c = ty; c < 32; c += 8)
        if (x0 + c < width && y0 + tx < height)
            out[(x0 + c) * height + y0 + tx] = tile[tx][times(tx, c)];
}
