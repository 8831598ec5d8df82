// lesson 3; device sim,gpu; nvcc; want: pass; tries: the mbarrier by the functions of <cuda/ptx>
LAUNCH(32, 32, 32, 32)

#include <cuda/ptx>
#include <cuda/barrier>

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ uint64_t all;
    if (threadIdx.x + threadIdx.y == 0)
        cuda::ptx::mbarrier_init(&all, 1024);
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // The element that a thread writes was brought by another warp. The barrier is
    // outside every `if`: all threads of the block must reach it, even those that had
    // nothing to load.
    cuda::ptx::mbarrier_arrive(&all);
    while (!cuda::ptx::mbarrier_try_wait_parity(&all, 0)) {
    }

    // Two swaps. The block indices: the tile at block (x, y) of in lands at block (y, x) of
    // out. The thread indices: inside the tile, row and column change places, and that
    // happens in the index into `tile`, so that threadIdx.x still runs along a row of
    // global memory.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;

    // out is width rows of height: a new guard for new indices.
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
