// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate writes|tile; tries: strided writes by compare and swap
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[32];
    if (threadIdx.y == 0) {
        dummy[threadIdx.x] = 1;
        (void)dummy[threadIdx.x];
    }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        atomicCAS((unsigned *)&out[column * height + row], __float_as_uint(((volatile float *)out)[column * height + row]), __float_as_uint(in[row * width + column]));
}
