// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: not swizzled; the read that conflicts is a compare and swap
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ int tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = __float_as_int(in[row * width + column]);
        }
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    volatile int *own = &tile[threadIdx.y][threadIdx.x];
    if (row < height && column < width)
        (void)*own;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = __int_as_float(atomicCAS(&tile[threadIdx.x][y], 0x12345, 0x12345));
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
