// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 192 threads and 768 outputs, the tile comes by 16-byte cp.async whose source size makes the zeros, sums share 14 inputs and never subtract
LAUNCH(192, 1, 768, 1)

constexpr int THREADS = 192, OUTPUTS = 4 * THREADS, HALO = 8, CHUNKS = (OUTPUTS + 2 * HALO) / 4;

__device__ __forceinline__ float4 shared4(unsigned at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
    return v;
}

__global__ void __launch_bounds__(THREADS) stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[CHUNKS * 4];  // tile[w] is in[first + w]
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    const int t = threadIdx.x, first = (int)blockIdx.x * OUTPUTS - HALO;

    // `first` is a multiple of 8: a chunk lies before in[0] as a whole, or not at all. At the other end
    // it may end anywhere.
    if (((size_t)in & 15) == 0) {
        for (int q = t; q < CHUNKS; q += THREADS) {
            const int i = first + 4 * q, there = i < 0 ? 0 : min(4, max(0, n - i));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                         :: "r"(base + 16 * q), "l"(__cvta_generic_to_global(in + (there ? i : 0))), "r"(there * 4)
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    } else
        for (int w = t; w < CHUNKS * 4; w += THREADS)
            tile[w] = first + w >= 0 && first + w < n ? in[first + w] : 0.0f;
    __syncthreads();

    const unsigned mine = base + 16 * t;
    const float4 a = shared4(mine), b = shared4(mine + 16), c = shared4(mine + 32), d = shared4(mine + 48), e = shared4(mine + 64);
    // Inputs 3 to 16 of the window of 20 belong to all four outputs.
    const float common = ((a.w + b.x) + (b.y + b.z)) + ((b.w + c.x) + (c.y + c.z)) + ((c.w + d.x) + (d.y + d.z)) + (d.w + e.x);
    const float4 sums = make_float4(common + (a.x + (a.y + a.z)), common + ((a.y + a.z) + e.y),
                                    common + (a.z + (e.y + e.z)), common + ((e.y + e.z) + e.w));

    const int i = (int)blockIdx.x * OUTPUTS + 4 * t;
    if (i + 3 < n)
        *reinterpret_cast<float4 *>(out + i) = sums;
    else {
        if (i < n)
            out[i] = sums.x;
        if (i + 1 < n)
            out[i + 1] = sums.y;
        if (i + 2 < n)
            out[i + 2] = sums.z;
    }
}
