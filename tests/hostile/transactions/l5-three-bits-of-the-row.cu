// lesson 5; device sim,gpu; nvcc,clang; want: fail; tries: the 128-byte swizzle of tensor-core code (three bits of the row) on single floats: column c ^ (r & 7) spreads a column over 8 banks only, so each read of 32 rows is a 4-way conflict, the lesson asks for none
LAUNCH(32, 8, 32, 32)

// Swizzle<3, ., .>: the bits that 128B swizzling uses
__device__ __forceinline__ int swizzle(int r, int c) { return c ^ (r & 7); }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][swizzle(threadIdx.y + j, threadIdx.x)] = in[(row + j) * width + column];

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][swizzle(threadIdx.x, threadIdx.y + j)];
}
