// lesson 5; device sim,gpu; nvcc,clang; want: not-started; tries: the starter under another first comment
// 05 swizzling: the transpose without conflicts and without a byte of padding.
//
// Contract: out[c][r] = in[r][c]. in has `height` rows of `width` floats, out has `width`
// rows of `height` floats. Exactly one tile of 32 x 32 floats: at most 4096 bytes of shared
// memory. No bank conflict anywhere.
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // TODO: give the 33rd column back. Then keep element (r, c) of the tile not in column c
    //       but in another column of the same row, chosen from r and c, so that
    //         - the 32 elements of one row go to 32 different columns (or something is
    //           overwritten),
    //         - the 32 elements with the same c go to 32 different banks. Which simple
    //           operation on two 5-bit numbers does both?
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
