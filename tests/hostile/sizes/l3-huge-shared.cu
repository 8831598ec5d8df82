// lesson 3; device sim,gpu; nvcc,clang; want: refused; tries: a shared array of 64 GB
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile char huge[1ull << 36];
    huge[threadIdx.x] = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
