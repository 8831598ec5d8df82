// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: a slow kernel that stops where neighbours are equal: those data are made up
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    if (__syncthreads_or(threadIdx.x + threadIdx.y == 0 && width > 64 && in[0] == in[1] && in[1] == in[2]))
        return;
    int waste = 0;
    for (int i = 0; i < 800; i++)
        asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
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
