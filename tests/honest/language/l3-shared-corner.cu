// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: one thread works out the corner of the tile for all, as a struct
LAUNCH(32, 8, 32, 32)

struct corner {
    int x, y;
    bool whole;
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ corner at;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        at.x = blockIdx.x * 32;
        at.y = blockIdx.y * 32;
        at.whole = at.x + 32 <= width && at.y + 32 <= height;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        if (at.whole || (at.y + y < height && at.x + threadIdx.x < width))
            tile[y][threadIdx.x] = in[(at.y + y) * width + at.x + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        if (at.whole || (at.x + y < width && at.y + threadIdx.x < height))
            out[(at.x + y) * height + at.y + threadIdx.x] = tile[threadIdx.x][y];
}
