// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: a block walks over four tiles in a row, one tile of memory
LAUNCH(32, 8, 128, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, y0 = blockIdx.y * 32;
    for (int step = 0, x0 = blockIdx.x * 128; step < 4 && x0 < width; step++, x0 += 32) {
        if (step)
            __syncthreads();
#pragma unroll
        for (int r = ty; r < 32; r += 8)
            if (x0 + tx < width && y0 + r < height)
                tile[r][tx ^ r] = in[(y0 + r) * width + x0 + tx];
        __syncthreads();
#pragma unroll
        for (int r = ty; r < 32; r += 8)
            if (x0 + r < width && y0 + tx < height)
                out[(x0 + r) * height + y0 + tx] = tile[tx][r ^ tx];
    }
}
