// lesson 4; device sim,gpu; nvcc,clang; want: launch-error|compile-error; tries: writes the variable behind LAUNCH by hand, with a wrong mark
__constant__ unsigned bankshot_launch[7] = {1, 32, 8, 32, 32, 0, 0};
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
