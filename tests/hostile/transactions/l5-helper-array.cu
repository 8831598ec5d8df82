// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate memory; tries: half of the padded tile is an array of a function that is not inlined
LAUNCH(32, 8, 32, 32)

__device__ __noinline__ float *lower(int row)
{
    __shared__ float half[16][33];
    return half[row];
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float upper[16][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            (ty + j < 16 ? upper[ty + j] : lower(ty + j - 16))[tx] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = (tx < 16 ? upper[tx] : lower(tx - 16))[ty + j];
}
