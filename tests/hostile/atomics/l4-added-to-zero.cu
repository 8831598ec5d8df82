// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: the tile is cleared and filled by atomic additions
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ int tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        tile[ty + j][tx] = 0;
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            atomicOr(&tile[ty + j][tx], __float_as_int(in[(row + j) * width + column]));
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = __int_as_float(tile[tx][ty + j]);
}
