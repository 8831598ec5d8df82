// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail; tries: a global array of 4 GB that is initialised
__device__ char huge[1ull << 32] = {1};
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width == 77)
        huge[height] = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
