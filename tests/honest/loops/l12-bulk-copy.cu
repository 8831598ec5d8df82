// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: the tile comes by one cp.async.bulk of what exists in whole chunks of 16 bytes, announced at an mbarrier; the rest by hand (needs sm_90)
LAUNCH(256, 1, 1024, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void stencil(float *out, const float *in, int n)
{
    constexpr int LENGTH = 1024 + 16;
    __shared__ __align__(128) float tile[LENGTH];
    __shared__ __align__(8) unsigned long long full;
    const int t = threadIdx.x, origin = blockIdx.x * 1024 - 8;

    const int from = max(origin, 0);                     // a multiple of 4, and of 16 bytes
    const int to = min(origin + LENGTH, n) & ~3;         // the last whole chunk ends here
    const int count = max(to - from, 0);

    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&full)), "r"(count * 4) : "memory");
        if (count > 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         ::"r"(AT(tile + (from - origin))), "l"(__cvta_generic_to_global(in + from)), "r"(count * 4), "r"(AT(&full))
                         : "memory");
    }
    // What does not exist, and up to three floats behind the last chunk.
    for (int k = t; k < LENGTH; k += 256) {
        const int i = origin + k;
        if (i < from || i >= from + count)
            tile[k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncthreads();
    unsigned over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(AT(&full)) : "memory");

    const float4 *four = (const float4 *)tile + t;
    float w[20];
#pragma unroll
    for (int q = 0; q < 5; q++)
        *(float4 *)&w[4 * q] = four[q];
    float r[4] = {};
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int d = 0; d < 17; d++)
            r[j] += w[j + d];
    const int i = blockIdx.x * 1024 + t * 4;
    if (i + 3 < n)
        *(float4 *)(out + i) = make_float4(r[0], r[1], r[2], r[3]);
    else
#pragma unroll
        for (int j = 0; j < 3; j++)
            if (i + j < n)
                out[i + j] = r[j];
}
