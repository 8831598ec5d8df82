// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: a printf with 200 arguments
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width == 1)
        printf("%d", width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width, width);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
