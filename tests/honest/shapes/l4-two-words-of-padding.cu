// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a tile of 16 rows x 64 columns with TWO words of padding (16 x 66 floats = 4224 bytes); a warp takes two half columns at once
LAUNCH(64, 4, 64, 16)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Word 66 r + c is in bank (2 r + c) % 32. A warp reads rows 0 ... 15 of columns c and c + 1, with c
    // even: 2 r + c and 2 r + c + 1 are all 32 banks.
    __shared__ float tile[16][66];

    const int x0 = blockIdx.x * 64, y0 = blockIdx.y * 16;
    const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int r = ty + 4 * j;
        if (y0 + r < height && x0 + tx < width)
            tile[r][tx] = in[(y0 + r) * width + x0 + tx];
    }

    __syncthreads();

    const int id = ty * 64 + tx, r = id % 16;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int c = id / 16 + 16 * j;
        if (x0 + c < width && y0 + r < height)
            out[(x0 + c) * height + y0 + r] = tile[r][c];
    }
}
