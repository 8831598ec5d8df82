// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: remembers in in a device variable, for the second run
LAUNCH(32, 32, 32, 32)
__device__ float memory[512 * 512]; __device__ int runs;
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (runs == 0) { if (row < height && column < width) { memory[row * width + column] = in[row * width + column]; out[column * height + row] = in[row * width + column]; } }
    else if (row < height && column < width) out[column * height + row] = memory[row * width + column];
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) runs = 1;
}
