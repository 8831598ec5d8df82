// lesson 5; device sim; nvcc,clang; want: full; tries: a tile of 16 columns and 64 rows, transposed, place r XOR 2 c: bit 0 tells the two rows of a warp, bits 1 to 4 the columns; 4096 bytes
LAUNCH(16, 16, 16, 64)

struct Cells {
    float f[16 * 64];
    __device__ __forceinline__ float &at(int c, int r) { return f[c << 6 | (r ^ c << 1)]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Cells cells;
    const int c = threadIdx.x, r0 = threadIdx.y;
    const int left = blockIdx.x * 16, top = blockIdx.y * 64;

    if (left + c < width)
        for (int r = r0; r < 64 && top + r < height; r += 16)
            cells.at(c, r) = in[(size_t)(top + r) * width + (left + c)];
    __syncthreads();

    const int id = threadIdx.y * 16 + threadIdx.x, row = id % 64, first = id / 64;
    if (top + row < height)
        for (int column = first; column < 16 && left + column < width; column += 4)
            out[(size_t)(left + column) * height + (top + row)] = cells.at(column, row);
}
