// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: unpadded; lanes read one after another, so that no single instruction has a conflict
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float tile[32][32];
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
