// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: tile << window and window << tile: operators that move whole tiles
LAUNCH(32, 8, 32, 32)

constexpr int EDGE = 32;

// A part of a matrix in global memory: where it begins, how much of it exists, how long a row is.
template <class T>
struct Window {
    T *corner;
    int rows, columns, pitch;
};

template <class T>
__device__ Window<T> window(T *matrix, int row, int column, int rows, int columns)
{
    return Window<T>{matrix + (size_t)row * columns + column, rows - row, columns - column, columns};
}

struct Tile {
    float cell[EDGE][EDGE + 1];
};

__device__ Tile &operator<<(Tile &tile, const Window<const float> &from)
{
    const int x = threadIdx.x;
#pragma unroll
    for (int step = 0; step < EDGE; step += 8) {
        const int y = threadIdx.y + step;
        if (y < from.rows && x < from.columns)
            tile.cell[y][x] = from.corner[(size_t)y * from.pitch + x];
    }
    return tile;
}

// Into out a tile goes turned: its columns become rows.
__device__ const Window<float> &operator<<(const Window<float> &to, const Tile &tile)
{
    const int x = threadIdx.x;
#pragma unroll
    for (int step = 0; step < EDGE; step += 8) {
        const int y = threadIdx.y + step;
        if (y < to.rows && x < to.columns)
            to.corner[(size_t)y * to.pitch + x] = tile.cell[x][y];
    }
    return to;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile tile;
    const int row = blockIdx.y * EDGE, column = blockIdx.x * EDGE;

    tile << window(in, row, column, height, width);
    __syncthreads();
    window(out, column, row, width, height) << tile;
}
