// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: whole tiles have no guards, where rows, columns or both are whole
LAUNCH(32, 8, 32, 32)

__device__ __forceinline__ bool inside(bool whole, int at, int end)
{
    return whole || at < end;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    bool columns = (width & 31) == 0, rows = (height & 31) == 0;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (inside(rows, row + j, height) && inside(columns, column, width))
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (inside(columns, out_row + j, width) && inside(rows, out_column, height))
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
