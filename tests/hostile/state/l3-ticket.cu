// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tile counter is never reset: the second launch in one process (any size) gets tickets beyond the last tile and writes nothing
LAUNCH(32, 32, 32, 32)

__device__ unsigned next_tile;  // dynamic scheduling: blocks draw their tile

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned mine;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        mine = atomicAdd(&next_tile, 1u);
    __syncthreads();
    unsigned ticket = mine;
    if (ticket >= gridDim.x * gridDim.y)
        return;
    int bx = ticket % gridDim.x, by = ticket / gridDim.x;

    int column = bx * 32 + threadIdx.x;
    int row = by * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();

    int out_column = by * 32 + threadIdx.x;
    int out_row = bx * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
}
