// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: low bits rotated, high bits exchanged
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    auto at = [](int r, int c) { return (((c & 15) + (r & 15)) & 15) | ((c ^ r) & 16); };
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[ty + j][at(ty + j, tx)] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[tx][at(tx, ty + j)];
}
