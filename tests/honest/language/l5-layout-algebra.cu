// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: layouts as types in the manner of CuTe: shape and stride are compile-time, the tile's layout is a swizzle composed with it, and the transposed view is a layout of the same memory
LAUNCH(32, 4, 32, 32)

template <int V> struct Int { static constexpr int value = V; };

// (row, column) -> row * RowStride + column * ColumnStride
template <typename RowStride, typename ColumnStride>
struct Layout {
    __device__ constexpr int operator()(int r, int c) const { return r * RowStride::value + c * ColumnStride::value; }
    using Transposed = Layout<ColumnStride, RowStride>;
};

// Bits B above S come down by S and are added without carry, as in cute::Swizzle<5, 0, 5>.
template <int B, int M, int S>
struct Swizzle {
    static constexpr int mask = ((1 << B) - 1) << (M + S);
    __device__ constexpr int operator()(int offset) const { return offset ^ (offset & mask) >> S; }
};

template <typename Outer, typename Inner>
struct Composed {
    __device__ constexpr int operator()(int r, int c) const { return Outer{}(Inner{}(r, c)); }
    using Transposed = Composed<Outer, typename Inner::Transposed>;
};

template <typename T, typename L>
struct Tensor {
    T *data;
    __device__ T &operator()(int r, int c) const { return data[L{}(r, c)]; }
    __device__ Tensor<T, typename L::Transposed> turned() const { return {data}; }
};

// A matrix in global memory whose pitch is known at run time only, seen from one of its tiles, with its bounds.
template <typename T>
struct Window {
    T *corner;
    int rows, columns, pitch;
    __device__ bool has(int r, int c) const { return r < rows && c < columns; }
    __device__ T &operator()(int r, int c) const { return corner[r * pitch + c]; }
};

template <typename T>
__device__ Window<T> local_tile(T *matrix, int rows, int columns, int tile_row, int tile_column)
{
    int r = tile_row * 32, c = tile_column * 32;
    return {matrix + (size_t)r * columns + c, rows - r, columns - c, columns};
}

template <typename Target, typename Source, typename Exists>
__device__ void copy_tile(Target to, Source from, Exists exists)
{
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int r = threadIdx.y + j * 4, c = threadIdx.x;
        if (exists(r, c))
            to(r, c) = from(r, c);
    }
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    using Plain = Layout<Int<32>, Int<1>>;
    using Tile = Composed<Swizzle<5, 0, 5>, Plain>;
    __shared__ float memory[32 * 32];

    Tensor<float, Tile> tile{memory};
    auto source = local_tile(in, height, width, blockIdx.y, blockIdx.x);
    auto target = local_tile(out, width, height, blockIdx.x, blockIdx.y);

    copy_tile(tile, source, [&](int r, int c) { return source.has(r, c); });
    __syncthreads();
    copy_tile(target, tile.turned(), [&](int r, int c) { return target.has(r, c); });
}
