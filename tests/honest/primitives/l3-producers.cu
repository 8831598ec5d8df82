// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: eight warps fill and only arrive; eight others wait and take
LAUNCH(32, 16, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    if (threadIdx.y < 8) {
        for (int y = threadIdx.y; y < 32; y += 8)
            if (y0 + y < height && x0 + x < width)
                tile[y][x] = in[(y0 + y) * width + x0 + x];
        asm volatile("bar.arrive 1, 512;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 512;" ::: "memory");
        for (int y = threadIdx.y - 8; y < 32; y += 8)
            if (x0 + y < width && y0 + x < height)
                out[(x0 + y) * height + y0 + x] = tile[x][y];
    }
}
