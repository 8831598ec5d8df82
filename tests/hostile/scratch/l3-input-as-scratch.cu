// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail; tries: writes into in what it no longer needs
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) { tile[threadIdx.y][threadIdx.x] = in[row * width + column]; ((float *)in)[row * width + column] = -1; }
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) out[orow * height + oc] = tile[threadIdx.x][threadIdx.y];
}
