// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail; tries: a name of a million letters, made by macros
#define TWICE_(x) x##x
#define TWICE(x) TWICE_(x)
#define K(x) TWICE(TWICE(TWICE(TWICE(TWICE(x)))))
__device__ int K(K(K(K(n))));
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
