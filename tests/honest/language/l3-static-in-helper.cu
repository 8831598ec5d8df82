// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the shared tile is a static variable of a helper function
LAUNCH(32, 8, 32, 32)
using tile_t = float[32][33];
__device__ tile_t &tile()
{
    __shared__ tile_t memory;
    return memory;
}
__device__ void fill(const float *in, int width, int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (const int y = blockIdx.y * 32 + r; x < width && y < height)
            tile()[r][threadIdx.x] = in[y * width + x];
}
__device__ void drain(float *out, int width, int height)
{
    const int x = blockIdx.y * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (const int y = blockIdx.x * 32 + r; x < height && y < width)
            out[y * height + x] = tile()[threadIdx.x][r];
}
__global__ void transpose(float *out, const float *in, int width, int height)
{
    fill(in, width, height);
    __syncthreads();
    drain(out, width, height);
}
