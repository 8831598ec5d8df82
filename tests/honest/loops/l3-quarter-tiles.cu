// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: warps that take tiles in turn: a loop over four quarter tiles with two barriers each
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float part[8][33];
    const int x = threadIdx.x, y = threadIdx.y, id = y * 32 + x;
    for (int q = 0; q < 4; q++) {
        const int top = blockIdx.y * 32 + q * 8, left = blockIdx.x * 32;
        if (top + y < height && left + x < width) part[y][x] = in[(top + y) * width + left + x];
        __syncthreads();
        const int r = id % 8, c = id / 8;
        if (top + r < height && left + c < width) out[(left + c) * height + top + r] = part[r][c];
        __syncthreads();
    }
}
