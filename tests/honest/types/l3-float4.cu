// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: float4 in and out through a tile of float4, where the sizes allow it
LAUNCH(8, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x * 4, y = threadIdx.y;
    if (width % 4 == 0 && y0 + y < height && x0 + x < width) {
        float4 four = *(const float4 *)&in[(y0 + y) * width + x0 + x];
        tile[y][x] = four.x, tile[y][x + 1] = four.y, tile[y][x + 2] = four.z, tile[y][x + 3] = four.w;
    } else {
        for (int j = 0; j < 4; j++)
            if (y0 + y < height && x0 + x + j < width)
                tile[y][x + j] = in[(y0 + y) * width + x0 + x + j];
    }
    __syncthreads();
    if (height % 4 == 0 && x0 + y < width && y0 + x < height) {
        *(float4 *)&out[(x0 + y) * height + y0 + x] = make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
    } else {
        for (int j = 0; j < 4; j++)
            if (x0 + y < width && y0 + x + j < height)
                out[(x0 + y) * height + y0 + x + j] = tile[x + j][y];
    }
}
