// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate tile|coalesced; tries: each thread turns a 4 x 4 tile in its registers; a dummy in shared memory
LAUNCH(8, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[1];
    dummy[0] = 1;
    (void)dummy[0];
    int column = blockIdx.x * 32 + threadIdx.x * 4, row = blockIdx.y * 32 + threadIdx.y * 4;
    float tile[4][4] = {};
#pragma unroll
    for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++)
            if (row + y < height && column + x < width)
                tile[y][x] = in[(row + y) * width + column + x];
#pragma unroll
    for (int x = 0; x < 4; x++)
#pragma unroll
        for (int y = 0; y < 4; y++)
            if (row + y < height && column + x < width)
                out[(column + x) * height + row + y] = tile[y][x];
}
