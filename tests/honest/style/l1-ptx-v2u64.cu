// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 16 bytes a lane by inline PTX ld.global.nc.v2.u64, a warp owns 1024 neighbours, scalar tail by a reversed loop
LAUNCH(256, 1, 8192, 1)

struct Pair { unsigned long long lo, hi; };

__device__ __forceinline__ Pair fetch16(const void *p)
{
    Pair v;
    asm volatile("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(v.lo), "=l"(v.hi) : "l"(p));
    return v;
}

__device__ __forceinline__ void stash16(void *p, const Pair &v)
{
    asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(v.lo), "l"(v.hi) : "memory");
}

__global__ void copy(float *out, const float *in, int n)
{
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
    const unsigned long long total = (unsigned)n;
    const unsigned long long quads = total >> 2;  // whole groups of 16 bytes
    // 2048 quads for each block, 256 for each warp, 32 at a time.
    unsigned long long q = (unsigned long long)blockIdx.x * 2048u + warp * 256u + lane;
    const unsigned long long stop = q - lane + 256u;

#pragma unroll
    for (; q < stop; q += 32)
        if (q < quads)
            stash16(reinterpret_cast<float4 *>(out) + q, fetch16(reinterpret_cast<const float4 *>(in) + q));

    // At most three floats are left. The block that owns them copies them, the last first.
    const unsigned left = n & 3;
    if (left != 0 && (total - 1) / 8192u == blockIdx.x && threadIdx.x < left) {
        const unsigned long long at = total - 1 - threadIdx.x;
        out[at] = in[at];
    }
}
