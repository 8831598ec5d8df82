// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail|launch-error, at most 60; tries: a kernel of the right name and another signature beside the right one
LAUNCH(32, 32, 32, 32)

__global__ void transpose(double *out, const double *in, int width, int height)
{
    out[0] = in[0];
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
