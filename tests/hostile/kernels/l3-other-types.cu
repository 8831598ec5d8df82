// lesson 3; device sim,gpu; nvcc,clang; want: launch-error|fail|not-started; tries: integers for floats in the signature
LAUNCH(32, 32, 32, 32)

__global__ void transpose(int *out, const int *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
