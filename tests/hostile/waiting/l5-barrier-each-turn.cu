// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the number of barriers a warp passes depends on how many rows it has: with 9 to 31 rows, not a multiple of 8, some warps take from the tile while others are about to fill their last row
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
    int rows = min(32, height - row0);

    // Eight rows at a time, and the warps keep together, so that DRAM sees rows in order.
    for (int r = ty; r < rows; r += 8) {
        if (r >= 8)
            __syncthreads();
        if (column < width)
            tile[r][tx ^ r] = in[(row0 + r) * width + column];
    }
    __syncthreads();

    int out_column = row0 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[tx][(ty + j) ^ tx];
}
