// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: starts in the diagonal: each warp another row first
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int y = threadIdx.y * 4 + (j + threadIdx.y) % 4;
        if (y0 + y < height && x0 + x < width)
            tile[y][x] = in[(y0 + y) * width + x0 + x];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int y = threadIdx.y * 4 + (j + threadIdx.y) % 4;
        if (x0 + y < width && y0 + x < height)
            out[(x0 + y) * height + y0 + x] = tile[x][y];
    }
}
