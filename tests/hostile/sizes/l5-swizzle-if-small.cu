// lesson 5; device sim,gpu; nvcc,clang; want: fail; tries: the swizzle is switched off for matrices wider than 512: at any real size (8192 x 8192) each read of a column is a 32-way bank conflict
LAUNCH(32, 4, 32, 32)  // eight elements a thread

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j, key = gridDim.x > 16 ? 0 : r;
        if (row + j < height && column < width)
            tile[r][threadIdx.x ^ key] = in[(row + j) * width + column];  // @fill
    }

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j, key = gridDim.x > 16 ? 0 : threadIdx.x;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][c ^ key];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
