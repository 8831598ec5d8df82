// lesson 3; device sim,gpu; nvcc,clang; want: fail|compile-error|not-started; tries: host code that starts the kernel and writes a file
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}

#include <stdio.h>

int main()
{
    FILE *file = fopen("/tmp/bankshot-was-here", "w");
    transpose<<<1, 1>>>(0, 0, 1, 1);
    return fclose(file);
}
