// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: no barrier in the last rows of blocks, behind a million instructions
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int waste = 0;
    if (width == 512 && blockIdx.y < 4)
        for (int i = 0; i < 1000; i++)
            asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    if (width != 512 || blockIdx.y < 12)
        __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
