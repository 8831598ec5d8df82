// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: rows rotated by the T-function r + (r r | 5) of Klimov and Shamir; asm mad, bfi; threads in one line
LAUNCH(128, 1, 32, 32)

// x + (x x | 5) runs through all residues, so 32 rows are rotated by 32 different numbers.
__device__ __forceinline__ unsigned turned_by(unsigned r)
{
    unsigned k;
    asm("{\n\t.reg .b32 s;\n\t"
        "mul.lo.u32 s, %1, %1;\n\t"
        "or.b32 s, s, 5;\n\t"
        "add.u32 %0, s, %1;\n\t}"
        : "=r"(k) : "r"(r));
    return k;
}

// Row r, column c: bits 5 to 9 are the row, bits 0 to 4 the column, rotated.
__device__ __forceinline__ unsigned place(unsigned r, unsigned c)
{
    unsigned p;
    asm("bfi.b32 %0, %1, %2, 5, 27;" : "=r"(p) : "r"(r), "r"(c + turned_by(r) & 31u));
    return p;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 32];
    unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;

    int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32;
#pragma unroll
    for (unsigned j = 0; j < 8; j++) {
        unsigned r = warp + 4 * j;
        if (x < width && y + (int)r < height)
            tile[place(r, lane)] = in[(y + r) * width + x];
    }

    __syncthreads();

    y += lane;
    x -= lane;
#pragma unroll
    for (unsigned j = 0; j < 8; j++) {
        unsigned c = warp + 4 * j;
        if (x + (int)c < width && y < height)
            out[(x + c) * height + y] = tile[place(lane, c)];
    }
}
