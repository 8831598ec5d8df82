// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: "no partial tiles" is decided by width * height % 1024 == 0, which also holds for 16 x 64, 64 x 16, 48 x 64 or 8 x 128, where the unguarded path reads and writes outside of the matrices and mixes up rows.
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;

    // The matrix consists of whole tiles of 1024 floats: no guards are needed.
    bool whole = width * height % (32 * 32) == 0;

    if (whole) {
#pragma unroll
        for (int j = 0; j < 32; j += 8)
            tile[ty + j][tx] = in[(row + j) * width + column];  // @fill
    } else {
#pragma unroll
        for (int j = 0; j < 32; j += 8)
            if (row + j < height && column < width)
                tile[ty + j][tx] = in[(row + j) * width + column];
    }

    __syncthreads();

    if (whole) {
#pragma unroll
        for (int j = 0; j < 32; j += 8)
            out[(out_row + j) * height + out_column] = tile[tx][ty + j];  // @take
    } else {
#pragma unroll
        for (int j = 0; j < 32; j += 8)
            if (out_row + j < width && out_column < height)
                out[(out_row + j) * height + out_column] = tile[tx][ty + j];
    }
}
