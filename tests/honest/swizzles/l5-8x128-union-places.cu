// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: 8 x 128 threads, one float each, XOR-swizzled in 4096 bytes with the place taken apart by a bit field; right and free of conflicts, but 1024 threads at one barrier are about half as fast as 256, as the lesson says
LAUNCH(8, 128, 32, 32)

union Place {
    unsigned flat;
    struct { unsigned lane : 5, warp : 5, : 22; } of;
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    Place p;
    p.flat = threadIdx.y * 8 + threadIdx.x;
    const int lane = p.of.lane, warp = p.of.warp;

    int column = blockIdx.x * 32 + lane, row = blockIdx.y * 32 + warp;
    if (column < width && row < height)
        tile[warp << 5 | (lane ^ warp)] = in[row * width + column];
    __syncthreads();
    column = blockIdx.y * 32 + lane;
    row = blockIdx.x * 32 + warp;
    if (column < height && row < width)
        out[row * height + column] = tile[lane << 5 | (lane ^ warp)];
}
