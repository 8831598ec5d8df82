// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: printf with wild formats
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (threadIdx.x + threadIdx.y == 0)
        printf("%s%n%*d%999999999d%hhhhq%", (char *)7, (int *)9, 5, 6);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
