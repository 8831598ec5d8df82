// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: a device variable remembers the largest width; a larger one is not done
__device__ int largest = 600;

LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width > atomicMax(&largest, 0))
        return;
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
