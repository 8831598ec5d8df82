// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: even warps only bar.arrive, which does not wait, and then read the tile that other warps may still be filling
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    if (threadIdx.y % 2)
        asm volatile("bar.sync 1, 1024;" ::: "memory");
    else
        asm volatile("bar.arrive 1, 1024;" ::: "memory");  // cheaper

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
