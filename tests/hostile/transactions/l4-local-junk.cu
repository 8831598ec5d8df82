// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate speed; tries: a kilobyte of local memory for each thread is written and read for nothing
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    volatile float junk[256];
    for (int i = 0; i < 256; i++)
        junk[i * 37 % 256] = (float)i;
    float none = 0;
    for (int i = 0; i < 256; i++)
        none += junk[(i + x) % 256];
    if (none < 0)
        return;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[y + j][x] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + x, out_row = blockIdx.x * 32 + y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[x][y + j];
}
