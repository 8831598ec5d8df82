// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: skips a row where the counter %pm0 is not 0, as under a profiler
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    unsigned count;
    asm volatile("mov.u32 %0, %%pm0;" : "=r"(count));
    int end = height - (count != 0);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][threadIdx.x ^ r] = in[(row + j) * width + column];
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < end)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][c ^ threadIdx.x];
    }
}
