// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: a block walks three tiles through one array and leaves out the closing barrier where the next tile has 31 columns: a race for width % 32 = 31
LAUNCH(32, 32, 96, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, out_column = blockIdx.y * 32 + threadIdx.x;
    for (int j = 0; j < 3; j++) {
        int x0 = blockIdx.x * 96 + j * 32;
        if (x0 >= width)
            break;
        if (row < height && x0 + threadIdx.x < width)
            tile[threadIdx.y][threadIdx.x] = in[row * width + x0 + threadIdx.x];
        __syncthreads();
        if (x0 + threadIdx.y < width && out_column < height)
            out[(x0 + threadIdx.y) * height + out_column] = tile[threadIdx.x][threadIdx.y];
        if (x0 + 63 != width)
            __syncthreads();
    }
}
