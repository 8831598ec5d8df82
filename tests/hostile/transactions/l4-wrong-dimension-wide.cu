// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: one row more instead of one column; rows filled by float4
LAUNCH(8, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) float tile[33][32];
    int x = threadIdx.x * 4, y = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    if (y0 + y < height) {
        if (width % 4 == 0 && x0 + x < width)
            *(float4 *)&tile[y][x] = *(const float4 *)&in[(y0 + y) * width + x0 + x];
        else
            for (int j = 0; j < 4; j++)
                if (x0 + x + j < width)
                    tile[y][x + j] = in[(y0 + y) * width + x0 + x + j];
    }
    __syncthreads();
    int id = threadIdx.y * 8 + threadIdx.x, lane = id % 32, warp = id / 32;
    for (int j = warp; j < 32; j += 8)
        if (x0 + j < width && y0 + lane < height)
            out[(x0 + j) * height + y0 + lane] = tile[lane][j];
}
