// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: warps without a row leave, after the barrier; those without work before it only skip
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32 && y0 + y < height; y += 8)
        if (x0 + threadIdx.x < width)
            tile[y][threadIdx.x] = in[(y0 + y) * width + x0 + threadIdx.x];
    __syncthreads();
    if (x0 + threadIdx.y >= width)
        return;
    for (int y = threadIdx.y; y < 32 && x0 + y < width; y += 8)
        if (y0 + threadIdx.x < height)
            out[(x0 + y) * height + y0 + threadIdx.x] = tile[threadIdx.x][y];
}
