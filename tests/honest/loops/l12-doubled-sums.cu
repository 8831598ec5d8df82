// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 128 threads, twice four outputs each; sums of 2, 4, 8 and 16 neighbours by doubling in registers; a union of words and quads
LAUNCH(128, 1, 1024, 1)

union Tile {
    float word[1024 + 16];
    float4 quad[(1024 + 16) / 4];
};

// s[i] becomes the sum of 2 * Span neighbours from i on, given those of Span.
template <int Span, int Length>
__device__ __forceinline__ void doubled(float (&s)[Length])
{
#pragma unroll
    for (int i = 0; i + 2 * Span <= 20; ++i)
        s[i] += s[i + Span];
    if constexpr (Span < 8)
        doubled<2 * Span>(s);
}

__device__ __forceinline__ float4 four_outputs(const Tile &tile, int q)
{
    float s[20];
#pragma unroll
    for (int j = 0; j < 5; ++j)
        *reinterpret_cast<float4 *>(&s[4 * j]) = tile.quad[q + j];
    const float last[4] = {s[16], s[17], s[18], s[19]};
    doubled<1>(s);  // now s[i] is the sum of 16
    return make_float4(s[0] + last[0], s[1] + last[1], s[2] + last[2], s[3] + last[3]);
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ Tile tile;
    const int t = threadIdx.x, base = blockIdx.x * 1024, shift = base - 8;

    if (base >= 8 && base + 1024 + 8 <= n) {
        // All of it exists: 260 quads, at multiples of 16 bytes.
        const float4 *from = reinterpret_cast<const float4 *>(in + shift);
        tile.quad[t] = from[t];
        tile.quad[t + 128] = from[t + 128];
        if (t < 4)
            tile.quad[t + 256] = from[t + 256];
    } else {
        for (int k = t; k < 1024 + 16; k += 128) {
            const int i = shift + k;
            tile.word[k] = static_cast<unsigned>(i) < static_cast<unsigned>(n) ? in[i] : 0.0f;  // below 0 is far above n
        }
    }
    __syncthreads();

#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int q = t + 128 * h, i = base + 4 * q;
        const float4 sums = four_outputs(tile, q);
        const int have = n - i;
        if (have >= 4) {
            *reinterpret_cast<float4 *>(&out[i]) = sums;
        } else {  // three at most
            if (have > 0)
                out[i] = sums.x;
            if (have > 1)
                out[i + 1] = sums.y;
            if (have > 2)
                out[i + 2] = sums.z;
        }
    }
}
