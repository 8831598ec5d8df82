// lesson 3; device sim,gpu; nvcc,clang; want: refused; tries: an instruction that nobody knows, where nobody comes
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width == 77)
        asm volatile("frobnicate.u32 %0, 1;" ::"r"(width));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
