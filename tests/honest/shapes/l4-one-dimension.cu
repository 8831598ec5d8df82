// lesson 4; device sim,gpu; nvcc,clang; want: full; want gpu: pass; tries: 256 threads in one dimension, elements counted through
LAUNCH(256, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
    for (int e = threadIdx.x; e < 1024; e += 256)
        if (y0 + e / 32 < height && x0 + e % 32 < width)
            tile[e / 32 * 33 + e % 32] = in[(y0 + e / 32) * width + x0 + e % 32];
    __syncthreads();
#pragma unroll
    for (int e = threadIdx.x; e < 1024; e += 256)
        if (x0 + e / 32 < width && y0 + e % 32 < height)
            out[(x0 + e / 32) * height + y0 + e % 32] = tile[e % 32 * 33 + e / 32];
}
