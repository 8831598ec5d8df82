// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: four floats a lane with evict-first policy and no-allocate hints, coalesced and bounds-safe
// A copy touches each byte once: keep it out of L1 and let L2 drop it first.
LAUNCH(256, 1, 8192, 1)

struct alignas(16) Quad { float x, y, z, w; };

__device__ __forceinline__ unsigned long long touch_once()
{
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

__device__ __forceinline__ Quad take(const float *from, unsigned long long policy)
{
    Quad q;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(q.x), "=f"(q.y), "=f"(q.z), "=f"(q.w)
                 : "l"(__cvta_generic_to_global(from)), "l"(policy));
    return q;
}

__device__ __forceinline__ void give(float *to, const Quad &q, unsigned long long policy)
{
    asm volatile("st.global.L1::no_allocate.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;"
                 :: "l"(__cvta_generic_to_global(to)), "f"(q.x), "f"(q.y), "f"(q.z), "f"(q.w), "l"(policy)
                 : "memory");
}

__global__ void __launch_bounds__(256) copy(float *out, const float *in, int n)
{
    const unsigned long long policy = touch_once();
    const int first = blockIdx.x * 8192 + threadIdx.x * 4;

    if (blockIdx.x * 8192 + 8192 <= n) {  // a whole block: two bursts of four loads each
#pragma unroll
        for (int burst = 0; burst < 2; burst++) {
            Quad held[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                held[j] = take(in + first + (burst * 4 + j) * 1024, policy);
#pragma unroll
            for (int j = 0; j < 4; j++)
                give(out + first + (burst * 4 + j) * 1024, held[j], policy);
        }
        return;
    }

    // The last block: quads while they are whole, single floats behind them.
#pragma unroll 1
    for (int j = 0; j < 8; j++) {
        int i = first + j * 1024;
        if (i + 4 <= n)
            give(out + i, take(in + i, policy), policy);
        else
            for (int e = i; e < n; e++)  // three at most
                out[e] = in[e];
    }
}
