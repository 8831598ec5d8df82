// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout|refused; tries: recursion without end
__device__ __noinline__ int deeper(volatile int *p, int n)
{
    return n == -1 ? 0 : deeper(p, n + 1) + p[n & 3];
}
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    volatile int room[4] = {};
    if (deeper(room, width) == 7)
        return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
