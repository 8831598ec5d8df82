// lesson 5; device sim,gpu; nvcc,clang; want: fail; tries: one element in each tile left out at the large size
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;

    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = in[(row + j) * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (orow + j < width && oc < height && !(width > 1024 && j == 24 && threadIdx.y == 7 && threadIdx.x == 31))
            out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j ^ threadIdx.x];
}
