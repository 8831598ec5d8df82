// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: one sweep function taken twice with a pointer to a member function as template argument, once for the tile as it lies and once turned, barrier between; right, 32 x 8 threads, coalesced on both sides
LAUNCH(32, 8, 32, 32)

struct Tile {
    float cell[32][32];
    __device__ float &upright(int r, int c) { return cell[r][c]; }
    __device__ float &turned(int r, int c) { return cell[c][r]; }
};

struct Matrix {
    float *data;
    int rows, columns;
    __device__ bool has(int r, int c) const { return r < rows && c < columns; }
    __device__ float &operator()(int r, int c) const { return data[r * columns + c]; }
};

template <float &(Tile::*Way)(int, int), bool Inwards>
__device__ __forceinline__ void sweep(Tile &tile, const Matrix &matrix, int block_row, int block_column)
{
#pragma unroll
    for (int r = threadIdx.y, c = threadIdx.x; r < 32; r += 8) {
        const int row = block_row * 32 + r, column = block_column * 32 + c;
        if (!matrix.has(row, column))
            continue;
        float &here = (tile.*Way)(r, c);
        if constexpr (Inwards)
            here = matrix(row, column);
        else
            matrix(row, column) = here;
    }
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile tile;
    sweep<&Tile::upright, true>(tile, Matrix{const_cast<float *>(in), height, width}, blockIdx.y, blockIdx.x);
    __syncthreads();
    sweep<&Tile::turned, false>(tile, Matrix{out, width, height}, blockIdx.x, blockIdx.y);
}
