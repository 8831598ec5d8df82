// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout|refused; tries: endless recursion at the modelled size
__device__ __noinline__ int deeper(int n)
{
    volatile int room[64];
    room[n & 63] = n;
    return n < 0 ? 0 : deeper(n + 1) + room[n & 63];
}

LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width > 4096 && deeper(1) == 7)
        return;
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
