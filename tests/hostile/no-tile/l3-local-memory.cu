// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: the tile is an array of one thread in local memory, one thread for each tile
LAUNCH(1, 1, 8, 8)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    float tile[8][8];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            if (blockIdx.y * 8 + y < height && blockIdx.x * 8 + x < width)
                tile[y][x] = in[(blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x];
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            if (blockIdx.y * 8 + y < height && blockIdx.x * 8 + x < width)
                out[(blockIdx.x * 8 + x) * height + blockIdx.y * 8 + y] = tile[y][x];
}
