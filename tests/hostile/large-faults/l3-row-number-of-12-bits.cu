// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: the block number is kept in eight bits: right up to 256 blocks in a row
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[(size_t)(y & 0xfff) * width + x];__syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < height && oy < width) out[oy * height + ox] = tile[threadIdx.x][threadIdx.y];
}
