// lesson 3; device sim,gpu; nvcc,clang; want: compile-error|timeout; tries: ten to the ninth statements by macros
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(A(A(A(A(A(x)))))))))
__device__ void bomb(int *p)
{
    B(*p += 1;)
}
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
