// lesson 5; device sim,gpu; nvcc,clang; want: fail; tries: padding hidden in a second array behind the tile
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ float rest[32];
    rest[threadIdx.x] = 0;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            float *at = &tile[0][0] + y * 33 + threadIdx.x;
            *at = in[(row + j) * width + column];
        }
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = (&tile[0][0])[threadIdx.x * 33 + y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
