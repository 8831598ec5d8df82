// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tile is turned round only for a grid of 16 x 16 blocks (the graded 512 x 512); every other size, 96 x 64 or 8192 x 8192, still writes 32 rows of out for a warp
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();

    if (gridDim.x == 16 && gridDim.y == 16) {
        int out_column = blockIdx.y * 32 + threadIdx.x;
        int out_row = blockIdx.x * 32 + threadIdx.y;
        if (out_row < width && out_column < height)
            out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
    } else if (row < height && column < width)
        out[column * height + row] = tile[threadIdx.y][threadIdx.x];
}
