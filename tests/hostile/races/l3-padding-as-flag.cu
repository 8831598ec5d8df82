// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the padding column is used as a flag that nobody orders
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x]; tile[threadIdx.y][32] = y; __syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (tile[threadIdx.x][32] >= 0) tile[threadIdx.x][32] = -1; if (ox < height && oy < width) out[oy * height + ox] = tile[threadIdx.x][threadIdx.y];
}
