// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: tile brought by 16-byte cp.async with zero-fill, 128 threads, two rounds of four outputs each, pairwise sums in a named lambda
#include <cuda_pipeline.h>

LAUNCH(128, 1, 1024, 1)

__global__ void __launch_bounds__(128) stencil(float *out, const float *in, int n)
{
    constexpr int HALO = 8, WIDE = 1024, CHUNKS = (WIDE + 2 * HALO) / 4;
    __shared__ float4 tile[CHUNKS];

    const int t = threadIdx.x, origin = blockIdx.x * WIDE - HALO;

    // Chunks begin at multiples of 16 bytes, so one lies before in[0] as a whole, or not at all.
    for (int q = t; q < CHUNKS; q += 128) {
        const int at = origin + 4 * q;
        const int have = at < 0 ? 0 : min(max(n - at, 0), 4);
        __pipeline_memcpy_async(&tile[q], have ? in + at : in, 16, 16 - 4 * have);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    auto whole = [](float4 v) { return (v.x + v.y) + (v.z + v.w); };

#pragma unroll
    for (int turn = 0; turn < 2; ++turn) {
        const int q = t + turn * 128, i = blockIdx.x * WIDE + q * 4;
        if (i >= n)
            break;
        const float4 a = tile[q], e = tile[q + 4];
        const float inner = whole(tile[q + 1]) + whole(tile[q + 2]) + whole(tile[q + 3]);
        // From the left ever less, from the right ever more.
        const float a3 = a.w, a2 = a.z + a3, a1 = a.y + a2, a0 = a.x + a1;
        const float e0 = e.x, e1 = e0 + e.y, e2 = e1 + e.z, e3 = e2 + e.w;
        const float4 r = make_float4(inner + (a0 + e0), inner + (a1 + e1), inner + (a2 + e2), inner + (a3 + e3));
        switch (n - i) {
        default: *(float4 *)(out + i) = r; break;
        case 3: out[i + 2] = r.z;  // fall through
        case 2: out[i + 1] = r.y;  // fall through
        case 1: out[i] = r.x;
        }
    }
}
