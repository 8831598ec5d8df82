// LAUNCH asks for bytes that nobody uses, beside the tile.
LAUNCH(32, 8, 32, 32, 16)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        int r = threadIdx.y + j, c = threadIdx.x;
        if (row + j < height && column < width)
            tile[r][c ^ r] = in[(row + j) * width + column];
    }
    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        int r = threadIdx.x, c = threadIdx.y + j;
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[r][c ^ r];
    }
}
