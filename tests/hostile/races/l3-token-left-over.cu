// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the flags are never cleared: shared memory is read before anything was written there, and where an earlier launch left this block's own token a warp goes on before the tile is filled
LAUNCH(32, 8, 32, 32)

// Each warp says for itself that it has filled its rows, with fences on both sides, and each warp
// waits for the eight words of all. No clearing is needed, since what a block says is its own
// token and no other block's: what stood there before cannot be taken for it.
__device__ unsigned token_of_block()
{
    return 0x7a310000u + blockIdx.y * gridDim.x + blockIdx.x;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ volatile unsigned filled[8];
    unsigned token = token_of_block();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    // What the lanes of this warp stored, then the flag.
    __syncwarp();
    if (threadIdx.x == 0) {
        __threadfence_block();
        filled[threadIdx.y] = token;
    }

    // Lane w waits for warp w; then all lanes know.
    if (threadIdx.x < 8)
        while (filled[threadIdx.x] != token)
            ;
    __threadfence_block();
    __syncwarp();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];  // @write
}
