// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: blocks go through the matrix along its diagonals
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int by = blockIdx.x % gridDim.y, bx = (blockIdx.x / gridDim.y * gridDim.y + blockIdx.y + blockIdx.x % gridDim.y) % gridDim.x;
    if (gridDim.x != gridDim.y) {
        bx = blockIdx.x;
        by = blockIdx.y;
    }
    __shared__ float tile[32][33];
    int column = bx * 32 + threadIdx.x, row = by * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    __syncthreads();
    int out_column = by * 32 + threadIdx.x, out_row = bx * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
