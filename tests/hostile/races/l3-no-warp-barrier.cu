// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: one warp a block and no barrier at all, as if lanes ran in step
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, column = blockIdx.x * 32 + x;
    for (int j = 0; j < 32; j++)
        if (blockIdx.y * 32 + j < height && column < width)
            tile[j][x] = in[(blockIdx.y * 32 + j) * width + column];
    for (int j = 0; j < 32; j++)
        if (blockIdx.x * 32 + j < width && blockIdx.y * 32 + x < height)
            out[(blockIdx.x * 32 + j) * height + blockIdx.y * 32 + x] = tile[x][j];
}
