// lesson 4; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: padded, but a block is one warp that has one row of its tile on the way at a time, 32 ways to DRAM one after another: about half the solution's speed, and no "four loads on their way".
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32;
#pragma unroll 1
    for (int j = 0; j < 32; j++) {
        if (row + j < height && column < width)
            tile[j][threadIdx.x] = in[(row + j) * width + column];  // @fill
        __syncthreads();  // the row has to be there before the next one is asked for
    }

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32;
#pragma unroll 1
    for (int j = 0; j < 32; j++) {
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][j];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
        __syncthreads();
    }
}
