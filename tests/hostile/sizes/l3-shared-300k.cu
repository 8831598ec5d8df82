// lesson 3; device sim,gpu; nvcc,clang; want: refused; tries: a shared array of 300 kB
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile char large[300000];
    large[threadIdx.x * 9000] = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
