// lesson 5; device sim; nvcc,clang; want: fail; tries: keeps element (r, c) at (13 c + r) % w, w columns of this tile: no key where w is 13 or 26, where columns fall upon one another
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int w = min(32, width - (int)blockIdx.x * 32);  // columns that this tile has

    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][(threadIdx.x * 13 + r) % w] = in[(row + j) * width + column];
    }
    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][(c * 13 + threadIdx.x) % w];
    }
}
