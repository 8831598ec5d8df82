// lesson 3; device sim,gpu; nvcc,clang; want: fail|compile-error|not-started; tries: a constructor that would run where the file is loaded
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}

#include <stdlib.h>

static int start = system("touch /tmp/bankshot-was-here");
