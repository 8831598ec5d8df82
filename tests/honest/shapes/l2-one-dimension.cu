// lesson 2; device sim,gpu; nvcc,clang; quick; want: full; tries: 1024 threads in one dimension
LAUNCH(1024, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x / 32, row = blockIdx.y * 32 + threadIdx.x % 32;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
