// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: a chain of flags: each warp fences, then looks at the flag, then sets it; so it hands on its own row and no earlier one
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ volatile int flags[32];

    int tx = threadIdx.x, ty = threadIdx.y;
    if (ty == 0)
        flags[tx] = 0;
    __syncthreads();

    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (row < height && column < width)
        tile[ty][tx] = in[row * width + column];
    __threadfence_block();
    __syncwarp();
    if (tx == 0) {
        while (ty > 0 && flags[ty - 1] == 0)
            ;
        flags[ty] = 1;
    }
    while (flags[31] == 0)
        ;
    __threadfence_block();
    __syncwarp();

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[tx][ty];
}
