// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: tiles of 16 x 16: half a line each
LAUNCH(16, 16, 16, 16)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[16][17];
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    column = blockIdx.x * 16 + threadIdx.y;
    row = blockIdx.y * 16 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = tile[threadIdx.x][threadIdx.y];
}
