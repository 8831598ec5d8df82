// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: pm events and other marks
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("pmevent 7;");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
