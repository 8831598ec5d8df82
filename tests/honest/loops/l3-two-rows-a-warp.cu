// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: one warp of 16 brings its neighbour row as well
// 03 tiled transpose. Solution.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    int first = threadIdx.y % 16 == 5 ? -1 : 0, last = threadIdx.y % 16 == 4 ? 1 : 0;
    if (first == 0)
        for (int j = 0; j <= last; j++)
            if (row + j < height && column < width)
                tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

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
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
