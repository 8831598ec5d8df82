// lesson 3; device sim,gpu; nvcc; want: pass; tries: names with umlauts and Greek letters, comments in Japanese
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float größe[32][33]; // 転置
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            größe[ty + j][tx] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            { float λ = größe[tx][ty + j]; out[(out_row + j) * height + out_column] = λ; }
}
