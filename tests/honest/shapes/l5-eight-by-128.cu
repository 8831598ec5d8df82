// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: a tile of 8 rows of 128; a warp writes eight floats of each of four rows of out
LAUNCH(128, 2, 128, 8)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[8][128];

    const int column0 = blockIdx.x * 128, row0 = blockIdx.y * 8;

    // Row r is shifted in groups of four words: word c is at c ^ 4 r.
#pragma unroll
    for (int r = threadIdx.y; r < 8; r += 2) {
        const int c = threadIdx.x;
        if (row0 + r < height && column0 + c < width)
            tile[r][c ^ r * 4] = in[(row0 + r) * width + column0 + c];
    }

    __syncthreads();

    // Lane 8 i + r takes row r of the i-th of four columns: 4 m + i, the m-th group. The eight rows keep
    // that group in eight different places, four banks each.
    const int id = threadIdx.y * 128 + threadIdx.x, lane = id % 32, warp = id / 32;
    const int r = lane % 8, i = lane / 8;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int c = (warp + j * 8) * 4 + i;
        if (column0 + c < width && row0 + r < height)
            out[(column0 + c) * height + row0 + r] = tile[r][c ^ r * 4];
    }
}
