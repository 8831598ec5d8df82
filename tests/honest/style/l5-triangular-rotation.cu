// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: row r is rotated by the triangular number r (r + 1) / 2, these are all different modulo 32 for r = 0 to 31 (as modulo any power of two), so a column lies in 32 banks, and a rotation keeps a row's elements apart
LAUNCH(32, 8, 32, 32)

__device__ __forceinline__ int place(int r, int c) { return (c + r * (r + 1) / 2) & 31; }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][place(r, threadIdx.x)] = in[(row + j) * width + column];
    }

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][place(threadIdx.x, c)];
    }
}
