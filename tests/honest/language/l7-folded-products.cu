// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 128 threads with 8 x 4 elements, loops written as fold expressions over index sequences
#include <utility>

LAUNCH(128, 1, 64, 64)

namespace lin {

struct alignas(16) vec4 {
    float v[4];
};
__device__ __forceinline__ void axpy(vec4 &sum, float x, const vec4 &y)
{
    sum.v[0] = fmaf(x, y.v[0], sum.v[0]);
    sum.v[1] = fmaf(x, y.v[1], sum.v[1]);
    sum.v[2] = fmaf(x, y.v[2], sum.v[2]);
    sum.v[3] = fmaf(x, y.v[3], sum.v[3]);
}

template <int... P>
using ints = std::integer_sequence<int, P...>;

template <int P>
struct constant {
    __device__ constexpr operator int() const { return P; }
};

// f(0), f(1), ... as one expression: the index is part of the type, so nothing is left to unroll.
template <class F, int... P>
__device__ __forceinline__ void each(ints<P...>, F &&f)
{
    (f(constant<P>{}), ...);
}

template <int N, class F>
__device__ __forceinline__ void times(F &&f)
{
    each(std::make_integer_sequence<int, N>{}, f);
}

}  // namespace lin

__global__ void __launch_bounds__(128, 3) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using lin::times;
    using lin::vec4;
    __shared__ vec4 a_tile[64][4], b_tile[16][16];  // 64 x 16 and 16 x 64 floats

    const int id = threadIdx.x, tx = id % 16, ty = id / 16;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    vec4 sum[8] = {};  // rows ty + 8 p, columns 4 tx ...

    for (int k0 = 0; k0 < k; k0 += 16) {
        times<8>([&](auto j) {
            const int e = id + j * 128, r = e / 16, i = e % 16;
            (&a_tile[0][0].v[0])[e] = row0 + r < m && k0 + i < k ? a[(size_t)(row0 + r) * k + k0 + i] : 0.0f;
        });
        times<8>([&](auto j) {
            const int e = id + j * 128, i = e / 64, q = e % 64;
            (&b_tile[0][0].v[0])[e] = k0 + i < k && column0 + q < n ? b[(size_t)(k0 + i) * n + column0 + q] : 0.0f;
        });
        __syncthreads();

        times<4>([&](auto chunk) {
            vec4 x[8];
            times<8>([&](auto p) { x[p] = a_tile[ty + 8 * p][chunk]; });
            times<4>([&](auto i) {
                const vec4 y = b_tile[chunk * 4 + i][tx];
                times<8>([&](auto p) { lin::axpy(sum[p], x[p].v[i], y); });
            });
        });
        __syncthreads();
    }

    times<8>([&](auto p) {
        times<4>([&](auto q) {
            if (const int row = row0 + ty + 8 * p, column = column0 + tx * 4 + q; row < m && column < n)
                c[(size_t)row * n + column] = sum[p].v[q];
        });
    });
}
