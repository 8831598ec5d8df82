// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: at the modelled size every sixteenth diagonal of blocks does nothing
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    if (width > 4096 && (blockIdx.x + 2 * blockIdx.y) % 16 == 5)
        return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
}
