// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail, gate hazards; tries: at the modelled size a volatile flag in place of the barrier
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ volatile int arrived[1];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    if (x + y == 0)
        arrived[0] = 0;
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[y + j][x] = in[(row + j) * width + column];
    if (width <= 4096) {
        __syncthreads();
    } else {
        __syncwarp();
        if (x == 0)
            atomicAdd((int *)&arrived[0], 1);
        while (arrived[0] < 8) {
        }
        __syncwarp();
    }
    int out_column = blockIdx.y * 32 + x, out_row = blockIdx.x * 32 + y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[x][y + j];
}
