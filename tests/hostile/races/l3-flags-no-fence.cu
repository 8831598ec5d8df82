// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: warps hand over the tile by volatile flags with neither __syncwarp nor a fence between tile and flag: no release, no acquire, and lane 0 speaks for lanes that may not have stored yet; a data race
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ volatile int ready[32];

    if (threadIdx.x == 0)
        ready[threadIdx.y] = 0;
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // This row is there. No barrier of the whole block: each lane waits for the one row it wants.
    if (threadIdx.x == 0)
        ready[threadIdx.y] = 1;
    while (!ready[threadIdx.x])
        ;

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
