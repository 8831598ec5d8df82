// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail; tries: a local array of 4 GB
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    volatile char huge[1ull << 32];
    huge[width] = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
