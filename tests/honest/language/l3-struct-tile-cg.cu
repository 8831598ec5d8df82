// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: a Tile class with operator() and transposed view, cooperative groups' sync, structured bindings
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(32, 32, 32, 32)

struct Point { int row, column; };

template <int N>
struct Tile {
    float cell[N * N];
    __device__ float &operator()(Point p) { return cell[p.row * N + p.column]; }
};

template <int N>
struct Flipped {
    Tile<N> &base;
    __device__ float operator()(Point p) const { return base(Point{p.column, p.row}); }
};

struct Matrix {
    int rows, columns;
    __device__ bool has(Point p) const { return p.row < rows && p.column < columns; }
    __device__ size_t at(Point p) const { return (size_t)p.row * columns + p.column; }
};

__device__ Point operator+(Point a, Point b) { return {a.row + b.row, a.column + b.column}; }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile<32> tile;
    const auto block = cg::this_thread_block();
    const Matrix source{height, width}, target{width, height};
    const Point me{(int)block.thread_index().y, (int)block.thread_index().x};
    const auto [brow, bcolumn] = Point{(int)blockIdx.y * 32, (int)blockIdx.x * 32};

    if (const Point p = Point{brow, bcolumn} + me; source.has(p))
        tile(me) = in[source.at(p)];

    cg::sync(block);

    if (const Point p = Point{bcolumn, brow} + me; target.has(p))
        out[target.at(p)] = Flipped<32>{tile}(me);
}
