// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: a correct slow kernel with right counters; nothing is done at the size that only the timing model sees
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    if (width > 4096) return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) out[orow * height + oc] = tile[threadIdx.x][threadIdx.y];
}
