// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: indices are computed in float, exact only below 2^24: from 4097 x 4096 on (the lesson measures 8192 x 8192) neighbours share an index, elements go lost, and the last index rounds up past the end
LAUNCH(32, 32, 32, 32)

// One fused multiply-add in place of an integer product and a sum.
__device__ int at(int row, int pitch, int column)
{
    return (int)fmaf((float)row, (float)pitch, (float)column);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[at(row, width, column)];  // @fill

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
        out[at(out_row, height, out_column)] = tile[threadIdx.x][threadIdx.y];  // @write
}
