// lesson 4; device sim; nvcc,clang; want: full; tries: std::index_sequence and fold expressions from <utility>, std::conditional_t from <type_traits>, generic lambdas taking integral constants
#include <type_traits>
#include <utility>

LAUNCH(32, 8, 32, 32)

template <std::size_t... I, typename F>
__device__ __forceinline__ void repeat(std::index_sequence<I...>, F f)
{
    (f(std::integral_constant<int, I * 8>{}), ...);
}
template <bool Wide>
using index_of = std::conditional_t<Wide, long long, int>;

template <typename T, int Rows, int Pitch>
struct Padded {
    static_assert(Pitch % 2 == 1, "an odd pitch visits all banks");
    T data[Rows][Pitch];
    template <bool Turned>
    __device__ __forceinline__ T &get(int r, int c)
    {
        if constexpr (Turned)
            return data[c][r];
        else
            return data[r][c];
    }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Padded<float, 32, 33> tile;
    using index = index_of<true>;
    const int x = threadIdx.x, y = threadIdx.y;
    constexpr auto four = std::make_index_sequence<4>{};

    const index left = index{blockIdx.x} * 32, top = index{blockIdx.y} * 32;
    repeat(four, [&](auto j) {
        if (top + y + j < height && left + x < width)
            tile.get<false>(y + j, x) = in[(top + y + j) * width + left + x];
    });
    __syncthreads();
    repeat(four, [&](auto j) {
        if (left + y + j < width && top + x < height)
            out[(left + y + j) * height + top + x] = tile.get<true>(y + j, x);
    });
}
