// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: the barrier stands before the fill, between filling and taking there is only a counter of relaxed atomics and a volatile spin, no fence and no barrier
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ int arrived;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        arrived = 0;
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // wait until all 32 warps have been here
    __syncwarp();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (*(volatile int *)&arrived < 32)
            ;
    }
    __syncwarp();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
