// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: a surface store
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("sust.b.2d.b32.trap [%0, {%1, %1}], {%1};" ::"l"(0ull), "r"(width));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
