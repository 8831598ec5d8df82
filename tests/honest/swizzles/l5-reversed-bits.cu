// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: c xor r with its bits reversed
LAUNCH(32, 8, 32, 32)
#define SW(r) (__brev((unsigned)(r)) >> 27)
#define PUT(r, c, v) tile[r][(c) ^ SW(r)] = (v)
#define TAKE(r, c) tile[r][(c) ^ SW(r)]
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (y0 + ty + j < height && x0 + tx < width) PUT(ty + j, tx, in[(y0 + ty + j) * width + x0 + tx]);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x0 + ty + j < width && y0 + tx < height) out[(x0 + ty + j) * height + y0 + tx] = TAKE(tx, ty + j);
}
