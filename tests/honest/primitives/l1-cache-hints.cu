// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: loads and stores with cache operators in inline PTX
LAUNCH(256, 1, 8192, 1)

static __device__ __forceinline__ float fetch(const float *p)
{
    float v;
    asm("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}

__global__ void copy(float *out, const float *in, int n)
{
#pragma unroll 8
    for (unsigned i = blockIdx.x * 8192u + threadIdx.x, turn = 0; turn < 32u; ++turn, i += 256u)
        if (i < (unsigned)n)
            asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + i), "f"(fetch(in + i)) : "memory");
}
