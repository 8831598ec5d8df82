// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: fill and take in functions of their own, the tile by reference
LAUNCH(32, 32, 32, 32)

typedef float square[32][32];

__device__ __forceinline__ bool inside(int row, int column, int rows, int columns)
{
    return row < rows && column < columns;
}

__device__ void fill(square &tile, const float *in, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (inside(row, column, rows, columns))
        tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
}

__device__ void take(const square &tile, float *out, int rows, int columns)
{
    int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    if (inside(row, column, rows, columns))
        out[row * columns + column] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ square tile;
    fill(tile, in, height, width);
    __syncthreads();
    take(tile, out, width, height);
}
