// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: the padded tile is laid out backwards, element (r, c) lies 33 r + c words before the last one, rows are visited from the last to the first; pitch -33 spreads a column over all banks as 33 does
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    __shared__ float words[32 * 33];
    float *const last = words + 32 * 33 - 1;
    enum : int { DOWN = -33, RIGHT = -1 };

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x0 = blockIdx.x << 5, y0 = blockIdx.y << 5;

#pragma unroll
    for (int j = 24; j >= 0; j -= 8) {
        const int r = ty + j;
        if (y0 + r < height && x0 + tx < width)
            last[DOWN * r + RIGHT * tx] = __ldg(in + (y0 + r) * width + x0 + tx);
    }
    __syncthreads();
#pragma unroll
    for (int j = 24; j >= 0; j -= 8) {
        const int c = ty + j;
        if (x0 + c < width && y0 + tx < height)
            out[(x0 + c) * height + y0 + tx] = last[DOWN * tx + RIGHT * c];
    }
}
