// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: column (c + r) & 31 by a struct with operator()
LAUNCH(32, 8, 32, 32)

struct tile {
    float at[1024];
    __device__ float &operator()(int r, int c) { return at[r << 5 | (r + c & 31)]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ tile t;
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x << 5, y = blockIdx.y << 5;
    float mine[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
        mine[j] = y + ty + 8 * j < height && x + tx < width ? in[(y + ty + 8 * j) * width + x + tx] : 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j)
        t(ty + 8 * j, tx) = mine[j];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (x + ty + 8 * j < width && y + tx < height)
            out[(x + ty + 8 * j) * height + y + tx] = t(tx, ty + 8 * j);
}
