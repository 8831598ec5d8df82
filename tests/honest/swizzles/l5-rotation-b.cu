// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: rows rotated by their number instead of XOR, eight rows side by side for each of four warps, fold expressions
#include <utility>

LAUNCH(128, 1, 32, 32)

struct Rotated {
    float word[32 * 32];
    // (r, c) lives r places further to the right, round the corner.
    __device__ __forceinline__ float &operator()(unsigned r, unsigned c) { return word[r << 5 | ((c + r) & 31u)]; }
};

template <typename Do, unsigned... J>
__device__ __forceinline__ void each(std::integer_sequence<unsigned, J...>, Do &&act)
{
    (act(std::integral_constant<unsigned, J>()), ...);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Rotated tile;

    const unsigned lane = threadIdx.x & 31u, eight = (threadIdx.x >> 5) * 8u;
    const unsigned x0 = blockIdx.x * 32u, y0 = blockIdx.y * 32u;
    const unsigned w = width, h = height;
    using Eight = std::make_integer_sequence<unsigned, 8>;

    float hand[8];
    each(Eight(), [&](auto j) {
        constexpr unsigned J = decltype(j)::value;
        const unsigned row = y0 + eight + J, column = x0 + lane;
        hand[J] = row < h && column < w ? in[row * w + column] : 0.0f;
    });
    each(Eight(), [&](auto j) { tile(eight + decltype(j)::value, lane) = hand[decltype(j)::value]; });

    __syncthreads();

    each(Eight(), [&](auto j) { hand[decltype(j)::value] = tile(lane, eight + decltype(j)::value); });
    each(Eight(), [&](auto j) {
        constexpr unsigned J = decltype(j)::value;
        const unsigned row = x0 + eight + J, column = y0 + lane;
        if (row < w && column < h)
            out[row * h + column] = hand[J];
    });
}
