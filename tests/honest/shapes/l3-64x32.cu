// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: a tile of 64 columns and 32 rows
LAUNCH(32, 8, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][65];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 32, x = threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8)
        for (int half = 0; half < 64; half += 32)
            if (y0 + r < height && x0 + half + x < width)
                tile[r][half + x] = in[(y0 + r) * width + x0 + half + x];
    __syncthreads();
    for (int c = threadIdx.y; c < 64; c += 8)
        if (x0 + c < width && y0 + x < height)
            out[(x0 + c) * height + y0 + x] = tile[x][c];
}
