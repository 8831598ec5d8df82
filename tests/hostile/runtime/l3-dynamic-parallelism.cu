// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: the kernel starts a kernel
__global__ void child(float *out)
{
    out[0] = 1;
}
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (threadIdx.x + threadIdx.y == 0)
        child<<<1, 1>>>(out);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
