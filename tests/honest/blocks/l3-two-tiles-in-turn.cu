// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: a block of 32 columns and 64 rows: one tile, used twice, with a barrier between
LAUNCH(32, 8, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    for (int half = 0; half < 2; ++half) {
        int x0 = blockIdx.x * 32, y0 = blockIdx.y * 64 + half * 32;
        if (half)
            __syncthreads();
        for (int y = threadIdx.y; y < 32; y += 8)
            if (y0 + y < height && x0 + threadIdx.x < width)
                tile[y][threadIdx.x] = in[(y0 + y) * width + x0 + threadIdx.x];
        __syncthreads();
        for (int y = threadIdx.y; y < 32; y += 8)
            if (x0 + y < width && y0 + threadIdx.x < height)
                out[(x0 + y) * height + y0 + threadIdx.x] = tile[threadIdx.x][y];
    }
}
