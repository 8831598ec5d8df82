// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: cuda::std::array, cstdint, if constexpr, fold expressions
#include <cstdint>
#include <cuda/std/array>
LAUNCH(256, 1, 2048, 1)
template <int... J> struct List {};
template <int N, int... J> struct Count : Count<N - 1, N - 1, J...> {};
template <int... J> struct Count<0, J...> { using type = List<J...>; };
template <int... J> __device__ void all(float *out, const float *in, std::uint32_t at, std::uint32_t n, List<J...>)
{
    cuda::std::array<float, sizeof...(J)> keep;
    ((keep[J] = at + J * 256 < n ? in[at + J * 256] : 0.0f), ...);
    ((at + J * 256 < n ? (void)(out[at + J * 256] = keep[J]) : (void)0), ...);
}
__global__ void copy(float *out, const float *in, int n)
{
    all(out, in, blockIdx.x * 2048u + threadIdx.x, std::uint32_t(n), Count<8>::type{});
}
