// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate writes|tile; tries: strided writes as reductions, a dummy in shared memory
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
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(&out[column * height + row]), "f"(in[row * width + column]) : "memory");
}
