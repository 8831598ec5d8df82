// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: one warp for each tile, with a barrier of the warp
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int j = 0; j < 32; j++)
        if (y0 + j < height && x0 + x < width)
            tile[j][x] = in[(y0 + j) * width + x0 + x];
    __syncwarp();
    for (int j = 0; j < 32; j++)
        if (x0 + j < width && y0 + x < height)
            out[(x0 + j) * height + y0 + x] = tile[x][j];
}
