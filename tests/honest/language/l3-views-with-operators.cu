// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: tile seen through a view and its transposed view, rows by a fold over an integer sequence, one barrier
#include <utility>

LAUNCH(32, 8, 32, 32)

// A view of the tile: element (r, c) is R * r + C * c words from the beginning.
template <int R, int C>
struct View {
    float *words;
    __device__ float &operator()(int r, int c) const { return words[R * r + C * c]; }
    __device__ constexpr View<C, R> operator~() const { return {words}; }  // rows and columns exchanged
};

template <typename T>
struct Matrix {
    T *first;
    int rows, columns;
    __device__ bool has(int r, int c) const { return r < rows && c < columns; }
    __device__ T &operator()(int r, int c) const { return first[r * columns + c]; }
};

template <int N>
struct Constant {
    __device__ constexpr operator int() const { return N; }
};

template <int... J, typename F>
__device__ __forceinline__ void each(std::integer_sequence<int, J...>, F f)
{
    (f(Constant<J * 8>{}), ...);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float words[32 * 33];
    const View<33, 1> tile{words};
    const auto turned = ~tile;
    const Matrix<const float> from{in, height, width};
    const Matrix<float> to{out, width, height};
    const int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    constexpr auto four = std::make_integer_sequence<int, 4>{};

    each(four, [&](auto j) {
        if (from.has(by + y + j, bx + x))
            tile(y + j, x) = from(by + y + j, bx + x);
    });
    __syncthreads();
    each(four, [&](auto j) {
        if (to.has(bx + y + j, by + x))
            to(bx + y + j, by + x) = turned(y + j, x);
    });
}
