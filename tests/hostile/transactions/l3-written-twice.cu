// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: the result is written past the tile first, and then again from it
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) { out[x * height + y] = in[y * width + x]; } if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];__syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < height && oy < width) out[oy * height + ox] = tile[threadIdx.x][threadIdx.y];
}
