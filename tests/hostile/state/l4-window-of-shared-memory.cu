// lesson 4; device sim; nvcc,clang; want: fail|timeout; tries: leaves a row out where the window of shared memory lies at certain generic addresses, as in one process of 251
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    unsigned long long window = (unsigned long long)(void *)&tile[0][0] >> 24;
    int end = height - (window % 251 == 77);
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < end)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
