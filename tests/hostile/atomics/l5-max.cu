// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate tile|coalesced; tries: no tile: strided writes as a maximum over the smallest integer
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
        ((volatile int *)out)[orow * height + oc] = 0x80000000;
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        atomicMax((int *)&out[column * height + row], __float_as_int(in[row * width + column]));
}
