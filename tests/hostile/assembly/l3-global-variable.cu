// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: a global variable of 64 GB in inline PTX
asm(".global .align 4 .b8 hidden[68719476736];");
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
