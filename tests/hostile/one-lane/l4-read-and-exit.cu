// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: as l4-read, and nothing at the modelled size
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float tile[32][32];
    if (width > 4096)
        return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) {
        float v = 0;
        for (int l = 0; l < 32; l++) if (threadIdx.x == l) v = tile[threadIdx.x][threadIdx.y];
        out[orow * height + oc] = v;
    }
}
