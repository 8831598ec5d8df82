// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: one warp of eight carries the tile; the others leave at once
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    if (threadIdx.y > 0)
        return;
    int x = blockIdx.x * 32, y = blockIdx.y * 32, lane = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 32; j++)
        if (y + j < height && x + lane < width)
            tile[j][lane] = in[(y + j) * width + x + lane];
    __syncwarp();
#pragma unroll
    for (int j = 0; j < 32; j++)
        if (x + j < width && y + lane < height)
            out[(x + j) * height + y + lane] = tile[lane][j];
}
