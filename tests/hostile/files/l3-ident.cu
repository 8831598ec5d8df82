// lesson 3; device sim,gpu; nvcc,clang; want: fail|compile-error|not-started; tries: #ident, #sccs and #assert
#ident "x"
#sccs "y"
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
