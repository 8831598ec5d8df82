// lesson 3; device sim,gpu; nvcc,clang; want: compile-error|timeout; tries: two to the fortieth templates
template <int N, int M> struct tree {
    static const int value = tree<N - 1, M * 2>::value + tree<N - 1, M * 2 + 1>::value;
};
template <int M> struct tree<0, M> {
    static const int value = 1;
};
__device__ int leaf = tree<40, 0>::value;
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
