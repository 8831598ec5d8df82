// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: blocks of 64 threads and 256 outputs, a tile of chunks filled by 16 bytes, four outputs share the sum of their 14 common words
LAUNCH(64, 1, 256, 1)

// Chunk number `at / 4` of in, zeros for what does not exist. `at` is a multiple of 4, and may be negative.
static __device__ __forceinline__ float4 chunk_at(const float *__restrict__ in, long long at, long long n)
{
    if (at >= 0 && at + 4 <= n)
        return __ldg(reinterpret_cast<const float4 *>(in + at));
    float e[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
        e[j] = at + j >= 0 && at + j < n ? __ldg(in + at + j) : 0.0f;
    return make_float4(e[0], e[1], e[2], e[3]);
}

__global__ void __launch_bounds__(64) stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    constexpr int CHUNKS = 2 + 64 + 2;
    __shared__ float4 tile[CHUNKS];

    const int t = threadIdx.x;
    const long long first = blockIdx.x * 256LL;

    for (int q = t; q < CHUNKS; q += 64)
        tile[q] = chunk_at(in, first - 8 + 4 * q, n);
    __syncthreads();

    float w[20];
#pragma unroll
    for (int q = 0; q < 5; ++q) {
        const float4 four = tile[t + q];
        w[4 * q] = four.x;
        w[4 * q + 1] = four.y;
        w[4 * q + 2] = four.z;
        w[4 * q + 3] = four.w;
    }

    // Words 3 to 16 belong to all four outputs; what is left are three on either side.
    float core = 0.0f;
#pragma unroll
    for (int d = 3; d <= 16; ++d)
        core += w[d];
    const float left1 = w[2], left2 = w[1] + left1, left3 = w[0] + left2;
    const float right1 = w[17], right2 = right1 + w[18], right3 = right2 + w[19];

    const float4 result = make_float4(left3 + core, left2 + core + right1, left1 + core + right2, core + right3);

    const long long i = first + 4 * t;
    if (i + 4 <= n)
        *reinterpret_cast<float4 *>(out + i) = result;
    else {
        if (i < n)
            out[i] = result.x;
        if (i + 1 < n)
            out[i + 1] = result.y;
        if (i + 2 < n)
            out[i + 2] = result.z;
    }
}
