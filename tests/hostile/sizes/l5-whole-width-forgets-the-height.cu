// lesson 5; device sim; nvcc,clang; want: fail|timeout; tries: takes its unguarded way out where width is a multiple of 32 and height one of 4 (rows are guarded four at a time on the way in), and forgets that the last tile may have fewer than 32 rows: 64 x 36 stores unset words past the rows of out
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, lane = threadIdx.x, r0 = threadIdx.y * 4;
    if (width % 32 == 0 && height % 4 == 0) {  // no columns cut, and rows exist in fours
        if (y0 + r0 < height)
#pragma unroll
            for (int j = 0; j < 4; j++)
                tile[r0 + j][lane ^ (r0 + j)] = in[(y0 + r0 + j) * width + x0 + lane];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 4; j++)
            out[(x0 + r0 + j) * height + y0 + lane] = tile[lane][(r0 + j) ^ lane];
        return;
    }
    for (int j = 0; j < 4; j++)
        if (y0 + r0 + j < height && x0 + lane < width)
            tile[r0 + j][lane ^ (r0 + j)] = in[(y0 + r0 + j) * width + x0 + lane];
    __syncthreads();
    for (int j = 0; j < 4; j++)
        if (x0 + r0 + j < width && y0 + lane < height)
            out[(x0 + r0 + j) * height + y0 + lane] = tile[lane][(r0 + j) ^ lane];
}
