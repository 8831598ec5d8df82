// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: flags are stored as bytes and read as words: not morally strong (they do not overlap completely), so nothing is ordered
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned flags[8];

    int tx = threadIdx.x, ty = threadIdx.y;
    if (ty == 0 && tx < 8)
        flags[tx] = 0;
    __syncthreads();

    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (row < height && column < width)
        tile[ty][tx] = in[row * width + column];
    __threadfence_block();
    __syncwarp();
    if (tx == 0)
        ((volatile unsigned char *)flags)[ty] = 1;

    while (((volatile unsigned *)flags)[tx & 7] != 0x01010101u)
        ;
    __threadfence_block();
    __syncwarp();

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[tx][ty];
}
