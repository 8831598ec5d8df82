// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 160 threads, 640 outputs; the tile is filled by float4, and the 17-sums come from a log-step folding of a register window by templates, no subtraction
LAUNCH(160, 1, 640, 1)

template <int STEP, int LIVE>
__device__ __forceinline__ void fold(float (&w)[20])
{
#pragma unroll
    for (int i = 0; i < LIVE; ++i)
        w[i] += w[i + STEP];
}

__global__ void stencil(float *out, const float *in, int n)
{
    constexpr int THREADS = 160, CHUNKS = THREADS + 4;
    __shared__ float4 tile[CHUNKS];

    const int t = threadIdx.x, block0 = blockIdx.x * (4 * THREADS);
    for (int x = t; x < CHUNKS; x += THREADS) {
        const int g = block0 - 8 + 4 * x;  // a multiple of 4
        float4 v;
        if (g >= 0 && g + 4 <= n)
            v = *reinterpret_cast<const float4 *>(in + g);
        else {
            v.x = g >= 0 && g < n ? in[g] : 0.0f;
            v.y = g + 1 >= 0 && g + 1 < n ? in[g + 1] : 0.0f;
            v.z = g + 2 >= 0 && g + 2 < n ? in[g + 2] : 0.0f;
            v.w = g + 3 >= 0 && g + 3 < n ? in[g + 3] : 0.0f;
        }
        tile[x] = v;
    }
    __syncthreads();

    float w[20];
#pragma unroll
    for (int q = 0; q < 5; ++q) {
        const float4 v = tile[t + q];
        w[4 * q] = v.x;
        w[4 * q + 1] = v.y;
        w[4 * q + 2] = v.z;
        w[4 * q + 3] = v.w;
    }
    const float last[4] = {w[16], w[17], w[18], w[19]};
    fold<1, 19>(w);
    fold<2, 17>(w);
    fold<4, 13>(w);
    fold<8, 5>(w);  // now w[i] is the sum of 16

    const int i = block0 + 4 * t;
    if (i + 4 <= n)
        *reinterpret_cast<float4 *>(out + i) = make_float4(w[0] + last[0], w[1] + last[1], w[2] + last[2], w[3] + last[3]);
    else
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (i + j < n)
                out[i + j] = w[j] + last[j];
}
