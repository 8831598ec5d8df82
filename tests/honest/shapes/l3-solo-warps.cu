// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: every warp has a tile to itself, so that __syncwarp() takes the place of the block's barrier; warps without a tile leave
LAUNCH(32, 4, 32, 128)  // four warps, one below the other: 32 columns and 4 x 32 rows

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[4][32][32];

    const int lane = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 128 + threadIdx.y * 32;
    if (y0 >= height)  // the same for all lanes, and nobody waits for this warp
        return;
    float(&tile)[32][32] = tiles[threadIdx.y];

    const int rows = min(32, height - y0), columns = min(32, width - x0);

    if (lane < columns) {
        const float *from = in + (size_t)y0 * width + x0 + lane;
#pragma unroll 8
        for (int r = 0; r < rows; ++r)
            tile[r][lane] = from[(size_t)r * width];
    }

    __syncwarp();

    if (lane < rows) {
        float *to = out + (size_t)x0 * height + y0 + lane;
#pragma unroll 8
        for (int c = 0; c < columns; ++c)
            to[(size_t)c * height] = tile[lane][c];
    }
}
