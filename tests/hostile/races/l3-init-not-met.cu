// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: a cuda::barrier does the waiting, but between thread 0's init() and the other threads' arrive_and_wait() stands nothing: another warp may arrive at a barrier that does not exist yet, which is a race (the CUDA guide puts a __syncthreads() there)
#include <cuda/barrier>
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        init(&filled, blockDim.x * blockDim.y);

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];

    filled.arrive_and_wait();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
}
