// Two tiles beside each other in shared memory: a block covers 64 columns.
LAUNCH(32, 8, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[2][32][32];

    int row = blockIdx.y * 32 + threadIdx.y;
    for (int t = 0; t < 2; t++)
        for (int j = 0; j < 32; j += 8) {
            int r = threadIdx.y + j, c = threadIdx.x, column = blockIdx.x * 64 + t * 32 + c;
            if (row + j < height && column < width)
                tile[t][r][c ^ r] = in[(row + j) * width + column];
        }
    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    for (int t = 0; t < 2; t++)
        for (int j = 0; j < 32; j += 8) {
            int r = threadIdx.x, c = threadIdx.y + j, out_row = blockIdx.x * 64 + t * 32 + c;
            if (out_row < width && out_column < height)
                out[out_row * height + out_column] = tile[t][r][c ^ r];
        }
}
