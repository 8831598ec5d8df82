// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: a __device__ array as the tile
LAUNCH(32, 32, 32, 32)
__device__ float big[1 << 20];
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) big[((blockIdx.y * gridDim.x + blockIdx.x) * 1024 + threadIdx.y * 32 + threadIdx.x) & 0xfffff] = in[y * width + x]; tile[0][0] = 1; __syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < height && oy < width) out[oy * height + ox] = big[((blockIdx.y * gridDim.x + blockIdx.x) * 1024 + threadIdx.x * 32 + threadIdx.y) & 0xfffff];
}
