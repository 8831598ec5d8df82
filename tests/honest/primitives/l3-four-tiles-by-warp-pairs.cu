// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: a block of 64 x 4 threads has four tiles side by side, each turned by a pair of warps that meet at a named barrier of their own (ids 1 to 4, 64 threads), so no pair waits for another
LAUNCH(64, 4, 128, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[4][32][33];

    const int pair = threadIdx.y, half = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int x0 = (blockIdx.x * 4 + pair) * 32, y0 = blockIdx.y * 32;
    float (*tile)[33] = tiles[pair];

#pragma unroll
    for (int r = half; r < 32; r += 2)
        if (y0 + r < height && x0 + lane < width)
            tile[r][lane] = in[(y0 + r) * width + x0 + lane];

    // The two warps of row threadIdx.y of the block, and nobody else.
    asm volatile("barrier.sync %0, %1;" ::"r"(pair + 1), "n"(64) : "memory");

#pragma unroll
    for (int c = half; c < 32; c += 2)
        if (x0 + c < width && y0 + lane < height)
            out[(x0 + c) * height + y0 + lane] = tile[lane][c];
}
