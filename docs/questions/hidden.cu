// A tiled transpose, 1024 x 1024. WIDTH is that of a tile's row: 33 is free of conflicts, 34 has 2-way, 32 has 32-way ones.
#ifndef WIDTH
#define WIDTH 34
#endif
__device__ float in[1024][1024], out[1024][1024];

__global__ void transpose()
{
    __shared__ float tile[32][WIDTH];
    int x = threadIdx.x, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[by + y][bx + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[bx + y][by + x] = tile[x][y];
}
