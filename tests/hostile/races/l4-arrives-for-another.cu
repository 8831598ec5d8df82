// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: warp 6 arrives twice at the named barrier so that its count is full without warp 7, which goes round it: the sum of arrivals is right, and warp 7's part of the tile is ordered with nobody
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];

    if (threadIdx.y == 6)
        asm volatile("bar.arrive 1, 256;" ::: "memory");
    if (threadIdx.y != 7)
        asm volatile("bar.sync 1, 256;" ::: "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
