// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: new and delete in the kernel
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int *p = new int[100];
    p[width % 100] = 1;
    delete[] p;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
