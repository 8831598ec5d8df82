// Stores with rows of 32 words, reads with rows of 33.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y * 32 + threadIdx.x] = in[row * width + column];

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;

    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x * 33 + threadIdx.y];
}
