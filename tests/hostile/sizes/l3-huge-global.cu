// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail|not-started; tries: a global array of 64 GB
__device__ char huge[1ull << 36];
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width == 77)
        huge[height] = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
