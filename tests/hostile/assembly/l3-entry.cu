// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: inline PTX closes the kernel and opens another of its name
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("ret; } .visible .entry _Z9transposePfPKfii(.param .u64 a, .param .u64 b, .param .u32 c, .param .u32 d) { ");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
