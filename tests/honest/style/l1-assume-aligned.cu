// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: float4 pointers made by __builtin_assume_aligned of the arrays, which cudaMalloc aligns; a warp copies 128 neighbours a turn, 16 bytes a lane, and the lane in whose four floats n ends copies the last one to three by itself; right and coalesced
LAUNCH(256, 1, 4096, 1)

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    constexpr int quads = 4096 / 4;  // of a block
    auto *const to = static_cast<float4 *>(__builtin_assume_aligned(out, 16));
    auto *const from = static_cast<const float4 *>(__builtin_assume_aligned(in, 16));
    const int whole = n >> 2, first = blockIdx.x * quads + threadIdx.x;

#pragma unroll
    for (int q = first; q < first + quads; q += 256)
        if (q < whole)
            to[q] = from[q];
        else if (q == whole)
            for (int i = q << 2; i != n; ++i)
                out[i] = in[i];
}
