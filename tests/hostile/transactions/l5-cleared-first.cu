// lesson 5; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: right and without hazards, but the tile is cleared before it is filled: three wavefronts for 32 floats, where the conflicts gate allows 1.05 * 2
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;

    // No place of the tile is ever read unset, at no edge: all are zero to begin with.
    for (int j = 0; j < 32; j += 8)
        tile[ty + j][tx] = 0.0f;
    __syncthreads();

    int column = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[ty + j][tx ^ (ty + j)] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + tx;
    int out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[tx][(ty + j) ^ tx];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
