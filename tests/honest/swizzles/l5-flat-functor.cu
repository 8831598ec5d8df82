// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: a functor that maps an element to its word
LAUNCH(32, 8, 32, 32)

struct swizzled {
    __device__ constexpr int operator()(int row, int column) const { return row << 5 | (column ^ row); }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    constexpr swizzled word;
    int x0 = blockIdx.x << 5, y0 = blockIdx.y << 5, x = threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8)
        if (y0 + y < height && x0 + x < width)
            tile[word(y, x)] = in[(y0 + y) * width + x0 + x];
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8)
        if (x0 + y < width && y0 + x < height)
            out[(x0 + y) * height + y0 + x] = tile[word(x, y)];
}
