// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: at the modelled size every other block has no barrier
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;

    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[y + j][x] = in[(row + j) * width + column];
    if (width <= 4096 || (blockIdx.x + blockIdx.y) % 2 == 0)
        __syncthreads();
    int out_column = blockIdx.y * 32 + x, out_row = blockIdx.x * 32 + y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[x][y + j];
}
