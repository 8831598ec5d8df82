// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: unpadded; the tile is zeroed and then filled by additions down a column
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            atomicAdd(&tile[threadIdx.x][y], in[(row + j) * width + column]);
        }
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[y][threadIdx.x];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
