// lesson 5; device sim,gpu; nvcc,clang; want: fail; tries: the swizzle's key is 0 unless the matrix is square: every rectangular matrix gets 32-way conflicts ("no bank conflict anywhere")
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int mask = width == height ? 31 : 0;

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x ^ ((threadIdx.y + j) & mask)] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][(threadIdx.y + j) ^ (threadIdx.x & mask)];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
