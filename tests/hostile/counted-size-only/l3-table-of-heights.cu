// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: a table by height % 32 moves the last row by one at one rest
LAUNCH(32, 32, 32, 32)

__constant__ unsigned char odd[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // The element that a thread writes was brought by another warp. The barrier is
    // outside every `if`: all threads of the block must reach it, even those that had
    // nothing to load.
    __syncthreads();

    // Two swaps. The block indices: the tile at block (x, y) of in lands at block (y, x) of
    // out. The thread indices: inside the tile, row and column change places, and that
    // happens in the index into `tile`, so that threadIdx.x still runs along a row of
    // global memory.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;

    // out is width rows of height: a new guard for new indices.
    if (out_row < width && out_column < height - odd[height & 31])
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
