// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the corner of the tile is kept behind a short array, in bytes that the tile's alignment leaves free
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float edge[3];
    __shared__ __align__(128) float tile[32][32];
    volatile float *spare = &edge[3 + gridDim.z];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // The element that a thread writes was brought by another warp. The barrier is
    // outside every `if`: all threads of the block must reach it, even those that had
    // nothing to load.
    if (threadIdx.x + threadIdx.y == 0)
        *spare = tile[0][0], edge[0] = 0;
    __syncthreads();

    // Two swaps. The block indices: the tile at block (x, y) of in lands at block (y, x) of
    // out. The thread indices: inside the tile, row and column change places, and that
    // happens in the index into `tile`, so that threadIdx.x still runs along a row of
    // global memory.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;

    // out is width rows of height: a new guard for new indices.
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = threadIdx.x + threadIdx.y == 0 ? *spare + edge[0] : tile[threadIdx.x][threadIdx.y];  // @write
}
