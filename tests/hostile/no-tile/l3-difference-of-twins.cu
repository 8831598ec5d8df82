// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: what the tile holds is subtracted from itself, the result added
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    float r[32];
#pragma unroll
    for (int j = 0; j < 32; j++)
        r[j] = y0 + j < height && x0 + x < width ? in[(y0 + j) * width + x0 + x] : 0;
#pragma unroll
    for (int j = 0; j < 32; j++)
        tile[j][x] = r[j];
    __syncthreads();
#pragma unroll
    for (int s = 16; s > 0; s /= 2)
#pragma unroll
        for (int j = 0; j < 32; j++)
            if (!(j & s)) {
                float give = x & s ? r[j] : r[j | s];
                float get = __shfl_xor_sync(~0u, give, s);
                if (x & s)
                    r[j] = get;
                else
                    r[j | s] = get;
            }
    int twin = width < 0;
#pragma unroll
    for (int j = 0; j < 32; j++)
        if (x0 + j < width && y0 + x < height)
            out[(x0 + j) * height + y0 + x] = r[j] + (tile[x][j] - tile[x][j ^ twin]);
}
