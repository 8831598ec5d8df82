// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: a tile of 16 rows of 64, one-dimensional blocks
LAUNCH(256, 1, 64, 16)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[16 * 65];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 16;
    for (int e = threadIdx.x; e < 1024; e += 256) {
        int r = e / 64, c = e % 64;
        if (y0 + r < height && x0 + c < width)
            tile[r * 65 + c] = in[(y0 + r) * width + (x0 + c)];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < 1024; e += 256) {
        int c = e / 16, r = e % 16;
        if (y0 + r < height && x0 + c < width)
            out[(x0 + c) * height + (y0 + r)] = tile[r * 65 + c];
    }
}
