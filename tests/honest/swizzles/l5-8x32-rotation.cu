// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: one-dimensional warps in 8 x 32 blocks, words turned by the row
LAUNCH(8, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    int id = threadIdx.y * 8 + threadIdx.x, lane = id % 32, warp = id / 32, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
    for (int r = warp; r < 32; r += 8)
        if (y0 + r < height && x0 + lane < width)
            tile[r * 32 + (lane + r) % 32] = in[(y0 + r) * width + x0 + lane];
    __syncthreads();
#pragma unroll
    for (int r = warp; r < 32; r += 8)
        if (x0 + r < width && y0 + lane < height)
            out[(x0 + r) * height + y0 + lane] = tile[lane * 32 + (r + lane) % 32];
}
