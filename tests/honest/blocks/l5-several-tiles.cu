// lesson 5; device sim,gpu; nvcc,clang; quick; want: pass; tries: each block takes the tiles of its column of blocks two at a time; the others leave at once
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    if (blockIdx.y % 2)
        return;
    int x = threadIdx.x;
    for (int by = blockIdx.y; by < min(blockIdx.y + 2, gridDim.y); by++) {
        int x0 = blockIdx.x * 32, y0 = by * 32;
#pragma unroll
        for (int y = threadIdx.y; y < 32; y += 8)
            if (y0 + y < height && x0 + x < width)
                tile[y][x ^ y] = in[(y0 + y) * width + x0 + x];
        __syncthreads();
#pragma unroll
        for (int y = threadIdx.y; y < 32; y += 8)
            if (x0 + y < width && y0 + x < height)
                out[(x0 + y) * height + y0 + x] = tile[x][y ^ x];
        __syncthreads();
    }
}
