// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout|refused; tries: jumps to a label that two pieces of inline PTX define
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("again: bra.uni again;");
    if (width == 3)
        asm volatile("again: bra.uni again;");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
