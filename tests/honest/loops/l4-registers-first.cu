// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: all loads into registers, then into the tile
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x, y = threadIdx.y;
    float kept[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        kept[j] = y0 + y + 8 * j < height && x0 + x < width ? in[(y0 + y + 8 * j) * width + x0 + x] : 0;
#pragma unroll
    for (int j = 0; j < 4; j++)
        tile[y + 8 * j][x] = kept[j];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (x0 + y + 8 * j < width && y0 + x < height)
            out[(x0 + y + 8 * j) * height + y0 + x] = tile[x][y + 8 * j];
}
