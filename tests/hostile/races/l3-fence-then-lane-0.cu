// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: no barrier between filling the tile and reading it: each lane fences its own stores, then lane 0 counts its warp in. No __syncwarp() stands between the fences of lanes 1 to 31 and lane 0's atomicAdd, so what lane 0 publishes is its own row element alone; another warp may see the full count and read what lanes 1 to 31 have not stored yet. All sizes with a block of more than one row; a race of every lane but 0 with the readers of other warps.
// 03 tiled transpose: the warps of a block are counted, not stopped.
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ unsigned filled;  // warps that have filled their rows

    if (threadIdx.x == 0 && threadIdx.y == 0)
        filled = 0;
    __syncthreads();  // the count begins at 0 for all

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    __threadfence_block();  // all lanes: what was stored is seen before what follows
    if (threadIdx.x == 0)
        atomicAdd(&filled, 1);
    while (*(volatile unsigned *)&filled < 8)
        ;
    __threadfence_block();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
