// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: six warps, tile filled by cp.async with partial source size, four outputs from a common core of 14 words
#include <cstdint>

LAUNCH(192, 1, 768, 1)

constexpr int R = 8, THREADS = 192, OUTPUTS = THREADS * 4, WORDS = OUTPUTS + 2 * R;

__device__ __forceinline__ unsigned smem(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

union Window {
    float4 four[5];
    float w[20];
};

__global__ void __launch_bounds__(THREADS) stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[WORDS / 4];  // word j is in[first - 8 + j], or 0

    const int first = blockIdx.x * OUTPUTS, t = threadIdx.x;

    if ((reinterpret_cast<uintptr_t>(in) & 15) == 0) {
        for (int j = t; j < WORDS / 4; j += THREADS) {
            const int i = first - R + 4 * j;  // a multiple of 4: wholly before in[0], or not at all
            const int have = i < 0 ? 0 : max(0, min(4, n - i));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(smem(tile + j)),
                         "l"(__cvta_generic_to_global(in + (have > 0 ? i : 0))), "r"(have * 4) : "memory");
        }
    } else {
        for (int j = t; j < WORDS; j += THREADS) {
            const int i = first - R + j;
            const bool have = i >= 0 && i < n;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smem((const float *)tile + j)),
                         "l"(__cvta_generic_to_global(in + (have ? i : 0))), "r"(have ? 4 : 0) : "memory");
        }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();

    Window v;
#pragma unroll
    for (int j = 0; j < 5; j++)
        v.four[j] = tile[t + j];

    float core = 0.0f;  // what all four outputs share
#pragma unroll
    for (int j = 3; j <= 16; j++)
        core += v.w[j];
    const float w2 = v.w[2], w17 = v.w[17];
    const float left = v.w[1] + w2, right = w17 + v.w[18];
    float4 result;
    result.x = core + (v.w[0] + left);
    result.y = core + (left + w17);
    result.z = core + (w2 + right);
    result.w = core + (right + v.w[19]);

    const int i = first + 4 * t;
    if (i + 3 < n && (reinterpret_cast<uintptr_t>(out) & 15) == 0) {
        *reinterpret_cast<float4 *>(out + i) = result;
    } else {
        if (i + 0 < n) out[i + 0] = result.x;
        if (i + 1 < n) out[i + 1] = result.y;
        if (i + 2 < n) out[i + 2] = result.z;
        if (i + 3 < n) out[i + 3] = result.w;
    }
}
