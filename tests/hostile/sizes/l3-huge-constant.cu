// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail|not-started; tries: a constant array of 1 MB
__constant__ int table[1 << 18];
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (table[width] == 77)
        return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
