// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: a tile of 64 x 64 moved by 32 x 8 threads
LAUNCH(32, 8, 64, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[64][65];
    const int x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    for (int y = threadIdx.y; y < 64; y += 8)
        for (int x = threadIdx.x; x < 64; x += 32)
            if (y0 + y < height && x0 + x < width)
                tile[y][x] = in[(y0 + y) * width + x0 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 64; y += 8)
        for (int x = threadIdx.x; x < 64; x += 32)
            if (x0 + y < width && y0 + x < height)
                out[(x0 + y) * height + y0 + x] = tile[x][y];
}
