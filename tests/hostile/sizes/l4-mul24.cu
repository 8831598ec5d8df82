// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: row times pitch is a 24-bit multiplication: rows from 16777216 on go to the wrong place (a legal matrix of width = 20000000, height = 1 has 80 MB)
// 04 padding.
LAUNCH(32, 8, 32, 32)

// What __umul24 does: quicker on old GPUs, and no index has more bits.
__device__ unsigned times(unsigned x, unsigned y)
{
    return (x & 0xffffff) * (y & 0xffffff);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[times(row + j, width) + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];  // @take
            out[times(out_row + j, height) + out_column] = value;
        }
}
