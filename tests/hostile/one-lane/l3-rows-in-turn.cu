// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: right tile, but the 32 warps bring their rows one after another, a barrier of the block after each: 32 times the way to DRAM for each tile, several times slower than the solution.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
    for (int turn = 0; turn < 32; turn++) {
        if (threadIdx.y == turn && row < height && column < width)
            tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill
        __syncthreads();
    }

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll 1
    for (int turn = 0; turn < 32; turn++) {
        if (threadIdx.y == turn && out_row < width && out_column < height)
            out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
        __syncthreads();
    }
}
