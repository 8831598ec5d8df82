// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: extern "C" kernel with array parameters, cstdint types, LAUNCH at the end of the file with constexpr and sizeof in it
#include <cstdint>
#include <cassert>

constexpr std::uint32_t threads = 256, per_block = threads * sizeof(float) * 8;

extern "C" __global__ void __launch_bounds__(threads) copy(float out[], const float in[], const int n)
{
    const std::uint64_t begin = std::uint64_t{blockIdx.x} * per_block;
    assert(blockDim.x == threads);
    for (std::uint64_t i = begin + threadIdx.x; i < begin + per_block && i < static_cast<std::uint64_t>(n); i += threads)
        out[i] = in[i];
}

LAUNCH(
    threads, 1,
    per_block,
    1
)
