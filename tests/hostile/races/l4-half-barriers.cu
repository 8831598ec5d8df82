// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each half of the block waits at a named barrier of its own, but columns of the tile are read across both halves: a race between warps 0-3 and 4-7
LAUNCH(32, 8, 32, 32)  // a quarter of the threads, the same tile

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    // Four warps at a barrier of their own wait less than eight at one.
    asm volatile("bar.sync %0, 128;" ::"r"(1 + (int)threadIdx.y / 4) : "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
