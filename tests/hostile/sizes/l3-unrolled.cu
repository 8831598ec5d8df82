// lesson 3; device sim,gpu; nvcc,clang; want: compile-error|timeout|fail; tries: a loop of ten million turns that must be unrolled
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    volatile int z = 0;
#pragma unroll 10000000
    for (int i = 0; i < 10000000; i++)
        z += i * width;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
