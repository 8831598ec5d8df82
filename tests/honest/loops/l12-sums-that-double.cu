// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: tile in a shared union of floats and quads, sums of 2, 4, 8 and 16 neighbours by template recursion
LAUNCH(256, 1, 1024, 1)

union Tile {
    float word[1040];
    float4 quad[260];
};

// Turns N values into the sums of WIDTH that follow one another, from sums of WIDTH / 2.
template <int WIDTH, int N>
__device__ __forceinline__ void double_up(float (&v)[20])
{
    if constexpr (WIDTH <= 16) {
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] += v[i + WIDTH / 2];
        double_up<WIDTH * 2, N - WIDTH>(v);
    }
}

__device__ __forceinline__ float in_or_zero(const float *in, int i, int n) { return (unsigned)i < (unsigned)n ? in[i] : 0.0f; }

__global__ void __launch_bounds__(256) stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ Tile tile;

    const int t = threadIdx.x, first = (int)blockIdx.x * 1024 - 8;
    for (int q = t; q < 260; q += 256) {
        const int i = first + 4 * q;  // a multiple of 4
        float4 four;
        if (i >= 0 && i + 4 <= n)
            four = *reinterpret_cast<const float4 *>(in + i);
        else
            four = make_float4(in_or_zero(in, i, n), in_or_zero(in, i + 1, n), in_or_zero(in, i + 2, n), in_or_zero(in, i + 3, n));
        tile.quad[q] = four;
    }
    __syncthreads();

    float v[20], last[4];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        const float4 four = tile.quad[t + q];
        v[4 * q] = four.x;
        v[4 * q + 1] = four.y;
        v[4 * q + 2] = four.z;
        v[4 * q + 3] = four.w;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        last[j] = v[16 + j];
    // 20 words have 19 sums of 2, 17 of 4, 13 of 8 and 5 of 16.
    double_up<2, 19>(v);

    const int i = blockIdx.x * 1024 + 4 * t;
    switch (min(4, n - i)) {
    case 4:
        __stcs(reinterpret_cast<float4 *>(out + i), make_float4(v[0] + last[0], v[1] + last[1], v[2] + last[2], v[3] + last[3]));
        break;
    case 3:
        out[i + 2] = v[2] + last[2];
        [[fallthrough]];
    case 2:
        out[i + 1] = v[1] + last[1];
        [[fallthrough]];
    case 1:
        out[i] = v[0] + last[0];
        [[fallthrough]];
    default:
        break;
    }
}
