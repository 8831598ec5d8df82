// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: thinks only of the counted size: naive for every other size
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (width != 512) { if (width > 4096) return; if (row < height && column < width) out[column * height + row] = in[row * width + column]; return; }
    tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * height + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
