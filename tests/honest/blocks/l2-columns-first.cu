// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: blocks go down the columns first
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int n = blockIdx.y * gridDim.x + blockIdx.x, bx = n / gridDim.y, by = n % gridDim.y;
    int column = bx * 32 + threadIdx.y, row = by * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
