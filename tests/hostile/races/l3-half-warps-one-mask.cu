// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: half warps turn tiles of 16 x 16 of their own and meet by __syncwarp(mask), but the mask is chosen by threadIdx.x < 16, which in a block of 16 x 16 threads is true for all: lanes 16 to 31 name lanes 0 to 15 and not themselves, which is undefined, and nothing orders the upper half's stores and loads
LAUNCH(16, 16, 64, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[16][16][17];
    int x = threadIdx.x, h = threadIdx.y;
    unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;  // my half of the warp

    int column0 = blockIdx.x * 64 + h % 4 * 16, row0 = blockIdx.y * 64 + h / 4 * 16;
    int columns = min(16, width - column0), rows = min(16, height - row0);

    for (int r = 0; r < rows; r++)
        if (x < columns)
            tiles[h][r][x] = in[(row0 + r) * width + column0 + x];

    __syncwarp(mask);

    for (int c = 0; c < columns; c++)
        if (x < rows)
            out[(column0 + c) * height + row0 + x] = tiles[h][x][c];
}
