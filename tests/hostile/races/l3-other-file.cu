// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: both sides of the race are on lines of other files
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
#line 1 "bankshot.h"
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
#line 1 "/usr/include/stdio.h"
            float value = tile[threadIdx.x][y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
