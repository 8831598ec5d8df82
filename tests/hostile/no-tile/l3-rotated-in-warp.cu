// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: cheat: the reads of in still stride (32 rows for each warp, as in lesson 2) at every size, and the tile does not turn anything, it only hands each float to the next lane of the same warp so that it has gone through shared memory.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    __syncwarp();

    int next = (threadIdx.x + 1) % 32;
    int out_column = blockIdx.y * 32 + next;
    if (column < width && out_column < height)
        out[column * height + out_column] = tile[threadIdx.y][next];  // @write
}
