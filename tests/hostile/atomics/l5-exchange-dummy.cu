// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate tile|coalesced; tries: no tile: coalesced zeros, then strided exchanges
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[32];
    if (threadIdx.y == 0) {
        dummy[threadIdx.x] = 1;
        (void)dummy[threadIdx.x];
    }
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height)
        ((volatile float *)out)[orow * height + oc] = 0;
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        atomicExch(&out[column * height + row], in[row * width + column]);
}
