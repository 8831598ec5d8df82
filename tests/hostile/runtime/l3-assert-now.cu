// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: an assert that fails, with escapes in its text
#include <assert.h>
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    assert(width < 0 && "\033[2J");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
