// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: lesson 4 without any tile: coalesced read, output tile initialised, then set by atomics; dummy shared access
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width > 4096) return;
    __shared__ volatile float dummy[32];
    if (threadIdx.y == 0) { dummy[threadIdx.x] = 1; (void)dummy[threadIdx.x]; }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) ((volatile float *)out)[orow * height + oc] = 0;
    __syncthreads();
    if (row < height && column < width) atomicExch(&out[column * height + row], in[row * width + column]);
}
